/*
 * ncu_csv.c - see ncu_csv.h.
 */
#include "calibrate/gpu/ncu_csv.h"

#include <stdlib.h>
#include <string.h>

#define FIELDS_MAX 64

/* Splits a line in place; quotes around a field are taken off, doubled ones inside become one.
 * Returns how many fields. */
static int split(char *line, char **fields)
{
    int n = 0;
    for (char *at = line; n < FIELDS_MAX;) {
        char *to = at;
        fields[n++] = at;
        bool quoted = *at == '"';
        if (quoted)
            at++;
        while (*at != '\0' && (quoted ? !(*at == '"' && at[1] != '"') : *at != ',')) {
            if (quoted && *at == '"')
                at++;
            *to++ = *at++;
        }
        if (quoted && *at == '"')
            at++;
        bool more = *at == ',';
        *to = '\0';
        if (!more)
            break;
        at++;
    }
    return n;
}

/* "1,234.5" and "1234.5"; false for what is no number ("n/a"). */
static bool to_number(const char *text, double *value)
{
    char digits[64];
    size_t used = 0;
    for (; *text != '\0' && used + 1 < sizeof digits; text++)
        if (*text != ',')
            digits[used++] = *text;
    digits[used] = '\0';
    char *end;
    *value = strtod(digits, &end);
    return end != digits && *end == '\0';
}

static int find_field(char *const *fields, int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (strcmp(fields[i], name) == 0)
            return i;
    return -1;
}

struct columns {
    int id, kernel, metric, value;
};

static bool find_columns(struct columns *c, char *const *fields, int n)
{
    c->id = find_field(fields, n, "ID");
    c->kernel = find_field(fields, n, "Kernel Name");
    c->metric = find_field(fields, n, "Metric Name");
    c->value = find_field(fields, n, "Metric Value");
    return c->id >= 0 && c->kernel >= 0 && c->metric >= 0 && c->value >= 0;
}

int cal_ncu_csv_read(FILE *in, void (*take)(void *context, const struct cal_ncu_row *row),
                     void *context, struct dcs_err *err)
{
    char *line = NULL, *fields[FIELDS_MAX];
    size_t capacity = 0;
    struct columns c = {-1, -1, -1, -1};
    bool header = false;
    while (getline(&line, &capacity, in) >= 0) {
        line[strcspn(line, "\r\n")] = '\0';
        int n = split(line, fields);
        if (!header) {
            header = find_columns(&c, fields, n);
            continue;
        }
        if (n <= c.id || n <= c.kernel || n <= c.metric || n <= c.value)
            continue;
        struct cal_ncu_row row = {.kernel = fields[c.kernel], .metric = fields[c.metric]};
        char *end;
        row.id = strtol(fields[c.id], &end, 10);
        if (end != fields[c.id] && *end == '\0' && to_number(fields[c.value], &row.value))
            take(context, &row);
    }
    free(line);
    return header ? 0 : dcs_err_set(err, "ncu printed no table of metrics");
}
