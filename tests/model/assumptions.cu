// Launches in which what the model assumes does not hold. The answer must still be right.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kernel is launched in the way its author had in mind, then in one that breaks it.
#include "model.h"

using namespace model;

// --- Unsigned index arithmetic that wraps at 2^32.

// offset may be 2^32 - first, which is -first to its author.
__global__ void wrap_sum(int* out, unsigned first, unsigned n, unsigned offset) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= first && i < n) out[i + offset] = i;
}

__global__ void wrap_product(int* out, unsigned n, unsigned scale) {
  const unsigned i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) out[i * scale] = i;
}

// One comparison tests both bounds: below `first` the difference wraps to something huge.
__global__ void wrap_guard(int* out, unsigned first, unsigned count) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i - first < count) out[i] = i;
}

// The guard's product wraps: 65536 * 65536 is 0.
__global__ void wrap_size(int* out, unsigned w, unsigned h) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < w * h) out[i] = i;
}

__global__ void truncated(int* out, long long base, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[static_cast<int>(base + i)] = i;
}

__global__ void narrowed(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[static_cast<unsigned char>(i)];
}

// --- Inner subscripts outside of the row.

// Rows of `pitch` elements of which w are written; w may be more than pitch.
__global__ void row_overflow(int* out, int w, int h, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * pitch + x] = y * pitch + x;
}

// The left neighbour of column 0 is the end of the row above.
__global__ void row_underflow(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h && y * w + x > 0) out[y * w + x] = in[y * w + x - 1];
}

__global__ void row_offset(int* out, int w, int h, int pitch, int x0) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * pitch + x + x0] = x;
}

// --- Sizes that are not what their type suggests.

__global__ void size_unsigned(int* out, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

__global__ void size_64(int* out, size_t n) {
  const size_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

// A negative n, compared as unsigned, is larger than every index.
__global__ void size_negative(int* out, int n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < static_cast<unsigned>(n)) out[i] = i;
}

__global__ void size_clamp(const int* in, int* out, unsigned n, unsigned limit) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[min(i, limit)];
}

// --- Blocks of another size than the kernel was written for.

__global__ void fixed_block(int* out, int n) {
  const int i = blockIdx.x * 16 + threadIdx.x;
  if (i < n) out[i] = i;
}

// Only threadIdx.x counts; with a two-dimensional block several threads store the same.
__global__ void flat_block(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

__global__ void single_block(int* out, int n) {
  for (int i = threadIdx.x; i < n; i += blockDim.x) out[i] = i;
}

// --- Arguments that overlap.

__global__ void add_arrays(const int* a, const int* b, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] + b[i];
}

__global__ void two_outputs(int* even, int* odd, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  even[2 * i] = i;
  odd[2 * i] = -i;
}

// --- Strides.

__global__ void strided(const int* in, int* out, int n, int stride) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i * stride] = in[i];
}

// As in the BLAS: both vectors have an increment.
__global__ void axpy(int n, int alpha, const int* x, int incx, int* y, int incy) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i * incy] += alpha * x[i * incx];
}

__global__ void loop_step(int* out, int n, int m, int first, int last, int step) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    for (int k = first; k != last; k += step) out[i * m + k] = k;
}

__global__ void matrix_pitch(const int* in, int* out, int w, int h, int pitch) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) out[y * w + x] = in[y * pitch + x];
}

static vector<int> iota(int n) {
  vector<int> v(n);
  for (int i = 0; i < n; ++i) v[i] = i;
  return v;
}

/// Launches into a fresh array and compares with what `fill` makes of the poison.
template <class Launch, class Fill>
static void expect(const char* name, int size, Launch launch, Fill fill) {
  Array<int> out(size);
  auto want = poisoned<int>(size);
  launch(out.data());
  fill(want);
  equal(name, out.get(), want);
}

static void test_wrap(int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto ascending = [n](vector<int>& want) {
    for (int i = 0; i < n; ++i) want[i] = i;
  };
  expect("wrap_sum", n, [&](int* out) { wrap_sum<<<grid, block>>>(out, 0, n, 0); }, ascending);
  expect(
      "wrap_sum, minus three", n, [&](int* out) { wrap_sum<<<grid, block>>>(out, 3, n, 0u - 3u); },
      [&](vector<int>& want) {
        for (int i = 3; i < n; ++i) want[i - 3] = i;
      });
  const auto even = [n](vector<int>& want) {
    for (int i = 0; i < n; i += 2) want[i] = i;
  };
  expect("wrap_product", n, [&](int* out) { wrap_product<<<grid, block>>>(out, n, 1); }, even);
  expect(
      "wrap_product, 2^31 + 1", n,
      [&](int* out) { wrap_product<<<grid, block>>>(out, n, 0x80000001u); }, even);
  expect("wrap_guard", n, [&](int* out) { wrap_guard<<<grid, block>>>(out, 0, n); }, ascending);
  expect(
      "wrap_guard, inner", n, [&](int* out) { wrap_guard<<<grid, block>>>(out, n / 3, n / 2); },
      [&](vector<int>& want) {
        for (int i = n / 3; i < n / 3 + n / 2; ++i) want[i] = i;
      });
  expect("wrap_size", n, [&](int* out) { wrap_size<<<grid, block>>>(out, n, 1); }, ascending);
  expect(
      "wrap_size, 2^32", n, [&](int* out) { wrap_size<<<grid, block>>>(out, 65536, 65536); },
      [](vector<int>&) {});
  expect("truncated", n, [&](int* out) { truncated<<<grid, block>>>(out, 0, n); }, ascending);
  expect(
      "truncated, 2^32", n, [&](int* out) { truncated<<<grid, block>>>(out, 1ll << 32, n); },
      ascending);
  const auto values = iota(256);
  Array<int> d_values(values);
  for (int count : {200, 300})
    expect(
        "narrowed", count,
        [&](int* out) { narrowed<<<blocks(count, 64), 64>>>(d_values.data(), out, count); },
        [&](vector<int>& want) {
          for (int i = 0; i < count; ++i) want[i] = i % 256;
        });
}

static void test_rows(Random& random, int w, int h, dim3 block) {
  const dim3 grid = blocks(w, h, block);
  for (int pitch : {w + 2, w, w - 3})  // at last rows overlap, with equal values
    expect(
        "row_overflow", (w + 2) * h,
        [&](int* out) { row_overflow<<<grid, block>>>(out, w, h, pitch); },
        [&](vector<int>& want) {
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) want[y * pitch + x] = y * pitch + x;
        });
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in);
  expect(
      "row_underflow", w * h,
      [&](int* out) { row_underflow<<<grid, block>>>(d_in.data(), out, w, h); },
      [&](vector<int>& want) { std::copy(in.begin(), in.end() - 1, want.begin() + 1); });
  for (int x0 : {0, 2, 3, w + 1})
    expect(
        "row_offset", (w + 2) * (h + 1),
        [&](int* out) { row_offset<<<grid, block>>>(out, w, h, w + 2, x0); },
        [&](vector<int>& want) {
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x) want[y * (w + 2) + x + x0] = x;
        });
  for (int pitch : {w, w - 3, 0, -w})
    expect(
        "matrix_pitch", w * h,
        [&](int* out) {
          matrix_pitch<<<grid, block>>>(d_in.data() + (pitch < 0 ? (h - 1) * w : 0), out, w, h,
                                        pitch);
        },
        [&](vector<int>& want) {
          for (int y = 0; y < h; ++y)
            for (int x = 0; x < w; ++x)
              want[y * w + x] = in[(pitch < 0 ? (h - 1) * w : 0) + y * pitch + x];
        });
}

static void test_sizes(Random& random, int n, unsigned block) {
  const int all = 4 * block;  // threads in the grid
  const auto upto = [](int count) {
    return [count](vector<int>& want) {
      for (int i = 0; i < count; ++i) want[i] = i;
    };
  };
  expect("size_unsigned", all, [&](int* out) { size_unsigned<<<4, block>>>(out, n); }, upto(n));
  expect(
      "size_unsigned, 2^31", all, [&](int* out) { size_unsigned<<<4, block>>>(out, 0x80000000u); },
      upto(all));
  expect("size_64", all, [&](int* out) { size_64<<<4, block>>>(out, n); }, upto(n));
  expect(
      "size_64, 2^64 - 1", all, [&](int* out) { size_64<<<4, block>>>(out, ~size_t(0)); },
      upto(all));
  expect("size_negative", all, [&](int* out) { size_negative<<<4, block>>>(out, n); }, upto(n));
  expect(
      "size_negative, -1", all, [&](int* out) { size_negative<<<4, block>>>(out, -1); }, upto(all));
  const auto in = small<int>(random, n);
  Array<int> d_in(in);
  for (unsigned limit : {unsigned(n - 1), unsigned(n / 2), ~0u})
    expect(
        "size_clamp", n, [&](int* out) { size_clamp<<<4, block>>>(d_in.data(), out, n, limit); },
        [&](vector<int>& want) {
          for (int i = 0; i < n; ++i) want[i] = in[std::min<unsigned>(i, limit)];
        });
}

static void test_blocks(int n) {
  for (unsigned block : {16u, 32u, 7u})  // as meant; overlapping blocks; gaps between blocks
    expect(
        "fixed_block", n, [&](int* out) { fixed_block<<<blocks(n, 16), block>>>(out, n); },
        [&](vector<int>& want) {
          for (int i = 0; i < n; ++i)
            if (block >= 16 || i % 16 < int(block)) want[i] = i;
        });
  const auto fill = [&](vector<int>& want) { want = iota(n); };
  for (dim3 block : {dim3(8), dim3(8, 3), dim3(8, 2, 2)})
    expect("flat_block", n, [&](int* out) { flat_block<<<blocks(n, 8), block>>>(out, n); }, fill);
  for (int grid : {1, 3})
    expect("single_block", n, [&](int* out) { single_block<<<grid, 8>>>(out, n); }, fill);
}

static void test_aliases(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, 3 * n);
  for (int shift : {0, 1, 2}) {  // out is a, is b, lies apart
    auto want = in;
    Array<int> d(in);
    add_arrays<<<grid, block>>>(d.data(), d.data() + n, d.data() + shift * n, n);
    for (int i = 0; i < n; ++i) want[shift * n + i] = in[i] + in[n + i];
    equal("add_arrays", d.get(), want);
  }
  auto want = in;
  Array<int> d(in);  // a and b are the same, and out is both
  add_arrays<<<grid, block>>>(d.data(), d.data(), d.data(), n);
  for (int i = 0; i < n; ++i) want[i] = 2 * in[i];
  equal("add_arrays, all the same", d.get(), want);

  expect(
      "two_outputs", 4 * n, [&](int* out) { two_outputs<<<grid, block>>>(out, out + 2 * n, n); },
      [&](vector<int>& w) {
        for (int i = 0; i < n; ++i) w[2 * i] = i, w[2 * n + 2 * i] = -i;
      });
  expect(
      "two_outputs, interleaved", 2 * n,
      [&](int* out) { two_outputs<<<grid, block>>>(out, out + 1, n); },
      [&](vector<int>& w) {
        for (int i = 0; i < n; ++i) w[2 * i] = i, w[2 * i + 1] = -i;
      });
}

static void test_strides(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, 3 * n);
  Array<int> d_in(in), d_same(vector<int>(n, 6));
  for (int stride : {1, 3, -1, -2}) {
    const int base = stride < 0 ? -stride * (n - 1) : 0;
    expect(
        "strided", 3 * n,
        [&](int* out) { strided<<<grid, block>>>(d_in.data(), out + base, n, stride); },
        [&](vector<int>& want) {
          for (int i = 0; i < n; ++i) want[base + i * stride] = in[i];
        });
    const int incy = stride < 0 ? -2 : 2, first = incy < 0 ? -incy * (n - 1) : 0;
    auto sum = small<int>(random, 3 * n);
    Array<int> d_sum(sum);
    axpy<<<grid, block>>>(n, 2, d_in.data() + base, stride, d_sum.data() + first, incy);
    for (int i = 0; i < n; ++i) sum[first + i * incy] += 2 * in[base + i * stride];
    equal("axpy", d_sum.get(), sum);
  }
  expect(
      "strided, zero", 5, [&](int* out) { strided<<<grid, block>>>(d_same.data(), out + 2, n, 0); },
      [&](vector<int>& want) { want[2] = 6; });

  const int m = 7;
  for (int step : {1, 2, -1}) {
    const int first = step < 0 ? m - 1 : 0, last = step < 0 ? -1 : step * ((m - 1) / step);
    expect(
        "loop_step", n * m,
        [&](int* out) { loop_step<<<grid, block>>>(out, n, m, first, last, step); },
        [&](vector<int>& want) {
          for (int i = 0; i < n; ++i)
            for (int k = first; k != last; k += step) want[i * m + k] = k;
        });
  }
}

int main() {
  Random random(14);
  test_wrap(37, 8);
  test_rows(random, 13, 7, dim3(4, 4));
  test_sizes(random, 29, 16);
  test_blocks(67);
  test_aliases(random, 41, 8);
  test_strides(random, 23, 8);
  return check::finish();
}
