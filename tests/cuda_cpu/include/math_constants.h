/*
 * math_constants.h - CUDA's names of some constants.
 */
#ifndef CUDA_CPU_MATH_CONSTANTS_H
#define CUDA_CPU_MATH_CONSTANTS_H

#include <math.h>

#define CUDART_INF_F __builtin_inff()
#define CUDART_INF   __builtin_inf()
#define CUDART_NAN_F __builtin_nanf("")
#define CUDART_PI_F  3.141592654f
#define CUDART_PI    3.1415926535897931

#endif
