/*
 * contend_command.c - `dcsim-calibrate contend`: a recorded program runs as it is beside pressure
 * on the device's memory, and how long each of its kernels then takes is kept: what the fit of
 * contention takes. See calibrate_main.c for the command line, docs/calibrate.md, "Contention of
 * recorded programs", for what it is for.
 *
 * The program at each percentage is one process (paired_programs.h), and `press` is another one,
 * with the rest of the device, or a little less (percent_beside()). One percentage is measured
 * after the other; what was measured of those before a fault is kept. At each level the program
 * runs alone for a while, then beside each family. A producer goes on through whole requests: where
 * kernels are most of a request, what it loses beside the program is put down to each of them, and
 * that is the kind `meter`.
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/recorded_profile.h"
#include "calibrate/record/contended_kernels.h"
#include "calibrate/record/paired_programs.h"
#include "calibrate/record/presser.h"
#include "calibrate/record/recorded_program.h"
#include "calibrate/record/recorded_store.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LIST_MAX    12
#define WINDOWS_MAX (LIST_MAX * (LIST_MAX + 1))
#define WARM        20   /* requests */
#define TOP_LEVEL   11   /* of a producer; a meter is one at this level, as the fit has it */
#define LEAST       0.01 /* of the kernels of a request: shorter ones are left out */
#define BUSY        0.8  /* of a request are kernels: a producer beside it is a meter */
#define ALONE       (-1)
#define APART       8                   /* % of the SMs that are left to nobody: percent_beside() */
#define SETTLE_NS   (2 * DCS_NS_PER_MS) /* ample from a producer's first warp to its last */

struct contend_window {
    int family; /* of the list; ALONE: no producer */
    int level;
    struct cal_paired_window window;
    struct cal_pressed made;
};

/* All at one percentage. */
struct contend_part {
    struct cal_paired_client *client;
    struct cal_presser presser;
    struct cal_recording recording;
    struct cal_requests requests;
    struct contend_window windows[WINDOWS_MAX];
    size_t windows_count;
    struct cal_pressed alone[LIST_MAX]; /* the producers by family, at the top level; ns 0: none */
    bool whole;                         /* all of it was measured */
};

struct contend {
    const char *output, *given, *command, *press; /* given: NAME or NAME@SIZE */
    bool keep, same_model, made;                  /* made: the folder, by this run */
    bool device_known;
    double seconds, limit_s;
    int64_t percents[LIST_MAX], levels[LIST_MAX];
    size_t percents_count, levels_count, families_count;
    const char *families[LIST_MAX];
    char own_command[1200], own_press[1200], folder[300], library[320];
    struct cal_recorded_name name;
    struct cal_known_program known;
    struct contend_part *parts; /* by percentage */
    struct cal_paired_client clients[LIST_MAX];
    size_t rows, left_out;
};

/* --- the command line --- */

static int take_list(const char *name, const char *text, int64_t least, int64_t most, int64_t *list,
                     size_t *count, struct dcs_err *err)
{
    *count = 0;
    for (const char *at = text; *at != '\0';) {
        char *end;
        long number = strtol(at, &end, 10);
        if (end == at || number < least || number > most || (*end != ',' && *end != '\0') ||
            *count == LIST_MAX)
            return dcs_err_set(err,
                               "--%s %.60s: at most %d whole numbers from %lld to %lld, with "
                               "commas, are expected",
                               name, text, LIST_MAX, (long long)least, (long long)most);
        list[(*count)++] = number;
        at = *end == ',' ? end + 1 : end;
    }
    return *count > 0 ? 0 : dcs_err_set(err, "--%s: a number is expected", name);
}

/* The list stays the caller's, and is cut into names. */
static int take_families(struct contend *c, char *text, struct dcs_err *err)
{
    char *rest = NULL;
    c->families_count = 0;
    for (char *name = strtok_r(text, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        if (c->families_count == LIST_MAX)
            return dcs_err_set(err, "--family: at most %d names", LIST_MAX);
        c->families[c->families_count++] = name;
    }
    return c->families_count > 0 ? 0 : dcs_err_set(err, "--family: a name is expected");
}

static int take_number(const char *name, const char *text, double *number, struct dcs_err *err)
{
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '\0' && *number > 0 && *number <= 3600)
        return 0;
    return dcs_err_set(err, "--%s %.60s: a number above 0, at most 3600, is expected", name, text);
}

static int take_option(struct contend *c, int letter, struct dcs_err *err)
{
    switch (letter) {
    case 'o':
        c->output = optarg;
        return 0;
    case 'r':
        c->command = optarg;
        return 0;
    case 'b':
        c->press = optarg;
        return 0;
    case 'p':
        return take_list("percent", optarg, 1, 99, c->percents, &c->percents_count, err);
    case 'e':
        return take_list("level", optarg, 0, TOP_LEVEL, c->levels, &c->levels_count, err);
    case 'f':
        return take_families(c, optarg, err);
    case 's':
        return take_number("seconds", optarg, &c->seconds, err);
    case 'l':
        return take_number("patience", optarg, &c->limit_s, err);
    case 'k':
        c->keep = true;
        return 0;
    case 'm':
        c->same_model = true;
        return 0;
    default:
        return dcs_err_set(err, "see dcsim-calibrate --help");
    }
}

static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                        {"run", required_argument, NULL, 'r'},
                                        {"press", required_argument, NULL, 'b'},
                                        {"percent", required_argument, NULL, 'p'},
                                        {"level", required_argument, NULL, 'e'},
                                        {"family", required_argument, NULL, 'f'},
                                        {"seconds", required_argument, NULL, 's'},
                                        {"patience", required_argument, NULL, 'l'},
                                        {"keep", no_argument, NULL, 'k'},
                                        {"same-model", no_argument, NULL, 'm'},
                                        {0}};

static int read_options(struct contend *c, int argc, char **argv, struct dcs_err *err)
{
    static char families[] = "dram-copy,gather-64,l2-read,l2-capacity,dram-read,gather-32,"
                             "themis-bandwidth,themis-cache";
    if (take_families(c, families, err) != 0 ||
        take_list("percent", "50", 1, 99, c->percents, &c->percents_count, err) != 0 ||
        take_list("level", "2,5,8,11", 0, TOP_LEVEL, c->levels, &c->levels_count, err) != 0)
        return -1;
    optind = 2;
    for (int letter; (letter = getopt_long(argc, argv, "o:", options, NULL)) != -1;)
        if (take_option(c, letter, err) != 0)
            return -1;
    if (c->output == NULL)
        return dcs_err_set(err, "contend needs -o FILE, the profile that has the program");
    if (optind + 1 != argc)
        return dcs_err_set(err, "contend takes one application; see --help");
    c->given = argv[optind];
    if (c->command == NULL) {
        c->command = c->own_command;
        if (cal_own_command(c->given, "COMMAND", c->own_command, sizeof c->own_command, err) != 0)
            return -1;
    }
    if (c->press == NULL) {
        char program[1000] = "";
        if (readlink("/proc/self/exe", program, sizeof program - 1) < 0 ||
            strchr(program, '\'') != NULL)
            return dcs_err_set(err, "the path of this program is not known, or has a ' in it");
        snprintf(c->own_press, sizeof c->own_press, "exec '%s' press", program);
        c->press = c->own_press;
    }
    return 0;
}

/* --- running --- */

/* The producers' part. They come to an idle device and go on for ever: with all that a program
 * leaves they hold SMs of the program's, too. What an H200 does is in docs/validation/recorded.md,
 * "Producers that held the program's SMs". */
static int percent_beside(int percent)
{
    if (percent >= 75)
        return 100 - percent;
    return 100 - APART - percent;
}

static int read_program(struct contend *c, struct dcs_err *err)
{
    struct cal_store *s = cal_store_open_existing(c->output, err);
    int failed = s == NULL || cal_recorded_find(s, c->output, c->given, &c->name, err) != 0 ||
                 cal_known_read(&c->known, s, c->output, c->name.name, c->name.size, err) != 0;
    cal_store_close(s);
    return failed ? -1 : 0;
}

static int make_parts(struct contend *c, struct dcs_err *err)
{
    c->parts = dcs_alloc(c->percents_count, sizeof *c->parts);
    for (size_t i = 0; i < c->percents_count; i++) {
        struct contend_part *part = &c->parts[i];
        int percent = (int)c->percents[i];
        part->client = &c->clients[i];
        *part->client = (struct cal_paired_client){
            .name = c->given, .command = c->command, .how = c->name.how, .percent = percent};
        snprintf(part->client->folder, sizeof part->client->folder, "%s/%d", c->folder, percent);
        part->presser =
            (struct cal_presser){.command = c->press, .percent = percent_beside(percent)};
    }
    if (mkdir(c->folder, 0700) != 0)
        return dcs_err_at(err, c->folder, 0, NULL, "cannot be made: %s; remove what is left there",
                          strerror(errno));
    c->made = true;
    return cal_program_put_recorder(c->library, err);
}

/* count 0: the producer alone. */
static int press_beside(struct contend *c, struct contend_part *part, size_t count,
                        struct contend_window *w, struct dcs_err *err)
{
    struct cal_paired_client *client = part->client;
    if (cal_presser_press(&part->presser, c->families[w->family], w->level, err) != 0)
        return -1;
    cal_sleep_until(cal_now_ns() + SETTLE_NS);
    if (cal_paired_run(&client, count, c->seconds, &cal_interrupted, &w->window, err) != 0)
        return -1;
    int failed = cal_presser_release(&part->presser, &w->made, err);
    cal_paired_drain();
    return failed;
}

static int measure_producers(struct contend *c, struct contend_part *part, struct dcs_err *err)
{
    for (size_t f = 0; f < c->families_count; f++) {
        struct contend_window w = {.family = (int)f, .level = TOP_LEVEL};
        if (press_beside(c, part, 0, &w, err) != 0)
            return -1;
        part->alone[f] = w.made;
    }
    return 0;
}

static int measure_level(struct contend *c, struct contend_part *part, int level,
                         struct dcs_err *err)
{
    struct cal_paired_client *client = part->client;
    struct contend_window *w = &part->windows[part->windows_count++];
    *w = (struct contend_window){.family = ALONE, .level = level};
    if (cal_paired_run(&client, 1, c->seconds, &cal_interrupted, &w->window, err) != 0)
        return -1;
    cal_paired_drain();
    if (cal_recorded_check(c->output, client->folder, c->same_model, &c->device_known, err) != 0)
        return -1;
    for (size_t f = 0; f < c->families_count; f++) {
        w = &part->windows[part->windows_count++];
        *w = (struct contend_window){.family = (int)f, .level = level};
        if (press_beside(c, part, 1, w, err) != 0)
            return -1;
    }
    return 0;
}

static int measure_part(struct contend *c, struct contend_part *part, struct cal_mps *mps,
                        struct dcs_err *err)
{
    int failed =
        cal_presser_start(&part->presser, mps, err) != 0 || measure_producers(c, part, err) != 0;
    for (size_t i = 0; i < c->levels_count && !failed; i++)
        failed = measure_level(c, part, (int)c->levels[i], err);
    cal_presser_end(&part->presser);
    part->whole = !failed;
    return failed ? -1 : 0;
}

/* They start at one time, for a program may read a lot before its first request. */
static int start_programs(struct contend *c, struct cal_paired_client *clients, struct cal_mps *mps,
                          struct dcs_err *err)
{
    for (size_t i = 0; i < c->percents_count; i++)
        if (cal_paired_start(&clients[i], mps, c->library, err) != 0)
            return -1;
    return cal_paired_await(clients, c->percents_count, WARM, c->limit_s, &cal_interrupted, err);
}

static int measure_parts(struct contend *c, struct dcs_err *err)
{
    struct cal_mps *mps = cal_mps_start(err);
    int failed = mps == NULL || start_programs(c, c->clients, mps, err) != 0 ? -1 : 0;
    for (size_t i = 0; i < c->percents_count && !failed; i++)
        failed = measure_part(c, &c->parts[i], mps, err);
    cal_paired_end(c->clients, c->percents_count, &cal_interrupted);
    cal_mps_stop(mps);
    return failed;
}

/* --- rows --- */

struct contend_rows {
    struct contend *c;
    struct cal_store *s;
    struct contend_part *part;
    const struct cal_contended *alone;
    int64_t sms, next_id;
};

/* Of a request that consists of these times of kernels; ns. */
static double kernels_of_request(const struct cal_known_program *p, const struct cal_contended *t)
{
    double sum = 0;
    for (size_t i = 0; i < p->count; i++)
        for (size_t k = 0; p->kernels[i].is_kernel && k < t->kernels[i].count; k++)
            sum += (double)t->kernels[i].ns[k] * (double)p->kernels[i].places;
    return t->requests > 0 ? sum / (double)t->requests : 0;
}

/* One turn of a producer beside the kernels, from that beside whole requests; 0: it does not tell.
 * While the request has no kernel running, the producer is as fast as it is alone. */
static double meter_ns(const struct contend_rows *r, const struct contend_window *w,
                       const struct cal_contended *t)
{
    const struct cal_pressed *a = &r->part->alone[w->family];
    double busy = t->busy_ns < t->requests_ns ? t->busy_ns / t->requests_ns : 1;
    if (w->level != TOP_LEVEL || busy < BUSY || a->iterations < 1 || w->made.iterations < 1)
        return 0;
    double alone = a->ns / a->iterations, each = w->made.ns / w->made.iterations;
    double left = alone / each - (1 - busy);
    if (left <= 0)
        return 0;
    return alone * busy / left > alone ? alone * busy / left : alone;
}

static struct cal_statistics statistics_of_producer(double iterations, double each_ns)
{
    int64_t ns = each_ns >= 1 ? (int64_t)(each_ns + 0.5) : 1;
    return (struct cal_statistics){.n = iterations >= 1 ? (int64_t)iterations : 1,
                                   .median_ns = ns,
                                   .min_ns = ns,
                                   .max_ns = ns,
                                   .mean_ns = each_ns,
                                   .stop = "time",
                                   .l2 = "warm"};
}

static int put_sides(struct contend_rows *r, const struct contend_window *w, const char *kernel,
                     const struct cal_statistics *alone, const struct cal_statistics *beside,
                     double producer_alone_ns, const struct cal_statistics *producer,
                     struct dcs_err *err)
{
    const struct contend *c = r->c;
    int64_t alone_ns = producer_alone_ns >= 1 ? (int64_t)(producer_alone_ns + 0.5) : 1;
    if (cal_store_put(r->s, err, "corun_side", "iititiiiris", r->next_id, (int64_t)0, c->name.name,
                      c->name.size, kernel, r->sms, (int64_t)r->part->client->percent,
                      alone->median_ns, alone->mean_ns, alone->n, beside) != 0)
        return -1;
    return cal_store_put(r->s, err, "corun_side", "iititiiiris", r->next_id, (int64_t)1,
                         c->families[w->family], (int64_t)w->level, "producer", w->made.sms,
                         (int64_t)r->part->presser.percent, alone_ns, producer_alone_ns, (int64_t)1,
                         producer);
}

static int put_corun(struct contend_rows *r, const struct contend_window *w, const char *kind,
                     struct dcs_err *err)
{
    double turns = w->made.iterations / w->made.ns;
    double dram = turns * w->made.dram_bytes, l2 = turns * w->made.l2_bytes;
    const char *format = dram > 0 && l2 > 0 ? "ittniirr" : dram > 0 ? "ittniirn" : "ittniinr";
    int64_t lasted_ns = w->window.end_ns - w->window.begin_ns;
    r->next_id++;
    if (dram <= 0 && l2 <= 0)
        return cal_store_put(r->s, err, "corun", "ittniinn", r->next_id, kind, "mps", (int64_t)0,
                             lasted_ns);
    if (dram > 0 && l2 > 0)
        return cal_store_put(r->s, err, "corun", format, r->next_id, kind, "mps", (int64_t)0,
                             lasted_ns, dram, l2);
    return cal_store_put(r->s, err, "corun", format, r->next_id, kind, "mps", (int64_t)0, lasted_ns,
                         dram > 0 ? dram : l2);
}

static int put_kernel(struct contend_rows *r, const struct contend_window *w,
                      const struct cal_contended *t, size_t kernel, struct dcs_err *err)
{
    const char *name = r->c->known.kernels[kernel].name;
    struct cal_statistics alone, beside;
    double each_ns = w->made.ns / (w->made.iterations >= 1 ? w->made.iterations : 1);
    struct cal_statistics producer = statistics_of_producer(w->made.iterations, each_ns);
    if (cal_samples_statistics(&r->alone->kernels[kernel], CAL_STOP_TIME, "warm", &alone, err) !=
            0 ||
        cal_samples_statistics(&t->kernels[kernel], CAL_STOP_TIME, "warm", &beside, err) != 0 ||
        put_corun(r, w, "sensitivity", err) != 0 ||
        put_sides(r, w, name, &alone, &beside, each_ns, &producer, err) != 0)
        return -1;
    r->c->rows++;
    double meter = meter_ns(r, w, t);
    if (meter <= 0)
        return 0;
    const struct cal_pressed *a = &r->part->alone[w->family];
    producer = statistics_of_producer(w->made.iterations, meter);
    r->c->rows++;
    return put_corun(r, w, "meter", err) != 0 ||
                   put_sides(r, w, name, &alone, &beside, a->ns / a->iterations, &producer, err) !=
                       0
               ? -1
               : 0;
}

static int put_window(struct contend_rows *r, const struct contend_window *w, struct dcs_err *err)
{
    const struct cal_known_program *p = &r->c->known;
    struct cal_contended t = cal_contended_make(p);
    double whole_ns = kernels_of_request(p, r->alone);
    int failed = 0;
    if (cal_contended_add(&t, p, &r->part->requests, w->window.begin_ns, w->window.end_ns) == 0) {
        fprintf(stderr,
                "dcsim-calibrate: %s at %d %% has ended no request in %g s beside %s at level %d: "
                "there is no row of it; give --seconds more\n",
                r->c->given, r->part->client->percent, r->c->seconds, r->c->families[w->family],
                w->level);
        r->c->left_out++;
    } else {
        for (size_t i = 0; i < p->count && !failed; i++) {
            double sum = 0;
            for (size_t k = 0; k < r->alone->kernels[i].count; k++)
                sum += (double)r->alone->kernels[i].ns[k];
            double of_request = sum / (double)r->alone->requests * (double)p->kernels[i].places;
            if (p->kernels[i].is_kernel && of_request >= LEAST * whole_ns)
                failed = put_kernel(r, w, &t, i, err);
        }
    }
    cal_contended_release(&t, p);
    return failed ? -1 : 0;
}

static int read_part(struct contend *c, struct contend_part *part, struct dcs_err *err)
{
    if (cal_recording_read(&part->recording, part->client->folder, err) != 0)
        return -1;
    if (part->recording.refused[0] != '\0')
        return dcs_err_set(err, "%s at %d %%: %s", c->given, part->client->percent,
                           part->recording.refused);
    return cal_requests_find(&part->requests, &part->recording, c->name.how, err);
}

static int put_part(struct contend_rows *r, struct dcs_err *err)
{
    const struct cal_known_program *p = &r->c->known;
    struct contend_part *part = r->part;
    struct cal_contended alone = cal_contended_make(p);
    int failed = 0;
    for (size_t i = 0; i < part->windows_count; i++)
        if (part->windows[i].family == ALONE)
            cal_contended_add(&alone, p, &part->requests, part->windows[i].window.begin_ns,
                              part->windows[i].window.end_ns);
    if (alone.requests == 0)
        failed = dcs_err_set(err,
                             "%s at %d %% has ended no request alone in %g s: give --seconds "
                             "more",
                             r->c->given, part->client->percent, r->c->seconds);
    r->alone = &alone;
    for (size_t i = 0; i < part->windows_count && !failed; i++)
        if (part->windows[i].family != ALONE)
            failed = put_window(r, &part->windows[i], err);
    cal_contended_release(&alone, p);
    return failed;
}

/* What earlier runs measured of the program of this size at this percentage. */
static int forget_rows(const struct contend_rows *r, struct dcs_err *err)
{
    static const char *const sql[] = {
        "DELETE FROM corun WHERE kind IN ('sensitivity', 'meter') AND id IN "
        "(SELECT corun FROM corun_side WHERE side = 0 AND application = ? AND size = ? AND percent "
        "= ?)",
        "DELETE FROM corun_side WHERE corun NOT IN (SELECT id FROM corun)"};
    return cal_store_execute(r->s, err, sql[0], "tii", r->c->name.name, r->c->name.size,
                             (int64_t)r->part->client->percent) != 0 ||
                   cal_store_execute(r->s, err, sql[1], "") != 0
               ? -1
               : 0;
}

static int put_parts(struct contend *c, struct dcs_err *err)
{
    double last = 0, all_sms = 0;
    struct cal_store *s = /* the first part is whole where any is */
        cal_recorded_open(c->output, &c->parts[0].recording.device, c->same_model, err);
    struct contend_rows r = {.c = c, .s = s};
    int failed = s == NULL || cal_store_begin(s, err) != 0;
    if (!failed) {
        cal_store_get(s, &last, "SELECT max(id) FROM corun", "");
        cal_store_get(s, &all_sms, "SELECT sms FROM device", "");
        r.next_id = (int64_t)last;
        for (size_t i = 0; i < c->percents_count && !failed; i++) {
            r.part = &c->parts[i];
            if (!r.part->whole)
                continue;
            r.sms = cal_sms_of_client(&r.part->recording.device, r.part->client->percent,
                                      (int64_t)all_sms);
            failed = forget_rows(&r, err) != 0 || put_part(&r, err) != 0;
        }
        failed = cal_store_end(s, !failed, err) != 0 || failed;
    }
    cal_store_close(s);
    return failed ? -1 : 0;
}

/* --- the whole --- */

/* Rows of what was measured to its end. */
static int keep_parts(struct contend *c, struct dcs_err *err)
{
    for (size_t i = 0; i < c->percents_count; i++)
        if (c->parts[i].whole && read_part(c, &c->parts[i], err) != 0)
            return -1;
    if (put_parts(c, err) != 0)
        return -1;
    printf(
        "%s: %zu co-runs of its kernels with producers; fit_contention.py makes a model of them\n",
        c->given, c->rows);
    return 0;
}

static int run_contend(struct contend *c, struct dcs_err *err)
{
    struct dcs_err fault = {0};
    size_t whole = 0;
    if (read_program(c, err) != 0 || make_parts(c, err) != 0)
        return -1;
    int failed = measure_parts(c, &fault);
    for (size_t i = 0; i < c->percents_count; i++)
        whole += c->parts[i].whole;
    if (whole > 0 && keep_parts(c, err) != 0)
        return -1;
    if (failed)
        cal_fault_kept(err, &fault, whole > 0);
    return failed;
}

int cal_contend_main(int argc, char **argv)
{
    struct contend c = {.seconds = 0.5, .limit_s = 120};
    struct dcs_err err = {0};
    if (read_options(&c, argc, argv, &err) != 0)
        return cal_complain(&err);
    if (snprintf(c.folder, sizeof c.folder, "%s.contend", c.output) >= (int)sizeof c.folder) {
        dcs_err_set(&err, "-o %.60s...: the path is too long", c.output);
        return cal_complain(&err);
    }
    snprintf(c.library, sizeof c.library, "%s/recorder.so", c.folder);
    cal_catch_interrupts();
    int code = run_contend(&c, &err) == 0 ? DCS_EXIT_OK : cal_complain(&err);
    if (code == DCS_EXIT_OK && c.left_out > 0)
        code = EXIT_FAILED_STEPS;
    if (cal_interrupted)
        code = DCS_EXIT_INTERRUPTED;
    if (c.made && !c.keep)
        cal_remove_folder(c.folder);
    for (size_t i = 0; c.parts != NULL && i < c.percents_count; i++) {
        cal_requests_release(&c.parts[i].requests);
        cal_recording_release(&c.parts[i].recording);
    }
    free(c.parts);
    cal_known_release(&c.known);
    return code;
}
