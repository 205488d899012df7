/*
 * test_calibrate_cpu_host.c - pins what `dcsim-calibrate cpu` learns of a machine: cores, caches
 * and cache ways from files that a test has written in the kernel's place, what it says where there
 * are none, how cache ways are given to threads, and that co-runners press, stand still and end
 * when told. Does not pin speeds, nor that a kernel takes what is written.
 */
#include "calibrate/cpu/cpu_bench.h"

#include <errno.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static char root[256];

static void put(const char *path, const char *text)
{
    char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    for (char *slash = name + strlen(root) + 1; (slash = strchr(slash, '/')) != NULL; slash++) {
        *slash = '\0';
        mkdir(name, 0755);
        *slash = '/';
    }
    FILE *out = fopen(name, "w");
    assert_non_null(out);
    fputs(text, out);
    fclose(out);
}

static const char *in_root(const char *path)
{
    static char name[512];
    snprintf(name, sizeof name, "%s/%s", root, path);
    return name;
}

static void get(const char *path, char *text, size_t size)
{
    FILE *in = fopen(in_root(path), "r");
    assert_non_null(in);
    text[fread(text, 1, size - 1, in)] = '\0';
    fclose(in);
}

static void put_cache(int core, int index, const char *level, const char *type, const char *size,
                      const char *shared)
{
    char path[128];
    const char *const files[][2] = {{"level", level},
                                    {"type", type},
                                    {"size", size},
                                    {"shared_cpu_list", shared},
                                    {"ways_of_associativity", "20\n"},
                                    {"coherency_line_size", "64\n"}};
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/cache/index%d/%s", core, index,
                 files[i][0]);
        put(path, files[i][1]);
    }
}

/* Two sockets of two cores of two threads: 0-3 and 4-7, siblings n and n + 2. */
static int setup(void **state)
{
    (void)state;
    char path[128], text[32];
    snprintf(root, sizeof root, "%s/test_calibrate_cpu_host_%d", DCS_BINARY_DIR, (int)getpid());
    mkdir(root, 0755);
    for (int core = 0; core < 8; core++) {
        const char *socket = core < 4 ? "0-3\n" : "4-7\n";
        int first = core / 4 * 4 + core % 2;
        put_cache(core, 0, "1\n", "Data\n", "32K\n", "0\n");
        put_cache(core, 1, "1\n", "Instruction\n", "32K\n", "0\n");
        put_cache(core, 2, "2\n", "Unified\n", "256K\n", "0\n");
        put_cache(core, 3, "3\n", "Unified\n", "30M\n", socket);
        snprintf(path, sizeof path, "sys/devices/system/cpu/cpu%d/topology/thread_siblings_list",
                 core);
        snprintf(text, sizeof text, "%d,%d\n", first, first + 2);
        put(path, text);
    }
    put("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq", "2900000\n");
    put("proc/meminfo", "MemTotal:       16000 kB\nMemFree: 1 kB\n");
    put("proc/cpuinfo",
        "processor\t: 0\ncpu family\t: 6\nmodel\t\t: 79\nmodel name\t: Test CPU @ 2.2\n"
        "stepping\t: 1\ncpu MHz\t\t: 1200.5\n");
    put("etc/machine-id", "0123\n");
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r '%s'", root);
    return system(command);
}

static cpu_set_t cores(int from, int to)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    for (int i = from; i <= to; i++)
        CPU_SET(i, &set);
    return set;
}

static struct cal_cpu_host look(int from, int to)
{
    struct cal_cpu_host h;
    struct dcs_err err = {0};
    cpu_set_t allowed = cores(from, to);
    if (cal_cpu_host_read(&h, root, &allowed, &err) != 0)
        fail_msg("%s", err.text);
    return h;
}

static void a_host_is_the_cores_of_one_cache(void **state)
{
    (void)state;
    struct cal_cpu_host h = look(0, 7);
    assert_string_equal(h.name, "Test CPU @ 2.2");
    assert_int_equal(h.cores_count, 2);
    assert_int_equal(h.cores[0], 0);
    assert_int_equal(h.cores[1], 1);
    assert_int_equal(h.left_out, 6);
    assert_int_equal(h.llc_bytes, 30 << 20);
    assert_int_equal(h.l2_bytes, 256 << 10);
    assert_int_equal(h.line_bytes, 64);
    assert_int_equal(h.ways, 20);
    assert_int_equal(h.clock_mhz, 2900);
    assert_int_equal(h.memory_bytes, 16000 * 1024);
    assert_false(h.cat);
    assert_non_null(strstr(h.cat_missing, "no resctrl"));
    struct cal_cpu_host second = look(6, 7);
    assert_int_equal(second.cores_count, 2);
    assert_int_equal(second.cores[0], 6);
    assert_string_equal(second.identity, h.identity);
    /* Another machine with the same processor is another one. */
    put("etc/machine-id", "0124\n");
    second = look(0, 7);
    assert_string_not_equal(second.identity, h.identity);
    unlink(in_root("sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq"));
    assert_int_equal(look(0, 7).clock_mhz, 1201);
}

static void ways_that_no_profile_has_are_assumed(void **state)
{
    (void)state;
    assert_false(look(0, 7).ways_assumed);
    put("sys/devices/system/cpu/cpu0/cache/index3/ways_of_associativity", "0\n");
    struct cal_cpu_host h = look(0, 7);
    assert_true(h.ways_assumed);
    assert_int_equal(h.ways, 16);
}

static void hosts_that_tell_nothing_are_refused(void **state)
{
    (void)state;
    struct cal_cpu_host h;
    struct dcs_err err = {0};
    cpu_set_t none = cores(0, -1), unknown = cores(9, 9);
    assert_int_equal(cal_cpu_host_read(&h, root, &none, &err), -1);
    assert_non_null(strstr(err.text, "no core"));
    assert_int_equal(cal_cpu_host_read(&h, root, &unknown, &err), -1);
    assert_non_null(strstr(err.text, "says nothing of a last-level cache"));
    assert_non_null(strstr(err.text, "measure on the machine itself"));
}

static void put_resctrl(void)
{
    put("sys/fs/resctrl/info/L3/cbm_mask", "fff\n");
    put("sys/fs/resctrl/info/L3/min_cbm_bits", "2\n");
    put("sys/fs/resctrl/schemata", "    MB:0=100;1=100\n    L3:0=fff;1=fff\n");
}

static void ways_are_given_through_resctrl(void **state)
{
    (void)state;
    char text[256];
    struct dcs_err err = {0};
    put_resctrl();
    struct cal_cpu_host h = look(0, 7);
    assert_true(h.cat);
    assert_int_equal(h.ways, 12);
    assert_int_equal(h.cat_min_ways, 2);
    struct cal_team *t = cal_team_create(2, NULL, 0, &err);
    if (cal_cpu_ways_set(&h, root, t, 3, &err) != 0)
        fail_msg("%s", err.text);
    get("sys/fs/resctrl/dcsim-calibrate/schemata", text, sizeof text);
    assert_string_equal(text, "L3:0=7;1=7\n");
    get("sys/fs/resctrl/dcsim-calibrate/tasks", text, sizeof text);
    long thread = strtol(text, NULL, 10); /* each thread writes its own; here the last one stays */
    assert_true(thread > 0 && thread != (long)getpid());
    /* A kernel that refuses: no such file can be made. */
    unlink(in_root("sys/fs/resctrl/dcsim-calibrate/tasks"));
    mkdir(in_root("sys/fs/resctrl/dcsim-calibrate/tasks"), 0755);
    assert_int_equal(cal_cpu_ways_set(&h, root, t, 3, &err), -1);
    assert_non_null(strstr(err.text, "tasks: \""));
    cal_team_destroy(t);
}

static void counters_say_why_there_are_none(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    assert_int_equal(cal_cpu_counters_why(EACCES, &err), -1);
    assert_non_null(strstr(err.text, "kernel.perf_event_paranoid"));
    assert_int_equal(cal_cpu_counters_why(ENOENT, &err), -1);
    assert_non_null(strstr(err.text, "virtual machines"));
    assert_int_equal(cal_cpu_counters_why(EINVAL, &err), -1);
    assert_string_equal(err.text, strerror(EINVAL));
    struct cal_cpu_counts from = {1, 2, NAN}, to = {11, 32, 5};
    struct cal_cpu_counts c = cal_cpu_counts_between(from, to);
    assert_true(c.instructions == 10 && c.cycles == 30 && isnan(c.llc_misses));
}

static void others_are_what_is_not_ours(void **state)
{
    (void)state;
    put("proc/stat", "cpu  1 1 1 1 1 1 1 1 0 0\ncpu0 100 10 20 900 5 1 2 7 50 0\n"
                     "cpu1 0 0 0 0 0 0 0 0 0 0\ncpu4 5000 0 0 0 0 0 0 0 0 0\n");
    struct cal_cpu_host h = look(0, 7);
    struct cal_cpu_look now = cal_cpu_look(&h, root);
    /* Without guests, which are in user time already, and without idle and waiting. */
    assert_true(fabs(now.busy_s * (double)sysconf(_SC_CLK_TCK) - 140) < 1e-6);
    const struct cal_cpu_look from = {.at_s = 10, .busy_s = 5, .own_s = 2},
                              to = {.at_s = 12, .busy_s = 8, .own_s = 4.5};
    assert_true(fabs(cal_cpu_others(&from, &to) - 0.25) < 1e-12);
    assert_true(cal_cpu_others(&from, &from) == 0);
}

/* --- co-runners, on whatever machine this is --- */

static struct cal_cpu_host small_host(void)
{
    struct cal_cpu_host h = {.cores_count = 1, .llc_bytes = 1 << 20, .line_bytes = 64, .ways = 8};
    cpu_set_t mine;
    assert_int_equal(sched_getaffinity(0, sizeof mine, &mine), 0);
    while (!CPU_ISSET(h.cores[0], &mine))
        h.cores[0]++;
    return h;
}

static void co_runners_press_when_told(void **state)
{
    (void)state;
    struct cal_cpu_host h = small_host();
    struct dcs_err err = {0};
    static const struct {
        enum cal_cpu_pressure pressure;
        int64_t level;
    } kinds[] = {
        {CAL_PRESSURE_CACHE, 1 << 20}, {CAL_PRESSURE_STREAM, 1000}, {CAL_PRESSURE_STREAM, 500}};
    for (int k = 0; k < 3; k++) {
        struct cal_press *p =
            cal_press_start(kinds[k].pressure, kinds[k].level, h.cores, 1, &h, &err);
        assert_non_null(p);
        assert_true(cal_press_bytes(p) == 0);
        double before = 0;
        for (int turn = 0; turn < 3; turn++) {
            cal_press_go(p);
            cal_press_halt(p);
            double bytes = cal_press_bytes(p);
            assert_true(bytes > before);
            assert_true(cal_press_bytes(p) == bytes); /* it stands still */
            before = bytes;
        }
        assert_true(cal_press_seconds(p) > 0);
        cal_press_end(p);
    }
    int missing = CPU_SETSIZE - 1;
    assert_null(cal_press_start(CAL_PRESSURE_CACHE, 4096, &missing, 1, &h, &err));
    assert_non_null(strstr(err.text, "a co-runner cannot be started on core"));
}

static void a_chase_visits_every_line_once(void **state)
{
    (void)state;
    struct cal_cpu_host h = small_host();
    struct dcs_err err = {0};
    struct cal_chase c;
    assert_int_equal(cal_chase_create(&c, &h, &err), 0);
    int64_t lines = (int64_t)(c.bytes / 64);
    assert_true(lines >= 4 * (h.llc_bytes / 64));
    for (int64_t half = lines / 2; half >= 1; half /= 2) {
        cal_chase_walk(&c, half);
        assert_true(c.at != 0); /* a shorter ring would be back */
        c.at = 0;
    }
    cal_chase_walk(&c, lines);
    assert_true(c.at == 0);
    cal_chase_destroy(&c);
}

static void copies_copy(void **state)
{
    (void)state;
    struct cal_cpu_host h = small_host();
    struct dcs_err err = {0};
    struct cal_copy c;
    cal_copy_create(&c, &h);
    for (int64_t i = 0; i < c.bytes; i += 4096)
        c.from[i] = (char)(1 + i / 4096 % 100);
    struct cal_team *t = cal_team_create(2, NULL, 0, &err);
    cal_copy_run(&c, t);
    assert_memory_equal(c.from, c.to, (size_t)c.bytes);
    cal_team_destroy(t);
    cal_copy_destroy(&c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_host_is_the_cores_of_one_cache, setup, teardown),
        cmocka_unit_test_setup_teardown(ways_that_no_profile_has_are_assumed, setup, teardown),
        cmocka_unit_test_setup_teardown(hosts_that_tell_nothing_are_refused, setup, teardown),
        cmocka_unit_test_setup_teardown(ways_are_given_through_resctrl, setup, teardown),
        cmocka_unit_test(counters_say_why_there_are_none),
        cmocka_unit_test_setup_teardown(others_are_what_is_not_ours, setup, teardown),
        cmocka_unit_test(co_runners_press_when_told),
        cmocka_unit_test(a_chase_visits_every_line_once),
        cmocka_unit_test(copies_copy),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
