// The host may name device functions, and members that nobody wrote may have parts of both sides; calls stay refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 %s -o %t => 0
// STEP: %t => -6
// EXPECT: Assertion .no call of lane\(int\), a function of the device. failed
// STEP: %gridcc -DCALLED -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:37:\d+: error: calling a __device__ function\("lane"\) from a __host__ function
// STEP: %gridcc -DIN_PATTERN -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:40:\d+: error: calling a __device__ function\("lane"\) from a __host__ function
// STEP: %gridcc -DONLY_DEVICE -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:43:\d+: error: calling a __host__ function\("HostPart"\) from a __global__ function
// STEP: %gridcc -DWRITTEN -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:46:\d+: error: .*HostPart
// STEP: %gridcc -DDELETED -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:49:\d+: error: calling a __host__ function\("~HostPart"\) from a __global__ function
__device__ int lane(int x) { return x + threadIdx.x; }
int (*passed)(int) = lane;
struct HostPart {
  int x;
  HostPart() : x(1) {}
  ~HostPart() { x = 2; }
};
struct BothPart {
  int x;
  __host__ __device__ BothPart() : x(3) {}
};
struct Whole {
  HostPart a;
  BothPart b;
};

// What follows stands in lines that are told above.



#ifdef CALLED
int (*named)(int) = lane; int call(bool b) { return b ? named(1) : lane(2); }
#endif
#ifdef IN_PATTERN
template <class T> int of(T x) { auto p = lane; return p(1) + lane(3); }
#endif
#ifdef ONLY_DEVICE
__global__ void make(int* out) { Whole one; *out = one.b.x; }
#endif
#ifdef WRITTEN
struct Own { HostPart part; __device__ Own() : part() {} };
#endif
#ifdef DELETED
__global__ void end(HostPart* one) { delete one; }
#endif
int main() { return passed(3); }
