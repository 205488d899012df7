/*
 * paired_programs.c - see paired_programs.h.
 */
#include "calibrate/record/paired_programs.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* What a stopped program has launched runs to its end on the device: at most the one request that
 * it serves. Of our applications at their default sizes, alone on an H200, all but one (gaussian,
 * 74 ms) take less than 40 ms. What lasts longer ends in the first part of the next window, which
 * does not count. */
#define DRAIN_NS (60 * DCS_NS_PER_MS)
#define SLICE_NS (20 * DCS_NS_PER_MS)
/* Programs that were told to end may take so long before they write more of what they recorded,
 * with which they may be behind, and so long in all. */
#define END_NS     (15 * DCS_NS_PER_S)
#define WRITING_NS (45 * DCS_NS_PER_S)
/* The recorder asks CUPTI for what it has each second. Of a program that was told to end at once
 * after it had been stopped, the last half second was missing. */
#define HANDED_NS (1500 * DCS_NS_PER_MS)

static int64_t clock_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * DCS_NS_PER_S + now.tv_nsec;
}

/* --- starting --- */

static char **environment_of(const struct cal_paired_client *c, struct cal_mps *mps,
                             const char *library)
{
    const char *how = c->how;
    struct cal_worker_setting all[CAL_MPS_SETTINGS + 4], of_mps[CAL_MPS_SETTINGS];
    int n = 0;
    cal_mps_settings(mps, c->percent, of_mps);
    for (const struct cal_worker_setting *s = of_mps; s->name != NULL; s++)
        all[n++] = *s;
    bool range = strcmp(how, "waits") != 0 && strcmp(how, "process") != 0;
    all[n++] = (struct cal_worker_setting){"CUDA_INJECTION64_PATH", library};
    all[n++] = (struct cal_worker_setting){"NVTX_INJECTION64_PATH", library};
    all[n++] = (struct cal_worker_setting){"DCSIM_RECORD_FOLDER", c->folder};
    all[n++] = (struct cal_worker_setting){"DCSIM_RECORD_RANGE", range ? how : NULL};
    all[n] = (struct cal_worker_setting){NULL, NULL};
    return cal_environment(all);
}

/* In the program's process. */
static void begin_program(const struct cal_paired_client *c, char **environment, pid_t parent)
{
    char said[sizeof c->folder + 8];
    char *const arguments[] = {"sh", "-c", (char *)(uintptr_t)c->command, NULL};
    sigset_t none;
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    snprintf(said, sizeof said, "%s/said", c->folder);
    int nothing = open("/dev/null", O_RDONLY), out = open(said, O_WRONLY | O_CREAT, 0600);
    if (getppid() != parent || nothing < 0 || out < 0)
        _exit(126);
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    signal(SIGINT, SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execve("/bin/sh", arguments, environment);
    _exit(127);
}

/* In a process of its own: what a shell started is no child of ours, and would outlive us. */
static void guard_group(pid_t group, pid_t parent)
{
    sigset_t death;
    int number;
    setpgid(0, 0);
    sigemptyset(&death);
    sigaddset(&death, SIGUSR1);
    sigprocmask(SIG_BLOCK, &death, NULL);
    prctl(PR_SET_PDEATHSIG, SIGUSR1);
    if (getppid() == parent)
        sigwait(&death, &number);
    kill(-group, SIGKILL);
    _exit(0);
}

static void end_guard(struct cal_paired_client *c)
{
    if (c->guard > 0) {
        kill(c->guard, SIGKILL);
        waitpid(c->guard, NULL, 0);
    }
    c->guard = 0;
}

int cal_paired_start(struct cal_paired_client *c, struct cal_mps *mps, const char *library,
                     struct dcs_err *err)
{
    if (mkdir(c->folder, 0700) != 0)
        return dcs_err_at(err, c->folder, 0, NULL, "cannot be made: %s", strerror(errno));
    if (c->paced && (c->pace = cal_pace_create(c->folder, err)) == NULL)
        return -1;
    char **environment = environment_of(c, mps, library);
    pid_t parent = getpid();
    fflush(NULL);
    c->warm = false;
    c->pid = fork();
    if (c->pid == 0)
        begin_program(c, environment, parent);
    int why = errno;
    cal_environment_free(environment);
    if (c->pid < 0) {
        c->pid = 0;
        return dcs_err_set(err, "cannot start a process: %s", strerror(why));
    }
    setpgid(c->pid, c->pid);
    c->guard = fork();
    if (c->guard == 0)
        guard_group(c->pid, parent);
    return 0;
}

/* --- while they run --- */

/* The last line that it said. */
static void read_last_words(const struct cal_paired_client *c, char *text, size_t size)
{
    char path[sizeof c->folder + 8], line[256];
    snprintf(path, sizeof path, "%s/said", c->folder);
    snprintf(text, size, "nothing was said");
    FILE *in = fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        line[strcspn(line, "\n")] = '\0';
        if (line[0] != '\0')
            snprintf(text, size, "%.200s", line);
    }
    if (in != NULL)
        fclose(in);
}

static int check_alive(struct cal_paired_client *c, struct dcs_err *err)
{
    char said[256];
    int status = 0;
    if (c->pid != 0 && waitpid(c->pid, &status, WNOHANG) == 0)
        return 0;
    if (c->pid != 0)
        kill(-c->pid, SIGKILL); /* its children */
    c->pid = 0;
    end_guard(c);
    read_last_words(c, said, sizeof said);
    return dcs_err_set(err,
                       "%s at %d %% has ended (%s %d), and shall serve until it is told to end: %s",
                       c->name, c->percent, WIFSIGNALED(status) ? "signal" : "exit code",
                       WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status), said);
}

/* Lines that begin with the letter, in a recording that is being written. */
static int count_lines(const char *path, char letter)
{
    char line[512];
    int found = 0;
    bool begins = true;
    FILE *in = fopen(path, "r");
    while (in != NULL && fgets(line, sizeof line, in) != NULL) {
        found += begins && line[0] == letter;
        begins = strchr(line, '\n') != NULL;
    }
    if (in != NULL)
        fclose(in);
    return found;
}

/* Ranges or waits that it has ended. */
static int count_requests(const struct cal_paired_client *c)
{
    char path[sizeof c->folder + 260];
    char letter = strcmp(c->how, "waits") == 0 ? 'W' : strcmp(c->how, "process") == 0 ? 'K' : 'R';
    int found = 0;
    DIR *folder = opendir(c->folder);
    for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
        if (strstr(e->d_name, ".record") != NULL) {
            snprintf(path, sizeof path, "%s/%s", c->folder, e->d_name);
            found += count_lines(path, letter);
        }
    if (folder != NULL)
        closedir(folder);
    return found;
}

static int check_interrupted(const volatile sig_atomic_t *interrupted, struct dcs_err *err)
{
    return *interrupted ? dcs_err_set(err, "interrupted (%s)", strsignal(*interrupted)) : 0;
}

int cal_paired_await(struct cal_paired_client *clients, size_t count, int requests, double limit_s,
                     const volatile sig_atomic_t *interrupted, struct dcs_err *err)
{
    int64_t limit_ns = cal_now_ns() + (int64_t)(limit_s * 1e9);
    for (size_t warm = 0; warm < count;) {
        warm = 0;
        for (size_t i = 0; i < count; i++) {
            struct cal_paired_client *c = &clients[i];
            if (check_alive(c, err) != 0 || check_interrupted(interrupted, err) != 0)
                return -1;
            if (!c->warm && count_requests(c) >= requests) {
                kill(-c->pid, SIGSTOP);
                c->warm = true;
            }
            warm += c->warm;
            if (!c->warm && cal_now_ns() > limit_ns)
                return dcs_err_set(
                    err,
                    "%s at %d %% has not done %d requests (%s) after %.0f s: is that "
                    "what a request is?",
                    c->name, c->percent, requests, c->how, limit_s);
        }
        cal_sleep_until(cal_now_ns() + SLICE_NS);
    }
    cal_paired_drain();
    return 0;
}

static void signal_all(struct cal_paired_client *const *clients, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (clients[i]->pid != 0)
            kill(-clients[i]->pid, number);
}

int cal_paired_run(struct cal_paired_client *const *clients, size_t count, double seconds,
                   const volatile sig_atomic_t *interrupted, struct cal_paired_window *window,
                   struct dcs_err *err)
{
    int64_t limit_ns = cal_now_ns() + (int64_t)(seconds * 1e9);
    window->begin_ns = clock_ns();
    signal_all(clients, count, SIGCONT);
    while (cal_now_ns() < limit_ns && !*interrupted) {
        int64_t next_ns = cal_now_ns() + SLICE_NS;
        cal_sleep_until(next_ns < limit_ns ? next_ns : limit_ns);
    }
    int64_t end_ns = clock_ns();
    signal_all(clients, count, SIGSTOP);
    for (size_t i = 0; i < count; i++)
        if (check_alive(clients[i], err) != 0)
            return -1;
    if (check_interrupted(interrupted, err) != 0)
        return -1;
    window->end_ns = end_ns;
    return 0;
}

void cal_paired_drain(void)
{
    cal_sleep_until(cal_now_ns() + DRAIN_NS);
}

/* --- the end --- */

/* What they have recorded so far. */
static int64_t recorded_bytes(const struct cal_paired_client *clients, size_t count)
{
    int64_t bytes = 0;
    struct stat file;
    for (size_t i = 0; i < count; i++) {
        DIR *folder = clients[i].pid != 0 ? opendir(clients[i].folder) : NULL;
        for (struct dirent *e; folder != NULL && (e = readdir(folder)) != NULL;)
            if (strstr(e->d_name, ".record") != NULL &&
                fstatat(dirfd(folder), e->d_name, &file, AT_SYMLINK_NOFOLLOW) == 0)
                bytes += file.st_size;
        if (folder != NULL)
            closedir(folder);
    }
    return bytes;
}

/* Takes leave of those that have ended, and of their children. How many go on. */
static size_t reap(struct cal_paired_client *clients, size_t count)
{
    size_t left = 0;
    for (size_t i = 0; i < count; i++) {
        struct cal_paired_client *c = &clients[i];
        if (c->pid == 0)
            continue;
        if (waitpid(c->pid, NULL, WNOHANG) == 0) {
            left++;
            continue;
        }
        kill(-c->pid, SIGKILL);
        c->pid = 0;
    }
    return left;
}

/* Waits until all have ended, and as long as they still write what they have recorded. */
static void await_ends(struct cal_paired_client *clients, size_t count,
                       const volatile sig_atomic_t *interrupted)
{
    int64_t begin_ns = cal_now_ns(), limit_ns = begin_ns + END_NS;
    int64_t bytes = recorded_bytes(clients, count);
    while (reap(clients, count) > 0) {
        cal_sleep_until(cal_now_ns() + SLICE_NS);
        if (cal_now_ns() < limit_ns)
            continue;
        int64_t now = recorded_bytes(clients, count);
        if (now == bytes || *interrupted || limit_ns >= begin_ns + WRITING_NS)
            return;
        bytes = now;
        limit_ns += END_NS;
    }
}

static void signal_started(const struct cal_paired_client *clients, size_t count, int number)
{
    for (size_t i = 0; i < count; i++)
        if (clients[i].pid != 0)
            kill(-clients[i].pid, number);
}

void cal_paired_end(struct cal_paired_client *clients, size_t count,
                    const volatile sig_atomic_t *interrupted)
{
    signal_started(clients, count, SIGCONT);
    if (!*interrupted && reap(clients, count) > 0)
        cal_sleep_until(cal_now_ns() + HANDED_NS);
    signal_started(clients, count, SIGINT);
    await_ends(clients, count, interrupted);
    for (size_t i = 0; i < count; i++) {
        struct cal_paired_client *c = &clients[i];
        if (c->pid != 0) {
            kill(-c->pid, SIGKILL);
            waitpid(c->pid, NULL, 0);
            fprintf(stderr,
                    "dcsim-calibrate: %s at %d %% did not end when told to, and was killed: the "
                    "last that it recorded may be missing\n",
                    c->name, c->percent);
        }
        c->pid = 0;
        end_guard(c);
        cal_pace_release(c->pace);
        c->pace = NULL;
    }
}
