// What device variables and kernels cannot be: nvcc refuses each, clang does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 -c %s -o %t.o => 1
// EXPECT: device_values\.cu:21:\d+: error: the device variable 'address' cannot have the address of 'of_host', a function of the host
// EXPECT: device_values\.cu:22:\d+: error: the device variable 'table' cannot have the address of 'of_host', a function of the host
// EXPECT: device_values\.cu:23:\d+: error: without -rdc=true each file has an inline device variable 'shared_by_files' of its own
// EXPECT: device_values\.cu:24:\d+: error: a __global__ function cannot be constexpr
// EXPECT: device_values\.cu:25:\d+: error: a __global__ function returns void; its type cannot be deduced
// EXPECT: device_values\.cu:26:\d+: error: a __global__ function cannot take '...'
// EXPECT: device_values\.cu:28:\d+: error: a static device variable 'mine' cannot be in a host function
// EXPECT: device_values\.cu:27:\d+: error: a __global__ function cannot take an rvalue reference
// STEP: %gridcc -std=c++17 -DFINE -c %s -o %t.o => 0
struct Empty {
  int value;
  __host__ __device__ Empty() {}
};
int of_host(int x) { return x; }
typedef int (*Function)(int);
struct Entry { Function function; int weight; };
#ifndef FINE
__device__ Function address = of_host;
__constant__ Entry table[3] = {{nullptr, 1}, {of_host, 2}};
inline __device__ int shared_by_files;
template <class T> constexpr __global__ void constant(T*) {}
__global__ auto deduced(int*) {}
__global__ void more(int*, ...) {}
__global__ void moved(int&&) {}
int in_host() { static __device__ int mine = 3; return sizeof mine; }
#else
struct Known { int value = 4; constexpr Known() = default; };
__device__ int of_device(int x) { return x; }
constexpr int folded(int x) { return x * 2; }
__constant__ Known known[2][3] = {};
__device__ Empty empty[4] = {};
__device__ Function address = of_device;
__constant__ Entry table[3] = {{nullptr, 1}, {&of_device, folded(3)}};
static inline __device__ int one_a_file;
namespace { inline __constant__ int hidden = folded(2); }
inline constexpr __device__ int same = 3;
__host__ __device__ int in_both() {
#ifdef __CUDA_ARCH__
  static __device__ int mine = 3;
  return mine;
#else
  return 0;
#endif
}
__global__ auto trailing(int* p) -> void { *p = table[1].function(3); }
#endif
