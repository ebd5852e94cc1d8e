// Threads that divide their number by the length of a row, of a plane, and by nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | elements of several dimensions numbered through: i / w, i % w, (i / w) % h
#include "check.h"

#include <climits>
#include <random>

namespace {

std::mt19937 random_numbers(20261201);

std::vector<float> numbers(std::size_t count) {
  std::vector<float> all(count);
  for (float& one : all) one = static_cast<float>(random_numbers() % 2000) - 1000;
  return all;
}

template <class T>
class Array {
 public:
  explicit Array(const std::vector<T>& from) : count_(from.size()) {
    CUDA_OK(cudaMalloc(&memory_, (count_ + 1) * sizeof(T)));
    CUDA_OK(cudaMemcpy(memory_, from.data(), count_ * sizeof(T), cudaMemcpyHostToDevice));
  }
  ~Array() { cudaFree(memory_); }
  T* get() const { return memory_; }
  std::vector<T> read() const {
    std::vector<T> all(count_);
    CUDA_OK(cudaMemcpy(all.data(), memory_, count_ * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }

 private:
  T* memory_ = nullptr;
  std::size_t count_;
};

/// What a GPU makes of it. Of remainders by 0, and of numbers of 64 bits divided by 0, GPUs make
/// this and that.
template <class T>
T quotient(T a, T b) {
  if (b == 0) return T(-1);
  if (std::is_signed<T>::value && b == T(-1)) return T(0 - std::make_unsigned_t<T>(a));
  return a / b;
}
template <class T>
T rest(T a, T b) {
  if (std::is_signed<T>::value && b == T(-1)) return 0;
  return a % b;
}

// A grid of its own pitch, its elements numbered through.
__global__ void stencil(const float* in, float* out, int w, int h, int pitch) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h) return;
  const int x = i % w + 1, y = i / w + 1;
  const float* at = in + y * pitch + x;
  out[y * pitch + x] = at[0] + 2 * at[-1] + 3 * at[1] + 4 * at[-pitch] + 5 * at[pitch];
}

void test_stencil(int w, int h, int threads) {
  const int pitch = w + 5;
  const auto in = numbers(static_cast<std::size_t>(pitch) * (h + 2));
  std::vector<float> want(in.size(), -7);
  for (int y = 1; y <= h; ++y)
    for (int x = 1; x <= w; ++x) {
      const float* at = in.data() + y * pitch + x;
      want[y * pitch + x] = at[0] + 2 * at[-1] + 3 * at[1] + 4 * at[-pitch] + 5 * at[pitch];
    }
  const Array<float> a(in), b(std::vector<float>(in.size(), -7));
  stencil<<<(w * h + threads - 1) / threads, threads>>>(a.get(), b.get(), w, h, pitch);
  KERNEL_OK();
  const auto got = b.read();
  for (std::size_t i = 0; i < got.size(); ++i) CHECK_EQ(got[i], want[i]);
}

// Batches of planes of rows, numbers of 64 bits, divided one after the other and at once.
__global__ void planes(const float* in, float* out, unsigned* places, unsigned c, unsigned h,
                       unsigned w, size_t n) {
  const size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  const unsigned x = i % w, y = i / w % h, k = i / (static_cast<size_t>(w) * h) % c;
  const size_t batch = i / w / h / c;
  out[((batch * c + k) * h + y) * w + (w - 1 - x)] = in[i];  // rows turned round
  const size_t in_plane = i % (static_cast<size_t>(w) * h);
  places[i] = in_plane / w * 1000 + in_plane % w + k * 1000000;
}

void test_planes(unsigned batches, unsigned c, unsigned h, unsigned w, int threads) {
  const std::size_t n = static_cast<std::size_t>(batches) * c * h * w;
  const auto in = numbers(n);
  const Array<float> a(in), b(std::vector<float>(n, -7));
  const Array<unsigned> p(std::vector<unsigned>(n, 7));
  planes<<<(n + threads - 1) / threads, threads>>>(a.get(), b.get(), p.get(), c, h, w, n);
  KERNEL_OK();
  const auto got = b.read();
  const auto places = p.read();
  for (std::size_t i = 0; i < n; ++i) {
    const unsigned x = i % w, y = i / w % h, k = i / w / h % c;
    CHECK_EQ(got[i - x + (w - 1 - x)], in[i]);
    CHECK_EQ(places[i], y * 1000 + x + k * 1000000);
  }
}

// Any numbers: negative ones, divisors of 0 and -1, numbers that wrap within a block.
template <class T>
__global__ void divide(const float* in, float* out, T* q, T* r, T first, T by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const T number = first + static_cast<T>(i);
  q[i] = number / by;
  r[i] = number % by;
  out[i] = in[i] * 2;
}
template <class T>
__global__ void divide_some(const float* in, T* q, T* r, T first, T by, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (in[i] < 0) {
    q[i] = (first + static_cast<T>(i)) / by;
    r[i] = (first + static_cast<T>(i)) % by;
  }
}

template <class T>
void test_divide(T first, T by, int n, int threads) {
  const auto in = numbers(n);
  const Array<float> a(in), b(std::vector<float>(n, -7));
  const Array<T> q(std::vector<T>(n, 77)), r(std::vector<T>(n, 77));
  const Array<T> some_q(std::vector<T>(n, 77)), some_r(std::vector<T>(n, 77));
  const int blocks = (n + threads - 1) / threads;
  divide<<<blocks, threads>>>(a.get(), b.get(), q.get(), r.get(), first, by, n);
  divide_some<<<blocks, threads>>>(a.get(), some_q.get(), some_r.get(), first, by, n);
  KERNEL_OK();
  const auto out = b.read();
  const auto got_q = q.read(), got_r = r.read(), some_of_q = some_q.read(),
             some_of_r = some_r.read();
  for (int i = 0; i < n; ++i) {
    const T number = static_cast<T>(std::make_unsigned_t<T>(first) + i);
    CHECK_EQ(out[i], in[i] * 2);
    if (in[i] >= 0) {
      CHECK_EQ(some_of_q[i], T(77));
      CHECK_EQ(some_of_r[i], T(77));
    }
    if (by != 0 || sizeof(T) == 4) {
      CHECK_EQ(got_q[i], quotient(number, by));
      if (in[i] < 0) CHECK_EQ(some_of_q[i], quotient(number, by));
    }
    if (by == 0) continue;
    CHECK_EQ(got_r[i], rest(number, by));
    if (in[i] < 0) CHECK_EQ(some_of_r[i], rest(number, by));
  }
}

// A number cut down to fewer bits, and widened again; one that wraps as an unsigned of 32 bits;
// a divisor that is known.
__global__ void casts(long long* out, unsigned first, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const short cut = static_cast<short>(first + i);
  const unsigned wrapping = first + static_cast<unsigned>(i);
  long long* mine = out + 6LL * i;
  mine[0] = cut / w;
  mine[1] = cut % w;
  mine[2] = static_cast<size_t>(wrapping) / static_cast<size_t>(w);
  mine[3] = static_cast<size_t>(wrapping) % static_cast<size_t>(w);
  mine[4] = i / 12;
  mine[5] = (i + 5) % 100;
}

void test_casts(unsigned first, int w, int n, int threads) {
  const Array<long long> out(std::vector<long long>(6 * n, 77));
  casts<<<(n + threads - 1) / threads, threads>>>(out.get(), first, w, n);
  KERNEL_OK();
  const auto got = out.read();
  for (int i = 0; i < n; ++i) {
    const auto cut = static_cast<short>(first + i);
    const std::size_t wrapping = first + static_cast<unsigned>(i);
    const long long want[] = {cut / w,
                              cut % w,
                              static_cast<long long>(wrapping / w),
                              static_cast<long long>(wrapping % w),
                              i / 12,
                              (i + 5) % 100};
    for (int k = 0; k < 6; ++k) CHECK_EQ(got[6 * i + k], want[k]);
  }
}

// A tile in shared memory that the threads of a block fill by rows of any length.
__global__ void tiles(const float* in, float* out, int w, int rows, int pitch) {
  __shared__ float tile[1024];
  const int t = threadIdx.x, base = blockIdx.x * rows * pitch;
  for (int k = t; k < w * rows; k += blockDim.x) tile[k] = in[base + k / w * pitch + k % w];
  __syncthreads();
  if (t < w * rows) {
    const int x = t % w, y = t / w;
    out[base + y * pitch + x] = tile[y * w + (w - 1 - x)] + tile[(rows - 1 - y) * w + x];
  }
}

void test_tiles(int w, int rows, int threads) {
  const int pitch = w + 3, blocks = 3;
  const auto in = numbers(static_cast<std::size_t>(blocks) * rows * pitch);
  const Array<float> a(in), b(std::vector<float>(in.size(), -7));
  tiles<<<blocks, threads>>>(a.get(), b.get(), w, rows, pitch);
  KERNEL_OK();
  const auto got = b.read();
  for (int block = 0; block < blocks; ++block)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < pitch; ++x) {
        const float* base = in.data() + block * rows * pitch;
        const bool is_written = x < w && y * w + x < threads;
        CHECK_EQ(got[(block * rows + y) * pitch + x],
                 is_written ? base[y * pitch + w - 1 - x] + base[(rows - 1 - y) * pitch + x] : -7);
      }
}

}  // namespace

int main() {
  for (int w : {1, 2, 3, 7, 8, 16, 33, 100, 255, 256, 257, 1000})
    for (int threads : {256, 96, 37, 1}) test_stencil(w, 2003 / w + 1, threads);
  for (unsigned w : {1u, 4u, 9u, 28u, 61u})
    for (int threads : {256, 100}) test_planes(2, 3, 5, w, threads);
  test_planes(1, 1, 1, 1, 32);
  for (int by : {0, -1, 1, -3, 10, 97, INT_MAX, INT_MIN})
    for (int first : {0, -5, -500, 100, INT_MIN, INT_MAX - 300, -1000000007})
      test_divide<int>(first, by, 601, 128);
  for (unsigned by : {0u, 1u, 3u, 100u, 0x80000000u, ~0u})
    for (unsigned first : {0u, 17u, 0xffffff80u, 0x7fffffc0u})
      test_divide<unsigned>(first, by, 601, 160);
  for (long long by : {0LL, -1LL, 50LL, 1LL << 40})
    for (long long first : {0LL, -77LL, LLONG_MIN, LLONG_MAX - 100, (1LL << 32) - 50})
      test_divide<long long>(first, by, 403, 256);
  for (unsigned long long by : {0ULL, 50ULL, ~0ULL})
    for (unsigned long long first : {0ULL, ~0ULL - 70, (1ULL << 32) - 50})
      test_divide<unsigned long long>(first, by, 403, 256);
  for (int w : {1, 3, 64, 100})
    for (unsigned first : {0u, 32700u, 65500u, 0xffffff00u}) test_casts(first, w, 700, 256);
  for (int w : {1, 5, 16, 31}) test_tiles(w, 7, 256), test_tiles(w, 9, 64);
  return check::finish();
}
