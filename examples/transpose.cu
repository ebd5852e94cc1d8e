// Transposes a matrix, directly and through tiles in shared memory.
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
    "usage: transpose [ROWS [COLUMNS [REPEATS]]]\n"
    "Transposes a ROWS x COLUMNS matrix of floats (default 2048 x 2048) REPEATS times (default "
    "10).\n";
constexpr long largest = 1 << 20;

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

constexpr int tile_side = 32;
constexpr int tile_rows = 8;  // threads of a block along y; each moves tile_side / tile_rows rows

__global__ void transpose_direct(const float* in, float* out, int rows, int columns) {
  const int x = blockIdx.x * tile_side + threadIdx.x;
  const int y = blockIdx.y * tile_side + threadIdx.y;
  for (int dy = 0; dy < tile_side; dy += tile_rows)
    if (x < columns && y + dy < rows)
      out[size_t(x) * rows + y + dy] = in[size_t(y + dy) * columns + x];
}

__global__ void transpose_tiled(const float* in, float* out, int rows, int columns) {
  __shared__ float tile[tile_side][tile_side + 1];  // one more column: no bank conflicts
  int x = blockIdx.x * tile_side + threadIdx.x;
  int y = blockIdx.y * tile_side + threadIdx.y;
  for (int dy = 0; dy < tile_side; dy += tile_rows)
    if (x < columns && y + dy < rows)
      tile[threadIdx.y + dy][threadIdx.x] = in[size_t(y + dy) * columns + x];
  __syncthreads();
  x = blockIdx.y * tile_side + threadIdx.x;  // now a column of the transposed matrix
  y = blockIdx.x * tile_side + threadIdx.y;
  for (int dy = 0; dy < tile_side; dy += tile_rows)
    if (x < rows && y + dy < columns)
      out[size_t(y + dy) * rows + x] = tile[threadIdx.x][threadIdx.y + dy];
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {2048, 2048, 10});
  const int rows = int(sizes[0]), columns = int(sizes[1]);
  const size_t n = size_t(rows) * columns, bytes = n * sizeof(float);

  std::vector<float> in(n), out(n);
  for (size_t i = 0; i < n; ++i) in[i] = float(i % 16777213);  // exact in a float
  float *device_in, *device_out;
  CHECK(cudaMalloc(&device_in, bytes));
  CHECK(cudaMalloc(&device_out, bytes));
  CHECK(cudaMemcpy(device_in, in.data(), bytes, cudaMemcpyHostToDevice));

  const dim3 block(tile_side, tile_rows);
  const dim3 grid((columns + tile_side - 1) / tile_side, (rows + tile_side - 1) / tile_side);
  bool right = true;
  const auto measure = [&](const char* name, auto kernel) {
    CHECK(cudaMemset(device_out, 0xff, bytes));
    const double time = milliseconds(
        sizes[2], [&](long) { kernel<<<grid, block>>>(device_in, device_out, rows, columns); });
    CHECK(cudaMemcpy(out.data(), device_out, bytes, cudaMemcpyDeviceToHost));
    printf("%-22s %.3f ms  %.2f GB/s\n", name, time, 2e-6 * bytes / time);
    const auto want = [&](size_t i) { return in[i % rows * columns + i / rows]; };
    right &= agrees(name, out, want, [](size_t) { return 0.0; });
  };
  measure("direct", transpose_direct);
  measure("tiled", transpose_tiled);
  CHECK(cudaFree(device_in));
  CHECK(cudaFree(device_out));
  if (!right) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
