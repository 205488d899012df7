/* split_options.c - the options of a policy; see split_host.h. */
#include "calibrate/split/split_host.h"

#include "des/base.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WHOLE_LIMIT 0x1p53 /* to there a double holds every whole number */

static void put_number(const struct param *p, void *options, double value)
{
    char *at = (char *)options + p->offset;
    switch (p->type) {
    case PARAM_BOOL:
        *(bool *)at = value != 0;
        break;
    case PARAM_INT:
        *(int64_t *)at = (int64_t)value;
        break;
    case PARAM_REAL:
        *(double *)at = value;
        break;
    case PARAM_CHOICE:
        *(int *)at = (int)value;
        break;
    default:
        break;
    }
}

static const struct param *find_option(const struct policy *p, const char *name, size_t length)
{
    for (const struct param *o = p->params; o != NULL && o->type != PARAM_END; o++)
        if (strlen(o->name) == length && strncmp(o->name, name, length) == 0)
            return o;
    return NULL;
}

static int set_option(const struct policy *p, const char *text, size_t length, void *options,
                      struct dcs_err *err)
{
    char number[32];
    size_t name = strcspn(text, "=");
    const struct param *o = name < length ? find_option(p, text, name) : NULL;
    if (o == NULL || (o->type != PARAM_INT && o->type != PARAM_REAL && o->type != PARAM_BOOL))
        return dcs_err_set(err, "--set %.*s: policy %s has no number of that name", (int)length,
                           text, p->name);
    size_t digits = length - name - 1;
    snprintf(number, sizeof number, "%.*s", (int)(digits < sizeof number ? digits : 31),
             text + name + 1);
    char *end;
    double value = strtod(number, &end);
    bool any = o->low == 0 && o->high == 0, whole = o->type == PARAM_INT;
    double low = !any ? o->low : whole ? -WHOLE_LIMIT : -DBL_MAX;
    double high = !any ? o->high : whole ? WHOLE_LIMIT : DBL_MAX;
    if (end == number || *end != '\0' || !(value >= low && value <= high) ||
        (whole && value != floor(value)))
        return dcs_err_set(err, "--set %.*s: a %snumber from %g to %g is expected", (int)length,
                           text, whole ? "whole " : "", low, high);
    put_number(o, options, value);
    return 0;
}

void *cal_split_options(const struct policy *p, const char *set, struct dcs_err *err)
{
    void *options = dcs_alloc(1, p->params_size + 1);
    for (const struct param *o = p->params; o != NULL && o->type != PARAM_END; o++) {
        put_number(o, options, o->number);
        if (o->type == PARAM_STRING)
            *(const char **)((char *)options + o->offset) = o->text;
    }
    while (set != NULL && *set != '\0') {
        size_t length = strcspn(set, ",");
        if (set_option(p, set, length, options, err) != 0) {
            free(options);
            return NULL;
        }
        set += length + (set[length] == ',');
    }
    return options;
}
