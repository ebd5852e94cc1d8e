// Multiplies two matrices, directly and through tiles in shared memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <vector>

static const char usage[] =
    "usage: matmul [M [N [K [REPEATS]]]]\n"
    "C = A B with A of M x K and B of K x N floats (default 512 each), REPEATS times (default "
    "3).\n";
constexpr long largest = 1 << 19;

#define CHECK(call) check((call), #call, __LINE__)

static void check(cudaError_t status, const char* call, int line) {
  if (status == cudaSuccess) return;
  fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, line, call, cudaGetErrorString(status));
  exit(1);
}

/// Sizes from the command line, in order, over the defaults; one error line for anything else.
static std::vector<long> sizes_from(int argc, char** argv, std::vector<long> sizes) {
  for (int i = 1; i < argc; ++i) {
    if (!strcmp(argv[i], "--help")) exit(fputs(usage, stdout) < 0);
    char* end = argv[i];
    const long value = strtol(argv[i], &end, 10);
    if (i <= int(sizes.size()) && end != argv[i] && !*end && value > 0 && value <= largest) {
      sizes[i - 1] = value;
      continue;
    }
    fprintf(stderr, "%s: bad argument '%s' (sizes are 1 to %ld; see --help)\n", argv[0], argv[i],
            largest);
    exit(1);
  }
  return sizes;
}

/// On a terminal, after two seconds, shows how far the work has come.
static void progress(long done, long total) {
  static time_t start;
  if (done == 0) start = time(nullptr);
  if ((done < total && done % (total / 50 + 1)) || !isatty(STDERR_FILENO)) return;
  CHECK(cudaDeviceSynchronize());
  if (time(nullptr) - start < 2) return;
  const int filled = int(done * 50 / total);
  fprintf(stderr, "\r[%.*s%*s] %3ld%%", filled,
          "##################################################", 50 - filled, "",
          done * 100 / total);
  if (done == total) fputs("\r\033[K", stderr);
}

/// Milliseconds that one of `count` calls of `work` takes, measured with CUDA events.
template <class Work>
static double milliseconds(long count, Work work) {
  cudaEvent_t begin, end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin));
  for (long i = 0; i < count; ++i) {
    progress(i, count);
    work(i);
    CHECK(cudaGetLastError());
  }
  CHECK(cudaEventRecord(end));
  CHECK(cudaEventSynchronize(end));
  progress(count, count);
  float total = 0;
  CHECK(cudaEventElapsedTime(&total, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return total / count;
}

/// Compares element by element with `want(i)`, at most `bound(i)` away; names the first difference.
template <class T, class Want, class Bound>
static bool agrees(const char* what, const std::vector<T>& got, Want want, Bound bound) {
  size_t wrong = 0;
  double worst = 0;
  for (size_t i = 0; i < got.size(); ++i) {
    const double error = std::fabs(double(got[i]) - double(want(i)));
    if (error > worst) worst = error;
    if (error <= bound(i)) continue;  // a NaN is wrong too
    if (wrong++ == 0)
      fprintf(stderr, "%s[%zu] is %.9g, reference %.9g\n", what, i, double(got[i]),
              double(want(i)));
  }
  if (wrong)
    fprintf(stderr, "%s: %zu of %zu elements are wrong\n", what, wrong, got.size());
  else
    printf("%-22s %zu elements agree, largest error %.2g\n", what, got.size(), worst);
  return wrong == 0;
}

constexpr int tile_side = 16;

__global__ void multiply_naive(const float* a, const float* b, float* c, int m, int n, int k) {
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || column >= n) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[size_t(row) * k + i] * b[size_t(i) * n + column];
  c[size_t(row) * n + column] = sum;
}

__global__ void multiply_tiled(const float* a, const float* b, float* c, int m, int n, int k) {
  __shared__ float tile_a[tile_side][tile_side], tile_b[tile_side][tile_side];
  const int x = threadIdx.x, y = threadIdx.y;
  const int column = blockIdx.x * tile_side + x, row = blockIdx.y * tile_side + y;
  float sum = 0;
  for (int first = 0; first < k; first += tile_side) {
    tile_a[y][x] = row < m && first + x < k ? a[size_t(row) * k + first + x] : 0;
    tile_b[y][x] = column < n && first + y < k ? b[size_t(first + y) * n + column] : 0;
    __syncthreads();
    for (int i = 0; i < tile_side; ++i) sum += tile_a[y][i] * tile_b[i][x];
    __syncthreads();
  }
  if (row < m && column < n) c[size_t(row) * n + column] = sum;
}

/// want = A B in double, and magnitude = |A| |B|, which the rounding error of a sum is measured in.
static void reference(const std::vector<float>& a, const std::vector<float>& b, size_t m, size_t n,
                      size_t k, std::vector<double>& want, std::vector<double>& magnitude) {
  for (size_t row = 0; row < m; ++row) {
    progress(long(row), long(m));
    for (size_t i = 0; i < k; ++i) {
      const double left = a[row * k + i];
      for (size_t column = 0; column < n; ++column) {
        const double product = left * b[i * n + column];
        want[row * n + column] += product;
        magnitude[row * n + column] += std::fabs(product);
      }
    }
  }
  progress(long(m), long(m));
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {512, 512, 512, 3});
  const size_t m = sizes[0], n = sizes[1], k = sizes[2];
  std::vector<float> a(m * k), b(k * n), c(m * n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i * 7919 % 2003) / 1000 - 1;
  for (size_t i = 0; i < b.size(); ++i) b[i] = float(i * 6101 % 1999) / 1000 - 1;
  float *device_a, *device_b, *device_c;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(float)));
  CHECK(cudaMalloc(&device_c, c.size() * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(float), cudaMemcpyHostToDevice));

  std::vector<double> want(m * n, 0), magnitude(m * n, 0);
  reference(a, b, m, n, k, want, magnitude);

  const dim3 block(tile_side, tile_side);
  const dim3 grid(unsigned(n + tile_side - 1) / tile_side, unsigned(m + tile_side - 1) / tile_side);
  bool right = true;
  const auto measure = [&](const char* name, auto kernel) {
    CHECK(cudaMemset(device_c, 0xff, c.size() * sizeof(float)));
    const double time = milliseconds(sizes[3], [&](long) {
      kernel<<<grid, block>>>(device_a, device_b, device_c, int(m), int(n), int(k));
    });
    CHECK(cudaMemcpy(c.data(), device_c, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
    printf("%-22s %.3f ms  %.2f GFLOP/s\n", name, time, 2e-6 * m * n * k / time);
    right &= agrees(
        name, c, [&](size_t i) { return want[i]; },
        [&](size_t i) { return double(k + 1) * 6e-8 * magnitude[i]; });
  };
  measure("naive", multiply_naive);
  measure("tiled", multiply_tiled);
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_c));
  if (!right) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
