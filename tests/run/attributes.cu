// Attributes of kernels, functions and parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Language | __launch_bounds__ (one, two arguments, template values), launches beyond it refused
// FEATURE: Language | __restrict__, __grid_constant__, __forceinline__, __noinline__, __host__ __device__, #pragma unroll, __align__
// FEATURE: Language | __CUDA_ARCH__ and __CUDACC__ select host and device code
#include "check.h"

__global__ void __launch_bounds__(128) one_bound(int* out) { out[check::global_index()] = 1; }
__global__ void __launch_bounds__(96, 2) two_bounds(int* out) {
  __shared__ int cells[96];
  const int t = check::thread_index();
  cells[t] = t;
  __syncthreads();
  out[check::global_index()] = cells[blockDim.x - 1 - t];
}
template <int Threads>
__launch_bounds__(Threads) __global__ void template_bound(int* out) {
  out[check::global_index()] = Threads;
}

__global__ void restricted(const float* __restrict__ a, const float* __restrict__ b,
                           float* __restrict__ c, int n) {
  const int i = check::global_index();
  if (i >= n) return;
  float sum = 0;
#pragma unroll 4
  for (int k = 0; k < 9; ++k) sum += a[(i + k) % n] * b[k];
  c[i] = sum;
}

struct Parameters {
  int values[20];
  const int* more;
};
__device__ int through(const Parameters& p, int i) { return p.values[i % 20] + p.more[i % 3]; }
__global__ void grid_constant(const __grid_constant__ Parameters p, int* out) {
  const int i = check::global_index();
  const int* address = p.values;
  out[i] = through(p, i) + address[(i + 1) % 20];
}

__forceinline__ __device__ int forced(int x) { return x * 3; }
__noinline__ __device__ int called(int x) { return x + 7; }
__host__ __device__ int where() {
#ifdef __CUDA_ARCH__
  return __CUDA_ARCH__;
#else
  return 0;
#endif
}
__host__ __device__ inline int both(int x) { return x * x - 1; }

struct __align__(16) AlignedStruct {
  float x, y, z;
};

__global__ void functions(int* out, int* arch, AlignedStruct* aligned) {
  const int i = check::global_index();
  out[i] = forced(i) + called(i) + both(i);
  aligned[i].x = i;
  aligned[i].y = aligned[i].z = 0;
  if (i == 0) *arch = where();
}

#ifndef __CUDACC__
#error "__CUDACC__ must be defined in a .cu file"
#endif

int main() {
  check::Array<int> out(3 * 128);
  one_bound<<<3, 128>>>(out.data());
  check::equal("one_bound", out.get(), std::vector<int>(3 * 128, 1));
  {
    check::Array<int> o(3 * 96);
    two_bounds<<<3, 96>>>(o.data());
    std::vector<int> want(3 * 96);
    for (int i = 0; i < 3 * 96; ++i) want[i] = 95 - i % 96;
    check::equal("two_bounds", o.get(), want);
    template_bound<32><<<9, 32>>>(o.data());
    check::equal("template_bound", o.get(), std::vector<int>(3 * 96, 32));
  }
  one_bound<<<1, 129>>>(out.data());
  const cudaError_t error = cudaGetLastError();
  CHECK(error == cudaErrorLaunchOutOfResources || error == cudaErrorInvalidValue ||
        error == cudaErrorInvalidConfiguration);
  CUDA_OK(cudaDeviceSynchronize());  // not sticky

  check::Random random(97);
  for (int n : {1, 257, 1009}) {
    const auto a = random.integers<float>(n, -50, 50), b = random.integers<float>(9, -5, 5);
    check::Array<float> da(a), db(b), dc(n);
    restricted<<<(n + 127) / 128, 128>>>(da.data(), db.data(), dc.data(), n);
    std::vector<float> want(n, 0);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 9; ++k) want[i] += a[(i + k) % n] * b[k];
    check::equal("restricted", dc.get(), want);
  }
  {
    const int n = 3 * 33;
    check::Array<int> more(std::vector<int>{100, 200, 300}), o(n), arch(1);
    Parameters p;
    for (int i = 0; i < 20; ++i) p.values[i] = i * i;
    p.more = more.data();
    grid_constant<<<3, 33>>>(p, o.data());
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i)
      want[i] = p.values[i % 20] + (i % 3 + 1) * 100 + p.values[(i + 1) % 20];
    check::equal("grid_constant", o.get(), want);
    check::Array<AlignedStruct> aligned(n);
    functions<<<3, 33>>>(o.data(), arch.data(), aligned.data());
    for (int i = 0; i < n; ++i) want[i] = 3 * i + i + 7 + both(i);
    check::equal("functions", o.get(), want);
    CHECK_EQ(arch.get()[0], 900);  // -arch=sm_90
    CHECK_EQ(where(), 0);
    CHECK_EQ(sizeof(AlignedStruct), 16u);
    CHECK_EQ(aligned.get()[n - 1].x, float(n - 1));
  }
  return check::finish();
}
