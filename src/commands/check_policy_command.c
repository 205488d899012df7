/* check_policy_command.c - see check_policy_command.h. */
#include "commands/check_policy_command.h"

#include "commands/command.h"
#include "runs/conformance.h"
#include "config/plugin.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A world takes no policy of ours more than 0.1 s of a processor; a sanitizer and a machine that
 * does much else make that some ten times as long each. */
#define TIMEOUT_S 30
/* Beyond what the program has before it loads the policy. A policy of ours takes some MB; one may
 * ask for 1 GiB of state in each domain (plugin.c), and worlds have up to three. */
#define MEMORY_MB 4096
#define INSTANTS  24 /* truth scrambles in each world */
#define SEED      1  /* of these */

#define TEXT_OF(number)  TEXT_OF_(number)
#define TEXT_OF_(number) #number

static const char usage[] =
    "Usage: dcsim check-policy FILE.so [--timeout S]\n"
    "\n"
    "Tries the policy in several small worlds and says whether it keeps the contract of\n"
    "policies/policy.h. It may take " TEXT_OF(MEMORY_MB) " MB of memory.\n"
                                                         "\n"
                                                         "  --timeout S   stop when a world takes "
                                                         "longer than S seconds (default: " TEXT_OF(
                                                             TIMEOUT_S) ")\n";

/* ---- The process that tries the policy ---- */

/* How far it is, in memory that both processes share: it may end at any instruction. */
struct trial {
    enum {
        TRIAL_LOADS,
        TRIAL_RUNS,
        TRIAL_REFUSED, /* no trial, and why has been said */
        TRIAL_BROKEN,  /* the policy breaks the contract */
        TRIAL_KEPT
    } state;
    size_t world;         /* in conformance_cases */
    const char *callback; /* that has not returned: static text; NULL: none */
    uint64_t callbacks;   /* so far, in this world */
    int64_t now_ns;       /* simulated, when the latest began */
};

static struct trial *trial;
static const struct policy *tried;

static void enter(const char *callback, const struct host *h)
{
    trial->callback = callback;
    trial->callbacks++;
    trial->now_ns = h != NULL ? host_now(h) : trial->now_ns;
}

static int watched_init(void *state, const void *params, struct host *h)
{
    enter("init", h);
    int status = tried->init(state, params, h);
    trial->callback = NULL;
    return status;
}

static void watched_fini(void *state)
{
    enter("fini", NULL);
    tried->fini(state);
    trial->callback = NULL;
}

static void watched_on_job(void *state, struct host *h, job_id job, bool begins)
{
    enter("on_job", h);
    tried->on_job(state, h, job, begins);
    trial->callback = NULL;
}

static void watched_on_ready(void *state, struct host *h, req_id r)
{
    enter("on_ready", h);
    tried->on_ready(state, h, r);
    trial->callback = NULL;
}

static void watched_on_complete(void *state, struct host *h, req_id r, dev_id d, bool request_done)
{
    enter("on_complete", h);
    tried->on_complete(state, h, r, d, request_done);
    trial->callback = NULL;
}

static void watched_on_gone(void *state, struct host *h, req_id r)
{
    enter("on_gone", h);
    tried->on_gone(state, h, r);
    trial->callback = NULL;
}

static void watched_on_timer(void *state, struct host *h, uint64_t cookie)
{
    enter("on_timer", h);
    tried->on_timer(state, h, cookie);
    trial->callback = NULL;
}

static void watched_decide(void *state, struct host *h)
{
    enter("decide", h);
    tried->decide(state, h);
    trial->callback = NULL;
}

/* The same policy, but that it says which callback it is in. */
static struct policy watched(const struct policy *policy)
{
    struct policy out = *policy;
    tried = policy;
    out.init = policy->init != NULL ? watched_init : NULL;
    out.fini = policy->fini != NULL ? watched_fini : NULL;
    out.on_job = policy->on_job != NULL ? watched_on_job : NULL;
    out.on_ready = watched_on_ready;
    out.on_complete = watched_on_complete;
    out.on_gone = policy->on_gone != NULL ? watched_on_gone : NULL;
    out.on_timer = policy->on_timer != NULL ? watched_on_timer : NULL;
    out.decide = policy->decide != NULL ? watched_decide : NULL;
    return out;
}

/* Tries the policy in one world; true if it keeps the contract. */
static bool try_world(const struct conformance_case *c, const struct policy *policy)
{
    struct conformance_report r;
    struct dcs_err err = {0};
    if (!conformance_fits(c, policy)) {
        printf("-     %s: not for this policy, which needs other devices\n", c->name);
        return true;
    }
    if (conformance_check(c->json, policy, INSTANTS, SEED, &r, &err) != 0) {
        printf("FAIL  %s: %s\n", c->name, err.text);
        return false;
    }
    bool ok = r.repeat_fails == 0 && r.scramble_fails == 0 && r.nosy_fails == 0 &&
              r.stranded == 0 && r.completions > 0;
    printf("%s  %s: %" PRIu64 " completions, %" PRIu64 " decisions; truth scrambled %" PRIu64
           " times, %" PRIu64 " decisions compared, %" PRIu64 " times seen; looking %s; %" PRIu64
           " requests never served\n",
           ok ? "ok  " : "FAIL", c->name, r.completions, r.decisions, r.instants, r.compared,
           r.scramble_fails, r.nosy_fails ? "CHANGED the run" : "changes nothing", r.stranded);
    if (!ok && r.detail[0] != '\0')
        printf("      %s\n", r.detail);
    if (r.stranded > 0)
        puts("      requests still waited when all else had ended: the policy forgot them. After "
             "on_ready,\n      and after on_complete that is not the last, a request waits for a "
             "launch");
    if (r.completions == 0)
        puts("      nothing was ever completed");
    return ok;
}

/* Tries the policy in every world; true if it keeps the contract. */
static bool try_worlds(const struct policy *policy, unsigned timeout_s)
{
    bool good = true;
    printf("policy \"%s\": %s\n", policy->name, policy->summary);
    for (size_t i = 0; conformance_cases[i].name != NULL; i++) {
        trial->world = i;
        trial->callbacks = 0;
        trial->now_ns = 0;
        /* What was printed must not be lost with the process. */
        fflush(stdout);
        alarm(timeout_s);
        good &= try_world(&conformance_cases[i], policy);
    }
    puts(good ? "the policy keeps the contract in every world tried"
              : "the policy breaks the contract");
    return good;
}

/* What the process has counts, since a sanitizer alone reserves terabytes. */
static void limit_memory(void)
{
    char line[128];
    FILE *file = fopen("/proc/self/statm", "r");
    if (file == NULL)
        return;                                   /* then the machine's memory is the limit */
    if (fgets(line, sizeof line, file) != NULL) { /* the first number: pages */
        struct rlimit limit;
        rlim_t most =
            strtoull(line, NULL, 10) * (rlim_t)sysconf(_SC_PAGESIZE) + (rlim_t)MEMORY_MB * 1000000;
        if (getrlimit(RLIMIT_AS, &limit) == 0 && most < limit.rlim_cur) {
            limit.rlim_cur = most;
            setrlimit(RLIMIT_AS, &limit);
        }
    }
    fclose(file);
}

static void try_file(const char *path, unsigned timeout_s)
{
    struct dcs_err err = {0};
    struct plugin plugin;
    limit_memory();
    alarm(timeout_s);
    if (plugin_open(&plugin, path, &err) != 0) {
        command_fail(&err);
        trial->state = TRIAL_REFUSED;
        return;
    }
    trial->state = TRIAL_RUNS;
    struct policy policy = watched(plugin.policy);
    bool good = try_worlds(&policy, timeout_s);
    alarm(0);
    if (command_flush(&err) == 0) {
        trial->state = good ? TRIAL_KEPT : TRIAL_BROKEN;
    } else {
        command_fail(&err);
        trial->state = TRIAL_REFUSED;
    }
}

/* ---- The process that waits for it ---- */

/* The policy ended the process that tried it: how, where, when. */
static void tell_end(int status, bool late, const struct rusage *used, uint64_t timeout_s)
{
    const char *where =
        trial->state == TRIAL_LOADS ? "loading the file" : conformance_cases[trial->world].name;
    printf("FAIL  %s: ", where);
    if (late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM))
        printf("not done after %" PRIu64 " s (--timeout)", timeout_s);
    else if (WIFSIGNALED(status))
        printf("the policy crashed: %s", strsignal(WTERMSIG(status)));
    else
        printf("the policy ended the program (exit code %d)", WEXITSTATUS(status));
    if (trial->callbacks > 0)
        printf(", %s %s (callback %" PRIu64 ", at %.9g s of simulated time, seed %d)",
               trial->callback != NULL ? "in" : "outside of",
               trial->callback != NULL ? trial->callback : "callbacks", trial->callbacks,
               (double)trial->now_ns / 1e9, SEED);
    printf("; it had used %ld of %d MB of memory\n", used->ru_maxrss * 1024 / 1000000, MEMORY_MB);
}

/* The process ends itself when its time is up. A policy that keeps it from that is killed a little
 * later: true. False: it has ended; -1 in *status: it was lost. */
static bool outlasts(pid_t child, uint64_t timeout_s, int *status, struct rusage *used)
{
    enum { NAP_MS = 20, GRACE_MS = 2000 };
    uint64_t waited_ms = 0;
    size_t world = trial->world;
    for (;;) {
        pid_t ended = wait4(child, status, WNOHANG, used);
        if (ended != 0) {
            *status = ended == child ? *status : -1;
            return false;
        }
        if (waited_ms > timeout_s * 1000 + GRACE_MS)
            break;
        poll(NULL, 0, NAP_MS);
        waited_ms = trial->world == world ? waited_ms + NAP_MS : 0;
        world = trial->world;
    }
    kill(child, SIGKILL);
    *status = wait4(child, status, 0, used) == child ? *status : -1;
    return true;
}

/* Returns the exit code. */
static int wait_for(pid_t child, uint64_t timeout_s)
{
    int status = 0;
    struct rusage used = {0};
    struct dcs_err err = {0};
    bool late = outlasts(child, timeout_s, &status, &used);
    if (status == -1) {
        dcs_err_set(&err, "lost the process that tries the policy: %s", strerror(errno));
        return command_fail(&err);
    }
    if (trial->state == TRIAL_KEPT)
        return DCS_EXIT_OK;
    if (trial->state == TRIAL_BROKEN)
        return DCS_EXIT_FOUND;
    if (trial->state == TRIAL_REFUSED)
        return DCS_EXIT_USER;
    tell_end(status, late, &used, timeout_s);
    return command_flush(&err) == 0 ? DCS_EXIT_FOUND : command_fail(&err);
}

static int take_timeout(void *context, int option)
{
    (void)option;
    if (command_whole(optarg, 1, 1000000, context))
        return -1;
    return command_bad_usage("dcsim check-policy", "--timeout takes seconds, from 1 to 1000000",
                             NULL);
}

int check_policy_command(int argc, char **argv)
{
    uint64_t timeout_s = TIMEOUT_S;
    const struct command_option options[] = {{"timeout", .take = 't'}, {0}};
    const struct command_line line = {"dcsim check-policy", usage, options, take_timeout,
                                      &timeout_s};
    struct dcs_err err = {0};
    int code = command_options(&line, argc, argv, 2);
    if (code >= 0)
        return code;
    if (argc - optind != 1)
        return command_bad_usage("dcsim check-policy", "expected one FILE.so", NULL);
    trial = mmap(NULL, sizeof *trial, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    fflush(NULL);
    pid_t child = trial != MAP_FAILED ? fork() : -1;
    if (child < 0) {
        dcs_err_set(&err, "no process can be started to try the policy in: %s", strerror(errno));
        return command_fail(&err);
    }
    if (child == 0) {
        try_file(argv[optind], (unsigned)timeout_s);
        _Exit(DCS_EXIT_OK);
    }
    code = wait_for(child, timeout_s);
    munmap(trial, sizeof *trial);
    return code;
}
