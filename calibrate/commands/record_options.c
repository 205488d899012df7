/* record_options.c - see record_options.h. */
#include "calibrate/commands/record_options.h"

#include "calibrate/record/recorded_store.h"

#include <ctype.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define SIZE_LARGEST 1000000000

static int take_percents(struct record_options *a, const char *text, struct dcs_err *err)
{
    a->percents_count = 0;
    a->percents[a->percents_count++] = 100; /* what the others are compared with */
    for (const char *at = text; *at != '\0';) {
        char *end;
        long percent = strtol(at, &end, 10);
        if (end == at || percent < 1 || percent > 100 || (*end != ',' && *end != '\0'))
            return dcs_err_set(err,
                               "--percent %.60s: whole numbers from 1 to 100 are expected, "
                               "such as 100,50,25",
                               text);
        bool known = false;
        for (size_t i = 0; i < a->percents_count; i++)
            known = known || a->percents[i] == (int)percent;
        if (!known && a->percents_count == RECORD_PERCENTS_MAX)
            return dcs_err_set(err, "--percent: at most %d", RECORD_PERCENTS_MAX);
        if (!known)
            a->percents[a->percents_count++] = (int)percent;
        at = *end == ',' ? end + 1 : end;
    }
    return 0;
}

static int take_number(const char *name, const char *text, double max, double *number,
                       struct dcs_err *err)
{
    char *end;
    *number = strtod(text, &end);
    if (end != text && *end == '\0' && *number > 0 && *number <= max)
        return 0;
    return dcs_err_set(err, "--%s %.60s: a number above 0, at most %g, is expected", name, text,
                       max);
}

static bool is_unit(const char *text, size_t length)
{
    bool fine = length >= 1 && length < RECORD_UNIT_BYTES;
    for (size_t i = 0; i < length && fine; i++)
        fine = isalnum((unsigned char)text[i]) || text[i] == '_' || text[i] == '-';
    return fine;
}

static int take_sizes(struct record_options *a, const char *text, struct dcs_err *err)
{
    size_t length = strcspn(text, "=");
    const char *at = text[length] == '=' ? text + length + 1 : "";
    if (!is_unit(text, length) || *at == '\0')
        return dcs_err_set(err,
                           "--size %.60s: what it counts and numbers are expected, such as "
                           "batch=8,1,2,4, and {batch} in the program's arguments",
                           text);
    if (a->unit[0] != '\0')
        return dcs_err_set(err, "--size %.60s: one of them is taken, and --size %s was given", text,
                           a->unit);
    snprintf(a->unit, sizeof a->unit, "%.*s", (int)length, text);
    a->sizes_count = 0;
    while (*at != '\0') {
        char *end;
        long long size = strtoll(at, &end, 10);
        bool fine = end != at && size >= 1 && size <= SIZE_LARGEST && (*end == ',' || *end == '\0');
        for (size_t i = 0; i < a->sizes_count && fine; i++)
            fine = a->sizes[i] != size;
        if (!fine || a->sizes_count == RECORD_SIZES_MAX)
            return dcs_err_set(err,
                               "--size %.60s: at most %d different whole numbers from 1 to %d are "
                               "expected",
                               text, RECORD_SIZES_MAX, SIZE_LARGEST);
        a->sizes[a->sizes_count++] = size;
        at = *end == ',' ? end + 1 : end;
    }
    return 0;
}

static int check_name(const struct record_options *a, struct dcs_err *err)
{
    size_t length = strlen(a->name);
    bool fine = length >= 1 && length <= 64 && a->name[0] != ' ' && a->name[length - 1] != ' ';
    for (const char *c = a->name; *c != '\0'; c++)
        fine = fine && isprint((unsigned char)*c) && *c != '/';
    if (fine)
        return 0;
    return dcs_err_set(err,
                       "--name \"%.80s\": 1 to 64 printable characters are expected, without a "
                       "/ or a space at the ends",
                       a->name);
}

/* A name that is escaped already stays as it is, and may so be taken from a message. */
static int take_request(struct record_options *a, const char *text, struct dcs_err *err)
{
    if (text[0] == '\0' || strlen(text) >= RECORDER_NAME_BYTES)
        return dcs_err_set(err, "--request \"%.60s\": 1 to %d bytes are expected", text,
                           RECORDER_NAME_BYTES - 1);
    recorder_escape(text, a->request_escaped, sizeof a->request_escaped);
    a->request = a->request_escaped;
    return 0;
}

/* What stands in an argument for the number of a size. */
static void name_place(const struct record_options *a, char place[RECORD_UNIT_BYTES + 2])
{
    snprintf(place, RECORD_UNIT_BYTES + 2, "{%s}", a->unit);
}

static int check_sizes(const struct record_options *a, struct dcs_err *err)
{
    char place[RECORD_UNIT_BYTES + 2];
    name_place(a, place);
    if (a->unit[0] == '\0' || a->program == NULL)
        return 0;
    for (char *const *argument = a->program; *argument != NULL; argument++)
        if (strstr(*argument, place) != NULL)
            return 0;
    return dcs_err_set(err,
                       "--size: no argument of the program has %s in it, so it would run with "
                       "one size",
                       place);
}

static int check_arguments(struct record_options *a, struct dcs_err *err)
{
    const char *const needed[][2] = {{a->name, "--name NAME (of the application)"},
                                     {a->class, "--class service or --class batch"},
                                     {a->output, "-o FILE (the profile's database)"},
                                     {a->program != NULL || a->from != NULL ? "" : NULL,
                                      "-- PROGRAM ARGUMENTS (what to record)"}};
    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++)
        if (needed[i][0] == NULL)
            return dcs_err_set(err, "record needs %s; see --help", needed[i][1]);
    if (strcmp(a->class, "service") != 0 && strcmp(a->class, "batch") != 0)
        return dcs_err_set(err, "--class %.60s: service or batch is expected", a->class);
    if (a->sla_ms > 0 && strcmp(a->class, "service") != 0)
        return dcs_err_set(err, "--sla-ms goes with --class service");
    if (a->program != NULL && a->from != NULL)
        return dcs_err_set(err, "--from reads a recording: it goes without a program");
    if (a->requests != (double)(int64_t)a->requests)
        return dcs_err_set(err, "--requests: a whole number is expected");
    return check_sizes(a, err) != 0 ? -1 : check_name(a, err);
}

static const struct option options[] = {{"name", required_argument, NULL, 'n'},
                                        {"class", required_argument, NULL, 'c'},
                                        {"request", required_argument, NULL, 'r'},
                                        {"requests", required_argument, NULL, 'N'},
                                        {"percent", required_argument, NULL, 'p'},
                                        {"sla-ms", required_argument, NULL, 's'},
                                        {"output", required_argument, NULL, 'o'},
                                        {"from", required_argument, NULL, 'f'},
                                        {"keep", no_argument, NULL, 'k'},
                                        {"replace", no_argument, NULL, 'R'},
                                        {"once", no_argument, NULL, '1'},
                                        {"same-model", no_argument, NULL, 'm'},
                                        {"calls", no_argument, NULL, 'C'},
                                        {"size", required_argument, NULL, 'S'},
                                        {0}};

static int take_option(struct record_options *a, int letter, struct dcs_err *err)
{
    switch (letter) {
    case 'n':
        a->name = optarg;
        return 0;
    case 'c':
        a->class = optarg;
        return 0;
    case 'r':
        return take_request(a, optarg, err);
    case 'o':
        a->output = optarg;
        return 0;
    case 'f':
        a->from = optarg;
        return 0;
    case 'k':
        a->keep = true;
        return 0;
    case 'R':
        a->replace = true;
        return 0;
    case '1':
        a->once = true;
        return 0;
    case 'C':
        a->calls = true;
        return 0;
    case 'm':
        a->same_model = true;
        return 0;
    case 'p':
        return take_percents(a, optarg, err);
    case 'S':
        return take_sizes(a, optarg, err);
    case 'N':
        return take_number("requests", optarg, 1e9, &a->requests, err);
    case 's':
        return take_number("sla-ms", optarg, 1e9, &a->sla_ms, err);
    default:
        return dcs_err_set(err, "see dcsim-calibrate --help");
    }
}

int cal_record_options(struct record_options *a, int argc, char **argv, struct dcs_err *err)
{
    a->percents[0] = 100;
    a->percents_count = 1;
    a->sizes[0] = CAL_RECORDED_SIZE;
    a->sizes_count = 1;
    optind = 2;
    /* '+': the program's own options are not ours, with or without -- before it. */
    for (int letter; (letter = getopt_long(argc, argv, "+o:", options, NULL)) != -1;)
        if (take_option(a, letter, err) != 0)
            return -1;
    a->program = optind < argc ? argv + optind : NULL;
    return check_arguments(a, err);
}

static char *with_size(const char *argument, const char *place, int64_t size)
{
    size_t places = 0, length = strlen(place);
    for (const char *at = argument; (at = strstr(at, place)) != NULL; at += length)
        places++;
    size_t bytes = strlen(argument) + places * 24 + 1, used = 0;
    char *text = dcs_alloc(bytes, 1);
    for (const char *at = argument; *at != '\0';) {
        if (strncmp(at, place, length) == 0) {
            used += (size_t)snprintf(text + used, bytes - used, "%lld", (long long)size);
            at += length;
        } else {
            text[used++] = *at++;
        }
    }
    return text;
}

char **cal_record_arguments(const struct record_options *a, int64_t size)
{
    char place[RECORD_UNIT_BYTES + 2];
    size_t count = 0;
    name_place(a, place);
    if (a->program == NULL)
        return NULL;
    while (a->program[count] != NULL)
        count++;
    char **arguments = dcs_alloc(count + 1, sizeof *arguments);
    for (size_t i = 0; i < count; i++)
        arguments[i] =
            a->unit[0] != '\0' ? with_size(a->program[i], place, size) : dcs_strdup(a->program[i]);
    return arguments;
}

void cal_record_arguments_release(char **arguments)
{
    for (char **at = arguments; at != NULL && *at != NULL; at++)
        free(*at);
    free(arguments);
}

void cal_record_command(char *const *arguments, char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    for (char *const *at = arguments; at != NULL && *at != NULL && used < size; at++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", at > arguments ? " " : "", *at);
    for (char *c = text; *c != '\0'; c++)
        if (!isprint((unsigned char)*c))
            *c = ' ';
}
