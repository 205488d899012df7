/*
 * check.c - runs the applications it is linked with on the CPU and checks their results.
 *
 *   check [--size N] [--seed S] [--shuffle] [--twice] [--times]
 *
 * For each application of cal_apps: the rules of calibrate/app/app.h for its table and its plan
 * (names, shapes, counts, sizes), at the size of the check and, without computing anything, at the
 * smallest, the default and the largest size as far as they fit into 2 GB; allocations that fail
 * one after the other; then two requests in one state at the size of the check, the first planned
 * for 8 multiprocessors, the second for 132, and the check of their results against the reference
 * (only after the second one if the plans are equal).
 *
 *   --shuffle  threads and blocks of the second request in a random order that depends on the seed
 *   --twice    each repeatable kernel of the first request runs once more by itself after it
 *   --times    what each kernel took; for finding what makes a check slow
 */
#include "calibrate/app/app.h"
#include "des/base.h"
#include "emu.h"

#include <inttypes.h>
#include <math.h>
#include <signal.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define DRY_BYTES    ((size_t)2 << 30)
#define PATIENCE_S   300
#define FAILURES_MAX 200 /* allocations that are made to fail */
#define SMS_FEW      8
#define SMS_MANY     132

struct options {
    int64_t size; /* 0: the application's size_check */
    uint64_t seed;
    bool shuffle, twice, times;
};

static const struct cal_app *app; /* the one at work */

__attribute__((noreturn, format(printf, 1, 2))) static void fail(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    printf("%s: FAILED: ", app->name);
    vprintf(format, args);
    printf("\n");
    va_end(args);
    fflush(stdout);
    _exit(1);
}

/* Of this process on the CPU: other work of the machine does not count. */
static double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* --- the rules of calibrate/app/app.h --- */

static void check_table(void)
{
    if (app->name == NULL || app->papers == NULL || app->algorithm == NULL ||
        app->size_unit == NULL || app->create == NULL || app->plan == NULL || app->check == NULL ||
        app->destroy == NULL)
        fail("a text or a function of its table is missing");
    if (app->name[strspn(app->name, "abcdefghijklmnopqrstuvwxyz0123456789-")] != '\0')
        fail("its name is not lower case words with '-' between");
    if (app->size_step < 1 || app->size_min < 1 || app->size_min > app->size_default ||
        app->size_default > app->size_max)
        fail("sizes are not 1 <= size_min <= size_default <= size_max, size_step >= 1");
    if (app->size_min % app->size_step != 0 || app->size_default % app->size_step != 0 ||
        app->size_max % app->size_step != 0)
        fail("a size is not a multiple of size_step");
    if (app->size_check < 1)
        fail("size_check is not positive");
    if (app->sla_ns < 0 || (app->role == CAL_BATCH && app->sla_ns != 0))
        fail("an SLA is negative, or of a batch application");
}

static void check_kernel(const struct cal_plan *p, const struct cal_kernel *k)
{
    if (k->name[0] == '\0' || k->shape[0] == '\0')
        fail("kernel %zd has no name or no shape", k - p->kernels);
    if (!isfinite(k->flop) || k->flop < 0 || !isfinite(k->bytes) || k->bytes <= 0)
        fail("kernel %s: flop %g or bytes %g", k->name, k->flop, k->bytes);
    switch (k->kind) {
    case CAL_COMPUTE:
        if (k->launches == 0)
            fail("kernel %s has no launch", k->name);
        if (k->flop <= 0)
            fail("kernel %s: flop is 0; integer operations count where there are no others",
                 k->name);
        break;
    case CAL_LIBRARY:
        if (k->call == NULL || k->launches != 0)
            fail("kernel %s: a library call without its function, or with launches", k->name);
        if (k->flop <= 0)
            fail("kernel %s: flop is 0; integer operations count where there are no others",
                 k->name);
        break;
    case CAL_TO_DEVICE:
    case CAL_FROM_DEVICE:
        if (k->to == NULL || k->from == NULL || k->transfer_bytes == 0 || k->launches != 0)
            fail("transfer %s has no bytes or no place, or launches", k->name);
        break;
    }
}

/* Kernels of one shape do equal work. */
static void check_equal(const struct cal_plan *p, const struct cal_kernel *a,
                        const struct cal_kernel *b)
{
    if (a->kind != b->kind || a->cores != b->cores || a->repeatable != b->repeatable ||
        a->flop != b->flop || a->bytes != b->bytes || a->launches != b->launches ||
        a->transfer_bytes != b->transfer_bytes)
        fail("kernels %s and %s have one shape, %s, but differ in kind, flop, bytes or launches",
             a->name, b->name, a->shape);
    for (uint32_t i = 0; i < a->launches; i++) {
        const struct cal_launch *x = &p->launches[a->first_launch + i];
        const struct cal_launch *y = &p->launches[b->first_launch + i];
        if (x->function != y->function || memcmp(x->grid, y->grid, sizeof x->grid) != 0 ||
            memcmp(x->block, y->block, sizeof x->block) != 0 || x->shared_bytes != y->shared_bytes)
            fail("kernels %s and %s have one shape, %s, but launch %" PRIu32 " differs", a->name,
                 b->name, a->shape, i);
    }
}

static void check_plan(const struct cal_plan *p)
{
    if (p->kernels_count == 0 || p->kernels_count > CAL_KERNELS_MAX)
        fail("a request has %zu kernels", p->kernels_count);
    for (size_t i = 0; i < p->kernels_count; i++) {
        check_kernel(p, &p->kernels[i]);
        for (size_t j = 0; j < i; j++) {
            if (strcmp(p->kernels[i].name, p->kernels[j].name) == 0)
                fail("two kernels have the name %s", p->kernels[i].name);
            if (strcmp(p->kernels[i].shape, p->kernels[j].shape) == 0)
                check_equal(p, &p->kernels[j], &p->kernels[i]);
        }
    }
}

/* --- requests --- */

static void enqueue(const struct cal_plan *p, const struct cal_kernel *k, double *time_s)
{
    cudaStream_t stream = (cudaStream_t)(uintptr_t)0x57;
    double start = now_s();
    emu_label(k->name);
    emu_set_request(stream);
    cudaError_t status = cal_enqueue(p, k, stream);
    if (status == cudaSuccess)
        status = cudaGetLastError();
    if (status != cudaSuccess)
        fail("kernel %s: %s", k->name, cudaGetErrorString(status));
    emu_set_request(NULL);
    emu_label(NULL);
    if (time_s != NULL)
        *time_s += now_s() - start;
}

static void run_request(const struct cal_plan *p, double *times_s)
{
    for (size_t i = 0; i < p->kernels_count; i++)
        enqueue(p, &p->kernels[i], times_s == NULL ? NULL : &times_s[i]);
}

static void repeat_kernels(const struct cal_plan *p)
{
    for (size_t i = 0; i < p->kernels_count; i++)
        if (p->kernels[i].repeatable)
            enqueue(p, &p->kernels[i], NULL);
}

/* Requests that do the same, kernel by kernel. Calls of a library are taken for the same. */
static bool are_equal(const struct cal_plan *a, const struct cal_plan *b)
{
    if (a->kernels_count != b->kernels_count || a->launches_count != b->launches_count)
        return false;
    for (size_t i = 0; i < a->kernels_count; i++)
        if (strcmp(a->kernels[i].shape, b->kernels[i].shape) != 0 ||
            a->kernels[i].launches != b->kernels[i].launches)
            return false;
    return memcmp(a->launches, b->launches, a->launches_count * sizeof *a->launches) == 0;
}

static void *create(int64_t size, uint64_t seed)
{
    struct dcs_err err = {0};
    void *state = app->create(size, seed, &err);
    if (state == NULL)
        fail("create(%" PRId64 "): %s", size, err.text);
    return state;
}

static struct cal_plan make_plan(void *state, int sms)
{
    struct cal_plan plan = {0};
    struct dcs_err err = {0};
    if (app->plan(state, sms, &plan, &err) != 0)
        fail("plan for %d multiprocessors: %s", sms, err.text);
    check_plan(&plan);
    return plan;
}

/* Returns the time that it took. */
static double check_results(void *state, int sms)
{
    struct dcs_err err = {0};
    double start = now_s();
    if (app->check(state, &err) != 0)
        fail("for %d multiprocessors: %s", sms, err.text[0] ? err.text : "check without a text");
    return now_s() - start;
}

static void destroy(void *state)
{
    app->destroy(state);
    if (emu_allocations() != 0)
        fail("destroy leaves %zu allocations", emu_allocations());
}

/* Plans at a size that is too large to be run. Kernels that prepare the inputs do not run either:
 * an application whose plan depends on what they write, says so by failing. */
static void plan_only(int64_t size, const struct options *o)
{
    struct dcs_err err = {0};
    emu_set_dry(true);
    emu_set_memory(DRY_BYTES, -1);
    void *state = app->create(size, o->seed, &err);
    if (state != NULL) {
        struct cal_plan plan = make_plan(state, 132);
        cal_plan_release(&plan);
        destroy(state);
    } else if (err.text[0] == '\0') {
        fail("create(%" PRId64 ") fails without a text", size);
    } else if (emu_allocations() != 0) {
        fail("create(%" PRId64 ") fails and leaves %zu allocations", size, emu_allocations());
    }
    emu_set_memory(SIZE_MAX, -1);
    emu_set_dry(false);
    (void)cudaGetLastError();
}

/* Each allocation of create() fails in turn. */
static void fail_allocations(int64_t size, const struct options *o)
{
    emu_set_dry(true);
    for (long before = 0; before < FAILURES_MAX; before++) {
        struct dcs_err err = {0};
        size_t ever = emu_allocations_ever();
        emu_set_memory(SIZE_MAX, before);
        void *state = app->create(size, o->seed, &err);
        bool had_failed = emu_allocations_ever() - ever > (size_t)before;
        emu_set_memory(SIZE_MAX, -1);
        (void)cudaGetLastError();
        if (!had_failed) {
            if (state != NULL)
                destroy(state);
            break;
        }
        if (state != NULL)
            fail("create succeeds though allocation %ld failed", before);
        if (err.text[0] == '\0')
            fail("create fails without a text when allocation %ld fails", before);
        if (emu_allocations() != 0)
            fail("create leaves %zu allocations when allocation %ld fails", emu_allocations(),
                 before);
    }
    emu_set_dry(false);
}

static void print_times(const struct cal_plan *p, const double *times_s)
{
    for (size_t i = 0; i < p->kernels_count; i++)
        printf("  %-32s %-40s %6" PRIu32 " launches %9.3f ms\n", p->kernels[i].name,
               p->kernels[i].shape, p->kernels[i].launches, 1e3 * times_s[i]);
}

static void check_app(const struct options *o)
{
    int64_t size = o->size != 0 ? o->size : app->size_check;
    double start = now_s();
    check_table();
    plan_only(app->size_min, o);
    plan_only(app->size_default, o);
    plan_only(app->size_max, o);
    fail_allocations(size, o);
    double planned = now_s();
    void *state = create(size, o->seed);
    size_t bytes = emu_allocated_bytes();
    double times_s[CAL_KERNELS_MAX] = {0};
    struct cal_plan plan = make_plan(state, SMS_FEW), plan_many = make_plan(state, SMS_MANY);
    size_t kernels = plan.kernels_count;
    run_request(&plan, times_s);
    if (o->times)
        print_times(&plan, times_s);
    double reference_s = 0;
    if (!are_equal(&plan, &plan_many))
        reference_s += check_results(state, SMS_FEW);
    if (o->twice)
        repeat_kernels(&plan);
    emu_set_order(o->shuffle, o->seed);
    run_request(&plan_many, NULL);
    emu_set_order(false, 0);
    reference_s += check_results(state, SMS_MANY);
    cal_plan_release(&plan);
    cal_plan_release(&plan_many);
    destroy(state);
    printf("%s: ok: %" PRId64 " %s, %zu kernels, %.1f MB; CPU %.2f s (plans %.2f, checks %.2f)\n",
           app->name, size, app->size_unit, kernels, (double)bytes / 1e6, now_s() - start,
           planned - start, reference_s);
    fflush(stdout);
}

static void too_long(int signal)
{
    (void)signal;
    emu_report("has not ended after %d s", PATIENCE_S);
}

int main(int argc, char **argv)
{
    struct options o = {.seed = 1};
    for (int i = 1; i < argc; i++) {
        char *end = NULL;
        if (strcmp(argv[i], "--shuffle") == 0)
            o.shuffle = true;
        else if (strcmp(argv[i], "--twice") == 0)
            o.twice = true;
        else if (strcmp(argv[i], "--times") == 0)
            o.times = true;
        else if (strcmp(argv[i], "--size") == 0 && i + 1 < argc)
            o.size = strtoll(argv[++i], &end, 10);
        else if (strcmp(argv[i], "--seed") == 0 && i + 1 < argc)
            o.seed = strtoull(argv[++i], &end, 10);
        else
            end = argv[i];
        if (end != NULL && *end != '\0') {
            fprintf(stderr, "check: what is %s? --size N, --seed S, --shuffle, --twice, --times\n",
                    argv[i]);
            return DCS_EXIT_USER;
        }
    }
    signal(SIGALRM, too_long);
    for (size_t i = 0; cal_apps[i] != NULL; i++) {
        app = cal_apps[i];
        alarm(PATIENCE_S);
        check_app(&o);
    }
    return 0;
}
