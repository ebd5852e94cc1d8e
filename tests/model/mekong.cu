// Mekong's benchmarks: N-body, hotspot, matrix multiplication (naive and through shared memory).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__global__ void nbody(const float4* position, float4* velocity, float4* next, int n, float dt) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float4 p = position[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    const float4 q = position[j];
    const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    const float r2 = dx * dx + dy * dy + dz * dz + 0.5f;
    const float s = q.w / (r2 * sqrtf(r2));
    ax += dx * s;
    ay += dy * s;
    az += dz * s;
  }
  float4 v = velocity[i];
  v.x += ax * dt;
  v.y += ay * dt;
  v.z += az * dt;
  velocity[i] = v;
  next[i] = make_float4(p.x + v.x * dt, p.y + v.y * dt, p.z + v.z * dt, p.w);
}

// All bodies pass through shared memory, a block's worth at a time.
__global__ void nbody_tiled(const float4* position, float4* force, int n) {
  extern __shared__ float4 tile[];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float4 p = i < n ? position[i] : make_float4(0, 0, 0, 0);
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += blockDim.x) {
    const int j = start + threadIdx.x;
    tile[threadIdx.x] = j < n ? position[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
    for (int k = 0; k < blockDim.x; ++k) {
      const float4 q = tile[k];
      const float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
      const float r2 = dx * dx + dy * dy + dz * dz + 0.5f;
      const float s = q.w / (r2 * sqrtf(r2));
      ax += dx * s;
      ay += dy * s;
      az += dz * s;
    }
    __syncthreads();
  }
  if (i < n) force[i] = make_float4(ax, ay, az, 0);
}

__global__ void hotspot(const float* power, const float* in, float* out, int rows, int columns,
                        float cap, float rx, float ry, float rz) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= columns || y >= rows) return;
  const int north = max(y - 1, 0), south = min(y + 1, rows - 1);
  const int west = max(x - 1, 0), east = min(x + 1, columns - 1);
  const float c = in[y * columns + x];
  const float v = in[north * columns + x] + in[south * columns + x] - 2 * c;
  const float h = in[y * columns + west] + in[y * columns + east] - 2 * c;
  out[y * columns + x] = c + cap * (power[y * columns + x] + v * ry + h * rx + (80.0f - c) * rz);
}

// C[rows][columns] = A[rows][inner] * B[inner][columns]
__global__ void matmul_naive(const float* A, const float* B, float* C, int rows, int inner,
                             int columns) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < columns) {
    float sum = 0;
    for (int k = 0; k < inner; ++k) sum += A[row * inner + k] * B[k * columns + column];
    C[row * columns + column] = sum;
  }
}

constexpr int tile_size = 8;

__global__ void matmul_tiled(const float* A, const float* B, float* C, int rows, int inner,
                             int columns) {
  __shared__ float a[tile_size][tile_size], b[tile_size][tile_size];
  const int tx = threadIdx.x, ty = threadIdx.y;
  const int column = blockIdx.x * tile_size + tx;
  const int row = blockIdx.y * tile_size + ty;
  float sum = 0;
  for (int t = 0; t < inner; t += tile_size) {
    a[ty][tx] = row < rows && t + tx < inner ? A[row * inner + t + tx] : 0;
    b[ty][tx] = t + ty < inner && column < columns ? B[(t + ty) * columns + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile_size; ++k) sum += a[ty][k] * b[k][tx];
    __syncthreads();
  }
  if (row < rows && column < columns) C[row * columns + column] = sum;
}

static void test_nbody(Random& random, int n, unsigned block) {
  const float dt = 0.25f;
  vector<float4> position(n), velocity(n), next(n), force(n);
  for (auto& p : position)
    p = make_float4(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), random.real(0, 1));
  for (auto& v : velocity)
    v = make_float4(random.real(-1, 1), random.real(-1, 1), random.real(-1, 1), 7);
  Array<float4> d_position(position), d_velocity(velocity), d_next(n), d_force(n);
  nbody<<<blocks(n, block), block>>>(d_position.data(), d_velocity.data(), d_next.data(), n, dt);
  nbody_tiled<<<blocks(n, block), block, block * sizeof(float4)>>>(d_position.data(),
                                                                   d_force.data(), n);
  for (int i = 0; i < n; ++i) {
    double a[3] = {};
    for (int j = 0; j < n; ++j) {
      const double d[3] = {double(position[j].x) - position[i].x,
                           double(position[j].y) - position[i].y,
                           double(position[j].z) - position[i].z};
      const double r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.5;
      for (int c = 0; c < 3; ++c) a[c] += d[c] * position[j].w / (r2 * std::sqrt(r2));
    }
    force[i] = make_float4(a[0], a[1], a[2], 0);
    velocity[i].x += a[0] * dt;
    velocity[i].y += a[1] * dt;
    velocity[i].z += a[2] * dt;
    next[i] = make_float4(position[i].x + velocity[i].x * dt, position[i].y + velocity[i].y * dt,
                          position[i].z + velocity[i].z * dt, position[i].w);
  }
  const auto flat = [](const vector<float4>& v) {
    vector<float> f(4 * v.size());
    std::memcpy(f.data(), v.data(), f.size() * sizeof(float));
    return f;
  };
  near("nbody velocity", flat(d_velocity.get()), flat(velocity), 1e-4);
  near("nbody next", flat(d_next.get()), flat(next), 1e-4);
  near("nbody_tiled", flat(d_force.get()), flat(force), 1e-4);
}

static void test_hotspot(Random& random, int rows, int columns, dim3 block) {
  const size_t n = size_t(rows) * columns;
  const auto power = random.reals<float>(n, 0, 1);
  auto in = random.reals<float>(n, 70, 90);
  vector<float> want(n);
  Array<float> d_power(power), d_a(in), d_b(n);
  float *from = d_a.data(), *to = d_b.data();
  for (int step = 0; step < 3; ++step) {
    hotspot<<<blocks(columns, rows, block), block>>>(d_power.data(), from, to, rows, columns, 0.5f,
                                                     0.25f, 0.125f, 0.0625f);
    std::swap(from, to);
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < columns; ++x) {
        const auto at = [&](int r, int c) {
          r = std::min(std::max(r, 0), rows - 1);
          c = std::min(std::max(c, 0), columns - 1);
          return in[size_t(r) * columns + c];
        };
        const float c = at(y, x);
        want[size_t(y) * columns + x] =
            c + 0.5f * (power[size_t(y) * columns + x] +
                        (at(y - 1, x) + at(y + 1, x) - 2 * c) * 0.125f +
                        (at(y, x - 1) + at(y, x + 1) - 2 * c) * 0.25f + (80 - c) * 0.0625f);
      }
    std::swap(in, want);
  }
  near("hotspot", d_b.get(), in, 1e-5);
}

static void test_matmul(Random& random, int rows, int inner, int columns, dim3 block) {
  const auto a = small<float>(random, size_t(rows) * inner);
  const auto b = small<float>(random, size_t(inner) * columns);
  vector<float> c(size_t(rows) * columns);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j)
      for (int k = 0; k < inner; ++k) c[i * columns + j] += a[i * inner + k] * b[k * columns + j];
  Array<float> d_a(a), d_b(b), d_naive(c.size()), d_tiled(c.size());
  matmul_naive<<<blocks(columns, rows, block), block>>>(d_a.data(), d_b.data(), d_naive.data(),
                                                        rows, inner, columns);
  const dim3 tile(tile_size, tile_size);
  matmul_tiled<<<blocks(columns, rows, tile), tile>>>(d_a.data(), d_b.data(), d_tiled.data(), rows,
                                                      inner, columns);
  equal("matmul_naive", d_naive.get(), c);
  equal("matmul_tiled", d_tiled.get(), c);
}

int main() {
  Random random(1);
  test_nbody(random, 1, 32);
  test_nbody(random, 131, 32);
  test_nbody(random, 64, 19);
  test_hotspot(random, 1, 1, dim3(8, 4));
  test_hotspot(random, 37, 53, dim3(16, 4));
  test_hotspot(random, 29, 1, dim3(5, 3));
  test_matmul(random, 1, 1, 1, dim3(4, 4));
  test_matmul(random, 23, 31, 17, dim3(7, 5));
  test_matmul(random, 16, 8, 40, dim3(16, 16));
  return check::finish();
}
