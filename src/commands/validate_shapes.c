/* validate_shapes.c - see validate_shapes.h. */
#include "commands/validate_shapes.h"

#include "models/gpu/spatial_load.h"

#include <stdlib.h>
#include <string.h>

#define SPINS_MAX 64 /* different ones; the calibrator measures fewer than half as many */

struct spin {
    int64_t blocks, threads, pause_ns;
};

/* A number of at most nine digits at *text, which is moved behind it; -1: there is none. */
static int64_t take_number(const char **text)
{
    size_t digits = strspn(*text, "0123456789");
    if (digits == 0 || digits > 9)
        return -1;
    int64_t number = strtoll(*text, NULL, 10);
    *text += digits;
    return number;
}

static bool take_word(const char **text, const char *word)
{
    size_t length = strlen(word);
    bool found = strncmp(*text, word, length) == 0;
    *text += found ? length : 0;
    return found;
}

/* spin_BLOCKSxTHREADS, perhaps with _pause_Nus. */
static bool parse_spin(const struct dcs_corun_side *side, struct spin *spin)
{
    const char *at = side->kernel;
    *spin = (struct spin){0};
    if (strcmp(side->app, SPIN_APPLICATION) != 0 || side->size < 1 || !take_word(&at, "spin_"))
        return false;
    spin->blocks = take_number(&at);
    if (!take_word(&at, "x"))
        return false;
    spin->threads = take_number(&at);
    if (take_word(&at, "_pause_")) {
        spin->pause_ns = take_number(&at) * DCS_NS_PER_US;
        if (!take_word(&at, "us"))
            return false;
    }
    return *at == '\0' && spin->blocks >= 1 && spin->threads >= 1 &&
           spin->threads <= SPIN_THREADS_PER_SM && spin->pause_ns >= 0;
}

bool validate_spins(const struct dcs_corun_side *side, int64_t *pause_ns)
{
    struct spin spin;
    bool spins = parse_spin(side, &spin);
    *pause_ns = spins ? spin.pause_ns : 0;
    return spins;
}

static uint32_t find_shape(const struct validate_shapes *v, uint32_t begin, uint32_t end,
                           const char *app, const char *name)
{
    for (uint32_t i = begin; i < end; i++) {
        const struct dcs_shape *shape = &v->spatial.shapes[i];
        if (strcmp(shape->app, app) == 0 && strcmp(shape->name, name) == 0)
            return i;
    }
    return NO_SHAPE;
}

/* Equal grids of blocks of equal length are one shape. */
static void name_spin(char *out, size_t size, const struct dcs_corun_side *side,
                      const struct spin *spin)
{
    snprintf(out, size, "%lldx%lld %lld ns", (long long)spin->blocks, (long long)spin->threads,
             (long long)side->size);
}

static void add_spin(struct validate_shapes *v, const struct dcs_corun_side *side,
                     const struct spin *spin)
{
    char name[96];
    name_spin(name, sizeof name, side, spin);
    if (v->spatial.shapes_count - v->of_profile == SPINS_MAX ||
        find_shape(v, v->of_profile, v->spatial.shapes_count, SPIN_APPLICATION, name) != NO_SHAPE)
        return;
    const int64_t by_threads = SPIN_THREADS_PER_SM / spin->threads;
    const int64_t per_sm = by_threads < SPIN_BLOCKS_PER_SM ? by_threads : SPIN_BLOCKS_PER_SM;
    struct dcs_shape *shape = &v->spatial.shapes[v->spatial.shapes_count++];
    *shape = (struct dcs_shape){.app = SPIN_APPLICATION,
                                .name = dcs_strdup(name),
                                .kind = DCS_SHAPE_COMPUTE,
                                .launches = 1,
                                .blocks = (uint64_t)spin->blocks,
                                .blocks_per_sm = (uint32_t)per_sm,
                                .points = dcs_alloc(v->spatial.sms, sizeof *shape->points),
                                .points_count = v->spatial.sms};
    for (uint32_t sms = 1; sms <= v->spatial.sms; sms++) {
        int64_t waves = (spin->blocks + per_sm * sms - 1) / (per_sm * sms);
        shape->points[sms - 1].sms = sms;
        shape->points[sms - 1].solo_ns = (double)waves * (double)side->size;
    }
    dcs_shape_fit_waves(shape);
}

void validate_shapes_init(struct validate_shapes *v, const struct dcs_profile *profile,
                          const struct dcs_spatial *spatial, const struct dcs_coruns *coruns)
{
    struct spin spin;
    *v = (struct validate_shapes){.profile = profile,
                                  .coruns = coruns,
                                  .spatial = *spatial,
                                  .of_profile = spatial->shapes_count};
    v->spatial.shapes = dcs_alloc(v->of_profile + SPINS_MAX, sizeof *v->spatial.shapes);
    memcpy(v->spatial.shapes, spatial->shapes, v->of_profile * sizeof *spatial->shapes);
    for (size_t i = 0; i < coruns->coruns_count; i++)
        for (size_t k = 0; k < coruns->coruns[i].sides_count; k++)
            if (parse_spin(&coruns->coruns[i].sides[k], &spin))
                add_spin(v, &coruns->coruns[i].sides[k], &spin);
}

void validate_shapes_release(struct validate_shapes *v)
{
    for (uint32_t i = v->of_profile; i < v->spatial.shapes_count; i++) {
        free(v->spatial.shapes[i].name);
        free(v->spatial.shapes[i].points);
    }
    free(v->spatial.shapes);
}

const struct dcs_sequence *validate_sequence(const struct validate_shapes *v, const char *app,
                                             int64_t size)
{
    const struct dcs_profile_app *found = dcs_profile_app(v->profile, app);
    size_t index = found != NULL ? (size_t)(found - v->profile->apps) : 0;
    if (found == NULL)
        return NULL;
    if (v->coruns->default_size[index] == size)
        return &v->spatial.sequences[index];
    return dcs_spatial_sequence(&v->spatial, (uint32_t)index, size);
}

int64_t validate_default_size(const struct validate_shapes *v, const char *app)
{
    const struct dcs_profile_app *found = dcs_profile_app(v->profile, app);
    return found != NULL ? v->coruns->default_size[found - v->profile->apps] : -1;
}

uint32_t validate_sized_shape(const struct validate_shapes *v, const struct dcs_corun_side *side)
{
    const struct dcs_profile_app *found = dcs_profile_app(v->profile, side->app);
    const struct dcs_sequence *sequence = NULL;
    if (found != NULL)
        sequence =
            dcs_spatial_sequence(&v->spatial, (uint32_t)(found - v->profile->apps), side->size);
    for (uint32_t k = 0; sequence != NULL && k < sequence->kernels; k++)
        if (strcmp(v->spatial.shapes[sequence->shapes[k]].name, side->kernel) == 0)
            return sequence->shapes[k];
    return NO_SHAPE;
}

uint32_t validate_shape(const struct validate_shapes *v, const struct dcs_corun_side *side)
{
    struct spin spin;
    if (parse_spin(side, &spin)) {
        char name[96];
        name_spin(name, sizeof name, side, &spin);
        return find_shape(v, v->of_profile, v->spatial.shapes_count, SPIN_APPLICATION, name);
    }
    if (validate_default_size(v, side->app) != side->size)
        return NO_SHAPE;
    return find_shape(v, 0, v->of_profile, side->app, side->kernel);
}
