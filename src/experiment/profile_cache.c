/* profile_cache.c - see profile_cache.h. */
#include "experiment/profile_cache.h"

#include "models/predictor/predictor_store.h"
#include "options/options.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct profile_entry {
    char *path;
    char *sized; /* what was read of sizes, by sized_key(); NULL: nothing of sharing */
    struct dcs_profile *profile;
    struct dcs_spatial *spatial;
    struct dcs_cpu *cpu; /* NULL: nothing of CPUs was read */
    struct dcs_divisible *divisible;
    struct dcs_sm *sm;
};

struct predictors_entry {
    char *path;
    const struct dcs_profile *profile;
    const struct dcs_method *method;
    struct dcs_predictors *predictors;
    struct dcs_cpu_predictors *cpu; /* in their place, if the profile is of a CPU */
};

struct slowdowns_entry {
    char *path; /* "": random weights */
    const struct dcs_spatial *spatial;
    struct dcs_slowdowns *slowdowns;
};

struct number_entry {
    char *key;
    double value;
};

struct profile_cache {
    /* Held while a file is read, too: who wants the same file waits for it. */
    pthread_mutex_t lock;
    struct profile_entry *profiles;
    size_t profiles_count, profiles_capacity;
    struct predictors_entry *predictors;
    size_t predictors_count, predictors_capacity;
    struct slowdowns_entry *slowdowns;
    size_t slowdowns_count, slowdowns_capacity;
    struct number_entry *numbers;
    size_t numbers_count, numbers_capacity;
};

struct profile_cache *profile_cache_new(void)
{
    struct profile_cache *f = dcs_alloc(1, sizeof *f);
    pthread_mutex_init(&f->lock, NULL);
    return f;
}

void profile_cache_free(struct profile_cache *f)
{
    if (f == NULL)
        return;
    for (size_t i = 0; i < f->predictors_count; i++) {
        dcs_predictors_free(f->predictors[i].predictors);
        dcs_cpu_predictors_free(f->predictors[i].cpu);
        free(f->predictors[i].path);
    }
    for (size_t i = 0; i < f->slowdowns_count; i++) {
        dcs_slowdowns_free(f->slowdowns[i].slowdowns);
        free(f->slowdowns[i].path);
    }
    for (size_t i = 0; i < f->profiles_count; i++) {
        dcs_spatial_free(f->profiles[i].spatial);
        dcs_cpu_free(f->profiles[i].cpu);
        dcs_divisible_free(f->profiles[i].divisible);
        dcs_sm_free(f->profiles[i].sm);
        dcs_profile_free(f->profiles[i].profile);
        free(f->profiles[i].path);
        free(f->profiles[i].sized);
    }
    for (size_t i = 0; i < f->numbers_count; i++)
        free(f->numbers[i].key);
    pthread_mutex_destroy(&f->lock);
    free(f->numbers);
    free(f->profiles);
    free(f->predictors);
    free(f->slowdowns);
    free(f);
}

/* Takes `e.sized` over. */
static struct profile_entry *add_profile(struct profile_cache *f, struct profile_entry e,
                                         const char *path)
{
    e.path = dcs_strdup(path);
    f->profiles =
        dcs_grow(f->profiles, &f->profiles_capacity, f->profiles_count + 1, sizeof f->profiles[0]);
    f->profiles[f->profiles_count] = e;
    return &f->profiles[f->profiles_count++];
}

static struct profile_entry *find_profile(struct profile_cache *f, const char *path,
                                          const char *sized)
{
    for (size_t i = 0; i < f->profiles_count; i++) {
        struct profile_entry *e = &f->profiles[i];
        bool same =
            sized == NULL || e->sized == NULL ? sized == e->sized : strcmp(sized, e->sized) == 0;
        if (same && strcmp(e->path, path) == 0)
            return e;
    }
    return NULL;
}

struct dcs_profile *profile_cache_profile(struct profile_cache *f, const char *path,
                                          struct dcs_err *err)
{
    pthread_mutex_lock(&f->lock);
    const struct profile_entry *e = find_profile(f, path, NULL);
    struct dcs_profile *profile = e != NULL ? e->profile : dcs_profile_load(path, err);
    if (e == NULL && profile != NULL)
        add_profile(f, (struct profile_entry){.profile = profile}, path);
    pthread_mutex_unlock(&f->lock);
    return profile;
}

/* One text that stands for all that is wanted: "a:\nb:16,64,\n". */
static char *sized_key(const struct profile_cache_sized *sized, size_t count)
{
    struct text_buffer key = {0};
    text_append(&key, "%s", "");
    for (size_t i = 0; i < count; i++) {
        text_append(&key, "%s:", sized[i].app);
        for (size_t k = 0; k < sized[i].count; k++)
            text_append(&key, "%lld,", (long long)sized[i].sizes[k]);
        text_append(&key, "\n");
    }
    return key.text;
}

static struct dcs_profile *load_sized(const char *path, const struct profile_cache_sized *sized,
                                      size_t count, struct dcs_spatial **spatial,
                                      struct dcs_err *err)
{
    const char **apps = dcs_alloc(count + 1, sizeof(apps[0]));
    for (size_t i = 0; i < count; i++)
        apps[i] = sized[i].app;
    struct dcs_profile *profile = dcs_spatial_load_sized(path, apps, spatial, err);
    free(apps);
    for (size_t i = 0; profile != NULL && i < count; i++) {
        const struct dcs_profile_app *app = dcs_profile_app(profile, sized[i].app);
        struct dcs_err unused = {0}; /* who uses a size that cannot be says so */
        for (size_t k = 0; app != NULL && k < sized[i].count; k++)
            dcs_spatial_size(*spatial, (uint32_t)(app - profile->apps), sized[i].sizes[k], &unused);
    }
    return profile;
}

struct dcs_profile *profile_cache_spatial(struct profile_cache *f, const char *path,
                                          const struct profile_cache_sized *sized, size_t count,
                                          const struct dcs_spatial **spatial, struct dcs_err *err)
{
    char *key = sized_key(sized, count);
    pthread_mutex_lock(&f->lock);
    const struct profile_entry *found = find_profile(f, path, key);
    struct profile_entry e = {.sized = key};
    if (found == NULL)
        e.profile = load_sized(path, sized, count, &e.spatial, err);
    if (e.profile != NULL)
        found = add_profile(f, e, path);
    else
        free(key);
    struct dcs_profile *profile = found != NULL ? found->profile : NULL;
    *spatial = found != NULL ? found->spatial : NULL;
    pthread_mutex_unlock(&f->lock);
    return profile;
}

static const struct profile_entry *get_cpu(struct profile_cache *f, const char *path,
                                           struct dcs_err *err)
{
    for (size_t i = 0; i < f->profiles_count; i++)
        if (f->profiles[i].cpu != NULL && strcmp(f->profiles[i].path, path) == 0)
            return &f->profiles[i];
    struct profile_entry e = {0};
    e.profile = dcs_cpu_load_profile(path, &e.cpu, err);
    return e.profile != NULL ? add_profile(f, e, path) : NULL;
}

struct dcs_profile *profile_cache_cpu(struct profile_cache *f, const char *path,
                                      const struct dcs_cpu **cpu, struct dcs_err *err)
{
    pthread_mutex_lock(&f->lock);
    const struct profile_entry *e = get_cpu(f, path, err);
    struct dcs_profile *profile = e != NULL ? e->profile : NULL;
    *cpu = e != NULL ? e->cpu : NULL;
    pthread_mutex_unlock(&f->lock);
    return profile;
}

static const struct profile_entry *get_divisible(struct profile_cache *f, const char *path,
                                                 struct dcs_err *err)
{
    for (size_t i = 0; i < f->profiles_count; i++)
        if (f->profiles[i].divisible != NULL && strcmp(f->profiles[i].path, path) == 0)
            return &f->profiles[i];
    struct profile_entry e = {0};
    e.profile = dcs_divisible_load_profile(path, &e.divisible, err);
    return e.profile != NULL ? add_profile(f, e, path) : NULL;
}

struct dcs_profile *profile_cache_divisible(struct profile_cache *f, const char *path,
                                            const struct dcs_divisible **divisible,
                                            struct dcs_err *err)
{
    pthread_mutex_lock(&f->lock);
    const struct profile_entry *e = get_divisible(f, path, err);
    struct dcs_profile *profile = e != NULL ? e->profile : NULL;
    *divisible = e != NULL ? e->divisible : NULL;
    pthread_mutex_unlock(&f->lock);
    return profile;
}

static const struct profile_entry *get_sm(struct profile_cache *f, const char *path,
                                          struct dcs_err *err)
{
    for (size_t i = 0; i < f->profiles_count; i++)
        if (f->profiles[i].sm != NULL && strcmp(f->profiles[i].path, path) == 0)
            return &f->profiles[i];
    struct profile_entry e = {0};
    e.profile = dcs_sm_load_profile(path, &e.sm, err);
    return e.profile != NULL ? add_profile(f, e, path) : NULL;
}

struct dcs_profile *profile_cache_sm(struct profile_cache *f, const char *path,
                                     const struct dcs_sm **sm, struct dcs_err *err)
{
    pthread_mutex_lock(&f->lock);
    const struct profile_entry *e = get_sm(f, path, err);
    struct dcs_profile *profile = e != NULL ? e->profile : NULL;
    *sm = e != NULL ? e->sm : NULL;
    pthread_mutex_unlock(&f->lock);
    return profile;
}

static struct predictors_entry *get_predictors(struct profile_cache *f, const char *path,
                                               const char *profile_path,
                                               const struct dcs_profile *profile,
                                               const struct dcs_method *method, struct dcs_err *err)
{
    for (size_t i = 0; i < f->predictors_count; i++) {
        struct predictors_entry *e = &f->predictors[i];
        if (e->profile == profile && e->method == method && strcmp(e->path, path) == 0)
            return e;
    }
    struct predictors_entry e = {.profile = profile, .method = method};
    if (profile->is_cpu)
        e.cpu = dcs_cpu_predictors_load(path, profile_path, profile, method, err);
    else
        e.predictors = dcs_predictors_load(path, profile_path, profile, method, err);
    if (e.cpu == NULL && e.predictors == NULL)
        return NULL;
    e.path = dcs_strdup(path);
    f->predictors = dcs_grow(f->predictors, &f->predictors_capacity, f->predictors_count + 1,
                             sizeof f->predictors[0]);
    f->predictors[f->predictors_count] = e;
    return &f->predictors[f->predictors_count++];
}

const struct dcs_predictors *profile_cache_predictors(struct profile_cache *f, const char *path,
                                                      const char *profile_path,
                                                      const struct dcs_profile *profile,
                                                      const struct dcs_method *method,
                                                      struct dcs_err *err)
{
    pthread_mutex_lock(&f->lock);
    const struct predictors_entry *e = get_predictors(f, path, profile_path, profile, method, err);
    const struct dcs_predictors *predictors = e != NULL ? e->predictors : NULL;
    pthread_mutex_unlock(&f->lock);
    return predictors;
}

const struct dcs_cpu_predictors *
profile_cache_cpu_predictors(struct profile_cache *f, const char *path, const char *profile_path,
                             const struct dcs_profile *profile, const struct dcs_method *method,
                             struct dcs_err *err)
{
    DCS_ASSERT(profile->is_cpu);
    pthread_mutex_lock(&f->lock);
    const struct predictors_entry *e = get_predictors(f, path, profile_path, profile, method, err);
    const struct dcs_cpu_predictors *predictors = e != NULL ? e->cpu : NULL;
    pthread_mutex_unlock(&f->lock);
    return predictors;
}

static struct dcs_slowdowns *get_slowdowns(struct profile_cache *f, const char *path,
                                           const char *profile_path,
                                           const struct dcs_profile *profile,
                                           const struct dcs_spatial *spatial, struct dcs_err *err)
{
    const char *key = path != NULL ? path : "";
    for (size_t i = 0; i < f->slowdowns_count; i++)
        if (f->slowdowns[i].spatial == spatial && strcmp(f->slowdowns[i].path, key) == 0)
            return f->slowdowns[i].slowdowns;
    struct slowdowns_entry e = {.spatial = spatial};
    e.slowdowns = path != NULL ? dcs_slowdowns_load(path, profile_path, profile, spatial, err)
                               : dcs_slowdowns_untrained(profile_path, profile, spatial, err);
    if (e.slowdowns == NULL)
        return NULL;
    e.path = dcs_strdup(key);
    f->slowdowns = dcs_grow(f->slowdowns, &f->slowdowns_capacity, f->slowdowns_count + 1,
                            sizeof f->slowdowns[0]);
    f->slowdowns[f->slowdowns_count++] = e;
    return e.slowdowns;
}

const struct dcs_slowdowns *profile_cache_slowdowns(struct profile_cache *f, const char *path,
                                                    const char *profile_path,
                                                    const struct dcs_profile *profile,
                                                    const struct dcs_spatial *spatial,
                                                    struct dcs_err *err)
{
    pthread_mutex_lock(&f->lock);
    const struct dcs_slowdowns *s = get_slowdowns(f, path, profile_path, profile, spatial, err);
    pthread_mutex_unlock(&f->lock);
    return s;
}

bool profile_cache_find(struct profile_cache *f, const char *key, double *out)
{
    bool found = false;
    pthread_mutex_lock(&f->lock);
    for (size_t i = 0; i < f->numbers_count && !found; i++) {
        found = strcmp(f->numbers[i].key, key) == 0;
        if (found)
            *out = f->numbers[i].value;
    }
    pthread_mutex_unlock(&f->lock);
    return found;
}

void profile_cache_keep(struct profile_cache *f, const char *key, double value)
{
    pthread_mutex_lock(&f->lock);
    f->numbers =
        dcs_grow(f->numbers, &f->numbers_capacity, f->numbers_count + 1, sizeof f->numbers[0]);
    f->numbers[f->numbers_count++] = (struct number_entry){dcs_strdup(key), value};
    pthread_mutex_unlock(&f->lock);
}
