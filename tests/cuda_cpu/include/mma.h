/*
 * mma.h - nvcuda::wmma. A warp's tile lies row by row over its lanes, size / 32 elements in each
 * (on the device the place of an element is not specified). Loads and stores are of each lane for
 * itself: what other lanes wrote before a load, or read after a store, needs its own barrier.
 * mma_sync meets all 32 lanes; the last one multiplies for all, in float and in ascending order.
 */
#ifndef CUDA_CPU_MMA_H
#define CUDA_CPU_MMA_H

#include "cuda_fp16.h"

namespace nvcuda
{
namespace wmma
{

struct matrix_a;
struct matrix_b;
struct accumulator;
struct row_major;
struct col_major;
enum layout_t { mem_row_major, mem_col_major };

template <typename Use, int m, int n, int k> struct emu_shape;
template <int m, int n, int k> struct emu_shape<matrix_a, m, n, k> {
    static constexpr int rows = m, columns = k;
};
template <int m, int n, int k> struct emu_shape<matrix_b, m, n, k> {
    static constexpr int rows = k, columns = n;
};
template <int m, int n, int k> struct emu_shape<accumulator, m, n, k> {
    static constexpr int rows = m, columns = n;
};

template <typename Use, int m, int n, int k, typename T, typename Layout = void> struct fragment {
    static_assert(m * n == 256 && k == 16, "16x16x16, 32x8x16 or 8x32x16");
    static constexpr int rows = emu_shape<Use, m, n, k>::rows;
    static constexpr int columns = emu_shape<Use, m, n, k>::columns;
    static constexpr int num_elements = rows * columns / 32;
    static constexpr int num_storage_elements = num_elements;
    typedef T element_type;
    typedef T storage_element_type;
    T x[num_elements];
};

template <typename F, typename V> void fill_fragment(F &to, V value)
{
    for (int i = 0; i < F::num_elements; i++)
        to.x[i] = (typename F::element_type)value;
}

/* Where this lane's first element lies, and how far apart they are: all of them are in one row. */
template <typename F> struct emu_place {
    size_t first, step;
    emu_place(size_t leading, bool by_row)
    {
        static_assert(F::columns % F::num_elements == 0, "the elements of a lane are in one row");
        size_t element = emu_lane() * F::num_elements;
        size_t row = element / F::columns, column = element % F::columns;
        first = by_row ? row * leading + column : column * leading + row;
        step = by_row ? 1 : leading;
    }
};

/* Where the device traps on an address or a stride that it cannot load from. */
template <typename T> void emu_check_tile(const T *at, unsigned leading)
{
    if ((uintptr_t)at % 32 != 0)
        emu_trap("a wmma tile is not at a multiple of 32 bytes");
    if (leading * sizeof(T) % 16 != 0)
        emu_trap("the leading dimension of a wmma tile is not a multiple of 16 bytes");
}

template <typename Use, int m, int n, int k, typename T, typename Layout>
void load_matrix_sync(fragment<Use, m, n, k, T, Layout> &to, const T *from, unsigned leading)
{
    typedef fragment<Use, m, n, k, T, Layout> F;
    emu_check_tile(from, leading);
    emu_place<F> place(leading, std::is_same<Layout, row_major>::value);
    for (int i = 0; i < F::num_elements; i++)
        to.x[i] = from[place.first + (size_t)i * place.step];
}

template <int m, int n, int k, typename T>
void load_matrix_sync(fragment<accumulator, m, n, k, T> &to, const T *from, unsigned leading,
                      layout_t layout)
{
    typedef fragment<accumulator, m, n, k, T> F;
    emu_check_tile(from, leading);
    emu_place<F> place(leading, layout == mem_row_major);
    for (int i = 0; i < F::num_elements; i++)
        to.x[i] = from[place.first + (size_t)i * place.step];
}

template <int m, int n, int k, typename T>
void store_matrix_sync(T *to, const fragment<accumulator, m, n, k, T> &from, unsigned leading,
                       layout_t layout)
{
    typedef fragment<accumulator, m, n, k, T> F;
    emu_check_tile(to, leading);
    emu_place<F> place(leading, layout == mem_row_major);
    for (int i = 0; i < F::num_elements; i++)
        to[place.first + (size_t)i * place.step] = from.x[i];
}

/* The whole tile, from the pieces of the 32 lanes. */
template <typename F> void emu_gather(float *tile, void *const *pieces)
{
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < F::num_elements; i++)
            tile[lane * F::num_elements + i] = (float)((const F *)pieces[lane])->x[i];
}

struct emu_operands {
    void *a, *b, *c, *d;
};

template <typename A, typename B, typename C, typename D> void emu_multiply(const uint64_t *lanes)
{
    void *pieces[4][32];
    for (int lane = 0; lane < 32; lane++) {
        const emu_operands *o = (const emu_operands *)lanes[lane];
        pieces[0][lane] = o->a, pieces[1][lane] = o->b;
        pieces[2][lane] = o->c, pieces[3][lane] = o->d;
    }
    static float a[A::rows * A::columns], b[B::rows * B::columns], c[C::rows * C::columns];
    emu_gather<A>(a, pieces[0]);
    emu_gather<B>(b, pieces[1]);
    emu_gather<C>(c, pieces[2]);
    for (int i = 0; i < A::rows; i++)
        for (int l = 0; l < A::columns; l++)
            for (int j = 0; j < B::columns; j++)
                c[i * B::columns + j] += a[i * A::columns + l] * b[l * B::columns + j];
    for (int lane = 0; lane < 32; lane++)
        for (int i = 0; i < D::num_elements; i++)
            ((D *)pieces[3][lane])->x[i] = (typename D::element_type)c[lane * D::num_elements + i];
}

template <int m, int n, int k, typename T, typename U, typename LayoutA, typename LayoutB>
void mma_sync(fragment<accumulator, m, n, k, T> &d,
              const fragment<matrix_a, m, n, k, half, LayoutA> &a,
              const fragment<matrix_b, m, n, k, half, LayoutB> &b,
              const fragment<accumulator, m, n, k, U> &c, int line = __builtin_LINE())
{
    emu_operands operands = {(void *)&a, (void *)&b, (void *)&c, (void *)&d};
    emu_warp(0xffffffffu, (uint64_t)(uintptr_t)&operands,
             emu_multiply<fragment<matrix_a, m, n, k, half, LayoutA>,
                          fragment<matrix_b, m, n, k, half, LayoutB>,
                          fragment<accumulator, m, n, k, U>, fragment<accumulator, m, n, k, T>>,
             line);
}

} // namespace wmma
} // namespace nvcuda

#endif
