/*
 * profile_read.c - reads the tables of a profile into plain structs and checks every value.
 *
 * profile_open.c hands over a database that is safe to read. Here each table is read once, in the
 * order in which it lies, every value is checked against the type and range that docs/profile.md
 * states, and what spans rows (sorting, duplicates, gaps, references) is checked in C: collations,
 * constraints and indexes of a stranger's schema are not relied on.
 */
#include "models/profile/profile.h"

#include "models/profile/profile_rows.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MEMORY_BYTES_MAX (1LL << 50)
#define THREADS_MAX      (1LL << 40)
#define SMS_MAX          100000
#define POSITION_MAX     999999

static const char *const class_names[] = {"latency", "batch", NULL};
static const char *const device_kinds[] = {"gpu", "cpu", NULL};
static const char *const kernel_kinds[] = {"task", "compute", "transfer", NULL};

struct kernel_row {
    size_t app;
    int64_t position;
    struct dcs_profile_kernel kernel;
};

struct loader {
    struct dcs_profile *p;
    struct dcs_rows rows;

    int64_t version; /* of the schema; 0: not seen */
    bool has_description, has_source, has_device;
    bool partial;
    int64_t steps_failed;
    size_t apps_capacity, revocations_capacity;
    struct kernel_row *kernels; /* of all applications */
    size_t kernels_count, kernels_capacity;
};

static int table_failed(struct loader *l, const char *place, const char *text)
{
    return dcs_err_at(l->rows.err, l->rows.file, 0, place, "%s", text);
}

/* ---- profile, device ---- */

/* Stored as text or as an integer: the column's declared type decides, which is the author's. */
static int check_version(struct loader *l)
{
    int64_t version = 0;
    const char *text = dcs_rows_text(&l->rows, 1);
    size_t digits = text != NULL ? strspn(text, "0123456789") : 0;
    if (digits > 0 && digits < 10 && text[digits] == '\0')
        version = strtoll(text, NULL, 10);
    if (version < 1 && (text != NULL || dcs_rows_integer(&l->rows, 1, 1, INT64_MAX, &version) != 0))
        return dcs_rows_bad_value(&l->rows, 1, "the number of a schema version");
    if (version > DCS_PROFILE_SCHEMA)
        return dcs_err_at(l->rows.err, l->rows.file, 0, "profile.value",
                          "the profile has schema version %lld, this program reads up to %d; use a "
                          "newer program",
                          (long long)version, DCS_PROFILE_SCHEMA);
    l->version = version;
    l->p->schema_version = (int)version;
    return 0;
}

static int take_property(void *context)
{
    struct loader *l = context;
    const char *key = dcs_rows_name(&l->rows, 0);
    if (key == NULL)
        return -1;
    bool *seen = NULL, named = l->p->name != NULL, versioned = l->version != 0;
    if (strcmp(key, "schema_version") == 0)
        seen = &versioned;
    else if (strcmp(key, "description") == 0)
        seen = &l->has_description;
    else if (strcmp(key, "source") == 0)
        seen = &l->has_source;
    else if (strcmp(key, "name") == 0)
        seen = &named;
    else
        return 0; /* notes of whoever measured */
    if (*seen)
        return dcs_rows_bad_value(&l->rows, 0, "each key once");
    *seen = true;
    if (seen == &versioned)
        return check_version(l);
    if (seen != &named)
        return dcs_rows_check_text(&l->rows, 1);
    const char *value = dcs_rows_name(&l->rows, 1);
    if (value == NULL)
        return -1;
    l->p->name = dcs_strdup(value);
    return 0;
}

static int load_properties(struct loader *l)
{
    if (dcs_rows_each(&l->rows, "profile", "SELECT key, value FROM profile", take_property, l) != 0)
        return -1;
    const char *missing = l->version == 0       ? "schema_version"
                          : l->p->name == NULL  ? "name"
                          : !l->has_description ? "description"
                          : !l->has_source      ? "source"
                                                : NULL;
    if (missing != NULL)
        return dcs_err_at(l->rows.err, l->rows.file, 0, "profile.key", "the key \"%s\" is missing",
                          missing);
    if (l->version == 1 && l->rows.source->beyond[0] != '\0')
        return dcs_err_at(l->rows.err, l->rows.file, l->rows.source->beyond_line, NULL,
                          "schema version 1 has no table \"%s\"", l->rows.source->beyond);
    return 0;
}

static int take_device(void *context)
{
    struct loader *l = context;
    int kind = 0;
    int64_t memory = 0;
    if (l->has_device)
        return table_failed(l, "device",
                            "expected one row, found more: a profile is of one device");
    const char *name = dcs_rows_name(&l->rows, 0);
    if (name == NULL || dcs_rows_choice(&l->rows, 1, device_kinds, &kind) != 0 ||
        dcs_rows_integer(&l->rows, 2, 1, SMS_MAX, &l->p->sms) != 0 ||
        dcs_rows_integer(&l->rows, 3, 1, MEMORY_BYTES_MAX, &memory) != 0 ||
        dcs_rows_check_text(&l->rows, 4) != 0)
        return -1;
    l->has_device = true;
    l->p->is_cpu = kind == 1;
    l->p->device_name = dcs_strdup(name);
    l->p->memory_bytes = (uint64_t)memory;
    return 0;
}

static int load_device(struct loader *l)
{
    const char *sql = "SELECT name, kind, sms, memory_bytes, source FROM device";
    if (dcs_rows_each(&l->rows, "device", sql, take_device, l) != 0)
        return -1;
    if (!l->has_device)
        return table_failed(l, "device", "expected one row, found none");
    return 0;
}

/* ---- application ---- */

static int take_app(void *context)
{
    struct loader *l = context;
    struct dcs_profile *p = l->p;
    int class = 0;
    int64_t sla_ns = 0, memory = 0;
    const char *name = dcs_rows_name(&l->rows, 0);
    if (name == NULL || dcs_rows_choice(&l->rows, 1, class_names, &class) != 0 ||
        dcs_rows_integer_or_null(&l->rows, 2, 1, DCS_DURATION_NS_MAX, &sla_ns) != 0 ||
        dcs_rows_integer(&l->rows, 3, 0, (int64_t)p->memory_bytes, &memory) != 0 ||
        dcs_rows_check_text(&l->rows, 4) != 0)
        return -1;
    if (class == DCS_BATCH && sla_ns != 0)
        return dcs_rows_bad_value(&l->rows, 2, "NULL: a batch application has no SLA");
    p->apps = dcs_grow(p->apps, &l->apps_capacity, p->apps_count + 1, sizeof *p->apps);
    p->apps[p->apps_count++] = (struct dcs_profile_app){.name = dcs_strdup(name),
                                                        .class = (enum dcs_class) class,
                                                        .sla_ns = sla_ns,
                                                        .memory_bytes = (uint64_t)memory};
    return 0;
}

static int compare_apps(const void *a, const void *b)
{
    const struct dcs_profile_app *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int load_apps(struct loader *l)
{
    const char *sql = "SELECT name, class, sla_ns, memory_bytes, source FROM application";
    if (dcs_rows_each(&l->rows, "application", sql, take_app, l) != 0)
        return -1;
    struct dcs_profile *p = l->p;
    if (p->apps_count == 0)
        return table_failed(l, "application", "expected at least one row, found none");
    qsort(p->apps, p->apps_count, sizeof *p->apps, compare_apps);
    for (size_t i = 1; i < p->apps_count; i++)
        if (compare_apps(&p->apps[i - 1], &p->apps[i]) == 0)
            return dcs_err_at(l->rows.err, l->rows.file, 0, "application.name",
                              "expected each name once, found \"%s\" twice", p->apps[i].name);
    return 0;
}

/* ---- kernel ---- */

static int take_kernel(void *context)
{
    struct loader *l = context;
    int kind = 0;
    struct kernel_row row = {0};
    const char *name = dcs_rows_name(&l->rows, 0);
    if (name == NULL)
        return -1;
    const struct dcs_profile_app *app = dcs_profile_app(l->p, name);
    if (app == NULL)
        return dcs_rows_bad_value(&l->rows, 0, "a name that the table application has");
    if (dcs_rows_integer(&l->rows, 1, 0, POSITION_MAX, &row.position) != 0 ||
        dcs_rows_choice(&l->rows, 2, kernel_kinds, &kind) != 0 ||
        dcs_rows_integer(&l->rows, 3, 1, DCS_DURATION_NS_MAX, &row.kernel.duration_ns) != 0 ||
        dcs_rows_integer_or_null(&l->rows, 4, 1, THREADS_MAX, &row.kernel.threads) != 0 ||
        dcs_rows_check_text(&l->rows, 5) != 0)
        return -1;
    row.app = (size_t)(app - l->p->apps);
    row.kernel.transfer = kind == 2;
    l->kernels =
        dcs_grow(l->kernels, &l->kernels_capacity, l->kernels_count + 1, sizeof *l->kernels);
    l->kernels[l->kernels_count++] = row;
    return 0;
}

static int compare_kernels(const void *a, const void *b)
{
    const struct kernel_row *x = a, *y = b;
    if (x->app != y->app)
        return x->app < y->app ? -1 : 1;
    return (x->position > y->position) - (x->position < y->position);
}

/* Takes the rows of one application, which begin at rows, out of `left`. */
static int add_kernels(struct loader *l, size_t index, const struct kernel_row *rows, size_t left)
{
    struct dcs_profile_app *app = &l->p->apps[index];
    size_t count = 0;
    while (rows != NULL && count < left && rows[count].app == index)
        count++;
    if (count == 0)
        return dcs_err_at(l->rows.err, l->rows.file, 0, "kernel.application",
                          "expected at least one row of \"%s\", found none", app->name);
    app->kernels = dcs_alloc(count, sizeof *app->kernels);
    app->kernels_count = count;
    for (size_t i = 0; i < count; i++) {
        if (rows[i].position != (int64_t)i)
            return dcs_err_at(l->rows.err, l->rows.file, 0, "kernel.position",
                              "expected the %zu kernels of \"%s\" at 0 to %zu, each once; found "
                              "%lld where %zu should be",
                              count, app->name, count - 1, (long long)rows[i].position, i);
        app->kernels[i] = rows[i].kernel;
        app->total_ns += rows[i].kernel.duration_ns;
        if (app->total_ns > DCS_DURATION_NS_MAX)
            return dcs_err_at(l->rows.err, l->rows.file, 0, "kernel.duration_ns",
                              "the kernels of \"%s\" take more than 10^18 ns together", app->name);
    }
    return 0;
}

static int load_kernels(struct loader *l)
{
    const char *sql =
        "SELECT application, position, kind, duration_ns, threads, source FROM kernel";
    if (dcs_rows_each(&l->rows, "kernel", sql, take_kernel, l) != 0)
        return -1;
    if (l->kernels_count > 0)
        qsort(l->kernels, l->kernels_count, sizeof *l->kernels, compare_kernels);
    size_t at = 0;
    for (size_t i = 0; i < l->p->apps_count; i++) {
        struct kernel_row *rest = at < l->kernels_count ? l->kernels + at : NULL;
        if (add_kernels(l, i, rest, l->kernels_count - at) != 0)
            return -1;
        at += l->p->apps[i].kernels_count;
    }
    return 0;
}

/* ---- revocation ---- */

static int take_revocation(void *context)
{
    struct loader *l = context;
    struct dcs_profile *p = l->p;
    struct dcs_profile_revocation row = {0};
    int mechanism = 0;
    if (dcs_rows_choice(&l->rows, 0, dcs_mechanism_names, &mechanism) != 0 ||
        dcs_rows_integer_or_null(&l->rows, 1, 1, THREADS_MAX, &row.threads) != 0 ||
        dcs_rows_integer(&l->rows, 2, 0, DCS_DURATION_NS_MAX, &row.kill_ns) != 0 ||
        dcs_rows_integer(&l->rows, 3, 0, DCS_DURATION_NS_MAX, &row.start_ns) != 0 ||
        dcs_rows_integer(&l->rows, 4, 0, DCS_DURATION_NS_MAX, &row.clear_ns) != 0 ||
        dcs_rows_integer(&l->rows, 5, 0, DCS_DURATION_NS_MAX, &row.spawn_ns) != 0 ||
        dcs_rows_check_text(&l->rows, 6) != 0)
        return -1;
    row.mechanism = (enum dcs_revocation_mechanism)mechanism;
    p->revocations = dcs_grow(p->revocations, &l->revocations_capacity, p->revocations_count + 1,
                              sizeof *p->revocations);
    p->revocations[p->revocations_count++] = row;
    return 0;
}

static int compare_revocations(const void *a, const void *b)
{
    const struct dcs_profile_revocation *x = a, *y = b;
    if (x->mechanism != y->mechanism)
        return x->mechanism < y->mechanism ? -1 : 1;
    return (x->threads > y->threads) - (x->threads < y->threads);
}

static int load_revocations(struct loader *l)
{
    const char *sql = "SELECT mechanism, threads, kill_ns, start_ns, clear_ns, spawn_ns, source "
                      "FROM revocation";
    if (dcs_rows_each(&l->rows, "revocation", sql, take_revocation, l) != 0)
        return -1;
    struct dcs_profile *p = l->p;
    if (p->revocations_count > 0)
        qsort(p->revocations, p->revocations_count, sizeof *p->revocations, compare_revocations);
    for (size_t i = 1; i < p->revocations_count; i++) {
        const struct dcs_profile_revocation *x = &p->revocations[i - 1], *y = &p->revocations[i];
        if (x->mechanism != y->mechanism)
            continue;
        /* A row for any number of threads (0, sorted first) beside others would say two things. */
        if (x->threads == 0 || x->threads == y->threads)
            return dcs_err_at(
                l->rows.err, l->rows.file, 0, "revocation.threads",
                "expected for \"%s\" one row with NULL or rows of different numbers; found %s %lld",
                dcs_mechanism_names[x->mechanism], x->threads == 0 ? "NULL beside" : "twice",
                (long long)y->threads);
    }
    return 0;
}

/* ---- killing ---- */

static int take_kill(void *context)
{
    struct loader *l = context;
    int mechanism = 0;
    int64_t again = 0, position = 0, ns = 0;
    if (dcs_rows_choice(&l->rows, 0, dcs_mechanism_names, &mechanism) != 0 ||
        dcs_rows_integer(&l->rows, 1, 0, 1, &again) != 0 ||
        dcs_rows_integer(&l->rows, 2, 0, DCS_KILL_QUANTILES - 1, &position) != 0 ||
        dcs_rows_integer(&l->rows, 3, 1, DCS_DURATION_NS_MAX, &ns) != 0)
        return -1;
    struct dcs_profile_kills *k = &l->p->kills[mechanism];
    if (mechanism == DCS_ASM_EXIT)
        return dcs_rows_bad_value(&l->rows, 0, "trap or process_kill");
    if (k->ns[again][position] != 0)
        return dcs_rows_bad_value(&l->rows, 2, "each position of a mechanism and again once");
    k->ns[again][position] = ns;
    k->count[again]++;
    return 0;
}

/* Positions 0, 1, ... of rising times. */
static int check_kills(struct loader *l, size_t mechanism, size_t again)
{
    struct dcs_profile_kills *k = &l->p->kills[mechanism];
    int64_t sum_ns = 0;
    for (uint32_t i = 0; i < k->count[again]; i++) {
        if (k->ns[again][i] == 0 || (i > 0 && k->ns[again][i] < k->ns[again][i - 1]))
            return dcs_err_at(l->rows.err, l->rows.file, 0, "driven_kill.position",
                              "expected for \"%s\" positions 0, 1, ... with rising times; found "
                              "none like that at %u where again is %zu",
                              dcs_mechanism_names[mechanism], i, again);
        sum_ns = dcs_add_times(sum_ns, k->ns[again][i]);
    }
    k->mean_ns[again] = k->count[again] > 0 ? sum_ns / k->count[again] : 0;
    return 0;
}

static int load_kills(struct loader *l)
{
    const char *sql = "SELECT mechanism, again, position, kill_ns FROM driven_kill";
    if (dcs_rows_each_if_there(&l->rows, "driven_kill", sql, take_kill, l) != 0)
        return -1;
    for (size_t m = 0; m < DCS_MECHANISMS; m++) {
        const struct dcs_profile_kills *k = &l->p->kills[m];
        if ((k->count[0] > 0) != (k->count[1] > 0))
            return dcs_err_at(l->rows.err, l->rows.file, 0, "driven_kill.again",
                              "expected rows with 0 and with 1 for \"%s\"; found one of the two",
                              dcs_mechanism_names[m]);
        if (check_kills(l, m, 0) != 0 || check_kills(l, m, 1) != 0)
            return -1;
    }
    return 0;
}

/* ---- partial profiles ---- */

/* What the calibrator measures of which devices, and the rows that show it. */
static const struct measurement {
    const char *what, *table, *sql;
    const char *value; /* that the column of such a row has; NULL: any row */
    bool of_gpu, of_cpu;
} measurements[] = {
#define MEASURED(what, table, column, value, gpu, cpu)                                             \
    {                                                                                              \
        what, table, "SELECT " column " FROM " table, value, gpu, cpu                              \
    }
    MEASURED("requests alone", "request_solo", "0", NULL, true, true),
    MEASURED("kernels alone", "kernel_solo", "0", NULL, true, false),
    MEASURED("hardware counters", "kernel_counters", "0", NULL, true, false),
    MEASURED("overheads and ceilings", "overhead", "0", NULL, true, true),
    MEASURED("transfers", "transfer", "0", NULL, true, false),
    MEASURED("sensitivity", "corun", "kind", "sensitivity", true, false),
    MEASURED("pairs", "corun", "kind", "pair", true, false),
    MEASURED("triples", "corun", "kind", "triple", true, false),
    MEASURED("oversubscription", "corun", "kind", "oversubscription", true, false),
    MEASURED("live requests", "live", "0", NULL, true, false),
    MEASURED("fusion", "fused", "0", NULL, true, false),
    MEASURED("revocations", "revocation_sample", "0", NULL, true, false),
    MEASURED("noise", "noise", "0", NULL, true, false),
    MEASURED("programs on fewer cores", "request_solo", "mechanism", "affinity", false, true),
    MEASURED("pressure on the cache", "cpu_point", "pressure", "cache", false, true),
    MEASURED("pressure on the memory", "cpu_point", "pressure", "stream", false, true),
#undef MEASURED
};

static int take_partial(void *context)
{
    struct loader *l = context;
    static const char *const answers[] = {"no", "yes", NULL};
    const char *key = dcs_rows_name(&l->rows, 0);
    int answer = 0;
    if (key != NULL && strcmp(key, "missing") == 0 && l->p->missing == NULL) {
        /* Told where the evidence is apart (profile_split.c), and else found. */
        if (dcs_rows_check_text(&l->rows, 1) != 0)
            return -1;
        l->p->missing = dcs_strdup(dcs_rows_text(&l->rows, 1));
        return 0;
    }
    if (key == NULL || strcmp(key, "partial") != 0)
        return key != NULL ? 0 : -1;
    if (dcs_rows_choice(&l->rows, 1, answers, &answer) != 0)
        return -1;
    l->partial = l->partial || answer == 1;
    return 0;
}

/* One measurement, and whether rows of it were found. */
struct search {
    struct dcs_rows *rows;
    const char *value;
    bool found;
};

static int take_shown(void *context)
{
    struct search *search = context;
    const char *text = search->value != NULL ? dcs_rows_text(search->rows, 0) : NULL;
    search->found = search->found || search->value == NULL ||
                    (text != NULL && strcmp(text, search->value) == 0);
    return 0;
}

static int take_step(void *context)
{
    struct loader *l = context;
    const char *state = dcs_rows_text(&l->rows, 0);
    l->steps_failed += state != NULL && strcmp(state, "failed") == 0;
    return 0;
}

/* A person reads it behind "is partial: ". */
static int describe_missing(struct loader *l)
{
    char text[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < sizeof measurements / sizeof *measurements; i++) {
        const struct measurement *m = &measurements[i];
        struct search search = {.rows = &l->rows, .value = m->value};
        if (!(l->p->is_cpu ? m->of_cpu : m->of_gpu))
            continue;
        if (dcs_rows_each_if_any(&l->rows, m->table, m->sql, take_shown, &search) != 0)
            return -1;
        if (!search.found)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s",
                                     used == 0 ? "no " : ", ", m->what);
    }
    if (dcs_rows_each_if_any(&l->rows, "step", "SELECT state FROM step", take_step, l) != 0)
        return -1;
    if (l->steps_failed > 0)
        used += (size_t)snprintf(text + used, sizeof text - used, "%s%lld step%s failed",
                                 used == 0 ? "" : "; ", (long long)l->steps_failed,
                                 dcs_plural((uint64_t)l->steps_failed));
    DCS_ASSERT(used < sizeof text);
    l->p->missing =
        dcs_strdup(used > 0 ? text : "not all sizes, SM counts or kernels were measured");
    return 0;
}

/* Version 2: that its other tables are what they seem, and which are empty. */
static int load_missing(struct loader *l)
{
    for (const char *const *t = dcs_profile_tables_2; l->version >= 2 && *t != NULL; t++)
        if (dcs_profile_has_table(l->rows.source, l->rows.file, *t, l->rows.err) < 0)
            return -1;
    if (l->version < 2)
        return 0;
    if (dcs_rows_each(&l->rows, "profile", "SELECT key, value FROM profile", take_partial, l) != 0)
        return -1;
    if (l->partial)
        return l->p->missing == NULL ? describe_missing(l) : 0;
    free(l->p->missing);
    l->p->missing = NULL;
    return 0;
}

/* ---- the whole ---- */

struct dcs_profile *dcs_profile_read(struct dcs_profile_source *s, const char *path,
                                     struct dcs_err *err)
{
    struct loader l = {.p = dcs_alloc(1, sizeof *l.p),
                       .rows = {.source = s, .file = path, .err = err}};
    snprintf(l.p->sha256, sizeof l.p->sha256, "%s", s->sha256);
    int status = 0;
    if (load_properties(&l) != 0 || load_device(&l) != 0 || load_apps(&l) != 0 ||
        load_kernels(&l) != 0 || load_revocations(&l) != 0 || load_kills(&l) != 0 ||
        load_missing(&l) != 0)
        status = -1;
    free(l.kernels);
    if (status == 0)
        return l.p;
    dcs_profile_free(l.p);
    return NULL;
}
