// g++ does not know `#pragma unroll`, so nvcc's host code has loops of any length under it; kernels obey it.
// RUN: %gridcc -O2 -c %s -o %t.hints.o && %gridcc -O2 -DUNROLL= -c %s -o %t.plain.o
// RUN: python3 -c "import os; a, b = (os.path.getsize('%t.' + x + '.o') for x in ('hints', 'plain')); print('host: times', round(a / b)); assert a < 1.2 * b"
// RUN: %gridcc -O2 -DIN_KERNEL -c %s -o %t.kernel.o
// RUN: %gridspan ptx %t.kernel.o | FileCheck %s --check-prefix=KERNEL
// KERNEL-COUNT-24: sin.approx
#ifndef UNROLL
#define UNROLL _Pragma("unroll")
#endif

#ifdef IN_KERNEL
__global__ void sums(float* x) {
  float sum = 0;
#pragma unroll
  for (int i = 0; i < 24; ++i) sum += __sinf(x[i] + sum);
  x[0] = sum;
}
#endif

double fold(const double* x, const double* y, int n) {
  double sum = 0;
  for (int k = 0; k < n; ++k) {
    UNROLL
    for (int i = 0; i < 300; ++i) sum = sum * x[i] + y[i * n + k] / (x[i] + sum);
  }
  return sum;
}
