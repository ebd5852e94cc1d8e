// Space of varying size has an alignment that ptxas takes: a power of two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %gridcc -O2 -c %s -o %t.o
// RUN: %gridspan ptx %t.o | FileCheck %s

// CHECK: alloca.u64 {{.*}}, 16;
// CHECK-NOT: alloca.u64 {{.*}}, 0;
__global__ void last_of_own(int* out, int n) {
  const int count = n + threadIdx.x;
  int* own = static_cast<int*>(__builtin_alloca(count * sizeof(int)));
  for (int i = 0; i < count; ++i) own[i] = i * count;
  out[threadIdx.x] = own[(count * 7) % count];
}
