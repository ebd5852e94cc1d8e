// Kernels of programs whose grids change from launch to launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Gauss with a right side, as Rodinia writes it: factors of a column, then all that is left.
__global__ void gauss_factors(float* m, const float* a, int size, int t) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size - 1 - t) return;
  m[size * (i + t + 1) + t] = a[size * (i + t + 1) + t] / a[size * t + t];
}

__global__ void gauss_rest(const float* m, float* a, float* b, int size, int t) {
  const int y = blockIdx.x * blockDim.x + threadIdx.x;  // rows along x, as there
  const int x = blockIdx.y * blockDim.y + threadIdx.y;
  if (y >= size - 1 - t || x >= size - t) return;
  a[size * (y + 1 + t) + (x + t)] -= m[size * (y + 1 + t) + t] * a[size * t + (x + t)];
  if (x == 0) b[y + 1 + t] -= m[size * (y + 1 + t) + t] * b[t];
}

// A multigrid cycle: smooth, restrict to every second point, prolong back.
__global__ void smooth(const float* in, float* out, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= n - 1) return;
  const int c = y * n + x;
  out[c] = in[c] + 0.1f * (in[c - 1] + in[c + 1] + in[c - n] + in[c + n] - 4 * in[c]);
}

__global__ void restrict_half(const float* fine, float* coarse, int n) {  // n: of coarse
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  const int f = 2 * y * (2 * n) + 2 * x;
  coarse[y * n + x] = 0.25f * (fine[f] + fine[f + 1] + fine[f + 2 * n] + fine[f + 2 * n + 1]);
}

__global__ void prolong_twice(const float* coarse, float* fine, int n) {  // n: of fine
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  fine[y * n + x] += coarse[y / 2 * (n / 2) + x / 2];
}

// The neighbours of a point without the point: what blocks read is no box.
__global__ void cross(const float* in, float* out, int n, int rows) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  const int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= n - 1 || y >= rows - 1) return;
  const float* c = in + y * n + x;
  out[y * n + x] = 0.25f * (c[-n] + c[n] + c[-1] + c[1]);
}

// A rectangle somewhere in a matrix.
__global__ void rectangle(const float* in, float* out, int pitch, int left, int top, int width,
                          int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  const int c = (top + y) * pitch + left + x;
  out[c] = in[c] + 1;
}

extern "C" {
const void* gauss_factors_kernel() { return reinterpret_cast<const void*>(gauss_factors); }
const void* gauss_rest_kernel() { return reinterpret_cast<const void*>(gauss_rest); }
const void* smooth_kernel() { return reinterpret_cast<const void*>(smooth); }
const void* restrict_kernel() { return reinterpret_cast<const void*>(restrict_half); }
const void* prolong_kernel() { return reinterpret_cast<const void*>(prolong_twice); }
const void* cross_kernel() { return reinterpret_cast<const void*>(cross); }
const void* rectangle_kernel() { return reinterpret_cast<const void*>(rectangle); }
}
