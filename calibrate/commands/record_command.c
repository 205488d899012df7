/*
 * record_command.c - `dcsim-calibrate record`: a program, as it is, becomes an application of a
 * profile. See calibrate_main.c for the command line, docs/calibrate.md, "Recording a
 * program", for what it is for.
 *
 * Recordings go to the folder OUTPUT.NAME.recording, one folder in it for each percentage (of each
 * size, if there are several), and are removed when all went well; --keep keeps them, and they stay
 * where something went wrong and a kernel was recorded: --from FOLDER reads them again. After
 * Ctrl-C nothing is stored, and they stay, too.
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/record_options.h"
#include "calibrate/commands/record_print.h"
#include "calibrate/commands/recorded_profile.h"
#include "calibrate/record/recorded_program.h"
#include "calibrate/record/recorded_store.h"
#include "calibrate/worker/mps.h"

#include <errno.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES 512

struct record {
    struct record_options a;
    char folder[PATH_BYTES], library[PATH_BYTES + 16];
    struct record_size sizes[RECORD_SIZES_MAX];
    size_t sizes_count;
    size_t kernels;  /* in all recordings that were read */
    bool made;       /* the folder, by this run */
    bool incomplete; /* something went wrong that has been said; what there is, is kept */
};

/* The folder of a percentage, in that of its size if requests have sizes. Beside it is one of how
 * long requests take without being recorded (name_clock()). */
static void name_folder(const struct record *r, int64_t size, int percent,
                        char path[PATH_BYTES + 64])
{
    if (r->a.unit[0] == '\0')
        snprintf(path, PATH_BYTES + 64, "%s/%d", r->folder, percent);
    else
        snprintf(path, PATH_BYTES + 64, "%s/%s-%lld/%d", r->folder, r->a.unit, (long long)size,
                 percent);
}

static void name_clock(const char *folder, char path[PATH_BYTES + 80])
{
    snprintf(path, PATH_BYTES + 80, "%s.clock", folder);
}

/* The NVTX range that is a request; NULL: it is none. */
static const char *range_of(const struct record *r)
{
    const char *name = r->a.request;
    bool other = name != NULL && (strcmp(name, "waits") == 0 || strcmp(name, "process") == 0);
    return other ? NULL : name;
}

/* --- before the program runs --- */

/* What of the output can be known to be wrong. */
static int check_output(const struct record *r, struct dcs_err *err)
{
    const struct record_options *a = &r->a;
    if (access(a->output, F_OK) != 0)
        return 0;
    struct cal_store *s = cal_store_open_existing(a->output, err);
    if (s == NULL)
        return -1;
    int failed = 0;
    if (cal_store_is_cpu(s))
        failed = dcs_err_at(err, a->output, 0, NULL,
                            "is the profile of a CPU; name another file with -o");
    else if (!a->replace && cal_recorded_is_there(s, a->name))
        failed =
            dcs_err_at(err, a->output, 0, NULL,
                       "has an application \"%s\": take another --name, or --replace it", a->name);
    cal_store_close(s);
    return failed;
}

static int make_folder(const char *path, struct dcs_err *err)
{
    if (mkdir(path, 0700) == 0)
        return 0;
    return dcs_err_at(err, path, 0, NULL, "cannot be made: %s%s", strerror(errno),
                      errno == EEXIST ? "; a recording is left there: read it with --from, or "
                                        "remove it"
                                      : "");
}

static int make_folders(struct record *r, struct dcs_err *err)
{
    char path[PATH_BYTES + 64];
    if (make_folder(r->folder, err) != 0)
        return -1;
    r->made = true;
    for (size_t i = 0; i < r->a.sizes_count; i++) {
        snprintf(path, sizeof path, "%s/%s-%lld", r->folder, r->a.unit, (long long)r->a.sizes[i]);
        if (r->a.unit[0] != '\0' && make_folder(path, err) != 0)
            return -1;
        for (size_t k = 0; k < r->a.percents_count; k++) {
            name_folder(r, r->a.sizes[i], r->a.percents[k], path);
            if (make_folder(path, err) != 0)
                return -1;
        }
    }
    return cal_program_put_recorder(r->library, err);
}

/* --- running --- */

/* Says what is wrong; what was recorded is used all the same. */
__attribute__((format(printf, 2, 3))) static void note_fault(struct record *r, const char *format,
                                                             ...)
{
    struct dcs_err fault = {0};
    va_list values;
    va_start(values, format);
    vsnprintf(fault.text, sizeof fault.text, format, values);
    va_end(values);
    cal_complain(&fault);
    r->incomplete = true;
}

static void note_end(struct record *r, const struct cal_program_end *end)
{
    const char *kept = "what was recorded until then is kept";
    if (end->signal != 0 && !cal_interrupted)
        note_fault(r, "the program was ended by signal %d (%s): %s", end->signal,
                   strsignal(end->signal), kept);
    else if (end->exit_code != 0 && !cal_interrupted)
        note_fault(r, "the program ended with exit code %d: %s", end->exit_code, kept);
    if (end->left_behind != 0)
        note_fault(
            r,
            "the program has ended and left process %d behind: what that does is not recorded; "
            "run it in the foreground",
            end->left_behind);
}

static void write_walls(const char *folder, const struct cal_recorded_run *run)
{
    char path[PATH_BYTES + 96];
    snprintf(path, sizeof path, "%s/walls", folder);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return; /* they are told all the same, but for a later --from */
    fprintf(out, "%lld %lld\n", (long long)run->plain_wall_ns, (long long)run->wall_ns);
    fclose(out);
}

static void read_walls(const char *folder, struct cal_recorded_run *run)
{
    char path[PATH_BYTES + 96];
    long long plain = 0, wall = 0;
    snprintf(path, sizeof path, "%s/walls", folder);
    FILE *in = fopen(path, "r");
    if (in == NULL)
        return;
    if (fscanf(in, "%lld %lld", &plain, &wall) == 2 && plain >= 0 && wall >= 0) {
        run->plain_wall_ns = plain;
        run->wall_ns = wall;
    }
    fclose(in);
}

/* Without being recorded: by the ranges alone, where requests are ranges. 0 if that did not go
 * well, and then there are none of these either. */
static int64_t run_plainly(const struct record *r, const struct record_size *of, const char *folder,
                           const struct cal_worker_setting *settings, struct dcs_err *err)
{
    char clock[PATH_BYTES + 80];
    struct cal_program_end end = {.exit_code = -1};
    name_clock(folder, clock);
    const struct cal_program_run how = {.arguments = of->arguments,
                                        .settings = settings,
                                        .folder = range_of(r) != NULL ? clock : NULL,
                                        .library = r->library,
                                        .range = range_of(r),
                                        .clock = true,
                                        .interrupted = &cal_interrupted};
    if (r->a.once || cal_interrupted)
        return 0;
    cal_remove_folder(clock); /* of the first of two runs */
    bool fine = range_of(r) == NULL || mkdir(clock, 0700) == 0;
    if (fine && cal_program_run(&how, &end, err) == 0 && end.exit_code == 0)
        return end.wall_ns;
    cal_remove_folder(clock);
    return 0;
}

/* Without the recorder, with it, and, where the first start was the slower one (it read the program
 * from disk), without it again. */
static int run_program(struct record *r, const struct record_size *of, struct cal_recorded_run *run,
                       const struct cal_worker_setting *settings, struct dcs_err *err)
{
    char folder[PATH_BYTES + 64];
    struct cal_program_end end;
    name_folder(r, of->size, run->percent, folder);
    const struct cal_program_run how = {.arguments = of->arguments,
                                        .settings = settings,
                                        .folder = folder,
                                        .library = r->library,
                                        .range = range_of(r),
                                        .calls = r->a.calls,
                                        .interrupted = &cal_interrupted};
    run->plain_wall_ns = run_plainly(r, of, folder, settings, err);
    if (cal_interrupted || cal_program_run(&how, &end, err) != 0)
        return -1;
    run->wall_ns = end.wall_ns;
    note_end(r, &end);
    if (run->plain_wall_ns > run->wall_ns)
        run->plain_wall_ns = run_plainly(r, of, folder, settings, err);
    if (!cal_interrupted)
        write_walls(folder, run);
    return 0;
}

static int run_in_mps(struct record *r, const struct record_size *of, struct cal_recorded_run *run,
                      struct dcs_err *err)
{
    struct cal_worker_setting settings[CAL_MPS_SETTINGS];
    struct cal_mps *mps = cal_mps_start(err);
    if (mps == NULL)
        return -1;
    cal_mps_settings(mps, run->percent, settings);
    int failed = run_program(r, of, run, settings, err);
    cal_mps_stop(mps);
    return failed;
}

/* --- from files to a sequence --- */

static int check_recording(const struct cal_recording *c, struct dcs_err *err)
{
    if (c->refused[0] != '\0')
        return dcs_err_set(err, "nothing was recorded: %s", c->refused);
    if (c->kernels == 0)
        return dcs_err_set(err, "the program launched no kernel%s",
                           c->processes_count == 0
                               ? ", and has not used CUDA: is it the program that you mean, "
                                 "and does its output say that it found the GPU?"
                               : "");
    if (c->devices > 1)
        return dcs_err_set(err,
                           "the program used %d devices, and an application has one: set "
                           "CUDA_VISIBLE_DEVICES to one of them",
                           c->devices);
    if (c->device.sms == 0)
        return dcs_err_set(err, "the recording does not say on which device the program ran: "
                                "record again");
    return 0;
}

/* "at 50 %", or "at batch 8, 50 %" where requests have sizes. */
static const char *place_of(const struct record *r, const struct record_size *of, int percent)
{
    static char text[RECORD_UNIT_BYTES + 64];
    if (r->a.unit[0] == '\0')
        snprintf(text, sizeof text, "at %d %%", percent);
    else
        snprintf(text, sizeof text, "at %s %lld, %d %%", r->a.unit, (long long)of->size, percent);
    return text;
}

static void note_no_clock(const struct record *r, const struct record_size *of,
                          const struct cal_recorded_run *run, const char *why)
{
    fprintf(stderr,
            "dcsim-calibrate: %s: how long a request takes without being recorded is not known: "
            "%s\n",
            place_of(r, of, run->percent), why);
}

/* Ranges whose median is farther from that of the requests end before their kernels do, or requests
 * differ. A choice, not measured. */
#define CLOCKS_DIFFER 0.02

/* How long requests take without being recorded, if the program's ranges say it: gaps are made to
 * fit that. */
static void take_clock(const struct record *r, const struct record_size *of,
                       struct cal_recorded_run *run, const char *folder)
{
    char path[PATH_BYTES + 80];
    struct cal_clock recorded;
    struct dcs_err err = {0};
    struct cal_sequence *s = &run->sequence;
    name_clock(folder, path);
    if (range_of(r) == NULL || access(path, F_OK) != 0)
        return;
    cal_clock_make(&recorded, &run->recording, (size_t)r->a.requests);
    double apart = (double)recorded.median_ns / (double)s->median_ns - 1;
    cal_clock_release(&recorded);
    if (cal_clock_read(&run->clock, path, (size_t)r->a.requests, &err) != 0)
        note_no_clock(r, of, run, err.text);
    else if (run->clock.count == 0)
        note_no_clock(r, of, run, "no range was told, or the program did not end in order");
    else if (apart < -CLOCKS_DIFFER || apart > CLOCKS_DIFFER)
        note_no_clock(r, of, run,
                      "ranges end before their kernels do, or requests are not all alike");
    else {
        run->gaps_scale = cal_sequence_is_serial(s) ? cal_sequence_fit(s, run->clock.median_ns) : 1;
        return;
    }
    cal_clock_release(&run->clock);
}

/* A request is at all percentages and sizes what it is on the whole device at the first size, also
 * where nobody says what. */
static int read_run(struct record *r, const struct record_size *of, struct cal_recorded_run *run,
                    const char *folder, struct dcs_err *err)
{
    const struct cal_recorded_run *first = &r->sizes[0].runs[0];
    const char *how = r->a.request == NULL && run != first ? first->requests.how : r->a.request;
    int failed = cal_recording_read(&run->recording, folder, err);
    r->kernels += run->recording.kernels;
    if (failed || check_recording(&run->recording, err) != 0 ||
        cal_requests_find(&run->requests, &run->recording, how, err) != 0 ||
        cal_sequence_make(&run->sequence, &run->requests, (size_t)r->a.requests, err) != 0)
        return -1;
    if (!r->a.calls && cal_ranges_cross(&run->recording, r->a.request))
        note_fault(
            r, "ranges of several threads are open at one time: which launch is whose is a guess "
               "without --calls");
    if (run->recording.lost > 0)
        note_fault(r,
                   "%s: CUPTI lost or could not time %lld records: requests that lack some are of "
                   "another sequence",
                   place_of(r, of, run->percent), (long long)run->recording.lost);
    take_clock(r, of, run, folder);
    return 0;
}

static void release_run(struct cal_recorded_run *run)
{
    cal_clock_release(&run->clock);
    cal_sequence_release(&run->sequence);
    cal_requests_release(&run->requests);
    cal_recording_release(&run->recording);
}

/* Of percentages that are as many SMs the first one counts. */
static void drop_equal_run(const struct record *r, struct record_size *of)
{
    struct cal_recorded_run *run = &of->runs[of->runs_count - 1];
    int sms = cal_recorded_sms(of->runs, run);
    for (size_t i = 1; i + 1 < of->runs_count; i++)
        if (cal_recorded_sms(of->runs, &of->runs[i]) == sms) {
            char title[128] = "";
            if (r->a.unit[0] != '\0')
                cal_record_title(&r->a, of->size, title, sizeof title);
            fprintf(stderr,
                    "dcsim-calibrate: %s%s%d %% are %d SMs, as %d %% are: what was recorded at %d "
                    "%% is stored\n",
                    title, title[0] != '\0' ? ": " : "", run->percent, sms, of->runs[i].percent,
                    of->runs[i].percent);
            release_run(run);
            of->runs_count--;
            return;
        }
}

static int make_run(struct record *r, const struct record_size *of, struct cal_recorded_run *run,
                    struct dcs_err *err)
{
    char folder[PATH_BYTES + 64];
    int failed = 0;
    name_folder(r, of->size, run->percent, folder);
    if (r->a.from == NULL)
        failed =
            run->percent < 100 ? run_in_mps(r, of, run, err) : run_program(r, of, run, NULL, err);
    else if (access(folder, F_OK) != 0 && run->percent < 100)
        failed = dcs_err_at(err, folder, 0, NULL, "is not there: nothing was recorded at %d %%",
                            run->percent);
    else
        read_walls(folder, run);
    return failed ? -1 : read_run(r, of, run, folder, err);
}

/* What went wrong with a part of what was wanted. */
static void note_missing(struct record *r, const struct record_size *of, int percent,
                         struct dcs_err *err)
{
    char place[sizeof err->file + 32] = "";
    if (err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->file, err->line);
    note_fault(r, "%s: %s%s: the rest is kept", place_of(r, of, percent), place, err->text);
    *err = (struct dcs_err){0};
}

/* Runs, or reads, one allotment of a size, and notes why if it is not there. -1 and err: the whole
 * device of the first size is missing, or the user wants to end. */
static int take_run(struct record *r, struct record_size *of, int percent, struct dcs_err *err)
{
    struct cal_recorded_run *run = &of->runs[of->runs_count++];
    *run = (struct cal_recorded_run){.percent = percent};
    if (make_run(r, of, run, err) == 0) {
        drop_equal_run(r, of);
        return 0;
    }
    if (cal_interrupted || (percent == 100 && of == r->sizes))
        return -1;
    note_missing(r, of, percent, err);
    release_run(run);
    of->runs_count--;
    return 0;
}

/* A size without the whole device is left out. */
static int take_size(struct record *r, int64_t size, struct dcs_err *err)
{
    struct record_size *of = &r->sizes[r->sizes_count++];
    of->size = size;
    of->arguments = cal_record_arguments(&r->a, size);
    cal_record_command(of->arguments, of->command, sizeof of->command);
    for (size_t i = 0; i < r->a.percents_count; i++) {
        int failed = take_run(r, of, r->a.percents[i], err);
        if (cal_interrupted)
            return dcs_err_set(err, "interrupted (%s): %snothing is stored",
                               strsignal(cal_interrupted),
                               r->a.from == NULL ? "the program was told, and has ended; " : "");
        if (failed)
            return -1;
        if (of->runs_count == 0) {
            cal_record_arguments_release(of->arguments);
            r->sizes_count--;
            return 0;
        }
    }
    return 0;
}

/* --- the profile --- */

/* What is known of the program at all sizes; request: room for how requests are told apart. */
static struct cal_recorded_app describe(const struct record *r, char *command, size_t command_bytes,
                                        char *request, size_t request_bytes)
{
    const struct cal_recorded_run *first = &r->sizes[0].runs[0];
    bool range = strcmp(first->requests.how, "range") == 0;
    snprintf(request, request_bytes, "%s%s%.60s", first->requests.how, range ? " " : "",
             range ? r->a.request : "");
    cal_record_command(r->a.program, command, command_bytes);
    struct cal_recorded_app app = {.name = r->a.name,
                                   .command = command,
                                   .request = request,
                                   .unit = r->a.unit[0] != '\0' ? r->a.unit : CAL_RECORDED_UNIT,
                                   .service = strcmp(r->a.class, "service") == 0,
                                   .sla_ns = (int64_t)(r->a.sla_ms * 1e6)};
    if (command[0] == '\0')
        app.command = first->recording.processes[0].command;
    for (size_t i = 0; i < r->sizes_count; i++) {
        int64_t bytes = cal_recorded_memory(&r->sizes[i].runs[0].recording);
        app.memory_bytes = bytes > app.memory_bytes ? bytes : app.memory_bytes;
    }
    return app;
}

static int put_sizes(struct record *r, struct cal_store *s, const struct cal_recorded_app *app,
                     struct dcs_err *err)
{
    struct cal_recorded_size sizes[RECORD_SIZES_MAX];
    for (size_t i = 0; i < r->sizes_count; i++) {
        struct record_size *of = &r->sizes[i];
        sizes[i] = (struct cal_recorded_size){
            of->size,
            of->command[0] != '\0' ? of->command : of->runs[0].recording.processes[0].command,
            of->runs, of->runs_count};
    }
    return cal_recorded_put(s, app, sizes, r->sizes_count, err);
}

static int put_profile(struct record *r, struct dcs_err *err)
{
    struct cal_store *s =
        cal_recorded_open(r->a.output, &r->sizes[0].runs[0].recording.device, r->a.same_model, err);
    if (s == NULL)
        return -1;
    char partial[8] = "yes", request[80], command[RECORD_COMMAND_BYTES];
    const struct cal_recorded_app app =
        describe(r, command, sizeof command, request, sizeof request);
    cal_store_get_text(s, partial, sizeof partial,
                       "SELECT value FROM profile WHERE key = 'partial'", "");
    int failed = cal_store_begin(s, err);
    if (!failed) {
        failed = (!r->a.replace && cal_recorded_is_there(s, r->a.name))
                     ? dcs_err_at(err, r->a.output, 0, NULL,
                                  "has an application \"%s\" by now: take another --name, or "
                                  "--replace it",
                                  r->a.name)
                     : put_sizes(r, s, &app, err) != 0 ||
                           cal_store_finish(s, partial[0] == 'y', err) != 0;
        failed = cal_store_end(s, !failed, err) != 0 || failed;
    }
    cal_store_close(s);
    return failed ? -1 : 0;
}

/* --- the whole --- */

static int record_all(struct record *r, struct dcs_err *err)
{
    struct record_options *a = &r->a;
    if (check_output(r, err) != 0 || (a->from == NULL && make_folders(r, err) != 0))
        return -1;
    for (size_t i = 0; i < a->sizes_count; i++)
        if (take_size(r, a->sizes[i], err) != 0)
            return -1;
    return put_profile(r, err);
}

/* Recordings are of use where something went wrong and a kernel was recorded. */
static void end_folder(const struct record *r, bool failed)
{
    if (r->a.from != NULL || !r->made)
        return;
    if (r->a.keep || (failed && r->kernels > 0))
        fprintf(stderr, "dcsim-calibrate: the recording is in %s: --from reads it again\n",
                r->folder);
    else
        cal_remove_folder(r->folder);
}

static void release(struct record *r)
{
    for (size_t i = 0; i < r->sizes_count; i++) {
        cal_record_arguments_release(r->sizes[i].arguments);
        for (size_t k = 0; k < r->sizes[i].runs_count; k++)
            release_run(&r->sizes[i].runs[k]);
    }
}

int cal_record_main(int argc, char **argv)
{
    static struct record r;
    struct dcs_err err = {0};
    if (cal_record_options(&r.a, argc, argv, &err) != 0)
        return cal_complain(&err);
    if (getenv("CUDA_INJECTION64_PATH") != NULL && r.a.from == NULL) {
        dcs_err_set(&err, "CUDA_INJECTION64_PATH is set: another tool would watch the program, and "
                          "CUPTI serves one; unset it");
        return cal_complain(&err);
    }
    int length = r.a.from != NULL
                     ? snprintf(r.folder, sizeof r.folder, "%s", r.a.from)
                     : snprintf(r.folder, sizeof r.folder, "%s.%s.recording", r.a.output, r.a.name);
    if (length >= (int)sizeof r.folder) {
        dcs_err_set(&err, "-o %.60s...: the path is too long", r.a.output);
        return cal_complain(&err);
    }
    snprintf(r.library, sizeof r.library, "%s/recorder.so", r.folder);
    cal_catch_interrupts();
    int code = DCS_EXIT_OK;
    if (record_all(&r, &err) != 0) {
        code = cal_complain(&err);
        if (cal_interrupted)
            code = DCS_EXIT_INTERRUPTED;
    } else {
        cal_record_print(&r.a, r.sizes, r.sizes_count);
        if (r.incomplete)
            code = EXIT_FAILED_STEPS;
    }
    end_folder(&r, code != DCS_EXIT_OK);
    release(&r);
    return code;
}
