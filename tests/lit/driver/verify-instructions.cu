// A verified launch computes what the ordinary one does, bit by bit, on every instruction set: with fused
// multiply-adds and without, results differ, and both must have them or neither.
// RUN: %gridcc -O2 %s -o %t
// RUN: env GRIDSPAN_CPU_ISA=baseline %t > %t.plain
// RUN: env GRIDSPAN_CPU_ISA=baseline GRIDSPAN_VERIFY=1 %t > %t.plain.verified 2> /dev/null
// RUN: diff %t.plain %t.plain.verified
// RUN: %t > %t.best
// RUN: env GRIDSPAN_VERIFY=1 %t > %t.best.verified 2> /dev/null
// RUN: diff %t.best %t.best.verified
// RUN: FileCheck %s < %t.best.verified
// CHECK: 99 {{[0-9a-f]+}}
#include <cstdio>
#include <cstring>

__global__ void multiply_add(const float* a, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * a[i] - 1.0f;
}

int main() {
  const int n = 100;
  float *a, *out;
  cudaMallocManaged(&a, n * sizeof(float));
  cudaMallocManaged(&out, n * sizeof(float));
  for (int i = 0; i < n; ++i) a[i] = 1.0f + (i + 1) * 0x1p-23f, out[i] = -1;  // squares are rounded
  multiply_add<<<4, 32>>>(a, out, n);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < n; ++i) {
    unsigned bits;
    std::memcpy(&bits, &out[i], sizeof bits);
    std::printf("%d %08x\n", i, bits);
  }
}
