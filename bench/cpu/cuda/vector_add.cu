// c = a + b.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../cases.h"
#include "../inputs.h"
#include "device.h"

__global__ void vector_add(const float* a, const float* b, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) c[i] = a[i] + b[i];
}

CASE(vector_add) {
  const int n = bench::vector;
  bench::Array<float> a(bench::numbers(n, 0, 1)), b(bench::numbers(n, 0, 1, 2)), c(n);
  run.measure([&] {
    vector_add<<<bench::blocks(n, 256), 256>>>(a, b, c, n);
    bench::finish();
  });
  c.report(run);
}
