/* command_support.c - what the commands share beside their options; see calibrate_command.h. */
#include "calibrate/commands/calibrate_command.h"

#include <ctype.h>
#include <time.h>
#include <unistd.h>

volatile sig_atomic_t cal_interrupted;

static void on_interrupt(int signal_number)
{
    cal_interrupted = signal_number;
    /* A second one ends the program at once; the store undoes the step in hand. */
    signal(signal_number, SIG_DFL);
}

void cal_catch_interrupts(void)
{
    signal(SIGINT, on_interrupt);
    signal(SIGTERM, on_interrupt);
}

int cal_complain(const struct dcs_err *err)
{
    dcs_err_print_of("dcsim-calibrate", err, stderr);
    return DCS_EXIT_USER;
}

void cal_name_of_device(const char *device, char *name, size_t size)
{
    size_t used = 0;
    for (; *device != '\0' && used + 1 < size; device++)
        if (isalnum((unsigned char)*device))
            name[used++] = (char)tolower((unsigned char)*device);
        else if (used > 0 && name[used - 1] != '-')
            name[used++] = '-';
    while (used > 0 && name[used - 1] == '-')
        used--;
    name[used] = '\0';
}

void cal_moment(char *moment, size_t size)
{
    time_t now = time(NULL);
    strftime(moment, size, "%Y-%m-%dT%H:%M:%SZ", gmtime(&now));
}

void cal_list_app(const struct cal_listed *a)
{
    char sizes[96];
    snprintf(sizes, sizeof sizes, "%lld to %lld, %lld %s", (long long)a->size_min,
             (long long)a->size_max, (long long)a->size_default, a->size_unit);
    printf("%-20s %-8s %-48s %s\n", a->name, a->service ? "service" : "batch", sizes, a->papers);
}

void cal_keep_keys(struct cal_steps *steps, const char *keys)
{
    bool any = steps->count > 0;
    cal_steps_only_keys(steps, keys);
    if (any && steps->count == 0)
        fprintf(stderr,
                "dcsim-calibrate: --step %s: no step has such a key; --dry-run --verbose says "
                "which there are\n",
                keys);
}

bool cal_is_partial(struct cal_store *s, const struct cal_steps *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (cal_store_step(s, all->steps[i].key) != CAL_STEP_DONE)
            return true;
    return false;
}

static int report(const struct cal_run_result *r, const char *output)
{
    fprintf(stderr,
            "%s: %zu steps measured, %zu failed, %zu measured before, %zu of this plan left%s\n",
            output, r->done, r->failed, r->before, r->left,
            r->interrupted   ? " (interrupted)"
            : r->out_of_time ? " (out of time)"
                             : "");
    if (r->interrupted)
        return DCS_EXIT_INTERRUPTED;
    return r->failed > 0 ? EXIT_FAILED_STEPS : DCS_EXIT_OK;
}

int cal_run_steps(struct cal_session *s, const struct cal_steps *steps, double minutes,
                  struct cal_run_result *result)
{
    struct dcs_err err = {0};
    const struct cal_run_options how = {
        .minutes = minutes, .stop = &cal_interrupted, .progress = isatty(STDERR_FILENO)};
    int code = DCS_EXIT_OK;
    if (cal_steps_run(steps, s, &how, result, &err) != 0)
        code = cal_complain(&err);
    if (code != DCS_EXIT_OK && s->dead != NULL && *s->dead)
        code = EXIT_CONTEXT_LOST;
    int reported = report(result, s->output);
    return code == DCS_EXIT_OK ? reported : code;
}
