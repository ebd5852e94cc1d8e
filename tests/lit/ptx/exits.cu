// What a kernel computes early stays there: its last block, which returns, does not take it all.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s

// CHECK-NOT: gridspan_never
// CHECK-LABEL: .entry _Z8straightPfS_(
// CHECK: sqrt.rn.f32
// CHECK: bra
// CHECK-NOT: sqrt
// CHECK: ret;
__global__ void straight(float* a, float* b) {
  const float root = sqrtf(a[threadIdx.x]);
  if (b[0] > 0) b[1] = 2;
  __syncthreads();
  a[threadIdx.x + 1024] = root;
}
// What only one branch needs is computed there.
// CHECK-LABEL: .entry _Z6branchPfS_(
// CHECK: bra
// CHECK: sqrt.rn.f32
// CHECK: ret;
__global__ void branch(float* a, float* b) {
  const float root = sqrtf(a[threadIdx.x]);
  if (threadIdx.x < 7) b[threadIdx.x] = root;
  __syncthreads();
  a[threadIdx.x + 1024] = 0;
}
