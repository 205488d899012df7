/*
 * worker.c - see worker.h.
 */
#include "calibrate/worker/worker.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define POLL_NS  (2 * DCS_NS_PER_MS) /* so long a wait polls; then it sleeps between looks */
#define LOOK_NS  50000
#define BEGIN_S  60   /* a child waits so long for the common moment */
#define IDLE_S   1800 /* and so long for an order */
#define QUIT_S   5
#define THREAD_S 10
#define NEAR_NS  200000

#define AREAS_BYTES (CAL_WORKER_THREADS * sizeof(struct cal_worker_shared))

extern char **environ;

int64_t cal_now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * DCS_NS_PER_S + now.tv_nsec;
}

void cal_sleep_until(int64_t moment_ns)
{
    int64_t left = moment_ns - cal_now_ns();
    if (left > NEAR_NS) {
        left -= NEAR_NS;
        struct timespec pause = {.tv_sec = left / DCS_NS_PER_S, .tv_nsec = left % DCS_NS_PER_S};
        nanosleep(&pause, NULL);
    }
    while (cal_now_ns() < moment_ns)
        continue;
}

/* Between two looks of a wait that began then. */
static void pause_of(int64_t began_ns)
{
    if (cal_now_ns() - began_ns < POLL_NS) {
        sched_yield();
    } else {
        const struct timespec pause = {.tv_nsec = LOOK_NS};
        nanosleep(&pause, NULL);
    }
}

/* --- starting --- */

static bool is_set(const struct cal_worker_setting *settings, const char *variable)
{
    for (; settings->name != NULL; settings++) {
        size_t length = strlen(settings->name);
        if (strncmp(variable, settings->name, length) == 0 && variable[length] == '=')
            return true;
    }
    return false;
}

char **cal_environment(const struct cal_worker_setting *settings)
{
    size_t count = 0, used = 0;
    while (environ[count] != NULL)
        count++;
    for (const struct cal_worker_setting *s = settings; s->name != NULL; s++)
        count++;
    char **list = dcs_alloc(count + 1, sizeof *list);
    for (char **e = environ; *e != NULL; e++)
        if (!is_set(settings, *e))
            list[used++] = strdup(*e);
    for (const struct cal_worker_setting *s = settings; s->name != NULL; s++) {
        if (s->value == NULL)
            continue;
        size_t size = strlen(s->name) + strlen(s->value) + 2;
        list[used] = dcs_alloc(size, 1);
        snprintf(list[used++], size, "%s=%s", s->name, s->value);
    }
    return list;
}

void cal_environment_free(char **list)
{
    for (char **e = list; *e != NULL; e++)
        free(*e);
    free(list);
}

static struct cal_worker_shared *make_shared(int *file, struct dcs_err *err)
{
    *file = memfd_create("dcsim-calibrate-worker", 0);
    struct cal_worker_shared *shared = MAP_FAILED;
    if (*file >= 0 && ftruncate(*file, AREAS_BYTES) == 0)
        shared = mmap(NULL, AREAS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, *file, 0);
    if (shared != MAP_FAILED)
        return shared;
    dcs_err_set(err, "cannot make memory that is shared with a process: %s", strerror(errno));
    if (*file >= 0)
        close(*file);
    return NULL;
}

static int spawn(struct cal_worker *w, int file, const struct cal_worker_setting *settings,
                 struct dcs_err *err)
{
    char number[16], parent[16];
    snprintf(number, sizeof number, "%d", file);
    snprintf(parent, sizeof parent, "%d", (int)getpid());
    char *arguments[] = {"dcsim-calibrate", "worker", number, parent, NULL};
    char **environment = cal_environment(settings);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    /* A group of its own: Ctrl-C is for the parent, which ends the step in hand first. */
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
    w->started_ns = cal_now_ns();
    int status = posix_spawn(&w->pid, "/proc/self/exe", NULL, &attributes, arguments, environment);
    posix_spawnattr_destroy(&attributes);
    cal_environment_free(environment);
    if (status == 0)
        return 0;
    w->pid = 0;
    return dcs_err_set(err, "cannot start the process %s: %s", w->name, strerror(status));
}

struct cal_worker *cal_worker_start(const char *name, const struct cal_worker_setting *settings,
                                    struct dcs_err *err)
{
    int file;
    struct cal_worker *w = dcs_alloc(1, sizeof *w);
    snprintf(w->name, sizeof w->name, "%s", name);
    w->shared = make_shared(&file, err);
    if (w->shared == NULL) {
        free(w);
        return NULL;
    }
    int failed = spawn(w, file, settings, err);
    close(file);
    if (!failed)
        return w;
    cal_worker_close(w);
    return NULL;
}

/* --- its end --- */

static struct cal_worker *process_of(struct cal_worker *w)
{
    return w->process != NULL ? w->process : w;
}

/* True if its process is gone. */
static bool reap(struct cal_worker *w)
{
    struct cal_worker *process = process_of(w);
    if (process->pid == 0)
        return true;
    pid_t got = waitpid(process->pid, &process->status, WNOHANG);
    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    process->pid = 0;
    return true;
}

static int tell_death(struct cal_worker *w, struct dcs_err *err)
{
    int status = process_of(w)->status;
    if (WIFSIGNALED(status))
        return dcs_err_set(err, "the process %s died in \"%s\": %s", w->name, w->shared->operation,
                           strsignal(WTERMSIG(status)));
    return dcs_err_set(err, "the process %s ended in \"%s\" with exit code %d", w->name,
                       w->shared->operation, WEXITSTATUS(status));
}

bool cal_worker_alive(struct cal_worker *w)
{
    return !reap(w);
}

int64_t cal_worker_kill(struct cal_worker *w, double limit_s)
{
    if (reap(w))
        return -1;
    int64_t began = cal_now_ns();
    kill(process_of(w)->pid, SIGKILL);
    while (!reap(w)) {
        if ((double)(cal_now_ns() - began) > limit_s * 1e9)
            return -1;
        sched_yield();
    }
    return cal_now_ns() - began;
}

static bool has_answered(const struct cal_worker_shared *s)
{
    return atomic_load(&s->answered) == atomic_load(&s->told);
}

void cal_worker_close(struct cal_worker *w)
{
    if (w == NULL)
        return;
    DCS_ASSERT(w->process == NULL);
    struct dcs_err ignored = {0};
    if (cal_worker_alive(w)) {
        cal_worker_halt(w);
        if (w->thread != NULL)
            cal_worker_halt(w->thread);
        if (has_answered(w->shared) && (w->thread == NULL || has_answered(w->thread->shared)))
            cal_worker_call(w, "quit", NULL, NULL, 0, QUIT_S, &ignored);
        for (int64_t began = cal_now_ns(); !reap(w) && cal_now_ns() - began < DCS_NS_PER_S / 2;)
            pause_of(began);
        cal_worker_kill(w, QUIT_S);
    }
    munmap(w->shared, AREAS_BYTES);
    free(w->thread);
    free(w);
}

/* --- orders --- */

void cal_worker_tell(struct cal_worker *w, const char *operation, const char *text,
                     const int64_t *args, int args_count)
{
    struct cal_worker_shared *s = w->shared;
    DCS_ASSERT(args_count <= CAL_WORKER_ARGS);
    snprintf(s->operation, sizeof s->operation, "%s", operation);
    snprintf(s->text, sizeof s->text, "%s", text != NULL ? text : "");
    memset(s->args, 0, sizeof s->args);
    if (args_count > 0)
        memcpy(s->args, args, (size_t)args_count * sizeof *args);
    memset(s->values, 0, sizeof s->values);
    s->answer[0] = s->error[0] = '\0';
    atomic_store(&s->ready, false);
    atomic_store(&s->halt, false);
    atomic_store(&s->begin_ns, 0);
    atomic_fetch_add(&s->told, 1);
}

/* Until it is ready (if that is asked for) or has answered. */
static int await(struct cal_worker *w, bool ready, double limit_s, struct dcs_err *err)
{
    struct cal_worker_shared *s = w->shared;
    int64_t began = cal_now_ns();
    while (!has_answered(s) && !(ready && atomic_load(&s->ready))) {
        if (process_of(w)->pid == 0)
            return dcs_err_set(err, "the process %s is gone", w->name);
        if (reap(w) && !has_answered(s))
            return tell_death(w, err);
        if ((double)(cal_now_ns() - began) > limit_s * 1e9) {
            cal_worker_kill(w, QUIT_S);
            return dcs_err_set(err,
                               "the process %s has not finished \"%s\" after %.0f s, and was "
                               "killed",
                               w->name, s->operation, limit_s);
        }
        pause_of(began);
    }
    return 0;
}

bool cal_worker_busy(struct cal_worker *w)
{
    return !has_answered(w->shared) && cal_worker_alive(w);
}

int cal_worker_await(struct cal_worker *w, double limit_s, struct dcs_err *err)
{
    if (await(w, false, limit_s, err) != 0)
        return -1;
    if (w->shared->error[0] == '\0')
        return 0;
    return dcs_err_set(err, "%s: %s", w->name, w->shared->error);
}

struct cal_worker *cal_worker_add_thread(struct cal_worker *w, const char *name,
                                         struct dcs_err *err)
{
    DCS_ASSERT(w->process == NULL && w->thread == NULL);
    if (cal_worker_call(w, "thread", NULL, NULL, 0, THREAD_S, err) != 0)
        return NULL;
    struct cal_worker *thread = dcs_alloc(1, sizeof *thread);
    *thread = (struct cal_worker){
        .process = w, .shared = w->shared + 1, .started_ns = w->shared->values[0]};
    snprintf(thread->name, sizeof thread->name, "%s", name);
    w->thread = thread;
    return thread;
}

int cal_worker_await_ready(struct cal_worker *w, double limit_s, struct dcs_err *err)
{
    if (await(w, true, limit_s, err) != 0)
        return -1;
    if (atomic_load(&w->shared->ready))
        return 0;
    if (w->shared->error[0] != '\0')
        return dcs_err_set(err, "%s: %s", w->name, w->shared->error);
    return dcs_err_set(err, "%s: \"%s\" was done before it was to begin", w->name,
                       w->shared->operation);
}

int cal_worker_call(struct cal_worker *w, const char *operation, const char *text,
                    const int64_t *args, int args_count, double limit_s, struct dcs_err *err)
{
    cal_worker_tell(w, operation, text, args, args_count);
    return cal_worker_await(w, limit_s, err);
}

void cal_worker_begin(struct cal_worker *w, int64_t begin_ns)
{
    atomic_store(&w->shared->begin_ns, begin_ns);
}

void cal_worker_halt(struct cal_worker *w)
{
    atomic_store(&w->shared->halt, true);
}

/* --- the child --- */

int cal_worker_wait_begin(struct cal_worker_shared *w, int64_t *begin_ns, struct dcs_err *err)
{
    int64_t began = cal_now_ns();
    atomic_store(&w->ready, true);
    while ((*begin_ns = atomic_load(&w->begin_ns)) == 0) {
        if (cal_worker_halted(w))
            return dcs_err_set(err, "called off");
        if (cal_now_ns() - began > BEGIN_S * DCS_NS_PER_S)
            return dcs_err_set(err, "was not told to begin in %d s", BEGIN_S);
        pause_of(began);
    }
    cal_sleep_until(*begin_ns);
    return 0;
}

bool cal_worker_halted(const struct cal_worker_shared *w)
{
    return atomic_load(&w->halt);
}

static const struct cal_worker_operation *served;

static void await_order(const struct cal_worker_shared *w)
{
    for (int64_t began = cal_now_ns(); has_answered(w);) {
        if (cal_now_ns() - began > IDLE_S * DCS_NS_PER_S)
            _exit(DCS_EXIT_USER);
        pause_of(began);
    }
}

static void answer(struct cal_worker_shared *w)
{
    struct dcs_err err = {0};
    const struct cal_worker_operation *o = served;
    while (o->name != NULL && strcmp(o->name, w->operation) != 0)
        o++;
    if (o->name != NULL) {
        if (o->run(w, &err) != 0)
            snprintf(w->error, sizeof w->error, "%s", err.text[0] != '\0' ? err.text : "failed");
    } else if (strcmp(w->operation, "quit") != 0) {
        snprintf(w->error, sizeof w->error, "no operation \"%s\"", w->operation);
    }
    atomic_store(&w->answered, atomic_load(&w->told));
}

/* Ends with the process. */
static void *serve_thread(void *area)
{
    for (;;) {
        await_order(area);
        answer(area);
    }
    return NULL;
}

/* values: the moment. */
static void answer_thread(struct cal_worker_shared *w)
{
    pthread_t thread;
    w[1].thread = 1;
    w->values[0] = cal_now_ns();
    int status = pthread_create(&thread, NULL, serve_thread, w + 1);
    if (status == 0)
        pthread_detach(thread);
    else
        snprintf(w->error, sizeof w->error, "cannot start a thread: %s", strerror(status));
    atomic_store(&w->answered, atomic_load(&w->told));
}

int cal_worker_serve(int argc, char **argv, const struct cal_worker_operation *operations)
{
    if (argc != 4) {
        fprintf(stderr, "dcsim-calibrate: `worker` is started by the program itself\n");
        return DCS_EXIT_USER;
    }
    /* It may have died before it could be asked for: then nobody is left who ends this one. */
    if (prctl(PR_SET_PDEATHSIG, SIGKILL) != 0 || (long)getppid() != strtol(argv[3], NULL, 10))
        return DCS_EXIT_USER;
    int file = (int)strtol(argv[2], NULL, 10);
    struct cal_worker_shared *w =
        mmap(NULL, AREAS_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (w == MAP_FAILED)
        return DCS_EXIT_INTERNAL;
    close(file);
    served = operations;
    for (;;) {
        await_order(w);
        bool quits = strcmp(w->operation, "quit") == 0;
        if (strcmp(w->operation, "thread") == 0)
            answer_thread(w);
        else
            answer(w);
        if (quits) {
            /* Handlers of a runtime whose context is dead may wait for ever. */
            fflush(NULL);
            _exit(DCS_EXIT_OK);
        }
    }
}
