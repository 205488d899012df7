/* split_option.h - the call that `mc` prices, on both sides: a year, at 5 % and 20 %. */
#ifndef DCS_CALIBRATE_SPLIT_OPTION_H
#define DCS_CALIBRATE_SPLIT_OPTION_H

#define CAL_OPTION_PRICE  100.0f
#define CAL_OPTION_STRIKE 105.0f
#define CAL_OPTION_DRIFT  0.03f /* 0.05 - 0.2^2 / 2 */
#define CAL_OPTION_SPREAD 0.2f

#endif
