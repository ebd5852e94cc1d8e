// Specifiers of declarations are united; what they then forbid is refused, at the call.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -c %s -o %t.o => 1
// EXPECT: specifiers_apart\.cu:29:\d+: error: .*device_by_definition
// EXPECT: specifiers_apart\.cu:30:\d+: error: .*device_by_declaration
// EXPECT: specifiers_apart\.cu:31:\d+: error: .*member
// EXPECT: specifiers_apart\.cu:32:\d+: error: .*of_template
// EXPECT: specifiers_apart\.cu:34:\d+: error: .*host_by_both
// REFUSE: rdc
// STEP: %gridcc -c -DKERNEL %s -o %t.o => 1
// EXPECT: specifiers_apart\.cu:38:\d+: error: __global__ function 'kernel' cannot overload
// EXPECT: specifiers_apart\.cu:40:\d+: error: __host__ function 'other' cannot overload

int device_by_definition(int x);
__device__ int device_by_definition(int x) { return x; }
__device__ int device_by_declaration(int x);
int device_by_declaration(int x) { return x; }
struct A {
  int member() const;
};
__device__ int A::member() const { return 1; }
template <class T>
__device__ T of_template(T x);
template <class T>
T of_template(T x) { return x; }
__host__ int host_by_both(int x);
int host_by_both(int x) { return x; }

int a() { return device_by_definition(1); }
int b() { return device_by_declaration(1); }
int c() { return A().member(); }
int d() { return of_template(1); }

__global__ void f(int* p) { *p = host_by_both(1); }

#ifdef KERNEL
void kernel(int* p);
__global__ void kernel(int* p) { *p = 1; }
__global__ void other(int* p);
void other(int* p) { *p = 1; }
#endif
