// Kernels that touch memory in different ways, timed in interpret mode: `kernels NAME`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the milliseconds of processor time that the launches of one kernel take. All is written
// before it is read, and no threads race.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

constexpr int side = 96;            // of matrices and images
constexpr int count = side * side;  // of everything else

__constant__ float weights[25];

__global__ void saxpy(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] += 2 * x[i];
}

__global__ void matmul(const float* a, const float* b, float* c, int n) {
  const int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k] * b[k * n + j];
  c[i * n + j] = sum;
}

__global__ void matmul_tiles(const float* a, const float* b, float* c, int n) {
  __shared__ float s[16][16], t[16][16];
  const int x = threadIdx.x, y = threadIdx.y, i = blockIdx.y * 16 + y, j = blockIdx.x * 16 + x;
  float sum = 0;
  for (int m = 0; m < n; m += 16) {
    s[y][x] = a[i * n + m + x];
    t[y][x] = b[(m + y) * n + j];
    __syncthreads();
    for (int k = 0; k < 16; ++k) sum += s[y][k] * t[k][x];
    __syncthreads();
  }
  c[i * n + j] = sum;
}

__global__ void reduction(const float* x, float* sums, int n) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += x[i];
  part[threadIdx.x] = sum;
  for (int half = 128; half != 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) part[threadIdx.x] += part[threadIdx.x + half];
  }
  if (threadIdx.x == 0) sums[blockIdx.x] = part[0];
}

__global__ void stencil(const float* from, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= n - 1 || y >= n - 1) return;
  const float* const p = from + y * n + x;
  to[y * n + x] = 0.2f * (p[0] + p[-1] + p[1] + p[-n] + p[n]);
}

__global__ void filter(const float* from, float* to, int n) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 2 || y < 2 || x >= n - 2 || y >= n - 2) return;
  float sum = 0;
#pragma unroll 1
  for (int v = 0; v < 5; ++v)
#pragma unroll 1
    for (int u = 0; u < 5; ++u) sum += weights[5 * v + u] * from[(y + v - 2) * n + x + u - 2];
  to[y * n + x] = sum;
}

__global__ void histogram(const unsigned* values, unsigned* bins, int n) {
  __shared__ unsigned own[64];
  if (threadIdx.x < 64) own[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    atomicAdd(&own[values[i] % 64], 1u);
  __syncthreads();
  if (threadIdx.x < 64) atomicAdd(&bins[threadIdx.x], own[threadIdx.x]);
}

__global__ void chase(const unsigned* next, unsigned* ends, int n, int steps) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = i;
  for (int s = 0; s < steps; ++s) at = next[at];
  ends[i] = at;
}

struct Rows {
  const unsigned *begin, *column;
  const float* value;
};

__global__ void sparse(const Rows* rows, const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned k = rows->begin[i]; k < rows->begin[i + 1]; ++k)
    sum += rows->value[k] * x[rows->column[k]];
  y[i] = sum;
}

__global__ void bodies(const float4* body, float3* force, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float3 sum{0, 0, 0};
  for (int k = 0; k < n; ++k) {
    const float dx = body[k].x - body[i].x, dy = body[k].y - body[i].y, dz = body[k].z - body[i].z;
    const float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), s = body[k].w * r * r * r;
    sum.x += dx * s, sum.y += dy * s, sum.z += dz * s;
  }
  force[i] = sum;
}

__global__ void local_sort(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own[16];
  for (int k = 0; k < 16; ++k) own[k] = x[(i * 7 + k * 13) % n];
  for (int k = 1; k < 16; ++k) {
    const float value = own[k];
    int at = k;
    for (; at > 0 && own[at - 1] > value; --at) own[at] = own[at - 1];
    own[at] = value;
  }
  y[i] = own[i % 16];
}

template <class T>
T* device(const std::vector<T>& values) {
  T* memory = nullptr;
  cudaMalloc(&memory, values.size() * sizeof(T));
  cudaMemcpy(memory, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return memory;
}

struct Data {
  float *a, *b, *c;
  unsigned *next, *zeros;
  Rows* rows;
  float4* body;
  float3* force;

  Data() {
    std::vector<float> x(count);
    std::vector<unsigned> u(count), begin(count + 1);
    std::vector<float4> bodies(count);
    for (int i = 0; i < count; ++i) {
      x[i] = float(i * 7919 % 1009) / 1009;
      u[i] = unsigned(i * 4099ll % count);  // 4099 is prime
      begin[i + 1] = begin[i] + 8;
      bodies[i] = {x[i], x[i / 2], x[i / 3], 1};
    }
    a = device(x), b = device(x), c = device(x);
    next = device(u), zeros = device(std::vector<unsigned>(count));
    std::vector<unsigned> columns;
    for (int k = 0; k < 8; ++k) columns.insert(columns.end(), u.begin(), u.end());
    rows = device(std::vector<Rows>{
        {device(begin), device(columns), device(std::vector<float>(8 * count, 1))}});
    body = device(bodies), force = device(std::vector<float3>(count));
    cudaMemcpyToSymbol(weights, x.data(), sizeof weights);
  }

  void launch(const char* name) const {
    const auto is = [&](const char* other) { return std::strcmp(name, other) == 0; };
    const dim3 tiles(side / 16, side / 16), tile(16, 16);
    const int blocks = count / 256;
    if (is("saxpy"))
      for (int k = 0; k < 20; ++k) saxpy<<<blocks, 256>>>(a, b, count);
    else if (is("matmul"))
      for (int k = 0; k < 3; ++k) matmul<<<tiles, tile>>>(a, b, c, side);
    else if (is("matmul_tiles"))
      matmul_tiles<<<tiles, tile>>>(a, b, c, side);
    else if (is("reduction"))
      for (int k = 0; k < 40; ++k) reduction<<<4, 256>>>(a, c, count);
    else if (is("stencil"))
      for (int k = 0; k < 20; ++k) stencil<<<tiles, tile>>>(a, c, side);
    else if (is("filter"))
      for (int k = 0; k < 4; ++k) filter<<<tiles, tile>>>(a, c, side);
    else if (is("histogram"))
      for (int k = 0; k < 10; ++k) histogram<<<4, 256>>>(next, zeros, count);
    else if (is("chase"))
      chase<<<blocks, 256>>>(next, zeros, count, 100);
    else if (is("sparse"))
      for (int k = 0; k < 5; ++k) sparse<<<blocks, 256>>>(rows, a, c, count);
    else if (is("bodies"))
      bodies<<<2, 256>>>(body, force, 512);
    else if (is("local_sort"))
      for (int k = 0; k < 2; ++k) local_sort<<<blocks, 256>>>(a, c, count);
    else
      std::printf("there is no kernel '%s'\n", name), std::exit(1);
    if (const cudaError_t error = cudaDeviceSynchronize())
      std::printf("%s: %s\n", name, cudaGetErrorString(error)), std::exit(1);
  }
};

double processor_time() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return 1e3 * double(now.tv_sec) + 1e-6 * double(now.tv_nsec);
}

}  // namespace

int main(int count, char** names) {
  const Data data;
  for (int i = 1; i < count; ++i) {
    data.launch(names[i]);
    double best = 1e300;
    for (int k = 0; k < 2; ++k) {
      const double start = processor_time();
      data.launch(names[i]);
      best = std::min(best, processor_time() - start);
    }
    std::printf("%s %.3f\n", names[i], best);
  }
}
