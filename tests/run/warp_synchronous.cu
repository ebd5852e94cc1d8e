// Programs that count on the lanes of a warp being in step, without volatile and __syncwarp.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Forward progress | warp-synchronous code on plain shared memory
//
// By CUDA's rules all of these are races (the interpreter says so); GPUs give what is asked for
// here.
#include "check.h"

#include <algorithm>

// CloverLeaf's form: a template that calls itself, the last steps without a barrier.
template <class T, int offset>
struct Fold {
  static __device__ void run(T* cells, T* out) {
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    if (offset > 16) __syncthreads();
    if (t < offset) {
      cells[t] = cells[t] + cells[t + offset];
      Fold<T, offset / 2>::run(cells, out);
    }
  }
};
template <class T>
struct Fold<T, 0> {
  static __device__ void run(T* cells, T* out) { out[blockIdx.x] = cells[0]; }
};

template <class T, int threads>
__global__ void recursive(const T* in, T* out) {
  __shared__ T cells[threads];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  cells[t] = in[blockIdx.x * threads + t];
  Fold<T, threads / 2>::run(cells, out);
}

// The other CloverLeaf's: the least value, and of several warps each its own.
template <int offset>
struct Least {
  static __device__ void run(double* cells, int lane) {
    if (lane < offset) {
      cells[lane] = cells[lane] < cells[lane + offset] ? cells[lane] : cells[lane + offset];
      Least<offset / 2>::run(cells, lane);
    }
  }
};
template <>
struct Least<0> {
  static __device__ void run(double*, int) {}
};

__global__ void least_of_warps(const double* in, double* out, int warps) {
  extern __shared__ double dynamic[];
  const int t = threadIdx.x, lane = t % 32;
  dynamic[t] = in[blockIdx.x * blockDim.x + t];
  Least<16>::run(dynamic + t / 32 * 32, lane);
  __syncthreads();
  if (t < warps) out[blockIdx.x * warps + t] = dynamic[t * 32];
}

// Unrolled by hand, all lanes of the warp; the rest of the kernel has barriers.
__device__ void add_up(int* cells, int t) {
  cells[t] += cells[t + 32];
  cells[t] += cells[t + 16];
  cells[t] += cells[t + 8];
  cells[t] += cells[t + 4];
  cells[t] += cells[t + 2];
  cells[t] += cells[t + 1];
}

__global__ void unrolled(const int* in, int* out, int n) {
  __shared__ int cells[256], total;
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = blockIdx.x * blockDim.x + t; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  cells[t] = sum;
  __syncthreads();
  for (int o = 128; o > 32; o /= 2) {
    if (t < o) cells[t] += cells[t + o];
    __syncthreads();
  }
  if (t < 32) add_up(cells, t);
  if (t == 0) total = cells[0];
  __syncthreads();
  for (int i = t; i < 300; i += blockDim.x) out[blockIdx.x * 300 + i] = total + i;
}

// One branch behind the other.
__global__ void guarded(const int* in, int* out) {
  __shared__ int cells[64];
  const int t = threadIdx.x;
  cells[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) cells[t] += cells[t + 32];
  if (t < 16) cells[t] += cells[t + 16];
  if (t < 8) cells[t] += cells[t + 8];
  if (t < 4) cells[t] += cells[t + 4];
  if (t < 2) cells[t] += cells[t + 2];
  if (t < 1) cells[t] += cells[t + 1];
  if (t == 0) out[blockIdx.x] = cells[0];
}

// Barriers only as long as several warps take part.
__global__ void halving(const int* in, int* out) {
  extern __shared__ int numbers[];
  const unsigned t = threadIdx.x;
  numbers[t] = in[blockIdx.x * blockDim.x + t];
  __syncthreads();
  for (unsigned o = blockDim.x / 2; o > 0; o >>= 1) {
    if (t < o) numbers[t] += numbers[t + o];
    if (o > 32) __syncthreads();
  }
  if (t == 0) out[blockIdx.x] = numbers[0];
}

// The greatest and where it is: lanes part.
__global__ void greatest(const float* in, float* out, int* where) {
  __shared__ float values[64];
  __shared__ int places[64];
  const int t = threadIdx.x;
  values[t] = in[blockIdx.x * 64 + t];
  places[t] = t;
  __syncthreads();
#define STEP(o)                    \
  if (values[t] < values[t + o]) { \
    values[t] = values[t + o];     \
    places[t] = places[t + o];     \
  }
  if (t < 32) {
    STEP(32)
    if (t < 16) {
      STEP(16) STEP(8) STEP(4) STEP(2) STEP(1)
    }
  }
  if (t == 0) {
    out[blockIdx.x] = values[0];
    where[blockIdx.x] = places[0];
  }
}

// Hillis and Steele, in place: all lanes read before any writes.
__global__ void scan(const int* in, int* out, int n) {
  __shared__ int s[96];
  const int t = threadIdx.x, lane = t & 31, i = blockIdx.x * blockDim.x + t;
  s[t] = i < n ? in[i] : 0;
  if (lane >= 1) s[t] += s[t - 1];
  if (lane >= 2) s[t] += s[t - 2];
  if (lane >= 4) s[t] += s[t - 4];
  if (lane >= 8) s[t] += s[t - 8];
  if (lane >= 16) s[t] += s[t - 16];
  if (i < n) out[i] = s[t];
}

__global__ void scan_loop(const int* in, int* out) {
  __shared__ int s[64];
  const int t = threadIdx.x, lane = t & 31;
  s[t] = in[blockIdx.x * 64 + t];
#pragma unroll
  for (int d = 1; d < 32; d *= 2)
    if (lane >= d) s[t] += s[t - d];
  out[blockIdx.x * 64 + t] = s[t];
}

// A neighbour's element, again and again.
__global__ void neighbours(const int* in, int* out, int rounds) {
  __shared__ int s[128];
  const int t = threadIdx.x;
  int sum = 0;
  for (int i = 0; i < rounds; ++i) {
    s[t] = in[i * blockDim.x + t];
    sum += s[t ^ 1] * (i + 1);
  }
  out[t] = sum;
}

__global__ void rotate(const int* in, int* out) {
  __shared__ int s[32];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 32 + t];
  for (int i = 0; i < 5; ++i) s[t] = s[(t + 1) & 31];
  out[blockIdx.x * 32 + t] = s[t];
}

// Each warp turns a tile of its own.
__global__ void turn(const int* in, int* out) {
  __shared__ int tiles[2][32][33];
  const int lane = threadIdx.x, w = threadIdx.y;
  const int at = (blockIdx.x * 2 + w) * 32 * 32;
  for (int i = 0; i < 32; ++i) tiles[w][i][lane] = in[at + i * 32 + lane];
  for (int i = 0; i < 32; ++i) out[at + i * 32 + lane] = tiles[w][lane][i];
}

// A structure that is copied as a whole.
struct Complex {
  double re, im;
};
__global__ void shift_structs(const Complex* in, Complex* out) {
  __shared__ Complex s[40];
  const int t = threadIdx.x;
  s[t] = in[t];
  if (t < 8) s[t + 32] = in[t];
  s[t] = s[t + 1];
  s[t] = s[t + 5];
  out[t] = s[t];
}

__device__ void add(double2& to, const double2& from) {
  to.x += from.x;
  to.y += from.y;
}

__global__ void sum_pairs(const double2* in, double2* out) {
  __shared__ double2 s[64];
  const int t = threadIdx.x;
  s[t] = in[blockIdx.x * 64 + t];
  __syncthreads();
  if (t < 32) {
    add(s[t], s[t + 32]);
    add(s[t], s[t + 16]);
    const double2 other = s[t + 8];
    s[t] = make_double2(s[t].x + other.x, s[t].y + other.y);
    s[t].x += s[t + 4].x;
    s[t].y += s[t + 4].y;
    add(s[t], s[t + 2]);
    add(s[t], s[t + 1]);
  }
  if (t == 0) out[blockIdx.x] = s[0];
}

// One lane writes for all of its warp.
__global__ void broadcast(const int* in, int* out) {
  __shared__ int s[4];
  const int t = threadIdx.y * blockDim.x + threadIdx.x;
  for (int i = 0; i < 3; ++i) {
    if (t % 32 == 7 * i) s[t / 32] = in[t] + i;
    out[i * blockDim.x * blockDim.y + t] = s[t / 32];
  }
}

// Counted by atomics, read by another lane.
__global__ void count(const int* in, int* out) {
  __shared__ int sums[2];
  const int t = threadIdx.x;
  if (t % 32 < 1) sums[t / 32] = 100;
  atomicAdd(&sums[t / 32], in[t]);
  if (t % 32 == 31) out[t / 32] = sums[t / 32];
}

// Lanes that go round a loop unlike often.
__global__ void uneven(const int* in, int* out, int n) {
  __shared__ int s[64];
  const int t = threadIdx.x;
  s[t] = 0;
  for (int i = 0; i < n; ++i) {
    if ((in[t] + i) % 3 == 0) {
      s[t] = i + t;
      out[i * 64 + t] = s[t ^ 16];
    }
  }
}

static void check_recursive() {
  check::Random random(3);
  constexpr int blocks = 5;
  const auto in = random.integers<int>(512 * blocks, -1000, 1000);
  std::vector<double> reals(in.begin(), in.end());
  check::Array<int> source(in), out(blocks);
  check::Array<double> real_source(reals), real_out(blocks);
  auto sums = [&](int threads) {
    std::vector<int> want(blocks, 0);
    for (int i = 0; i < threads * blocks; ++i) want[i / threads] += in[i];
    return want;
  };
  recursive<int, 256><<<blocks, 256>>>(source.data(), out.data());
  check::equal("recursive 256", out.get(), sums(256));
  recursive<int, 64><<<blocks, 64>>>(source.data(), out.data());
  check::equal("recursive 64", out.get(), sums(64));
  recursive<int, 512><<<blocks, dim3(16, 32)>>>(source.data(), out.data());
  check::equal("recursive 16 x 32", out.get(), sums(512));
  recursive<int, 256><<<blocks, dim3(16, 16)>>>(source.data(), out.data());
  check::equal("recursive 16 x 16", out.get(), sums(256));
  recursive<double, 256><<<blocks, 256>>>(real_source.data(), real_out.data());
  const auto want = sums(256);
  check::equal("recursive double", real_out.get(), std::vector<double>(want.begin(), want.end()));
}

static void check_least(int threads) {
  check::Random random(4);
  const auto numbers = random.integers<int>(threads * 3, -1000000, 1000000);
  const std::vector<double> in(numbers.begin(), numbers.end());
  const int warps = threads / 32;
  std::vector<double> want(warps * 3);
  for (int w = 0; w < warps * 3; ++w)
    want[w] = *std::min_element(in.begin() + w * 32, in.begin() + w * 32 + 32);
  check::Array<double> source(in), out(warps * 3);
  least_of_warps<<<3, threads, threads * sizeof(double)>>>(source.data(), out.data(), warps);
  check::equal("least of warps", out.get(), want);
}

static void check_unrolled() {
  check::Random random(5);
  const auto in = random.integers<int>(3333, -1000, 1000);
  std::vector<int> want(4 * 300, 0);
  std::vector<int> sums(4, 0);
  for (int i = 0; i < 3333; ++i) sums[i / 256 % 4] += in[i];
  for (int i = 0; i < 1200; ++i) want[i] = sums[i / 300] + i % 300;
  check::Array<int> source(in), out(1200);
  unrolled<<<4, 256>>>(source.data(), out.data(), 3333);
  check::equal("unrolled", out.get(), want);
}

static void check_folds() {
  check::Random random(6);
  const auto in = random.integers<int>(1024 * 3, -1000, 1000);
  auto sums = [&](int threads) {
    std::vector<int> want(3, 0);
    for (int i = 0; i < threads * 3; ++i) want[i / threads] += in[i];
    return want;
  };
  check::Array<int> source(in), out(3);
  guarded<<<3, 64>>>(source.data(), out.data());
  check::equal("guarded", out.get(), sums(64));
  for (int threads : {32, 64, 128, 512, 1024}) {
    halving<<<3, threads, threads * sizeof(int)>>>(source.data(), out.data());
    check::equal("halving", out.get(), sums(threads));
  }
}

static void check_greatest() {
  check::Random random(7);
  const auto numbers = random.integers<int>(64 * 9, -100, 100);
  const std::vector<float> in(numbers.begin(), numbers.end());
  std::vector<float> want(9);
  for (int b = 0; b < 9; ++b)
    want[b] = *std::max_element(in.begin() + b * 64, in.begin() + b * 64 + 64);
  check::Array<float> source(in), out(9);
  check::Array<int> where(9);
  greatest<<<9, 64>>>(source.data(), out.data(), where.data());
  check::equal("greatest", out.get(), want);
  const auto places = where.get();
  for (int b = 0; b < 9; ++b)
    CHECK(places[b] >= 0 && places[b] < 64 && in[b * 64 + places[b]] == want[b]);
}

static void check_scans() {
  check::Random random(8);
  for (int threads : {32, 33, 64, 96}) {
    const int n = threads * 3 - 5;
    const auto in = random.integers<int>(n, -1000, 1000);
    std::vector<int> want(n);
    for (int i = 0; i < n; ++i) want[i] = in[i] + (i % threads % 32 == 0 ? 0 : want[i - 1]);
    check::Array<int> source(in), out(n);
    scan<<<3, threads>>>(source.data(), out.data(), n);
    check::equal("scan", out.get(), want);
  }
  const auto in = random.integers<int>(64 * 3, -1000, 1000);
  std::vector<int> want(in);
  for (int i = 0; i < 64 * 3; ++i) want[i] += i % 32 == 0 ? 0 : want[i - 1];
  check::Array<int> source(in), out(64 * 3);
  scan_loop<<<3, 64>>>(source.data(), out.data());
  check::equal("scan_loop", out.get(), want);
}

static void check_neighbours() {
  check::Random random(9);
  for (int threads : {128, 96, 34}) {
    for (int rounds : {1, 2, 7}) {
      const auto in = random.integers<int>(threads * rounds, -1000, 1000);
      std::vector<int> want(threads, 0);
      for (int t = 0; t < threads; ++t)
        for (int i = 0; i < rounds; ++i) want[t] += in[i * threads + (t ^ 1)] * (i + 1);
      check::Array<int> source(in), out(threads);
      neighbours<<<1, threads>>>(source.data(), out.data(), rounds);
      check::equal("neighbours", out.get(), want);
    }
  }
  const auto in = random.integers<int>(32 * 32 * 6, -1000, 1000);
  std::vector<int> want(32 * 7), turned(in.size());
  for (int i = 0; i < 32 * 7; ++i) want[i] = in[i / 32 * 32 + (i + 5) % 32];
  for (int i = 0; i < 32 * 32 * 6; ++i) turned[i] = in[i / 1024 * 1024 + i % 32 * 32 + i / 32 % 32];
  check::Array<int> source(in), out(32 * 7), tiles(in.size());
  rotate<<<7, 32>>>(source.data(), out.data());
  check::equal("rotate", out.get(), want);
  turn<<<3, dim3(32, 2)>>>(source.data(), tiles.data());
  check::equal("turn", tiles.get(), turned);
}

static void check_structs() {
  std::vector<Complex> in(32), want(32);
  for (int i = 0; i < 32; ++i) in[i] = {i + 0.5, -3.0 * i};
  auto first = [&](int i) { return i < 32 ? in[i + 1 < 32 ? i + 1 : 0] : in[i - 32]; };
  for (int i = 0; i < 32; ++i) want[i] = i + 5 < 32 ? first(i + 5) : in[i + 5 - 32];
  check::Array<Complex> source(in), out(32);
  shift_structs<<<1, 32>>>(source.data(), out.data());
  check::equal("shift_structs", out.get(), want);

  std::vector<double2> pairs(64 * 3), sums(3, double2{0, 0});
  for (int i = 0; i < 64 * 3; ++i) {
    pairs[i] = {double(i % 13), double(i % 7)};
    sums[i / 64].x += i % 13;
    sums[i / 64].y += i % 7;
  }
  check::Array<double2> pair_source(pairs), pair_out(3);
  sum_pairs<<<3, 64>>>(pair_source.data(), pair_out.data());
  check::equal("sum_pairs", pair_out.get(), sums);
}

static void check_others() {
  check::Random random(10);
  const auto in = random.integers<int>(128, 0, 1000);
  check::Array<int> source(in), out(3 * 128);
  for (dim3 block : {dim3(128), dim3(16, 8), dim3(32, 4)}) {
    std::vector<int> want(3 * 128);
    for (int i = 0; i < 3 * 128; ++i) want[i] = in[i % 128 / 32 * 32 + 7 * (i / 128)] + i / 128;
    broadcast<<<1, block>>>(source.data(), out.data());
    check::equal("broadcast", out.get(), want);
  }
  check::Array<int> sums(2);
  std::vector<int> want(2, 100);
  for (int i = 0; i < 64; ++i) want[i / 32] += in[i];
  count<<<1, 64>>>(source.data(), sums.data());
  check::equal("count", sums.get(), want);

  constexpr int rounds = 11;
  std::vector<int> expected(rounds * 64, -1), s(64, 0);
  for (int i = 0; i < rounds; ++i) {
    for (int t = 0; t < 64; ++t)
      if ((in[t] + i) % 3 == 0) s[t] = i + t;
    for (int t = 0; t < 64; ++t)
      if ((in[t] + i) % 3 == 0) expected[i * 64 + t] = s[t ^ 16];
  }
  check::Array<int> got(std::vector<int>(rounds * 64, -1));
  uneven<<<1, 64>>>(source.data(), got.data(), rounds);
  check::equal("uneven", got.get(), expected);
}

int main() {
  check_recursive();
  for (int threads : {32, 64, 96, 256}) check_least(threads);
  check_unrolled();
  check_folds();
  check_greatest();
  check_scans();
  check_neighbours();
  check_structs();
  check_others();
  return check::finish();
}
