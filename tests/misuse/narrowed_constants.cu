// Constants in braces that do not fit: an error in what the host compiles, as for nvcc with g++; a warning in device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 -c %s -o %t.o => 1
// EXPECT: narrowed_constants\.cu:29:\d+: error: type 'double' cannot be narrowed to 'int'
// EXPECT: narrowed_constants\.cu:30:\d+: error: constant expression evaluates to 300 which cannot be narrowed to type 'char'
// EXPECT: narrowed_constants\.cu:31:\d+: error: .*-1.*'unsigned int'
// EXPECT: narrowed_constants\.cu:32:\d+: error: type 'double' cannot be narrowed to 'int'
// EXPECT: narrowed_constants\.cu:33:\d+: error: .*300.*'char'
// EXPECT: narrowed_constants\.cu:34:\d+: error: .*'float'
// REFUSE: narrowed_constants\.cu:(1\d|2[0-6]):\d+: error
// STEP: %gridcc -std=c++17 -DFINE -c %s -o %t.o => 0
// EXPECT: narrowed_constants\.cu:16:\d+: warning
// STEP: %gridcc -std=c++17 -w -c %s -o %t.o => 0
// STEP: %gridcc -std=c++17 -Xcompiler -Wno-narrowing -c %s -o %t.o => 0
struct Pair { char a; int b; };
__device__ int device_variable{3.5};
__constant__ Pair pairs[2] = {{300, 1}, {1, 2}};
__global__ void kernel(int n) {
  int x[2] = {1, 3.5};
  dim3 size{-1};
  float wide[1] = {1e50};
  char small{n};
}
template <class T> T instance() { return T{3.5}; }
int variables(int n, double d) { char c{n}; dim3 size{n}; return int{d} + c + instance<int>(); }
template <int N> struct Holder { char c = {N}; };
Holder<300> holder;
#ifndef FINE
int host_variable{3.5};
Pair pair = {300, 2};
dim3 size{-1};
__host__ __device__ int both() { return int{2.5}; }
auto lambda = [] { return char{300}; };
void function() { float wide[2] = {1e50, 2.}; }
#endif
