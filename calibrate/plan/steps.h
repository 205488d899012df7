/*
 * steps.h - the steps of a measurement, and doing them: what is done is not done again, Ctrl-C and
 * --minutes end after the step in hand, a step that fails is noted and the next one is run.
 */
#ifndef DCS_CALIBRATE_STEPS_H
#define DCS_CALIBRATE_STEPS_H

#include "des/base.h"

#include <signal.h>

struct cal_app;
struct cal_measure;
struct cal_session;

#define CAL_KEY_BYTES 192

struct cal_step {
    char key[CAL_KEY_BYTES]; /* "solo/hotspot/512/coarse": names the step in every profile */
    const struct cal_measure *measure;
    const struct cal_app *app; /* NULL: of no application, or of several */
    const char *app_name;      /* of app; NULL likewise */
    int64_t size;
    bool other_size; /* of another size than the application's default one */
    int64_t item[3]; /* the measurement's own */
    double seconds;  /* of the device, estimated */
};

/* A zeroed one is empty. */
struct cal_steps {
    struct cal_step *steps;
    size_t count, capacity;
};

/* Appends a zeroed step with this key, which must be new. The result is valid until the next. */
struct cal_step *cal_steps_add(struct cal_steps *p, const struct cal_measure *measure,
                               const char *key_format, ...) __attribute__((format(printf, 3, 4)));
void cal_steps_release(struct cal_steps *p);
/* A list of names is patterns of the shell between commas: "resnet50,mri*"; NULL names
 * all. Whether one of them matches the name: */
bool cal_list_names(const char *list, const char *name);
/* Whether a pattern of the list matches none of the names, and which; name_of(i) is NULL behind the
 * last. */
bool cal_list_misses(const char *list, const char *(*name_of)(size_t index),
                     char missing[CAL_KEY_BYTES]);
/* Keeps the steps of the applications that are listed (NULL: of all), and those that every
 * application needs (cal_measure). */
void cal_steps_only_apps(struct cal_steps *p, const char *list);
/* Whether there are steps from `first` on, and cal_steps_only_apps leaves none of them. */
bool cal_steps_lack_apps(const struct cal_steps *p, size_t first, const char *list);
/* Keeps the steps at default sizes, and those of no size. */
void cal_steps_only_default_size(struct cal_steps *p);
/* Keeps the steps whose keys are listed. */
void cal_steps_only_keys(struct cal_steps *p, const char *list);
/* Prints a table by kind with the minutes of the device that are left to do; before it, if asked,
 * each step. */
void cal_steps_print(const struct cal_steps *p, const struct cal_session *s, bool each, FILE *out);

/*
 * Sizes of an application that are measured: log-spaced from min to max, multiples of step,
 * distinct, the standard size among them; in an order of which each beginning covers the range:
 * the standard size, the two ends, then ever finer. Returns how many, at most `wanted`: as many as
 * there are. The caller frees *sizes.
 */
struct cal_size_range {
    int64_t min, max, standard, step;
    size_t wanted;
};
size_t cal_sizes(const struct cal_size_range *r, int64_t **sizes);

struct cal_run_options {
    double minutes;                    /* 0: no limit */
    const volatile sig_atomic_t *stop; /* set by Ctrl-C */
    bool progress;                     /* one changing line on standard error */
};

struct cal_run_result {
    size_t done, failed, before, left; /* before: done earlier; left: not done, with the next two */
    size_t failed_before, not_here;    /* not_here: their measurement cannot run here */
    bool interrupted, out_of_time;
};

/* Runs the steps that the store does not have. -1 and err: nothing more can be measured in this
 * process (the device's context is dead, the store cannot be written); what was done is kept. */
int cal_steps_run(const struct cal_steps *p, struct cal_session *s,
                  const struct cal_run_options *options, struct cal_run_result *result,
                  struct dcs_err *err);

#endif
