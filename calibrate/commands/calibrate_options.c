/* calibrate_options.c - the options of dcsim-calibrate's commands; see calibrate_command.h. */
#include "calibrate/commands/calibrate_command.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define OPTIONS_MAX 32

static int to_number(const struct cal_option *o, const char *text, struct dcs_err *err)
{
    char *end;
    *o->number = strtod(text, &end);
    if (end != text && *end == '\0' && *o->number >= o->min && *o->number <= o->max)
        return 0;
    return dcs_err_set(err, "--%s %s: a number from %g to %g is expected", o->name, text, o->min,
                       o->max);
}

static int take_option(const struct cal_option *o, void *context, struct dcs_err *err)
{
    if (o->take != NULL)
        return o->take(context, optarg, err);
    if (o->number != NULL)
        return to_number(o, optarg, err);
    if (o->text != NULL)
        *o->text = optarg;
    else
        *o->flag = true;
    return 0;
}

int cal_options(int argc, char **argv, int first, struct cal_common *common,
                const struct cal_option *own, void *context, struct dcs_err *err)
{
    double seed = (double)common->seed;
    const struct cal_option shared[] = {
        {"output", .text = &common->output},
        {"name", .text = &common->name},
        {"app", .text = &common->apps},
        {"step", .text = &common->steps},
        {"dry-run", .flag = &common->dry_run},
        {"verbose", .flag = &common->verbose},
        {"minutes", .number = &common->minutes, .min = 0.01, .max = 1e6},
        {"retry-failed", .flag = &common->retry_failed},
        {"allow-others", .flag = &common->allow_others},
        {"seed", .number = &seed, .min = 0, .max = 9e15},
    };
    const struct cal_option *rows[OPTIONS_MAX];
    struct option options[OPTIONS_MAX + 1] = {0};
    int count = 0;
    for (size_t i = 0; i < sizeof shared / sizeof shared[0]; i++)
        rows[count++] = &shared[i];
    for (; own->name != NULL; own++) {
        DCS_ASSERT(count < OPTIONS_MAX);
        rows[count++] = own;
    }
    for (int i = 0; i < count; i++)
        options[i] = (struct option){
            rows[i]->name, rows[i]->flag == NULL ? required_argument : no_argument, NULL, i};
    optind = first;
    for (int i; (i = getopt_long(argc, argv, "o:", options, NULL)) != -1;) {
        if (i == '?')
            return dcs_err_set(err, "see dcsim-calibrate --help");
        if (take_option(i == 'o' ? &shared[0] : rows[i], context, err) != 0)
            return -1;
    }
    common->seed = (uint64_t)seed;
    return 0;
}
