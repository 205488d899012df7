/*
 * test_profile.c - pins what a good profile reads as: the shipped P1000 value by value against the
 * paper's tables, a made-up profile with every liberty the format allows, the database built from
 * either, costs of revocation at, between and beyond the measured rows, and how a profile is found
 * by its name. Bad profiles are in test_profile_errors.c.
 */
#include "models/profile/profile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#define P1000 DCS_SOURCE_DIR "/calibrate/profiles/quadro-p1000.sql"
#define SMALL DCS_SOURCE_DIR "/tests/data/profile-small.sql"
#define MS    DCS_NS_PER_MS

static char folder[256];

static int make_folder(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_profile_XXXXXX", DCS_BINARY_DIR);
    return mkdtemp(folder) == NULL;
}

static int remove_folder(void **state)
{
    (void)state;
    return rmdir(folder); /* fails if a test left something */
}

static void in_folder(char *path, size_t size, const char *name)
{
    snprintf(path, size, "%s/%s", folder, name);
}

static struct dcs_profile *load(const char *path)
{
    struct dcs_err err = {0};
    struct dcs_profile *p = dcs_profile_load(path, &err);
    if (p == NULL)
        dcs_err_print(&err, stderr);
    assert_non_null(p);
    return p;
}

/* Tables II and III of the paper, sorted by name. */
static const struct {
    const char *name;
    enum dcs_class class;
    int64_t ms, megabytes;
} tasks[] = {
    {"bfs", DCS_LATENCY, 50, 48},         {"black-scholes", DCS_LATENCY, 60, 112},
    {"dark-gray", DCS_LATENCY, 170, 200}, {"euclid", DCS_LATENCY, 8, 24},
    {"gaussian", DCS_BATCH, 31100, 1120}, {"gaussian-printed", DCS_BATCH, 311000, 1120},
    {"hotspot", DCS_BATCH, 130696, 423},  {"hotspot-3d", DCS_LATENCY, 81, 32},
    {"lava-md", DCS_BATCH, 46000, 1069},  {"monte-carlo", DCS_LATENCY, 150, 68},
    {"nw", DCS_LATENCY, 38, 44},          {"particle-filter", DCS_LATENCY, 1, 12},
    {"pathfinder", DCS_LATENCY, 68, 74},
};

#define COST(m, t, k, s, c, w)                                                                     \
    {                                                                                              \
        .mechanism = m, .threads = t, .kill_ns = k, .start_ns = s, .clear_ns = c, .spawn_ns = w    \
    }

static const struct dcs_profile_revocation costs[] = {
    COST(DCS_TRAP, 0, 5 * MS, 17 * MS, 60 * MS, 15 * MS),
    COST(DCS_ASM_EXIT, 256, 130 * MS, 0, 0, 0),
    COST(DCS_ASM_EXIT, 1024, 195 * MS, 0, 0, 0),
    COST(DCS_ASM_EXIT, 4096, 600 * MS, 0, 0, 0),
    COST(DCS_ASM_EXIT, 16384, 1430 * MS, 0, 0, 0),
    COST(DCS_PROCESS_KILL, 0, 3000 * MS, 0, 0, 0),
};

static void check_cost(const struct dcs_profile_revocation *r,
                       const struct dcs_profile_revocation *expected)
{
    assert_int_equal(r->mechanism, expected->mechanism);
    assert_int_equal(r->threads, expected->threads);
    assert_int_equal(r->kill_ns, expected->kill_ns);
    assert_int_equal(r->start_ns, expected->start_ns);
    assert_int_equal(r->clear_ns, expected->clear_ns);
    assert_int_equal(r->spawn_ns, expected->spawn_ns);
}

static void check_p1000(const struct dcs_profile *p)
{
    assert_string_equal(p->name, "quadro-p1000");
    assert_string_equal(p->device_name, "Quadro P1000");
    assert_int_equal(p->sms, 5);
    assert_int_equal(p->memory_bytes, 4294967296);
    assert_int_equal(p->apps_count, sizeof tasks / sizeof *tasks);
    for (size_t i = 0; i < p->apps_count; i++) {
        const struct dcs_profile_app *app = &p->apps[i];
        assert_string_equal(app->name, tasks[i].name);
        assert_int_equal(app->class, tasks[i].class);
        assert_int_equal(app->sla_ns, tasks[i].class == DCS_LATENCY ? 200 * MS : 0);
        assert_int_equal(app->memory_bytes, tasks[i].megabytes * 1000000);
        assert_int_equal(app->kernels_count, 1);
        assert_int_equal(app->kernels[0].duration_ns, tasks[i].ms * MS);
        assert_int_equal(app->kernels[0].threads, 0);
        assert_int_equal(app->total_ns, tasks[i].ms * MS);
        assert_ptr_equal(dcs_profile_app(p, tasks[i].name), app);
    }
    assert_int_equal(p->revocations_count, sizeof costs / sizeof *costs);
    for (size_t i = 0; i < p->revocations_count; i++)
        check_cost(&p->revocations[i], &costs[i]);
}

static void test_p1000(void **state)
{
    (void)state;
    struct dcs_profile *p = load(P1000);
    check_p1000(p);
    assert_null(dcs_profile_app(p, "hotspo"));
    assert_null(dcs_profile_app(p, "a"));
    assert_null(dcs_profile_app(p, "zebra"));
    dcs_profile_free(p);
    dcs_profile_free(NULL);
}

static void check_small(const struct dcs_profile *p)
{
    assert_string_equal(p->name, "small");
    assert_int_equal(p->sms, 4);
    assert_int_equal(p->memory_bytes, 1000);
    assert_int_equal(p->apps_count, 2);
    assert_string_equal(p->apps[0].name, "a-job");
    assert_int_equal(p->apps[0].total_ns, 1000000000000000000);
    assert_int_equal(p->apps[0].memory_bytes, 0);
    assert_int_equal(p->apps[0].kernels[0].threads, 1);
    const struct dcs_profile_app *service = &p->apps[1];
    assert_string_equal(service->name, "z-service");
    assert_int_equal(service->class, DCS_LATENCY);
    assert_int_equal(service->sla_ns, 0);
    assert_int_equal(service->memory_bytes, 1000);
    assert_int_equal(service->kernels_count, 3);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(service->kernels[i].duration_ns, 10 * ((int64_t)i + 1));
        assert_int_equal(service->kernels[i].threads, i == 1 ? 4096 : 0);
    }
    assert_int_equal(service->total_ns, 60);
    assert_int_equal(p->revocations_count, 2);
    assert_int_equal(p->revocations[0].threads, 64);
    assert_int_equal(p->revocations[1].threads, 4096);
}

static void test_small(void **state)
{
    (void)state;
    struct dcs_profile *p = load(SMALL);
    check_small(p);
    dcs_profile_free(p);
}

/* The hash is of the bytes on disk: what sha256sum says of profile-small.sql. */
static void test_hash(void **state)
{
    (void)state;
    struct dcs_profile *p = load(SMALL);
    assert_string_equal(p->sha256,
                        "e82862d5798bb810d784e8cf3e7cd11daf8b4428b6d12702d86b542b28fe48c8");
    dcs_profile_free(p);
}

/* A text that was cut off behind any statement lacks the COMMIT. */
static void test_no_commit(void **state)
{
    (void)state;
    char path[300];
    in_folder(path, sizeof path, "short.sql");
    FILE *f = fopen(path, "w");
    fputs("begin;", f);
    fclose(f);
    struct dcs_err err = {0};
    assert_null(dcs_profile_load(path, &err));
    assert_non_null(strstr(err.text, "without the COMMIT"));
    unlink(path);
}

static size_t read_file(const char *path, unsigned char *bytes, size_t size)
{
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    size_t got = fread(bytes, 1, size, f);
    fclose(f);
    assert_true(got < size);
    return got;
}

static void test_build(void **state)
{
    (void)state;
    static unsigned char first[1 << 20], second[1 << 20];
    char db[300], again[300];
    in_folder(db, sizeof db, "p1000.db");
    in_folder(again, sizeof again, "again.db");
    struct dcs_err err = {0};
    assert_int_equal(dcs_profile_build(P1000, db, &err), 0);
    assert_int_equal(dcs_profile_build(P1000, again, &err), 0);
    size_t size = read_file(db, first, sizeof first);
    assert_int_equal(read_file(again, second, sizeof second), size);
    assert_memory_equal(first, second, size);

    struct dcs_profile *p = load(db), *sql = load(P1000);
    check_p1000(p);
    assert_string_not_equal(p->sha256, sql->sha256);
    dcs_profile_free(p);
    dcs_profile_free(sql);

    /* It exists: refused, and what is there stays. */
    assert_int_equal(dcs_profile_build(SMALL, db, &err), -1);
    assert_string_equal(err.file, db);
    assert_string_equal(err.text, "exists already; remove it or name another file");
    p = load(db);
    assert_string_equal(p->name, "quadro-p1000");
    dcs_profile_free(p);

    unlink(again);
    assert_int_equal(dcs_profile_build(SMALL, again, &err), 0);
    p = load(again);
    check_small(p);
    dcs_profile_free(p);
    unlink(again);

    assert_int_equal(dcs_profile_build(db, again, &err), -1);
    assert_string_equal(err.text, "is a database already, expected SQL text");
    assert_int_equal(access(again, F_OK), -1);
    unlink(db);
}

static void test_build_leaves_nothing(void **state)
{
    (void)state;
    char sql[300], out[300];
    in_folder(sql, sizeof sql, "bad.sql");
    in_folder(out, sizeof out, "bad.db");
    FILE *f = fopen(sql, "w");
    fputs("create table profile (key, value); insert into profile values ('name', 'x');", f);
    fclose(f);
    struct dcs_err err = {0};
    assert_int_equal(dcs_profile_build(sql, out, &err), -1);
    assert_string_equal(err.file, sql);
    assert_int_equal(access(out, F_OK), -1);
    unlink(sql);
    in_folder(out, sizeof out, "no/such/folder.db");
    assert_int_equal(dcs_profile_build(SMALL, out, &err), -1);
    assert_non_null(strstr(err.text, "cannot write: No such file"));
}

static void check_kill(const struct dcs_profile *p, enum dcs_revocation_mechanism m,
                       int64_t threads, int64_t kill_ns)
{
    struct dcs_err err = {0};
    struct dcs_profile_revocation r;
    assert_int_equal(dcs_profile_revocation_cost(p, m, threads, &r, &err), 0);
    assert_int_equal(r.kill_ns, kill_ns);
    assert_int_equal(r.mechanism, m);
    if (threads > 0)
        assert_int_equal(r.threads, threads);
}

/* Linear in log2(threads): halfway in the exponent is halfway in the latency. */
static void test_revocation(void **state)
{
    (void)state;
    struct dcs_profile *p = load(P1000);
    check_kill(p, DCS_ASM_EXIT, 0, 1430 * MS); /* unknown: the largest */
    check_kill(p, DCS_ASM_EXIT, 1, 130 * MS);
    check_kill(p, DCS_ASM_EXIT, 255, 130 * MS);
    check_kill(p, DCS_ASM_EXIT, 256, 130 * MS);
    check_kill(p, DCS_ASM_EXIT, 257, 130182798); /* 130 ms + 65 ms * log2(257/256) / 2 */
    check_kill(p, DCS_ASM_EXIT, 512, 162500000);
    check_kill(p, DCS_ASM_EXIT, 1024, 195 * MS);
    check_kill(p, DCS_ASM_EXIT, 2048, 397500000);
    check_kill(p, DCS_ASM_EXIT, 4096, 600 * MS);
    check_kill(p, DCS_ASM_EXIT, 8192, 1015 * MS);
    check_kill(p, DCS_ASM_EXIT, 16384, 1430 * MS);
    check_kill(p, DCS_ASM_EXIT, 16385, 1430 * MS);
    check_kill(p, DCS_ASM_EXIT, INT64_MAX, 1430 * MS);
    for (int64_t threads = 0; threads < 5; threads++) {
        check_kill(p, DCS_TRAP, threads, 5 * MS);
        check_kill(p, DCS_PROCESS_KILL, threads, 3000 * MS);
    }
    int64_t last = 0;
    for (int64_t threads = 200; threads < 20000; threads++) {
        struct dcs_err err;
        struct dcs_profile_revocation r;
        assert_int_equal(dcs_profile_revocation_cost(p, DCS_ASM_EXIT, threads, &r, &err), 0);
        assert_true(r.kill_ns >= last);
        last = r.kill_ns;
    }
    dcs_profile_free(p);
}

static void test_revocation_of_small(void **state)
{
    (void)state;
    struct dcs_profile *p = load(SMALL);
    struct dcs_err err = {0};
    struct dcs_profile_revocation r;
    assert_int_equal(dcs_profile_revocation_cost(p, DCS_TRAP, 512, &r, &err), 0);
    check_cost(&r, &(struct dcs_profile_revocation)COST(DCS_TRAP, 512, 60, 1, 2, 0));
    assert_int_equal(dcs_profile_revocation_cost(p, DCS_TRAP, 0, &r, &err), 0);
    check_cost(&r, &(struct dcs_profile_revocation)COST(DCS_TRAP, 4096, 90, 1, 4, 0));
    assert_int_equal(dcs_profile_revocation_cost(p, DCS_ASM_EXIT, 512, &r, &err), -1);
    assert_string_equal(err.text, "profile \"small\" has no row of mechanism \"asm_exit\" in its "
                                  "revocation table");
    dcs_profile_free(p);
}

static void check_find(const char *name, const char *const *dirs, const char *expected)
{
    struct dcs_err err = {0};
    char *path = dcs_profile_find(name, dirs, &err);
    assert_non_null(path);
    assert_string_equal(path, expected);
    free(path);
}

static void test_find(void **state)
{
    (void)state;
    const char *dirs[] = {folder, DCS_SOURCE_DIR "/calibrate/profiles", NULL};
    char db[300], sql[300];
    check_find("quadro-p1000", dirs, P1000);
    in_folder(sql, sizeof sql, "quadro-p1000.sql");
    in_folder(db, sizeof db, "quadro-p1000.db");
    fclose(fopen(sql, "w"));
    check_find("quadro-p1000", dirs, sql); /* the first folder wins */
    fclose(fopen(db, "w"));
    check_find("quadro-p1000", dirs, db); /* and in it the database */
    unlink(db);
    assert_int_equal(mkdir(db, 0777), 0);
    check_find("quadro-p1000", dirs, sql); /* a folder is no profile */
    rmdir(db);
    unlink(sql);
    check_find("./nowhere", dirs, "./nowhere"); /* a path is taken as it is */
    check_find(P1000, dirs, P1000);
}

static void test_find_file_here(void **state)
{
    (void)state;
    const char *none[] = {NULL};
    char here[4096];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(folder), 0);
    fclose(fopen("mine", "w"));
    check_find("mine", none, "mine");
    unlink("mine");
    assert_int_equal(chdir(here), 0);
}

static void test_find_nothing(void **state)
{
    (void)state;
    const char *dirs[] = {folder, DCS_SOURCE_DIR "/tests/data", "/no/such/folder", NULL};
    struct dcs_err err = {0};
    assert_null(dcs_profile_find("profil-smal", dirs, &err));
    char expected[700];
    snprintf(expected, sizeof expected,
             "no profile \"profil-smal\" (.db, .sql or .sql.gz) in %s, %s/tests/data, "
             "/no/such/folder; the "
             "nearest there is \"profile-small\", of ",
             folder, DCS_SOURCE_DIR);
    assert_memory_equal(err.text, expected, strlen(expected));
    assert_null(dcs_profile_find("x", dirs + 3, &err));
    assert_string_equal(err.text,
                        "no profile \"x\" (.db, .sql or .sql.gz) in any folder: none is given");
    assert_null(dcs_profile_find("", dirs, &err));
    char lengthy[400];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_null(dcs_profile_find(lengthy, dirs, &err));
}

/* A word that is in a name is a part of it, however near another is. */
static void test_find_part(void **state)
{
    (void)state;
    static const char *const files[] = {"rtx2080ti.sql",       "nvidia-h200.sql", "nvidia-h200.db",
                                        "quadro-p1000.sql.gz", "notes.txt",       ".db"};
    char dir[300], path[400], expected[700];
    snprintf(dir, sizeof dir, "%s/named", folder);
    assert_int_equal(mkdir(dir, 0700), 0);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        fclose(fopen(path, "w"));
    }
    const char *dirs[] = {dir, NULL};
    struct dcs_err err = {0};
    assert_null(dcs_profile_find("H200", dirs, &err));
    snprintf(expected, sizeof expected,
             "no profile \"H200\" (.db, .sql or .sql.gz) in %s; the nearest there is "
             "\"nvidia-h200\", of "
             "nvidia-h200, quadro-p1000, rtx2080ti",
             dir);
    assert_string_equal(err.text, expected);
    assert_null(dcs_profile_find("rtx2080", dirs, &err));
    assert_non_null(strstr(err.text, "nearest there is \"rtx2080ti\""));
    char lengthy[400];
    memset(lengthy, 'x', sizeof lengthy - 1);
    lengthy[sizeof lengthy - 1] = '\0';
    assert_null(dcs_profile_find(lengthy, dirs, &err));
    assert_non_null(strstr(err.text, "; there are nvidia-h200, quadro-p1000, rtx2080ti"));
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, files[i]);
        unlink(path);
    }
    rmdir(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_p1000),        cmocka_unit_test(test_small),
        cmocka_unit_test(test_hash),         cmocka_unit_test(test_no_commit),
        cmocka_unit_test(test_build),        cmocka_unit_test(test_build_leaves_nothing),
        cmocka_unit_test(test_revocation),   cmocka_unit_test(test_revocation_of_small),
        cmocka_unit_test(test_find),         cmocka_unit_test(test_find_file_here),
        cmocka_unit_test(test_find_nothing), cmocka_unit_test(test_find_part),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
