/*
 * test_profile_mutations.c - pins that no damage to a profile makes its reader crash, hang or
 * accept what is out of range: thousands of mutations of the shipped text, and of the bytes of the
 * database built from it, each either refused with a message or read as a profile in which every
 * documented bound holds. The same of a profile of schema version 2, whose other tables are read by
 * the questions that `dcsim profile show`, `lint` and `diff` ask: each is asked of every mutation
 * that is accepted. The mutations are the same in every run; a failure names its number. An eighth
 * of them is tried, all of them with the argument "all" (label slow).
 *
 * It does not pin which mutations are refused: a changed digit is a different valid profile.
 */
#include "models/profile/profile_facts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define P1000    DCS_SOURCE_DIR "/calibrate/profiles/quadro-p1000.sql"
#define MEASURED DCS_SOURCE_DIR "/tests/data/profile-measured.sql" /* schema version 2 */

enum { TEXTS = 4000, DATABASES = 4000, MEASURED_ONES = 500, SHARE = 4, BYTES_MAX = 1 << 18 };

static int share = SHARE; /* one of so many is tried */
static char file[300];
static unsigned char original[BYTES_MAX], changed[2 * BYTES_MAX];
static size_t original_size;
static int facts_accepted;

/* splitmix64 (Steele, Lea, Flood 2014). */
static uint64_t stream;
static uint64_t draw(uint64_t below)
{
    uint64_t z = stream += 0x9e3779b97f4a7c15u;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
    z = (z ^ z >> 27) * 0x94d049bb133111ebu;
    return (z ^ z >> 31) % below;
}

static void read_original(const char *path)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    original_size = fread(original, 1, sizeof original, f);
    fclose(f);
    assert_in_range(original_size, 1000, sizeof original - 1);
}

static void write_changed(size_t size)
{
    FILE *f = fopen(file, "wb");
    assert_non_null(f);
    assert_int_equal(fwrite(changed, 1, size, f), size);
    fclose(f);
}

/* ---- what must hold of an accepted profile ---- */

#define MUST(condition)                                                                            \
    do {                                                                                           \
        if (!(condition))                                                                          \
            return #condition;                                                                     \
    } while (0)

static const int64_t longest_ns = 1000000000000000000;

static bool is_name(const char *name)
{
    size_t length = strlen(name);
    if (length < 1 || length > 64)
        return false;
    for (size_t i = 0; i < length; i++)
        if (name[i] < ' ' || name[i] > '~')
            return false;
    return true;
}

static bool is_printed(const char *text)
{
    for (; *text != '\0'; text++)
        if (*text < ' ' || *text > '~')
            return false;
    return true;
}

static bool is_time(int64_t ns, int64_t least)
{
    return ns >= least && ns <= longest_ns;
}

static const char *broken_app(const struct dcs_profile *p, const struct dcs_profile_app *app)
{
    MUST(is_name(app->name));
    MUST(app->class == DCS_LATENCY || app->class == DCS_BATCH);
    MUST(app->sla_ns == 0 || (app->class == DCS_LATENCY && is_time(app->sla_ns, 1)));
    MUST(app->memory_bytes <= p->memory_bytes);
    MUST(app->kernels_count >= 1 && app->kernels != NULL);
    int64_t total_ns = 0;
    for (size_t k = 0; k < app->kernels_count; k++) {
        MUST(is_time(app->kernels[k].duration_ns, 1));
        MUST(app->kernels[k].threads >= 0 && app->kernels[k].threads <= 1LL << 40);
        total_ns += app->kernels[k].duration_ns;
    }
    MUST(total_ns == app->total_ns && is_time(total_ns, 1));
    MUST(dcs_profile_app(p, app->name) == app);
    return NULL;
}

static const char *broken_revocations(const struct dcs_profile *p)
{
    static const int64_t threads[] = {0, 1, 300, 5000, INT64_MAX};
    for (size_t i = 0; i < p->revocations_count; i++) {
        const struct dcs_profile_revocation *r = &p->revocations[i];
        MUST(r->mechanism == DCS_TRAP || r->mechanism == DCS_ASM_EXIT ||
             r->mechanism == DCS_PROCESS_KILL);
        MUST(is_time(r->kill_ns, 0) && is_time(r->start_ns, 0));
        MUST(is_time(r->clear_ns, 0) && is_time(r->spawn_ns, 0));
        MUST(r->threads >= 0 && r->threads <= 1LL << 40);
        MUST(i == 0 || r[-1].mechanism < r->mechanism ||
             (r[-1].mechanism == r->mechanism && r[-1].threads < r->threads && r[-1].threads > 0));
        for (size_t t = 0; t < sizeof threads / sizeof *threads; t++) {
            struct dcs_err err;
            struct dcs_profile_revocation cost;
            MUST(dcs_profile_revocation_cost(p, r->mechanism, threads[t], &cost, &err) == 0);
            MUST(is_time(cost.kill_ns, 0) && is_time(cost.spawn_ns, 0));
        }
    }
    return NULL;
}

static const char *broken_profile(const struct dcs_profile *p)
{
    MUST(is_name(p->name) && is_name(p->device_name));
    MUST(strlen(p->sha256) == 64);
    MUST(p->schema_version == 1 || p->schema_version == 2);
    MUST(p->missing == NULL || (p->schema_version == 2 && is_printed(p->missing)));
    MUST(p->sms >= 1 && p->sms <= 100000);
    MUST(p->memory_bytes >= 1 && p->memory_bytes <= 1ULL << 50);
    MUST(p->apps_count >= 1);
    for (size_t i = 0; i < p->apps_count; i++) {
        const char *broken = broken_app(p, &p->apps[i]);
        if (broken != NULL)
            return broken;
        MUST(i == 0 || strcmp(p->apps[i - 1].name, p->apps[i].name) < 0);
    }
    return broken_revocations(p);
}

/* ---- questions to an accepted profile ---- */

static const char *drain(struct dcs_facts_rows *rows, int columns)
{
    struct dcs_err err = {0};
    int64_t count = 0;
    for (; dcs_facts_next(rows); count++)
        for (int i = 0; i < columns; i++) {
            MUST(strlen(dcs_facts_text(rows, i)) < 1 << 16);
            MUST(!(dcs_facts_number(rows, i) < -1e300));
        }
    MUST(dcs_facts_end(rows, &err) == 0 || err.text[0] != '\0');
    return NULL;
}

static const char *broken_answers(struct dcs_facts *f)
{
    const struct dcs_facts_arguments arguments = {.app = "service", .few_sms = 1, .half_sms = 4};
    const char *broken = NULL;
    for (enum dcs_facts_query q = 0; q < DCS_FACTS_QUERIES && broken == NULL; q++)
        broken = drain(dcs_facts_ask(f, q, &arguments), 2);
    for (const struct dcs_facts_rule *r = dcs_facts_rules; r->name != NULL && broken == NULL; r++)
        broken = drain(dcs_facts_check(f, r), 1);
    for (const char *const *t = dcs_facts_compared; *t != NULL && broken == NULL; t++) {
        broken = drain(dcs_facts_only(f, *t, 0), 1);
        if (broken == NULL)
            broken = drain(dcs_facts_ratios(f, *t), 4);
    }
    return broken != NULL ? broken : drain(dcs_facts_provenance(f), 3);
}

/* Compares `file` with MEASURED. */
static const char *broken_facts(void)
{
    const char *const paths[] = {file, MEASURED};
    struct dcs_err err = {0};
    struct dcs_facts *f = dcs_facts_load(paths, 2, &err);
    if (f == NULL) { /* what a simulation does not read may still be refused here */
        MUST(err.text[0] != '\0' && strcmp(err.file, file) == 0);
        return NULL;
    }
    facts_accepted++;
    const char *broken = broken_answers(f);
    dcs_facts_free(f);
    return broken;
}

/* Reads `file`. 1: accepted, 0: refused. */
static int check_file(int number)
{
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(file, &err);
    const char *broken = NULL;
    if (p != NULL)
        broken = broken_profile(p);
    if (p != NULL && p->schema_version == 2 && broken == NULL)
        broken = broken_facts();
    if (p == NULL && (strcmp(err.file, file) != 0 || err.text[0] == '\0'))
        broken = "a refusal names the file and has a text";
    if (broken != NULL)
        fail_msg("mutation %d (kept in %s): %s", number, file, broken);
    dcs_profile_free(p);
    return p != NULL;
}

/* ---- mutations ---- */

/* What a hand or a hostile one would put into the text. */
static const char *const scraps[] = {
    "'",
    "\"",
    ";",
    "(",
    ")",
    ",",
    "--",
    "/*",
    "*/",
    "NULL",
    "-1",
    "0",
    "1e30",
    "1.5",
    "x'00ff'",
    "''",
    "' '",
    "SELECT 1",
    "PRAGMA ",
    "ATTACH ",
    "COMMIT;",
    "AS ",
    "UNION",
    "random()",
    "\x01",
    "\xff",
    "\n",
    "||'a'",
    "WITH ",
    "DEFAULT ",
    "9223372036854775807",
    "9223372036854775808",
    "gpu",
    "batch",
};

static size_t replace(size_t at, size_t length, const void *with, size_t size)
{
    memcpy(changed, original, at);
    memcpy(changed + at, with, size);
    memcpy(changed + at + size, original + at + length, original_size - at - length);
    return original_size - length + size;
}

/* A number of the text becomes an extreme one; the place is searched from a random one. */
static size_t replace_number(size_t at)
{
    while (at < original_size && (original[at] < '0' || original[at] > '9'))
        at++;
    size_t length = 0;
    while (at + length < original_size && original[at + length] >= '0' &&
           original[at + length] <= '9')
        length++;
    static const char *const numbers[] = {"0",    "-1", "1",     "1000000000000000001",    "1e18",
                                          "NULL", "2",  "16385", "99999999999999999999999"};
    const char *with = numbers[draw(sizeof numbers / sizeof *numbers)];
    return replace(at, length, with, strlen(with));
}

static size_t mutate_text(void)
{
    size_t at = draw(original_size), length = draw(original_size - at < 60 ? 2 : 60);
    switch (draw(6)) {
    case 0: { /* a byte */
        unsigned char byte = (unsigned char)(1 + draw(255));
        return replace(at, 1, &byte, 1);
    }
    case 1: /* a piece is missing */
        return replace(at, length, "", 0);
    case 2: /* a piece from elsewhere */
        return replace(at, 0, original + draw(original_size - 200), draw(200));
    case 3: { /* a scrap */
        const char *scrap = scraps[draw(sizeof scraps / sizeof *scraps)];
        return replace(at, draw(2) ? 0 : length, scrap, strlen(scrap));
    }
    case 4:
        return replace_number(at);
    default: /* cut off */
        memcpy(changed, original, at);
        return at;
    }
}

static size_t mutate_database(void)
{
    size_t size = original_size;
    memcpy(changed, original, size);
    /* Half of the hits go to the header and the schema, where most of the meaning is. */
    for (uint64_t hits = 1 + draw(8); hits > 0; hits--) {
        size_t at = draw(2) ? draw(4096) : draw(size);
        switch (draw(4)) {
        case 0:
            changed[at] = (unsigned char)draw(256);
            break;
        case 1:
            changed[at] ^= (unsigned char)(1u << draw(8));
            break;
        case 2: /* the wild values of page numbers, sizes and offsets */
            changed[at] = draw(2) ? 0xff : 0;
            break;
        default: { /* a piece from elsewhere, of up to a page */
            size_t length = 1 + draw(draw(2) ? 16 : 4096), from = draw(size);
            length = at + length > size ? size - at : length;
            length = from + length > size ? size - from : length;
            memmove(changed + at, original + from, length);
        }
        }
    }
    return draw(10) == 0 ? draw(size) : size;
}

static void run(int count, size_t (*mutate)(void), uint64_t seed)
{
    stream = seed;
    memcpy(changed, original, original_size);
    write_changed(original_size);
    assert_int_equal(check_file(-1), 1); /* without a mutation it is accepted */
    int accepted = 0;
    for (int i = 0; i < count; i++) {
        write_changed(mutate());
        accepted += check_file(i);
    }
    print_message("%d of %d mutations are still a profile\n", accepted, count);
    /* If none or nearly all were, the mutations would not test what comes behind the first check.
     */
    assert_in_range(accepted, 1 + count / 100, count * 3 / 4);
    unlink(file);
}

static void test_text(void **state)
{
    (void)state;
    read_original(P1000);
    run(TEXTS / share, mutate_text, 1);
}

static void test_measured_text(void **state)
{
    (void)state;
    read_original(MEASURED);
    facts_accepted = 0;
    run(MEASURED_ONES / share, mutate_text, 3);
    assert_in_range(facts_accepted, 1, MEASURED_ONES / share * 3 / 4);
}

static void test_measured_database(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(dcs_profile_build(MEASURED, file, &err), 0);
    read_original(file);
    facts_accepted = 0;
    run(MEASURED_ONES / share, mutate_database, 4);
    assert_in_range(facts_accepted, 1, MEASURED_ONES / share * 3 / 4);
}

static void test_database(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(dcs_profile_build(P1000, file, &err), 0);
    read_original(file);
    run(DATABASES / share, mutate_database, 2);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "all") == 0)
        share = 1;
    snprintf(file, sizeof file, "%s/test_profile_mutations_XXXXXX", DCS_BINARY_DIR);
    int fd = mkstemp(file);
    if (fd < 0)
        return 1;
    close(fd);
    unlink(file);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_text),
        cmocka_unit_test(test_database),
        cmocka_unit_test(test_measured_text),
        cmocka_unit_test(test_measured_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
