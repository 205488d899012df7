/* store_capacity.c - see store_capacity.h. */
#include "results/store_capacity.h"

#include "results/store_rows.h"

int store_put_search(struct store *s, const struct store_search *search, struct dcs_err *err)
{
    if (store_begin(s, err) != 0)
        return -1;
    int status = EXECUTE(s, DELETE_LOOKS, text(search->question));
    for (size_t i = 0; i < search->looks_count && status == 0; i++) {
        const struct store_look *l = &search->looks[i];
        status = EXECUTE(s, PUT_LOOK, integer(store_number(l->hash)), text(search->question),
                         integer((int64_t)l->position), text(search->vary), real(l->value),
                         text(l->metric), text(l->unit), integer(l->at_least), real(l->bound),
                         text(l->service), real(l->result.value), real(l->result.low),
                         real(l->result.high), text(l->kept), real(search->answer),
                         text(search->told), text(l->reason));
    }
    if (status != 0)
        store_failed(s, "write what the search saw", err);
    return store_end(s, status, err);
}
