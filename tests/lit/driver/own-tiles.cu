// Sums that each thread keeps in an array are computed in vectors of its elements, where subscripts are known once loops are
// unrolled and the sums are most of the work.
// RUN: %gridcc -O3 -march=x86-64-v3 --no-ptx -c %s -o %t.o && %gridspan explain %t.o | FileCheck %s
// RUN: llvm-objdump -d --no-show-raw-insn %t.o | FileCheck %s --check-prefix=CODE
// RUN: %gridcc -O3 -march=x86-64-v3 --no-ptx --without=own-tiles -c %s -o %t.o && %gridspan explain %t.o | FileCheck %s --check-prefix=WITHOUT

// WITHOUT-NOT: run as vectors of its elements

// CHECK-LABEL: {{^}}  product(
// CHECK: sums that each thread keeps in an array run as vectors of its elements: {{.*}}own-tiles.cu:[[@LINE+18]]
// A row of the tile: eight sums.
// CODE: <{{.*}}product{{.*}}>:
// CODE: vfmadd{{[0-9]*}}ps {{.*}}%ymm
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[64][8], bs[8][64];
  const int t = threadIdx.x;
  float sums[8][8] = {}, left[8], right[8];
  for (int m = 0; m < n; m += 8) {
    for (int i = t; i < 512; i += 64) {
      as[i / 8][i % 8] = a[i / 8 * n + m + i % 8];
      bs[i / 64][i % 64] = b[(m + i / 64) * 64 + i % 64];
    }
    __syncthreads();
    for (int k = 0; k < 8; ++k) {
      for (int i = 0; i < 8; ++i) left[i] = as[t / 8 * 8 + i][k];
      for (int j = 0; j < 8; ++j) right[j] = bs[k][t % 8 * 8 + j];
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j < 8; ++j) sums[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 8; ++j) c[(t / 8 * 8 + i) * 64 + t % 8 * 8 + j] = sums[i][j];
}

// CHECK-LABEL: {{^}}  searched(
// CHECK-NOT: run as vectors of its elements
// CHECK-LABEL: {{^}}  seldom(
// Which element, the data say.
__global__ void searched(const float* a, const int* where, float* c, int n) {
  float sums[64] = {};
  for (int m = 0; m < n; ++m)
    for (int i = 0; i < 64; ++i) sums[where[m * 64 + i] & 63] += a[m * 64 + i];
  for (int i = 0; i < 64; ++i) c[threadIdx.x * 64 + i] = sums[i];
}

// CHECK-NOT: run as vectors of its elements
// Other arithmetic is ten times as much.
__global__ void seldom(const float* a, float* c, int n) {
  float sums[64] = {};
  for (int m = 0; m < n; ++m)
    for (int i = 0; i < 64; ++i) {
      float x = a[m * 64 + i];
      for (int k = 0; k < 10; ++k) x = x * x - 0.5f;
      sums[i] += x;
    }
  for (int i = 0; i < 64; ++i) c[threadIdx.x * 64 + i] = sums[i];
}

int main() { product<<<1, 64>>>(nullptr, nullptr, nullptr, 0); }
