// Sequences of launches as programs have them, without waits between: what bench/fusion times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     sequences                     names of the cases; `hand` behind a name: there is such a form,
//                                   `moves=N`: a turn as one kernel reads or writes N arrays
//     sequences CASE [apart] [hand] milliseconds of a turn in each of five rounds, then a checksum
//     of all arrays
//
// apart: an event that takes a time ends each turn, so that turns do not become one. hand: one
// kernel, written by hand, in the place of a turn's launches.
// Arrays have 2^25 floats or 6000 x 6000: more than a last cache. `small` is a case whose launches
// dominate.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#define I (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void copy(float* y, const float* x, int n) {
  if (I < n) y[I] = x[I];
}
__global__ void scale(float* y, float a, int n) {
  if (I < n) y[I] *= a;
}
__global__ void axpy(float* y, const float* x, float a, int n) {
  if (I < n) y[I] += a * x[I];
}
__global__ void add(float* z, const float* x, const float* y, int n) {
  if (I < n) z[I] = x[I] + y[I];
}
__global__ void product(float* z, const float* x, const float* y, int n) {
  if (I < n) z[I] = x[I] * y[I];
}

// The same by hand.
__global__ void axpydot_by_hand(float* z, const float* w, const float* v, float* p, const float* u,
                                int n) {
  if (I >= n) return;
  float sum = w[I];
  sum += -0.5f * v[I];
  z[I] = sum;
  p[I] = sum * u[I];
}
__global__ void vadd_by_hand(float* x, const float* w, const float* y, const float* z, int n) {
  if (I < n) x[I] = w[I] + y[I] + z[I];
}
__global__ void waxpby_by_hand(float* w, const float* x, const float* y, int n) {
  if (I >= n) return;
  float sum = x[I];
  sum *= 0.75f;
  sum += 0.25f * y[I];
  w[I] = sum;
}
__global__ void madd_by_hand(float* c, const float* a, const float* b, int n) {
  if (I < n) c[I] = a[I] + b[I];
}

#define X (blockIdx.x * blockDim.x + threadIdx.x)
#define Y (blockIdx.y * blockDim.y + threadIdx.y)

__global__ void jacobi(const float* a, float* b, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  b[i] = 0.25f * (a[i - 1] + a[i + 1] + a[i - nx] + a[i + nx]);
}
/// The pair of Rodinia's srad_v2: coefficients from neighbours, then the image in place from
/// neighbours' coefficients.
__global__ void diffusion(const float* image, float* c, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x >= nx || y >= ny) return;
  const float v = image[i], up = image[y == 0 ? i : i - nx], left = image[x == 0 ? i : i - 1];
  const float g = (up - v) * (up - v) + (left - v) * (left - v);
  c[i] = 1.0f / (1.0f + g);
}
__global__ void smooth(float* image, const float* c, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x >= nx || y >= ny) return;
  const float down = c[y == ny - 1 ? i : i + nx], right = c[x == nx - 1 ? i : i + 1];
  image[i] += 0.1f * (down + right - 2 * c[i]);
}
/// FDTD-2D of PolyBench: three fields in place.
__global__ void step_ey(float* ey, const float* hz, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x < nx && y < ny && y > 0) ey[i] -= 0.5f * (hz[i] - hz[i - nx]);
}
__global__ void step_ex(float* ex, const float* hz, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x < nx && y < ny && x > 0) ex[i] -= 0.5f * (hz[i] - hz[i - 1]);
}
__global__ void step_hz(const float* ex, const float* ey, float* hz, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x < nx - 1 && y < ny - 1) hz[i] -= 0.7f * (ex[i + 1] - ex[i] + ey[i + nx] - ey[i]);
}
/// A phase field with periodic edges: chemical potential, its Laplacian, update, swap by copy.
__device__ float laplacian(const float* a, int x, int y, int nx, int ny) {
  const int up = y == 0 ? ny - 1 : y - 1, down = y == ny - 1 ? 0 : y + 1;
  const int left = x == 0 ? nx - 1 : x - 1, right = x == nx - 1 ? 0 : x + 1;
  return a[up * nx + x] + a[down * nx + x] + a[y * nx + left] + a[y * nx + right] -
         4 * a[y * nx + x];
}
__global__ void potential(const float* c, float* mu, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x < nx && y < ny) mu[i] = c[i] * c[i] * c[i] - c[i] - 0.5f * laplacian(c, x, y, nx, ny);
}
__global__ void advance(const float* c, const float* mu, float* next, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x < nx && y < ny) next[i] = c[i] + 0.01f * laplacian(mu, x, y, nx, ny);
}

/// A column-major matrix.
__global__ void matrix_vector(float* y, const float* m, const float* x, int n) {
  if (I >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += m[(long long)j * n + I] * x[j];
  y[I] = sum;
}

/// Subscripts that only the data knows: whoever writes x comes first as a whole.
__global__ void gather(float* y, const float* x, int n) {
  if (I < n) y[I] += x[((long long)I * 40503 + (x[I] < 0 ? 1 : 0)) % n];
}
/// Conjugate gradients: a matrix by its five-point stencil, sums by blocks and then by one block.
__global__ void apply(float* q, const float* p, int nx, int ny) {
  const int x = X, y = Y, i = y * nx + x;
  if (x >= nx || y >= ny) return;
  const float left = x > 0 ? p[i - 1] : 0, right = x < nx - 1 ? p[i + 1] : 0;
  const float up = y > 0 ? p[i - nx] : 0, down = y < ny - 1 ? p[i + nx] : 0;
  q[i] = 4.01f * p[i] - left - right - up - down;
}
__global__ void dot_of_block(float* parts, const float* x, const float* y, int n) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  sums[t] = I < n ? x[I] * y[I] : 0;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) parts[blockIdx.x] = sums[0];
}
__global__ void sum_of_blocks(float* sum, const float* parts, int n) {
  __shared__ float sums[256];
  const int t = threadIdx.x;
  float mine = 0;
  for (int i = t; i < n; i += 256) mine += parts[i];
  sums[t] = mine;
  __syncthreads();
  for (int half = 128; half > 0; half /= 2) {
    if (t < half) sums[t] += sums[t + half];
    __syncthreads();
  }
  if (t == 0) *sum = sums[0];
}
__global__ void add_product(float* y, const float* x, const float* over, const float* under,
                            float sign, int n) {
  if (I < n) y[I] += sign * (*over / *under) * x[I];
}
__global__ void turn_direction(float* p, const float* r, const float* over, const float* under,
                               int n) {
  if (I < n) p[I] = r[I] + (*over / *under) * p[I];
}

static constexpr int side = 6000, length = 1 << 25;

struct Arrays {
  Arrays(int count, std::size_t size_) : size(size_), memory(count) {
    std::vector<float> values(size);
    for (std::size_t i = 0; i < size; ++i) values[i] = (i * 2654435761u >> 8 & 0xffff) / 65536.f;
    for (float*& one : memory) {
      cudaMalloc(&one, size * sizeof(float));
      cudaMemcpy(one, values.data(), size * sizeof(float), cudaMemcpyHostToDevice);
    }
  }
  float* operator[](int i) { return memory[i]; }
  std::uint64_t sum() {
    std::vector<float> values(size);
    std::uint64_t sum = 0;
    for (float* one : memory) {
      cudaMemcpy(values.data(), one, size * sizeof(float), cudaMemcpyDeviceToHost);
      for (float value : values) {
        std::uint32_t bits;
        std::memcpy(&bits, &value, 4);
        sum = sum * 31 + bits;
      }
    }
    return sum;
  }
  std::size_t size;
  std::vector<float*> memory;
};

struct Case {
  const char* name;
  int arrays;
  std::size_t size;
  int turns;
  void (*turn)(Arrays& a, int n, int turn);
  void (*hand)(Arrays& a, int n, int turn) = nullptr;
  int moves = 0;  // arrays that one kernel reads or writes, of 2^25 floats; 0: not told
};

static dim3 flat_grid(int n) { return (n + 255) / 256; }
static const dim3 block{32, 8}, grid{(side + 31) / 32, (side + 7) / 8};

static void axpydot_natural(Arrays& a, int n, int) {  // z = w - a v; the product of b = z'u
  copy<<<flat_grid(n), 256>>>(a[0], a[1], n);
  axpy<<<flat_grid(n), 256>>>(a[0], a[2], -0.5f, n);
  product<<<flat_grid(n), 256>>>(a[3], a[0], a[4], n);
}
static void vadd(Arrays& a, int n, int) {  // x = w + y + z
  add<<<flat_grid(n), 256>>>(a[0], a[1], a[2], n);
  add<<<flat_grid(n), 256>>>(a[0], a[0], a[3], n);
}
static void waxpby(Arrays& a, int n, int) {  // w = a x + b y
  copy<<<flat_grid(n), 256>>>(a[0], a[1], n);
  scale<<<flat_grid(n), 256>>>(a[0], 0.75f, n);
  axpy<<<flat_grid(n), 256>>>(a[0], a[2], 0.25f, n);
}
static void madd(Arrays& a, int n, int) {  // C = A + B, library style
  copy<<<flat_grid(n), 256>>>(a[0], a[1], n);
  axpy<<<flat_grid(n), 256>>>(a[0], a[2], 1.0f, n);
}
static void jacobi_2d(Arrays& a, int, int turn) {
  jacobi<<<grid, block>>>(a[turn % 2], a[1 - turn % 2], side, side);
}
static void jacobi_copied(Arrays& a, int n, int) {  // the new values are copied back
  jacobi<<<grid, block>>>(a[0], a[1], side, side);
  cudaMemcpyAsync(a[0], a[1], n * sizeof(float), cudaMemcpyDeviceToDevice);
}
static void srad(Arrays& a, int, int) {
  diffusion<<<grid, block>>>(a[0], a[1], side, side);
  smooth<<<grid, block>>>(a[0], a[1], side, side);
}
static void fdtd_2d(Arrays& a, int, int) {
  step_ey<<<grid, block>>>(a[1], a[2], side, side);
  step_ex<<<grid, block>>>(a[0], a[2], side, side);
  step_hz<<<grid, block>>>(a[0], a[1], a[2], side, side);
}
static void cahn_hilliard(Arrays& a, int n, int) {
  potential<<<grid, block>>>(a[0], a[1], side, side);
  advance<<<grid, block>>>(a[0], a[1], a[2], side, side);
  copy<<<flat_grid(n), 256>>>(a[0], a[2], n);
}
static void gathered(Arrays& a, int n, int) {
  scale<<<flat_grid(n), 256>>>(a[0], 0.999f, n);
  axpy<<<flat_grid(n), 256>>>(a[0], a[1], 0.001f, n);
  gather<<<flat_grid(n), 256>>>(a[2], a[0], n);
  scale<<<flat_grid(n), 256>>>(a[2], 0.5f, n);
  axpy<<<flat_grid(n), 256>>>(a[3], a[2], 0.001f, n);
}
static void conjugate_gradients(Arrays& a, int n, int) {
  float *p = a[0], *q = a[1], *x = a[2], *r = a[3], *parts = a[4], *sums = a[5];
  const int blocks = (n + 255) / 256;
  const auto dot = [&](float* sum, const float* one, const float* other) {
    dot_of_block<<<blocks, 256>>>(parts, one, other, n);
    sum_of_blocks<<<1, 256>>>(sum, parts, blocks);
  };
  apply<<<grid, block>>>(q, p, side, side);
  dot(sums + 1, p, q);
  dot(sums, r, r);
  add_product<<<blocks, 256>>>(x, p, sums, sums + 1, 1, n);
  add_product<<<blocks, 256>>>(r, q, sums, sums + 1, -1, n);
  dot(sums + 2, r, r);
  turn_direction<<<blocks, 256>>>(p, r, sums + 2, sums, n);
}
static void copy_alone(Arrays& a, int n, int) {
  cudaMemcpyAsync(a[1], a[0], n * sizeof(float), cudaMemcpyDeviceToDevice);
}
static void sgemv(Arrays& a, int, int) {
  matrix_vector<<<flat_grid(side), 256>>>(a[1], a[0], a[2], side);
  scale<<<flat_grid(side), 256>>>(a[1], 0.75f, side);
}
static void gesummv(Arrays& a, int, int) {  // y = a A x + b B x
  matrix_vector<<<flat_grid(side), 256>>>(a[3], a[0], a[2], side);
  scale<<<flat_grid(side), 256>>>(a[3], 0.75f, side);
  matrix_vector<<<flat_grid(side), 256>>>(a[4], a[1], a[2], side);
  axpy<<<flat_grid(side), 256>>>(a[3], a[4], 0.25f, side);
}
static void scale_alone(Arrays& a, int n, int) { scale<<<flat_grid(n), 256>>>(a[0], 0.999f, n); }

static void axpydot_hand(Arrays& a, int n, int) {
  axpydot_by_hand<<<flat_grid(n), 256>>>(a[0], a[1], a[2], a[3], a[4], n);
}
static void vadd_hand(Arrays& a, int n, int) {
  vadd_by_hand<<<flat_grid(n), 256>>>(a[0], a[1], a[2], a[3], n);
}
static void waxpby_hand(Arrays& a, int n, int) {
  waxpby_by_hand<<<flat_grid(n), 256>>>(a[0], a[1], a[2], n);
}
static void madd_hand(Arrays& a, int n, int) {
  madd_by_hand<<<flat_grid(n), 256>>>(a[0], a[1], a[2], n);
}

static const Case cases[] = {
    {"copy", 2, length, 48, copy_alone, nullptr, 2},
    {"axpydot", 5, length, 16, axpydot_natural, axpydot_hand, 5},
    {"vadd", 4, length, 24, vadd, vadd_hand, 4},
    {"waxpby", 3, length, 24, waxpby, waxpby_hand, 3},
    {"madd", 3, length, 24, madd, madd_hand, 3},
    {"sscal", 1, length, 48, scale_alone, nullptr, 2},
    {"sgemv", 3, std::size_t{side} * side, 24, sgemv},
    {"gesummv", 5, std::size_t{side} * side, 12, gesummv},
    {"jacobi2d", 2, std::size_t{side} * side, 48, jacobi_2d},
    {"jacobi_copied", 2, std::size_t{side} * side, 24, jacobi_copied},
    {"srad", 2, std::size_t{side} * side, 24, srad},
    {"fdtd2d", 3, std::size_t{side} * side, 16, fdtd_2d},
    {"cahn_hilliard", 3, std::size_t{side} * side, 12, cahn_hilliard},
    {"gather", 4, length, 12, gathered},
    {"cg", 6, std::size_t{side} * side, 8, conjugate_gradients},
    {"small", 3, 4096, 4000, waxpby, waxpby_hand},
};

static int run(const Case& one, bool apart, bool by_hand) {
  constexpr int rounds = 5;
  Arrays arrays(one.arrays, one.size);
  cudaEvent_t between;
  cudaEventCreate(&between);
  int turn = 0;
  const auto run_turns = [&](int count) {
    for (int i = 0; i < count; ++i) {
      (by_hand ? one.hand : one.turn)(arrays, static_cast<int>(one.size), turn++);
      if (apart) cudaEventRecord(between);
    }
  };
  // Whoever tries several ways does so before the rounds that count.
  run_turns(2 * one.turns);
  for (int round = 0; round < rounds; ++round) {
    cudaDeviceSynchronize();
    const auto begin = std::chrono::steady_clock::now();
    run_turns(one.turns);
    cudaDeviceSynchronize();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    std::printf("%.4f\n", took.count() / one.turns);
  }
  std::printf("%016llx\n", static_cast<unsigned long long>(arrays.sum()));
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", one.name, cudaGetErrorString(error));
    return 1;
  }
  return 0;
}

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  const auto says = [&](const char* word) {
    return std::find(words.begin(), words.end(), word) != words.end();
  };
  for (const Case& one : cases) {
    if (words.empty()) {
      std::printf("%s%s", one.name, one.hand ? " hand" : "");
      std::printf(one.moves ? " moves=%d\n" : "\n", one.moves);
    }
    if (!words.empty() && words[0] == one.name && (one.hand || !says("hand")))
      return run(one, says("apart"), says("hand"));
  }
  if (!words.empty()) std::fprintf(stderr, "%s: no such case\n", argv[0]);
  return !words.empty();
}
