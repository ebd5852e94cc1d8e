// Kernels that follow one another become one: each element is loaded once, and what hands values on need not be stored.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t && mkdir -p %t && %gridcc -O2 -c %s -o %t/all.o
// RUN: llvm-objcopy -O binary --only-section=.gridspan --set-section-flags .gridspan=alloc %t/all.o %t/container
// RUN: %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/kept.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z3addPiPKiS1_i(4,1,0,3)/blocks=yz/threads=yz/dead="
// RUN: llvm-objdump -d --no-show-raw-insn %t/kept.so | FileCheck --check-prefix=KEPT %s
// RUN: %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/dead.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z3addPiPKiS1_i(4,1,0,3)/blocks=yz/threads=yz/dead=0"
// RUN: llvm-objdump -d --no-show-raw-insn %t/dead.so | FileCheck --check-prefix=DEAD %s
// RUN: llvm-nm %t/kept.so | FileCheck --check-prefix=SYMBOLS %s
//
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z6smoothPiPKii(4,0,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=BLOCKS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z6turnedPiPKii(4,0,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=THREADS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z3addPiPKiS1_i(4,1,0,3)/blocks=z/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=ROWS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z3addPiPKiS1_i(4,1,0,3)/blocks=yz/threads=z/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=SAME %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z4rowsPiPKiii(0,1,2,3)+_Z4rowsPiPKiii(4,0,2,3)/blocks=yz/threads=yz/dead=0" 2>&1 \
// RUN:   | FileCheck --check-prefix=READ %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z6sharedPii(0,1)+_Z6sharedPii(0,1)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=SHARED %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)/blocks=yz/threads=yz/dead=" 2>&1 | FileCheck --check-prefix=TEXT %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=nobody(0)+_Z5scalePiPKiii(0,1,2,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=NOBODY %s

// Of the vectors of the block's main loop, one load and two stores, or one.
// KEPT: region.0>:
// KEPT: vmovdqu {{.*}}(%{{.*}},4), %ymm[[X:[0-9]+]]
// KEPT-NEXT: vpmulld
// KEPT-NEXT: vmovdqu %ymm
// KEPT-NEXT: vpxor {{.*}}%ymm[[X]]
// KEPT-NEXT: vmovdqu %ymm
// DEAD: region.0>:
// DEAD: vmovdqu {{.*}}(%{{.*}},4), %ymm[[X:[0-9]+]]
// DEAD-NEXT: vpmulld
// DEAD-NEXT: vpxor {{.*}}%ymm[[X]]
// DEAD-NEXT: vmovdqu %ymm
// SYMBOLS: gridspan_specialised
// BLOCKS: error: not specialised: block {{.*}} of smooth reads x[{{.*}}], which block {{.*}} of scale writes ({{.*}}fused.cu:[[#]], {{.*}}fused.cu:[[#]])
// THREADS: error: not specialised: threads of turned may need what other threads of scale do ({{.*}}fused.cu:[[#]], {{.*}}fused.cu:[[#]])
// ROWS: error: not specialised: only if the grid has one block along y
// SAME: error: not specialised: several threads of a block of scale or add do the same ({{.*}}fused.cu:[[#]], {{.*}}fused.cu:[[#]])
// READ: error: not specialised: {{.*}}fused.cu:[[#]]: reads elements that its own thread has not surely written
// SHARED: error: not specialised: {{.*}}fused.cu:[[#]]: uses shared memory
// TEXT: error: '_Z5scalePiPKiii(0,1,2,3)/blocks=yz/threads=yz/dead=' names no launches
// NOBODY: error: not specialised: 'nobody' has no model

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void scale(int* y, const int* x, int a, int n) {
  int i = INDEX;
  if (i < n) y[i] = a * x[i];
}
__global__ void add(int* z, const int* x, const int* y, int n) {
  int i = INDEX;
  if (i < n) z[i] = x[i] ^ y[i];
}
__global__ void smooth(int* y, const int* x, int n) {
  int i = INDEX;
  if (i > 0 && i < n - 1) y[i] = x[i - 1] + x[i + 1];
}
__global__ void turned(int* y, const int* x, int n) {
  int i = blockIdx.x * blockDim.x + blockDim.x - 1 - threadIdx.x;
  if (i < n) y[i] = x[i];
}
__global__ void rows(int* y, const int* x, int nx, int ny) {
  int j = INDEX;
  if (j >= ny) return;
  for (int i = 0; i < nx; ++i) y[j * nx + i] = 3 * x[j * nx + i];
}
__global__ void shared(int* y, int n) {
  __shared__ int sum[32];
  int i = INDEX;
  sum[threadIdx.x % 32] = i;
  if (i < n) y[i] += sum[threadIdx.x % 32];
}
