// jacobi.cu - a classic program: heat on a plate, by Jacobi's method. A request is a plate from the
// host, --sweeps sweeps with the largest change after each 50th, and the plate back on the host. It
// has no NVTX ranges: record it with --request waits.
//   nvcc -O3 -arch=native -o jacobi calibrate/recorded/jacobi.cu && ./jacobi [REQUESTS [SIDE
//   [SWEEPS]]]
#include <algorithm>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

static void check_call(cudaError_t code)
{
    if (code == cudaSuccess)
        return;
    fprintf(stderr, "jacobi: %s\n", cudaGetErrorString(code));
    exit(1);
}

__global__ void sweep(const float *in, float *out, int side)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1,
        y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    if (x >= side - 1 || y >= side - 1)
        return;
    size_t i = (size_t)y * side + x;
    out[i] = 0.25f * (in[i - 1] + in[i + 1] + in[i - side] + in[i + side]);
}

__global__ void change(const float *a, const float *b, size_t n, unsigned *most)
{
    __shared__ float of[256];
    float found = 0;
    for (size_t i = blockIdx.x * 256ul + threadIdx.x; i < n; i += 256ul * gridDim.x)
        found = fmaxf(found, fabsf(a[i] - b[i]));
    of[threadIdx.x] = found;
    for (int half = 128; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            of[threadIdx.x] = fmaxf(of[threadIdx.x], of[threadIdx.x + half]);
    }
    if (threadIdx.x == 0) // floats that are not negative are in the order of their bits
        atomicMax(most, __float_as_uint(of[0]));
}

// Argument i, or what it is without one.
static int read_number(int argc, char **argv, int i, const char *name, int least, int otherwise)
{
    if (argc <= i)
        return otherwise;
    char *end;
    long value = strtol(argv[i], &end, 10);
    if (end != argv[i] && *end == '\0' && value >= least && value <= INT_MAX)
        return (int)value;
    fprintf(stderr, "jacobi: %s: a whole number of at least %d is expected, found \"%s\"\n", name,
            least, argv[i]);
    exit(2);
}

int main(int argc, char **argv)
{
    int requests = read_number(argc, argv, 1, "REQUESTS", 1, 200),
        side = read_number(argc, argv, 2, "SIDE", 3, 4096),
        sweeps = read_number(argc, argv, 3, "SWEEPS", 1, 200);
    size_t n = (size_t)side * side;
    float *plate, *back, *a, *b;
    unsigned *most, zero = 0, bits = 0;
    check_call(cudaMallocHost(&plate, n * sizeof *plate));
    check_call(cudaMallocHost(&back, n * sizeof *back));
    check_call(cudaMalloc(&a, n * sizeof *a));
    check_call(cudaMalloc(&b, n * sizeof *b));
    check_call(cudaMalloc(&most, sizeof *most));
    for (size_t i = 0; i < n; i++)
        plate[i] = i < (size_t)side ? 100 : 0; // its upper edge is hot
    std::vector<double> took;
    for (int r = 0; r < requests; r++) {
        auto begin = std::chrono::steady_clock::now();
        check_call(cudaMemcpyAsync(a, plate, n * sizeof *a, cudaMemcpyHostToDevice));
        check_call(cudaMemcpyAsync(b, a, n * sizeof *a, cudaMemcpyDeviceToDevice));
        for (int s = 1; s <= sweeps; s++) {
            sweep<<<dim3((side + 29) / 32, (side + 5) / 8), dim3(32, 8)>>>(a, b, side);
            std::swap(a, b);
            if (s % 50 != 0)
                continue;
            check_call(cudaMemcpyAsync(most, &zero, sizeof zero, cudaMemcpyHostToDevice));
            change<<<528, 256>>>(a, b, n, most);
        }
        check_call(cudaMemcpyAsync(&bits, most, sizeof bits, cudaMemcpyDeviceToHost));
        check_call(cudaMemcpyAsync(back, a, n * sizeof *a, cudaMemcpyDeviceToHost));
        check_call(cudaDeviceSynchronize());
        took.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin)
                .count());
    }
    took.erase(took.begin(), took.begin() + took.size() / 4);
    std::sort(took.begin(), took.end());
    float last;
    static_assert(sizeof last == sizeof bits, "a float has 32 bits");
    memcpy(&last, &bits, sizeof last);
    printf("jacobi: %.3f ms a request (median), the last change was %g\n", took[took.size() / 2],
           last);
    return 0;
}
