// Prices European options with the Black-Scholes formula.
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
    "usage: black_scholes [OPTIONS [REPEATS]]\n"
    "Prices OPTIONS calls and puts (default 1048576) REPEATS times (default 10).\n";
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

constexpr float interest = 0.02f, volatility = 0.30f;

__global__ void price(const float* spot, const float* strike, const float* years, float* call,
                      float* put, size_t n) {
  const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const float s = spot[i], x = strike[i], t = years[i];
  const float spread = volatility * sqrtf(t);
  const float d1 = (logf(s / x) + (interest + 0.5f * volatility * volatility) * t) / spread;
  const float d2 = d1 - spread;
  const float discounted = x * expf(-interest * t);
  call[i] = s * normcdff(d1) - discounted * normcdff(d2);
  put[i] = discounted * normcdff(-d2) - s * normcdff(-d1);
}

/// The call's price in double. The put's follows from put-call parity, not from its own formula.
static double reference_call(double s, double x, double t) {
  const auto normal = [](double d) { return 0.5 * std::erfc(-d / std::sqrt(2.0)); };
  const double spread = double(volatility) * std::sqrt(t);
  const double d1 = std::log(s / x) / spread + double(interest) * t / spread + spread / 2;
  return s * normal(d1) - x * std::exp(-double(interest) * t) * normal(d1 - spread);
}

int main(int argc, char** argv) try {
  const auto sizes = sizes_from(argc, argv, {1 << 20, 10});
  const size_t n = sizes[0], bytes = n * sizeof(float);
  std::vector<float> spot(n), strike(n), years(n), call(n, NAN), put(n, NAN);
  for (size_t i = 0; i < n; ++i) {
    spot[i] = 5 + 25 * float(i * 7919 % 10007) / 10007;
    strike[i] = 1 + 99 * float(i * 6101 % 20011) / 20011;
    years[i] = 0.25f + 9.75f * float(i * 4211 % 30011) / 30011;
  }
  float *device_spot, *device_strike, *device_years, *device_call, *device_put;
  CHECK(cudaMalloc(&device_spot, bytes));
  CHECK(cudaMalloc(&device_strike, bytes));
  CHECK(cudaMalloc(&device_years, bytes));
  CHECK(cudaMalloc(&device_call, bytes));
  CHECK(cudaMalloc(&device_put, bytes));
  CHECK(cudaMemcpy(device_spot, spot.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_strike, strike.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_years, years.data(), bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemset(device_call, 0xff, bytes));
  CHECK(cudaMemset(device_put, 0xff, bytes));

  const unsigned block = 128, grid = unsigned((n + block - 1) / block);
  const double time = milliseconds(sizes[1], [&](long) {
    price<<<grid, block>>>(device_spot, device_strike, device_years, device_call, device_put, n);
  });
  CHECK(cudaMemcpy(call.data(), device_call, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(put.data(), device_put, bytes, cudaMemcpyDeviceToHost));
  for (float* array : {device_spot, device_strike, device_years, device_call, device_put})
    CHECK(cudaFree(array));
  printf("%-22s %.3f ms  %.1f million options/s  %.2f GB/s\n", "price", time, 1e-3 * n / time,
         5e-6 * bytes / time);

  std::vector<double> want(n);
  for (size_t i = 0; i < n; ++i) {
    progress(long(i), long(n));
    want[i] = reference_call(spot[i], strike[i], years[i]);
  }
  progress(long(n), long(n));
  // Both terms of a price are rounded at the scale of spot and strike; 16 units in the last place.
  const auto bound = [&](size_t i) { return 16 * 6e-8 * (double(spot[i]) + double(strike[i])); };
  const auto want_put = [&](size_t i) {
    return want[i] - spot[i] + strike[i] * std::exp(-double(interest) * years[i]);
  };
  const bool calls = agrees("call", call, [&](size_t i) { return want[i]; }, bound);
  const bool puts_ = agrees("put", put, want_put, bound);
  if (!calls || !puts_) return 1;
  puts("PASS");
} catch (const std::exception& error) {
  fprintf(stderr, "%s: %s\n", argv[0], error.what());
  return 1;
}
