/* sweep_marks.c - see sweep_marks.h. */
#include "report/console/sweep_marks.h"

#include "text/table.h"

#include <inttypes.h>
#include <stdlib.h>

void sweep_marks_add(struct sweep_marks *m, const struct experiment *x)
{
    m->clairvoyant += x->config->predictor == PREDICTOR_CLAIRVOYANT;
    m->medians += experiment_knows_medians(x);
    m->shared += experiment_shares_requests(x);
    int64_t ns = experiment_uncharged_ns(x);
    m->uncharged += ns > 0;
    m->uncharged_ns = ns > m->uncharged_ns ? ns : m->uncharged_ns;
}

static void print_bounds(FILE *out, uint64_t bounds, uint64_t points, const char *why)
{
    struct text_buffer text = {0};
    if (bounds == 0)
        return;
    text_append(&text,
                "WARNING: %" PRIu64 " of %" PRIu64 " points %s: bounds, not something that can be "
                "built.",
                bounds, points, why);
    text_paragraph(out, text.text, 2);
    free(text.text);
}

void sweep_marks_print(FILE *out, const struct sweep_marks *m, uint64_t points)
{
    if (m->shared > 0)
        text_paragraph(out, "WARNING: " EXPERIMENT_SHARED ".", 2);
    if (m->uncharged > 0) {
        struct text_buffer text = {0};
        text_append(&text,
                    "Deciding takes no time at %" PRIu64 " of %" PRIu64 " points; on their GPUs it "
                    "takes up to %.1f us for each callback (scheduler.callback_us).",
                    m->uncharged, points, (double)m->uncharged_ns / 1e3);
        text_paragraph(out, text.text, 2);
        free(text.text);
    }
    print_bounds(out, m->clairvoyant, points,
                 "have a clairvoyant predictor; policies that ask it know true durations");
    print_bounds(out, m->medians, points,
                 "are of split-predicted, which knows the medians that times are drawn from");
}
