/*
 * compare_command.c - see compare_command.h.
 *
 * One block for each group of experiments that met the same worlds (compare_groups.h). What is
 * printed depends on the runs in the database and the options alone.
 */
#include "commands/compare_command.h"

#include "commands/command.h"
#include "commands/compare_notes.h"
#include "report/console/guessed_contention.h"
#include "results/compare_baseline.h"
#include "results/compare_verdict.h"
#include "runs/metric_name.h"
#include "options/options.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "Usage: dcsim compare RESULTS.db --baseline NAME --metric METRIC [OPTION]...\n"
    "\n"
    "Compares experiments that met the same worlds: their configs differ in the policy alone\n"
    "(of whole jobs: in the order and placement of cluster.queue).\n"
    "Runs of the same replication are paired.\n"
    "\n"
    "  --baseline NAME      a policy, an experiment's name or its hash (4 digits or more), a\n"
    "                       line's name as this command prints it, or a part of one name\n"
    "  --metric METRIC      e.g. latency.sla_met, batch.throughput, resnet50.response_p99,\n"
    "                       utilisation; sla_violation is 1 - sla_met\n"
    "  --key PATH           what may differ between configs (default: policy), e.g.\n"
    "                       cluster.devices; may be repeated\n"
    "  --delta D            differences up to this do not matter: 0.01 (of shares: one point), "
    "5ms\n"
    "  --confidence C       of the intervals, 0.5 to 0.999 (default: 0.95)\n";

#define KEYS_MAX     16
#define NAME_COLUMNS 60 /* of a line's name, at most */

struct arguments {
    const char *database, *baseline, *metric;
    const char *keys[KEYS_MAX];
    size_t keys_count;
    struct dcs_compare_rule rule;
    struct metric_value delta;
};

static int bad_usage(const char *what)
{
    return command_bad_usage("dcsim compare", what, NULL);
}

/* ---- Printing ---- */

enum {
    COLUMN_NAME,
    COLUMN_PAIRS,
    COLUMN_VALUE,
    COLUMN_DIFFERENCE,
    COLUMN_VERDICT,
    COLUMN_NEEDS,
    COLUMN_UNPAIRED,
    COLUMN_UNPAIRED_NEEDS
};

struct block {
    const struct arguments *a;
    const struct compare_metric *metric;
    const struct compare_group *group;
    const struct compare_system *baseline;
    struct table table;
    bool median;
};

/* Whether a name reads like another that is another label. */
static bool reads_alike(const struct compare_system *const *systems, const struct text *names,
                        size_t count, size_t of)
{
    bool alike = false;
    for (size_t i = 0; i < count; i++)
        alike = alike || (i != of && strcmp(names[i].at, names[of].at) == 0 &&
                          strcmp(systems[i]->label, systems[of]->label) != 0);
    return alike;
}

/* Names the lines of a block and prints them, systems in their order, when its other cells are
 * there: by the hash, which --baseline takes, too, where no cut tells a name from another. "*":
 * overloaded. */
static void print_lines(struct block *b, const struct compare_system *const *systems)
{
    size_t count = b->table.count - 1, mark = 0;
    const char **labels = dcs_alloc(count + 1, sizeof *labels);
    struct text *names = dcs_alloc(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++) {
        labels[i] = systems[i]->label;
        mark = systems[i]->overloaded ? sizeof " *" - 1 : mark;
    }
    size_t room = table_room(&b->table) - mark, columns = room < NAME_COLUMNS ? room : NAME_COLUMNS;
    text_names(labels, count, columns, names);
    for (size_t i = 0; i < count; i++) {
        struct text name = names[i];
        if (reads_alike(systems, names, count, i))
            name = text_format("%.8s", systems[i]->hash);
        b->table.rows[i + 1][COLUMN_NAME] =
            text_format("%.120s%s", name.at, systems[i]->overloaded ? " *" : "");
    }
    table_print(stdout, &b->table);
    for (size_t i = 0; i < count; i++) {
        if (!reads_alike(systems, names, count, i))
            continue;
        struct text_buffer note = {0};
        text_append(&note, "%.8s: %s", systems[i]->hash, labels[i]);
        text_paragraph(stdout, note.text, 2);
        free(note.text);
    }
    free(labels);
    free(names);
}

/* A line that is compared with the baseline. */
struct line {
    struct dcs_difference difference;
    double value; /* of the system, over the pairs */
};

static double larger_of(double a, double b)
{
    return fabs(b) > a ? fabs(b) : a; /* b may be NaN */
}

/* The time that all times of a block are printed in the unit of: its largest. */
static double find_largest(double baseline, const struct line *lines, size_t count)
{
    double largest = larger_of(0, baseline);
    for (size_t i = 0; i < count; i++) {
        const struct dcs_difference *d = &lines[i].difference;
        largest = larger_of(larger_of(largest, lines[i].value), d->paired.value);
        largest = larger_of(largest, (d->unpaired.high - d->unpaired.low) / 2);
    }
    return largest;
}

/* Half the width of an interval alone. */
static struct text half_text(const struct dcs_estimate *e, enum text_unit unit, double like)
{
    if (isnan(e->low))
        return text_format("-");
    struct text half = text_value_like((e->high - e->low) / 2, unit, like);
    return compare_points(text_format("± %.60s", half.at), unit);
}

/* Replications in all; of numbers that nobody runs, the bound that they lie beyond. */
static struct text needs_text(const struct dcs_difference *d, uint64_t needs)
{
    if (needs == 0)
        return text_format("-");
    if (!dcs_needs_feasible(d, needs))
        return text_format(">%" PRIu64, DCS_NEEDS_TIMES * d->paired.n);
    return text_format("%" PRIu64, needs);
}

static struct text verdict_text(const struct block *b, const struct dcs_difference *d, double like)
{
    if (d->verdict == DCS_UNDECIDED && d->paired_needs > d->paired.n &&
        dcs_needs_feasible(d, d->paired_needs))
        return text_format("undecided: %" PRIu64 " more", d->paired_needs - d->paired.n);
    return compare_verdict_text(d, compare_better(b->metric), b->a->rule.delta,
                                compare_unit(b->metric), like);
}

/* "> 3.2 s" of a quantile that was not reached. */
static struct text centre_text(const struct block *b, const struct compare_system *s, double value,
                               double like)
{
    enum text_unit unit = compare_unit(b->metric);
    if (!s->unreached)
        return text_value_like(value, unit, like);
    return isnan(s->least) ? text_format("not reached")
                           : text_format("> %.60s", text_value_like(s->least, unit, like).at);
}

static void add_line(struct block *b, const struct compare_system *s, const struct line *line,
                     double like)
{
    enum text_unit unit = compare_unit(b->metric);
    const struct dcs_difference *d = &line->difference;
    struct text *row = table_row(&b->table);
    row[COLUMN_PAIRS] = text_format("%" PRIu64, d->paired.n);
    row[COLUMN_VALUE] = centre_text(b, s, line->value, like);
    row[COLUMN_DIFFERENCE] = compare_signed(&d->paired, unit, like);
    row[COLUMN_VERDICT] =
        compare_can(b->baseline, s) ? verdict_text(b, d, like) : text_format("not compared");
    row[COLUMN_NEEDS] = needs_text(d, d->paired_needs);
    row[COLUMN_UNPAIRED] = half_text(&d->unpaired, unit, like);
    row[COLUMN_UNPAIRED_NEEDS] = needs_text(d, d->unpaired_needs);
}

static void add_header(struct block *b)
{
    struct text *header = table_row(&b->table);
    header[COLUMN_PAIRS] = text_format("pairs");
    header[COLUMN_VALUE] = text_format(b->median ? "median" : "mean");
    header[COLUMN_DIFFERENCE] = text_format("difference");
    header[COLUMN_VERDICT] = text_format("verdict");
    header[COLUMN_NEEDS] = text_format("needs");
    header[COLUMN_UNPAIRED] = text_format("unpaired");
    header[COLUMN_UNPAIRED_NEEDS] = text_format("needs");
}

static void print_block(struct block *b)
{
    if (b->group->heading[0] != '\0') {
        putchar('\n');
        text_paragraph(stdout, b->group->heading, 2);
    }
    add_header(b);
    const struct compare_system *base = b->baseline;
    const struct compare_system **systems = dcs_alloc(b->group->count + 1, sizeof *systems);
    struct line *lines = dcs_alloc(b->group->count + 1, sizeof *lines);
    struct dcs_compare_rule rule = b->a->rule;
    rule.median = b->median;
    size_t count = 0;
    systems[0] = base;
    for (size_t i = 0; i < b->group->count; i++) {
        const struct compare_system *other = b->group->systems[i];
        if (other == base)
            continue;
        struct line *line = &lines[count++];
        compare_systems(base, other, &rule, &line->difference, &line->value);
        systems[count] = other;
    }
    double value = compare_centre(base->values, base->runs, b->median);
    double like = find_largest(value, lines, count);
    for (size_t i = 0; i <= count; i++)
        like = larger_of(like, systems[i]->least);
    struct text *row = table_row(&b->table);
    row[COLUMN_PAIRS] = text_format("%zu", base->runs);
    row[COLUMN_VALUE] = centre_text(b, base, value, like);
    row[COLUMN_VERDICT] = text_format("baseline");
    for (size_t i = 0; i < count; i++)
        add_line(b, systems[i + 1], &lines[i], like);
    print_lines(b, systems);
    free(lines);
    free(systems);
    table_release(&b->table);
}

static void print_title(const struct arguments *a, const struct compare_metric *m)
{
    struct text_buffer title = {0};
    text_append(&title, "%s", compare_shown_name(m));
    if (m->application != NULL)
        text_append(&title, " of application %s", m->application);
    else if (m->class != NULL)
        text_append(&title, " of class %s", m->class);
    text_append(&title, " against %s, paired by replication, %g %% intervals", a->baseline,
                100 * a->rule.confidence);
    if (a->rule.delta > 0)
        text_append(&title, ", delta %s", text_value(a->rule.delta, compare_unit(m)).at);
    text_paragraph(stdout, title.text, 2);
    free(title.text);
}

/* ---- All of it ---- */

static int compare(const struct arguments *a, const struct results *r,
                   const struct compare_metric *m, const struct compare_groups *g,
                   struct dcs_err *err)
{
    size_t alone = 0;
    bool medians = false;
    for (int pass = 0; pass < 2; pass++) { /* errors come before the first line of output */
        for (size_t i = 0; i < g->count; i++) {
            struct block b = {.a = a, .metric = m, .group = &g->groups[i]};
            if (compare_baseline_of(b.group, a->baseline, &b.baseline, err) != 0)
                return -1;
            if (pass == 0) {
                alone += b.group->count == 1;
                continue;
            }
            if (b.baseline == NULL || b.group->count == 1)
                continue;
            b.median = b.baseline->median;
            medians = medians || b.median;
            print_block(&b);
        }
        if (pass == 0 && alone == g->count)
            return dcs_err_at(err, a->database, 0, NULL,
                              "holds nothing to compare: no two experiments differ in %s alone; "
                              "--key PATH names what may differ",
                              a->keys[0]);
        if (pass == 0) {
            print_title(a, m);
            compare_print_overload(g);
        }
    }
    compare_print_notes(m, g, medians, alone);
    compare_warn_of_builds(g, a->baseline);
    if (compare_print_sum(m, g, r, err) != 0)
        return -1;
    compare_print_hypothetical(g);
    return compare_print_plugins(g, r, err) == 0 ? compare_print_guesses(g, r, err) : -1;
}

/* ---- Arguments ---- */

/* Keys become JSON paths: letters, digits, "_", points and [indices]; a seed is not one. */
static int take_key(struct arguments *a, const char *key)
{
    if (a->keys_count == KEYS_MAX)
        return bad_usage("too many --key");
    if (key[0] < 'a' || key[0] > 'z' ||
        strspn(key, "abcdefghijklmnopqrstuvwxyz_0123456789.[]") != strlen(key))
        return bad_usage("--key takes the path of a key, like cluster.devices");
    if (strcmp(key, "seed") == 0)
        return bad_usage("--key seed: runs with other seeds met other worlds and make no pairs");
    a->keys[a->keys_count++] = key;
    return -1;
}

static int take_option(void *context, int option)
{
    struct arguments *a = context;
    switch (option) {
    case 'k':
        return take_key(a, optarg);
    case 'd':
        if (metric_value_read("--delta", optarg, &a->delta) && a->delta.value >= 0) {
            a->rule.delta = a->delta.value;
            return -1;
        }
        return bad_usage("--delta takes a number of at least 0, for times with a unit (5ms)");
    default: /* 'c' */
        if (command_number(optarg, 0.5, 0.999, &a->rule.confidence))
            return -1;
        return bad_usage("--confidence takes a number from 0.5 to 0.999");
    }
}

/* -1: go on; else the exit code. */
static int parse(struct arguments *a, int argc, char **argv)
{
    const struct command_option options[] = {
        {"baseline", .text = &a->baseline},
        {"metric", .text = &a->metric},
        {"key", .take = 'k'},
        {"delta", .take = 'd'},
        {"confidence", .take = 'c'},
        {0},
    };
    const struct command_line line = {"dcsim compare", usage, options, take_option, a};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return bad_usage("expected one results database");
    if (a->baseline == NULL)
        return bad_usage("--baseline is missing: what the others are compared with");
    if (a->metric == NULL)
        return bad_usage("--metric is missing, e.g. --metric latency.sla_met");
    a->database = argv[optind];
    if (a->keys_count == 0)
        a->keys[a->keys_count++] = "policy";
    return -1;
}

int compare_command(int argc, char **argv)
{
    struct arguments a = {.rule = {.confidence = 0.95}};
    struct dcs_err err = {0};
    int code = parse(&a, argc, argv);
    if (code >= 0)
        return code;
    struct results results;
    if (results_open(&results, a.database, &err) != 0)
        return command_fail(&err);
    struct compare_metric metric = {0};
    struct compare_groups groups = {0};
    int status = compare_metric(&results, a.metric, &metric, &err);
    if (status == 0 && a.delta.text != NULL)
        status = metric_value_check(&a.delta, compare_shown_name(&metric), metric.unit, &err);
    if (status == 0)
        status = compare_groups_read(&groups, &results, a.keys, a.keys_count, &metric, &err);
    char *baseline = NULL;
    if (status == 0) {
        a.baseline = baseline = compare_baseline_name(&groups, a.database, a.baseline, &err);
        status = baseline != NULL ? compare(&a, &results, &metric, &groups, &err) : -1;
    }
    free(baseline);
    compare_groups_release(&groups);
    compare_metric_release(&metric);
    results_close(&results);
    return status == 0 ? DCS_EXIT_OK : command_fail(&err);
}
