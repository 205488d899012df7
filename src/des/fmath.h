/*
 * fmath.h - exp, log and pow for everything that ends in a result.
 *
 * libm and GSL choose variants by the processor (with or without fused multiply-add), which differ
 * in the last bit. These use only + - * / and sqrt in a fixed order, compiled with
 * -ffp-contract=off, so that every compiler and every x86-64 gives the same bits. Error: below 2
 * units in the last place for exp and log on their whole range; pow(x, y) = exp(y log x), relative
 * error below (2 + 1.5 |y log x|) * 2^-52 where the result is a normal number.
 */
#ifndef DCS_DES_FMATH_H
#define DCS_DES_FMATH_H

double dcs_exp(double x);           /* 0 and infinity where the true value leaves the doubles */
double dcs_log(double x);           /* x > 0; -infinity at 0, NaN below */
double dcs_pow(double x, double y); /* x > 0, or x = 0 and y > 0; NaN for x < 0 */

/* Inverse of the standard normal distribution function (Wichura, AS 241, PPND16), 0 < p < 1;
 * infinite at 0 and 1, NaN elsewhere. Relative error about 1e-15. */
double dcs_normal_quantile(double p);

#endif
