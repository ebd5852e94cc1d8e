// Blocks whose rows are shorter than vectors, or no whole warps: threads are numbered through.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | in blocks whose rows are no whole warps (16 x 16, 4 x 4 x 4)
#include "check.h"

constexpr unsigned everybody = 0xffffffffu;

__device__ __noinline__ int place_in_block() {
  return threadIdx.x + 100 * threadIdx.y + 10000 * threadIdx.z;
}

__device__ int linear_thread() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// Neighbours in the warp, votes, and the sum of the block by warps.
__device__ void warps(const int* in, int* out, int* sums) {
  __shared__ int partial[32];
  const int threads = blockDim.x * blockDim.y * blockDim.z, t = linear_thread();
  const int i = blockIdx.x * threads + t;
  const int value = in[i];
  int* mine = out + i * 6;
  mine[0] = __shfl_xor_sync(everybody, value, 5) + int(threadIdx.x);
  mine[1] = __shfl_up_sync(everybody, value, 1, 16) * 3 + int(threadIdx.y);
  mine[2] = int(__ballot_sync(everybody, threadIdx.x % 3 == 1 && value % 2 == 0));
  mine[3] = __shfl_sync(everybody, place_in_block(), 31 - t % 32);
  mine[4] = place_in_block();
  mine[5] = __any_sync(everybody, threadIdx.y == 2 && threadIdx.x == 1);
  int sum = value * int(threadIdx.x + 1) + int(threadIdx.z);
  for (int step = 16; step > 0; step /= 2) sum += __shfl_down_sync(everybody, sum, step);
  if (t % 32 == 0) partial[t / 32] = sum;
  __syncthreads();
  if (t < 32) {
    int all = t < threads / 32 ? partial[t] : 0;
    for (int step = 16; step > 0; step /= 2) all += __shfl_down_sync(everybody, all, step);
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0) sums[blockIdx.x] = all;
  }
}

template <int X, int Y, int Z>
__global__ void warps_of(const int* in, int* out, int* sums) {
  warps(in, out, sums);
}
__global__ void warps_of_any(const int* in, int* out, int* sums) { warps(in, out, sums); }

// Each column from bottom to top, and what the neighbour in the next layer has.
__device__ void columns(const float* in, float* out, int n) {
  __shared__ float tile[1024];
  const int threads = blockDim.x * blockDim.y * blockDim.z, t = linear_thread();
  const int i = blockIdx.x * threads + t;
  float value = i < n ? in[i] : -1.0f;
  for (unsigned r = 0; r < threadIdx.x; ++r) value = value * 0.5f + float(r);
  tile[t] = value;
  __syncthreads();
  const int y = blockDim.y - 1 - threadIdx.y, z = (threadIdx.z + 1) % blockDim.z;
  const float other = tile[threadIdx.x + blockDim.x * (y + blockDim.y * z)];
  __syncthreads();
  tile[t] = other + 2.0f * float(threadIdx.y);
  __syncthreads();
  if (i < n) out[i] = tile[(t + 1) % threads] - value;
}

template <int X, int Y, int Z>
__global__ void columns_of(const float* in, float* out, int n) {
  columns(in, out, n);
}
__global__ void columns_of_any(const float* in, float* out, int n) { columns(in, out, n); }

// No barriers, and no place of which only blockIdx.x * blockDim.x + threadIdx.x matters.
template <int X, int Y>
__global__ void plain_of(const float* in, const float* weights, float* out, int n) {
  const int i = (blockIdx.x * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (unsigned k = 0; k <= threadIdx.y % 8; ++k) sum += weights[threadIdx.x] * in[(i + k) % n];
  out[i] = sum;
}

void test_warps(void (*kernel)(const int*, int*, int*), dim3 block, const char* name) {
  check::Random random(block.x * 7 + block.y);
  const int threads = block.x * block.y * block.z, blocks = 5, n = threads * blocks;
  const auto in = random.integers<int>(n, -1000, 1000);
  check::Array<int> source(in), out(std::vector<int>(n * 6, -9)),
      sums(std::vector<int>(blocks, -9));
  std::vector<int> want(n * 6), want_sums(blocks);
  kernel<<<blocks, block>>>(source.data(), out.data(), sums.data());
  for (int b = 0; b < blocks; ++b)
    for (int t = 0; t < threads; ++t) {
      const int i = b * threads + t, lane = t % 32, first = i - lane;
      auto x = [&](int one) { return one % int(block.x); };
      auto y = [&](int one) { return one / int(block.x) % int(block.y); };
      auto z = [&](int one) { return one / int(block.x * block.y); };
      auto place = [&](int one) { return x(one) + 100 * y(one) + 10000 * z(one); };
      unsigned votes = 0;
      bool any = false;
      for (int l = 0; l < 32; ++l) {
        const int other = t - lane + l;
        votes |= unsigned(x(other) % 3 == 1 && in[first + l] % 2 == 0) << l;
        any |= y(other) == 2 && x(other) == 1;
      }
      int* mine = &want[i * 6];
      mine[0] = in[first + (lane ^ 5)] + x(t);
      mine[1] = in[lane % 16 == 0 ? i : i - 1] * 3 + y(t);
      mine[2] = int(votes);
      mine[3] = place(t - lane + 31 - lane);
      mine[4] = place(t);
      mine[5] = any;
      want_sums[b] += in[i] * (x(t) + 1) + z(t);
    }
  check::equal(name, out.get(), want);
  check::equal(name, sums.get(), want_sums);
}

void test_columns(void (*kernel)(const float*, float*, int), dim3 block, const char* name) {
  check::Random random(block.x + block.z);
  const int X = block.x, Y = block.y, Z = block.z, threads = X * Y * Z, blocks = 3;
  for (int n : {1, threads, threads * 2 + threads / 2 + 1}) {
    const auto in = random.reals<float>(n, -1, 1);
    check::Array<float> source(in), out(std::vector<float>(n, -99));
    kernel<<<blocks, block>>>(source.data(), out.data(), n);
    std::vector<float> want(n, -99);
    for (int b = 0; b < blocks; ++b) {
      std::vector<float> value(threads), moved(threads);
      for (int t = 0; t < threads; ++t) {
        const int i = b * threads + t;
        value[t] = i < n ? in[i] : -1.0f;
        for (int r = 0; r < t % X; ++r) value[t] = value[t] * 0.5f + float(r);
      }
      for (int t = 0; t < threads; ++t) {
        const int x = t % X, y = t / X % Y, z = t / (X * Y);
        moved[t] = value[x + X * (Y - 1 - y + Y * ((z + 1) % Z))] + 2.0f * float(y);
      }
      for (int t = 0; t < threads; ++t)
        if (b * threads + t < n) want[b * threads + t] = moved[(t + 1) % threads] - value[t];
    }
    check::equal(name, out.get(), want);
  }
}

template <int X, int Y>
void test_plain(const char* name) {
  check::Random random(X);
  for (int n : {1, X * Y, 1237}) {
    const int blocks = (n + X * Y - 1) / (X * Y) + 1;
    const auto in = random.integers<int>(n, -50, 50), weights = random.integers<int>(X, -9, 9);
    const std::vector<float> numbers(in.begin(), in.end()), factors(weights.begin(), weights.end());
    check::Array<float> source(numbers), weight(factors), out(std::vector<float>(n, -99));
    plain_of<X, Y><<<blocks, dim3(X, Y)>>>(source.data(), weight.data(), out.data(), n);
    std::vector<float> want(n);
    for (int i = 0; i < n; ++i)
      for (int k = 0; k <= i / X % Y % 8; ++k) want[i] += factors[i % X] * numbers[(i + k) % n];
    check::equal(name, out.get(), want);
  }
}

// Launches whose shapes the compiler can read.
bool never = false;

template <int X, int Y, int Z>
void test() {
  const std::string name = std::to_string(X) + "x" + std::to_string(Y) + "x" + std::to_string(Z);
  if constexpr (X * Y * Z % 32 == 0) {
    if (never) warps_of<X, Y, Z><<<1, dim3(X, Y, Z)>>>(nullptr, nullptr, nullptr);
    test_warps(warps_of<X, Y, Z>, dim3(X, Y, Z), ("warps " + name).c_str());
    test_warps(warps_of_any, dim3(X, Y, Z), ("warps, any, " + name).c_str());
  }
  if (never) columns_of<X, Y, Z><<<1, dim3(X, Y, Z)>>>(nullptr, nullptr, 0);
  test_columns(columns_of<X, Y, Z>, dim3(X, Y, Z), ("columns " + name).c_str());
  test_columns(columns_of_any, dim3(X, Y, Z), ("columns, any, " + name).c_str());
}

int main() {
  test<16, 16, 1>();
  test<8, 8, 1>();
  test<4, 64, 1>();
  test<1, 256, 1>();
  test<4, 4, 4>();
  test<6, 16, 1>();
  test<3, 32, 2>();
  test<5, 7, 3>();
  test<1, 1, 64>();
  test<2, 8, 64>();
  test<48, 2, 1>();
  test<32, 3, 1>();
  test<2, 31, 1>();
  test_plain<4, 64>("plain 4x64");
  test_plain<1, 256>("plain 1x256");
  test_plain<3, 32>("plain 3x32");
  test_plain<7, 9>("plain 7x9");
  return check::finish();
}
