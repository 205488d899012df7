/* report_origin.c - see report_origin.h. */
#include "report/page/report_origin.h"

#include "build_id.h"
#include "experiment/experiment.h"
#include "options/options.h"
#include "runs/overload.h"

#include <stdlib.h>
#include <string.h>

#define CONFIGS_MAX 20

int report_listed(struct page *p, const struct report_data *d, const char *what, const char *sql,
                  struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, d, sql, REPORT_LISTED_MAX, err) != 0)
        return -1;
    if (t.count > 0) {
        page_raw(p, "<li>%s: ", what);
        for (size_t i = 0; i < t.count; i++)
            page_format(p, "%s%s", i > 0 ? ", " : "", t.rows[i]);
        page_raw(p, "%s</li>\n", t.more ? " and more" : "");
    }
    report_texts_release(&t);
    return 0;
}

/* ---- Doubts ---- */

static void doubt(struct page *p, const struct report_data *d, size_t n, const char *what)
{
    if (n > 0)
        page_raw(p, "<li>%zu of %zu experiment%s: %s</li>\n", n, d->count, dcs_plural(d->count),
                 what);
}

static int write_gpus(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    bool driven;
    if (report_has(d, "driven", &driven, err) != 0)
        return -1;
    if (!driven)
        return 0;
    return report_listed(p, d, "Measured, and not simulated",
                         "SELECT count(DISTINCT experiment) || ' of ' || (SELECT count(*) FROM "
                         "experiment) || ' experiments, on ' || trim(device || ' ' || uuid) || "
                         "' with driver ' || driver FROM driven GROUP BY device, uuid, driver "
                         "ORDER BY device, uuid, driver",
                         err);
}

/* Of kernels: whole jobs are revoked by the queue. */
static int write_mechanisms(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    if (d->gangs)
        return 0;
    return report_listed(
        p, d, "Revoked kernels were stopped by",
        "SELECT mechanism || ' (' || sum(n) || ' in ' || count(*) || ' experiments)' FROM (SELECT "
        "json_extract(e.config, '$.revocation.mechanism') AS mechanism, sum(revocations) AS n FROM "
        "experiment e JOIN run ON run.experiment = e.id GROUP BY e.id) WHERE n > 0 GROUP BY "
        "mechanism ORDER BY mechanism",
        err);
}

static int write_doubts(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    size_t overloaded = 0, jobs = 0, open = 0, alone = 0, clairvoyant = 0, medians = 0, even = 0,
           hypothetical = 0, moving = 0;
    for (size_t i = 0; i < d->count; i++) {
        const struct compare_system *s = d->points[i].system;
        overloaded += s->overloaded && !s->gangs;
        jobs += s->overloaded && s->gangs;
        hypothetical += s->hypothetical[0] != '\0';
        moving += strcmp(s->hypothetical, "sharing.resize_at") == 0;
        open += !d->points[i].summarised;
        alone += d->points[i].runs == 1;
        clairvoyant += d->points[i].clairvoyant;
        medians += d->points[i].system->median;
        even += d->points[i].system->even;
    }
    page_raw(p, "<section aria-labelledby=\"doubts\"><h2 id=\"doubts\">What to know about these "
                "numbers</h2>\n<ul class=\"plain\">\n");
    if (d->gangs && even == d->count)
        page_raw(p, "<li>Nothing is drawn: another run would say the same. What the jobs of one "
                    "trace show is not true of every trace.</li>\n");
    else if (d->gangs)
        page_raw(p, "<li>Jobs are drawn from one trace: what they show is not true of every "
                    "trace.</li>\n");
    else
        page_raw(
            p,
            "<li>Response time: from arrival to completion. "
            "Intervals: 95 %%, over replications. Late: of the requests that have an SLA and a "
            "verdict, those that were not completed in time; <code>dcsim explain</code> says what "
            "made them late.</li>\n");
    if (d->groups.count > 1 && !d->gangs)
        page_raw(p,
                 "<li>World: experiments that differ in the policy and its predictor%s alone, and "
                 "so meet the same jobs, arrivals and durations.</li>\n",
                 d->moves ? " and in sharing.resize_at" : "");
    doubt(p, d, moving,
          EXPERIMENT_HYPOTHETICAL ": SMs move between kernels that run, which no GPU can.");
    doubt(p, d, hypothetical - moving,
          EXPERIMENT_HYPOTHETICAL ": kernels get and lose single blocks in each SM, and quotas of "
                                  "instructions, which no GPU can.");
    doubt(p, d, overloaded, "overloaded (*): " OVERLOAD_OF_REQUESTS);
    doubt(p, d, jobs, "overloaded (*): " OVERLOAD_OF_JOBS);
    doubt(p, d, open, "not at its end: its runs have no summary yet; run it again to finish it.");
    doubt(p, d, d->gangs ? 0 : alone, "a single run, without intervals.");
    doubt(p, d, clairvoyant, "the policy knew true durations: a bound, not a policy.");
    doubt(p, d, medians, "medians with bootstrap intervals, since tails are heavy.");
    int status = write_gpus(p, d, err);
    if (status == 0)
        status = write_mechanisms(p, d, err);
    if (status == 0)
        status = report_listed(p, d, "Batch throughput over that alone is a sum over applications",
                               "SELECT DISTINCT 'of ' || count(*) FROM application a WHERE class = "
                               "'batch' AND EXISTS (SELECT 1 FROM metric m WHERE m.experiment = "
                               "a.experiment AND m.name = 'normalised_throughput' AND m.class = "
                               "'batch' AND m.value IS NOT NULL) GROUP BY experiment HAVING "
                               "count(*) > 1 ORDER BY count(*)",
                               err);
    if (status == 0)
        status = report_listed(
            p, d,
            "Stranded: requests that waited at the end although a device idled and their "
            "policy had nothing under way (it forgot them, or keeps them for a device "
            "that is taken)",
            "SELECT e.policy || ': ' || sum(stranded) || ' of ' || sum(requests) || "
            "' requests, in ' || count(DISTINCT CASE WHEN stranded > 0 THEN e.id END) || "
            "' of ' || count(DISTINCT e.id) || ' experiments' FROM run JOIN experiment e "
            "ON e.id = run.experiment GROUP BY e.policy HAVING sum(stranded) > 0 "
            "ORDER BY 1",
            err);
    if (status == 0)
        status =
            report_listed(p, d, "Not measured in a profile",
                          "SELECT DISTINCT name || ': ' || missing FROM input WHERE missing IS NOT "
                          "NULL ORDER BY 1",
                          err);
    if (status == 0)
        status =
            report_listed(p, d, "What stands in for what a profile does not say",
                          "WITH RECURSIVE part (name, at, text, rest) AS (SELECT DISTINCT name, 0, "
                          "'', replace(falls_back, 'alone: ', 'alone:; ') || '; ' FROM input WHERE "
                          "falls_back IS NOT NULL UNION SELECT name, at + 1, substr(rest, 1, "
                          "instr(rest, '; ') - 1), substr(rest, instr(rest, '; ') + 2) FROM part "
                          "WHERE rest <> '') "
                          "SELECT name || ': ' || replace(group_concat(text, '; '), 'alone:; ', "
                          "'alone: ') FROM (SELECT name, text FROM part WHERE text <> '' GROUP BY "
                          "name, text ORDER BY name, min(at), text) GROUP BY name ORDER BY 1",
                          err);
    page_raw(p, "</ul></section>\n");
    return status;
}

/* ---- Where they come from ---- */

static int folded_table(struct page *p, const struct report_data *d, const char *what,
                        const char *const *heads, size_t columns, const char *sql,
                        struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, d, sql, REPORT_ROWS_MAX, err) != 0)
        return -1;
    page_fold_open(p, "origin", what);
    page_table_open(p, what, heads, columns);
    for (size_t i = 0; i < t.count; i++) {
        page_row_open(p, t.rows[i * t.columns]);
        for (size_t c = 1; c < columns; c++)
            page_cell(p, t.rows[i * t.columns + c]);
        page_row_close(p);
    }
    page_table_close(p);
    if (t.more)
        page_raw(p, "<p class=\"note\">The first %d.</p>\n", REPORT_ROWS_MAX);
    page_fold_close(p);
    report_texts_release(&t);
    return 0;
}

static int write_configs(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    struct report_texts t;
    if (report_texts(&t, d,
                     "SELECT name, policy, substr(hash, 1, 11), config FROM experiment e "
                     "WHERE " REPORT_SOME_RUN " ORDER BY name, policy, hash",
                     CONFIGS_MAX, err) != 0)
        return -1;
    page_fold_open(p, "origin", "Configs");
    for (size_t i = 0; i < t.count; i++) {
        char **row = t.rows + i * 4;
        struct text_buffer summary = {0};
        text_append(&summary, "%s, %s (%s)", row[0], row[1], row[2]);
        page_fold_open(p, "origin", summary.text);
        page_raw(p, "<pre tabindex=\"0\">");
        page_text(p, row[3]);
        page_raw(p, "</pre>\n");
        page_fold_close(p);
        free(summary.text);
    }
    if (t.more)
        page_raw(p,
                 "<p class=\"note\">Configs of the first %d of %zu experiments; <code>dcsim export "
                 "results.db experiment --json</code> prints all.</p>\n",
                 CONFIGS_MAX, d->count);
    page_fold_close(p);
    report_texts_release(&t);
    return 0;
}

static int write_origin(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    static const char *const experiments[] = {"hash", "name",      "policy",
                                              "seed", "predictor", "runs"};
    static const char *const inputs[] = {"file", "kind", "SHA-256", "experiments"};
    static const char *const builds[] = {"build", "runs"};
    page_raw(p, "<section aria-labelledby=\"origin\"><h2 id=\"origin\">Where they come "
                "from</h2>\n");
    int status =
        folded_table(p, d, "Experiments", experiments, 6,
                     "SELECT hash, name, policy, seed, predictor, (SELECT count(*) FROM "
                     "run WHERE run.experiment = e.id) FROM experiment e WHERE " REPORT_SOME_RUN
                     " ORDER BY name, policy, hash",
                     err);
    if (status == 0)
        status = folded_table(p, d, "Files that were read", inputs, 4,
                              "SELECT name, kind, sha256, count(*) FROM input GROUP BY kind, name, "
                              "sha256 ORDER BY kind, name, sha256",
                              err);
    if (status == 0)
        status = folded_table(p, d, "Versions of dcsim that made the runs", builds, 2,
                              "SELECT build, count(*) FROM run GROUP BY build ORDER BY build", err);
    if (status == 0)
        status = write_configs(p, d, err);
    page_raw(p, "</section>\n</main>\n<footer>Written by dcsim %s.</footer>\n", DCS_BUILD_ID);
    return status;
}

int report_origin(struct page *p, const struct report_data *d, struct dcs_err *err)
{
    if (write_doubts(p, d, err) != 0)
        return -1;
    return write_origin(p, d, err);
}
