/*
 * recorded_shapes.h - what the kernels of a recorded sequence are called, which of them are equal,
 * and how many blocks of each fit on an SM. Knows no GPU.
 *
 * Equal are places with the same function, grid, registers and shared memory, or copies of as many
 * bytes, whose medians are alike: in ascending order none is more than a tenth and 500 ns above the
 * least. (A matrix product over more terms may have the same function and grid.) A shape is called
 * by its function without arguments, and its grid: `vectorized_elementwise_kernel_96x128`; further
 * ones that would have the same name get _2, _3, ... in the order of the places.
 */
#ifndef DCS_CALIBRATE_RECORDED_SHAPES_H
#define DCS_CALIBRATE_RECORDED_SHAPES_H

#include "calibrate/record/recorded_sequence.h"

struct cal_shape_of_places {
    char name[160];
    size_t first, places; /* its first place, and how many */
};

struct cal_shapes_of_places {
    struct cal_shape_of_places *list; /* in the order of their first places */
    size_t count;
    uint32_t *of; /* by place */
};

void cal_recorded_shapes_make(struct cal_shapes_of_places *shapes, const struct cal_sequence *s);
void cal_recorded_shapes_release(struct cal_shapes_of_places *shapes);

/* A function's name as C++ writes it, if it is a mangled one and the C++ library is here; cut to
 * size. */
void cal_recorded_function(const char *name, char *text, size_t size);
/* Its last name, without namespaces, template arguments and parameters: "gemm" of "void
 * ns::gemm<int (4)>(float*)". Of cutlass's wrappers (Kernel, Kernel2, device_kernel) that of the
 * first argument. */
void cal_recorded_base(const char *function, char *text, size_t size);

/* Whether its name is that of a kernel for tensor cores, as cuBLAS, cuDNN and CUTLASS name them. */
bool cal_recorded_uses_tensor(const char *function);

/* Blocks that an SM holds at once, as NVIDIA's occupancy calculator has it for compute capability
 * 7.0 and later (registers in units of 256 a warp, in four parts of an SM; shared memory in units
 * of 128 bytes); 0: not known. */
int64_t cal_recorded_blocks_per_sm(const struct cal_recorded_device *d, const struct cal_place *p);

#endif
