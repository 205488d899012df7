/*
 * test_cluster_bytes.c - the memory that a run takes (src/engine/cluster_bytes.c).
 *
 * Pins: a request that waits takes 184 bytes of the engine, whatever its kernels; one of which a
 * kernel has ended, 8 for each kernel beside that; a run that would take more than it may ends
 * with an error that says when, how much and what to do, at the byte where it does; what the
 * process really takes per waiting request of 1000 kernels (with the policy's queue) and per job
 * is below 300 and 400 bytes. Does not pin: what is refused before a run (tests/e2e/bad_input.sh).
 */
#include "engine/cluster_state.h"
#include "policies/policies.h"
#include "tests/world.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { KERNELS = 1000 };

/* Requests of so many kernels arrive at once on one device. */
static void begin(struct world *w, uint32_t clients, uint32_t kernels)
{
    world_init(w, policies_find("fcfs"), 1);
    w->spec.keep_requests = false;
    struct dcs_job *job = world_job(w, world_app(w, DCS_BATCH, kernels, MS(1)), 0);
    job->requests = job->clients = clients;
    w->spec.horizon_ns = MS(5) / 2;
}

static uint64_t at_first(const struct world *w)
{
    struct cluster_bytes b = cluster_bytes(&w->spec);
    return b.domains + b.jobs;
}

static void the_limit_holds_to_the_byte(void **state)
{
    (void)state;
    struct world w;
    begin(&w, 1024, KERNELS);
    uint64_t requests = 1024 * sizeof(struct request), block = 1024 * sizeof(int64_t);
    assert_int_equal(sizeof(struct request), 184);
    w.spec.bytes_max = at_first(&w) + requests + block; /* blocks grow in powers of two */
    assert_int_equal(world_run(&w), 0);
    assert_int_equal(w.out.requests, 1024);
    w.spec.bytes_max--;
    assert_int_not_equal(world_run(&w), 0);
    assert_non_null(strstr(w.err.text, "at 0.001000000 s"));
    w.spec.bytes_max -= block;
    assert_int_not_equal(world_run(&w), 0);
    assert_non_null(strstr(w.err.text, "at 0.000000000 s (seed 0, replication 0) "));
    assert_non_null(strstr(w.err.text, "bytes of memory would not hold all requests"));
    assert_non_null(strstr(w.err.text, "queue_limit"));
    world_release(&w);
}

/* ---- What the process takes ---- */

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#endif

static void run_requests(uint32_t n)
{
    struct world w;
    begin(&w, n, KERNELS);
    if (world_run(&w) != 0)
        _exit(1);
}

static void run_jobs(uint32_t n)
{
    struct world w;
    world_init(&w, policies_find("fcfs"), 1);
    w.spec.keep_requests = false;
    uint32_t app = world_app(&w, DCS_BATCH, 1, MS(1));
    for (uint32_t i = 0; i < n; i++)
        world_job(&w, app, i * MS(2));
    if (world_run(&w) != 0)
        _exit(1);
}

/* Largest memory of a process that makes such a run. */
static int64_t peak_bytes(void (*run)(uint32_t n), uint32_t n)
{
    int pipes[2], status;
    int64_t bytes = 0;
    assert_int_equal(pipe(pipes), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct rusage usage;
        run(n);
        getrusage(RUSAGE_SELF, &usage);
        bytes = (int64_t)usage.ru_maxrss * 1024;
        _exit(write(pipes[1], &bytes, sizeof bytes) != sizeof bytes);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(read(pipes[0], &bytes, sizeof bytes), sizeof bytes);
    close(pipes[0]);
    close(pipes[1]);
    return bytes;
}

static double bytes_each(void (*run)(uint32_t n))
{
    enum { FEW = 1 << 16, MANY = 1 << 18 };
    return (double)(peak_bytes(run, MANY) - peak_bytes(run, FEW)) / (MANY - FEW);
}

static void a_request_and_a_job_take_little(void **state)
{
    (void)state;
#ifdef SANITIZED
    skip();
#endif
    double request = bytes_each(run_requests), job = bytes_each(run_jobs);
    print_message("%.0f bytes for a waiting request, %.0f for a job\n", request, job);
    assert_true(request > 184 && request < 300);
    assert_true(job > 200 && job < 400);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_limit_holds_to_the_byte),
        cmocka_unit_test(a_request_and_a_job_take_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
