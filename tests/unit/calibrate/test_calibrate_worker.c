/*
 * test_calibrate_worker.c - pins how a measurement in several processes goes: orders and answers,
 * a common moment, halting, two threads of one child, and that a child which fails, dies, hangs or
 * loses its parent is told or gone; that an MPS server is started in a folder of its own and is
 * gone afterwards, whatever became of the program; and the lists of arrivals, of pairs and of
 * partitions for live runs. Children do nothing on a device, and the MPS program is a script.
 */
#include "calibrate/plan/arrival_list.h"
#include "calibrate/plan/live_pairs.h"
#include "calibrate/worker/mps.h"
#include "calibrate/worker/worker.h"

#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#define LIMIT_S 20.0

static const struct cal_worker_setting no_settings[] = {{NULL, NULL}};

/* --- what the children do --- */

static int twice(struct cal_worker_shared *w, struct dcs_err *err)
{
    (void)err;
    for (int i = 0; i < CAL_WORKER_ARGS; i++)
        w->values[i] = 2 * w->args[i];
    snprintf(w->answer, sizeof w->answer, "%.100s, twice", w->text);
    return 0;
}

static int variable(struct cal_worker_shared *w, struct dcs_err *err)
{
    const char *value = getenv(w->text);
    snprintf(w->answer, sizeof w->answer, "%s", value != NULL ? value : "(none)");
    return err == NULL;
}

static int fails(struct cal_worker_shared *w, struct dcs_err *err)
{
    return dcs_err_set(err, "out of %s", w->text);
}

static int dies(struct cal_worker_shared *w, struct dcs_err *err)
{
    (void)err;
    if (w->args[0] == 0)
        raise(SIGKILL);
    _exit((int)w->args[0]);
}

static int tells_process(struct cal_worker_shared *w, struct dcs_err *err)
{
    w->values[0] = getpid();
    w->values[1] = w->thread;
    return err == NULL;
}

static int hangs(struct cal_worker_shared *w, struct dcs_err *err)
{
    for (atomic_store(&w->ready, w->args[0] != 0);;)
        pause();
    return err == NULL;
}

/* Every millisecond one, and one at least however late it begins. */
static int counts(struct cal_worker_shared *w, struct dcs_err *err)
{
    int64_t begin;
    w->records_count = 0;
    if (cal_worker_wait_begin(w, &begin, err) != 0)
        return -1;
    w->values[0] = begin;
    do {
        struct cal_worker_record *r = &w->records[w->records_count++];
        r->begin_ns = cal_now_ns() - begin;
        cal_sleep_until(cal_now_ns() + DCS_NS_PER_MS);
        r->end_ns = cal_now_ns() - begin;
    } while (!cal_worker_halted(w) && w->records_count < CAL_WORKER_RECORDS);
    return 0;
}

static int serve(int argc, char **argv)
{
    static const struct cal_worker_operation operations[] = {
        {"twice", twice}, {"variable", variable}, {"fails", fails},           {"dies", dies},
        {"hangs", hangs}, {"counts", counts},     {"process", tells_process}, {NULL, NULL},
    };
    return cal_worker_serve(argc, argv, operations);
}

static struct cal_worker *start(const char *name)
{
    struct dcs_err err = {0};
    struct cal_worker *w = cal_worker_start(name, no_settings, &err);
    if (w == NULL) {
        fail_msg("%s", err.text);
        abort();
    }
    return w;
}

/* --- orders --- */

static void orders_are_answered(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *w = start("a child");
    const int64_t args[] = {21, -4};
    for (int i = 0; i < 3; i++) {
        assert_int_equal(cal_worker_call(w, "twice", "this", args, 2, LIMIT_S, &err), 0);
        assert_int_equal(w->shared->values[0], 42);
        assert_int_equal(w->shared->values[1], -8);
        assert_int_equal(w->shared->values[2], 0); /* the rest of the numbers are 0 */
        assert_string_equal(w->shared->answer, "this, twice");
    }
    cal_worker_close(w);
}

static void failures_are_told_and_survived(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *w = start("a child");
    assert_int_equal(cal_worker_call(w, "fails", "memory", NULL, 0, LIMIT_S, &err), -1);
    assert_string_equal(err.text, "a child: out of memory");
    assert_int_equal(cal_worker_call(w, "sings", NULL, NULL, 0, LIMIT_S, &err), -1);
    assert_non_null(strstr(err.text, "no operation \"sings\""));
    assert_true(cal_worker_alive(w));
    assert_int_equal(cal_worker_call(w, "twice", NULL, NULL, 0, LIMIT_S, &err), 0);
    cal_worker_close(w);
}

static void the_environment_is_set(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    setenv("DCSIM_TEST_A", "parent", 1);
    setenv("DCSIM_TEST_B", "parent", 1);
    setenv("DCSIM_TEST_BB", "parent", 1);
    const struct cal_worker_setting settings[] = {
        {"DCSIM_TEST_A", "child"}, {"DCSIM_TEST_B", NULL}, {"DCSIM_TEST_C", "new"}, {NULL, NULL}};
    const char *const expected[][2] = {{"DCSIM_TEST_A", "child"},
                                       {"DCSIM_TEST_B", "(none)"},
                                       {"DCSIM_TEST_BB", "parent"},
                                       {"DCSIM_TEST_C", "new"}};
    struct cal_worker *w = cal_worker_start("a child", settings, &err);
    assert_non_null(w);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(cal_worker_call(w, "variable", expected[i][0], NULL, 0, LIMIT_S, &err), 0);
        assert_string_equal(w->shared->answer, expected[i][1]);
    }
    cal_worker_close(w);
    assert_string_equal(getenv("DCSIM_TEST_A"), "parent");
}

/* --- together --- */

static void all_begin_together_and_are_halted(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *two[2] = {start("first"), start("second")};
    for (int i = 0; i < 2; i++)
        cal_worker_tell(two[i], "counts", NULL, NULL, 0);
    for (int i = 0; i < 2; i++)
        assert_int_equal(cal_worker_await_ready(two[i], LIMIT_S, &err), 0);
    int64_t begin = cal_now_ns() + 20 * DCS_NS_PER_MS;
    for (int i = 0; i < 2; i++)
        cal_worker_begin(two[i], begin);
    cal_sleep_until(begin + 60 * DCS_NS_PER_MS);
    for (int i = 0; i < 2; i++)
        cal_worker_halt(two[i]);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(cal_worker_await(two[i], LIMIT_S, &err), 0);
        const struct cal_worker_shared *w = two[i]->shared;
        assert_int_equal(w->values[0], begin);
        /* Their time bounds them, not the clock on the wall: a loaded machine halts them late. */
        int64_t ran_ms = (cal_now_ns() - begin) / DCS_NS_PER_MS;
        assert_in_range(w->records_count, 1, ran_ms);
        assert_true(w->records[0].begin_ns >= 0);
        assert_true(w->records[w->records_count - 1].begin_ns >= w->records[0].end_ns ||
                    w->records_count == 1);
    }
    for (int i = 0; i < 2; i++)
        cal_worker_close(two[i]);
}

static void what_has_not_begun_is_called_off(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *w = start("a child");
    cal_worker_tell(w, "counts", NULL, NULL, 0);
    assert_int_equal(cal_worker_await_ready(w, LIMIT_S, &err), 0);
    cal_worker_halt(w);
    assert_int_equal(cal_worker_await(w, LIMIT_S, &err), -1);
    assert_string_equal(err.text, "a child: called off");
    /* One that never is ready is not waited for until the limit. */
    cal_worker_tell(w, "twice", NULL, NULL, 0);
    assert_int_equal(cal_worker_await_ready(w, LIMIT_S, &err), -1);
    assert_non_null(strstr(err.text, "was done before it was to begin"));
    cal_worker_close(w);
}

/* --- ends --- */

/* --- two threads of a child --- */

static struct cal_worker *start_two(struct cal_worker *two[2])
{
    struct dcs_err err = {0};
    two[0] = start("the first");
    two[1] = cal_worker_add_thread(two[0], "the second", &err);
    if (two[1] == NULL)
        fail_msg("%s", err.text);
    return two[0];
}

static void two_threads_run_side_by_side(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *two[2];
    start_two(two);
    const int64_t args[] = {4};
    /* The second is told while the first is busy, and its answers are its own. */
    cal_worker_tell(two[0], "counts", NULL, NULL, 0);
    assert_int_equal(cal_worker_await_ready(two[0], LIMIT_S, &err), 0);
    assert_int_equal(cal_worker_call(two[1], "fails", "luck", NULL, 0, LIMIT_S, &err), -1);
    assert_string_equal(err.text, "the second: out of luck");
    assert_int_equal(cal_worker_call(two[1], "process", NULL, args, 1, LIMIT_S, &err), 0);
    assert_int_equal(two[1]->shared->values[0], two[0]->pid);
    assert_int_equal(two[1]->shared->values[1], 1); /* the thread */
    cal_worker_tell(two[1], "counts", NULL, NULL, 0);
    assert_int_equal(cal_worker_await_ready(two[1], LIMIT_S, &err), 0);
    int64_t begin = cal_now_ns() + DCS_NS_PER_MS;
    for (int i = 0; i < 2; i++)
        cal_worker_begin(two[i], begin);
    cal_sleep_until(begin + 5 * DCS_NS_PER_MS);
    assert_true(cal_worker_busy(two[0]) && cal_worker_busy(two[1]));
    cal_worker_halt(two[0]); /* it alone */
    assert_int_equal(cal_worker_await(two[0], LIMIT_S, &err), 0);
    assert_true(!cal_worker_busy(two[0]) && cal_worker_busy(two[1]));
    int64_t halted = cal_now_ns() - begin;
    cal_sleep_until(cal_now_ns() + 20 * DCS_NS_PER_MS);
    cal_worker_halt(two[1]);
    assert_int_equal(cal_worker_await(two[1], LIMIT_S, &err), 0);
    for (int i = 0; i < 2; i++) {
        const struct cal_worker_shared *w = two[i]->shared;
        assert_int_equal(w->values[0], begin);
        assert_true(w->records_count > 0);
        assert_true((w->records[w->records_count - 1].end_ns > halted) == (i == 1));
    }
    cal_worker_close(two[0]);
}

/* Both are told, whichever asks first; and a child whose thread never comes back is closed. */
static void a_death_is_told_to_both_threads(void **state)
{
    (void)state;
    for (int first = 0; first < 2; first++) {
        struct dcs_err err = {0};
        struct cal_worker *two[2];
        start_two(two);
        cal_worker_tell(two[1 - first], "hangs", NULL, NULL, 0);
        assert_int_equal(cal_worker_call(two[first], "dies", NULL, NULL, 0, LIMIT_S, &err), -1);
        assert_non_null(strstr(err.text, first ? "the process the second died in \"dies\": Killed"
                                               : "the process the first died in \"dies\": Killed"));
        assert_int_equal(cal_worker_await(two[1 - first], LIMIT_S, &err), -1);
        assert_non_null(strstr(err.text, "is gone"));
        assert_false(cal_worker_alive(two[0]) || cal_worker_alive(two[1]));
        assert_false(cal_worker_busy(two[1 - first]));
        cal_worker_close(two[0]);
        start_two(two);
        cal_worker_tell(two[first], "hangs", NULL, NULL, 0);
        int64_t began = cal_now_ns();
        cal_worker_close(two[0]);
        assert_true(cal_now_ns() - began < 10 * DCS_NS_PER_S);
    }
}

static void a_death_is_told(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *w = start("a child");
    assert_int_equal(cal_worker_call(w, "dies", NULL, NULL, 0, LIMIT_S, &err), -1);
    assert_string_equal(err.text, "the process a child died in \"dies\": Killed");
    assert_false(cal_worker_alive(w));
    assert_int_equal(cal_worker_call(w, "twice", NULL, NULL, 0, LIMIT_S, &err), -1);
    assert_non_null(strstr(err.text, "is gone"));
    assert_int_equal(cal_worker_kill(w, 1), -1);
    cal_worker_close(w);
    w = start("another");
    const int64_t code = 7;
    assert_int_equal(cal_worker_call(w, "dies", NULL, &code, 1, LIMIT_S, &err), -1);
    assert_non_null(strstr(err.text, "exit code 7"));
    cal_worker_close(w);
}

static void a_wait_has_its_limit(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *w = start("a child");
    int64_t began = cal_now_ns();
    assert_int_equal(cal_worker_call(w, "hangs", NULL, NULL, 0, 0.2, &err), -1);
    assert_non_null(strstr(err.text, "has not finished \"hangs\" after 0 s, and was killed"));
    assert_true(cal_now_ns() - began < 10 * DCS_NS_PER_S);
    assert_false(cal_worker_alive(w));
    cal_worker_close(w);
}

static void a_child_can_be_killed(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    struct cal_worker *w = start("a child");
    const int64_t ready = 1;
    cal_worker_tell(w, "hangs", NULL, &ready, 1);
    assert_int_equal(cal_worker_await_ready(w, LIMIT_S, &err), 0);
    assert_true(cal_worker_kill(w, LIMIT_S) > 0);
    assert_false(cal_worker_alive(w));
    cal_worker_close(w);
}

/* Waits for a process that has become ours; true if it was killed. */
static bool was_killed(pid_t pid)
{
    for (int i = 0; i < 2000; i++) {
        int status;
        pid_t got = waitpid(pid, &status, WNOHANG);
        if (got == pid)
            return WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
        usleep(5000);
    }
    return false;
}

/* Runs it in a child that then dies as if it had crashed. */
static void run_and_crash(void (*work)(int out), char *said, size_t size)
{
    int ends[2], status;
    assert_int_equal(pipe(ends), 0);
    pid_t pid = fork();
    assert_true(pid >= 0);
    if (pid == 0) {
        close(ends[0]);
        work(ends[1]);
        raise(SIGKILL);
    }
    close(ends[1]);
    ssize_t got = read(ends[0], said, size - 1);
    close(ends[0]);
    said[got > 0 ? got : 0] = '\0';
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFSIGNALED(status));
}

static void with_a_worker(int out)
{
    struct dcs_err err = {0};
    struct cal_worker *w = cal_worker_start("a child", no_settings, &err);
    if (w != NULL && cal_worker_call(w, "twice", NULL, NULL, 0, LIMIT_S, &err) == 0)
        dprintf(out, "%d", (int)w->pid);
}

static void a_child_dies_with_its_parent(void **state)
{
    (void)state;
    char said[64];
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    run_and_crash(with_a_worker, said, sizeof said);
    pid_t pid = (pid_t)strtol(said, NULL, 10);
    assert_true(pid > 0);
    assert_true(was_killed(pid));
    prctl(PR_SET_CHILD_SUBREAPER, 0);
}

/* --- MPS --- */

static char tools[64], kept_path[4096];

/* A program of that name which understands -d and quit; %s: what it does on -d. */
static void make_control(const char *on_start)
{
    char path[128];
    snprintf(path, sizeof path, "%s/nvidia-cuda-mps-control", tools);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fprintf(
        out,
        "#!/bin/sh\n"
        "pid=$CUDA_MPS_PIPE_DIRECTORY/nvidia-cuda-mps-control.pid\n"
        "case $1 in\n"
        "-d) %s ;;\n"
        "daemon) while :; do sleep 0.05; done ;;\n"
        "*) read -r order; case $order in quit*) kill \"$(cat \"$pid\")\"; rm \"$pid\";; esac ;;\n"
        "esac\n",
        on_start);
    fclose(out);
    assert_int_equal(chmod(path, 0700), 0);
}

#define DAEMON "[ -d \"$CUDA_MPS_LOG_DIRECTORY\" ] && { \"$0\" daemon & echo $! >\"$pid\"; }"

static int set_up_tools(void **state)
{
    (void)state;
    strcpy(tools, "/tmp/dcsim-test-XXXXXX");
    if (mkdtemp(tools) == NULL)
        return -1;
    const char *given = getenv("PATH");
    char path[sizeof tools + sizeof kept_path];
    snprintf(kept_path, sizeof kept_path, "%s", given != NULL ? given : "/usr/bin:/bin");
    snprintf(path, sizeof path, "%s:%s", tools, kept_path);
    setenv("PATH", path, 1);
    return 0;
}

static int remove_tools(void **state)
{
    (void)state;
    char path[128];
    snprintf(path, sizeof path, "%s/nvidia-cuda-mps-control", tools);
    unlink(path);
    rmdir(tools);
    return setenv("PATH", kept_path, 1);
}

static const char *find(const struct cal_worker_setting *settings, const char *name)
{
    for (; settings->name != NULL; settings++)
        if (strcmp(settings->name, name) == 0)
            return settings->value;
    return "(none)";
}

static void a_server_has_its_own_folder(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    make_control(DAEMON);
    struct cal_mps *m = cal_mps_start(&err);
    if (m == NULL) {
        fail_msg("%s", err.text);
        abort();
    }
    assert_true(cal_mps_alive(m));
    struct cal_worker_setting settings[CAL_MPS_SETTINGS];
    cal_mps_settings(m, 30, settings);
    char folder[256];
    snprintf(folder, sizeof folder, "%s", find(settings, "CUDA_MPS_PIPE_DIRECTORY"));
    assert_string_equal(find(settings, "CUDA_MPS_ACTIVE_THREAD_PERCENTAGE"), "30");
    assert_int_equal(access(folder, F_OK), 0);
    assert_int_equal(access(find(settings, "CUDA_MPS_LOG_DIRECTORY"), F_OK), 0);
    char path[300], text[16] = "";
    snprintf(path, sizeof path, "%s/nvidia-cuda-mps-control.pid", folder);
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    assert_non_null(fgets(text, sizeof text, in));
    fclose(in);
    pid_t daemon = (pid_t)strtol(text, NULL, 10);
    assert_int_equal(kill(daemon, 0), 0);
    cal_mps_stop(m);
    assert_int_equal(access(folder, F_OK), -1);
    /* Nobody's child any more: it is gone, or waits to be collected. */
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)daemon);
    in = fopen(path, "r");
    if (in != NULL) {
        assert_int_equal(fgetc(in), EOF);
        fclose(in);
    }
}

static void what_the_program_says_is_told(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    make_control("echo 'no device' >&2; exit 1");
    assert_null(cal_mps_start(&err));
    assert_string_equal(err.text, "nvidia-cuda-mps-control cannot start: no device");
}

static void a_missing_program_is_told(void **state)
{
    (void)state;
    struct dcs_err err = {0};
    setenv("PATH", "/nonexistent", 1);
    assert_int_equal(cal_mps_find(&err), -1);
    assert_non_null(strstr(err.text, "MPS is not here"));
    assert_null(cal_mps_start(&err));
    char path[sizeof tools + sizeof kept_path];
    snprintf(path, sizeof path, "%s:%s", tools, kept_path);
    setenv("PATH", path, 1);
}

static void with_a_server(int out)
{
    struct dcs_err err = {0};
    struct cal_mps *m = cal_mps_start(&err);
    if (m == NULL)
        return;
    struct cal_worker_setting settings[CAL_MPS_SETTINGS];
    cal_mps_settings(m, 100, settings);
    dprintf(out, "%s", find(settings, "CUDA_MPS_PIPE_DIRECTORY"));
}

static void a_server_ends_with_the_program(void **state)
{
    (void)state;
    char folder[256];
    make_control(DAEMON);
    run_and_crash(with_a_server, folder, sizeof folder);
    assert_true(strlen(folder) > 0);
    int left = 2000;
    for (; left > 0 && access(folder, F_OK) == 0; left--)
        usleep(5000);
    assert_true(left > 0);
}

/* --- arrivals --- */

#define COUNT 20000

static void arrivals_are_a_poisson_process(void **state)
{
    (void)state;
    static int64_t list[2 * COUNT], again[2 * COUNT];
    int64_t duration = COUNT * INT64_C(1000);
    size_t n = cal_arrivals(7, 1000, duration, list, 2 * COUNT);
    /* The number of arrivals has the standard deviation sqrt(COUNT): 4 of them. */
    assert_true(fabs((double)n - COUNT) < 4 * sqrt(COUNT));
    double sum = 0, squares = 0;
    for (size_t i = 0; i < n; i++) {
        double gap = (double)(list[i] - (i > 0 ? list[i - 1] : 0));
        assert_true(gap >= 0 && list[i] < duration);
        sum += gap;
        squares += gap * gap;
    }
    /* An exponential gap's second moment is 2 mean^2, with standard deviation sqrt(20) mean^2. */
    double mean = sum / (double)n, second = squares / (double)n;
    assert_true(fabs(mean - 1000) < 4 * 1000 / sqrt((double)n));
    assert_true(fabs(second - 2e6) < 4 * sqrt(20.0) * 1e6 / sqrt((double)n));
    assert_int_equal(cal_arrivals(7, 1000, duration, again, 2 * COUNT), n);
    assert_memory_equal(list, again, n * sizeof *list);
    assert_int_equal(cal_arrivals(7, 1000, duration, again, 5), 5);
    cal_arrivals(8, 1000, duration, again, 5);
    assert_memory_not_equal(list, again, 5 * sizeof *list);
}

/* --- pairs of live runs --- */

static int times(const struct cal_live_pair *pairs, int n, const char *name)
{
    int found = 0;
    for (int i = 0; i < n; i++)
        found += strcmp(pairs[i].service, name) == 0 || strcmp(pairs[i].batch, name) == 0 ||
                 strcmp(pairs[i].half, name) == 0;
    return found;
}

/* Nobody is in three pairs while another is in one, and no pair is there twice. A chosen pair of
 * which an application is missing is passed over. */
static void further_pairs_are_spread(void **state)
{
    (void)state;
    static const char *const services[] = {"a", "dig", "c", "face", "e"};
    static const char *const batches[] = {"lbm", "m", "nw", "hotspot", "p", "q",
                                          "r",   "s", "t",  "u",       "v"};
    const struct cal_live_names names = {services, batches, 5, 11};
    struct cal_live_pair pairs[CAL_LIVE_PAIRS], again[CAL_LIVE_PAIRS];
    int chosen = 0;
    assert_int_equal(cal_live_pairs(&names, pairs, &chosen), 23);
    assert_int_equal(chosen, 1);
    assert_string_equal(pairs[0].service, "dig");
    assert_string_equal(pairs[0].batch, "hotspot");
    cal_live_pairs(&names, again, NULL);
    /* 12 pairs and the one before them, of 5 services: 3 of 3 and 2 of 2; of 11 batches 2 or 1. */
    for (int i = 0; i < 5; i++)
        assert_in_range(times(pairs, 13, services[i]), 2, 3);
    for (int i = 0; i < 11; i++)
        assert_in_range(times(pairs, 13, batches[i]), 1, 2);
    for (int i = 0; i < 23; i++) {
        assert_string_equal(pairs[i].service, again[i].service);
        assert_string_equal(pairs[i].batch, again[i].batch);
    }
    assert_int_equal(times(pairs, 13, "dev"), 1 + 4);
    assert_int_equal(times(pairs, 13, "test2"), 8);
    assert_int_equal(times(pairs, 23, "test2"), 8);
    assert_int_equal(times(pairs, 23, "test3"), 10);
}

/* Profiles have steps with these names: the chosen pairs, in both halves, stay as they are. */
static void first_pairs_stay(void **state)
{
    (void)state;
    static const char *const services[] = {"densenet", "dig",      "face",    "imc",
                                           "ner",      "resnet50", "resnext", "vgg16"};
    static const char *const batches[] = {"bfs",  "hotspot", "lava-md",        "lbm",
                                          "mriq", "nw",      "resnet50-train", "sgemm"};
    const struct cal_live_names names = {services, batches, 8, 8};
    const struct cal_live_names none = {services, NULL, 8, 0};
    struct cal_live_pair pairs[CAL_LIVE_PAIRS];
    assert_int_equal(cal_live_pairs(&none, pairs, NULL), 0);
    assert_int_equal(cal_live_pairs(&names, pairs, NULL), CAL_LIVE_PAIRS);
    assert_string_equal(pairs[0].service, "resnet50");
    assert_string_equal(pairs[0].batch, "lbm");
    assert_string_equal(pairs[0].half, "dev");
    assert_string_equal(pairs[7].service, "resnext");
    assert_string_equal(pairs[7].batch, "resnet50-train");
    assert_string_equal(pairs[7].half, "test");
    assert_int_equal(times(pairs, CAL_LIVE_FIRST, "dev"), 4);
}

/* Steps are named by them: those of 132 SMs are in profiles. */
static void splits_leave_a_rest(void **state)
{
    (void)state;
    static const struct {
        int sms, count, splits[CAL_LIVE_SPLITS];
    } devices[] = {
        {132, 2, {64, 32}}, {114, 2, {56, 24}}, {108, 2, {48, 24}}, {32, 2, {16, 8}}, {30, 1, {8}},
        {16, 1, {8}},       {9, 1, {8}},        {8, 0, {0}},        {5, 0, {0}},
    };
    for (size_t i = 0; i < sizeof devices / sizeof devices[0]; i++) {
        int splits[CAL_LIVE_SPLITS];
        assert_int_equal(cal_live_splits(devices[i].sms, 8, splits), devices[i].count);
        for (int k = 0; k < devices[i].count; k++)
            assert_int_equal(splits[k], devices[i].splits[k]);
    }
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return serve(argc, argv);
    const struct CMUnitTest workers[] = {
        cmocka_unit_test(orders_are_answered),
        cmocka_unit_test(failures_are_told_and_survived),
        cmocka_unit_test(the_environment_is_set),
        cmocka_unit_test(all_begin_together_and_are_halted),
        cmocka_unit_test(what_has_not_begun_is_called_off),
        cmocka_unit_test(two_threads_run_side_by_side),
        cmocka_unit_test(a_death_is_told),
        cmocka_unit_test(a_death_is_told_to_both_threads),
        cmocka_unit_test(a_wait_has_its_limit),
        cmocka_unit_test(a_child_can_be_killed),
        cmocka_unit_test(a_child_dies_with_its_parent),
        cmocka_unit_test(arrivals_are_a_poisson_process),
        cmocka_unit_test(further_pairs_are_spread),
        cmocka_unit_test(first_pairs_stay),
        cmocka_unit_test(splits_leave_a_rest),
    };
    const struct CMUnitTest servers[] = {
        cmocka_unit_test(a_server_has_its_own_folder),
        cmocka_unit_test(what_the_program_says_is_told),
        cmocka_unit_test(a_missing_program_is_told),
        cmocka_unit_test(a_server_ends_with_the_program),
    };
    int failed = cmocka_run_group_tests(workers, NULL, NULL);
    return failed + cmocka_run_group_tests(servers, set_up_tools, remove_tools);
}
