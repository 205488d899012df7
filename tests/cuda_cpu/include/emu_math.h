/*
 * emu_math.h - functions of device code that are not in <math.h>. Fast variants are the exact ones.
 */
#ifndef CUDA_CPU_MATH_H
#define CUDA_CPU_MATH_H

#include <limits.h>

#define EMU_MIN_MAX(T)                                                                             \
    static inline T min(T a, T b)                                                                  \
    {                                                                                              \
        return b < a ? b : a;                                                                      \
    }                                                                                              \
    static inline T max(T a, T b)                                                                  \
    {                                                                                              \
        return a < b ? b : a;                                                                      \
    }
EMU_MIN_MAX(int)
EMU_MIN_MAX(unsigned)
EMU_MIN_MAX(long)
EMU_MIN_MAX(unsigned long)
EMU_MIN_MAX(long long)
EMU_MIN_MAX(unsigned long long)
#undef EMU_MIN_MAX

/* A NaN loses, as on the device. */
static inline float min(float a, float b)
{
    return fminf(a, b);
}
static inline float max(float a, float b)
{
    return fmaxf(a, b);
}
static inline double min(double a, double b)
{
    return fmin(a, b);
}
static inline double max(double a, double b)
{
    return fmax(a, b);
}

template <typename To, typename From> static inline To emu_bits(From from)
{
    static_assert(sizeof(To) == sizeof(From), "the same bits");
    To to;
    memcpy(&to, &from, sizeof to);
    return to;
}

#define __float_as_int(x)       emu_bits<int>((float)(x))
#define __float_as_uint(x)      emu_bits<unsigned>((float)(x))
#define __int_as_float(x)       emu_bits<float>((int)(x))
#define __uint_as_float(x)      emu_bits<float>((unsigned)(x))
#define __double_as_longlong(x) emu_bits<long long>((double)(x))
#define __longlong_as_double(x) emu_bits<double>((long long)(x))

/* Conversions saturate and NaN is 0, as on the device. */
static inline int emu_to_int(double x)
{
    return x != x ? 0 : x >= 2147483647.0 ? INT_MAX : x <= -2147483648.0 ? INT_MIN : (int)x;
}
static inline unsigned emu_to_uint(double x)
{
    return !(x > 0) ? 0 : x >= 4294967295.0 ? UINT_MAX : (unsigned)x;
}
#define __float2int_rz(x)    emu_to_int((float)(x))
#define __float2int_rn(x)    emu_to_int(nearbyintf(x))
#define __float2int_rd(x)    emu_to_int(floorf(x))
#define __float2int_ru(x)    emu_to_int(ceilf(x))
#define __float2uint_rz(x)   emu_to_uint((float)(x))
#define __float2uint_rn(x)   emu_to_uint(nearbyintf(x))
#define __float2uint_rd(x)   emu_to_uint(floorf(x))
#define __int2float_rn(x)    ((float)(int)(x))
#define __uint2float_rn(x)   ((float)(unsigned)(x))
#define __double2float_rn(x) ((float)(double)(x))

#define __fadd_rn(a, b)    ((float)(a) + (float)(b))
#define __fsub_rn(a, b)    ((float)(a) - (float)(b))
#define __fmul_rn(a, b)    ((float)(a) * (float)(b))
#define __fdiv_rn(a, b)    ((float)(a) / (float)(b))
#define __fdividef(a, b)   ((float)(a) / (float)(b))
#define __fmaf_rn(a, b, c) fmaf(a, b, c)
#define __fma_rn(a, b, c)  fma(a, b, c)
#define __frcp_rn(x)       (1.0f / (float)(x))
#define __fsqrt_rn(x)      sqrtf(x)
#define __frsqrt_rn(x)     rsqrtf(x)
#define __expf(x)          expf(x)
#define __exp10f(x)        exp10f(x)
#define __logf(x)          logf(x)
#define __log2f(x)         log2f(x)
#define __log10f(x)        log10f(x)
#define __powf(x, y)       powf(x, y)
#define __sinf(x)          sinf(x)
#define __cosf(x)          cosf(x)
#define __tanf(x)          tanf(x)
#define __sincosf(x, s, c) sincosf(x, s, c)
#define __saturatef(x)     fminf(fmaxf(x, 0.0f), 1.0f)

static inline float rsqrtf(float x)
{
    return 1.0f / sqrtf(x);
}
static inline double rsqrt(double x)
{
    return 1.0 / sqrt(x);
}
static inline float rcbrtf(float x)
{
    return 1.0f / cbrtf(x);
}
static inline float fdividef(float a, float b)
{
    return a / b;
}
static inline float sinpif(float x)
{
    return sinf((float)M_PI * remainderf(x, 2.0f));
}
static inline float cospif(float x)
{
    return cosf((float)M_PI * remainderf(x, 2.0f));
}
static inline void sincospif(float x, float *s, float *c)
{
    *s = sinpif(x);
    *c = cospif(x);
}
static inline float normcdff(float x)
{
    return 0.5f * erfcf(x * (float)-M_SQRT1_2);
}
static inline float norm3df(float a, float b, float c)
{
    return sqrtf(a * a + b * b + c * c);
}
static inline float rnorm3df(float a, float b, float c)
{
    return 1.0f / norm3df(a, b, c);
}
static inline float rhypotf(float a, float b)
{
    return 1.0f / hypotf(a, b);
}

static inline int __popc(unsigned x)
{
    return __builtin_popcount(x);
}
static inline int __popcll(unsigned long long x)
{
    return __builtin_popcountll(x);
}
static inline int __clz(unsigned x)
{
    return x == 0 ? 32 : __builtin_clz(x);
}
static inline int __clzll(unsigned long long x)
{
    return x == 0 ? 64 : __builtin_clzll(x);
}
static inline int __ffs(int x)
{
    return __builtin_ffs(x);
}
static inline int __ffsll(long long x)
{
    return __builtin_ffsll(x);
}
static inline unsigned __brev(unsigned x)
{
    unsigned reversed = 0;
    for (int i = 0; i < 32; i++)
        reversed |= (x >> i & 1) << (31 - i);
    return reversed;
}
static inline unsigned __umulhi(unsigned a, unsigned b)
{
    return (unsigned)((uint64_t)a * b >> 32);
}
static inline int __mulhi(int a, int b)
{
    return (int)((int64_t)a * b >> 32);
}
static inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b)
{
    return (unsigned long long)((unsigned __int128)a * b >> 64);
}
static inline int __mul24(int a, int b)
{
    return (int)(((int64_t)(a << 8) >> 8) * ((int64_t)(b << 8) >> 8));
}
static inline unsigned __umul24(unsigned a, unsigned b)
{
    return (a & 0xffffffu) * (b & 0xffffffu);
}
static inline unsigned __funnelshift_l(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)((((uint64_t)high << 32 | low) << (shift & 31)) >> 32);
}
static inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift)
{
    return (unsigned)(((uint64_t)high << 32 | low) >> (shift & 31));
}
static inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector)
{
    uint64_t both = (uint64_t)b << 32 | a;
    unsigned result = 0;
    for (int i = 0; i < 4; i++) {
        unsigned pick = selector >> (4 * i) & 15;
        unsigned byte = (unsigned)(both >> (8 * (pick & 7))) & 255;
        if (pick & 8)
            byte = byte & 128 ? 255 : 0;
        result |= byte << (8 * i);
    }
    return result;
}
static inline unsigned __sad(int a, int b, unsigned c)
{
    return (unsigned)(a < b ? (int64_t)b - a : (int64_t)a - b) + c;
}
static inline unsigned __usad(unsigned a, unsigned b, unsigned c)
{
    return (a < b ? b - a : a - b) + c;
}
static inline int __dp4a(int a, int b, int c)
{
    int sum = c;
    for (int i = 0; i < 4; i++)
        sum += (int)(signed char)(a >> (8 * i)) * (int)(signed char)(b >> (8 * i));
    return sum;
}

template <typename T> static inline T __ldg(const T *from)
{
    return *from;
}
template <typename T> static inline T __ldca(const T *from)
{
    return *from;
}
template <typename T> static inline T __ldcg(const T *from)
{
    return *from;
}
template <typename T> static inline T __ldcs(const T *from)
{
    return *from;
}
template <typename T> static inline void __stcg(T *to, T value)
{
    *to = value;
}
template <typename T> static inline void __stcs(T *to, T value)
{
    *to = value;
}
template <typename T> static inline void __stwt(T *to, T value)
{
    *to = value;
}

#endif
