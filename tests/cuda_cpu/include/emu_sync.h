/*
 * emu_sync.h - barriers, warp operations, atomics.
 *
 * A lane's value is read by the others as it was when the lane arrived. Lanes that are not in the
 * operation have the fill pattern as their value.
 */
#ifndef CUDA_CPU_SYNC_H
#define CUDA_CPU_SYNC_H

#define EMU_LINE int line = __builtin_LINE()

/* Waits for `count` threads at barrier id (0 threads: all of the block that have not ended).
 * Returns the sum of what they brought. */
extern "C" unsigned emu_barrier(int id, int count, unsigned brought, int line);
extern "C" void emu_barrier_arrive(int id, int count, int line);
/* Waits for the lanes of mask that have not ended. Returns the values of all 32, and which lanes
 * took part. The last lane to arrive calls `last`, if any, before any other goes on. */
extern "C" const uint64_t *emu_warp(unsigned mask, uint64_t value, void (*last)(const uint64_t *),
                                    int line);
extern "C" unsigned emu_lane(void);
extern "C" unsigned emu_active_mask(void);
extern "C" void emu_yield(void);
extern "C" void emu_trap(const char *what);

static inline void __syncthreads(EMU_LINE)
{
    emu_barrier(0, 0, 0, line);
}

static inline int __syncthreads_count(int predicate, EMU_LINE)
{
    return (int)emu_barrier(0, 0, predicate != 0, line);
}

static inline int __syncthreads_or(int predicate, EMU_LINE)
{
    return emu_barrier(0, 0, predicate != 0, line) != 0;
}

static inline int __syncthreads_and(int predicate, EMU_LINE)
{
    return emu_barrier(0, 0, predicate == 0, line) == 0;
}

/* bar.sync and bar.arrive of PTX; applications wrap them for the GPU. */
static inline void cal_bar_sync(int id, int count, EMU_LINE)
{
    emu_barrier(id, count, 0, line);
}

static inline void cal_bar_arrive(int id, int count, EMU_LINE)
{
    emu_barrier_arrive(id, count, line);
}

static inline void __syncwarp(unsigned mask = 0xffffffffu, EMU_LINE)
{
    emu_warp(mask, 0, NULL, line);
}

static inline unsigned __activemask()
{
    return emu_active_mask();
}

static inline unsigned __ballot_sync(unsigned mask, int predicate, EMU_LINE)
{
    const uint64_t *values = emu_warp(mask, predicate != 0, NULL, line);
    unsigned votes = 0;
    for (int i = 0; i < 32; i++)
        votes |= (values[32] >> i & 1) && values[i] == 1 ? 1u << i : 0;
    return votes;
}

static inline int __any_sync(unsigned mask, int predicate, EMU_LINE)
{
    return __ballot_sync(mask, predicate, line) != 0;
}

static inline int __all_sync(unsigned mask, int predicate, EMU_LINE)
{
    return __ballot_sync(mask, predicate == 0, line) == 0;
}

template <typename T> static inline uint64_t emu_to_bits(T value)
{
    static_assert(sizeof(T) <= 8, "a warp operation moves at most 8 bytes");
    uint64_t bits = 0;
    memcpy(&bits, &value, sizeof value);
    return bits;
}

template <typename T> static inline T emu_from_bits(uint64_t bits)
{
    T value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

template <typename T>
static inline T __shfl_sync(unsigned mask, T value, int from, int width = 32, EMU_LINE)
{
    int first = (int)emu_lane() & ~(width - 1);
    return emu_from_bits<T>(
        emu_warp(mask, emu_to_bits(value), NULL, line)[first + (from & (width - 1))]);
}

template <typename T>
static inline T __shfl_down_sync(unsigned mask, T value, unsigned delta, int width = 32, EMU_LINE)
{
    unsigned lane = emu_lane();
    const uint64_t *values = emu_warp(mask, emu_to_bits(value), NULL, line);
    return lane % width + delta >= (unsigned)width ? value : emu_from_bits<T>(values[lane + delta]);
}

template <typename T>
static inline T __shfl_up_sync(unsigned mask, T value, unsigned delta, int width = 32, EMU_LINE)
{
    unsigned lane = emu_lane();
    const uint64_t *values = emu_warp(mask, emu_to_bits(value), NULL, line);
    return lane % width < delta ? value : emu_from_bits<T>(values[lane - delta]);
}

/* Lanes of a later group of `width` are out of reach, as on the device. */
template <typename T>
static inline T __shfl_xor_sync(unsigned mask, T value, int xored, int width = 32, EMU_LINE)
{
    int lane = (int)emu_lane();
    const uint64_t *values = emu_warp(mask, emu_to_bits(value), NULL, line);
    int from = lane ^ xored;
    return from / width > lane / width ? value : emu_from_bits<T>(values[from & 31]);
}

template <typename T> static inline unsigned __match_any_sync(unsigned mask, T value, EMU_LINE)
{
    uint64_t bits = emu_to_bits(value);
    const uint64_t *values = emu_warp(mask, bits, NULL, line);
    unsigned same = 0;
    for (int i = 0; i < 32; i++)
        same |= (values[32] >> i & 1) && values[i] == bits ? 1u << i : 0;
    return same;
}

#define EMU_REDUCE(name, T, expression)                                                            \
    static inline T __reduce_##name##_sync(unsigned mask, T value, EMU_LINE)                       \
    {                                                                                              \
        const uint64_t *values = emu_warp(mask, emu_to_bits(value), NULL, line);                   \
        unsigned others = (unsigned)values[32] & ~(1u << emu_lane());                              \
        T a = value;                                                                               \
        for (int i = 0; i < 32; i++)                                                               \
            if (others >> i & 1) {                                                                 \
                T b = emu_from_bits<T>(values[i]);                                                 \
                a = (T)(expression);                                                               \
            }                                                                                      \
        return a;                                                                                  \
    }
EMU_REDUCE(add, int, (unsigned)a + (unsigned)b)
EMU_REDUCE(add, unsigned, a + b)
EMU_REDUCE(min, int, b < a ? b : a)
EMU_REDUCE(min, unsigned, b < a ? b : a)
EMU_REDUCE(max, int, b > a ? b : a)
EMU_REDUCE(max, unsigned, b > a ? b : a)
EMU_REDUCE(and, unsigned, a &b)
EMU_REDUCE(or, unsigned, a | b)
EMU_REDUCE(xor, unsigned, a ^ b)
#undef EMU_REDUCE

static inline void __threadfence()
{
}
static inline void __threadfence_block()
{
}
static inline void __threadfence_system()
{
}
static inline void __nanosleep(unsigned)
{
    emu_yield();
}
static inline void __trap()
{
    emu_trap("__trap()");
}

/* Threads change only where they wait, so a plain read, change and write is atomic. Integers wrap.
 */
#define EMU_ATOMIC(name, T, expression)                                                            \
    static inline T atomic##name(T *at, T b)                                                       \
    {                                                                                              \
        T a = *at;                                                                                 \
        *at = (T)(expression);                                                                     \
        return a;                                                                                  \
    }                                                                                              \
    static inline T atomic##name##_block(T *at, T b)                                               \
    {                                                                                              \
        return atomic##name(at, b);                                                                \
    }
EMU_ATOMIC(Add, int, (unsigned)a + (unsigned)b)
EMU_ATOMIC(Sub, int, (unsigned)a - (unsigned)b)
EMU_ATOMIC(Add, unsigned, a + b)
EMU_ATOMIC(Sub, unsigned, a - b)
EMU_ATOMIC(Add, unsigned long long, a + b)
EMU_ATOMIC(Add, float, a + b)
EMU_ATOMIC(Add, double, a + b)
EMU_ATOMIC(Inc, unsigned, a >= b ? 0 : a + 1)
EMU_ATOMIC(Dec, unsigned, a == 0 || a > b ? b : a - 1)
#define EMU_ATOMIC_INTEGER(T)                                                                      \
    EMU_ATOMIC(Min, T, b < a ? b : a)                                                              \
    EMU_ATOMIC(Max, T, b > a ? b : a)                                                              \
    EMU_ATOMIC(And, T, a &b)                                                                       \
    EMU_ATOMIC(Or, T, a | b)                                                                       \
    EMU_ATOMIC(Xor, T, a ^ b)                                                                      \
    EMU_ATOMIC(Exch, T, ((void)a, b))                                                              \
    static inline T atomicCAS(T *at, T compare, T value)                                           \
    {                                                                                              \
        T a = *at;                                                                                 \
        *at = a == compare ? value : a;                                                            \
        return a;                                                                                  \
    }
EMU_ATOMIC_INTEGER(int)
EMU_ATOMIC_INTEGER(unsigned)
EMU_ATOMIC_INTEGER(long long)
EMU_ATOMIC_INTEGER(unsigned long long)
EMU_ATOMIC(Exch, float, ((void)a, b))
#undef EMU_ATOMIC_INTEGER
#undef EMU_ATOMIC

#endif
