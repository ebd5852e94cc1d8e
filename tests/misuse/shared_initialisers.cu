// Initialisers and specifiers of shared variables that nvcc refuses, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -std=c++17 -c %s -o %t.o => 1
// EXPECT: shared_initialisers\.cu:17:\d+: error: initialization is not supported for __shared__ variables
// EXPECT: shared_initialisers\.cu:18:\d+: error: initialization is not supported for __shared__ variables
// EXPECT: shared_initialisers\.cu:19:\d+: error: call to deleted constructor of 'Deleted'
// EXPECT: shared_initialisers\.cu:23:\d+: error: initialization is not supported for __shared__ variables
// EXPECT: shared_initialisers\.cu:29:\d+: error: __shared__ local variables not allowed in __host__ functions
// EXPECT: shared_initialisers\.cu:30:\d+: warning: '__shared__' only applies to variables; it is ignored
// EXPECT: shared_initialisers\.cu:31:\d+: error: a variable is '__constant__' or '__shared__', not both

struct Deleted {
  Deleted() = delete;
  int value;
};
__global__ void written() {
  __shared__ int number = 3;
  __shared__ dim3 size(1, 2, 3);
  __shared__ Deleted deleted;
}
template <class T>
__global__ void in_template() {
  __shared__ T value = T(1);
  __shared__ T fine;
  fine = value;
}
template __global__ void in_template<int>();

void on_host() { __shared__ int value; }
__shared__ int function();
__constant__ __shared__ int both;
