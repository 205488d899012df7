/*
 * test_power_loss.c - a sweep whose machine loses power, or whose disk is full, at any moment.
 *
 * Pins: the whole of dcsim --config on a file system (a VFS of SQLite) that keeps every write in
 * memory until it is synced, and at some operation ends the process: what was not synced is lost,
 * or of a random part of its pages only; a deletion may be undone; a sync may get half through.
 * After any number of such ends the same sweep, run again, ends with the content of an undisturbed
 * one. The same where writes fail for want of space: the exit code is 2, and with more space it
 * goes on; a merge then says that nothing was merged. No journal is left that would undo what is
 * later put under the name of the database. Does not pin: a disk that lies about syncs, or gives
 * back other bytes than it got.
 */
#include "commands/run_command.h"
#include "tests/unit/results/store_case.h"
#include "results/store_merge.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include <sys/wait.h>

#define PAGE  4096
#define DEATH 9 /* exit code of a process that lost its power */

/* ---- A file system that forgets ---- */

struct file {
    sqlite3_file base;
    sqlite3_file *real;
    char path[512];
    char *now, *synced; /* contents */
    size_t now_size, synced_size;
};

static struct {
    sqlite3_vfs *real;
    uint64_t operations, death_at; /* 0: never */
    sqlite3_int64 space;           /* bytes of all files; 0: no limit */
    struct dcs_rng rng;
    struct file *open[4];
    char deleted_path[512];
    char *deleted;
    size_t deleted_size;
} disk;

static void to_disk(const char *path, const char *bytes, size_t size)
{
    spill(path, bytes, size);
}

/* What is left of a file: its synced content, and some pages of what came after. */
static void leave(const struct file *f, bool some)
{
    size_t size = some && dcs_rng_below(&disk.rng, 2) ? f->now_size : f->synced_size;
    char *bytes = dcs_alloc(size + 1, 1);
    memcpy(bytes, f->synced, size < f->synced_size ? size : f->synced_size);
    for (size_t at = 0; some && at < size; at += PAGE)
        if (dcs_rng_below(&disk.rng, 2) && at < f->now_size) {
            size_t end = at + PAGE < f->now_size ? at + PAGE : f->now_size;
            memcpy(bytes + at, f->now + at, (end < size ? end : size) - at);
        }
    to_disk(f->path, bytes, size);
}

static void operation(void)
{
    if (++disk.operations != disk.death_at)
        return;
    bool some = dcs_rng_below(&disk.rng, 2);
    for (size_t i = 0; i < 4; i++)
        if (disk.open[i] != NULL)
            leave(disk.open[i], some);
    if (disk.deleted != NULL && access(disk.deleted_path, F_OK) != 0 && dcs_rng_below(&disk.rng, 2))
        to_disk(disk.deleted_path, disk.deleted, disk.deleted_size);
    _exit(DEATH);
}

static bool is_full(const struct file *f, size_t size)
{
    sqlite3_int64 sum = (sqlite3_int64)size;
    for (size_t i = 0; i < 4; i++)
        if (disk.open[i] != NULL && disk.open[i] != f)
            sum += (sqlite3_int64)disk.open[i]->now_size;
    return disk.space > 0 && sum > disk.space;
}

static int file_close(sqlite3_file *file)
{
    struct file *f = (struct file *)file;
    for (size_t i = 0; i < 4; i++)
        if (disk.open[i] == f)
            disk.open[i] = NULL;
    free(f->now);
    free(f->synced);
    int code = f->real->pMethods->xClose(f->real);
    free(f->real);
    return code;
}

static int file_read(sqlite3_file *file, void *into, int size, sqlite3_int64 at)
{
    struct file *f = (struct file *)file;
    size_t from = (size_t)at, n = (size_t)size;
    memset(into, 0, n);
    if (from < f->now_size)
        memcpy(into, f->now + from, from + n <= f->now_size ? n : f->now_size - from);
    return from + n <= f->now_size ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

static int file_write(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
    struct file *f = (struct file *)file;
    size_t end = (size_t)at + (size_t)size;
    operation();
    if (end > f->now_size) {
        if (is_full(f, end))
            return SQLITE_FULL;
        char *longer = dcs_alloc(end + 1, 1);
        memcpy(longer, f->now, f->now_size);
        free(f->now);
        f->now = longer;
        f->now_size = end;
    }
    memcpy(f->now + at, bytes, (size_t)size);
    return SQLITE_OK;
}

static int file_truncate(sqlite3_file *file, sqlite3_int64 size)
{
    struct file *f = (struct file *)file;
    operation();
    if ((size_t)size < f->now_size)
        f->now_size = (size_t)size;
    return SQLITE_OK;
}

static int file_sync(sqlite3_file *file, int flags)
{
    struct file *f = (struct file *)file;
    (void)flags;
    operation(); /* it may end half through: leave() writes some pages */
    free(f->synced);
    f->synced = dcs_alloc(f->now_size + 1, 1);
    memcpy(f->synced, f->now, f->now_size);
    f->synced_size = f->now_size;
    /* In place: others have the file open. */
    FILE *out = fopen(f->path, "r+b");
    if (out == NULL || fwrite(f->now, 1, f->now_size, out) != f->now_size || fflush(out) != 0 ||
        ftruncate(fileno(out), (off_t)f->now_size) != 0)
        abort();
    fclose(out);
    return SQLITE_OK;
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    *size = (sqlite3_int64)((struct file *)file)->now_size;
    return SQLITE_OK;
}

static int file_lock(sqlite3_file *file, int level)
{
    (void)file;
    (void)level;
    return SQLITE_OK; /* one process, one connection */
}

static int file_reserved(sqlite3_file *file, int *out)
{
    (void)file;
    *out = 0;
    return SQLITE_OK;
}

static int file_control(sqlite3_file *file, int what, void *argument)
{
    (void)file;
    (void)what;
    (void)argument;
    return SQLITE_NOTFOUND;
}

static int file_sector(sqlite3_file *file)
{
    (void)file;
    return PAGE;
}

static int file_traits(sqlite3_file *file)
{
    (void)file;
    return 0; /* nothing is atomic or in order */
}

static const sqlite3_io_methods methods = {
    .iVersion = 1,
    .xClose = file_close,
    .xRead = file_read,
    .xWrite = file_write,
    .xTruncate = file_truncate,
    .xSync = file_sync,
    .xFileSize = file_size,
    .xLock = file_lock,
    .xUnlock = file_lock,
    .xCheckReservedLock = file_reserved,
    .xFileControl = file_control,
    .xSectorSize = file_sector,
    .xDeviceCharacteristics = file_traits,
};

static int disk_open(sqlite3_vfs *vfs, const char *path, sqlite3_file *file, int flags, int *out)
{
    struct file *f = (struct file *)file;
    (void)vfs;
    *f = (struct file){0};
    DCS_ASSERT(path != NULL); /* no temporary files: they would be written by no transaction */
    f->real = dcs_alloc(1, (size_t)disk.real->szOsFile);
    int code = disk.real->xOpen(disk.real, path, f->real, flags, out);
    if (code != SQLITE_OK) {
        free(f->real);
        return code;
    }
    snprintf(f->path, sizeof f->path, "%s", path);
    f->now = slurp(path, &f->now_size);
    f->synced = slurp(path, &f->synced_size);
    size_t i = 0;
    while (disk.open[i] != NULL)
        i++;
    disk.open[i] = f;
    f->base.pMethods = &methods;
    return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *vfs, const char *path, int sync)
{
    (void)vfs;
    (void)sync;
    operation();
    free(disk.deleted);
    disk.deleted = slurp(path, &disk.deleted_size);
    snprintf(disk.deleted_path, sizeof disk.deleted_path, "%s", path);
    return disk.real->xDelete(disk.real, path, 0);
}

/* Of each connection: pages are written before the end of a transaction, as those of large ones
 * are. Where that fails, SQLite rolls back in another way. */
static int use_small_cache(sqlite3 *db, const char **why, const void *api)
{
    (void)why;
    (void)api;
    return sqlite3_exec(db, "PRAGMA cache_size = 8", NULL, NULL, NULL);
}

/* From here on the process runs on such a disk. */
static void use_disk(uint64_t seed, uint64_t death_at, sqlite3_int64 space)
{
    static sqlite3_vfs vfs;
    disk.real = sqlite3_vfs_find(NULL);
    disk.death_at = death_at;
    disk.space = space;
    dcs_rng_stream(&disk.rng, seed, 0, DCS_RNG_BOOTSTRAP, 0);
    vfs = *disk.real;
    vfs.zName = "forgetful";
    vfs.szOsFile = sizeof(struct file);
    vfs.xOpen = disk_open;
    vfs.xDelete = disk_delete;
    sqlite3_vfs_register(&vfs, 1);
    if (space > 0)
        sqlite3_auto_extension((void (*)(void))use_small_cache);
}

/* ---- A sweep ---- */

static const char json[] =
    "{\"replications\": 2, \"policy\": {\"name\": \"fcfs\"}, \"applications\": [{\"name\": \"a\", "
    "\"class\": \"latency\", \"sla_ms\": 30, \"service\": {\"distribution\": \"exponential\", "
    "\"mean_ms\": 10}}], \"workload\": {\"services\": [{\"application\": \"a\", \"requests\": 40, "
    "\"arrivals\": {\"rate_per_s\": 50}}]}, \"sweep\": {\"axes\": [{\"key\": \"cluster.devices\", "
    "\"values\": [1, 2, 3]}]}}";

static int sweep_into(const char *path)
{
    struct dcs_err err = {0};
    struct run_watch watch = {0};
    struct options_doc *doc = options_load_text("x.json", json, strlen(json), &err);
    struct sweep sweep;
    if (doc == NULL || sweep_open(&sweep, doc, NULL, &err) != 0)
        abort();
    const struct run_request request = {
        .sweep = &sweep, .output = path, .jobs = 2, .shards = 1, .quiet = true, .watch = &watch};
    int code = run_command(&request);
    sweep_close(&sweep);
    options_doc_free(doc);
    return code;
}

/* In a process of its own. Returns its exit code. */
static int run_on_disk(uint64_t seed, uint64_t death_at, sqlite3_int64 space)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (freopen("/dev/null", "w", stderr) == NULL)
            _exit(1);
        use_disk(seed, death_at, space);
        _exit(sweep_into("a.db"));
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_as_undisturbed(void)
{
    assert_int_equal(sweep_into("b.db"), 0);
    char *a = dump("a.db"), *b = dump("b.db");
    assert_string_equal(a, b);
    free(a);
    free(b);
    char *sound = query("a.db", "PRAGMA integrity_check; PRAGMA foreign_key_check");
    assert_string_equal(sound, "ok|\n");
    free(sound);
}

/* The later it dies, the further it comes: all of it in the end. */
static void power_is_lost(void **state)
{
    (void)state;
    struct dcs_rng rng;
    dcs_rng_stream(&rng, 3, 0, DCS_RNG_BOOTSTRAP, 0);
    for (uint64_t trial = 0; trial < 2; trial++) {
        int deaths = 0, code = DEATH;
        remove_files();
        for (uint64_t round = 0; code == DEATH; round++, deaths += code == DEATH)
            code = run_on_disk(100 * trial + round, 1 + dcs_rng_below(&rng, 60 + 15 * round), 0);
        if (code != 0)
            fail_msg("trial %d: exit code %d after %d deaths", (int)trial, code, deaths);
        assert_true(deaths >= 3);
        assert_as_undisturbed();
    }
}

/* Each operation of the first transaction, which makes the file, and of the second. */
static void power_is_lost_at_birth(void **state)
{
    (void)state;
    for (uint64_t at = 1; at < 90; at += 11) {
        remove_files();
        assert_int_equal(run_on_disk(at, at, 0), DEATH);
        int code = run_on_disk(at, 0, 0);
        if (code != 0)
            fail_msg("death at operation %d: exit code %d", (int)at, code);
        assert_as_undisturbed();
    }
}

static void the_disk_is_full(void **state)
{
    (void)state;
    int refusals = 0, code = DCS_EXIT_USER;
    for (sqlite3_int64 space = 5000; code == DCS_EXIT_USER; space += 31000) {
        code = run_on_disk(1, 0, space);
        refusals += code == DCS_EXIT_USER;
        if (access("a.db", F_OK) == 0) {
            assert_int_equal(access("a.db-journal", F_OK), -1);
            char *sound = query("a.db", "PRAGMA integrity_check");
            assert_string_equal(sound, "ok|\n");
            free(sound);
        }
    }
    assert_int_equal(code, 0);
    assert_true(refusals >= 3);
    assert_as_undisturbed();
}

/* Exit code 0, or 2 where it was refused as it must be. */
static int merge_on_disk(sqlite3_int64 space)
{
    int status;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct dcs_err err = {0};
        struct store_merge_counts counts;
        const char *in = "b.db";
        use_disk(1, 0, space);
        bool failed = store_merge("a.db", &in, 1, false, &counts, &err) != 0;
        _exit(!failed ? 0 : strstr(err.text, "nothing was merged") != NULL ? DCS_EXIT_USER : 1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void a_merge_without_space(void **state)
{
    (void)state;
    assert_int_equal(sweep_into("b.db"), 0);
    int refusals = 0, code = DCS_EXIT_USER;
    for (sqlite3_int64 space = 1000; code == DCS_EXIT_USER; space += 31000, refusals++) {
        size_t size;
        code = merge_on_disk(space);
        assert_int_equal(access("a.db-journal", F_OK), -1);
        /* What somebody puts there stays. */
        char *bytes = slurp("b.db", &size);
        spill("a.db", bytes, size);
        free(bytes);
        char *a = dump("a.db"), *b = dump("b.db");
        assert_string_equal(a, b);
        free(a);
        free(b);
        assert_int_equal(remove("a.db"), 0);
    }
    assert_int_equal(code, 0);
    assert_true(refusals >= 3);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup(name, folder_clear)
    const struct CMUnitTest tests[] = {
        TEST(power_is_lost),
        TEST(power_is_lost_at_birth),
        TEST(the_disk_is_full),
        TEST(a_merge_without_space),
    };
    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
