/* table_map.c - see table_map.h. */
#include "traces/table/table_map.h"

#include "text/buffer.h"
#include "text/table.h"
#include "traces/input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct field_kind {
    const char *name;
    enum { IS_MOMENT, IS_STRETCH, IS_NUMBER, IS_CLASS, IS_STATUS, IS_TEXT } kind;
};

static const struct field_kind kinds[TABLE_FIELDS] = {
    [FIELD_SUBMIT] = {"submit", IS_MOMENT},     [FIELD_START] = {"start", IS_MOMENT},
    [FIELD_END] = {"end", IS_MOMENT},           [FIELD_RUNTIME] = {"runtime", IS_STRETCH},
    [FIELD_GPUS] = {"gpus", IS_NUMBER},         [FIELD_CPUS] = {"cpus", IS_NUMBER},
    [FIELD_CLASS] = {"class", IS_CLASS},        [FIELD_STATUS] = {"status", IS_STATUS},
    [FIELD_PRIORITY] = {"priority", IS_NUMBER}, [FIELD_MODEL] = {"model", IS_TEXT},
    [FIELD_NAME] = {"name", IS_TEXT},           [FIELD_NODES] = {"nodes", IS_NUMBER},
};

static const struct {
    const char *name;
    int meaning;
} classes[] = {{"latency", DCS_LATENCY}, {"batch", DCS_BATCH}, {NULL, 0}},
  states[] = {{"success", TRACE_STATUS_SUCCESS}, {"failed", TRACE_STATUS_FAILED}, {NULL, 0}};

static int refuse(struct dcs_err *err, const char *option, const char *text, const char *why)
{
    return dcs_err_at(err, "command line", 0, NULL, "%s %.200s: %s; dcsim trace --help shows how",
                      option, text, why);
}

/* ---- columns ---- */

/* The place of a column in the format, new or not. SIZE_MAX: there are too many. */
static size_t add_column(struct table_map *map, const char *name)
{
    size_t count = 0;
    for (; map->columns[count] != NULL; count++)
        if (strcmp(map->columns[count], name) == 0)
            return count;
    if (count == TRACE_FIELDS_MAX)
        return SIZE_MAX;
    map->columns[count] = dcs_strdup(name);
    return count;
}

static bool is_column_name(const struct table_options *o, const char *name)
{
    char *end;
    if (!o->no_header)
        return name[0] != '\0';
    unsigned long number = strtoul(name, &end, 10);
    return name[0] >= '1' && name[0] <= '9' && *end == '\0' && number <= TRACE_FIELDS_MAX;
}

static int take_column(struct table_map *map, const struct table_options *o, const char *option,
                       const char *name, const char *item, size_t *out, struct dcs_err *err)
{
    if (!is_column_name(o, name))
        return refuse(err, option, item,
                      o->no_header ? "without a header a column is a number from 1 on"
                                   : "the column has no name");
    *out = add_column(map, name);
    return *out != SIZE_MAX ? 0 : refuse(err, option, item, "too many columns");
}

/* ---- units in names ---- */

/* "dur_h", "RuntimeMin", "elapsed (ms)": whether a name ends in a unit as a word of its own, which
 * "admins" and "birthdays" do not. */
static bool ends_in(const char *name, size_t length, const char *unit)
{
    size_t bytes = strlen(unit);
    if (length < bytes || strncasecmp(name + length - bytes, unit, bytes) != 0)
        return false;
    unsigned char first = (unsigned char)name[length - bytes];
    unsigned char before = length > bytes ? (unsigned char)name[length - bytes - 1] : ' ';
    return !isalpha(before) || (isupper(first) && islower(before));
}

/* One of table_unit_names; NULL: the name ends in none. */
static const char *unit_of_name(const char *name)
{
    static const struct {
        const char *ending;
        enum table_unit unit;
    } endings[] = {{"ns", TABLE_NS},       {"us", TABLE_US},       {"usec", TABLE_US},
                   {"ms", TABLE_MS},       {"msec", TABLE_MS},     {"s", TABLE_S},
                   {"sec", TABLE_S},       {"secs", TABLE_S},      {"second", TABLE_S},
                   {"seconds", TABLE_S},   {"min", TABLE_MIN},     {"mins", TABLE_MIN},
                   {"minute", TABLE_MIN},  {"minutes", TABLE_MIN}, {"h", TABLE_HOURS},
                   {"hr", TABLE_HOURS},    {"hrs", TABLE_HOURS},   {"hour", TABLE_HOURS},
                   {"hours", TABLE_HOURS}, {"day", TABLE_DAYS},    {"days", TABLE_DAYS}};
    size_t length = strlen(name);
    while (length > 0 && strchr(")] ", name[length - 1]) != NULL)
        length--;
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++)
        if (ends_in(name, length, endings[i].ending))
            return table_unit_names[endings[i].unit];
    return NULL;
}

/* ---- maps ---- */

/* "TEXT=latency" or "TEXT=failed". */
static int take_meaning(struct table_mapping *m, const struct field_kind *kind, char *text,
                        const char *item, struct dcs_err *err)
{
    char *equals = strrchr(text, '=');
    if (equals == NULL)
        return refuse(err, "--map", item, "expected :TEXT=MEANING behind the column");
    *equals = '\0';
    bool of_class = kind->kind == IS_CLASS;
    for (size_t i = 0; (of_class ? classes : states)[i].name != NULL; i++)
        if (strcmp(equals + 1, (of_class ? classes : states)[i].name) == 0) {
            m->meanings = dcs_grow(m->meanings, &m->meanings_capacity, m->meanings_count + 1,
                                   sizeof *m->meanings);
            m->meanings[m->meanings_count++] = (struct table_meaning){
                .text = dcs_strdup(text), .meaning = (of_class ? classes : states)[i].meaning};
            return 0;
        }
    return refuse(err, "--map", item,
                  of_class ? "a text means latency or batch" : "a text means success or failed");
}

static int take_unit(struct table_mapping *m, const char *unit, const char *item,
                     struct dcs_err *err)
{
    m->unit_given = true;
    for (int u = 0; u < TABLE_UNITS; u++)
        if (strcmp(unit, table_unit_names[u]) == 0) {
            m->unit = (enum table_unit)u;
            return 0;
        }
    return refuse(err, "--map", item, "units are ns, us, ms, s, min, h and d");
}

/* What stands behind the column, each after a colon. */
static int take_suffixes(struct table_mapping *m, const struct field_kind *kind, const char *column,
                         char *suffixes, const char *item, struct dcs_err *err)
{
    bool has_meanings = kind->kind == IS_CLASS || kind->kind == IS_STATUS;
    bool has_unit = kind->kind == IS_MOMENT || kind->kind == IS_STRETCH;
    if (has_unit) {
        if (suffixes != NULL && take_unit(m, suffixes, item, err) != 0)
            return -1;
        const char *likely = unit_of_name(column);
        m->likely_unit = likely != table_unit_names[m->unit] ? likely : NULL;
        return 0;
    }
    if (suffixes == NULL)
        return has_meanings ? refuse(err, "--map", item, "expected :TEXT=MEANING behind the column")
                            : 0;
    if (!has_meanings)
        return refuse(err, "--map", item, "nothing stands behind this column");
    int status = 0;
    for (char *next; suffixes != NULL && status == 0; suffixes = next) {
        next = strchr(suffixes, ':');
        if (next != NULL)
            *next++ = '\0';
        status = take_meaning(m, kind, suffixes, item, err);
    }
    return status;
}

static int take_constant(struct table_mapping *m, const struct field_kind *kind, const char *text,
                         const char *item, struct dcs_err *err)
{
    m->constant = dcs_strdup(text);
    if (kind->kind == IS_NUMBER || kind->kind == IS_TEXT)
        return 0;
    if (kind->kind != IS_CLASS && kind->kind != IS_STATUS)
        return refuse(err, "--map", item, "times are no constants");
    size_t bytes = 2 * strlen(text) + 2;
    char *meaning = dcs_alloc(bytes, 1);
    snprintf(meaning, bytes, "%s=%s", text, text);
    int status = take_meaning(m, kind, meaning, item, err);
    free(meaning);
    return status;
}

static bool is_field_of(const struct table_options *o, enum table_field field)
{
    bool of_nodes = field == FIELD_GPUS || field == FIELD_MODEL || field == FIELD_NODES;
    return o->nodes ? of_nodes : field != FIELD_NODES;
}

/* "FIELD=COLUMN...", of which `text` is a copy. */
static int take_mapping(struct table_map *map, const struct table_options *o, char *text,
                        const char *item, struct dcs_err *err)
{
    char *value = strchr(text, '=');
    int field = 0;
    if (value == NULL)
        return refuse(err, "--map", item, "expected FIELD=COLUMN");
    *value++ = '\0';
    while (field < TABLE_FIELDS &&
           (strcmp(text, kinds[field].name) != 0 || !is_field_of(o, (enum table_field)field)))
        field++;
    if (field == TABLE_FIELDS)
        return refuse(
            err, "--map", item,
            o->nodes
                ? "fields are gpus, model and nodes"
                : "fields are submit, start, end, runtime, gpus, cpus, class, status, priority, "
                  "model and name");
    struct table_mapping *m = &map->fields[field];
    if (m->column != SIZE_MAX || m->constant != NULL)
        return refuse(err, "--map", item, "this field has a column already");
    if (value[0] == '@')
        return take_constant(m, &kinds[field], value + 1, item, err);
    char *suffixes = strchr(value, ':');
    if (suffixes != NULL)
        *suffixes++ = '\0';
    if (take_column(map, o, "--map", value, item, &m->column, err) != 0)
        return -1;
    return take_suffixes(m, &kinds[field], value, suffixes, item, err);
}

static int take_maps(struct table_map *map, const struct table_options *o, struct dcs_err *err)
{
    int status = 0;
    for (size_t i = 0; i < o->maps_count && status == 0; i++) {
        char *all = dcs_strdup(o->maps[i]);
        for (char *item = all, *next; item != NULL && status == 0; item = next) {
            next = strchr(item, ',');
            if (next != NULL)
                *next++ = '\0';
            char *copy = dcs_strdup(item);
            status = take_mapping(map, o, copy, item, err);
            free(copy);
        }
        free(all);
    }
    return status;
}

/* ---- conditions ---- */

static int take_where(struct table_map *map, const struct table_options *o, const char *item,
                      struct dcs_err *err)
{
    char *name = dcs_strdup(item), *texts = strchr(name, '=');
    map->conditions = dcs_grow(map->conditions, &map->conditions_capacity,
                               map->conditions_count + 1, sizeof *map->conditions);
    struct table_condition *c = &map->conditions[map->conditions_count++];
    *c = (struct table_condition){0};
    int status = -1;
    if (texts == NULL || texts == name) {
        refuse(err, "--where", item, "expected COLUMN=TEXT or COLUMN!=TEXT");
    } else {
        c->unlike = texts[-1] == '!';
        texts[c->unlike ? -1 : 0] = '\0';
        status = take_column(map, o, "--where", name, item, &c->column, err);
    }
    for (char *next, *text = status == 0 ? texts + 1 : NULL; text != NULL; text = next) {
        next = strchr(text, '|');
        if (next != NULL)
            *next++ = '\0';
        c->texts = dcs_grow(c->texts, &c->texts_capacity, c->texts_count + 1, sizeof *c->texts);
        c->texts[c->texts_count++] = (struct table_text){.text = dcs_strdup(text)};
    }
    free(name);
    return status;
}

/* ---- the whole ---- */

static int check_fields(const struct table_map *map, bool nodes, struct dcs_err *err)
{
    bool there[TABLE_FIELDS];
    const char *lacks = NULL;
    for (int f = 0; f < TABLE_FIELDS; f++)
        there[f] = map->fields[f].column != SIZE_MAX || map->fields[f].constant != NULL;
    if (nodes)
        lacks = there[FIELD_GPUS] ? NULL : "gpus=COLUMN is missing: how many GPUs a node has";
    else if (!there[FIELD_SUBMIT])
        lacks = "submit=COLUMN is missing: when a job was submitted";
    else if (!there[FIELD_GPUS])
        lacks = "gpus=COLUMN is missing: how many GPUs a job had; gpus=@1: one each";
    else if (there[FIELD_RUNTIME] == there[FIELD_END])
        lacks = "expected either runtime=COLUMN, or start=COLUMN and end=COLUMN";
    else if (there[FIELD_END] && !there[FIELD_START])
        lacks = "start=COLUMN is missing: without it an end does not say how long a job ran";
    return lacks == NULL ? 0
                         : dcs_err_at(err, "command line", 0, NULL,
                                      "--map: %s; dcsim trace --help shows how", lacks);
}

static int take_delimiter(struct table_map *map, const char *text, struct dcs_err *err)
{
    bool tab = text != NULL && strcmp(text, "tab") == 0;
    if (text == NULL)
        return 0;
    map->format.delimiter = tab ? '\t' : text[0];
    if (tab || (text[0] > ' ' && text[0] <= '~' && text[0] != '"' && text[1] == '\0'))
        return 0;
    return refuse(err, "--delimiter", text, "expected one character, or tab");
}

/* The options, for whoever meets the jobs later. */
static char *tell_options(const struct table_options *o)
{
    char *told = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&told, &size);
    DCS_ASSERT(out != NULL);
    fputs("a table of one's own:", out);
    for (size_t i = 0; i < o->maps_count; i++)
        fprintf(out, " --map %s", o->maps[i]);
    for (size_t i = 0; i < o->wheres_count; i++)
        fprintf(out, " --where %s", o->wheres[i]);
    fputs(o->no_header ? " --no-header" : "", out);
    fclose(out);
    return told;
}

struct table_map *table_map_new(const struct table_options *options, struct dcs_err *err)
{
    struct table_map *map = dcs_alloc(1, sizeof *map);
    map->columns = dcs_alloc(TRACE_FIELDS_MAX + 1, sizeof *map->columns);
    map->seen = dcs_alloc(1, sizeof *map->seen);
    for (int f = 0; f < TABLE_FIELDS; f++) {
        map->fields[f].column = SIZE_MAX;
        map->fields[f].unit = TABLE_S;
    }
    int status = take_maps(map, options, err);
    for (size_t i = 0; i < options->wheres_count && status == 0; i++)
        status = take_where(map, options, options->wheres[i], err);
    if (status == 0)
        status = take_delimiter(map, options->delimiter, err);
    if (status != 0 || check_fields(map, options->nodes, err) != 0) {
        table_map_free(map);
        return NULL;
    }
    map->told = tell_options(options);
    map->format.name = "csv";
    map->format.summary = map->format.source = map->told;
    map->format.syntax = options->no_header ? TRACE_CSV_NUMBERS : TRACE_CSV_HEADER;
    map->format.mapped = true;
    map->format.own = true;
    map->format.classed = map->fields[FIELD_CLASS].meanings_count > 0;
    map->format.columns = (const char *const *)map->columns;
    map->format.row = options->nodes ? trace_table_node : trace_table_row;
    return map;
}

/* Of texts that no row had. False: there are none. */
static bool warn_of_condition(const struct table_map *map, const struct table_condition *c,
                              FILE *out)
{
    bool warned = false;
    for (size_t i = 0; i < c->texts_count && c->shown[0] != NULL; i++) {
        if (c->texts[i].occurs)
            continue;
        struct text_buffer there = {0};
        for (size_t k = 0; k < TABLE_SHOWN_MAX && c->shown[k] != NULL; k++)
            text_append(&there, "%s\"%s\"", k > 0 ? ", " : "", text_name(c->shown[k], 40).at);
        text_note(out, 2,
                  "WARNING: --where %s: no row that was read has \"%s\"; the column has %s%s.",
                  text_name(map->columns[c->column], 60).at, text_name(c->texts[i].text, 60).at,
                  there.text, c->has_more ? " and others" : "");
        free(there.text);
        warned = true;
    }
    return warned;
}

void table_map_warn(const struct table_map *map, FILE *out)
{
    for (int f = 0; f < TABLE_FIELDS; f++) {
        const struct table_mapping *m = &map->fields[f];
        for (size_t i = 0; i < m->meanings_count; i++)
            if (!m->meanings[i].occurs)
                text_note(out, 2, "WARNING: --map %s: \"%.60s\" never occurs in column %.60s.",
                          kinds[f].name, text_name(m->meanings[i].text, 60).at,
                          text_name(map->columns[m->column], 60).at);
    }
    bool misspelt = false;
    for (size_t i = 0; i < map->conditions_count; i++)
        misspelt |= warn_of_condition(map, &map->conditions[i], out);
    if (map->seen->row && !map->seen->wanted && !misspelt)
        text_note(out, 2, "WARNING: no row that was read meets all of --where.");
}

/* As one word of a shell. */
static void append_word(struct text_buffer *out, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-+./:=@%";
    if (word[strspn(word, plain)] == '\0') {
        text_append(out, "%s", word);
        return;
    }
    text_append(out, "'");
    for (; *word != '\0'; word++)
        if (*word == '\'')
            text_append(out, "'\\''");
        else
            text_append(out, "%c", *word);
    text_append(out, "'");
}

void table_map_hint(const struct table_map *map, FILE *out)
{
    for (int f = 0; f < TABLE_FIELDS; f++) {
        const struct table_mapping *m = &map->fields[f];
        if (m->likely_unit == NULL || !map->seen->number[f])
            continue;
        const char *column = map->columns[m->column];
        struct text_buffer item = {0}, word = {0};
        text_append(&item, "%s=%s:%s", kinds[f].name, column, m->likely_unit);
        append_word(&word, item.text);
        fprintf(out, "Note: numbers in column %s were read as %s; if they are in %s: --map ",
                text_name(column, 60).at, m->unit_given ? table_unit_names[m->unit] : "seconds",
                m->likely_unit);
        text_put(out, word.text);
        fputc('\n', out);
        free(item.text);
        free(word.text);
    }
}

void table_map_free(struct table_map *map)
{
    if (map == NULL)
        return;
    for (int f = 0; f < TABLE_FIELDS; f++) {
        for (size_t i = 0; i < map->fields[f].meanings_count; i++)
            free(map->fields[f].meanings[i].text);
        free(map->fields[f].meanings);
        free(map->fields[f].constant);
    }
    for (size_t i = 0; i < map->conditions_count; i++) {
        for (size_t k = 0; k < map->conditions[i].texts_count; k++)
            free(map->conditions[i].texts[k].text);
        for (size_t k = 0; k < TABLE_SHOWN_MAX; k++)
            free(map->conditions[i].shown[k]);
        free(map->conditions[i].texts);
    }
    for (char **c = map->columns; *c != NULL; c++)
        free(*c);
    free(map->columns);
    free(map->conditions);
    free(map->seen);
    free(map->told);
    free(map);
}
