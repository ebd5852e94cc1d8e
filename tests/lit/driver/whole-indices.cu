// Subscripts by row and column, made of one index, are loaded as vectors: divisions are guarded by then.
// RUN: %gridcc -O3 -march=x86-64-v4 --no-ptx --without=divided-rows -c %s -o %t.o && llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s
// RUN: %gridcc -O3 -march=x86-64-v4 --no-ptx -c %s -o %t.w.o --without=whole-indices,divided-rows && \
// RUN:   llvm-objdump -d --no-show-raw-insn %t.w.o | FileCheck %s --check-prefix=WITHOUT
// CHECK: file format
// CHECK-NOT: gather
// WITHOUT: gather
__global__ void sums(float* b, const float* a, int n, int size) {
  const int index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= size) return;
  const int i = index % n, j = index / n;
  b[i + j * n] = a[i + j * n] + a[(i + 1) + j * n] + a[i + (j + 1) * n];
}
__global__ void unsigned_sums(float* b, const float* a, unsigned n, unsigned size) {
  const unsigned index = blockIdx.x * blockDim.x + threadIdx.x;
  if (index >= size) return;
  const unsigned i = index % n, j = index / n;
  b[i + j * n] = 3 * a[j * n + i];
}
