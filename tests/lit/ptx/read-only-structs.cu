// Structs that are taken by value, and only read, are not copied: neither where their address goes to a function,
// nor where it may be one of several.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s
struct Tables {
  float a[40], b[40];
  int length;
};

// CHECK-LABEL: .func {{.*}}_Z7look_upRK6Tablesi(
__device__ __noinline__ float look_up(const Tables& tables, int i) {
  float sum = 0;
  for (int k = 0; k < tables.length; ++k) sum += tables.a[(i + k) % 40] * tables.b[k % 40];
  return sum;
}
__device__ __noinline__ float fill(Tables& tables, int i) {
  for (int k = 0; k < 40; ++k) tables.a[k] *= i;
  return tables.a[i % 40];
}
__device__ const Tables* kept;

// CHECK-LABEL: .entry _Z6passedPf6Tables(
// CHECK-NOT: .local
// CHECK: cvta.param.u64
// CHECK-NOT: .local
// CHECK: call
// CHECK: ret;
__global__ void passed(float* out, Tables tables) {
  out[threadIdx.x] = look_up(tables, threadIdx.x);
}
// CHECK-LABEL: .entry _Z6chosenPf6TablesS0_i(
// CHECK-NOT: .local
// CHECK: cvta.param.u64
// CHECK-NOT: .local
// CHECK: ret;
__global__ void chosen(float* out, Tables tables, Tables others, int odd) {
  const float* from = threadIdx.x % 2 == odd ? tables.a : others.b;
  float sum = 0;
  for (int k = 0; k < tables.length; ++k) sum += from[(threadIdx.x + k) % 40];
  out[threadIdx.x] = sum;
}
// CHECK-LABEL: .entry _Z7writtenPf6Tables(
// CHECK: .local
// CHECK: call
// CHECK: ret;
__global__ void written(float* out, Tables tables) {
  out[threadIdx.x] = fill(tables, threadIdx.x) + tables.a[3];
}
// CHECK-LABEL: .entry _Z8capturedPf6Tables(
// CHECK: .local
// CHECK: ret;
__global__ void captured(float* out, Tables tables) {
  kept = &tables;
  out[threadIdx.x] = tables.a[threadIdx.x % 40];
}
