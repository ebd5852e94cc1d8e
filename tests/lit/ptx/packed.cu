// Kernels with rows have a clone that works on packed boxes of them, others have none.
// RUN: %gridcc -O3 -c %s -o %t.o && %gridspan explain %t.o | FileCheck %s
// RUN: %gridspan ptx %t.o | FileCheck %s --check-prefix=PTX

// CHECK: panel(
// CHECK: on GPUs short of memory in packed boxes of in, out
// PTX-DAG: .entry _Z5panelPKfPfS1_ii$packed(
__global__ void panel(const float* in, float* out, float* sums, int columns, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= columns) return;
  float sum = 0;
  for (int y = 0; y < rows; ++y) {
    sum += __ldg(&in[y * columns + x]);
    out[y * columns + x] = sum;
  }
  sums[x] = sum;
}

// The length of a row may be a number, the step of a loop that of the grid.
// CHECK: fixed(
// CHECK: packed boxes of a
// PTX-DAG: .entry _Z5fixedPA100_ii$packed(
__global__ void fixed(int (*a)[100], int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x >= 100) return;
  for (int y = blockIdx.y; y < rows; y += gridDim.y) a[y][x] += 1;
}

// CHECK: saxpy(
// CHECK-NOT: packed boxes
// CHECK: scattered(
// CHECK-NOT: packed boxes
// CHECK: one_each(
// CHECK-NOT: packed boxes
// CHECK: pairs(
// CHECK: never in packed boxes: a: it is accessed in other units than its elements
// PTX-NOT: {{saxpy|scattered|one_each|pairs}}{{.*}}$packed
__global__ void saxpy(float* y, const float* x, float a, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += a * x[i];
}
__global__ void scattered(float* a, const int* place, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[place[i]] = 1;
}
// Blocks touch few rows; parts can be whole rows.
__global__ void one_each(float* a, int columns, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < columns && y < rows) a[y * columns + x] *= 2;
}
// Rows need not be whole pairs.
__global__ void pairs(float* a, int columns, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (2 * x + 1 >= columns) return;
  for (int y = 0; y < rows; ++y) {
    float* const at = a + y * columns + 2 * x;
    if (y % 3 == 0) at[0] = 5;
    else *reinterpret_cast<double*>(at) = 1;
  }
}
