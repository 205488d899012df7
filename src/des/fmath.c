/*
 * fmath.c - exp, log, pow and the normal quantile from + - * / only. See fmath.h for the contract.
 *
 * Sources: M. Abramowitz, I. Stegun, "Handbook of Mathematical Functions", 4.1.27 (log through
 * artanh) and 4.5.67 with 23.1 (coth and the Bernoulli numbers); J.-M. Muller, "Elementary
 * Functions", chapter on range reduction (the constant in two parts, after W. Cody and W. Waite);
 * M. Wichura, "Algorithm AS 241: the percentage points of the normal distribution", Applied
 * Statistics 37(3), 1988.
 */
#include "des/fmath.h"

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* ln 2 in two parts. The first has 32 bits, so that its product with an exponent is exact. */
#define LN2_HIGH 0x1.62e42feep-1
#define LN2_LOW  0x1.a39ef35793c76p-33
#define INV_LN2  0x1.71547652b82fep+0

static uint64_t bits_of(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static double double_of(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* Whether 2^-1022 <= x < infinity. */
static bool is_normal_positive(double x)
{
    const uint64_t least = 0x0010000000000000ull, infinite = 0x7ff0000000000000ull;
    return bits_of(x) - least < infinite - least;
}

/* 2^k for -1022 <= k <= 1023. */
static double power_of_two(int k)
{
    return double_of((uint64_t)(k + 1023) << 52);
}

/*
 * exp x = 2^k exp r, |r| <= ln2 / 2. With the even function R(r) = r coth(r/2) one has
 * exp r = 1 + 2r / (R - r); and R - 2 = sum over n >= 1 of 2 B_2n r^2n / (2n)!, whose first term
 * left out, at n = 7, is below 2^-57. With c = r - (R - 2):
 *
 *   exp r = 1 + r + r c / (2 - c)                                                          (1)
 *
 * where the last summand is small, so that its rounding errors hardly count.
 */
double dcs_exp(double x)
{
    if (isnan(x))
        return x;
    if (x > 0x1.62e42fefa39efp+9) /* 1024 ln 2, rounded down */
        return INFINITY;
    if (x < -0x1.74910d52d3051p+9) /* 1075 ln 2: below half the least subnormal */
        return 0;

    int k = (int)(x * INV_LN2 + (x < 0 ? -0.5 : 0.5));
    double high = x - k * LN2_HIGH; /* exact */
    double low = k * LN2_LOW;
    double r = high - low;
    double t = r * r;
    double c =
        r - t * (1.0 / 6 -
                 t * (1.0 / 360 -
                      t * (1.0 / 15120 - t * (1.0 / 604800 -
                                              t * (1.0 / 23950080 - t * (691.0 / 653837184000))))));
    double y = 1 + (high + (r * c / (2 - c) - low)); /* (1) */

    if (k >= -1021 && k <= 1023)
        return y * power_of_two(k);
    /* Two exact steps, or one exact and one that rounds to a subnormal. */
    return y * power_of_two(k / 2) * power_of_two(k - k / 2);
}

/*
 * x = 2^k (1 + f), 1 + f in [sqrt(1/2), sqrt 2]. With s = f / (2 + f), |s| < 0.172,
 * log(1 + f) = 2 artanh s = 2s + s R, R = 2 s^2 / 3 + 2 s^4 / 5 + ... to 2 s^20 / 21; the next term
 * is below 2^-58. Since s (2 + f) = f, 2s = f - s f = f - h + s h with h = f^2 / 2:
 *
 *   log(1 + f) = f - (h - s (h + R))                                                       (2)
 *
 * in which f is exact and the rest small.
 */
double dcs_log(double x)
{
    int k = 0;
    if (!is_normal_positive(x)) {
        if (isnan(x) || x == INFINITY)
            return x;
        if (x <= 0)
            return x < 0 ? (double)NAN : -INFINITY;
        x *= 0x1p54;
        k = -54;
    }
    /* Adding the distance from sqrt(1/2) to 1 makes the exponent step at sqrt 2. */
    const uint64_t half_root = 0x3fe6a09e667f3bcdull; /* sqrt(1/2) */
    uint64_t shifted = bits_of(x) + (0x3ff0000000000000ull - half_root);
    k += (int)(shifted >> 52) - 1023;
    double f = double_of((shifted & 0xfffffffffffffull) + half_root) - 1;

    double s = f / (2 + f);
    double z = s * s;
    double w = z * z; /* the even and the odd terms side by side: half the latency */
    double odd = 2.0 / 3 + w * (2.0 / 7 + w * (2.0 / 11 + w * (2.0 / 15 + w * (2.0 / 19))));
    double even = 2.0 / 5 + w * (2.0 / 9 + w * (2.0 / 13 + w * (2.0 / 17 + w * (2.0 / 21))));
    double rest = z * odd + w * even;
    double h = 0.5 * f * f;
    return k * LN2_HIGH - ((h - (s * (h + rest) + k * LN2_LOW)) - f); /* (2) and k ln 2 */
}

double dcs_pow(double x, double y)
{
    if (y == 0 || x == 1)
        return 1;
    return dcs_exp(y * dcs_log(x));
}

static double horner(const double *coefficient, double x)
{
    double sum = coefficient[7];
    for (int i = 6; i >= 0; i--)
        sum = sum * x + coefficient[i];
    return sum;
}

/* Coefficients of AS 241, routine PPND16, numerators A C E and denominators B D F. */
static const double as241_a[8] = {
    3.3871328727963666080e0, 1.3314166789178437745e2, 1.9715909503065514427e3,
    1.3731693765509461125e4, 4.5921953931549871457e4, 6.7265770927008700853e4,
    3.3430575583588128105e4, 2.5090809287301226727e3,
};
static const double as241_b[8] = {
    1.0,
    4.2313330701600911252e1,
    6.8718700749205790830e2,
    5.3941960214247511077e3,
    2.1213794301586595867e4,
    3.9307895800092710610e4,
    2.8729085735721942674e4,
    5.2264952788528545610e3,
};
static const double as241_c[8] = {
    1.42343711074968357734e0,  4.63033784615654529590e0,  5.76949722146069140550e0,
    3.64784832476320460504e0,  1.27045825245236838258e0,  2.41780725177450611770e-1,
    2.27238449892691845833e-2, 7.74545014278341407640e-4,
};
static const double as241_d[8] = {
    1.0,
    2.05319162663775882187e0,
    1.67638483018380384940e0,
    6.89767334985100004550e-1,
    1.48103976427480074590e-1,
    1.51986665636164571966e-2,
    5.47593808499534494600e-4,
    1.05075007164441684324e-9,
};
static const double as241_e[8] = {
    6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,
    2.96560571828504891230e-1, 2.65321895265761230930e-2, 1.24266094738807843860e-3,
    2.71155556874348757815e-5, 2.01033439929228813265e-7,
};
static const double as241_f[8] = {
    1.0,
    5.99832206555887937690e-1,
    1.36929880922735805310e-1,
    1.48753612908506148525e-2,
    7.86869131145613259100e-4,
    1.84631831751005468180e-5,
    1.42151175831644588870e-7,
    2.04426310338993978564e-15,
};

double dcs_normal_quantile(double p)
{
    if (isnan(p) || p < 0 || p > 1)
        return (double)NAN;
    if (p == 0 || p == 1)
        return p == 0 ? -INFINITY : INFINITY;

    double q = p - 0.5;
    if (q >= -0.425 && q <= 0.425) {
        double r = 0.180625 - q * q;
        return q * horner(as241_a, r) / horner(as241_b, r);
    }
    double tail = q < 0 ? p : 1 - p;
    double r = sqrt(-dcs_log(tail));
    double x = r <= 5 ? horner(as241_c, r - 1.6) / horner(as241_d, r - 1.6)
                      : horner(as241_e, r - 5) / horner(as241_f, r - 5);
    return q < 0 ? -x : x;
}
