// Products of fragments are mma.sync, for GPUs from sm_80 on; the portable text does without these
// kernels, and one for sm_80 has them.
// RUN: %gridcc -std=c++17 -O3 -c %s -o %t.o
// RUN: %gridspan ptx --arch 70 %t.o | FileCheck %s --check-prefix=OLD
// RUN: %gridspan ptx --arch 80 %t.o | FileCheck %s
// RUN: %gridspan ptx --arch 90 %t.o | FileCheck %s
// RUN: %gridspan explain %t.o | FileCheck %s --check-prefix=EXPLAIN
// EXPLAIN-NOT: not for GPUs
#include <mma.h>

namespace wmma = nvcuda::wmma;

// OLD-NOT: product
// OLD: .visible .entry _Z5plainPi(
__global__ void plain(int* a) { a[threadIdx.x] = 1; }

// CHECK: .visible .entry _Z7productPK6__halfS1_Pf(
// CHECK-NOT: local
// CHECK-COUNT-2: mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32
// CHECK-NOT: mma.sync
// CHECK: ret;
__global__ void product(const __half* a, const __half* b, float* c) {
  wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 16, 16, 16, float> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(sum, 0.0f);
  wmma::mma_sync(sum, fa, fb, sum);
  wmma::store_matrix_sync(c, sum, 16, wmma::mem_row_major);
}

// Eight rows are the upper half of sixteen.
// CHECK: .visible .entry _Z4flatPKaS0_Pi(
// CHECK-COUNT-4: mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32
// CHECK-NOT: mma.sync
// CHECK: ret;
__global__ void flat(const signed char* a, const signed char* b, int* c) {
  wmma::fragment<wmma::matrix_a, 8, 32, 16, signed char, wmma::row_major> fa;
  wmma::fragment<wmma::matrix_b, 8, 32, 16, signed char, wmma::col_major> fb;
  wmma::fragment<wmma::accumulator, 8, 32, 16, int> sum;
  wmma::load_matrix_sync(fa, a, 16);
  wmma::load_matrix_sync(fb, b, 16);
  wmma::fill_fragment(sum, 0);
  wmma::mma_sync(sum, fa, fb, sum, true);
  wmma::store_matrix_sync(c, sum, 32, wmma::mem_row_major);
}
