// A template of both sides that calls a device function: the host may come there, as long as it does not make the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 %s -o %t => 0
// STEP: %t 1 => 0
// EXPECT: finished: 1 11
// STEP: %t 3 => -6
// EXPECT: Assertion .no call of lane \(device_call_on_host\.cu:19\), a function of the device. failed
// REFUSE: finished
// STEP: %t 4 => -6
// EXPECT: Assertion .no call of Grid::cell
// STEP: %gridcc -std=c++17 -O0 -g %s -o %t => 0
// STEP: %t 4 => -6
// EXPECT: Assertion .no call of Grid::cell
// STEP: %gridcc -DPLAIN -std=c++17 -c %s -o %t.o => 1
// EXPECT: device_call_on_host\.cu:30:\d+: error: calling a __device__ function\("lane"\) from a __host__ __device__ function
#include <cstdio>
#include <cstdlib>

__device__ int lane(int x) { return x + __shfl_sync(~0u, int(threadIdx.x), 0); }
template <class T> struct Grid { __device__ T cell() const { return T(blockIdx.x); } };

template <class T>
__host__ __device__ T place(T x) {
  if (x == 3) return lane(x);
  if (x == 4) return Grid<T>().cell();
  return x;
}
__global__ void kernel(int* out) { *out = place(11) + place(3) - 3; }
#ifdef PLAIN  // nvcc's rule
__host__ __device__ int plain(int x) { return lane(x); }
#endif

int main(int, char** words) {
  int* out;
  if (cudaMallocManaged(&out, sizeof *out) != cudaSuccess) return 2;
  *out = 0x5a5a;
  kernel<<<1, 32>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 3;
  const int here = place(std::atoi(words[1]));
  std::printf("finished: %d %d\n", here, *out);
}
