/*
 * test_calibrate_fit_after.c - pins when `dcsim-calibrate all` fits contention, and what it says
 * where it does not: with which arguments python3 is started, that its output and its failure are
 * passed on, that a signal ends it, that it is left until all steps are done that can be done here,
 * and the exit code. A script of the shell stands in for python3. Does not pin the fit
 * (e2e/contention_fit).
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/fit_after.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

volatile sig_atomic_t cal_interrupted;

static char folder[256], python[320], heard[320], path[4096];
static char text[4096]; /* of both streams of the last fit */

/* What python3 does; NULL: there is none. */
static void make_python(const char *script)
{
    unlink(python);
    if (script == NULL)
        return;
    FILE *f = fopen(python, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", script);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(python, 0700), 0);
}

static int setup(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "%s/test_calibrate_fit_after_XXXXXX", DCS_BINARY_DIR);
    if (mkdtemp(folder) == NULL)
        return -1;
    snprintf(python, sizeof python, "%s/python3", folder);
    snprintf(heard, sizeof heard, "%s/heard", folder);
    snprintf(path, sizeof path, "%s", getenv("PATH"));
    return setenv("PATH", folder, 1);
}

static int teardown(void **state)
{
    (void)state;
    unlink(python);
    unlink(heard);
    setenv("PATH", path, 1);
    return rmdir(folder);
}

static void read_heard(void)
{
    FILE *f = fopen(heard, "r");
    assert_non_null(f);
    text[fread(text, 1, sizeof text - 1, f)] = '\0';
    fclose(f);
}

/* The exit code; what was printed is in text. */
static int ended(const struct cal_fit_after *f, int code)
{
    int file = open(heard, O_CREAT | O_TRUNC | O_WRONLY, 0600), kept[2];
    assert_true(file >= 0);
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        kept[i] = dup(i + 1);
        assert_int_equal(dup2(file, i + 1), i + 1);
    }
    int result = cal_fit_after(f, code);
    fflush(NULL);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(dup2(kept[i], i + 1), i + 1);
        close(kept[i]);
    }
    close(file);
    read_heard();
    return result;
}

static int lines(void)
{
    int n = 0;
    for (const char *c = text; *c != '\0'; c++)
        n += *c == '\n';
    return n;
}

static void assert_says(const char *part)
{
    if (strstr(text, part) == NULL)
        fail_msg("\"%s\" is not in: %s", part, text);
}

static struct cal_fit_after all_done(void)
{
    return (struct cal_fit_after){.how = CAL_FIT_RUN,
                                  .script = "/s/fit.py",
                                  .profile = "my gpu.db",
                                  .steps = {.done = 4, .before = 2}};
}

static void the_script_is_that_of_the_sources(void **state)
{
    (void)state;
    assert_string_equal(cal_fit_script(), DCS_SOURCE_DIR "/calibrate/fit/fit_contention.py");
    assert_int_equal(access(cal_fit_script(), X_OK), 0);
}

static void fits_what_is_measured(void **state)
{
    (void)state;
    struct cal_fit_after f = all_done();
    make_python("echo \"got:$#:$1:$2:$3:$4\"; echo to-stderr >&2");
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_OK);
    assert_says("got:4:-B:/s/fit.py:--inferred:my gpu.db\n");
    assert_says("\nto-stderr\n");
    assert_says(
        "dcsim-calibrate: fitting contention: python3 '/s/fit.py' --inferred 'my gpu.db'\n");
    f.apps = "scale,mri*";
    make_python("echo \"got:$#:$4:$5:$6\"");
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_OK);
    assert_says("got:6:--app:scale,mri*:my gpu.db\n");
    assert_says("'/s/fit.py' --inferred --app 'scale,mri*' 'my gpu.db'\n");
    make_python("echo \"got:$#:$1:$2:$3:$4\"; echo to-stderr >&2");
    f.apps = NULL;
    /* What cannot be measured here, as counters without a profiler, is not waited for. */
    f.steps.left = f.steps.not_here = 3;
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_OK);
    assert_says("got:4:");
}

static void a_fit_that_fails_says_what_to_run(void **state)
{
    (void)state;
    struct cal_fit_after f = all_done();
    make_python("echo 'fit_contention.py: needs numpy' >&2; exit 1");
    assert_int_equal(ended(&f, DCS_EXIT_OK), EXIT_FAILED_STEPS);
    assert_says(
        "fit_contention.py: needs numpy\ndcsim-calibrate: contention is not fitted: python3 "
        "ended with exit code 1; run by hand: python3 '/s/fit.py' --inferred 'my gpu.db'\n");
    assert_int_equal(lines(), 3);
    make_python("kill -9 $$");
    assert_int_equal(ended(&f, DCS_EXIT_OK), EXIT_FAILED_STEPS);
    assert_says("python3 was killed by signal 9; run by hand: ");
    make_python("kill -2 $$");
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_INTERRUPTED);
    assert_says("contention is not fitted: interrupted; run by hand: ");
    make_python("exit 130");
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_INTERRUPTED);
}

static void interrupt(int number)
{
    cal_interrupted = number;
}

/* The script is told to end, and the exit code says that it was. */
static void a_signal_ends_the_fit(void **state)
{
    (void)state;
    struct cal_fit_after f = all_done();
    make_python("kill -TERM $PPID; exec /bin/sleep 60");
    void (*before)(int) = signal(SIGTERM, interrupt); /* as cal_catch_interrupts() does */
    time_t begin = time(NULL);
    int code = ended(&f, DCS_EXIT_OK);
    signal(SIGTERM, before);
    cal_interrupted = 0;
    assert_true(time(NULL) - begin < 50);
    assert_int_equal(code, DCS_EXIT_INTERRUPTED);
    assert_says("contention is not fitted: interrupted; run by hand: ");
}

static void without_python_or_script(void **state)
{
    (void)state;
    struct cal_fit_after f = all_done();
    make_python(NULL);
    assert_int_equal(ended(&f, DCS_EXIT_OK), EXIT_FAILED_STEPS);
    assert_says("contention is not fitted: python3 cannot be started: No such file or directory; "
                "run by hand: python3 '/s/fit.py' --inferred 'my gpu.db'\n");
    make_python("echo started");
    f.script = NULL;
    assert_int_equal(ended(&f, DCS_EXIT_OK), EXIT_FAILED_STEPS);
    assert_says("contention is not fitted: fit_contention.py is neither in ");
    assert_says("/calibrate/fit nor in " DCS_DATA_DIR "/fit; run by hand, in dcsim's sources: "
                "python3 'calibrate/fit/fit_contention.py' --inferred 'my gpu.db'\n");
    assert_int_equal(lines(), 1);
}

/* Nothing is started then. */
static void a_fit_waits_for_the_steps(void **state)
{
    (void)state;
    struct cal_fit_after f = all_done();
    make_python("echo started");
    f.steps.left = 5;
    f.steps.not_here = 2;
    f.steps.out_of_time = true;
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_OK);
    assert_string_equal(text, "dcsim-calibrate: contention is fitted when the 3 steps that are "
                              "missing are done: run the same command again\n");
    assert_int_equal(ended(&f, DCS_EXIT_INTERRUPTED), DCS_EXIT_INTERRUPTED);
    assert_says("the 3 steps that are missing");
    f.steps.failed = 2;
    f.steps.failed_before = 1;
    assert_int_equal(ended(&f, EXIT_FAILED_STEPS), EXIT_FAILED_STEPS);
    assert_string_equal(text,
                        "dcsim-calibrate: contention is not fitted, for 3 steps have failed: run "
                        "the same command with --retry-failed, or fit without them: python3 "
                        "'/s/fit.py' --inferred 'my gpu.db'\n");
    /* What failed in an earlier run is no failure of this one. */
    f.steps.failed = 0;
    f.steps.failed_before = 3;
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_OK);
    assert_says("for 3 steps have failed");
}

static void by_hand_or_not_at_all(void **state)
{
    (void)state;
    struct cal_fit_after f = all_done();
    make_python("echo started");
    f.how = CAL_FIT_BY_HAND;
    assert_int_equal(ended(&f, EXIT_FAILED_STEPS), EXIT_FAILED_STEPS);
    assert_string_equal(text, "dcsim-calibrate: in a simulation kernels slow each other once "
                              "contention is fitted: python3 '/s/fit.py' --inferred 'my gpu.db'\n");
    assert_int_equal(ended(&f, EXIT_CONTEXT_LOST), EXIT_CONTEXT_LOST);
    assert_string_equal(text, "");
    f.how = CAL_FIT_NOT;
    assert_int_equal(ended(&f, DCS_EXIT_OK), DCS_EXIT_OK);
    assert_string_equal(text, "");
    /* The profile could not be written: that was said. */
    f.how = CAL_FIT_RUN;
    assert_int_equal(ended(&f, DCS_EXIT_USER), DCS_EXIT_USER);
    assert_string_equal(text, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_script_is_that_of_the_sources),
        cmocka_unit_test_setup_teardown(fits_what_is_measured, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fit_that_fails_says_what_to_run, setup, teardown),
        cmocka_unit_test_setup_teardown(a_signal_ends_the_fit, setup, teardown),
        cmocka_unit_test_setup_teardown(without_python_or_script, setup, teardown),
        cmocka_unit_test_setup_teardown(a_fit_waits_for_the_steps, setup, teardown),
        cmocka_unit_test_setup_teardown(by_hand_or_not_at_all, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
