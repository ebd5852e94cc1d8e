// Kernels that follow one another become one for GPUs, too: each rounds as it does alone.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t && mkdir -p %t && %gridcc -O2 -c %s -o %t/all.o
// RUN: llvm-objcopy -O binary --only-section=.gridspan --set-section-flags .gridspan=alloc %t/all.o %t/container
// RUN: %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/kept.so \
// RUN:   "--fused-launches=_Z5scalePfPKffi(0,1,2,3)+_Z3addPfPKfS1_i(4,1,0,3)/blocks=yz/threads=yz/dead="
// RUN: %gridspan ptx --arch 90 %t/kept.so | FileCheck --check-prefixes=BOTH,KEPT %s
// RUN: %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/dead.so \
// RUN:   "--fused-launches=_Z5scalePfPKffi(0,1,2,3)+_Z3addPfPKfS1_i(4,1,0,3)/blocks=yz/threads=yz/dead=0"
// RUN: %gridspan ptx --arch 90 %t/dead.so | FileCheck --check-prefixes=BOTH,DEAD %s
//
// Variables are those of the module that the kernels are from: such a product has code for CPUs only.
// RUN: %gridcc --compile-fused=%t/container -march=x86-64-v3 -o %t/variables.so \
// RUN:   "--fused-launches=_Z5scalePfPKffi(0,1,2,3)+_Z5movedPfPKfi(4,0,3)/blocks=yz/threads=yz/dead="
// RUN: not %gridspan ptx %t/variables.so 2>&1 | FileCheck --check-prefix=VARIABLES %s
// VARIABLES: no PTX is in this file

// One load, no load of t, and the product that t got is rounded before it is added.
// BOTH: .visible .entry _Z5scalePfPKffi$_$_Z3addPfPKfS1_i(
// BOTH: ld.global.f32 [[X:%f[0-9]+]], [
// BOTH-NEXT: mul.rn.f32 [[T:%f[0-9]+]], [[X]],
// KEPT-NEXT: st.global.f32 {{.*}}, [[T]]
// DEAD-NOT: st.global
// BOTH: fma.rn.f32 [[Z:%f[0-9]+]], [[X]], 0f40600000, [[T]]
// BOTH-NEXT: st.global.f32 {{.*}}, [[Z]]
// BOTH-NOT: ld.global
// BOTH-NOT: st.global
// BOTH: .visible .entry _Z5scalePfPKffi$_$_Z3addPfPKfS1_i$part(
__global__ void scale(float* t, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) t[i] = a * x[i];
}
__global__ void add(float* z, const float* x, const float* t, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = x[i] * 3.5f + t[i];
}
__device__ float offset = 1;
__global__ void moved(float* z, const float* t, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) z[i] = t[i] + offset;
}
