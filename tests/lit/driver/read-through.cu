// From source to forms: what becomes of tiles in shared memory.
// RUN: %gridcc -O3 -c %s -o %t.o && %gridspan explain %t.o | FileCheck %s
// RUN: %gridcc -O3 -c --without=staging %s -o %t.o && %gridspan explain %t.o | FileCheck %s --check-prefix=KEPT

// CHECK-LABEL: product(
// CHECK: neighbouring blocks along x and y run as one
// CHECK: without its tiles in shared memory, and barriers, in blocks of 16 x 16
// KEPT-LABEL: product(
// KEPT-NOT: without its tiles
__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int m = 0; m < n / 16; ++m) {
    as[ty][tx] = a[row * n + m * 16 + tx];
    bs[ty][tx] = b[(m * 16 + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// Padded, and with subscripts that have no sign.
// CHECK-LABEL: padded(
// CHECK: without its tiles in shared memory, and barriers, in blocks of 32 x 32
// CHECK: smaller than 2 GiB
__global__ void padded(const float* a, const float* b, float* c, int n) {
  __shared__ float as[32][33], bs[32][33];
  int row = blockIdx.y * 32 + threadIdx.y, col = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int m = 0; m < n / 32; ++m) {
    as[threadIdx.y][threadIdx.x] = a[row * n + m * 32 + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(m * 32 + threadIdx.y) * n + col];
    __syncthreads();
    for (int k = 0; k < 32; ++k) sum += as[threadIdx.y][k] * bs[k][threadIdx.x];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

// Its tile is read in another order than it was filled.
// CHECK-LABEL: transpose(
// CHECK-NOT: without its tiles
__global__ void transpose(const float* a, float* b, int n) {
  __shared__ float tile[16][17];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = a[y * n + x];
  __syncthreads();
  x = blockIdx.y * 16 + threadIdx.x, y = blockIdx.x * 16 + threadIdx.y;
  b[y * n + x] = tile[threadIdx.x][threadIdx.y];
}
