// What is too large for vectors as one kernel, but not apart, stays apart.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: %gridcc -O2 -march=x86-64-v3 --without=fusion -c %s -o %t.o
// RUN: llvm-objcopy -O binary --only-section=.gridspan --set-section-flags .gridspan=alloc %t.o %t.container
// RUN: not %gridcc --compile-fused=%t.container -march=x86-64-v3 -o %t.so \
// RUN:   "--fused-launches=_Z5largePjPKj(0,1)+_Z5largePjPKj(2,0)/blocks=yz/threads=yz/dead=" 2>&1 | FileCheck %s
// CHECK: error: not specialised: threads of the one kernel would run one by one: {{.*}}fused-vectors.cu:[[#]]: more than 10000 instructions

#define FOUR_TIMES(x) x x x x
#define OFTEN(x) FOUR_TIMES(FOUR_TIMES(FOUR_TIMES(FOUR_TIMES(FOUR_TIMES(x)))))

__global__ void large(unsigned* y, const unsigned* x) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = x[i], b = 1;
  OFTEN(a ^= b << 5; b += a >> 3; a *= b;)
  y[i] = a;
}
