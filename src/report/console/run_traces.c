/* run_traces.c - see run_traces.h. */
#include "report/console/run_traces.h"

#include "text/table.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* What became of the jobs of the window. */
static void print_counts(FILE *out, const struct dcs_trace *t)
{
    struct table table = {0};
    struct text *header = table_row(&table);
    header[1] = text_format("jobs");
    for (size_t i = 0; i < t->counts_count; i++) {
        const struct dcs_trace_count *c = &t->counts[i];
        if (c->count == 0)
            continue;
        struct text *row = table_row(&table);
        row[0] = text_format("  %s", text_name(c->what, 76).at);
        row[1] = text_format("%" PRIu64, c->count);
    }
    table_print(out, &table);
    table_release(&table);
}

static void print_replayed(FILE *out, const struct config_replay *c,
                           const struct dcs_replay_counts *n, uint64_t naming, uint64_t split)
{
    text_note(out, 2,
              "Replayed in the first replication: %" PRIu64 " jobs, whose %" PRIu64
              " clients have up to %" PRIu64
              " requests. Arrivals are compressed by %.4g, durations by %.4g: an offered load of "
              "%.3g for %.4g s. After that the clients issue nothing more: what they had left is "
              "\"never issued\".",
              n->jobs, n->clients, n->requests, n->time_compression, c->duration_compression,
              n->offered, (double)n->span_ns / 1e9);
    if (n->without_gpu > 0)
        text_note(out, 2,
                  "%" PRIu64 " of the jobs ask for no GPU (CPU jobs): each is replayed as if it "
                  "asked for one.",
                  n->without_gpu);
    if (split > 0)
        text_note(out, 2,
                  "%" PRIu64
                  " of the jobs ask%s for several GPUs: as clients they start one by one, "
                  "as soon as one GPU is free (whole jobs, as \"gangs\", start on all of them at "
                  "once).",
                  split, split == 1 ? "s" : "");
    if (naming > 0)
        text_note(out, 2,
                  "%" PRIu64 " of the jobs name GPU models: requests go to any device all the same "
                  "(whole jobs, as \"gangs\", go to nodes of these models).",
                  naming);
    if (n->thinned > 0)
        text_note(out, 2, "%" PRIu64 " jobs were left out by keep.", n->thinned);
    if (n->rounded_up > 0)
        text_note(out, 2,
                  "%" PRIu64
                  " of the jobs are shorter than half a request and got one; the requests offer "
                  "%.3g times the work of the trace.",
                  n->rounded_up, n->work_ns / n->trace_work_ns);
}

void report_trace(FILE *out, const struct experiment *x, size_t i,
                  const struct dcs_replay_counts *replayed)
{
    const struct config_trace *traces = x->config->workload.trace.items;
    fputc('\n', out);
    if (i < x->traces_count) {
        text_note(out, 2, "Trace %s", traces[i].database);
        print_counts(out, &x->traces[i]);
    } else {
        text_note(out, 2, "Jobs drawn from workload.jobs[%zu]", i - x->traces_count);
    }
    if (replayed != NULL)
        print_replayed(out, experiment_replay(x, i), replayed,
                       i < x->traces_count ? x->traces[i].naming : 0,
                       i < x->traces_count ? x->traces[i].several : 0);
}

void report_left_out(FILE *out, const struct experiment *x)
{
    char *lines = experiment_left_out(x), *rest = lines;
    while (rest != NULL)
        text_note(out, 2, "WARNING: %s: the numbers are of the others.", strsep(&rest, "\n"));
    free(lines);
    for (size_t i = 0; i < x->traces_count; i++)
        if (x->traces[i].cut > 0)
            text_note(out, 2,
                      "%" PRIu64 " job%s still ran when the trace ended: what was seen of %s is "
                      "replayed.",
                      x->traces[i].cut, dcs_plural(x->traces[i].cut),
                      x->traces[i].cut == 1 ? "it" : "them");
}
