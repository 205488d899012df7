/*
 * compare_names.h - how systems and groups of compare_groups.h are called, by what their configs
 * say: a system by the keys that were named, a group by all others.
 */
#ifndef DCS_COMPARE_NAMES_H
#define DCS_COMPARE_NAMES_H

#include "results/compare_groups.h"
#include "options/options.h"

/* What each system's config says at each of some keys. */
struct compare_leaves {
    struct compare_leaf {
        char *key;     /* without the "$." */
        char **values; /* by system; NULL: nothing */
    } * keys;
    size_t count, capacity, systems;
};

/* Appends json_remove(e.config, ...): the config without the keys that may differ. Each key is a
 * parameter of the statement, from the first one on; compare_bind_keys() sets these. */
void compare_append_world(struct text_buffer *sql, size_t keys_count);
void compare_bind_keys(sqlite3_stmt *row, const char *const *keys, size_t count);

/* named: the leaves at and below the keys that were named. varying: of all other leaves, those that
 * are not the same everywhere. -1 and err on failure; the caller releases *l in any case. */
int compare_leaves_named(struct compare_leaves *l, const struct results *r, const char *const *keys,
                         size_t keys_count, const struct compare_groups *g, struct dcs_err *err);
int compare_leaves_varying(struct compare_leaves *l, const struct results *r,
                           const char *const *keys, size_t keys_count,
                           const struct compare_groups *g, struct dcs_err *err);
void compare_leaves_release(struct compare_leaves *l);

/* Gives every system its label, the same in all groups: "elastic (revocation=true)",
 * "cluster.devices=4". A label has the values that tell the systems apart, but of the options of a
 * policy, and its predictor, not those that most variants of this policy have. "measured" stands
 * last in those of runs on a real GPU. */
void compare_labels(struct compare_groups *g, const struct compare_leaves *named);
/* Puts hashes behind the labels of systems whose configs say the same: they differ in the version
 * that made them, or in their files. group: by label. */
void compare_twins(const struct compare_group *group);
/* What tells a system's group from others. Freed by the caller. */
char *compare_heading(const struct compare_groups *g, const struct compare_leaves *varying,
                      const struct compare_system *of);

#endif
