/*
 * recorded_program.c - see recorded_program.h. A process between this one and the program inherits
 * what the program leaves behind (it is their reaper), and so can tell of it. It has a group of its
 * own, too: this program tells it of signals, and it tells the program's group.
 */
#include "calibrate/record/recorded_program.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define LEAVE_NS    (3 * DCS_NS_PER_S) /* helpers of Python end some time after it */
#define PARENT_GONE SIGUSR1

/* What the process between tells. */
struct told {
    int failed; /* errno of the start; 0: it was started */
    int status;
    int64_t wall_ns;
    int left_behind;
};

static char **environment_of(const struct cal_program_run *r)
{
    struct cal_worker_setting all[16] = {{NULL, NULL}};
    int n = 0;
    for (const struct cal_worker_setting *s = r->settings; s != NULL && s->name != NULL; s++) {
        DCS_ASSERT(n < 8);
        all[n++] = *s;
    }
    if (r->folder != NULL) {
        all[n++] =
            (struct cal_worker_setting){"CUDA_INJECTION64_PATH", r->clock ? NULL : r->library};
        all[n++] = (struct cal_worker_setting){"NVTX_INJECTION64_PATH", r->library};
        all[n++] = (struct cal_worker_setting){"DCSIM_RECORD_FOLDER", r->folder};
        all[n++] = (struct cal_worker_setting){"DCSIM_RECORD_RANGE", r->range};
        all[n++] = (struct cal_worker_setting){"DCSIM_RECORD_CALLS", r->calls ? "1" : NULL};
    }
    return cal_environment(all);
}

static void set_of_signals(sigset_t *set)
{
    sigemptyset(set);
    sigaddset(set, SIGINT);
    sigaddset(set, SIGTERM);
}

/* In the program's process. The pipe closes when it has begun, and says why not otherwise. */
static void begin_program(const struct cal_program_run *r, char **environment, int pipe_end)
{
    sigset_t none;
    setpgid(0, 0);
    int nothing = isatty(STDIN_FILENO) ? open("/dev/null", O_RDONLY) : -1;
    if (nothing >= 0)
        dup2(nothing, STDIN_FILENO);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvpe(r->arguments[0], r->arguments, environment);
    int why = errno;
    if (write(pipe_end, &why, sizeof why) < 0)
        _exit(126);
    _exit(127);
}

static void start_program(const struct cal_program_run *r, char **environment, struct told *told,
                          pid_t *pid)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0 || (*pid = fork()) < 0) {
        told->failed = errno;
        return;
    }
    if (*pid == 0)
        begin_program(r, environment, ends[1]);
    close(ends[1]);
    if (read(ends[0], &told->failed, sizeof told->failed) <= 0)
        told->failed = 0;
    close(ends[0]);
}

/* A process that is still there when the others have had their time; 0: none. */
static int await_others(void)
{
    siginfo_t info;
    for (int64_t limit = cal_now_ns() + LEAVE_NS; cal_now_ns() < limit;) {
        while (waitpid(-1, NULL, WNOHANG) > 0)
            ;
        memset(&info, 0, sizeof info);
        if (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) != 0)
            return 0; /* no children */
        cal_sleep_until(cal_now_ns() + 20 * DCS_NS_PER_MS);
    }
    char path[64], text[32] = "";
    snprintf(path, sizeof path, "/proc/self/task/%d/children", (int)getpid());
    FILE *in = fopen(path, "r");
    if (in != NULL && fgets(text, sizeof text, in) == NULL)
        text[0] = '\0';
    if (in != NULL)
        fclose(in);
    int first = atoi(text);
    return first > 0 ? first : 1;
}

/* Waits for the program, and hands signals on to its group. */
static int await_program(pid_t pid, const sigset_t *awaited)
{
    for (int status = 0;;) {
        pid_t ended = waitpid(pid, &status, WNOHANG);
        if (ended == pid || (ended < 0 && errno != EINTR))
            return status;
        int number = sigwaitinfo(awaited, NULL); /* SIGCHLD: look again */
        if (number == PARENT_GONE) {
            kill(-pid, SIGKILL);
        } else if (number == SIGINT || number == SIGTERM) {
            kill(-pid, number);
            kill(-pid, SIGCONT); /* a stopped one would not see it */
        }
    }
}

/* The process between. All signals are blocked that it waits for. */
static void supervise(const struct cal_program_run *r, char **environment, int pipe_end,
                      pid_t parent)
{
    struct told told = {0};
    pid_t pid = 0;
    sigset_t awaited;
    set_of_signals(&awaited);
    sigaddset(&awaited, SIGCHLD);
    sigaddset(&awaited, PARENT_GONE);
    sigprocmask(SIG_BLOCK, &awaited, NULL);
    setpgid(0, 0);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    prctl(PR_SET_PDEATHSIG, PARENT_GONE);
    if (getppid() != parent)
        _exit(1);
    int64_t began = cal_now_ns();
    start_program(r, environment, &told, &pid);
    if (told.failed == 0) {
        told.status = await_program(pid, &awaited);
        told.wall_ns = cal_now_ns() - began;
        told.left_behind = await_others();
    }
    ssize_t written = write(pipe_end, &told, sizeof told);
    _exit(written == (ssize_t)sizeof told ? 0 : 1);
}

/* What the process between tells at the end; hands it each signal that comes until then. `usual`
 * has the signals open, which are blocked here: none comes between the look and the wait. */
static bool read_told(const struct cal_program_run *r, pid_t between, int pipe_end,
                      const sigset_t *usual, struct told *told)
{
    struct pollfd ready = {.fd = pipe_end, .events = POLLIN};
    int handed = 0;
    do {
        int number = r->interrupted != NULL ? *r->interrupted : 0;
        if (number != handed) {
            kill(between, number);
            handed = number;
        }
    } while (ppoll(&ready, 1, NULL, usual) < 0 && errno == EINTR);
    return read(pipe_end, told, sizeof *told) == (ssize_t)sizeof *told;
}

int cal_program_run(const struct cal_program_run *r, struct cal_program_end *end,
                    struct dcs_err *err)
{
    struct told told;
    int ends[2], status;
    sigset_t signals, usual;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return dcs_err_set(err, "cannot make a pipe: %s", strerror(errno));
    char **environment = environment_of(r);
    fflush(NULL);
    set_of_signals(&signals);
    sigprocmask(SIG_BLOCK, &signals, &usual);
    pid_t parent = getpid(), between = fork();
    if (between == 0)
        supervise(r, environment, ends[1], parent);
    int why = errno;
    cal_environment_free(environment);
    close(ends[1]);
    bool is_told = between > 0 && read_told(r, between, ends[0], &usual, &told);
    close(ends[0]);
    sigprocmask(SIG_SETMASK, &usual, NULL);
    while (between > 0 && waitpid(between, &status, 0) < 0 && errno == EINTR)
        ;
    if (!is_told)
        return dcs_err_set(err, "cannot start a process for the program: %s",
                           between < 0 ? strerror(why) : "it has ended early");
    if (told.failed != 0)
        return dcs_err_set(err, "%.200s cannot be started: %s", r->arguments[0],
                           strerror(told.failed));
    *end = (struct cal_program_end){.wall_ns = told.wall_ns,
                                    .exit_code =
                                        WIFEXITED(told.status) ? WEXITSTATUS(told.status) : -1,
                                    .signal = WIFSIGNALED(told.status) ? WTERMSIG(told.status) : 0,
                                    .left_behind = told.left_behind};
    return 0;
}

int cal_program_put_recorder(const char *path, struct dcs_err *err)
{
    if (cal_recorder_image_bytes == 0)
        return dcs_err_set(err, "this build has no recorder, as it was made without CUPTI's header "
                                "(cupti.h); build it where CUDA's toolkit is");
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return dcs_err_at(err, path, 0, NULL, "cannot be written: %s", strerror(errno));
    size_t n = fwrite(cal_recorder_image, 1, cal_recorder_image_bytes, out);
    int failed = fclose(out) != 0 || n != cal_recorder_image_bytes;
    return failed ? dcs_err_at(err, path, 0, NULL, "cannot be written: %s", strerror(errno)) : 0;
}
