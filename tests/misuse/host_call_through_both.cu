// A kernel reaches a function of both sides that calls a host function: a warning as nvcc's, and the launch in which
// somebody makes the call ends with a line. At once, and across files. A kernel's own call is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc %s -o %t => 0
// EXPECT: host_call_through_both\.cu:44:\d+: warning: calling a __host__ function\("host_only"\) from a __host__ __device__ function
// STEP: %t 1 => 0
// EXPECT: finished: 3, no error
// STEP: %t 3 => 0
// EXPECT: host_call_through_both\.cu:44: .*both.*: block: \[0,0,0\], thread: \[2,0,0\] Assertion .no call of host_only \(host_call_through_both\.cu:34\), a function of the host. failed
// EXPECT: finished: -1, device-side assert triggered
// STEP: %t 4 => 0
// EXPECT: no call of generic .*host_call_through_both\.cu:35\), a function of the host
// STEP: %t 5 => 0
// EXPECT: no call of Made::Made
// STEP: %t 6 => 0
// EXPECT: no call of host_only
// STEP: %t 7 => 0
// EXPECT: no call of exit
// STEP: %t 8 => 0
// EXPECT: Cell<Ended>::~Cell\(\).* Assertion .no call of Ended::~Ended\(\), a function of the host. failed
// STEP: GRIDSPAN_CPU=interpret %t 3 => 0
// EXPECT: host_call_through_both\.cu:44: .*no call of host_only
// STEP: %gridcc -w -G -g %s -o %t => 0
// REFUSE: warning
// STEP: %t 7 => 0
// EXPECT: no call of exit
// STEP: %gridcc -rdc=true %s -o %t => 0
// STEP: %t 3 => 0
// EXPECT: no call of host_only
// STEP: %gridcc -DDIRECT -c %s -o %t.o => 1
// EXPECT: host_call_through_both\.cu:58:\d+: error: calling a __host__ function\("host_only"\) from a __global__ function
#include <cstdio>
#include <cstdlib>
int host_only(int x) { return x; }
template <class T> T generic(T x) { return x; }
struct Made { int value; Made(int x) : value(x) {} ~Made() {} };
struct Ended { int value; ~Ended() { std::puts("ended"); } };
template <class T> struct Cell {
  union { char none; T value; };
  __host__ __device__ Cell() : none() {}
  __host__ __device__ ~Cell() { value.~T(); }
};
__host__ __device__ int both(int x) {
  if (x == 3) return host_only(x);
  if (x == 4) return generic(x);
  if (x == 5) return Made(x).value;
  int (*pointer)(int) = host_only;
  if (x == 6) return pointer(x);
  if (x == 7) std::exit(9);
  if (x == 8) Cell<Ended> cell;
  return x + 2;
}

__global__ void kernel(int* out, int n) {
  const int x = threadIdx.x + n - 2;
  if (x <= n) out[threadIdx.x] = both(x == n ? n : 1);
#ifdef DIRECT
  *out = host_only(n) + both(3);
#endif
}

int main(int, char** words) {
  const int n = std::atoi(words[1]);
  if (n < 7 && both(n) != (n < 3 ? n + 2 : n)) return 1;
  int* out;
  if (cudaMallocManaged(&out, 8 * sizeof *out) != cudaSuccess) return 2;
  kernel<<<1, 4>>>(out, n);
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("finished: %d, %s\n", error ? -1 : out[2], cudaGetErrorString(error));
}
