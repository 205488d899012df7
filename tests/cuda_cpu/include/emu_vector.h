/*
 * emu_vector.h - CUDA's vector types, with its alignments.
 */
#ifndef CUDA_CPU_VECTOR_H
#define CUDA_CPU_VECTOR_H

#define EMU_VECTORS(T, name, align2, align4)                                                       \
    struct name##1                                                                                 \
    {                                                                                              \
        T x;                                                                                       \
    };                                                                                             \
    struct __align__(align2) name##2                                                               \
    {                                                                                              \
        T x, y;                                                                                    \
    };                                                                                             \
    struct name##3                                                                                 \
    {                                                                                              \
        T x, y, z;                                                                                 \
    };                                                                                             \
    struct __align__(align4) name##4                                                               \
    {                                                                                              \
        T x, y, z, w;                                                                              \
    };                                                                                             \
    static inline name##1 make_##name##1(T x)                                                      \
    {                                                                                              \
        return {x};                                                                                \
    }                                                                                              \
    static inline name##2 make_##name##2(T x, T y)                                                 \
    {                                                                                              \
        return {x, y};                                                                             \
    }                                                                                              \
    static inline name##3 make_##name##3(T x, T y, T z)                                            \
    {                                                                                              \
        return {x, y, z};                                                                          \
    }                                                                                              \
    static inline name##4 make_##name##4(T x, T y, T z, T w)                                       \
    {                                                                                              \
        return {x, y, z, w};                                                                       \
    }

EMU_VECTORS(signed char, char, 2, 4)
EMU_VECTORS(unsigned char, uchar, 2, 4)
EMU_VECTORS(short, short, 4, 8)
EMU_VECTORS(unsigned short, ushort, 4, 8)
EMU_VECTORS(int, int, 8, 16)
EMU_VECTORS(unsigned, uint, 8, 16)
EMU_VECTORS(long, long, 16, 16)
EMU_VECTORS(unsigned long, ulong, 16, 16)
EMU_VECTORS(long long, longlong, 16, 16)
EMU_VECTORS(unsigned long long, ulonglong, 16, 16)
EMU_VECTORS(float, float, 8, 16)
EMU_VECTORS(double, double, 16, 16)
#undef EMU_VECTORS

#endif
