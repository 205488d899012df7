/* fit_after.c - see fit_after.h. Knows no CUDA. */
#include "calibrate/commands/fit_after.h"
#include "calibrate/commands/calibrate_command.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define IN_SOURCES   "calibrate/fit/fit_contention.py"
#define IN_DATA      "fit/fit_contention.py"
#define REASON_BYTES 1100

const char *cal_fit_script(void)
{
    /* The first is empty where a package is built. */
    if (DCS_SOURCE_DIR[0] != '\0' && access(DCS_SOURCE_DIR "/" IN_SOURCES, R_OK) == 0)
        return DCS_SOURCE_DIR "/" IN_SOURCES;
    return access(DCS_DATA_DIR "/" IN_DATA, R_OK) == 0 ? DCS_DATA_DIR "/" IN_DATA : NULL;
}

/* Ends a line that has begun with what is the matter. */
static void print_by_hand(const struct cal_fit_after *f)
{
    fprintf(stderr, "python3 '%s' --inferred ", f->script != NULL ? f->script : IN_SOURCES);
    if (f->apps != NULL)
        fprintf(stderr, "--app '%s' ", f->apps);
    fprintf(stderr, "'%s'\n", f->profile);
}

static int start_script(const struct cal_fit_after *f, pid_t *pid)
{
    char inferred[] = "--inferred", app[] = "--app";
    char *arguments[8] = {"python3", "-B", /* nothing is written beside an installed script */
                          (char *)(uintptr_t)f->script, inferred};
    size_t n = 4;
    if (f->apps != NULL) {
        arguments[n++] = app;
        arguments[n++] = (char *)(uintptr_t)f->apps;
    }
    arguments[n] = (char *)(uintptr_t)f->profile;
    fflush(NULL);
    return posix_spawnp(pid, "python3", NULL, NULL, arguments, environ);
}

/* Exit code of the fit; -1 and why: it did not begin, or was killed. */
static int run_script(const struct cal_fit_after *f, char *why)
{
    pid_t pid;
    int status = start_script(f, &pid);
    if (status != 0) {
        snprintf(why, REASON_BYTES, "python3 cannot be started: %s", strerror(status));
        return -1;
    }
    /* It is asked again and again, since waitpid() goes on after a signal that signal() handles. */
    const struct timespec pause = {.tv_nsec = 20 * DCS_NS_PER_MS};
    pid_t ended = 0;
    for (bool told = false; (ended = waitpid(pid, &status, WNOHANG)) == 0;) {
        if (cal_interrupted && !told)
            told = kill(pid, SIGTERM) == 0;
        nanosleep(&pause, NULL);
    }
    if (ended < 0) {
        snprintf(why, REASON_BYTES, "waiting for python3: %s", strerror(errno));
        return -1;
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
        return DCS_EXIT_OK;
    if (cal_interrupted || (WIFSIGNALED(status) && WTERMSIG(status) == SIGINT))
        return DCS_EXIT_INTERRUPTED;
    if (WIFSIGNALED(status)) {
        snprintf(why, REASON_BYTES, "python3 was killed by signal %d", WTERMSIG(status));
        return -1;
    }
    snprintf(why, REASON_BYTES, "python3 ended with exit code %d", WEXITSTATUS(status));
    return WEXITSTATUS(status);
}

static int fit(const struct cal_fit_after *f)
{
    char why[REASON_BYTES];
    int code = -1;
    if (f->script == NULL) {
        snprintf(why, sizeof why, "fit_contention.py is neither in %s nor in %s",
                 DCS_SOURCE_DIR[0] != '\0' ? DCS_SOURCE_DIR "/calibrate/fit" : "a source tree",
                 DCS_DATA_DIR "/fit");
    } else {
        fprintf(stderr, "dcsim-calibrate: fitting contention: ");
        print_by_hand(f);
        code = run_script(f, why);
    }
    if (code == 0)
        return DCS_EXIT_OK;
    if (code == DCS_EXIT_INTERRUPTED)
        snprintf(why, sizeof why, "interrupted");
    fprintf(stderr, "dcsim-calibrate: contention is not fitted: %s; run by hand%s: ", why,
            f->script != NULL ? "" : ", in dcsim's sources");
    print_by_hand(f);
    return code == DCS_EXIT_INTERRUPTED ? code : EXIT_FAILED_STEPS;
}

int cal_fit_after(const struct cal_fit_after *f, int code)
{
    const struct cal_run_result *r = &f->steps;
    size_t failed = r->failed + r->failed_before, missing = r->left - failed - r->not_here;
    if (f->how == CAL_FIT_NOT || code == DCS_EXIT_USER)
        return code;
    if (f->how == CAL_FIT_BY_HAND && code != DCS_EXIT_OK && code != EXIT_FAILED_STEPS)
        return code;
    if (f->how == CAL_FIT_BY_HAND) {
        fprintf(stderr, "dcsim-calibrate: in a simulation kernels slow each other once contention "
                        "is fitted: ");
        print_by_hand(f);
        return code;
    }
    if (missing > 0) {
        fprintf(stderr,
                "dcsim-calibrate: contention is fitted when the %zu steps that are missing are "
                "done: run the same command again\n",
                missing);
        return code;
    }
    if (failed > 0) {
        fprintf(stderr,
                "dcsim-calibrate: contention is not fitted, for %zu steps have failed: run the "
                "same command with --retry-failed, or fit without them: ",
                failed);
        print_by_hand(f);
        return code;
    }
    return code == DCS_EXIT_OK ? fit(f) : code;
}
