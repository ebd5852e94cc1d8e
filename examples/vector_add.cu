// Adds two vectors: the smallest CUDA program that does something.
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
    "usage: vector_add [ELEMENTS [REPEATS]]\n"
    "Adds two vectors of ELEMENTS floats (default 16777216) REPEATS times (default 10).\n";
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

__global__ void add(const float* a, const float* b, float* sum, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = a[i] + b[i];
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {1 << 24, 10});
  const size_t n = sizes[0], bytes = n * sizeof(float);

  std::vector<float> a(n), b(n), sum(n, NAN);
  for (size_t i = 0; i < n; ++i) {
    a[i] = float(i % 1000) / 7;
    b[i] = float(i % 777) * -3;
  }
  float *device_a, *device_b, *device_sum;
  CHECK(cudaMalloc(&device_a, bytes));
  CHECK(cudaMalloc(&device_b, bytes));
  CHECK(cudaMalloc(&device_sum, bytes));
  CHECK(cudaMemcpy(device_a, a.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_sum, 0xff, bytes));  // all NaN

  const unsigned block = 256, grid = unsigned((n + block - 1) / block);
  const double time = milliseconds(
      sizes[1], [&](long) { add<<<grid, block>>>(device_a, device_b, device_sum, n); });
  CHECK(cudaMemcpy(sum.data(), device_sum, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_sum));

  printf("%-22s %.3f ms  %.2f GB/s\n", "add", time, 3e-6 * bytes / time);
  // A sum of two floats, rounded once: double holds it closely enough for the same rounding.
  const auto want = [&](size_t i) { return float(double(a[i]) + double(b[i])); };
  if (!agrees("sum", sum, want, [](size_t) { return 0.0; })) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
