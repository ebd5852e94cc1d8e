// Sums over an array that a grid goes over in rounds, followed by what a block or its warps make of
// them, for blocks and arrays of all sizes. All numbers are integers, so no sum is rounded.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | sums in loops by gridDim.x * blockDim.x or blockDim.x, then trees or shuffles: float, double, integers of 16 to 64 bits, blocks of 1 to 1024 threads
#include "check.h"

#include <algorithm>

template <class T>
__device__ T tree(T value, T* shared) {
  shared[threadIdx.x] = value;
  __syncthreads();
  for (unsigned d = 512; d > 0; d >>= 1) {
    if (threadIdx.x < d && threadIdx.x + d < blockDim.x)
      shared[threadIdx.x] += shared[threadIdx.x + d];
    __syncthreads();
  }
  return shared[0];
}

template <class T>
__device__ T of_warp(T value) {
  for (int d = 16; d > 0; d >>= 1) value += __shfl_down_sync(0xffffffff, value, d);
  return value;
}

// A tree in shared memory.
template <class T>
__global__ void trees(const T* in, T* out, int n) {
  __shared__ T shared[1024];
  T sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += in[i];
  sum = tree(sum, shared);
  if (threadIdx.x == 0) out[blockIdx.x] = sum;
}

// Warps right behind the loop; two arrays; a step that is computed in front of it.
template <class T>
__global__ void products(const T* a, const T* b, T* out, int n) {
  T sum = 1;
  const int step = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += step) sum += a[i] * b[i];
  sum = of_warp(sum);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = sum;
}

// Warps, then the block; threads that have left; subscripts of 64 bits.
template <class T>
__global__ void after_returns(const T* in, T* out, long n, int used) {
  __shared__ T shared[32];
  if (threadIdx.x >= used) return;
  T sum = 0;
  for (size_t i = blockIdx.x * (size_t)used + threadIdx.x; i < n; i += gridDim.x * (size_t)used)
    sum += in[i] > 3 ? in[i] : 1;
  sum = of_warp(sum);
  if (threadIdx.x % 32 == 0) shared[threadIdx.x / 32] = sum;
  __syncthreads();
  if (threadIdx.x > 0) return;
  for (int w = 1; w < used / 32; ++w) sum += shared[w];
  out[blockIdx.x] = sum;
}

// Two results, both wanted behind the loop, whose lanes differ; and one that no thread changes.
template <class T>
__global__ void extremes(const T* in, T* out, int n) {
  T least = 1000, most = -1000;
  int seen = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x) {
    least = in[i] < least ? in[i] : least;
    most = in[i] > most ? in[i] : most;
    ++seen;
  }
  for (int d = 16; d > 0; d >>= 1) {
    const T low = __shfl_xor_sync(0xffffffff, least, d),
            high = __shfl_xor_sync(0xffffffff, most, d);
    least = low < least ? low : least;
    most = high > most ? high : most;
    seen += __shfl_xor_sync(0xffffffff, seen, d);
  }
  if (threadIdx.x % 32 == 0) {
    out[threadIdx.x / 32 * 3] = least;
    out[threadIdx.x / 32 * 3 + 1] = most;
    out[threadIdx.x / 32 * 3 + 2] = seen;
  }
}

// The loop under a condition that a whole block shares, and one more behind it.
template <class T>
__global__ void twice(const T* in, T* out, int n, int half) {
  T sum = 0;
  if (blockIdx.x % 2 == 0)
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < half; i += gridDim.x * blockDim.x)
      sum += in[i];
  sum = of_warp(sum);
  T more = threadIdx.x % 32 == 0 ? sum : 0;
  for (int i = half + blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    more += in[i];
  more = of_warp(more);
  if (threadIdx.x % 32 == 0) out[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = more;
}

// A block's own bins: lanes take turns. The second loop counts only some.
template <class T>
__global__ void bins(const T* in, unsigned* out, int n) {
  __shared__ unsigned mine[16];
  if (threadIdx.x < 16) mine[threadIdx.x] = 0;
  if (blockDim.x < 16 && threadIdx.x == 0)
    for (int b = 0; b < 16; ++b) mine[b] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&mine[static_cast<int>(in[i])], 1u);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (in[i] > 6) atomicMax(&mine[15], static_cast<unsigned>(i));
  __syncthreads();
  for (int b = threadIdx.x; b < 16; b += blockDim.x) out[blockIdx.x * 16 + b] = mine[b];
}

template <class T>
struct Arrays {
  std::vector<T> a, b;
  T *device_a, *device_b, *out;
  explicit Arrays(int n) : a(n), b(n) {
    for (int i = 0; i < n; ++i) a[i] = (i * 7 + i / 3) % 11, b[i] = i % 5 - 2;
    CUDA_OK(cudaMalloc(&device_a, n * sizeof(T) + 1));
    CUDA_OK(cudaMalloc(&device_b, n * sizeof(T) + 1));
    CUDA_OK(cudaMalloc(&out, 1 << 16));
    CUDA_OK(cudaMemcpy(device_a, a.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    CUDA_OK(cudaMemcpy(device_b, b.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Arrays() { cudaFree(device_a), cudaFree(device_b), cudaFree(out); }
  void poison() { CUDA_OK(cudaMemset(out, 0x5a, 1 << 16)); }
  std::vector<T> results(int count) {
    std::vector<T> found(count);
    CUDA_OK(cudaMemcpy(found.data(), out, count * sizeof(T), cudaMemcpyDeviceToHost));
    return found;
  }
};

template <class T>
void check_all(const char* type, int n, int grid, int block) {
  Arrays<T> arrays(n);
  auto check = [&](const char* what, const std::vector<T>& wanted) {
    KERNEL_OK();
    const std::vector<T> found = arrays.results((int)wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      if (!CHECK_EQ(found[i], wanted[i]))
        std::fprintf(stderr, "  %s of %s, n %d, %d blocks of %d, [%zu]\n", what, type, n, grid,
                     block, i);
    arrays.poison();
  };
  arrays.poison();
  std::vector<T> wanted(grid);
  for (int i = 0; i < n; ++i) wanted[i / block % grid] += arrays.a[i];
  trees<<<grid, block>>>(arrays.device_a, arrays.out, n);
  check("trees", wanted);
  std::vector<unsigned> counts(16 * grid), found(16 * grid);
  for (int i = 0; i < n; ++i) {
    unsigned* const mine = &counts[i / block % grid * 16];
    ++mine[static_cast<int>(arrays.a[i])];
    if (arrays.a[i] > 6) mine[15] = std::max(mine[15], static_cast<unsigned>(i));
  }
  auto* const device_counts = reinterpret_cast<unsigned*>(arrays.out);
  bins<<<grid, block>>>(arrays.device_a, device_counts, n);
  KERNEL_OK();
  CUDA_OK(cudaMemcpy(found.data(), device_counts, 64 * grid, cudaMemcpyDeviceToHost));
  for (int b = 0; b < 16 * grid; ++b) CHECK_EQ(found[b], counts[b]);
  arrays.poison();
  if (block % 32 != 0) return;

  const int warps = grid * block / 32;
  wanted.assign(warps, 32);
  for (int i = 0; i < n; ++i) wanted[i / 32 % warps] += arrays.a[i] * arrays.b[i];
  products<<<grid, block>>>(arrays.device_a, arrays.device_b, arrays.out, n);
  check("products", wanted);

  const int used = block > 32 ? block - 32 : 32;
  wanted.assign(grid, 0);
  for (int i = 0; i < n; ++i) wanted[i / used % grid] += arrays.a[i] > 3 ? arrays.a[i] : 1;
  after_returns<<<grid, block>>>(arrays.device_a, arrays.out, (long)n, used);
  check("after_returns", wanted);

  wanted.clear();
  for (int w = 0; w < block / 32; ++w) {
    T least = 1000, most = -1000, seen = 0;
    for (int i = 0; i < n; ++i)
      if (i % block / 32 == w)
        least = std::min(least, arrays.a[i]), most = std::max(most, arrays.a[i]), seen += 1;
    wanted.insert(wanted.end(), {least, most, seen});
  }
  extremes<<<1, block>>>(arrays.device_a, arrays.out, n);
  check("extremes", wanted);

  const int half = n / 2;
  wanted.assign(warps, 0);
  for (int i = 0; i < half; ++i)
    if (i / block % grid % 2 == 0) wanted[i / 32 % warps] += arrays.a[i];
  for (int i = half; i < n; ++i) wanted[(i - half) / 32 % warps] += arrays.a[i];
  twice<<<grid, block>>>(arrays.device_a, arrays.out, n, half);
  check("twice", wanted);
}

int main() {
  // Rounds of many threads are a matter of the compiled code alone.
  const bool is_interpreted = check::is_interpreted();
  for (const int n : {1, 31, 257, 1000, 4099, 100003})
    for (const int grid : {1, 2, 7})
      for (const int block : {1, 32, 37, 64, 96, 128, 256, 320, 512, 1000, 1024}) {
        if (n > 5000 && (is_interpreted || (block != 37 && block != 256 && block != 1024)))
          continue;
        check_all<float>("float", n, grid, block);
        check_all<int>("int", n, grid, block);
        check_all<double>("double", n, grid, block);
        if (block != 256) continue;
        check_all<long long>("long long", n, grid, block);
        check_all<short>("short", n, grid, block);
      }
  if (is_interpreted) return check::finish();
  // Arrays that no cache holds have code of their own.
  for (const int block : {64, 256}) check_all<int>("int", 4'300'007, 2, block);
  check_all<double>("double", 2'200'013, 2, 128);
  return check::finish();
}
