// Inner loops are unrolled as far as they stay small: eight times where the length is known, at run time four times.
// Short loops of a constant length are written out, longer ones if they walk through an array of the thread's own.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s

// CHECK-LABEL: .entry _Z5knownPKfPf(
// CHECK-COUNT-8: rsqrt.approx
// CHECK-NOT: rsqrt.approx
// CHECK-LABEL: .entry _Z3ownPKfPf(
// CHECK: rsqrt.approx
// CHECK-NOT: rsqrt.approx
// CHECK-LABEL: .entry _Z8barriersPKfPfi(
// CHECK: bar.sync
// CHECK-NOT: bar.sync
// CHECK-LABEL: .entry _Z7at_hostPKfPfi(
// CHECK-COUNT-4: rsqrt.approx
// 31 rounds of some instructions.
// CHECK-LABEL: .entry _Z6parityPKjPjj(
// CHECK-COUNT-31: ld.global.u32
// CHECK: ret;
// The array is in registers, in both loops.
// CHECK-LABEL: .entry _Z5arrayPKfPf(
// CHECK-NOT: .local
// CHECK-COUNT-16: rsqrt.approx
// CHECK-NOT: .local
// CHECK: ret;
// A subscript that nobody knows is of memory, so nothing is gained.
// CHECK-LABEL: .entry _Z7unknownPKfPfPKi(
// CHECK: .local
// CHECK-COUNT-8: rsqrt.approx
// CHECK-NOT: rsqrt.approx
// CHECK: ret;
// Two rounds at most: no loop is left.
// CHECK-LABEL: .entry _Z5halosPKfPf(
// CHECK-COUNT-2: ld.global.f32
// CHECK-NOT: ld.global.f32
// CHECK: bar.sync
__device__ float pull(const float* a, float sum) {
  const float dx = a[0] - a[1], dy = a[2] - a[3], dz = a[4] - a[5];
  const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
  return sum + r * r * r * dx;
}
__global__ void known(const float* a, float* b) {
  float sum = 0;
  for (int i = 0; i < 128; ++i) sum = pull(a + 8 * i, sum);
  *b = sum;
}
__global__ void own(const float* a, float* b) {
  float sum = 0;
#pragma unroll 1
  for (int i = 0; i < 128; ++i) sum = pull(a + 8 * i, sum);
  *b = sum;
}
__global__ void barriers(const float* a, float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) {
    sum = pull(a + 8 * i, sum);
    __syncthreads();
  }
  *b = sum;
}
__global__ void at_host(const float* a, float* b, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum = pull(a + 8 * i, sum);
  *b = sum;
}
__global__ void parity(const unsigned* a, unsigned* b, unsigned x) {
  unsigned sum = 0;
  for (int i = 0; i < 31; ++i, x >>= 1) sum ^= (x & 1) * a[i];
  *b = sum;
}
__global__ void array(const float* a, float* b) {
  float values[16];
  for (int i = 0; i < 16; ++i) values[i] = pull(a + 8 * i, i);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < 16; ++i) values[i] += values[(i + 1) % 16] * values[15 - i];
  for (int i = 0; i < 16; ++i) b[i * 32 + threadIdx.x] = values[i];
}
__global__ void unknown(const float* a, float* b, const int* at) {
  float values[64];
  for (int i = 0; i < 64; ++i) values[at[i] & 63] = pull(a + 8 * i, i);
  b[threadIdx.x] = values[threadIdx.x];
}
__global__ void halos(const float* a, float* b) {
  __shared__ float s[36];
  for (int i = threadIdx.x; i < 36; i += 32) s[i] = a[i];
  __syncthreads();
  b[threadIdx.x] = s[threadIdx.x + 4];
}
