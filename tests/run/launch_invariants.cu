// Numbers that are the same for all blocks of a launch, which are computed before the first.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | work on arguments, constant memory and the launch's shape that all blocks of a launch share: roots, powers, divisions, also by zero, and under conditions
#include "check.h"

#include <algorithm>
#include <climits>
#include <deque>

namespace {

constexpr int blocks = 23;

/// Turns a block's numbers round, so that it has barriers and runs alone.
template <class T>
__device__ T turned(T mine) {
  __shared__ T all[256];
  all[threadIdx.x] = mine;
  __syncthreads();
  return all[blockDim.x - 1 - threadIdx.x];
}

template <class T>
std::vector<T> turned(std::vector<T> values, int threads) {
  for (std::size_t b = 0; b < values.size(); b += threads)
    std::reverse(values.begin() + b, values.begin() + b + threads);
  return values;
}

__global__ void discount(const float* in, float* out, float rate, float years) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = turned(in[i] * expf(-rate * years) / powf(1 + rate, years)) + sqrtf(years);
}

__global__ void discount_alone(const float* in, float* out, float rate, float years, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] * expf(-rate * years) / powf(1 + rate, years) + sqrtf(years);
}

void test_floats(int threads) {
  const int n = blocks * threads;
  const auto in = check::Random(threads).reals<float>(n, -9, 9);
  check::Array<float> from(in), to(std::vector<float>(n, 0)), also(std::vector<float>(n, 0));
  // Launches follow one another without waiting; each has numbers of its own.
  for (float rate : {0.03f, 0.5f, 0.0f}) {
    const float years = 2.5f + rate;
    discount<<<blocks, threads>>>(from.data(), to.data(), rate, years);
    discount_alone<<<blocks, threads>>>(from.data(), also.data(), rate, years, n - 3);
    std::vector<float> want(n), flat(n);
    for (int i = 0; i < n; ++i)
      want[i] = static_cast<float>(in[i] * std::exp(-double{rate} * years) /
                                   std::pow(1 + double{rate}, double{years}));
    flat = want;
    want = turned(want, threads);
    for (float& one : want) one += std::sqrt(years);
    for (int i = 0; i < n; ++i) flat[i] = i < n - 3 ? flat[i] + std::sqrt(years) : 0;
    check::near("discount", to.get(), want, 1e-6);
    check::near("without barriers", also.get(), flat, 1e-6);
  }
}

/// With zero, and what overflows: CUDA's divisions have results.
__global__ void quotients(const int* in, long long* out, int n, int d, unsigned long long big,
                          unsigned long long by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  long long sum = in[i];
  if (d != 0) sum += n / d + 3ll * (n % d);
  if (by > 1) sum += static_cast<long long>(big / by - big % by);
  out[i] = turned(sum) + (d == 0 ? -1 : static_cast<unsigned>(n) / static_cast<unsigned>(d));
}

void test_quotients(int threads) {
  const int n = blocks * threads;
  const auto in = check::Random(threads).integers<int>(n, -99, 99);
  check::Array<int> from(in);
  check::Array<long long> to(std::vector<long long>(n, -7));
  struct {
    int n, d;
    unsigned long long big, by;
  } cases[] = {{1000, 7, 1ull << 60, 13},  {-1000, 7, 5, 0}, {INT_MAX, -1, 5, 1},
               {77, 0, ~0ull, 1ull << 40}, {0, -3, 0, 1000}, {INT_MIN, 3, 99, 98}};
  for (auto [a, d, big, by] : cases) {
    quotients<<<blocks, threads>>>(from.data(), to.data(), a, d, big, by);
    std::vector<long long> want(in.begin(), in.end());
    for (long long& one : want) {
      if (d != 0) one += a / d + 3ll * (a % d);
      if (by > 1) one += static_cast<long long>(big / by - big % by);
    }
    want = turned(want, threads);
    for (long long& one : want)
      one += d == 0 ? -1 : static_cast<unsigned>(a) / static_cast<unsigned>(d);
    check::equal("quotients", to.get(), want);
  }
}

enum Mode { plain, power, root };
struct Options {
  double base, exponent;
  Mode mode;
  float weights[3];
};

/// Which numbers are wanted depends on the launch; the parameter is changed, too.
__global__ void by_mode(const double* in, double* out, Options options) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double factor = 1;
  if (options.mode == power)
    factor = pow(options.base, options.exponent);
  else if (options.mode == root)
    factor = exp(options.exponent) / sqrt(options.base);
  if (blockIdx.x % 2 == 1) options.weights[1] = 5;
  const float all = options.weights[0] * options.weights[2] / options.weights[1];
  out[i] = turned(in[i] * factor) + all;
}

void test_modes(int threads) {
  const int n = blocks * threads;
  const auto in = check::Random(threads).reals<double>(n, -9, 9);
  check::Array<double> from(in), to(std::vector<double>(n, 0));
  for (Mode mode : {plain, power, root}) {
    const Options options{1.5 + mode, 2.25, mode, {2, 4, 10}};
    by_mode<<<blocks, threads>>>(from.data(), to.data(), options);
    const double factor = mode == plain   ? 1
                          : mode == power ? std::pow(options.base, options.exponent)
                                          : std::exp(options.exponent) / std::sqrt(options.base);
    std::vector<double> want = turned(in, threads);
    for (int i = 0; i < n; ++i) want[i] = want[i] * factor + (i / threads % 2 == 1 ? 4 : 5);
    check::near("modes", to.get(), want, 1e-12);
  }
}

__constant__ float coefficients[5] = {1, 2, 3, 4, 5};
__device__ float variable = 8;

/// One is the same during a launch; the other is written.
__global__ void with_constants(const float* in, float* out, int k) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float scale = coefficients[0] / coefficients[3] + sqrtf(coefficients[4]);
  const float chosen = k >= 0 && k < 5 ? 1 / coefficients[k] : 0;
  out[i] = turned(in[i] * scale) + chosen;
}

__global__ void next(float* out, int n) {
  const float before = sqrtf(variable) / 2;
  out[threadIdx.x] = turned(before);
  if (threadIdx.x == 0) variable = before * n;
}

void test_symbols(int threads) {
  const int n = blocks * threads;
  const auto in = check::Random(threads).reals<float>(n, -9, 9);
  check::Array<float> from(in), to(std::vector<float>(n, 0));
  std::vector<float> host{1, 2, 3, 4, 5};
  for (int round = 0; round < 3; ++round) {
    for (float& one : host) one += 0.5f * round;
    CUDA_OK(cudaMemcpyToSymbol(coefficients, host.data(), 5 * sizeof(float)));
    for (int k : {-1, 2, 5, 1 << 30}) {
      with_constants<<<blocks, threads>>>(from.data(), to.data(), k);
      std::vector<float> want = turned(in, threads);
      for (float& one : want)
        one = one * (host[0] / host[3] + std::sqrt(host[4])) + (k >= 0 && k < 5 ? 1 / host[k] : 0);
      check::near("constants", to.get(), want, 1e-6);
    }
  }
  float value = 8;
  CUDA_OK(cudaMemcpyToSymbol(variable, &value, sizeof value));
  check::Array<float> some(std::vector<float>(threads, 0.0f));
  for (int round = 0; round < 4; ++round) {
    next<<<1, threads>>>(some.data(), round + 3);
    value = std::sqrt(value) / 2;
    check::near("variable", some.get(), std::vector<float>(threads, value), 1e-6);
    value *= round + 3;
  }
}

/// Of the launch's shape.
__global__ void share(double* out, int total) {
  const int i = (blockIdx.y * gridDim.x + blockIdx.x) * blockDim.x + threadIdx.x;
  const int each = total / (gridDim.x * gridDim.y * blockDim.x);
  out[i] = turned(i * 1.0) * each + total / (gridDim.x * 1.0 * blockDim.x);
}

void test_shapes(int threads) {
  for (dim3 grid : {dim3(5, 3), dim3(1, 1), dim3(2, 7)}) {
    const int width = static_cast<int>(grid.x), n = width * static_cast<int>(grid.y) * threads;
    check::Array<double> to(std::vector<double>(n, -1));
    share<<<grid, threads>>>(to.data(), 1000000);
    const auto got = to.get();
    for (int i = 0; i < n; ++i) {
      const int first = i / threads * threads;
      const double want = 1.0 * (first + threads - 1 - (i - first)) * (1000000 / n) +
                          1000000 / (width * 1.0 * threads);
      if (!CHECK(std::fabs(got[i] - want) <= 1e-9 * want)) return;
    }
  }
}

/// Warps have skeletons of their own.
__global__ void warps(const int* in, int* out, int n, int d) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int sum = in[i] * (n / d);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(~0u, sum, step);
  out[i] = sum + n % d;
}

void test_warps(int threads) {
  const int n = blocks * threads;
  const auto in = check::Random(threads).integers<int>(n, -99, 99);
  check::Array<int> from(in), to(std::vector<int>(n, 0));
  warps<<<blocks, threads>>>(from.data(), to.data(), 1234, 17);
  const auto got = to.get();
  for (int i = 0; i < n; ++i) {
    int sum = 0;
    for (int lane = 0; lane < 32; ++lane) sum += in[i / 32 * 32 + lane] * (1234 / 17);
    if (!CHECK_EQ(got[i], sum + 1234 % 17)) return;
  }
}

/// Each launch has its own numbers, also beside others.
void test_streams() {
  constexpr int threads = 64, n = blocks * threads, streams = 4;
  const auto in = check::Random(3).integers<int>(n, -99, 99);
  check::Array<int> from(in);
  cudaStream_t stream[streams];
  std::deque<check::Array<int>> to;
  for (int s = 0; s < streams; ++s) {
    CUDA_OK(cudaStreamCreateWithFlags(&stream[s], cudaStreamNonBlocking));
    to.emplace_back(std::vector<int>(n));
  }
  for (int round = 0; round < 20; ++round)
    for (int s = 0; s < streams; ++s)
      warps<<<blocks, threads, 0, stream[s]>>>(from.data(), to[s].data(), 1000 * s + round, 7);
  for (int s = 0; s < streams; ++s) {
    CUDA_OK(cudaStreamSynchronize(stream[s]));
    const auto got = to[s].get();
    const int last = 1000 * s + 19;
    for (int i = 0; i < n; ++i) {
      int sum = 0;
      for (int lane = 0; lane < 32; ++lane) sum += in[i / 32 * 32 + lane] * (last / 7);
      if (!CHECK_EQ(got[i], sum + last % 7)) return;
    }
    CUDA_OK(cudaStreamDestroy(stream[s]));
  }
}

}  // namespace

int main() {
  for (int threads : {64, 37, 1, 256}) {
    test_floats(threads);
    test_quotients(threads);
    test_modes(threads);
    test_symbols(threads);
    test_shapes(threads);
  }
  for (int threads : {32, 96}) test_warps(threads);
  test_streams();
  KERNEL_OK();
  return check::finish();
}
