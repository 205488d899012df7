/* report_scale.c - see report_scale.h. */
#include "report/page/report_scale.h"

#include "des/fmath.h"

#include <math.h>

/* Not log10(), whose last bits depend on the processor: the same database gives the same page. */
static double log_10(double x)
{
    return dcs_log(x) / dcs_log(10);
}

struct scale scale_of(const struct chart_axis *a, double low, double high)
{
    static const struct {
        double divisor;
        const char *suffix;
    } times[] = {{1, "ns"}, {1e3, "us"}, {1e6, "ms"}, {1e9, "s"}};
    struct scale s = {.divisor = 1, .suffix = "", .log = a->log, .count = a->count};
    if (a->unit == TEXT_PERCENT)
        s.divisor = 0.01, s.suffix = "%";
    size_t i = 0;
    while (a->unit == TEXT_TIME && i < 3 && fmax(fabs(low), fabs(high)) / times[i].divisor >= 9999)
        i++;
    if (a->unit == TEXT_TIME)
        s.divisor = times[i].divisor, s.suffix = times[i].suffix;
    if (a->unit == TEXT_TIME && a->like > 0)
        s.suffix = text_time_unit(a->like, &s.divisor);
    s.low = low / s.divisor;
    s.high = high / s.divisor;
    return s;
}

double scale_place(const struct scale *s, double raw)
{
    double v = raw / s->divisor, t;
    if (s->log)
        t = log_10(fmax(v, s->low) / s->low) / log_10(s->high / s->low);
    else
        t = (v - s->low) / (s->high - s->low);
    return s->from + fmin(fmax(t, -0.02), 1.02) * (s->to - s->from);
}

/* 1, 2 or 5 times a power of ten, at least x > 0. */
static double nice(double x)
{
    double power = dcs_pow(10, floor(log_10(x)));
    double lead = x / power;
    return power * (lead <= 1.0001 ? 1 : lead <= 2.0001 ? 2 : lead <= 5.0001 ? 5 : 10);
}

static double step_of(const struct scale *s)
{
    double step = nice((s->high - s->low) / 5);
    return s->count ? fmax(step, 1) : step;
}

void scale_widen(struct scale *s, const struct chart_axis *a, bool share, bool from_zero)
{
    if (a->log) {
        s->low = fmax(s->low, s->high * 1e-9);
        s->low = s->low > 0 ? s->low : 1;
        s->high = fmax(s->high, s->low * 1.5);
        return;
    }
    if (a->whole)
        s->low = 0, s->high = 100;
    if (from_zero && s->low > 0 && s->low < 0.6 * s->high)
        s->low = 0;
    if (share) {
        s->low = fmax(s->low, 0);
        s->high = fmin(s->high, 100);
    }
    double least = fmax(fabs(s->high) * 1e-3, a->unit == TEXT_PERCENT ? 0.01 : 1e-9);
    if (s->high - s->low < least) {
        s->low -= fabs(s->low) * 0.1 + least;
        s->high += fabs(s->high) * 0.1 + least;
    }
    double step = step_of(s);
    s->low = floor(s->low / step + 1e-6) * step;
    s->high = ceil(s->high / step - 1e-6) * step;
    if (share) {
        s->low = fmax(s->low, 0);
        s->high = fmin(s->high, 100);
    }
}

size_t scale_ticks(const struct scale *s, double ticks[SCALE_TICKS])
{
    size_t n = 0;
    if (!s->log) {
        double step = step_of(s);
        double first = ceil(s->low / step - 1e-6);
        for (; n < SCALE_TICKS && (first + (double)n) * step <= s->high + step * 1e-6; n++)
            ticks[n] = (first + (double)n) * step;
        return n;
    }
    static const double leads[] = {1, 2, 5};
    double decades = log_10(s->high / s->low);
    size_t each = decades > 2.2 ? 1 : 3;
    int stride = decades > 7 ? 2 : 1;
    for (int e = (int)floor(log_10(s->low)); e <= (int)ceil(log_10(s->high)); e += stride)
        for (size_t i = 0; i < each && n < SCALE_TICKS; i++) {
            double v = leads[i] * dcs_pow(10, e);
            if (v >= s->low * 0.999 && v <= s->high * 1.001)
                ticks[n++] = v;
        }
    return n;
}

/* Short enough for the room beside an axis. */
struct text scale_tick_text(double v)
{
    if (fabs(v) < 1e-12)
        return text_format("0");
    if (fabs(v) < 9999.5)
        return text_format("%.4g", v);
    if (fabs(v) < 999999.5)
        return text_format("%.0f", v);
    double power = floor(log_10(fabs(v)) + 1e-9);
    return text_format("%.3ge%.0f", v / dcs_pow(10, power), power);
}
