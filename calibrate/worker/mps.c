/*
 * mps.c - see mps.h.
 */
#include "calibrate/worker/mps.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define CONTROL    "nvidia-cuda-mps-control"
#define START_S    20
#define STOP_S     25
#define PATH_BYTES 256

struct cal_mps {
    char folder[PATH_BYTES], pipe[PATH_BYTES + 16], log[PATH_BYTES + 16];
    char percent[8];
    int leash; /* the guard acts when this end of its pipe is closed */
    pid_t guard, daemon;
};

extern const char mps_guard_sh[]; /* mps_guard.sh */

static const char missing[] =
    "MPS is not here: " CONTROL " is not found in PATH; it comes with NVIDIA's driver "
    "(nvidia-compute-utils)";

int cal_mps_find(struct dcs_err *err)
{
    const char *path = getenv("PATH");
    while (path != NULL && *path != '\0') {
        size_t length = strcspn(path, ":");
        char file[4096];
        snprintf(file, sizeof file, "%.*s/" CONTROL, (int)length, path);
        if (length > 0 && access(file, X_OK) == 0)
            return 0;
        path += length + (path[length] == ':');
    }
    return dcs_err_set(err, "%s", missing);
}

/* --- processes --- */

/* Starts a program found in PATH, with the folder's environment; input, and output for both
 * streams. */
static int spawn(const struct cal_mps *m, char *const *arguments, int input, int output, pid_t *pid)
{
    posix_spawn_file_actions_t files;
    posix_spawnattr_t attributes;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_adddup2(&files, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&files, output, STDERR_FILENO);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    const struct cal_worker_setting settings[] = {
        {"CUDA_MPS_PIPE_DIRECTORY", m->pipe}, {"CUDA_MPS_LOG_DIRECTORY", m->log}, {NULL, NULL}};
    char **environment = cal_environment(settings);
    int status = posix_spawnp(pid, arguments[0], &files, &attributes, arguments, environment);
    cal_environment_free(environment);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&files);
    return status;
}

/* True if it has ended in time, with its status. */
static bool ends_in(pid_t pid, double seconds, int *status)
{
    int64_t limit = cal_now_ns() + (int64_t)(seconds * 1e9);
    const struct timespec pause = {.tv_nsec = 5 * DCS_NS_PER_MS};
    while (waitpid(pid, status, WNOHANG) == 0) {
        if (cal_now_ns() > limit)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

static int start_guard(struct cal_mps *m, struct dcs_err *err)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0)
        return dcs_err_set(err, "cannot make a pipe: %s", strerror(errno));
    int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    char *script = dcs_strdup(mps_guard_sh);
    char *arguments[] = {"sh", "-c", script, "sh", CONTROL, m->folder, NULL};
    int status = spawn(m, arguments, ends[0], nothing, &m->guard);
    free(script);
    close(nothing);
    close(ends[0]);
    m->leash = ends[1];
    if (status == 0)
        return 0;
    m->guard = 0;
    return dcs_err_set(err, "cannot start sh: %s", strerror(status));
}

/* What it said, in one line. */
static void read_output(const char *path, char *text, size_t size)
{
    text[0] = '\0';
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return;
    size_t got = fread(text, 1, size - 1, in);
    fclose(in);
    text[got] = '\0';
    while (got > 0 && text[got - 1] == '\n')
        text[--got] = '\0';
    for (char *c = text; *c != '\0'; c++)
        if (*c == '\n')
            *c = ' ';
}

static int start_daemon(struct cal_mps *m, struct dcs_err *err)
{
    char path[PATH_BYTES + 64], said[300];
    snprintf(path, sizeof path, "%s/asked", m->folder);
    int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
    int output = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    char *arguments[] = {CONTROL, "-d", NULL};
    pid_t pid = 0;
    int status = spawn(m, arguments, nothing, output, &pid);
    close(nothing);
    close(output);
    if (status != 0)
        return dcs_err_set(err, "cannot start " CONTROL ": %s", strerror(status));
    if (!ends_in(pid, START_S, &status)) {
        kill(pid, SIGKILL);
        waitpid(pid, &status, 0);
        return dcs_err_set(err, CONTROL " has not started its daemon after %d s", START_S);
    }
    read_output(path, said, sizeof said);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return dcs_err_set(err, CONTROL " cannot start: %s", said[0] != '\0' ? said : "no reason");
    snprintf(path, sizeof path, "%s/" CONTROL ".pid", m->pipe);
    for (int64_t began = cal_now_ns(); m->daemon <= 0 && cal_now_ns() - began < DCS_NS_PER_S;) {
        read_output(path, said, sizeof said);
        m->daemon = (pid_t)strtol(said, NULL, 10);
        cal_sleep_until(cal_now_ns() + DCS_NS_PER_MS);
    }
    return 0;
}

/* --- the object --- */

struct cal_mps *cal_mps_start(struct dcs_err *err)
{
    if (cal_mps_find(err) != 0)
        return NULL;
    struct cal_mps *m = dcs_alloc(1, sizeof *m);
    m->leash = -1;
    /* Sockets lie in it: their paths must stay short, whatever TMPDIR says. */
    snprintf(m->folder, sizeof m->folder, "/tmp/dcsim-mps-XXXXXX");
    if (mkdtemp(m->folder) == NULL) {
        dcs_err_set(err, "cannot make a folder in /tmp: %s", strerror(errno));
        free(m);
        return NULL;
    }
    snprintf(m->pipe, sizeof m->pipe, "%s/pipe", m->folder);
    snprintf(m->log, sizeof m->log, "%s/log", m->folder);
    if (mkdir(m->pipe, 0700) != 0 || mkdir(m->log, 0700) != 0) {
        dcs_err_set(err, "cannot make %s: %s", m->pipe, strerror(errno));
        rmdir(m->pipe);
        rmdir(m->folder);
        free(m);
        return NULL;
    }
    if (start_guard(m, err) == 0 && start_daemon(m, err) == 0)
        return m;
    cal_mps_stop(m);
    return NULL;
}

bool cal_mps_alive(const struct cal_mps *m)
{
    char path[64], command[64];
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)m->daemon);
    read_output(path, command, sizeof command);
    return m->daemon <= 0 || command[0] != '\0';
}

void cal_mps_settings(struct cal_mps *m, int percent,
                      struct cal_worker_setting settings[CAL_MPS_SETTINGS])
{
    snprintf(m->percent, sizeof m->percent, "%d", percent);
    settings[0] = (struct cal_worker_setting){"CUDA_MPS_PIPE_DIRECTORY", m->pipe};
    settings[1] = (struct cal_worker_setting){"CUDA_MPS_LOG_DIRECTORY", m->log};
    settings[2] = (struct cal_worker_setting){"CUDA_MPS_ACTIVE_THREAD_PERCENTAGE", m->percent};
    /* The server has seen it, and clients number the devices that the server shows. */
    settings[3] = (struct cal_worker_setting){"CUDA_VISIBLE_DEVICES", NULL};
    settings[4] = (struct cal_worker_setting){NULL, NULL};
}

void cal_mps_stop(struct cal_mps *m)
{
    if (m == NULL)
        return;
    int status;
    if (m->leash >= 0)
        close(m->leash);
    if (m->guard > 0 && !ends_in(m->guard, STOP_S, &status)) {
        fprintf(stderr, "dcsim-calibrate: the MPS server in %s does not stop\n", m->folder);
        kill(m->guard, SIGKILL);
        waitpid(m->guard, &status, 0);
    }
    free(m);
}
