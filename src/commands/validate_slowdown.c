/* validate_slowdown.c - see validate_slowdown.h. */
#include "commands/validate_slowdown.h"

#include "commands/validate_predict.h"
#include "config/paths.h"
#include "des/newfile.h"
#include "des/stats.h"
#include "models/gpu/contention.h"
#include "models/gpu/spatial_load.h"
#include "models/predictor/slowdown.h"

#include <stdlib.h>
#include <string.h>

static const char *const titles[] = {[DCS_CORUN_PAIR] = "Pairs",
                                     [DCS_CORUN_TRIPLE] = "Triples",
                                     [DCS_CORUN_QUADRUPLE] = "Quadruples"};
static const char *const kinds[] = {
    [DCS_CORUN_PAIR] = "pair", [DCS_CORUN_TRIPLE] = "triple", [DCS_CORUN_QUADRUPLE] = "quadruple"};

enum { ALONE, CONTENTION, THEMIS_ALONE, THEMIS, GPM, ASM, ASM_GPM, PREDICTORS };

static const char *const names[PREDICTORS] = {"alone", "contention", "themis-alone", "themis",
                                              "gpm",   "asm",        "asm-gpm"};

/* How much of a co-run the network was never trained on. */
enum { TRAINED_ON, OWN_HELD_OUT, ALL_HELD_OUT };

struct side {
    const struct dcs_corun *of;
    size_t side;
    int held_out;
    struct dcs_slowdown measured, predicted[PREDICTORS];
};

struct work {
    const struct dcs_spatial *spatial;
    const struct dcs_slowdowns *slowdowns;
    struct dcs_contention *contention;
    struct side *sides;
    size_t n, capacity, left_out;
};

/* A kernel of a co-run, and what its counters say. */
struct kernel {
    uint32_t shape;
    struct dcs_events alone, beside;
};

/* ---- Predictions ---- */

static bool know_kernels(const struct work *w, const struct dcs_corun *c, struct kernel *k)
{
    for (size_t i = 0; i < c->sides_count; i++) {
        const struct dcs_corun_side *s = &c->sides[i];
        k[i].shape = dcs_event_shape(w->spatial, s->app, s->kernel);
        if (k[i].shape == UINT32_MAX ||
            !dcs_slowdowns_events(w->slowdowns, k[i].shape, s->solo_ns, &k[i].alone) ||
            !dcs_slowdowns_events(w->slowdowns, k[i].shape, s->ns, &k[i].beside))
            return false;
    }
    return true;
}

static void add_pressure(const struct dcs_events *of, double *sum)
{
    for (size_t i = 0; i < DCS_PRESSURES; i++)
        sum[i] += of->v[DCS_EVENTS - DCS_PRESSURES + i];
}

static int held_out(const struct work *w, const struct dcs_corun *c, size_t side)
{
    int result = ALL_HELD_OUT;
    for (size_t i = 0; i < c->sides_count; i++)
        if (!dcs_slowdowns_held_out(w->slowdowns, c->sides[i].app))
            result = OWN_HELD_OUT;
    return dcs_slowdowns_held_out(w->slowdowns, c->sides[side].app) ? result : TRAINED_ON;
}

static void predict_side(struct work *w, const struct dcs_corun *c, const struct kernel *kernels,
                         size_t of, double contended, struct dcs_slowdown networked)
{
    const struct dcs_corun_side *s = &c->sides[of];
    const struct kernel *k = &kernels[of];
    double whole_ns = dcs_shape_solo_ns(w->spatial, k->shape, w->spatial->sms);
    double beside[DCS_PRESSURES] = {0};
    for (size_t i = 0; i < c->sides_count; i++)
        if (i != of)
            add_pressure(&kernels[i].beside, beside);
    w->sides = dcs_grow(w->sides, &w->capacity, w->n + 1, sizeof *w->sides);
    struct side *out = &w->sides[w->n++];
    *out = (struct side){.of = c, .side = of, .held_out = held_out(w, c, of)};
    out->measured = (struct dcs_slowdown){s->solo_ns / whole_ns, s->ns / s->solo_ns};
    struct dcs_slowdown *p = out->predicted;
    double scal = dcs_shape_solo_ns(w->spatial, k->shape, s->sms) / whole_ns;
    p[ALONE] = (struct dcs_slowdown){scal, 1};
    p[CONTENTION] = (struct dcs_slowdown){scal, contended};
    p[THEMIS_ALONE] = networked;
    p[THEMIS] = dcs_slowdowns_ask(w->slowdowns, DCS_SLOWDOWN_BESIDE, s->sms, &k->beside, beside);
    p[GPM] = dcs_slowdowns_ask(w->slowdowns, DCS_SLOWDOWN_GPM, s->sms, &k->beside, beside);
    p[ASM] = (struct dcs_slowdown){1, out->measured.inter};
    p[ASM_GPM] = (struct dcs_slowdown){p[GPM].scal, out->measured.inter};
}

static void predict_corun(struct work *w, const struct dcs_corun *c)
{
    struct kernel kernels[DCS_CORUN_SIDES_MAX];
    struct dcs_presser set[DCS_CORUN_SIDES_MAX];
    double contended[DCS_CORUN_SIDES_MAX];
    struct dcs_slowdown_party parties[DCS_CORUN_SIDES_MAX];
    struct dcs_slowdown networked[DCS_CORUN_SIDES_MAX];
    if (c->mechanism != DCS_CORUN_GREEN || c->kind > DCS_CORUN_QUADRUPLE)
        return;
    if (!know_kernels(w, c, kernels)) {
        w->left_out++;
        return;
    }
    for (size_t i = 0; i < c->sides_count; i++)
        set[i] = (struct dcs_presser){.shape = dcs_shape_contends_as(w->spatial, kernels[i].shape),
                                      .millisms = c->sides[i].sms * 1000};
    for (size_t i = 0; i < c->sides_count; i++)
        parties[i] = (struct dcs_slowdown_party){c->sides[i].sms, kernels[i].alone};
    dcs_slowdowns_together(w->slowdowns, parties, c->sides_count, networked);
    dcs_contention_slowdowns(w->contention, set, (uint32_t)c->sides_count, contended, NULL);
    for (size_t i = 0; i < c->sides_count; i++)
        predict_side(w, c, kernels, i, contended[i], networked[i]);
}

/* ---- Tables ---- */

static double error_of(double predicted, double measured)
{
    double error = predicted / measured - 1;
    return error < 0 ? -error : error;
}

/* Which sides a table is of. */
struct group {
    enum dcs_corun_kind kind;
    int held_out;       /* at least */
    bool trained_on;    /* those alone that are not held out */
    uint32_t sms;       /* of the first side; 0: any */
    const char *suffix; /* of its title */
};

static bool is_in(const struct group *g, const struct side *s)
{
    return s->of->kind == g->kind && s->held_out >= g->held_out &&
           (!g->trained_on || s->held_out == TRAINED_ON) &&
           (g->sms == 0 || s->of->sides[0].sms == g->sms);
}

static void print_split(const struct dcs_corun *c)
{
    for (size_t i = 0; i < c->sides_count; i++)
        printf("%s%u", i > 0 ? "+" : ", ", c->sides[i].sms);
}

/* Different kernels among the sides of a group. */
static size_t count_kernels(const struct work *w, const struct group *g)
{
    size_t n = 0;
    for (size_t i = 0; i < w->n; i++) {
        const struct dcs_corun_side *a = &w->sides[i].of->sides[w->sides[i].side];
        bool is_new = is_in(g, &w->sides[i]);
        for (size_t k = 0; k < i && is_new; k++) {
            const struct dcs_corun_side *b = &w->sides[k].of->sides[w->sides[k].side];
            is_new = !is_in(g, &w->sides[k]) || strcmp(a->app, b->app) != 0 ||
                     strcmp(a->kernel, b->kernel) != 0;
        }
        n += is_new;
    }
    return n;
}

static void print_group(const struct work *w, const struct group *g)
{
    double *errors = dcs_alloc(w->n, sizeof *errors);
    for (int p = 0; p < PREDICTORS; p++) {
        double sum = 0, scal = 0, inter = 0;
        size_t n = 0;
        const struct side *first = NULL;
        for (size_t i = 0; i < w->n; i++) {
            const struct side *s = &w->sides[i];
            if (!is_in(g, s))
                continue;
            const struct dcs_slowdown *says = &s->predicted[p], *was = &s->measured;
            errors[n] = error_of(says->scal * says->inter, was->scal * was->inter);
            sum += errors[n++];
            scal += error_of(says->scal, was->scal);
            inter += error_of(says->inter, was->inter);
            first = first == NULL ? s : first;
        }
        if (n == 0)
            break;
        if (p == 0) {
            printf("\n%s", titles[g->kind]);
            if (g->sms > 0 || g->kind != DCS_CORUN_PAIR)
                print_split(first->of);
            size_t kernels = count_kernels(w, g);
            printf("%s: n = %zu sides of %zu kernel%s\n%-14s %8s %9s %8s %8s %12s %8s\n", g->suffix,
                   n, kernels, dcs_plural(kernels), "", "mean %", "median %", "p95 %", "max %",
                   "SMs, mean %", "beside");
        }
        dcs_sort_doubles(errors, n);
        printf("%-14s %8.2f %9.2f %8.2f %8.2f %12.2f %8.2f\n", names[p], 100 * sum / (double)n,
               100 * validate_quantile(errors, n, 0.5), 100 * validate_quantile(errors, n, 0.95),
               100 * errors[n - 1], 100 * scal / (double)n, 100 * inter / (double)n);
    }
    free(errors);
}

/* The next number of SMs of a first side, above `sms`; 0: there is none. */
static uint32_t next_split(const struct work *w, enum dcs_corun_kind kind, uint32_t sms)
{
    uint32_t next = 0;
    for (size_t i = 0; i < w->n; i++) {
        uint32_t of = w->sides[i].of->sides[0].sms;
        if (w->sides[i].of->kind == kind && of > sms && (next == 0 || of < next))
            next = of;
    }
    return next;
}

static void print_tables(const struct work *w)
{
    static const char never[] = ", the kernel's application never trained on";
    for (int kind = DCS_CORUN_PAIR; kind <= DCS_CORUN_QUADRUPLE; kind++) {
        enum dcs_corun_kind k = (enum dcs_corun_kind)kind;
        print_group(w, &(struct group){.kind = k, .suffix = ", all"});
        print_group(w, &(struct group){.kind = k, .trained_on = true, .suffix = ", trained on"});
        print_group(w, &(struct group){.kind = k, .held_out = OWN_HELD_OUT, .suffix = never});
        print_group(w, &(struct group){.kind = k,
                                       .held_out = ALL_HELD_OUT,
                                       .suffix = ", no application trained on"});
        for (uint32_t sms = 0; kind == DCS_CORUN_PAIR && (sms = next_split(w, k, sms)) > 0;) {
            print_group(w, &(struct group){.kind = k, .sms = sms, .suffix = ""});
            print_group(w, &(struct group){
                               .kind = k, .sms = sms, .held_out = OWN_HELD_OUT, .suffix = never});
        }
    }
}

static void print_side(FILE *out, const struct side *s)
{
    static const char *const kept[] = {"no", "own", "all"};
    const struct dcs_corun *c = s->of;
    const struct dcs_corun_side *side = &c->sides[s->side];
    fprintf(out, "%lld,%zu,%s,%s,\"", (long long)c->id, s->side, kinds[c->kind], side->app);
    for (const char *k = side->kernel; *k != '\0'; k++)
        fprintf(out, *k == '"' ? "\"\"" : "%c", *k);
    fprintf(out, "\",%u,%s,", side->sms, kept[s->held_out]);
    for (size_t i = 0, n = 0; i < c->sides_count; i++)
        if (i != s->side)
            fprintf(out, "%s%s", n++ > 0 ? "+" : "", c->sides[i].app);
    fprintf(out, ",%.4f,%.4f", s->measured.scal, s->measured.inter);
    for (int p = 0; p < PREDICTORS; p++)
        fprintf(out, ",%.4f,%.4f", s->predicted[p].scal, s->predicted[p].inter);
    fputc('\n', out);
}

static int write_table(const struct work *w, const char *path, struct dcs_err *err)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    DCS_ASSERT(out != NULL);
    fputs("id,side,kind,application,kernel,sms,held_out,beside,measured_scal,measured_inter", out);
    for (int p = 0; p < PREDICTORS; p++)
        fprintf(out, ",%s_scal,%s_inter", names[p], names[p]);
    fputc('\n', out);
    for (size_t i = 0; i < w->n; i++)
        print_side(out, &w->sides[i]);
    bool whole = !ferror(out);
    whole = fclose(out) == 0 && whole;
    DCS_ASSERT(whole); /* only memory can end, as in dcs_alloc() */
    int status = newfile_create(path, text, size, err);
    free(text);
    return status;
}

/* ---- The whole ---- */

static int predict_all(struct work *w, const struct validate_slowdown *v,
                       const struct dcs_profile *profile, const struct dcs_coruns *coruns,
                       struct dcs_err *err)
{
    for (size_t i = 0; i < coruns->coruns_count; i++)
        predict_corun(w, &coruns->coruns[i]);
    if (w->n == 0)
        return dcs_err_at(
            err, v->name, 0, NULL,
            "has no pairs, triples or quadruples on partitions in the half \"%s\" whose kernels "
            "have counters (tables corun, kernel_counters)",
            v->half_name);
    if (v->csv != NULL && write_table(w, v->csv, err) != 0)
        return -1;
    printf("Predictors of slow-downs against profile %s, half %s\n", profile->name, v->half_name);
    if (w->left_out > 0)
        printf("left out: %zu co-run%s (a kernel has no counters)\n", w->left_out,
               dcs_plural(w->left_out));
    print_tables(w);
    puts("\nErrors are |predicted / measured - 1| of the slow-down against the whole device, "
         "alone;\n"
         "SMs: of the slow-down by fewer SMs; beside: of that by what runs beside it. alone and\n"
         "contention know the kernel's times alone; asm has the second as it was measured.");
    return 0;
}

int validate_slowdown(const struct validate_slowdown *v, struct dcs_err *err)
{
    struct dcs_spatial *spatial = NULL;
    struct dcs_slowdowns *slowdowns = NULL;
    struct dcs_coruns *coruns = NULL;
    struct dcs_profile *profile = NULL;
    char *path = paths_profile(v->name, ".", err), *usual = NULL;
    if (path != NULL && v->csv != NULL && newfile_may_write(v->csv, err) != 0) {
        free(path);
        return -1;
    }
    if (path != NULL)
        profile = dcs_spatial_load_profile(path, &spatial, err);
    if (profile != NULL) {
        usual = paths_predictors(path, v->name, ".");
        const char *from = v->predictors != NULL ? v->predictors : usual;
        slowdowns = dcs_slowdowns_load(from, path, profile, spatial, err);
    }
    if (slowdowns != NULL)
        coruns = dcs_coruns_load(path, profile, v->half, err);
    int status = -1;
    if (coruns != NULL) {
        struct work w = {.spatial = spatial,
                         .slowdowns = slowdowns,
                         .contention = dcs_contention_create(spatial)};
        status = predict_all(&w, v, profile, coruns, err);
        dcs_contention_destroy(w.contention);
        free(w.sides);
    }
    dcs_coruns_free(coruns);
    dcs_slowdowns_free(slowdowns);
    dcs_spatial_free(spatial);
    dcs_profile_free(profile);
    free(usual);
    free(path);
    return status;
}
