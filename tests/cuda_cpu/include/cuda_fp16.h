/*
 * cuda_fp16.h - half and half2: 16 bits, every operation computed in float and rounded once to the
 * nearest, ties to even. That is what the device does for + - * and fma (a float holds the exact
 * product; fma goes by way of double).
 */
#ifndef CUDA_CPU_FP16_H
#define CUDA_CPU_FP16_H

#include "cuda_runtime.h"

static inline unsigned short emu_half_from_float(float x)
{
    unsigned bits = __float_as_uint(x), sign = bits >> 16 & 0x8000, magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000)
        return (unsigned short)(sign | 0x7fff); /* the device's NaN */
    if (magnitude >= 0x477ff000)
        return (unsigned short)(sign | 0x7c00); /* from 65520 on */
    if (magnitude < 0x38800000) {               /* below 2^-14: a denormal, in units of 2^-24 */
        float units = __uint_as_float(magnitude) * 0x1p24f;
        return (unsigned short)(sign | (unsigned)nearbyintf(units));
    }
    unsigned rounded = magnitude + 0xfff + (magnitude >> 13 & 1);
    return (unsigned short)(sign | ((rounded - 0x38000000) >> 13));
}

/* Shifted into place, a half is a float that is 2^112 too small, denormals too. */
static inline float emu_half_to_float(unsigned short half)
{
    unsigned sign = (half & 0x8000u) << 16, magnitude = (half & 0x7fffu) << 13;
    unsigned finite = __float_as_uint(__uint_as_float(magnitude) * 0x1p112f);
    return __uint_as_float(sign | (magnitude >= 0x7c00u << 13 ? magnitude | 0x7f800000 : finite));
}

/* A double rounded to half at once: rounding to float first may round twice. */
static inline unsigned short emu_half_from_double(double x)
{
    float f = (float)x;
    if ((double)f != x && f == f && !isinf(f)) {
        /* Round to odd: the float keeps a trace of what was cut off. */
        if (fabs((double)f) > fabs(x))
            f = nextafterf(f, 0.0f);
        f = __uint_as_float(__float_as_uint(f) | 1);
    }
    return emu_half_from_float(f);
}

struct __align__(2) __half
{
    unsigned short bits;
    __half() = default;
    __half(float x) : bits(emu_half_from_float(x))
    {
    }
    __half(double x) : bits(emu_half_from_double(x))
    {
    }
    __half(int x) : bits(emu_half_from_float((float)x))
    {
    }
    __half(unsigned x) : bits(emu_half_from_float((float)x))
    {
    }
    operator float() const
    {
        return emu_half_to_float(bits);
    }
};
typedef __half half;

struct __align__(4) __half2
{
    __half x, y;
    __half2() = default;
    __half2(__half a, __half b) : x(a), y(b)
    {
    }
};
typedef __half2 half2;

struct __half_raw {
    unsigned short x;
};

static inline float __half2float(__half a)
{
    return (float)a;
}
static inline __half __float2half(float x)
{
    return __half(x);
}
static inline __half __float2half_rn(float x)
{
    return __half(x);
}
static inline __half __double2half(double x)
{
    return __half(x);
}
static inline __half __int2half_rn(int x)
{
    return __half(x);
}
static inline int __half2int_rz(__half a)
{
    return __float2int_rz((float)a);
}
static inline int __half2int_rn(__half a)
{
    return __float2int_rn((float)a);
}
static inline __half __ushort_as_half(unsigned short bits)
{
    return emu_bits<__half>(bits);
}
static inline unsigned short __half_as_ushort(__half a)
{
    return a.bits;
}
static inline __half __short_as_half(short bits)
{
    return emu_bits<__half>(bits);
}
static inline short __half_as_short(__half a)
{
    return (short)a.bits;
}

#define EMU_HALF_OPERATOR(op, name)                                                                \
    static inline __half operator op(__half a, __half b)                                           \
    {                                                                                              \
        return __half((float)a op(float) b);                                                       \
    }                                                                                              \
    static inline __half &operator op##=(__half &a, __half b)                                      \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    static inline __half __h##name(__half a, __half b)                                             \
    {                                                                                              \
        return a op b;                                                                             \
    }                                                                                              \
    static inline __half2 operator op(__half2 a, __half2 b)                                        \
    {                                                                                              \
        return __half2(a.x op b.x, a.y op b.y);                                                    \
    }                                                                                              \
    static inline __half2 &operator op##=(__half2 &a, __half2 b)                                   \
    {                                                                                              \
        return a = a op b;                                                                         \
    }                                                                                              \
    static inline __half2 __h##name##2(__half2 a, __half2 b)                                       \
    {                                                                                              \
        return a op b;                                                                             \
    }
EMU_HALF_OPERATOR(+, add)
EMU_HALF_OPERATOR(-, sub)
EMU_HALF_OPERATOR(*, mul)
EMU_HALF_OPERATOR(/, div)
#undef EMU_HALF_OPERATOR
#define __h2div(a, b) __hdiv2(a, b)

#define EMU_HALF_COMPARE(op, name)                                                                 \
    static inline bool operator op(__half a, __half b)                                             \
    {                                                                                              \
        return (float)a op(float) b;                                                               \
    }                                                                                              \
    static inline bool __h##name(__half a, __half b)                                               \
    {                                                                                              \
        return a op b;                                                                             \
    }
EMU_HALF_COMPARE(<, lt)
EMU_HALF_COMPARE(<=, le)
EMU_HALF_COMPARE(>, gt)
EMU_HALF_COMPARE(>=, ge)
EMU_HALF_COMPARE(==, eq)
EMU_HALF_COMPARE(!=, ne)
#undef EMU_HALF_COMPARE

static inline __half operator-(__half a)
{
    a.bits ^= 0x8000;
    return a;
}
static inline __half __hneg(__half a)
{
    return -a;
}
static inline __half __habs(__half a)
{
    a.bits &= 0x7fff;
    return a;
}
static inline bool __hisnan(__half a)
{
    return (a.bits & 0x7fff) > 0x7c00;
}
static inline __half __hmax(__half a, __half b)
{
    return __half(fmaxf((float)a, (float)b));
}
static inline __half __hmin(__half a, __half b)
{
    return __half(fminf((float)a, (float)b));
}
/* The product is exact in double, and so is the sum up to one rounding to 53 bits, of which a half
 * keeps 11: rounding to odd on the way is exact but for ties 42 bits down. */
static inline __half __hfma(__half a, __half b, __half c)
{
    return __half((double)(float)a * (double)(float)b + (double)(float)c);
}
static inline __half hexp(__half a)
{
    return __half(expf((float)a));
}
static inline __half hlog(__half a)
{
    return __half(logf((float)a));
}
static inline __half hsqrt(__half a)
{
    return __half(sqrtf((float)a));
}
static inline __half hrsqrt(__half a)
{
    return __half(rsqrtf((float)a));
}
static inline __half hrcp(__half a)
{
    return __half(1.0f / (float)a);
}

static inline __half2 __halves2half2(__half a, __half b)
{
    return __half2(a, b);
}
static inline __half2 make_half2(__half a, __half b)
{
    return __half2(a, b);
}
static inline __half2 __half2half2(__half a)
{
    return __half2(a, a);
}
static inline __half2 __float2half2_rn(float x)
{
    return __half2(__half(x), __half(x));
}
static inline __half2 __floats2half2_rn(float a, float b)
{
    return __half2(__half(a), __half(b));
}
static inline __half2 __float22half2_rn(float2 a)
{
    return __half2(__half(a.x), __half(a.y));
}
static inline float2 __half22float2(__half2 a)
{
    return make_float2((float)a.x, (float)a.y);
}
static inline float __low2float(__half2 a)
{
    return (float)a.x;
}
static inline float __high2float(__half2 a)
{
    return (float)a.y;
}
static inline __half __low2half(__half2 a)
{
    return a.x;
}
static inline __half __high2half(__half2 a)
{
    return a.y;
}
static inline __half2 __lowhigh2highlow(__half2 a)
{
    return __half2(a.y, a.x);
}
static inline __half2 __hfma2(__half2 a, __half2 b, __half2 c)
{
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
static inline __half2 __hmax2(__half2 a, __half2 b)
{
    return __half2(__hmax(a.x, b.x), __hmax(a.y, b.y));
}
static inline __half2 __hmin2(__half2 a, __half2 b)
{
    return __half2(__hmin(a.x, b.x), __hmin(a.y, b.y));
}
static inline __half2 __hneg2(__half2 a)
{
    return __half2(-a.x, -a.y);
}
static inline __half2 h2exp(__half2 a)
{
    return __half2(hexp(a.x), hexp(a.y));
}

static inline __half atomicAdd(__half *at, __half b)
{
    __half a = *at;
    *at = a + b;
    return a;
}
static inline __half2 atomicAdd(__half2 *at, __half2 b)
{
    __half2 a = *at;
    *at = a + b;
    return a;
}

#endif
