/*
 * pair_command.c - `dcsim-calibrate pair`: applications of a profile, each a program, serve their
 * requests back to back beside each other under MPS, and how long these take is kept: what a model
 * is judged by. See calibrate_main.c for the command line, docs/calibrate.md, "Recorded programs
 * beside each other", for what it is for.
 *
 * Every application at every percentage is one process (paired_programs.h). Each runs alone for a
 * while, then each setting of percentages together; of each stretch those requests count that begin
 * in it, but for its first twelfth; of one that its end cuts off is known that it takes longer.
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/pair_live.h"
#include "calibrate/commands/recorded_profile.h"
#include "calibrate/record/paired_programs.h"
#include "calibrate/record/recorded_program.h"
#include "calibrate/record/recorded_store.h"
#include "calibrate/record/survived_requests.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPS_MAX     8
#define SETTINGS_MAX 64
#define CLIENTS_MAX  40 /* of an MPS server, on devices of compute capability 7.0 and later: 48 */
#define WARM         20 /* requests */
/* The first such part of a window does not count: what another program had on the device when it
 * was stopped ends there, and the processes that go on begin there one after the other. Of the
 * default 2 s it is 170 ms, over twice the longest request of our applications at their default
 * sizes, alone on an H200 (gaussian, 74 ms). */
#define SETTLING   12
#define PATH_BYTES 1000

struct paired_app {
    const char *given, *command;        /* NAME or NAME@SIZE */
    char own_command[PATH_BYTES + 100]; /* of an application of ours */
    struct cal_recorded_name known;
};

struct setting {
    const char *half;
    int percents[APPS_MAX]; /* 0: it does not run */
    size_t given;           /* of them */
    struct cal_paired_window window;
    struct pair_live live; /* with --rate */
};

struct pair {
    const char *output, *half;
    bool keep, same_model, made; /* made: the folder, by this run */
    bool device_known;
    double seconds, limit_s;
    const char *served; /* NAME=RATE; NULL: all serve back to back */
    double rate;
    uint64_t seed;
    struct paired_app apps[APPS_MAX];
    size_t apps_count, server;  /* whose requests arrive */
    const char *runs[APPS_MAX]; /* NAME=COMMAND */
    size_t runs_count;
    struct setting settings[SETTINGS_MAX];
    size_t settings_count;
    struct cal_paired_client clients[CLIENTS_MAX];
    struct cal_paired_window alone[CLIENTS_MAX]; /* by client */
    struct cal_recording recordings[CLIENTS_MAX];
    struct cal_requests requests[CLIENTS_MAX];
    size_t app_of[CLIENTS_MAX], clients_count;
    char folder[300], library[320];
    size_t left_out; /* settings */
};

/* --- the command line --- */

static int take_percents(struct pair *p, const char *text, struct dcs_err *err)
{
    if (p->settings_count == SETTINGS_MAX)
        return dcs_err_set(err, "--percent: at most %d times", SETTINGS_MAX);
    struct setting *s = &p->settings[p->settings_count++];
    size_t n = 0;
    for (const char *at = text; *at != '\0';) {
        char *end;
        long percent = strtol(at, &end, 10);
        if (end == at || percent < 0 || percent > 100 || (*end != ',' && *end != '\0') ||
            n == APPS_MAX)
            return dcs_err_set(err,
                               "--percent %.60s: a whole number from 0 to 100 for each application "
                               "is expected, such as 75,25",
                               text);
        s->percents[n++] = (int)percent;
        at = *end == ',' ? end + 1 : end;
    }
    s->given = n;
    s->half = p->half;
    return 0;
}

static int take_number(const char *name, const char *text, double *number, struct dcs_err *err)
{
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '\0' && *number > 0 && *number <= 3600)
        return 0;
    return dcs_err_set(err, "--%s %.60s: a number above 0, at most 3600, is expected", name, text);
}

static int take_half(struct pair *p, const char *text, struct dcs_err *err)
{
    static const char *const halves[] = {"dev", "test", "test2", "test3"};
    for (size_t i = 0; i < sizeof halves / sizeof *halves; i++)
        if (strcmp(text, halves[i]) == 0) {
            p->half = text;
            return 0;
        }
    return dcs_err_set(err, "--half %.60s: dev, test, test2 or test3 is expected", text);
}

static int take_option(struct pair *p, int letter, struct dcs_err *err)
{
    switch (letter) {
    case 'o':
        p->output = optarg;
        return 0;
    case 'h':
        return take_half(p, optarg, err);
    case 'p':
        return take_percents(p, optarg, err);
    case 's':
        return take_number("seconds", optarg, &p->seconds, err);
    case 'l':
        return take_number("patience", optarg, &p->limit_s, err);
    case 'a':
        p->served = optarg;
        return pair_live_take_rate(optarg, &p->rate, err);
    case 'e':
        return pair_live_take_seed(optarg, &p->seed, err);
    case 'k':
        p->keep = true;
        return 0;
    case 'm':
        p->same_model = true;
        return 0;
    case 'r':
        if (strchr(optarg, '=') == NULL || p->runs_count == APPS_MAX)
            return dcs_err_set(err, "--run %.60s: NAME=COMMAND is expected, at most %d times",
                               optarg, APPS_MAX);
        p->runs[p->runs_count++] = optarg;
        return 0;
    default:
        return dcs_err_set(err, "see dcsim-calibrate --help");
    }
}

/* The command of an application; NULL: none is given. */
static const char *command_of(const struct pair *p, const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < p->runs_count; i++)
        if (strncmp(p->runs[i], name, length) == 0 && p->runs[i][length] == '=')
            return p->runs[i] + length + 1;
    return NULL;
}

/* One of ours is served by this program itself. */
static int find_command(const struct pair *p, struct paired_app *a, struct dcs_err *err)
{
    a->command = command_of(p, a->given);
    if (a->command != NULL)
        return 0;
    a->command = a->own_command;
    char run[80];
    snprintf(run, sizeof run, "'%.64s=COMMAND'", a->given);
    return cal_own_command(a->given, run, a->own_command, sizeof a->own_command, err);
}

static int take_apps(struct pair *p, int count, char **names, struct dcs_err *err)
{
    if (count < 2 || count > APPS_MAX)
        return dcs_err_set(err, "pair takes 2 to %d applications; see --help", APPS_MAX);
    for (int i = 0; i < count; i++) {
        p->apps[i].given = names[i];
        p->apps_count++;
        if (find_command(p, &p->apps[i], err) != 0)
            return -1;
    }
    return 0;
}

static int find_server(struct pair *p, struct dcs_err *err)
{
    if (p->served == NULL)
        return 0;
    size_t length = strcspn(p->served, "=");
    for (p->server = 0; p->server < p->apps_count; p->server++)
        if (strlen(p->apps[p->server].given) == length &&
            strncmp(p->apps[p->server].given, p->served, length) == 0)
            return 0;
    return dcs_err_set(err, "--rate %.60s: is none of the applications", p->served);
}

/* Without --percent each has as much as the others. */
static int check_settings(struct pair *p, struct dcs_err *err)
{
    if (p->settings_count == 0) {
        p->settings_count = 1;
        p->settings[0].given = p->apps_count;
        p->settings[0].half = p->half;
        for (size_t i = 0; i < p->apps_count; i++)
            p->settings[0].percents[i] = (int)(100 / p->apps_count);
    }
    for (size_t s = 0; s < p->settings_count; s++) {
        const struct setting *t = &p->settings[s];
        size_t running = 0;
        for (size_t i = 0; i < t->given; i++)
            running += t->percents[i] != 0;
        if (t->given != p->apps_count)
            return dcs_err_set(err, "--percent: %zu numbers, and there are %zu applications",
                               t->given, p->apps_count);
        if (running < 2)
            return dcs_err_set(err, "--percent: two of the numbers at least are above 0");
        if (p->served != NULL && (running != 2 || t->percents[p->server] == 0))
            return dcs_err_set(err,
                               "--rate: beside %.*s runs one other application, in each "
                               "--percent",
                               (int)strcspn(p->served, "="), p->served);
        if (t->half == NULL)
            return dcs_err_set(err, "--half stands before the --percent that it is of");
    }
    return 0;
}

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"half", required_argument, NULL, 'h'},
                                        {"percent", required_argument, NULL, 'p'},
                                        {"seconds", required_argument, NULL, 's'},
                                        {"patience", required_argument, NULL, 'l'},
                                        {"run", required_argument, NULL, 'r'},
                                        {"rate", required_argument, NULL, 'a'},
                                        {"seed", required_argument, NULL, 'e'},
                                        {"keep", no_argument, NULL, 'k'},
                                        {"same-model", no_argument, NULL, 'm'},
                                        {0}};

static int read_options(struct pair *p, int argc, char **argv, struct dcs_err *err)
{
    optind = 2;
    for (int letter; (letter = getopt_long(argc, argv, "o:", options, NULL)) != -1;)
        if (take_option(p, letter, err) != 0)
            return -1;
    if (p->output == NULL)
        return dcs_err_set(err, "pair needs -o FILE, the profile that has the applications");
    if (p->half == NULL)
        return dcs_err_set(err, "pair needs --half dev, for building a model, or test, for judging "
                                "one that is frozen");
    if (take_apps(p, argc - optind, argv + optind, err) != 0 || find_server(p, err) != 0)
        return -1;
    return check_settings(p, err);
}

/* --- the profile says what a request is --- */

static int read_apps(struct pair *p, struct dcs_err *err)
{
    struct cal_store *s = cal_store_open_existing(p->output, err);
    int failed = s == NULL ? -1 : 0;
    for (size_t i = 0; i < p->apps_count && !failed; i++)
        failed = cal_recorded_find(s, p->output, p->apps[i].given, &p->apps[i].known, err);
    cal_store_close(s);
    const char *how = p->apps[p->server].known.how;
    if (!failed && p->served != NULL && (strcmp(how, "waits") == 0 || strcmp(how, "process") == 0))
        failed = dcs_err_set(err,
                             "--rate %.60s: its requests are no NVTX ranges: record it with "
                             "--request NAME",
                             p->served);
    return failed;
}

/* --- running --- */

/* The client of an application at a percentage; clients_count: there is none yet. */
static size_t client_of(const struct pair *p, size_t app, int percent)
{
    for (size_t i = 0; i < p->clients_count; i++)
        if (p->app_of[i] == app && p->clients[i].percent == percent)
            return i;
    return p->clients_count;
}

static int add_client(struct pair *p, size_t app, int percent, struct dcs_err *err)
{
    size_t n = p->clients_count;
    if (client_of(p, app, percent) < n)
        return 0;
    if (n == CLIENTS_MAX)
        return dcs_err_set(err, "more than %d processes: take fewer percentages", CLIENTS_MAX);
    p->clients[n] = (struct cal_paired_client){.name = p->apps[app].given,
                                               .command = p->apps[app].command,
                                               .how = p->apps[app].known.how,
                                               .percent = percent,
                                               .paced = p->served != NULL && app == p->server};
    snprintf(p->clients[n].folder, sizeof p->clients[n].folder, "%s/%zu-%d", p->folder, app,
             percent);
    p->app_of[p->clients_count++] = app;
    return 0;
}

static int make_clients(struct pair *p, struct dcs_err *err)
{
    for (size_t s = 0; s < p->settings_count; s++)
        for (size_t i = 0; i < p->apps_count; i++)
            if (p->settings[s].percents[i] != 0 &&
                add_client(p, i, p->settings[s].percents[i], err) != 0)
                return -1;
    if (mkdir(p->folder, 0700) != 0)
        return dcs_err_at(err, p->folder, 0, NULL, "cannot be made: %s; remove what is left there",
                          strerror(errno));
    p->made = true;
    return cal_program_put_recorder(p->library, err);
}

/* Of the two one is served. */
static int run_live(struct pair *p, struct setting *setting, struct cal_paired_client **two,
                    struct dcs_err *err)
{
    bool first = two[0]->paced;
    struct cal_paired_client *const clients[] = {two[!first], two[first]};
    setting->live =
        (struct pair_live){.half = setting->half, .rate = p->rate, .seconds = p->seconds};
    pair_live_draw(&setting->live, p->seed);
    int failed = pair_live_run(&setting->live, clients, &cal_interrupted, err);
    setting->window = setting->live.window;
    return failed;
}

static int run_windows(struct pair *p, struct dcs_err *err)
{
    struct cal_paired_client *together[APPS_MAX];
    for (size_t i = 0; i < p->clients_count; i++) {
        together[0] = &p->clients[i];
        if (cal_paired_run(together, 1, p->seconds, &cal_interrupted, &p->alone[i], err) != 0)
            return -1;
        cal_paired_drain();
        if (cal_recorded_check(p->output, p->clients[i].folder, p->same_model, &p->device_known,
                               err) != 0)
            return -1;
    }
    for (size_t s = 0; s < p->settings_count; s++) {
        size_t running = 0;
        for (size_t i = 0; i < p->apps_count; i++)
            if (p->settings[s].percents[i] != 0)
                together[running++] = &p->clients[client_of(p, i, p->settings[s].percents[i])];
        int failed = p->served != NULL
                         ? run_live(p, &p->settings[s], together, err)
                         : cal_paired_run(together, running, p->seconds, &cal_interrupted,
                                          &p->settings[s].window, err);
        if (failed)
            return -1;
        cal_paired_drain();
    }
    return 0;
}

static int run_clients(struct pair *p, struct dcs_err *err)
{
    struct cal_mps *mps = cal_mps_start(err);
    int failed = mps == NULL ? -1 : 0;
    for (size_t i = 0; i < p->clients_count && !failed; i++)
        failed = cal_paired_start(&p->clients[i], mps, p->library, err);
    failed = failed ||
             cal_paired_await(p->clients, p->clients_count, WARM, p->limit_s, &cal_interrupted,
                              err) != 0 ||
             run_windows(p, err) != 0;
    cal_paired_end(p->clients, p->clients_count, &cal_interrupted);
    cal_mps_stop(mps);
    return failed ? -1 : 0;
}

/* --- what was recorded --- */

static int read_clients(struct pair *p, struct dcs_err *err)
{
    for (size_t i = 0; i < p->clients_count; i++) {
        const struct cal_paired_client *c = &p->clients[i];
        if (cal_recording_read(&p->recordings[i], c->folder, err) != 0)
            return -1;
        if (p->recordings[i].refused[0] != '\0')
            return dcs_err_set(err, "%s at %d %%: %s", c->name, c->percent,
                               p->recordings[i].refused);
        if (cal_requests_find(&p->requests[i], &p->recordings[i], c->how, err) != 0)
            return -1;
    }
    return 0;
}

/* Of the requests that begin in a stretch; one that ends later was cut off by the stop. -1 and err:
 * there are too few. */
static int statistics_of(const struct pair *p, size_t client, const struct cal_paired_window *w,
                         struct cal_statistics *out, int64_t *p95_ns, struct dcs_err *err)
{
    const struct cal_requests *all = &p->requests[client];
    int64_t from_ns = w->begin_ns + (w->end_ns - w->begin_ns) / SETTLING;
    struct cal_lasting *list = dcs_alloc(all->count + 1, sizeof *list);
    struct dcs_err few = {0};
    size_t n = 0;
    for (size_t i = 0; i < all->count; i++) {
        const struct cal_request *q = &all->list[i];
        bool ended = q->end_ns <= w->end_ns;
        int64_t ns = (ended ? q->end_ns : w->end_ns) - q->begin_ns;
        if (q->begin_ns >= from_ns && q->begin_ns < w->end_ns && ns > 0)
            list[n++] = (struct cal_lasting){ns, ended};
    }
    int failed = cal_survival(list, n, out, p95_ns, &few);
    free(list);
    if (failed)
        return dcs_err_set(err, "%s at %d %% %s in %.1f s: give --seconds more",
                           p->clients[client].name, p->clients[client].percent, few.text,
                           p->seconds);
    return 0;
}

/* One of those that ran together. */
struct ran {
    size_t app, client;
    struct cal_statistics alone, together;
    int64_t alone_p95_ns, p95_ns;
};

/* How many ran; 0 and err: of one there are too few requests. */
static size_t find_statistics(const struct pair *p, const struct setting *setting,
                              struct ran list[APPS_MAX], struct dcs_err *err)
{
    size_t n = 0;
    for (size_t i = 0; i < p->apps_count; i++) {
        struct ran *r = &list[n];
        if (setting->percents[i] == 0)
            continue;
        r->app = i;
        r->client = client_of(p, i, setting->percents[i]);
        if (statistics_of(p, r->client, &p->alone[r->client], &r->alone, &r->alone_p95_ns, err) !=
                0 ||
            statistics_of(p, r->client, &setting->window, &r->together, &r->p95_ns, err) != 0)
            return 0;
        n++;
    }
    return n;
}

static int put_side(const struct pair *p, struct cal_store *s, int64_t id, int64_t side,
                    const struct ran *r, struct dcs_err *err)
{
    const struct paired_app *a = &p->apps[r->app];
    int percent = p->clients[r->client].percent;
    double all_sms = 0;
    cal_store_get(s, &all_sms, "SELECT sms FROM device", "");
    int64_t sms = cal_sms_of_client(&p->recordings[r->client].device, percent, (int64_t)all_sms);
    if (cal_store_put(s, err, "corun_side", "iititiiiris", id, side, a->known.name, a->known.size,
                      "request", sms, (int64_t)percent, r->alone.median_ns, r->alone.mean_ns,
                      r->alone.n, &r->together) != 0 ||
        cal_store_put(s, err, "corun_tail", "iiii", id, side, r->p95_ns, r->alone_p95_ns) != 0)
        return -1;
    printf("%s%s at %d %%: %.3f ms alone, %.3f ms together (p95 %.3f and %.3f)",
           side > 0 ? "; " : "", a->given, percent, r->alone.mean_ns * 1e-6,
           r->together.mean_ns * 1e-6, (double)r->alone_p95_ns * 1e-6, (double)r->p95_ns * 1e-6);
    return 0;
}

static int put_live(struct pair *p, struct cal_store *s, const struct setting *setting, bool *few,
                    struct dcs_err *err)
{
    struct pair_live_part parts[2];
    for (size_t i = 0; i < p->apps_count; i++) {
        size_t client = client_of(p, i, setting->percents[i]);
        struct cal_statistics alone;
        int64_t p95_ns;
        if (setting->percents[i] == 0)
            continue;
        *few = statistics_of(p, client, &p->alone[client], &alone, &p95_ns, err) != 0;
        if (*few)
            return 0;
        parts[i != p->server] = (struct pair_live_part){.name = p->apps[i].known.name,
                                                        .given = p->apps[i].given,
                                                        .size = p->apps[i].known.size,
                                                        .percent = setting->percents[i],
                                                        .solo_ns = alone.mean_ns,
                                                        .requests = &p->requests[client]};
    }
    return pair_live_put(&setting->live, s, parts, few, err);
}

static int put_beside(const struct pair *p, struct cal_store *s, const struct setting *setting,
                      bool *few, struct dcs_err *err)
{
    struct ran list[APPS_MAX];
    double last = 0;
    size_t n = find_statistics(p, setting, list, err);
    *few = n == 0;
    if (*few)
        return 0;
    cal_store_get(s, &last, "SELECT max(id) FROM corun", "");
    int64_t id = (int64_t)last + 1;
    if (cal_store_put(s, err, "corun", "itttiinn", id, "programs", "mps", setting->half, (int64_t)0,
                      setting->window.end_ns - setting->window.begin_ns) != 0)
        return -1;
    for (size_t i = 0; i < n; i++)
        if (put_side(p, s, id, (int64_t)i, &list[i], err) != 0)
            return -1;
    putchar('\n');
    return 0;
}

/* A setting of which too little is known has no row. */
static int put_setting(struct pair *p, struct cal_store *s, const struct setting *setting,
                       struct dcs_err *err)
{
    struct dcs_err why = {0};
    bool few = false;
    if (setting->window.end_ns == 0)
        return 0;
    int failed = p->served != NULL ? put_live(p, s, setting, &few, &why)
                                   : put_beside(p, s, setting, &few, &why);
    if (few) {
        cal_complain(&why);
        p->left_out++;
    } else if (failed) {
        *err = why;
    }
    return failed;
}

static int put_settings(struct pair *p, struct dcs_err *err)
{
    struct cal_store *s =
        cal_recorded_open(p->output, &p->recordings[0].device, p->same_model, err);
    int failed = s == NULL || cal_store_begin(s, err) != 0;
    if (!failed) {
        for (size_t i = 0; i < p->settings_count && !failed; i++)
            failed = put_setting(p, s, &p->settings[i], err);
        failed = cal_store_end(s, !failed, err) != 0 || failed;
    }
    cal_store_close(s);
    return failed ? -1 : 0;
}

/* --- the whole --- */

/* What ran before a fault is kept. */
static int run_pair(struct pair *p, struct dcs_err *err)
{
    struct dcs_err fault = {0};
    if (read_apps(p, err) != 0 || make_clients(p, err) != 0)
        return -1;
    int failed = run_clients(p, &fault);
    bool any = p->settings[0].window.end_ns != 0; /* the first one runs first */
    if (any && (read_clients(p, err) != 0 || put_settings(p, err) != 0))
        return -1;
    if (failed)
        cal_fault_kept(err, &fault, any);
    return failed;
}

int cal_pair_main(int argc, char **argv)
{
    static struct pair p = {.seconds = 2, .limit_s = 120, .seed = 1};
    struct dcs_err err = {0};
    if (read_options(&p, argc, argv, &err) != 0)
        return cal_complain(&err);
    if (snprintf(p.folder, sizeof p.folder, "%s.pair", p.output) >= (int)sizeof p.folder) {
        dcs_err_set(&err, "-o %.60s...: the path is too long", p.output);
        return cal_complain(&err);
    }
    snprintf(p.library, sizeof p.library, "%s/recorder.so", p.folder);
    cal_catch_interrupts();
    int code = run_pair(&p, &err) == 0 ? DCS_EXIT_OK : cal_complain(&err);
    if (code == DCS_EXIT_OK && p.left_out > 0)
        code = EXIT_FAILED_STEPS;
    if (cal_interrupted)
        code = DCS_EXIT_INTERRUPTED;
    if (p.made && !p.keep)
        cal_remove_folder(p.folder);
    for (size_t i = 0; i < p.clients_count; i++) {
        cal_requests_release(&p.requests[i]);
        cal_recording_release(&p.recordings[i]);
    }
    for (size_t i = 0; i < p.settings_count; i++)
        pair_live_release(&p.settings[i].live);
    return code;
}
