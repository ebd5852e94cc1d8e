// Sums an array with warp shuffles: lanes, then warps, then blocks.
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
    "usage: reduction [ELEMENTS [REPEATS [BLOCK]]]\n"
    "Sums ELEMENTS unsigned ints and as many floats (default 16777216) REPEATS times (default 10)\n"
    "in thread blocks of BLOCK threads (default 256, at most 1024).\n";
constexpr long largest = 2147483647;

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

/// The sum over a warp, in lane 0. `mask` names the lanes that exist.
template <class T>
__device__ T warp_sum(T value, unsigned mask, unsigned lanes) {
  for (unsigned offset = 16; offset > 0; offset /= 2) {
    const T other = __shfl_down_sync(mask, value, offset);
    if (threadIdx.x % 32 + offset < lanes) value += other;
  }
  return value;
}

/// sums[block] = sum of the elements the block's threads stride over. Any block size up to 1024.
template <class T>
__global__ void block_sums(const T* values, T* sums, size_t n) {
  __shared__ T warp_sums[32];
  T mine = 0;
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    mine += values[i];

  const unsigned warp = threadIdx.x / 32, warps = (blockDim.x + 31) / 32;
  const unsigned lanes = warp + 1 < warps ? 32 : blockDim.x - warp * 32;
  mine = warp_sum(mine, lanes == 32 ? 0xffffffffu : (1u << lanes) - 1, lanes);
  if (threadIdx.x % 32 == 0) warp_sums[warp] = mine;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (unsigned w = 1; w < warps; ++w) mine += warp_sums[w];
    sums[blockIdx.x] = mine;
  }
}

/// Sums on the device, then checks every block's sum and the whole against sums in Wide.
template <class T, class Wide>
static bool run(const char* name, size_t n, long repeats, unsigned block, double unit) {
  std::vector<T> values(n);
  for (size_t i = 0; i < n; ++i) values[i] = T(i * 2654435761u % 1000003) / T(unit > 0 ? 997 : 1);
  const unsigned grid = unsigned(std::min<size_t>((n + block - 1) / block, 1024));

  T *device_values, *device_sums;
  CHECK(cudaMalloc(&device_values, n * sizeof(T)));
  CHECK(cudaMalloc(&device_sums, (grid + 1) * sizeof(T)));
  CHECK(cudaMemcpy(device_values, values.data(), n * sizeof(T), cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_sums, 0xff, (grid + 1) * sizeof(T)));
  const double time = milliseconds(repeats, [&](long) {
    block_sums<<<grid, block>>>(device_values, device_sums, n);
    block_sums<<<1, block>>>(device_sums, device_sums + grid, size_t(grid));
  });
  std::vector<T> sums(grid + 1);
  CHECK(cudaMemcpy(sums.data(), device_sums, (grid + 1) * sizeof(T), cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_values));
  CHECK(cudaFree(device_sums));
  printf("%-22s %.3f ms  %.2f GB/s\n", name, time, 1e-6 * n * sizeof(T) / time);

  // All values are positive, so a sum is also the sum of magnitudes its error is measured in.
  std::vector<Wide> want(grid + 1, 0);
  for (size_t i = 0; i < n; ++i) {
    want[i / block % grid] += values[i];
    want[grid] += values[i];
  }
  const double additions = double(n) / (double(grid) * block) + 5 + 32;  // per sum, at most
  return agrees(
      name, sums, [&](size_t i) { return T(want[i]); },
      [&](size_t i) { return unit * (additions + (i == grid) * 1061) * double(want[i]); });
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {1 << 24, 10, 256});
  if (sizes[2] > 1024) {
    fprintf(stderr, "%s: BLOCK is at most 1024 threads\n", argv[0]);
    return 1;
  }
  const unsigned block = unsigned(sizes[2]);
  const bool exact = run<unsigned, unsigned>("unsigned sums", sizes[0], sizes[1], block, 0);
  const bool close = run<float, double>("float sums", sizes[0], sizes[1], block, 6e-8);
  if (!exact || !close) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
