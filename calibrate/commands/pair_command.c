/*
 * pair_command.c - `dcsim-calibrate pair`: applications of a profile, each a program, serve their
 * requests back to back beside each other under MPS, and how long these take is kept: what a model
 * is judged by. See calibrate_main.c for the command line, docs/calibrate.md, "Recorded programs
 * beside each other", for what it is for.
 *
 * Every application at every percentage is one process (paired_programs.h). Each runs alone for a
 * while, then each setting of percentages together; of each stretch those requests count that begin
 * and end in it, but for those of its first twelfth.
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/recorded_profile.h"
#include "calibrate/record/paired_programs.h"
#include "calibrate/record/recorded_program.h"
#include "calibrate/record/recorded_store.h"

#include <errno.h>
#include <ftw.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define APPS_MAX     8
#define SETTINGS_MAX 16
#define CLIENTS_MAX  40 /* of an MPS server, on devices of compute capability 7.0 and later: 48 */
#define WARM         20 /* requests */
#define HOW_BYTES    1024
#define PATH_BYTES   1000

struct paired_app {
    const char *name, *command;
    char own_command[PATH_BYTES + 100]; /* of an application of ours */
    char how[HOW_BYTES];                /* what a request of it is */
    int64_t size;
};

struct setting {
    int percents[APPS_MAX];
    struct cal_paired_window window;
};

struct pair {
    const char *output, *half;
    bool keep, same_model, made; /* made: the folder, by this run */
    double seconds, limit_s;
    struct paired_app apps[APPS_MAX];
    size_t apps_count;
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
        if (end == at || percent < 1 || percent > 100 || (*end != ',' && *end != '\0') ||
            n == APPS_MAX)
            return dcs_err_set(err,
                               "--percent %.60s: a whole number from 1 to 100 for each application "
                               "is expected, such as 75,25",
                               text);
        s->percents[n++] = (int)percent;
        at = *end == ',' ? end + 1 : end;
    }
    for (; n < APPS_MAX; n++)
        s->percents[n] = 0;
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

static int take_option(struct pair *p, int letter, struct dcs_err *err)
{
    switch (letter) {
    case 'o':
        p->output = optarg;
        return 0;
    case 'h':
        p->half = optarg;
        return strcmp(optarg, "dev") == 0 || strcmp(optarg, "test") == 0 ||
                       strcmp(optarg, "test2") == 0
                   ? 0
                   : dcs_err_set(err, "--half %.60s: dev, test or test2 is expected", optarg);
    case 'p':
        return take_percents(p, optarg, err);
    case 's':
        return take_number("seconds", optarg, &p->seconds, err);
    case 'l':
        return take_number("patience", optarg, &p->limit_s, err);
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
    char program[PATH_BYTES] = "";
    a->command = command_of(p, a->name);
    if (a->command != NULL)
        return 0;
    if (!cal_gpu_has_app(a->name))
        return dcs_err_set(err,
                           "how is %.64s run? --run '%.64s=COMMAND' says it; the command serves "
                           "requests until it is told to end",
                           a->name, a->name);
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 ||
        strchr(program, '\'') != NULL)
        return dcs_err_set(err, "the path of this program is not known, or has a ' in it");
    snprintf(a->own_command, sizeof a->own_command, "exec '%s' serve %.64s", program, a->name);
    a->command = a->own_command;
    return 0;
}

static int take_apps(struct pair *p, int count, char **names, struct dcs_err *err)
{
    if (count < 2 || count > APPS_MAX)
        return dcs_err_set(err, "pair takes 2 to %d applications; see --help", APPS_MAX);
    for (int i = 0; i < count; i++) {
        p->apps[i].name = names[i];
        p->apps_count++;
        if (find_command(p, &p->apps[i], err) != 0)
            return -1;
    }
    return 0;
}

/* Without --percent each has as much as the others. */
static int check_settings(struct pair *p, struct dcs_err *err)
{
    if (p->settings_count == 0) {
        p->settings_count = 1;
        for (size_t i = 0; i < p->apps_count; i++)
            p->settings[0].percents[i] = (int)(100 / p->apps_count);
    }
    for (size_t s = 0; s < p->settings_count; s++) {
        size_t given = 0;
        while (given < APPS_MAX && p->settings[s].percents[given] != 0)
            given++;
        if (given != p->apps_count)
            return dcs_err_set(err, "--percent: %zu numbers, and there are %zu applications", given,
                               p->apps_count);
    }
    return 0;
}

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"half", required_argument, NULL, 'h'},
                                        {"percent", required_argument, NULL, 'p'},
                                        {"seconds", required_argument, NULL, 's'},
                                        {"patience", required_argument, NULL, 'l'},
                                        {"run", required_argument, NULL, 'r'},
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
    if (take_apps(p, argc - optind, argv + optind, err) != 0)
        return -1;
    return check_settings(p, err);
}

/* --- the profile says what a request is --- */

static int read_app(const struct pair *p, struct cal_store *s, struct paired_app *a,
                    struct dcs_err *err)
{
    char request[HOW_BYTES] = "waits";
    double size = CAL_RECORDED_SIZE;
    if (!cal_recorded_is_there(s, a->name))
        return dcs_err_at(err, p->output, 0, NULL,
                          "has no application \"%.64s\": record it first (dcsim-calibrate record)",
                          a->name);
    cal_store_get_text(s, request, sizeof request,
                       "SELECT request FROM recorded WHERE application = ? AND mechanism = 'whole'",
                       "t", a->name);
    cal_store_get(s, &size, "SELECT size_default FROM subject WHERE application = ?", "t", a->name);
    const char *how = strncmp(request, "range ", 6) == 0 ? request + 6 : request;
    snprintf(a->how, sizeof a->how, "%s", how);
    a->size = (int64_t)size;
    return 0;
}

static int read_apps(struct pair *p, struct dcs_err *err)
{
    struct cal_store *s = cal_store_open_existing(p->output, err);
    int failed = s == NULL ? -1 : 0;
    for (size_t i = 0; i < p->apps_count && !failed; i++)
        failed = read_app(p, s, &p->apps[i], err);
    cal_store_close(s);
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
    p->clients[n] = (struct cal_paired_client){.name = p->apps[app].name,
                                               .command = p->apps[app].command,
                                               .how = p->apps[app].how,
                                               .percent = percent};
    snprintf(p->clients[n].folder, sizeof p->clients[n].folder, "%s/%zu-%d", p->folder, app,
             percent);
    p->app_of[p->clients_count++] = app;
    return 0;
}

static int make_clients(struct pair *p, struct dcs_err *err)
{
    for (size_t s = 0; s < p->settings_count; s++)
        for (size_t i = 0; i < p->apps_count; i++)
            if (add_client(p, i, p->settings[s].percents[i], err) != 0)
                return -1;
    if (mkdir(p->folder, 0700) != 0)
        return dcs_err_at(err, p->folder, 0, NULL, "cannot be made: %s; remove what is left there",
                          strerror(errno));
    p->made = true;
    return cal_program_put_recorder(p->library, err);
}

static int run_windows(struct pair *p, struct dcs_err *err)
{
    struct cal_paired_client *together[APPS_MAX];
    for (size_t i = 0; i < p->clients_count; i++) {
        together[0] = &p->clients[i];
        if (cal_paired_run(together, 1, p->seconds, &cal_interrupted, &p->alone[i], err) != 0)
            return -1;
    }
    for (size_t s = 0; s < p->settings_count; s++) {
        for (size_t i = 0; i < p->apps_count; i++)
            together[i] = &p->clients[client_of(p, i, p->settings[s].percents[i])];
        if (cal_paired_run(together, p->apps_count, p->seconds, &cal_interrupted,
                           &p->settings[s].window, err) != 0)
            return -1;
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
    cal_paired_end(p->clients, p->clients_count);
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

/* Of the requests of a stretch. -1 and err: there are too few. */
static int statistics_of(const struct pair *p, size_t client, const struct cal_paired_window *w,
                         struct cal_statistics *out, struct dcs_err *err)
{
    const struct cal_requests *all = &p->requests[client];
    int64_t from_ns = w->begin_ns + (w->end_ns - w->begin_ns) / 12;
    struct cal_samples samples = {0};
    for (size_t i = 0; i < all->count; i++)
        if (all->list[i].begin_ns >= from_ns && all->list[i].end_ns <= w->end_ns)
            cal_samples_add(&samples, all->list[i].end_ns - all->list[i].begin_ns, 0, false);
    size_t n = samples.count;
    int failed = n < 2 ? -1 : cal_samples_statistics(&samples, CAL_STOP_TIME, "warm", out, err);
    cal_samples_release(&samples);
    if (n < 2)
        return dcs_err_set(err, "%s at %d %% has done %zu requests in %.1f s: give --seconds more",
                           p->clients[client].name, p->clients[client].percent, n, p->seconds);
    return failed;
}

static int64_t sms_of(const struct pair *p, size_t client, int64_t all_sms)
{
    int64_t sms = p->recordings[client].device.sms, percent = p->clients[client].percent;
    return percent < 100 && sms == all_sms ? (all_sms * percent + 99) / 100 : sms;
}

static int put_setting(const struct pair *p, struct cal_store *s, const struct setting *setting,
                       struct dcs_err *err)
{
    double last = 0, all_sms = 0;
    cal_store_get(s, &last, "SELECT max(id) FROM corun", "");
    cal_store_get(s, &all_sms, "SELECT sms FROM device", "");
    int64_t id = (int64_t)last + 1;
    if (cal_store_put(s, err, "corun", "itttiinn", id, "programs", "mps", p->half, (int64_t)0,
                      setting->window.end_ns - setting->window.begin_ns) != 0)
        return -1;
    for (size_t i = 0; i < p->apps_count; i++) {
        size_t client = client_of(p, i, setting->percents[i]);
        struct cal_statistics alone, together;
        if (statistics_of(p, client, &p->alone[client], &alone, err) != 0 ||
            statistics_of(p, client, &setting->window, &together, err) != 0 ||
            cal_store_put(s, err, "corun_side", "iititiiiris", id, (int64_t)i, p->apps[i].name,
                          p->apps[i].size, "request", sms_of(p, client, (int64_t)all_sms),
                          (int64_t)setting->percents[i], alone.median_ns, alone.mean_ns, alone.n,
                          &together) != 0)
            return -1;
        printf("%s%s at %d %%: %.3f ms alone, %.3f ms together", i > 0 ? "; " : "", p->apps[i].name,
               setting->percents[i], alone.mean_ns * 1e-6, together.mean_ns * 1e-6);
    }
    putchar('\n');
    return 0;
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

static int remove_entry(const char *path, const struct stat *entry, int kind, struct FTW *place)
{
    (void)entry, (void)kind, (void)place;
    return remove(path);
}

static int run_pair(struct pair *p, struct dcs_err *err)
{
    if (read_apps(p, err) != 0 || make_clients(p, err) != 0)
        return -1;
    return run_clients(p, err) != 0 || read_clients(p, err) != 0 || put_settings(p, err) != 0 ? -1
                                                                                              : 0;
}

int cal_pair_main(int argc, char **argv)
{
    static struct pair p = {.seconds = 2, .limit_s = 120};
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
    if (cal_interrupted)
        code = DCS_EXIT_INTERRUPTED;
    if (p.made && !p.keep)
        nftw(p.folder, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
    for (size_t i = 0; i < p.clients_count; i++) {
        cal_requests_release(&p.requests[i]);
        cal_recording_release(&p.recordings[i]);
    }
    return code;
}
