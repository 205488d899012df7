/* apportion.h - a whole number divided by weights, by the largest remainders. */
#ifndef DCS_DES_APPORTION_H
#define DCS_DES_APPORTION_H

#include <stddef.h>
#include <stdint.h>

/* Divides total (0 to 2^62) into out[0..n - 1], whose sum is exactly total where n > 0. Each gets
 * its part rounded down, what is left goes by ones to those whose parts lost most, of equal ones to
 * the first; never to those of weight 0, unless all weigh 0: then the first gets all. weights >= 0.
 */
void dcs_apportion(int64_t total, const double *weights, size_t n, int64_t *out);

#endif
