/*
 * live_pairs.c - see live_pairs.h.
 *
 * The first pairs were chosen (chosen_live_pairs.csv): services of both papers beside batch
 * applications that need the memory and that need the cores, in both halves. The further ones are
 * drawn, so that nobody's choice is in them: each takes one of the services that are in the fewest
 * pairs before it, and one such batch application. Of every three of the first twelve the first is
 * for who builds a model ('dev'), and two judge a form of it that is frozen after the half 'test'
 * was looked at
 * ('test2'). The last ten judge a later one ('test3').
 */
#include "calibrate/plan/live_pairs.h"
#include "calibrate/plan/arrival_list.h"
#include "calibrate/plan/plan_rows.h"

#include "des/base.h"

#include <limits.h>
#include <string.h>

#define DRAW_SEED 20210423 /* of the drawing, whatever the seed of the inputs is */

enum role { SERVICE, BATCH, ROLES };

static const char *name_of(const struct cal_live_pair *pair, enum role role)
{
    return role == SERVICE ? pair->service : pair->batch;
}

static int uses(const char *name, enum role role, const struct cal_live_pair *pairs, int n)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found += strcmp(name_of(&pairs[i], role), name) == 0;
    return found;
}

/* One of those that are in the fewest of the n pairs. */
static const char *draw(const char *const *names, size_t count, enum role role, uint64_t number,
                        const struct cal_live_pair *pairs, int n)
{
    int fewest = INT_MAX;
    size_t candidates = 0;
    for (size_t i = 0; i < count; i++) {
        int used = uses(names[i], role, pairs, n);
        candidates = used < fewest ? 1 : candidates + (used == fewest);
        fewest = used < fewest ? used : fewest;
    }
    DCS_ASSERT(candidates > 0); /* some name is in the fewest */
    size_t chosen = cal_list_random(DRAW_SEED + role, number) % candidates;
    for (size_t i = 0; i < count; i++)
        if (uses(names[i], role, pairs, n) == fewest && chosen-- == 0)
            return names[i];
    DCS_ASSERT(false); /* one of them is used least */
    return NULL;
}

/* The name as the caller has it; NULL: it is none of them. */
static const char *known(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return names[i];
    return NULL;
}

static const char *half_named(const char *name)
{
    static const char *const halves[] = {"dev", "test", "test2"};
    return known(halves, sizeof halves / sizeof halves[0], name);
}

static int choose_first(const struct cal_live_names *names, struct cal_live_pair *pairs)
{
    int n = 0;
    struct cal_plan_row row;
    for (const char *at = chosen_live_pairs_csv; cal_plan_next(&at, &row);) {
        DCS_ASSERT(n < CAL_LIVE_FIRST);
        pairs[n].service = known(names->services, names->services_count, row.texts[0]);
        pairs[n].batch = known(names->batches, names->batches_count, row.texts[1]);
        pairs[n].half = half_named(row.texts[2]);
        n += pairs[n].service != NULL && pairs[n].batch != NULL;
    }
    return n;
}

int cal_live_pairs(const struct cal_live_names *names, struct cal_live_pair pairs[CAL_LIVE_PAIRS],
                   int *chosen)
{
    int n = choose_first(names, pairs);
    if (chosen != NULL)
        *chosen = n;
    if (names->services_count == 0 || names->batches_count == 0)
        return n;
    for (int i = 0; i < CAL_LIVE_PAIRS - CAL_LIVE_FIRST; i++, n++) {
        uint64_t number = (uint64_t)(CAL_LIVE_FIRST + i);
        pairs[n].service = draw(names->services, names->services_count, SERVICE, number, pairs, n);
        pairs[n].batch = draw(names->batches, names->batches_count, BATCH, number, pairs, n);
        pairs[n].half = i >= CAL_LIVE_DRAWN ? "test3" : i % 3 == 0 ? "dev" : "test2";
    }
    return n;
}

int cal_live_splits(int sms, int step, int splits[CAL_LIVE_SPLITS])
{
    static const int parts[CAL_LIVE_SPLITS] = {2, 4};
    int n = 0;
    for (int i = 0; i < CAL_LIVE_SPLITS; i++) {
        int steps = sms / step / parts[i], mine = (steps > 0 ? steps : 1) * step;
        if (mine < sms && (n == 0 || mine != splits[n - 1]))
            splits[n++] = mine;
    }
    return n;
}
