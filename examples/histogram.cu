// Counts how often each key occurs, with atomics in shared and in global memory.
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
    "usage: histogram [KEYS [BINS [REPEATS]]]\n"
    "Counts KEYS keys (default 16777216) in BINS bins (default 256) REPEATS times (default 10).\n"
    "Up to 12288 bins it also counts in shared memory, one histogram per thread block.\n";
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

__global__ void count_global(const unsigned* keys, size_t n, unsigned* bins) {
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&bins[keys[i]], 1u);
}

__global__ void count_shared(const unsigned* keys, size_t n, unsigned* bins, unsigned bin_count) {
  extern __shared__ unsigned mine[];
  for (unsigned b = threadIdx.x; b < bin_count; b += blockDim.x) mine[b] = 0;
  __syncthreads();
  const size_t stride = size_t(gridDim.x) * blockDim.x;
  for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += stride)
    atomicAdd(&mine[keys[i]], 1u);
  __syncthreads();
  for (unsigned b = threadIdx.x; b < bin_count; b += blockDim.x)
    if (mine[b]) atomicAdd(&bins[b], mine[b]);
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {1 << 24, 256, 10});
  const size_t n = sizes[0], bin_count = sizes[1];
  const size_t key_bytes = n * sizeof(unsigned), bin_bytes = bin_count * sizeof(unsigned);

  // Squaring a random number makes low bins much fuller than high ones.
  std::vector<unsigned> keys(n), want(bin_count, 0);
  unsigned long long random = 88172645463325252ull;
  for (unsigned& key : keys) {
    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
    const double uniform = double(random >> 11) / double(1ull << 53);
    key = unsigned(uniform * uniform * double(bin_count));
    ++want[key];
  }
  unsigned *device_keys, *device_bins;
  CHECK(cudaMalloc(&device_keys, key_bytes));
  CHECK(cudaMalloc(&device_bins, bin_bytes));
  CHECK(cudaMemcpy(device_keys, keys.data(), key_bytes, cudaMemcpyHostToDevice));

  const unsigned block = 256, grid = unsigned(std::min<size_t>((n + block - 1) / block, 512));
  bool right = true;
  const auto measure = [&](const char* name, auto launch) {
    std::vector<unsigned> bins(bin_count, 0xdeadbeef);
    CHECK(cudaMemset(device_bins, 0xff, bin_bytes));
    const double time = milliseconds(sizes[2], [&](long) {
      CHECK(cudaMemsetAsync(device_bins, 0, bin_bytes));
      launch();
    });
    CHECK(cudaMemcpy(bins.data(), device_bins, bin_bytes, cudaMemcpyDeviceToHost));
    printf("%-22s %.3f ms  %.2f GB/s\n", name, time, 1e-6 * key_bytes / time);
    right &= agrees(name, bins, [&](size_t i) { return want[i]; }, [](size_t) { return 0.0; });
  };
  measure("global atomics", [&] { count_global<<<grid, block>>>(device_keys, n, device_bins); });
  if (bin_bytes <= 48 * 1024)
    measure("shared atomics", [&] {
      count_shared<<<grid, block, bin_bytes>>>(device_keys, n, device_bins, unsigned(bin_count));
    });
  CHECK(cudaFree(device_keys));
  CHECK(cudaFree(device_bins));
  if (!right) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
