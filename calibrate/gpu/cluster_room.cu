/* cluster_room.cu - see cluster_room.h. */
#include "calibrate/gpu/cluster_room.h"

#include "calibrate/app/app.cuh"

__global__ void fill_kernel(int *out)
{
    extern __shared__ int words[];
    *out = words[0]; /* never launched */
}

/* With what each block takes beside it, half of an SM's shared memory leaves no room for a second
 * one. */
static cudaError_t ask_room(int device, int blocks, int *clusters)
{
    int bytes = 0;
    cudaLaunchConfig_t c = {};
    cudaLaunchAttribute attribute;
    cudaError_t status =
        cudaDeviceGetAttribute(&bytes, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device);
    if (status == cudaSuccess)
        status = cudaFuncSetAttribute(fill_kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                      bytes / 2);
    if (status == cudaSuccess)
        status =
            cudaFuncSetAttribute(fill_kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    attribute.id = cudaLaunchAttributeClusterDimension;
    attribute.val.clusterDim.x = (unsigned)blocks;
    attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
    c.gridDim = (unsigned)blocks;
    c.blockDim = 32;
    c.dynamicSmemBytes = (size_t)bytes / 2;
    c.attrs = &attribute;
    c.numAttrs = 1;
    return status == cudaSuccess ? cudaOccupancyMaxActiveClusters(clusters, fill_kernel, &c)
                                 : status;
}

extern "C" int cal_cluster_room(int blocks, struct dcs_err *err)
{
    int device = 0, launches = 0, clusters = 0;
    cudaError_t status = cudaGetDevice(&device);
    if (status == cudaSuccess)
        status = cudaDeviceGetAttribute(&launches, cudaDevAttrClusterLaunch, device);
    if (cal_fail_cuda(err, status, "asking for clusters") != 0)
        return -1;
    status = launches ? ask_room(device, blocks, &clusters) : cudaSuccess;
    if (status == cudaErrorInvalidClusterSize || status == cudaErrorInvalidValue) {
        cudaGetLastError(); /* it takes none of that size */
        return 0;
    }
    return cal_fail_cuda(err, status, "asking for room for clusters") != 0 ? -1 : clusters;
}
