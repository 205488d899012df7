/* sweep.c - see sweep.h. */
#include "config/sweep.h"

#include "des/digest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int sweep_open(struct sweep *s, const struct options_doc *doc, struct plugins *plugins,
               struct dcs_err *err)
{
    *s = (struct sweep){.doc = doc, .plugins = plugins};
    return sweep_axes_read(doc, &s->axes, err);
}

void sweep_close(struct sweep *s)
{
    sweep_axes_release(&s->axes);
    free(s->name);
    *s = (struct sweep){0};
}

int sweep_config(const struct sweep *s, uint64_t point, struct options_doc **doc,
                 struct config *config, struct dcs_err *err)
{
    *doc = sweep_axes_point(s->doc, &s->axes, point, err);
    if (*doc != NULL && config_parse(config, *doc, s->plugins, err) == 0)
        return 0;
    options_doc_free(*doc);
    *doc = NULL;
    if (s->axes.axes_count > 0) {
        char *label = sweep_label(s, point);
        char text[sizeof err->text];
        snprintf(text, sizeof text, "%.400s (in point %" PRIu64 ": %.200s)", err->text, point,
                 label);
        free(label);
        dcs_err_set(err, "%s", text);
    }
    return -1;
}

/* ---- Checking all points ---- */

/* What names a point before any file is read. 128 bits of it are enough to tell points apart. */
struct identity {
    char hash[32];
    uint64_t point;
};

static int compare_identities(const void *left, const void *right)
{
    const struct identity *a = left, *b = right;
    int order = memcmp(a->hash, b->hash, sizeof a->hash);
    return order != 0 ? order : (a->point > b->point) - (a->point < b->point);
}

/* The canonical config without what cannot change a result, and the file of trained predictors,
 * whose bytes can. */
static void identify(const struct config *c, uint64_t point, struct identity *out)
{
    struct text_buffer text = {0};
    char hash[65];
    config_hash(c, hash);
    text_append(&text, "%s %s", hash, c->predictors);
    dcs_sha256(text.text, text.length, hash);
    free(text.text);
    memcpy(out->hash, hash, sizeof out->hash);
    out->point = point;
}

static int check_distinct(const struct sweep *s, struct identity *all, struct dcs_err *err)
{
    qsort(all, s->axes.points, sizeof *all, compare_identities);
    for (uint64_t i = 1; i < s->axes.points; i++) {
        if (memcmp(all[i - 1].hash, all[i].hash, sizeof all[i].hash) != 0)
            continue;
        char *first = sweep_label(s, all[i - 1].point), *second = sweep_label(s, all[i].point);
        options_error(s->doc, "sweep.axes", err,
                      "points %" PRIu64 " (%.200s) and %" PRIu64
                      " (%.200s) are the same experiment",
                      all[i - 1].point, first, all[i].point, second);
        free(first);
        free(second);
        return -1;
    }
    return 0;
}

int sweep_check(struct sweep *s, sweep_tick *tick, void *context, struct dcs_err *err)
{
    bool is_sweep = s->axes.axes_count > 0;
    struct identity *all = dcs_alloc(s->axes.points, sizeof *all);
    struct sha256_ctx sha;
    int result = 0;
    sha256_init(&sha);
    for (size_t i = 0; i < s->axes.keys_count; i++)
        sha256_update(&sha, strlen(s->axes.keys[i].path) + 1,
                      (const uint8_t *)s->axes.keys[i].path);
    for (uint64_t i = 0; i < s->axes.points && result == 0; i++) {
        struct options_doc *doc;
        struct config config;
        result = sweep_config(s, i, &doc, &config, err);
        if (result != 0)
            break;
        identify(&config, i, &all[i]);
        sha256_update(&sha, sizeof all[i].hash, (const uint8_t *)all[i].hash);
        if (i == 0)
            s->name = dcs_strdup(config.name);
        config_release(&config);
        options_doc_free(doc);
        if (tick != NULL)
            tick(context, i + 1, s->axes.points);
    }
    if (result == 0 && is_sweep) {
        dcs_sha256_end(&sha, s->hash);
        result = check_distinct(s, all, err);
    }
    free(all);
    return result;
}

/* ---- Names ---- */

/* The last step of a path. */
static const char *last_step(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot != NULL ? dot + 1 : path;
}

/* "load" of workload.trem[0].load, unless another axis ends so, or it says nothing by itself. */
static const char *short_key(const struct sweep *s, size_t key)
{
    const char *path = s->axes.keys[key].path, *last = last_step(path);
    if (strcmp(last, "name") == 0)
        return path;
    for (size_t i = 0; i < s->axes.keys_count; i++)
        if (i != key && strcmp(last_step(s->axes.keys[i].path), last) == 0)
            return path;
    return last;
}

static void append_value(struct text_buffer *out, const struct sweep *s, size_t key,
                         const struct sweep_value *v)
{
    text_append(out, "%s%s=", out->length > 0 ? ", " : "", short_key(s, key));
    /* Quotes say nothing to a person. */
    char *value = dcs_strdup(v->text), *rest = value;
    for (char *part; (part = strsep(&rest, "\"")) != NULL;)
        text_append(out, "%s", part);
    free(value);
}

char *sweep_label(const struct sweep *s, uint64_t point)
{
    struct text_buffer out = {0};
    text_append(&out, "%s", "");
    for (size_t i = 0; i < s->axes.keys_count; i++)
        append_value(&out, s, i, sweep_axes_value(&s->axes, point, i));
    return out.text;
}

char *sweep_axis_label(const struct sweep *s, size_t axis, size_t value)
{
    struct text_buffer out = {0};
    text_append(&out, "%s", "");
    for (size_t i = 0; i < s->axes.keys_count; i++)
        if (s->axes.keys[i].axis == axis)
            append_value(&out, s, i, &s->axes.keys[i].values[value]);
    return out.text;
}
