/*
 * trace_command.c - dcsim trace import, nodes, lint and formats, and the way to fit (trace_fit.h);
 * docs/traces.md is for users.
 *
 * The account goes to standard output, progress to standard error if that is a terminal. Exit
 * codes: 0 done, 2 the input's fault, 130 interrupted. What lint finds in the data is no failure of
 * lint.
 */
#include "commands/trace_command.h"

#include "commands/command.h"
#include "commands/trace_fit.h"
#include "traces/import.h"
#include "text/buffer.h"
#include "traces/table/table_map.h"
#include "runs/wallclock.h"

#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

static const char usage[] =
    "Usage: dcsim trace import FORMAT PATH... -o JOBS.db [--strict] [--quiet]\n"
    "       dcsim trace import csv PATH... --map FIELD=COLUMN,... -o JOBS.db [OPTION...]\n"
    "       dcsim trace nodes csv PATH... --map FIELD=COLUMN,... [OPTION...]\n"
    "       dcsim trace lint FORMAT PATH... [--strict] [--quiet]\n"
    "       dcsim trace fit JOBS.db [OPTION...] (dcsim trace fit --help shows them)\n"
    "       dcsim trace formats\n"
    "\n"
    "Brings published cluster traces to one form, says what is wrong with them, or which\n"
    "distributions they follow. A PATH is a file, a folder of parts, or \"-\" for standard input;\n"
    "plain or gzip.\n"
    "\n"
    "  -o, --output FILE   the SQLite database to make; must not exist\n"
    "  --strict            end at the first row that is not of the format\n"
    "  --quiet             no account, no progress; warnings and notes on units of csv go to\n"
    "                      standard error\n"
    "\n"
    "Of a table of your own (FORMAT csv):\n"
    "\n"
    "  --map FIELD=COLUMN  which column has what of a job; several with commas between, or as\n"
    "                      several options. Needed are submit and gpus, and either runtime or\n"
    "                      start and end; there may be class, status, cpus, priority, name and\n"
    "                      model.\n"
    "                      submit=COLUMN:ms       a unit (ns, us, ms, s, min, h, d); else "
    "seconds,\n"
    "                                             a date, or hours:minutes:seconds\n"
    "                      class=COLUMN:infer=latency:serve=latency     all else is batch work\n"
    "                      status=COLUMN:DONE=success:KILLED=failed     all else is not known\n"
    "                      gpus=@1                the same in each row\n"
    "                      model=COLUMN           GPU models that a job may run on, as A10|T4\n"
    "  --where COLUMN=A|B  only rows with one of these texts; COLUMN!=A: only those with others\n"
    "  --delimiter C       what stands between columns: a character, or tab; else a comma\n"
    "  --no-header         the first line is a row; a COLUMN is a number, from 1 on\n"
    "\n"
    "nodes prints a list of nodes as cluster.nodes of a config takes it. Its fields are gpus (of "
    "a\n"
    "node), model, and nodes (how many a row stands for, else 1). The account goes to standard\n"
    "error.\n";

/* ---- Interruption ---- */

/* Of the one import that this process runs; global for the signal handler. */
static volatile bool stop;

static void on_signal(int signal_number)
{
    (void)signal_number;
    stop = true;
}

/* Without SA_RESTART: a read that waits for standard input must return. A second signal is no
 * different from the first: the import ends in a moment, and only then is nothing left behind. */
static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
}

/* ---- Progress ---- */

struct progress {
    double began, shown;
    enum import_phase phase;
    bool visible; /* a line stands on the terminal */
};

/* In place of the line before. One that is longer than the terminal is wide would wrap, and only
 * its last part be cleared by the next. */
static void replace_line(const char *line)
{
    struct winsize size;
    bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 1;
    fprintf(stderr, "\r\033[K%.*s", known ? size.ws_col - 1 : 79, line);
    fflush(stderr);
}

#define BAR 24

static void show(struct progress *p, double elapsed, uint64_t done, uint64_t total)
{
    static const char *const names[] = {"reading", "jobs", "index"};
    const char *name = names[p->phase];
    bool bytes = p->phase == IMPORT_READING;
    double done_millions = (double)done / 1e6, total_millions = (double)total / 1e6;
    char line[160];
    if (total > 0) {
        char bar[BAR + 1];
        double share = done < total ? (double)done / (double)total : 1;
        for (int i = 0; i < BAR; i++)
            bar[i] = i < (int)(share * BAR) ? '#' : '.';
        bar[BAR] = '\0';
        snprintf(line, sizeof line, "%-7s [%s] %3.0f %%  %.*f of %.*f %s, %.0f s left", name, bar,
                 share * 100, bytes ? 0 : 1, done_millions, bytes ? 0 : 1, total_millions,
                 bytes ? "MB" : "M events", share > 0 ? elapsed / share - elapsed : 0);
    } else if (bytes) {
        snprintf(line, sizeof line, "%s %.0f MB", name, done_millions);
    } else {
        snprintf(line, sizeof line, "%s ...", name);
    }
    replace_line(line);
    p->visible = true;
}

static void on_progress(void *context, enum import_phase phase, uint64_t done, uint64_t total)
{
    struct progress *p = context;
    if (phase != p->phase) {
        p->phase = phase;
        p->began = wallclock_s();
    }
    if (wallclock_is_time(p->began, &p->shown))
        show(p, p->shown - p->began, done, total);
}

/* ---- Arguments ---- */

static int bad_usage(const char *what, const char *found)
{
    return command_bad_usage("dcsim trace", what, found);
}

static const struct trace_format *find_format(const char *name)
{
    for (size_t i = 0; trace_formats[i] != NULL; i++)
        if (strcmp(trace_formats[i]->name, name) == 0)
            return trace_formats[i];
    return NULL;
}

/* The one that begins most like it; NULL if none does. */
static const struct trace_format *nearest_format(const char *name)
{
    const struct trace_format *best = NULL;
    size_t most = 3;
    for (size_t i = 0; trace_formats[i] != NULL; i++) {
        size_t same = 0;
        while (name[same] != '\0' && name[same] == trace_formats[i]->name[same])
            same++;
        if (same > most) {
            most = same;
            best = trace_formats[i];
        }
    }
    return best;
}

static int list_formats(void)
{
    for (size_t i = 0; trace_formats[i] != NULL; i++)
        printf("%-30s %s\n%-30s source: %s\n", trace_formats[i]->name, trace_formats[i]->summary,
               "", trace_formats[i]->source);
    printf("%-30s %s\n%-30s source: %s\n", "csv", "any table of jobs, by --map", "",
           "your own; dcsim trace --help shows the options");
    return DCS_EXIT_OK;
}

static int unknown_format(const char *name)
{
    struct dcs_err err = {0};
    const struct trace_format *near = nearest_format(name);
    dcs_err_at(&err, "command line", 0, NULL,
               "unknown format \"%.60s\"%s%s%s; dcsim trace formats "
               "lists them",
               name, near != NULL ? "; did you mean \"" : "", near != NULL ? near->name : "",
               near != NULL ? "\"?" : "");
    return command_fail(&err);
}

static int run_import(struct import_options *o, bool quiet)
{
    struct dcs_err err = {0};
    struct progress progress = {.began = wallclock_s()};
    if (!quiet && isatty(STDERR_FILENO)) {
        o->progress = on_progress;
        /* cppcheck-suppress autoVariables ; not used after this function */
        o->context = &progress;
    }
    catch_signals();
    o->stop = &stop;
    struct import_counts *counts = dcs_alloc(1, sizeof *counts);
    int status = trace_import_run(o, counts, &err);
    if (progress.visible)
        fputs("\r\033[K", stderr);
    if (status == 0 && !quiet)
        trace_import_print(o->nodes != NULL ? stderr : stdout, o, counts);
    free(counts);
    if (status == 0)
        return DCS_EXIT_OK;
    if (!stop)
        return command_fail(&err);
    fputs("dcsim: interrupted: nothing was written\n", stderr);
    return DCS_EXIT_INTERRUPTED;
}

/* What the command line says of an import. */
struct import_arguments {
    struct import_options import;
    struct table_options table;
    size_t maps_capacity, wheres_capacity;
    bool quiet;
};

enum { TAKE_MAP = 1, TAKE_WHERE };

static int take_option(void *context, int option)
{
    struct import_arguments *a = context;
    struct table_options *t = &a->table;
    if (option == TAKE_MAP) {
        t->maps = dcs_grow(t->maps, &a->maps_capacity, t->maps_count + 1, sizeof *t->maps);
        t->maps[t->maps_count++] = optarg;
    } else {
        t->wheres =
            dcs_grow(t->wheres, &a->wheres_capacity, t->wheres_count + 1, sizeof *t->wheres);
        t->wheres[t->wheres_count++] = optarg;
    }
    return -1;
}

/* The format that the table's options make. */
static int import_table(struct import_arguments *a)
{
    struct dcs_err err = {0};
    struct table_map *map = table_map_new(&a->table, &err);
    if (map == NULL)
        return command_fail(&err);
    a->import.format = &map->format;
    int code = run_import(&a->import, a->quiet);
    bool nothing = code != DCS_EXIT_OK && map->seen->row && !map->seen->wanted;
    /* Not a part of the account: what misleads is told in any case. */
    if (code == DCS_EXIT_OK || nothing)
        table_map_warn(map, nothing || a->table.nodes || a->quiet ? stderr : stdout);
    if (code == DCS_EXIT_OK)
        table_map_hint(map, stderr);
    table_map_free(map);
    return code;
}

static void print_nodes(const struct import_nodes *nodes)
{
    struct text_buffer json = {0};
    for (size_t i = 0; i < nodes->count; i++) {
        const struct trace_nodes *kind = &nodes->kinds[i];
        text_append(&json, "%s{ \"nodes\": %" PRId64 ", \"gpus\": %" PRId64 ", \"model\": ",
                    i == 0 ? "[\n  " : ",\n  ", kind->nodes, kind->gpus);
        text_append_json(&json, kind->model);
        text_append(&json, " }");
    }
    printf("%s\n]\n", json.text);
    free(json.text);
}

/* dcsim trace nodes; argc, argv: csv PATH... */
static int import_list_of_nodes(struct import_arguments *a, int argc, char **argv)
{
    if (argc < 1 || strcmp(argv[0], "csv") != 0)
        return bad_usage("nodes are read from csv, found", argc < 1 ? "nothing" : argv[0]);
    if (argc < 2)
        return bad_usage("PATH is missing (\"-\": standard input)", NULL);
    if (a->import.output != NULL)
        return bad_usage("nodes go to standard output; -o is for import", NULL);
    struct import_nodes *nodes = dcs_alloc(1, sizeof *nodes);
    struct dcs_err err = {0};
    a->import.paths = (const char *const *)argv + 1;
    a->import.paths_count = (size_t)(argc - 1);
    a->import.nodes = nodes;
    a->table.nodes = true;
    int code = import_table(a);
    if (code == DCS_EXIT_OK && nodes->count == 0) {
        dcs_err_at(&err, argv[1], 0, NULL, "no row is a node with GPUs");
        code = command_fail(&err);
    } else if (code == DCS_EXIT_OK) {
        print_nodes(nodes);
    }
    free(nodes);
    return code;
}

/* argc, argv: FORMAT PATH... */
static int import_arguments(struct import_arguments *a, bool import, int argc, char **argv)
{
    const struct table_options *t = &a->table;
    if (argc < 1)
        return bad_usage("FORMAT is missing", NULL);
    bool table = strcmp(argv[0], "csv") == 0;
    a->import.format = table ? NULL : find_format(argv[0]);
    if (!table && a->import.format == NULL)
        return unknown_format(argv[0]);
    if (!table && (t->maps_count + t->wheres_count > 0 || t->delimiter != NULL || t->no_header))
        return bad_usage("--map, --where, --delimiter and --no-header are for csv, not for",
                         argv[0]);
    if (argc < 2)
        return bad_usage("PATH is missing (\"-\": standard input)", NULL);
    if (import && a->import.output == NULL)
        return bad_usage("-o JOBS.db is missing", NULL);
    if (!import && a->import.output != NULL)
        return bad_usage("lint writes no database; -o is for import", NULL);
    a->import.paths = (const char *const *)argv + 1;
    a->import.paths_count = (size_t)(argc - 1);
    return table ? import_table(a) : run_import(&a->import, a->quiet);
}

/* argv[0] is the verb. */
static int import_or_lint(int argc, char **argv)
{
    struct import_arguments all = {0}, *a = &all;
    const struct command_option options[] = {{"output", .path = &a->import.output},
                                             {"strict", .flag = &a->import.strict},
                                             {"quiet", .flag = &a->quiet},
                                             {"map", .take = TAKE_MAP},
                                             {"where", .take = TAKE_WHERE},
                                             {"delimiter", .text = &a->table.delimiter},
                                             {"no-header", .flag = &a->table.no_header},
                                             {0}};
    const struct command_line line = {"dcsim trace", usage, options, take_option, a};
    int code = command_options(&line, argc, argv, 1);
    if (code < 0 && strcmp(argv[0], "nodes") == 0)
        code = import_list_of_nodes(a, argc - optind, argv + optind);
    else if (code < 0)
        code = import_arguments(a, strcmp(argv[0], "import") == 0, argc - optind, argv + optind);
    free(a->table.maps);
    free(a->table.wheres);
    return code;
}

int trace_command(int argc, char **argv)
{
    const char *verb = argc > 2 ? argv[2] : NULL;
    if (verb == NULL)
        return bad_usage("expected import, nodes, lint, fit or formats", NULL);
    if (strcmp(verb, "--help") == 0) {
        fputs(usage, stdout);
        return DCS_EXIT_OK;
    }
    if (strcmp(verb, "formats") == 0)
        return argc == 3 ? list_formats() : bad_usage("unexpected argument", argv[3]);
    if (strcmp(verb, "fit") == 0)
        return trace_fit_command(argc - 2, argv + 2);
    if (strcmp(verb, "import") != 0 && strcmp(verb, "lint") != 0 && strcmp(verb, "nodes") != 0)
        return bad_usage("expected import, nodes, lint, fit or formats, found", verb);
    return import_or_lint(argc - 2, argv + 2);
}
