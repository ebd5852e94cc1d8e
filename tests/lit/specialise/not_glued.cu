// Kernels that cannot be one, whatever their models say, and stores that cannot be left out: the reasons.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t && mkdir -p %t && %gridcc -O2 -c %s -o %t/all.o
// RUN: llvm-objcopy -O binary --only-section=.gridspan --set-section-flags .gridspan=alloc %t/all.o %t/container
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z6longerPiPKil(4,0,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=TYPES %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5firstPiPKi3Twoi(0,1,2,3)+_Z6secondPiPKi3Twoi(4,0,2,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=STRUCTS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z7assertsPiPKii(4,0,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=ASSERTS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z5trapsPiPKii(4,0,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=TRAPS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3)+_Z5waitsPiPKii(4,0,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=WAITS %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z7updatesPii(0,1)+_Z5scalePiPKiii(2,0,3,1)/blocks=yz/threads=yz/dead=0" 2>&1 \
// RUN:   | FileCheck --check-prefix=UPDATES %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2)+_Z6secondPiPKi3Twoi(3,0,4,2)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=FEWER %s
// RUN: not %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z5scalePiPKiii(0,1,2,3,4)+_Z6secondPiPKi3Twoi(5,0,6,3)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=MORE %s
//
// A struct of each launch's own is none of these.
// RUN: %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/one.so \
// RUN:   "--fused-launches=_Z5firstPiPKi3Twoi(0,1,2,3)+_Z6secondPiPKi3Twoi(4,0,5,3)/blocks=yz/threads=yz/dead="
// RUN: llvm-nm %t/one.so | FileCheck --check-prefix=ONE %s
//
// Units of a device link, of which one flushes denormal numbers.
// RUN: %gridcc -O2 -rdc=true -c %s -o %t/usual.o
// RUN: %gridcc -O2 -rdc=true -use_fast_math -DFLUSHES -c %s -o %t/flushes.o
// RUN: %gridcc -rdc=true -dlink %t/usual.o %t/flushes.o -o %t/link.o
// RUN: llvm-objcopy -O binary --only-section=.gridspan --set-section-flags .gridspan=alloc %t/link.o %t/linked
// RUN: not %gridcc --compile-fused=%t/linked -march=x86-64-v3 -o %t/none.so \
// RUN:   "--fused-launches=_Z6halvesPfPKfi(0,1,2)+_Z7flushesPfPKfi(3,0,2)/blocks=yz/threads=yz/dead=" 2>&1 \
// RUN:   | FileCheck --check-prefix=DENORMALS %s

// TYPES: error: not specialised: equal arguments have other types
// STRUCTS: error: not specialised: equal arguments are structs
// ASSERTS: error: not specialised: asserts: may fail an assertion ({{.*}}not_glued.cu:[[#]])
// TRAPS: error: not specialised: traps: may trap ({{.*}}not_glued.cu:[[#]])
// WAITS: error: not specialised: {{.*}}not_glued.cu:[[#]]: threads of a block wait for each other
// UPDATES: error: not specialised: {{.*}}not_glued.cu:[[#]]: does more with the pointer than to read and write
// FEWER: error: not specialised: the arguments are not those of '_Z5scalePiPKiii'
// MORE: error: not specialised: the arguments are not those of '_Z5scalePiPKiii'
// ONE: gridspan_specialised
// DENORMALS: error: not specialised: denormal numbers are treated in two ways

#define INDEX (blockIdx.x * blockDim.x + threadIdx.x)

#ifdef FLUSHES
__global__ void flushes(float* z, const float* y, int n) {
  int i = INDEX;
  if (i < n) z[i] = 3 * y[i];
}
#else
#include <cassert>

__global__ void halves(float* y, const float* x, int n) {
  int i = INDEX;
  if (i < n) y[i] = x[i] / 2;
}
__global__ void scale(int* y, const int* x, int a, int n) {
  int i = INDEX;
  if (i < n) y[i] = a * x[i];
}
__global__ void longer(int* z, const int* y, long n) {
  long i = INDEX;
  if (i < n) z[i] = y[i];
}
struct Two {
  int a, b;
};
__global__ void first(int* z, const int* y, Two two, int n) {
  int i = INDEX;
  if (i < n) z[i] = two.a * y[i];
}
__global__ void second(int* z, const int* y, Two two, int n) {
  int i = INDEX;
  if (i < n) z[i] = two.b * y[i];
}
__global__ void asserts(int* z, const int* y, int n) {
  int i = INDEX;
  if (i >= n) return;
  assert(y[i] != 7);
  z[i] = y[i];
}
__global__ void traps(int* z, const int* y, int n) {
  int i = INDEX;
  if (i >= n) return;
  if (y[i] == 7) __trap();
  z[i] = y[i];
}
__global__ void waits(int* z, const int* y, int n) {
  int i = INDEX;
  __syncthreads();
  if (i < n) z[i] = y[i];
}
__global__ void updates(int* y, int n) {
  int i = INDEX;
  if (i < n) atomicAdd(&y[i], 3);
}
#endif
