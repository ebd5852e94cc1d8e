// Names that programs define themselves beside ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | user-defined operators on vector types, helper names (clamp, lerp, dot), min and max macros
// FEATURE: Language | host variables named gridDim, blockDim, threadIdx; own atomicAdd for double on old architectures
#include "check.h"

__host__ __device__ inline float3 operator+(float3 a, float3 b) {
  return make_float3(a.x + b.x, a.y + b.y, a.z + b.z);
}
__host__ __device__ inline float3 operator*(float s, float3 a) {
  return make_float3(s * a.x, s * a.y, s * a.z);
}
__host__ __device__ inline void operator+=(float3& a, float3 b) { a = a + b; }
__host__ __device__ inline float dot(float3 a, float3 b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
__host__ __device__ inline float clamp(float f, float low, float high) {
  return fmaxf(low, fminf(f, high));
}
__host__ __device__ inline float lerp_between(float a, float b, float t) { return a + t * (b - a); }

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 600
__device__ double atomicAdd(double* address, double value) {
  unsigned long long* bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long old = *bits, assumed;
  do {
    assumed = old;
    old = atomicCAS(bits, assumed, __double_as_longlong(value + __longlong_as_double(assumed)));
  } while (assumed != old);
  return __longlong_as_double(old);
}
#endif

__global__ void vectors(const float3* a, float* out, double* sum) {
  const int i = check::global_index();
  float3 v = a[i] + 2.0f * a[i];
  v += make_float3(1, 2, 3);
  out[i] = clamp(dot(v, v), 0.0f, 500.0f) + lerp_between(1, 3, 0.5f);
  atomicAdd(sum, static_cast<double>(i));
}

#define max(a, b) ((a) > (b) ? (a) : (b))
#define min(a, b) ((a) < (b) ? (a) : (b))
#define BLOCK_SIZE 33
#define warp_size 32
__global__ void macros(int* out) {
  const int t = threadIdx.x;
  out[blockIdx.x * BLOCK_SIZE + t] = max(t, 10) + min(t, 20) * 100 + warp_size;
}
#undef max
#undef min

int main() {
  dim3 gridDim(2), blockDim(BLOCK_SIZE);  // as in Rodinia's nn
  int threadIdx = 66;
  check::Array<int> out(threadIdx);
  macros<<<gridDim, blockDim>>>(out.data());
  std::vector<int> want(threadIdx);
  for (int i = 0; i < threadIdx; ++i) {
    const int t = i % 33;
    want[i] = (t > 10 ? t : 10) + (t < 20 ? t : 20) * 100 + 32;
  }
  check::equal("macros", out.get(), want);

  const int n = 66;
  std::vector<float3> a(n);
  std::vector<float> expected(n);
  for (int i = 0; i < n; ++i) {
    a[i] = make_float3(i % 5, i % 3, -i % 4);
    const int x = 3 * (i % 5) + 1, y = 3 * (i % 3) + 2, z = 3 * (-i % 4) + 3;
    const int square = x * x + y * y + z * z;
    expected[i] = static_cast<float>((square < 500 ? square : 500) + 2);
  }
  check::Array<float3> source(a);
  check::Array<float> result(n);
  check::Array<double> sum(std::vector<double>(1, 0.0));
  vectors<<<gridDim, blockDim>>>(source.data(), result.data(), sum.data());
  check::equal("vectors", result.get(), expected);
  CHECK_EQ(sum.get()[0], n * (n - 1) / 2.0);
  return check::finish();
}
