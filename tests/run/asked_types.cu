// Calls whose type only is asked for, of functions of the other side.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | decltype, sizeof and noexcept of calls that only the other side could make
#include "check.h"

__device__ long on_device(int x) { return x + __shfl_sync(~0u, x, 0); }
short on_host(int x) { return static_cast<short>(std::string(x, 'a').size()); }
struct Device {
  __device__ double operator()(float x) const noexcept { return x; }
  __device__ char operator[](int) const;
};
struct Host {
  float member(int x) const { return static_cast<float>(std::strlen("abc") + x); }
};
template <class F>
struct Result {
  typedef decltype(F()(1.f)) type;
};

template <class F>
int host_template(F f) {
  decltype(f(2.f)) value = 2.5;
  return static_cast<int>(2 * value) + sizeof(on_device(3));
}
int host_function(int x) {
  decltype(on_device(x)) wide = 1L << 40;
  typename Result<Device>::type result = 1.5;
  return sizeof(Device{}[x]) + sizeof wide + (wide >> 39) + noexcept(Device()(2)) * 100 +
         static_cast<int>(result * 2);
}
template <class T>
__device__ int device_template(T x) {
  decltype(on_host(x)) narrow = static_cast<decltype(on_host(x))>(70000);
  return narrow;
}
__global__ void kernel(decltype(on_host(1))* sizes, int* out) {
  const int t = threadIdx.x;
  decltype(Host().member(t)) half = .5f;
  sizes[t] = sizeof(on_host(t)) + sizeof(Host().member(t)) * 10;
  out[t] = device_template(t) + static_cast<int>(half * 4) + static_cast<int>(on_device(t) - t);
}

int main() {
  CHECK(host_template(Device()) == 5 + 8);
  CHECK(host_function(3) == 1 + 8 + 2 + 100 + 3);
  constexpr int n = 29;
  short* sizes;
  int* out;
  CUDA_OK(cudaMallocManaged(&sizes, n * sizeof *sizes));
  CUDA_OK(cudaMallocManaged(&out, n * sizeof *out));
  for (int i = 0; i < n; ++i) sizes[i] = out[i] = 0x5a5a;
  kernel<<<1, n>>>(sizes, out);
  CUDA_OK(cudaDeviceSynchronize());
  for (int i = 0; i < n; ++i) {
    CHECK(sizes[i] == 42);
    CHECK(out[i] == static_cast<short>(70000) + 2);
  }
  cudaFree(sizes);
  cudaFree(out);
  return check::finish();
}
