/*
 * trace_fit_print.c - the account of dcsim trace fit: tables, and in words which assumptions hold.
 *
 * TReM draws Pareto durations and Poisson arrivals. An assumption holds here if its distribution
 * function is nowhere farther than FIT_HOLDS_KS from that of the jobs, and arrivals must be about
 * as variable by the minute and by the hour as Poisson ones.
 */
#include "commands/trace_fit.h"

static double at_quantile(const struct trace_fit_durations *d, double q)
{
    double place = q * (double)(d->n - 1);
    size_t i = (size_t)place;
    double rest = place - (double)i;
    return i + 1 < d->n ? d->raw[i] * (1 - rest) + d->raw[i + 1] * rest : d->raw[i];
}

/* ---- durations ---- */

static void print_parameters(FILE *out, enum dcs_fit_kind kind, const struct dcs_dist *d)
{
    char text[100];
    switch (kind) {
    case DCS_FIT_EXPONENTIAL:
        snprintf(text, sizeof text, "mean %.5g s", d->location);
        break;
    case DCS_FIT_LOGNORMAL:
        snprintf(text, sizeof text, "median %.5g s, sigma %.4g", d->location, d->shape);
        break;
    case DCS_FIT_WEIBULL:
        snprintf(text, sizeof text, "scale %.5g s, shape %.4g", d->location, d->shape);
        break;
    case DCS_FIT_BODY_TAIL:
        snprintf(text, sizeof text, "median %.4g s, sigma %.3g; %.1f %% from %.4g s, shape %.3g",
                 d->location, d->shape, 100 * d->tail_fraction, d->tail_from, d->tail_shape);
        break;
    default:
        snprintf(text, sizeof text, "from %.5g s, shape %.4g", d->location, d->shape);
        break;
    }
    fprintf(out, "%-66s", text);
}

static void print_fits(FILE *out, const struct trace_fit_durations *d)
{
    fprintf(out, "  %-27s %-66s %10s %8s %12s %7s\n", "distribution", "parameters", "mean",
            "of jobs", "AIC", "KS");
    for (uint32_t kind = 0; kind < DCS_FITS; kind++) {
        const struct dcs_fit *fit = &d->fits[kind];
        fprintf(out, "%c %-27s ", (int)kind == d->best ? '*' : ' ',
                dcs_fit_name((enum dcs_fit_kind)kind));
        if (fit->missing != NULL) {
            fprintf(out, "none: %s\n", fit->missing);
            continue;
        }
        print_parameters(out, (enum dcs_fit_kind)kind, &fit->dist);
        fprintf(out, " %10.4g %6.1f %% %12.0f %7.4f\n", dcs_dist_mean(&fit->dist),
                100 * (double)fit->n / (double)d->x_count, fit->aic, fit->ks);
    }
}

static void print_durations(FILE *out, const char *name, const struct trace_fit *f,
                            const struct trace_fit_durations *d)
{
    if (d->n == 0) {
        fprintf(out, "\ndurations of %s: none is known\n", name);
        return;
    }
    fprintf(out,
            "\ndurations of %s: %zu; mean %.1f s, median %.1f, p95 %.1f, p99 %.1f, "
            "max %.1f\n",
            name, d->n, d->mean, at_quantile(d, 0.5), at_quantile(d, 0.95), at_quantile(d, 0.99),
            d->raw[d->n - 1]);
    if (d->below_tick > 0)
        fprintf(out, "  %zu below one second, the resolution, are not in the fits\n",
                d->below_tick);
    if (f->duration_tick_s >= 0.5 && f->options->jitter)
        fprintf(out, "  whole seconds, jittered (seed %llu)\n",
                (unsigned long long)f->options->seed);
    print_fits(out, d);
}

/* ---- arrivals ---- */

static void print_process(FILE *out, enum dcs_arrivals_fit_kind kind,
                          const struct dcs_arrivals_fit *p)
{
    char text[100];
    switch (kind) {
    case DCS_FIT_HYPER:
        snprintf(text, sizeof text, "%.4g/s, scv %.4g; %.1f %% at %.4g/s, else %.4g/s",
                 p->rate_per_s, p->scv, 100 * p->share, p->rates_per_s[0], p->rates_per_s[1]);
        break;
    case DCS_FIT_HYPER_BALANCED:
        snprintf(text, sizeof text, "%.4g/s, scv %.4g", p->rate_per_s, p->scv);
        break;
    case DCS_FIT_MMPP2:
        snprintf(text, sizeof text, "%.4g/s for %.4g s, %.4g/s for %.4g s", p->rates_per_s[0],
                 p->stay_s[0], p->rates_per_s[1], p->stay_s[1]);
        break;
    case DCS_FIT_DAILY: {
        double least = p->daily_per_s[0], most = least;
        for (int i = 1; i < DCS_FIT_SLOTS; i++) {
            least = p->daily_per_s[i] < least ? p->daily_per_s[i] : least;
            most = p->daily_per_s[i] > most ? p->daily_per_s[i] : most;
        }
        snprintf(text, sizeof text, "%.4g/s, by the hour of the day %.4g to %.4g", p->rate_per_s,
                 least, most);
        break;
    }
    default:
        snprintf(text, sizeof text, "%.4g/s", p->rate_per_s);
        break;
    }
    fprintf(out, "%-66s %33.0f ", text, p->aic);
    if (trace_fit_known(p->ks))
        fprintf(out, "%7.4f\n", p->ks);
    else
        fprintf(out, "%7s\n", "-");
}

static void print_index(FILE *out, const char *what, double value)
{
    if (trace_fit_known(value))
        fprintf(out, "%s %.1f", what, value);
    else
        fprintf(out, "%s not known", what);
}

static void print_arrivals(FILE *out, const struct trace_fit *f)
{
    size_t n = f->arrivals;
    fprintf(out, "\narrivals: %zu", n);
    if (f->alone.missing != NULL) {
        fprintf(out, "; no fit: %s\n", f->alone.missing);
        return;
    }
    fprintf(out, " in %.1f s; mean gap %.5g s, squared coefficient of variation %.3f\n",
            f->at[n - 1] - f->at[0], (f->at[n - 1] - f->at[0]) / (double)(n - 1), f->gap_scv);
    fprintf(out, "  exponential gaps: KS %.4f", f->alone.ks);
    if (f->hours > 0)
        fprintf(out, ", median inside an hour %.4f (%zu hours)", f->hourly_ks, f->hours);
    fprintf(out, "\n  variance over mean of the counts (1: Poisson): ");
    print_index(out, "60 s", f->dispersion_minute);
    print_index(out, ", 1 h", f->dispersion_hour);
    fprintf(out, "\n  %.1f %% share their instant (to %g s) with another; ",
            100 * f->batch.together, f->arrival_tick_s);
    if (f->batch.mean > 1)
        fprintf(out, "batches of %.3f jobs on average, %zu of them\n", f->batch.mean,
                f->epochs_count);
    else
        fprintf(out, "no more than chance makes: no batches\n");
    fprintf(out, "  %-26s %-55s %9s %15s %7s\n",
            f->batch.mean > 1 ? "process of the batches" : "process", "parameters", "", "AIC",
            "KS");
    for (uint32_t kind = 0; kind < DCS_ARRIVALS_FITS; kind++) {
        const struct dcs_arrivals_fit *p = &f->process[kind];
        fprintf(out, "%c %-27s ", (int)kind == f->best ? '*' : ' ',
                dcs_arrivals_fit_name((enum dcs_arrivals_fit_kind)kind));
        if (p->missing != NULL)
            fprintf(out, "none: %s\n", p->missing);
        else
            print_process(out, (enum dcs_arrivals_fit_kind)kind, p);
    }
}

/* ---- in words ---- */

enum verdict {
    HOLDS,
    FAILS,
    TOO_FEW,
};

static const char *const verdicts[] = {
    [HOLDS] = "hold", [FAILS] = "do not hold", [TOO_FEW] = "cannot be told from so few"};

static enum verdict judge(double ks, size_t n)
{
    if (ks <= FIT_HOLDS_KS)
        return HOLDS;
    return ks * ks * (double)n > 1.36 * 1.36 ? FAILS : TOO_FEW;
}

static void judge_durations(FILE *out, const struct trace_fit *f)
{
    const struct dcs_fit *fits = f->all.fits, *pareto = &fits[DCS_FIT_PARETO];
    const struct dcs_fit *tail = &fits[DCS_FIT_TAIL];
    fprintf(out, "\nPareto durations (TReM): ");
    if (pareto->missing != NULL) {
        fprintf(out, "cannot be told: %s.\n", pareto->missing);
        return;
    }
    fprintf(out, "%s.", verdicts[judge(pareto->ks, pareto->n)]);
    fprintf(out, " One Pareto over all of them is %.3f away from the jobs (KS; up to %g holds)",
            pareto->ks, FIT_HOLDS_KS);
    if (fits[DCS_FIT_LOGNORMAL].missing == NULL)
        fprintf(out, ", a lognormal %.3f, an exponential %.3f", fits[DCS_FIT_LOGNORMAL].ks,
                fits[DCS_FIT_EXPONENTIAL].ks);
    fprintf(out, ".\n");
    if (tail->missing == NULL) {
        double shape = tail->dist.shape;
        fprintf(out,
                "  The longest %.1f %% alone, from %.5g s on, %s a Pareto: shape %.3g, KS %.3f.",
                100 * (double)tail->n / (double)f->all.x_count, tail->dist.location,
                tail->ks <= FIT_HOLDS_KS ? "follow" : "do not follow", shape, tail->ks);
        fprintf(out, "%s\n",
                shape <= 1   ? " It has no mean: it must be cut off."
                : shape <= 2 ? " It has a mean, but no variance."
                             : "");
    }
    if (f->all.best >= 0)
        fprintf(out, "  Nearest by AIC: %s, KS %.3f.\n",
                dcs_fit_name((enum dcs_fit_kind)f->all.best), fits[f->all.best].ks);
}

/* Of Poisson counts in w windows the index has a standard error of sqrt(2 / w): farther from 1 than
 * three of them, and than FIT_HOLDS_DISPERSION allows. */
static bool dispersed(const struct trace_fit *f, double index, double window_s)
{
    double windows = (f->at[f->arrivals - 1] - f->at[0]) / window_s;
    return trace_fit_known(index) && (index - 1) * (index - 1) * windows > 9 * 2 &&
           (index > FIT_HOLDS_DISPERSION || index < 1 / FIT_HOLDS_DISPERSION);
}

static void judge_arrivals(FILE *out, const struct trace_fit *f)
{
    fprintf(out, "Poisson arrivals (TReM): ");
    if (f->alone.missing != NULL) {
        fprintf(out, "cannot be told: %s.\n", f->alone.missing);
        return;
    }
    enum verdict gaps = judge(f->alone.ks, f->arrivals), all = gaps;
    if (gaps == HOLDS &&
        (dispersed(f, f->dispersion_minute, 60) || dispersed(f, f->dispersion_hour, 3600)))
        all = FAILS;
    fprintf(out, "%s. The gaps are %.3f away from exponential ones (KS; up to %g holds)",
            verdicts[all], f->alone.ks, FIT_HOLDS_KS);
    if (trace_fit_known(f->dispersion_minute))
        fprintf(out, "; the counts of a minute vary %.1f times as much as Poisson's",
                f->dispersion_minute);
    if (trace_fit_known(f->dispersion_hour))
        fprintf(out, ", those of an hour %.1f times", f->dispersion_hour);
    fprintf(out, " (up to %g holds).\n", FIT_HOLDS_DISPERSION);
    if (f->hours > 0)
        fprintf(out,
                "  Inside an hour the gaps are %.3f away: a rate that changes with the hour %s.\n",
                f->hourly_ks,
                gaps == HOLDS                  ? "is not needed"
                : f->hourly_ks <= FIT_HOLDS_KS ? "explains it"
                                               : "alone does not explain it");
    if (f->best >= 0)
        fprintf(out, "  Nearest by AIC: %s%s.\n",
                dcs_arrivals_fit_name((enum dcs_arrivals_fit_kind)(
                    f->best == DCS_FIT_HYPER_BALANCED ? DCS_FIT_HYPER : f->best)),
                f->batch.mean > 1 ? " in batches" : "");
}

/* ---- the block ---- */

/* Where it does not draw as many jobs as there are. */
static void print_block(FILE *out, const struct trace_fit *f)
{
    const struct trace_fit_thinned t = trace_fit_thinned(f);
    double share = 100 * f->drawn / (double)f->arrivals;
    if (f->drawn < (double)f->arrivals)
        fprintf(out,
                "\n%s: jobs below one second, the resolution, are left out, and the arrivals "
                "thinned with them: %.0f of %zu jobs, at %.1f %% of their rate\n",
                f->options->output, f->drawn, f->arrivals, share);
    if (f->drawn > FIT_JOBS_MAX)
        fprintf(out, "\n%s: ends after %.0f jobs of %.0f: a config draws no more\n",
                f->options->output, t.jobs, f->drawn);
}

void trace_fit_print(FILE *out, const struct trace_fit *f)
{
    fprintf(out, "%s: %s, %lld jobs; SHA-256 %s\n", f->options->input, f->info->format,
            (long long)f->info->jobs, f->info->sha256);
    fprintf(out,
            "looked at %lld; durations left out: %lld ran when the trace began, %lld when it "
            "ended, %lld of another status\n",
            (long long)f->counts.taken, (long long)f->early, (long long)f->censored,
            (long long)f->other_status);
    /* What is small is no worse than the fits themselves. */
    if (f->cut_work_s > 0.05 * f->work_s)
        fprintf(out,
                "  Those that ran when the trace ended have %.0f %% of the work that was seen: the "
                "durations, and what is\n  drawn from them, are short of it "
                "(--keep-censored counts them with what was seen)\n",
                100 * f->cut_work_s / f->work_s);
    print_durations(out, "all", f, &f->all);
    if (f->both) {
        print_durations(out, "latency jobs", f, &f->of_class[DCS_LATENCY]);
        print_durations(out, "batch jobs", f, &f->of_class[DCS_BATCH]);
    }
    print_arrivals(out, f);
    judge_durations(out, f);
    judge_arrivals(out, f);
    if (f->options->output != NULL)
        print_block(out, f);
}
