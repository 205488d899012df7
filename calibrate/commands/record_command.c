/*
 * record_command.c - `dcsim-calibrate record`: a program, as it is, becomes an application of a
 * profile. See calibrate_main.c for the command line, docs/calibrate.md, "Recording a
 * program", for what it is for.
 *
 * Recordings go to the folder OUTPUT.NAME.recording, one folder in it for each percentage, and are
 * removed when all went well; --keep keeps them, and they stay where something went wrong and a
 * kernel was recorded: --from FOLDER reads them again. After Ctrl-C nothing is stored, and they
 * stay, too.
 */
#include "calibrate/commands/calibrate_command.h"
#include "calibrate/commands/record_options.h"
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
    struct cal_recorded_run runs[RECORD_PERCENTS_MAX];
    size_t runs_count;
    size_t kernels;  /* in all recordings that were read */
    bool made;       /* the folder, by this run */
    bool incomplete; /* something went wrong that has been said; what there is, is kept */
};

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

static int make_folders(struct record *r, struct dcs_err *err)
{
    char path[PATH_BYTES + 16];
    if (mkdir(r->folder, 0700) != 0)
        return dcs_err_at(err, r->folder, 0, NULL, "cannot be made: %s%s", strerror(errno),
                          errno == EEXIST ? "; a recording is left there: read it with --from, or "
                                            "remove it"
                                          : "");
    r->made = true;
    for (size_t i = 0; i < r->a.percents_count; i++) {
        snprintf(path, sizeof path, "%s/%d", r->folder, r->a.percents[i]);
        if (mkdir(path, 0700) != 0)
            return dcs_err_at(err, path, 0, NULL, "cannot be made: %s", strerror(errno));
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
    char path[PATH_BYTES + 32];
    snprintf(path, sizeof path, "%s/walls", folder);
    FILE *out = fopen(path, "w");
    if (out == NULL)
        return; /* they are told all the same, but for a later --from */
    fprintf(out, "%lld %lld\n", (long long)run->plain_wall_ns, (long long)run->wall_ns);
    fclose(out);
}

static void read_walls(const char *folder, struct cal_recorded_run *run)
{
    char path[PATH_BYTES + 32];
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

/* Without the recorder; 0 if that did not go well. */
static int64_t run_plainly(const struct record *r, const struct cal_worker_setting *settings,
                           struct dcs_err *err)
{
    const struct cal_program_run how = {
        .arguments = r->a.program, .settings = settings, .interrupted = &cal_interrupted};
    struct cal_program_end end;
    if (r->a.once || cal_interrupted || cal_program_run(&how, &end, err) != 0 || end.exit_code != 0)
        return 0;
    return end.wall_ns;
}

/* Without the recorder, with it, and, where the first start was the slower one (it read the program
 * from disk), without it again. */
static int run_program(struct record *r, struct cal_recorded_run *run,
                       const struct cal_worker_setting *settings, struct dcs_err *err)
{
    char folder[PATH_BYTES + 16];
    struct cal_program_end end;
    const char *range = r->a.request;
    if (range != NULL && (strcmp(range, "waits") == 0 || strcmp(range, "process") == 0))
        range = NULL;
    snprintf(folder, sizeof folder, "%s/%d", r->folder, run->percent);
    const struct cal_program_run how = {.arguments = r->a.program,
                                        .settings = settings,
                                        .folder = folder,
                                        .library = r->library,
                                        .range = range,
                                        .calls = r->a.calls,
                                        .interrupted = &cal_interrupted};
    run->plain_wall_ns = run_plainly(r, settings, err);
    if (cal_interrupted || cal_program_run(&how, &end, err) != 0)
        return -1;
    run->wall_ns = end.wall_ns;
    note_end(r, &end);
    if (run->plain_wall_ns > run->wall_ns)
        run->plain_wall_ns = run_plainly(r, settings, err);
    if (!cal_interrupted)
        write_walls(folder, run);
    return 0;
}

static int run_in_mps(struct record *r, struct cal_recorded_run *run, struct dcs_err *err)
{
    struct cal_worker_setting settings[CAL_MPS_SETTINGS];
    struct cal_mps *mps = cal_mps_start(err);
    if (mps == NULL)
        return -1;
    cal_mps_settings(mps, run->percent, settings);
    int failed = run_program(r, run, settings, err);
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

/* A request is at all percentages what it is on the whole device, also where nobody says what. */
static int read_run(struct record *r, struct cal_recorded_run *run, const char *folder,
                    struct dcs_err *err)
{
    const char *how =
        r->a.request == NULL && run != r->runs ? r->runs[0].requests.how : r->a.request;
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
        note_fault(
            r,
            "at %d %% CUPTI lost or could not time %lld records: requests that lack some are of "
            "another sequence",
            run->percent, (long long)run->recording.lost);
    return 0;
}

static void drop_run(struct record *r)
{
    struct cal_recorded_run *run = &r->runs[--r->runs_count];
    cal_sequence_release(&run->sequence);
    cal_requests_release(&run->requests);
    cal_recording_release(&run->recording);
}

/* Of percentages that are as many SMs the first one counts. */
static void drop_equal_run(struct record *r)
{
    const struct cal_recorded_run *run = &r->runs[r->runs_count - 1];
    int sms = cal_recorded_sms(r->runs, run);
    for (size_t i = 1; i + 1 < r->runs_count; i++)
        if (cal_recorded_sms(r->runs, &r->runs[i]) == sms) {
            fprintf(stderr,
                    "dcsim-calibrate: %d %% are %d SMs, as %d %% are: what was recorded at %d %% "
                    "is stored\n",
                    run->percent, sms, r->runs[i].percent, r->runs[i].percent);
            drop_run(r);
            return;
        }
}

/* Runs, or reads, one allotment. That of the whole device must be there; of the others the rest is
 * kept where one fails. */
static int take_run(struct record *r, int percent, struct dcs_err *err)
{
    char folder[PATH_BYTES + 16];
    struct cal_recorded_run *run = &r->runs[r->runs_count++];
    *run = (struct cal_recorded_run){.percent = percent};
    snprintf(folder, sizeof folder, "%s/%d", r->folder, percent);
    int failed = 0;
    if (r->a.from == NULL)
        failed = percent < 100 ? run_in_mps(r, run, err) : run_program(r, run, NULL, err);
    else if (access(folder, F_OK) != 0 && percent < 100)
        failed = dcs_err_at(err, folder, 0, NULL, "is not there: nothing was recorded at %d %%",
                            percent);
    else
        read_walls(folder, run);
    if (!failed)
        failed = read_run(r, run, folder, err);
    if (!failed)
        drop_equal_run(r);
    if (!failed || percent == 100 || cal_interrupted)
        return failed;
    char place[sizeof err->file + 32] = "";
    if (err->line > 0)
        snprintf(place, sizeof place, "%s:%d: ", err->file, err->line);
    note_fault(r, "at %d %%: %s%s: the rest is kept", percent, place, err->text);
    drop_run(r);
    *err = (struct dcs_err){0};
    return 0;
}

/* --- the profile --- */

static int put_profile(struct record *r, struct dcs_err *err)
{
    struct cal_store *s =
        cal_recorded_open(r->a.output, &r->runs[0].recording.device, r->a.same_model, err);
    if (s == NULL)
        return -1;
    const struct cal_recording *c = &r->runs[0].recording;
    char partial[8] = "yes", request[80];
    snprintf(request, sizeof request, "%s%s%.60s", r->runs[0].requests.how,
             strcmp(r->runs[0].requests.how, "range") == 0 ? " " : "",
             strcmp(r->runs[0].requests.how, "range") == 0 ? r->a.request : "");
    struct cal_recorded_app app = {.name = r->a.name,
                                   .command = r->a.command,
                                   .request = request,
                                   .service = strcmp(r->a.class, "service") == 0,
                                   .sla_ns = (int64_t)(r->a.sla_ms * 1e6),
                                   .memory_bytes = cal_recorded_memory(c)};
    if (app.command[0] == '\0')
        app.command = c->processes[0].command;
    cal_store_get_text(s, partial, sizeof partial,
                       "SELECT value FROM profile WHERE key = 'partial'", "");
    int failed = cal_store_begin(s, err);
    if (!failed) {
        failed = (!r->a.replace && cal_recorded_is_there(s, r->a.name))
                     ? dcs_err_at(err, r->a.output, 0, NULL,
                                  "has an application \"%s\" by now: take another --name, or "
                                  "--replace it",
                                  r->a.name)
                     : cal_recorded_put(s, &app, r->runs, r->runs_count, err) != 0 ||
                           cal_store_finish(s, partial[0] == 'y', err) != 0;
        failed = cal_store_end(s, !failed, err) != 0 || failed;
    }
    cal_store_close(s);
    return failed ? -1 : 0;
}

/* --- what is said of it --- */

static double to_ms(int64_t ns)
{
    return (double)ns / 1e6;
}

static void print_requests(const struct record *r)
{
    const struct cal_recorded_run *w = &r->runs[0];
    const struct cal_sequence *q = &w->sequence;
    size_t kernels = 0, varying = 0;
    for (size_t k = 0; k < q->count; k++) {
        kernels += q->places[k].kind == CAL_OP_KERNEL;
        varying += q->places[k].varies;
    }
    printf("%s: %zu kernels and %zu copies a request, from %zu of %zu requests (%zu at the "
           "beginning left out)\n",
           r->a.name, kernels, q->count - kernels, q->requests, q->found, q->skipped);
    if (cal_recorded_memory(&w->recording) == 0)
        printf(
            "its device memory is not known, and is 0 in the profile: NVML does not tell that of "
            "each process, or one did not end in order\n");
    if (q->others > 0)
        printf("requests differ: %zu of %zu consist of other kernels, of %zu kinds in all, and are "
               "left out\n",
               q->others, q->others + q->requests, q->sequences);
    if (varying > 0)
        printf("requests differ: at %zu of %zu places the grid, or the bytes copied, are not the "
               "same in all; the median stands for them\n",
               varying, q->count);
    if (!cal_sequence_is_serial(q))
        printf(
            "kernels run at one time, on several streams, for %.3f ms of a request: a simulation "
            "runs them one after the other, scaled to the request, without the host's part\n",
            to_ms(q->overlap_ns));
}

/* A library may take other kernels where it sees fewer SMs; a program may serve until a moment. */
static void print_differences(const struct record *r)
{
    const struct cal_sequence *all = &r->runs[0].sequence;
    for (size_t i = 1; i < r->runs_count; i++) {
        const struct cal_sequence *q = &r->runs[i].sequence;
        if (q->count != all->count)
            printf("requests differ: one consists of %zu kernels and copies at %d %%, and of %zu "
                   "on the whole device\n",
                   q->count, r->runs[i].percent, all->count);
        if (q->found != all->found)
            printf("requests differ: there are %zu at %d %%, and %zu on the whole device\n",
                   q->found, r->runs[i].percent, all->found);
    }
}

static void print_runs(const struct record *r)
{
    printf("\n%5s %5s %9s %17s %9s %9s %9s %10s %8s %8s\n", "SMs", "MPS", "request", "5 %..95 %",
           "kernels", "copies", "idle", "adds up to", "kernels", "costs");
    for (size_t i = 0; i < r->runs_count; i++) {
        const struct cal_recorded_run *run = &r->runs[i];
        const struct cal_sequence *q = &run->sequence;
        char percent[16] = "-", costs[16] = "-";
        if (run->percent < 100)
            snprintf(percent, sizeof percent, "%d %%", run->percent);
        if (run->plain_wall_ns > 0)
            snprintf(costs, sizeof costs, "%+.1f %%",
                     100 * ((double)run->wall_ns / (double)run->plain_wall_ns - 1));
        printf("%5d %5s %6.3f ms %6.3f..%6.3f ms %6.3f ms %6.3f ms %6.3f ms %7.3f ms %3zu/%-4zu "
               "%8s\n",
               cal_recorded_sms(r->runs, run), percent, to_ms(q->median_ns), to_ms(q->p5_ns),
               to_ms(q->p95_ns), to_ms(q->kernels_ns), to_ms(q->copies_ns), to_ms(q->idle_ns),
               to_ms(q->alone_ns), run->matched, r->runs[0].sequence.count, costs);
    }
    printf(
        "\nadds up to: kernels, copies, and the gaps that the host makes between them, as a "
        "simulation has them.\nkernels: at how many places the same function runs as on all SMs. "
        "costs: wall time of the program\nwith the recorder over that without it.\n"
        "How it and other programs slow each other was never measured.\n");
}

/* --- the whole --- */

static int record_all(struct record *r, struct dcs_err *err)
{
    struct record_options *a = &r->a;
    if (check_output(r, err) != 0 || (a->from == NULL && make_folders(r, err) != 0))
        return -1;
    for (size_t i = 0; i < a->percents_count; i++) {
        int failed = take_run(r, a->percents[i], err);
        if (cal_interrupted)
            return dcs_err_set(err, "interrupted (%s): %snothing is stored",
                               strsignal(cal_interrupted),
                               a->from == NULL ? "the program was told, and has ended; " : "");
        if (failed)
            return -1;
    }
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
    for (size_t i = 0; i < r->runs_count; i++) {
        cal_sequence_release(&r->runs[i].sequence);
        cal_requests_release(&r->runs[i].requests);
        cal_recording_release(&r->runs[i].recording);
    }
}

int cal_record_main(int argc, char **argv)
{
    struct record r = {0};
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
        print_requests(&r);
        print_differences(&r);
        print_runs(&r);
        if (r.incomplete)
            code = EXIT_FAILED_STEPS;
    }
    end_folder(&r, code != DCS_EXIT_OK);
    release(&r);
    return code;
}
