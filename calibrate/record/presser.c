/*
 * presser.c - see presser.h.
 */
#include "calibrate/record/presser.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define ANSWER_MS 30000
#define END_MS    5000

/* In the process. */
static void begin_presser(const struct cal_presser *p, char **environment, pid_t parent, int in,
                          int out)
{
    char *const arguments[] = {"sh", "-c", (char *)(uintptr_t)p->command, NULL};
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(126);
    dup2(in, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve("/bin/sh", arguments, environment);
    _exit(127);
}

int cal_presser_start(struct cal_presser *p, struct cal_mps *mps, struct dcs_err *err)
{
    struct cal_worker_setting settings[CAL_MPS_SETTINGS];
    int in[2], out[2];
    if (pipe2(in, O_CLOEXEC) != 0)
        return dcs_err_set(err, "cannot make a pipe: %s", strerror(errno));
    if (pipe2(out, O_CLOEXEC) != 0) {
        dcs_err_set(err, "cannot make a pipe: %s", strerror(errno));
        close(in[0]);
        close(in[1]);
        return -1;
    }
    cal_mps_settings(mps, p->percent, settings);
    char **environment = cal_environment(settings);
    pid_t parent = getpid();
    fflush(NULL);
    signal(SIGPIPE, SIG_IGN); /* it may have ended: writing then fails */
    p->pid = fork();
    if (p->pid == 0)
        begin_presser(p, environment, parent, in[0], out[1]);
    int why = errno;
    cal_environment_free(environment);
    close(in[0]);
    close(out[1]);
    p->orders = in[1];
    p->answers = out[0];
    if (p->pid > 0)
        return 0;
    p->pid = 0;
    close(p->orders);
    close(p->answers);
    return dcs_err_set(err, "cannot start a process: %s", strerror(why));
}

/* A line, without its end. */
static int read_answer(struct cal_presser *p, char *line, size_t size, struct dcs_err *err)
{
    size_t n = 0;
    struct pollfd from = {.fd = p->answers, .events = POLLIN};
    int64_t limit_ns = cal_now_ns() + ANSWER_MS * DCS_NS_PER_MS;
    while (n + 1 < size) {
        int ready = poll(&from, 1, 100);
        if (ready > 0 && read(p->answers, line + n, 1) != 1)
            return dcs_err_set(err,
                               "the producer at %d %% has ended: is there a GPU, and is it "
                               "free?",
                               p->percent);
        if (ready > 0 && line[n++] == '\n')
            break;
        if (cal_now_ns() > limit_ns)
            return dcs_err_set(err, "the producer at %d %% does not answer", p->percent);
    }
    line[n] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return 0;
}

static int ask_presser(struct cal_presser *p, const char *order, char *answer, size_t size,
                       struct dcs_err *err)
{
    if (write(p->orders, order, strlen(order)) != (ssize_t)strlen(order))
        return dcs_err_set(err, "the producer at %d %% has ended: is there a GPU, and is it free?",
                           p->percent);
    if (read_answer(p, answer, size, err) != 0)
        return -1;
    if (strncmp(answer, "fault ", 6) == 0)
        return dcs_err_set(err, "the producer at %d %%: %.*s: %.200s", p->percent,
                           (int)strcspn(order, "\n"), order, answer + 6);
    return 0;
}

int cal_presser_press(struct cal_presser *p, const char *family, int level, struct dcs_err *err)
{
    char order[160], answer[512];
    snprintf(order, sizeof order, "%.100s %d\n", family, level);
    if (ask_presser(p, order, answer, sizeof answer, err) != 0)
        return -1;
    if (strncmp(answer, "runs ", 5) != 0)
        return dcs_err_set(err, "the producer: expected \"runs ...\", found \"%.100s\"", answer);
    return 0;
}

int cal_presser_release(struct cal_presser *p, struct cal_pressed *made, struct dcs_err *err)
{
    char answer[512], family[128];
    int level;
    long long sms;
    if (ask_presser(p, "stop\n", answer, sizeof answer, err) != 0)
        return -1;
    if (sscanf(answer, "made %127s %d %lld %lf %lf %lf %lf", family, &level, &sms,
               &made->iterations, &made->ns, &made->dram_bytes, &made->l2_bytes) != 7 ||
        sms < 1 || !(made->iterations >= 0) || !(made->ns > 0))
        return dcs_err_set(err, "the producer: expected \"made ...\", found \"%.100s\"", answer);
    made->sms = sms;
    return 0;
}

void cal_presser_end(struct cal_presser *p)
{
    if (p->pid == 0)
        return;
    pid_t ended = 0;
    int64_t limit_ns = cal_now_ns() + END_MS * DCS_NS_PER_MS;
    close(p->orders); /* which ends it: a client of MPS that is killed may take others with it */
    while ((ended = waitpid(p->pid, NULL, WNOHANG)) == 0 && cal_now_ns() < limit_ns)
        cal_sleep_until(cal_now_ns() + DCS_NS_PER_MS);
    close(p->answers);
    kill(-p->pid, SIGKILL);
    if (ended == 0) {
        kill(p->pid, SIGKILL); /* before it has a group */
        waitpid(p->pid, NULL, 0);
    }
    p->pid = 0;
}
