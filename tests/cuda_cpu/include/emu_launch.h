/*
 * emu_launch.h - launches: how the arguments of a kernel, whose types only its function pointer
 * knows, are handed to it.
 */
#ifndef CUDA_CPU_LAUNCH_H
#define CUDA_CPU_LAUNCH_H

/* Calls the kernel for one thread. */
typedef void emu_unpack_fn(const void *function, void *const *args);

extern "C" void emu_know(const void *function, emu_unpack_fn *unpack);
/* The kernel named in reports until the next call; NULL ends it. */
extern "C" void emu_label(const char *name);
/* Dynamic shared memory of the block that runs. */
extern "C" unsigned char emu_dynamic_shared[];

template <typename... P, size_t... I>
void emu_unpack_all(const void *function, void *const *args, std::index_sequence<I...>)
{
    ((void (*)(P...))function)(*(std::remove_reference_t<P> *)args[I]...);
}

template <typename... P> void emu_unpack(const void *function, void *const *args)
{
    emu_unpack_all<P...>(function, args, std::index_sequence_for<P...>());
}

/* Before a kernel can be launched by its address alone. */
template <typename... P> const void *emu_known(void (*function)(P...))
{
    emu_know((const void *)function, emu_unpack<P...>);
    return (const void *)function;
}

/* f<<<grid, block, shared, stream>>>(...) is translated to this. */
struct emu_config {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
};

static inline emu_config emu_configure(dim3 grid, dim3 block, size_t shared_bytes = 0,
                                       cudaStream_t stream = NULL)
{
    return {grid, block, shared_bytes, stream};
}

template <typename... P>
auto emu_call(const char *name, const emu_config &config, void (*function)(P...))
{
    return [=](std::decay_t<P>... values) {
        void *args[] = {(void *)&values..., NULL};
        emu_label(name);
        cudaLaunchKernel(emu_known(function), config.grid, config.block, args, config.shared_bytes,
                         config.stream);
        emu_label(NULL);
    };
}

template <typename... P>
cudaError_t cudaLaunchKernel(void (*function)(P...), dim3 grid, dim3 block, void **args,
                             size_t shared_bytes = 0, cudaStream_t stream = NULL)
{
    return cudaLaunchKernel(emu_known(function), grid, block, args, shared_bytes, stream);
}

/* CUDA's templates over the C interface. */
template <typename T> cudaError_t cudaMalloc(T **pointer, size_t bytes)
{
    return cudaMalloc((void **)pointer, bytes);
}

template <typename T> cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned = 0)
{
    return cudaMallocHost((void **)pointer, bytes);
}

template <typename T>
cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value)
{
    return cudaFuncSetAttribute((const void *)function, attribute, value);
}

template <typename T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function, int block_size,
                                                          size_t shared_bytes)
{
    return cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, block_size,
                                                         shared_bytes);
}

template <typename T>
cudaError_t cudaMemcpyToSymbol(T &symbol, const void *from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
    return cudaMemcpy((char *)&symbol + offset, from, bytes, kind);
}

template <typename T>
cudaError_t cudaMemcpyFromSymbol(void *to, T &symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
    return cudaMemcpy(to, (char *)&symbol + offset, bytes, kind);
}

template <typename T> cudaError_t cudaGetSymbolAddress(void **pointer, T &symbol)
{
    *pointer = (void *)&symbol;
    return cudaSuccess;
}

#endif
