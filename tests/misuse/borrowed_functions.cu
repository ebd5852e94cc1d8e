// The host may name device functions, and members that nobody wrote may have parts of both sides; calls stay refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 %s -o %t => 0
// REFUSE: warning
// STEP: %t => -6
// EXPECT: Assertion .no call of lane\(int\), a function of the device. failed
// STEP: %gridcc -DCALLED -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:59:\d+: error: calling a __device__ function\("lane"\) from a __host__ function
// STEP: %gridcc -DIN_PATTERN -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:62:\d+: error: calling a __device__ function\("lane"\) from a __host__ function
// STEP: %gridcc -DONLY_DEVICE -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:65:\d+: error: calling a __host__ function\("HostPart"\) from a __global__ function
// STEP: %gridcc -DWRITTEN -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:68:\d+: error: .*HostPart
// STEP: %gridcc -DDELETED -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:71:\d+: error: calling a __host__ function\("~HostPart"\) from a __global__ function
// STEP: %gridcc -DIN_INITIALISER -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:75:\d+: error: calling a __device__ function\("DevicePart"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:76:\d+: error: calling a __device__ function\("lane"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:77:\d+: error: calling a __device__ function\("DevicePart"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:78:\d+: error: calling a __device__ function\("DevicePart"\) from a __host__ __device__ function
// EXPECT: borrowed_functions\.cu:79:\d+: error: calling a __device__ function\("DevicePart"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:80:\d+: error: calling a __device__ function\("DevicePart"\) from a __host__ function
// STEP: %gridcc -DCONVERSIONS -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:99:\d+: error: calling a __device__ function\("Number"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:100:\d+: error: calling a __device__ function\("Number"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:101:\d+: error: calling a __device__ function\("Number"\) from a __host__ function
// EXPECT: borrowed_functions\.cu:102:\d+: error: calling a __device__ function\("operator int"\) from a __host__ function
// REFUSE: borrowed_functions\.cu:9[678]:
// STEP: %gridcc -DUSED -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:84:\d+: error: calling a __host__ function\("host_only"\) from a __device__ function
// EXPECT: borrowed_functions\.cu:85:\d+: error: calling a __host__ function\("host_only"\) from a __device__ function
// EXPECT: borrowed_functions\.cu:86:\d+: error: calling a __host__ function\("host_only"\) from a __device__ function
// EXPECT: borrowed_functions\.cu:87:\d+: error: calling a __host__ function\("host_only"\) from a __device__ function
// REFUSE: borrowed_functions\.cu:88:
// STEP: %gridcc -DSTREAM -std=c++17 -c %s -o %t.o => 1
// EXPECT: borrowed_functions\.cu:93:\d+: error: 'cout' is a variable of the host
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
struct Own { HostPart part; __device__ Own() : part() {} }; __global__ void written() { Own one; }
#endif
#ifdef DELETED
__global__ void end(HostPart* one) { delete one; }
#endif
#ifdef IN_INITIALISER
struct DevicePart { int x; __device__ DevicePart(int given) : x(given) {} };
struct A1 { int x; A1() : x(DevicePart(3).x) {} };
struct A2 { int x; A2() : x(lane(3)) {} };
struct A3 { DevicePart* x; A3() : x(new DevicePart(3)) {} };
__host__ __device__ int both() { DevicePart x(3); return x.x; }
struct A5 { DevicePart part; A5() : part(3) { DevicePart other(4); part = other; } };
struct A6 { DevicePart part; int y; }; int of_list() { A1 one; A2 two; A3 three; A5 five; return A6{DevicePart(3), 4}.y + both(); }
#endif
#ifdef USED
int host_only(int x) { return x; }
static __device__ int through(int x) { return host_only(x); }
static __device__ int (*by_pointer)(int); static __device__ int pointed(int x) { return host_only(x); }
struct Members { __device__ Members() { host_only(1); } int x; };
template <class T> __device__ int of_template(T x) { return host_only(x); }
static __device__ int unused(int x) { return host_only(x); }
__global__ void uses(int* out) { by_pointer = pointed; Members m; *out = through(1) + by_pointer(2) + m.x + of_template(3); }
#endif
#ifdef STREAM
#include <iostream>
static __device__ void says() { std::cout << 1; }
#endif
#ifdef CONVERSIONS
struct Number { int x; __device__ Number(int given) : x(given) {} __device__ operator int() const { return x; } };
int taken(Number);
Number implied(Number* all) { all[0] = 3; return taken(4) ? 5 : 6; }
void variable() { Number one = 3; }
void made() { new Number(3); }
void thrown(Number* all) { all[0] = Number(3); }
int converted(const Number& one) { return one; }
#endif
template <class T> struct Type { static __device__ T zero(); };
template <class T> __device__ T Type<T>::zero() { return T(0); }
template <> __device__ inline float Type<float>::zero() { return 5; }
int main() { return passed(3); }
