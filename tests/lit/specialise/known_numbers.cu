// What is known of launches goes into the code of one kernel; what it cannot go into is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN: rm -rf %t && mkdir -p %t && %gridcc -O2 -c %s -o %t/all.o
// RUN: llvm-objcopy -O binary --only-section=.gridspan --set-section-flags .gridspan=alloc %t/all.o %t/container
// RUN: %gridcc --compile-specialised=%t/container --kernel-name=_Z4rowsPiii --launch-condition=block=64x1x1,arg2=30 \
// RUN:   -march=x86-64-v3 -o %t/known.so
// RUN: llvm-objdump -d --disassemble-symbols=_Z4rowsPiii.region.0 %t/known.so | FileCheck --check-prefix=KNOWN %s
// RUN: %gridcc --compile-specialised=%t/container --kernel-name=_Z4rowsPiii --launch-condition=arg1=5 \
// RUN:   -march=x86-64-v3 -o %t/unknown.so
// RUN: llvm-objdump -d --disassemble-symbols=_Z4rowsPiii.region.0 %t/unknown.so | FileCheck --check-prefix=UNKNOWN %s
// RUN: llvm-nm %t/known.so | FileCheck --check-prefix=SYMBOLS %s
// RUN: not %gridcc --compile-specialised=%t/container --kernel-name=_Z7throughPii --launch-condition=arg1=5 \
// RUN:   -march=x86-64-v3 -o %t/none.so 2>&1 | FileCheck --check-prefix=REFUSED %s
// RUN: not %gridcc --compile-specialised=%t/container --kernel-name=_Z4rowsPiii --launch-condition=arg2=30 \
// RUN:   -o %t/none.so 2>&1 | FileCheck --check-prefix=BASELINE %s
// RUN: not %gridcc --compile-specialised=%t/container --kernel-name=nobody --launch-condition=arg2=30 \
// RUN:   -march=x86-64-v3 -o %t/none.so 2>&1 | FileCheck --check-prefix=NOBODY %s

// KNOWN: region.0
// KNOWN-NOT: idiv
// UNKNOWN: idiv
// SYMBOLS-NOT: through
// SYMBOLS: gridspan_specialised
// SYMBOLS-NOT: through
// REFUSED: error: not specialised: {{.*}}known_numbers.cu:[[#]]: uses a function's address
// BASELINE: error: not specialised: the CPU it is compiled for has no fused multiply-add
// NOBODY: error: not specialised: there is no such kernel

__global__ void rows(int* out, int n, int width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i / width * 3 + i % width;
}

__device__ __noinline__ int twice(int x) { return 2 * x; }
__device__ __noinline__ int thrice(int x) { return 3 * x; }

__global__ void through(int* out, int n) {
  auto function = n > 3 ? twice : thrice;
  out[threadIdx.x] = function(threadIdx.x);
}
