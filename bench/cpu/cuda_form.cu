// The cases as one writes them for a GPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.h"

#include <cuda_runtime.h>

namespace {

/// An array on the device, with its host contents.
template <class T>
class Array {
 public:
  explicit Array(std::size_t count) : count_(count) {
    cudaMalloc(&data_, count * sizeof(T));
    cudaMemset(data_, 0, count * sizeof(T));
  }
  explicit Array(const std::vector<T>& values) : Array(values.size()) {
    cudaMemcpy(data_, values.data(), count_ * sizeof(T), cudaMemcpyHostToDevice);
  }
  ~Array() { cudaFree(data_); }
  operator T*() const { return data_; }
  void report(bench::Run& run) const {
    std::vector<T> values(count_);
    cudaMemcpy(values.data(), data_, count_ * sizeof(T), cudaMemcpyDeviceToHost);
    run.result(values.data(), count_);
  }

 private:
  T* data_ = nullptr;
  std::size_t count_;
};

dim3 blocks(int n, int size) { return dim3((n + size - 1) / size); }
dim3 blocks(int nx, int ny, dim3 size) {
  return dim3((nx + size.x - 1) / size.x, (ny + size.y - 1) / size.y);
}

}  // namespace

__global__ void saxpy(int n, float a, const float* x, float* y) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

CASE(saxpy) {
  const int n = bench::vector;
  Array<float> x(bench::numbers(n, 0, 1)), y(bench::numbers(n, 0, 1, 2));
  run.measure([&] {
    saxpy<<<blocks(n, 256), 256>>>(n, 0.5f, x, y);
    cudaDeviceSynchronize();
  });
  y.report(run);
}

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || col >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[row * n + k] * b[k * n + col];
  c[row * n + col] = sum;
}

constexpr int tile = 16;

__global__ void tiled(const float* a, const float* b, float* c, int n) {
  __shared__ float as[tile][tile], bs[tile][tile];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * tile + ty,
      col = blockIdx.x * tile + tx;
  float sum = 0;
  for (int m = 0; m < n / tile; ++m) {
    as[ty][tx] = a[row * n + m * tile + tx];
    bs[ty][tx] = b[(m * tile + ty) * n + col];
    __syncthreads();
    for (int k = 0; k < tile; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

using Product = void (*)(const float*, const float*, float*, int);

static void multiply(bench::Run& run, Product kernel) {
  const int n = bench::matrix;
  Array<float> a(bench::numbers(n * n, 0, 1)), b(bench::numbers(n * n, 0, 1, 2)), c(n * n);
  const dim3 size(tile, tile);
  run.measure([&] {
    kernel<<<blocks(n, n, size), size>>>(a, b, c, n);
    cudaDeviceSynchronize();
  });
  c.report(run);
}

CASE(matmul) { multiply(run, matmul); }
CASE(tiled) { multiply(run, tiled); }

__global__ void hotspot(const float* power, const float* in, float* out, int n) {
  constexpr float cap = 0.5f, rx = 0.1f, ry = 0.1f, rz = 0.01f;
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float c = in[y * n + x];
  float north = in[max(y - 1, 0) * n + x], south = in[min(y + 1, n - 1) * n + x];
  float west = in[y * n + max(x - 1, 0)], east = in[y * n + min(x + 1, n - 1)];
  out[y * n + x] = c + cap * (power[y * n + x] + (north + south - 2 * c) * ry +
                              (west + east - 2 * c) * rx + (80.0f - c) * rz);
}

CASE(hotspot) {
  const int n = bench::chip;
  Array<float> power(bench::numbers(n * n, 0, 1)), a(bench::numbers(n * n, 70, 90, 2)), b(n * n);
  const dim3 size(32, 8);
  run.measure([&] {
    for (int i = 0; i < bench::hotspot_steps; i += 2) {
      hotspot<<<blocks(n, n, size), size>>>(power, a, b, n);
      hotspot<<<blocks(n, n, size), size>>>(power, b, a, n);
    }
    cudaDeviceSynchronize();
  });
  a.report(run);
}

__global__ void nbody(const float4* bodies, float4* force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    float4 other = bodies[j];
    float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
    float r = rsqrtf(dx * dx + dy * dy + dz * dz + 1e-3f);
    float f = other.w * r * r * r;
    ax += f * dx;
    ay += f * dy;
    az += f * dz;
  }
  force[i] = make_float4(ax, ay, az, 0);
}

CASE(nbody) {
  const int n = bench::bodies;
  Array<float> bodies(bench::numbers(4 * n, 0, 1)), force(4 * n);
  run.measure([&] {
    nbody<<<blocks(n, 256), 256>>>(reinterpret_cast<float4*>(static_cast<float*>(bodies)),
                                   reinterpret_cast<float4*>(static_cast<float*>(force)), n);
    cudaDeviceSynchronize();
  });
  force.report(run);
}

__global__ void block_sums(const int* in, int* out, int n) {
  __shared__ int s[256];
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

CASE(reduction) {
  const int n = bench::sums;
  std::vector<int> values(n);
  for (int i = 0; i < n; ++i) values[i] = i % 1000;
  Array<int> in(values), out(n / 256);
  run.measure([&] {
    block_sums<<<n / 256, 256>>>(in, out, n);
    cudaDeviceSynchronize();
  });
  out.report(run);
}

__global__ void mandelbrot(int* out, int n, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= n || y >= n) return;
  float cr = x * (3.0f / n) - 2, ci = y * (2.0f / n) - 1, zr = 0, zi = 0;
  int i = 0;
  while (i < limit && zr * zr + zi * zi < 4) {
    float t = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = t;
    ++i;
  }
  out[y * n + x] = i;
}

CASE(mandelbrot) {
  const int n = bench::picture;
  Array<int> out(n * n);
  const dim3 size(32, 8);
  run.measure([&] {
    mandelbrot<<<blocks(n, n, size), size>>>(out, n, bench::picture_limit);
    cudaDeviceSynchronize();
  });
  out.report(run);
}

__global__ void spmv(const int* begin, const int* column, const float* value, const float* x,
                     float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int k = begin[i]; k < begin[i + 1]; ++k) sum += value[k] * x[column[k]];
  y[i] = sum;
}

CASE(spmv) {
  const int n = bench::rows;
  const bench::Sparse matrix(n);
  Array<int> begin(matrix.begin), column(matrix.column);
  Array<float> value(matrix.value), x(bench::numbers(n, 0, 1)), y(n);
  run.measure([&] {
    spmv<<<blocks(n, 128), 128>>>(begin, column, value, x, y, n);
    cudaDeviceSynchronize();
  });
  y.report(run);
}

/// One block for each row.
__global__ void softmax(const float* in, float* out, int columns) {
  __shared__ float s[256];
  int t = threadIdx.x;
  const float* row = in + blockIdx.x * columns;
  float most = -1e30f;
  for (int i = t; i < columns; i += blockDim.x) most = fmaxf(most, row[i]);
  s[t] = most;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] = fmaxf(s[t], s[t + d]);
    __syncthreads();
  }
  most = s[0];
  __syncthreads();
  float sum = 0;
  for (int i = t; i < columns; i += blockDim.x) sum += expf(row[i] - most);
  s[t] = sum;
  __syncthreads();
  for (int d = blockDim.x / 2; d > 0; d >>= 1) {
    if (t < d) s[t] += s[t + d];
    __syncthreads();
  }
  sum = s[0];
  for (int i = t; i < columns; i += blockDim.x)
    out[blockIdx.x * columns + i] = expf(row[i] - most) / sum;
}

CASE(softmax) {
  const int rows = bench::softmax_rows, columns = bench::softmax_columns;
  Array<float> in(bench::numbers(rows * columns, -4, 4)), out(rows * columns);
  run.measure([&] {
    softmax<<<rows, 256>>>(in, out, columns);
    cudaDeviceSynchronize();
  });
  out.report(run);
}

int main(int argc, char** argv) { return bench::main(argc, argv); }
