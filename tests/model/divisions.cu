// Division by what only the launch knows: rows and columns of a linear index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Taken apart and put together again.
__global__ void put_together(const int* in, int* out, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int row = i / w, column = i % w;
  out[row * w + column] = in[column + w * row];
}

__global__ void put_together_unsigned(const int* in, int* out, unsigned w, unsigned n) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const unsigned row = i / w, column = i - row * w;
  out[row * w + column] = in[i];
}

__global__ void put_together_long(const int* in, int* out, long w, long n) {
  const long i = blockIdx.x * static_cast<long>(blockDim.x) + threadIdx.x;
  if (i >= n) return;
  out[i / w * w + i % w] = in[i];
}

__global__ void turn(const int* in, int* out, int w, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= w * h) return;
  out[i % w * h + i / w] = in[i];
}

__global__ void multiply_flat(const int* a, const int* b, int* c, int rows, int inner,
                              int columns) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= rows * columns) return;
  const int row = i / columns, column = i % columns;
  int sum = 0;
  for (int k = 0; k < inner; ++k) sum += a[row * inner + k] * b[k * columns + column];
  c[i] = sum;
}

__global__ void inside(const int* in, int* out, int w, int h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = i / w, column = i % w;
  if (row > 0 && row < h - 1 && column > 0 && column < w - 1)
    out[i] = in[i - 1] + in[i + 1] + in[(row - 1) * w + column] + in[(row + 1) * w + column];
}

__global__ void flat_volume(const int* in, int* out, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz) return;
  const int z = i / (nx * ny), y = i / nx % ny, x = i % nx;
  out[(z * ny + y) * nx + x] = in[i];
}

__global__ void flat_volume_rest(const int* in, int* out, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz) return;
  const int z = i / (nx * ny), rest = i % (nx * ny), y = rest / nx, x = rest % nx;
  out[z * ny * nx + y * nx + x] = in[i];
}

// Digits taken off one after the other.
__global__ void flat_volume_peeled(const int* in, int* out, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz) return;
  const int x = i % nx, y = (i - x) / nx % ny, z = (i - nx * y - x) / (nx * ny);
  out[nx * ny * z + nx * y + x] = in[i];
}

// Of some element further on, the first of its row.
__global__ void since_row_began(const int* in, int* out, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int j = i + 5, from = j - j % w;
  out[i] = in[i] - 3 * in[from];
}

// Planes change places: (z, y, x) -> (y, z, x).
__global__ void swap_planes(const int* in, int* out, int nx, int ny, int nz) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= nx * ny * nz) return;
  const int z = i / (nx * ny), y = i / nx % ny, x = i % nx;
  out[(y * nz + z) * nx + x] = in[i];
}

__global__ void scale_rows(const int* scale, const int* bias, int* out, int w, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = out[i] * scale[i / w] + bias[i % w];
}

// Steps of a division that is never made may be negative while their product is positive.
__global__ void two_negative(int* out, int w, int h, int n, int other) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (other)
    out[i] = i / w;
  else
    out[i / (w * h)] = 1;
}

// Where the divisor is negative or the index is, nothing is claimed.
__global__ void any_sign(int* out, int first, int w, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[n + (i - first) / w] = 1;
}

// Bounds are all there is: what divides is data.
__global__ void by_data(const int* in, const int* widths, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  out[i] = in[i % widths[i]];
}

__global__ void data_by(const unsigned* keys, const int* table, int* out, unsigned m, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[keys[i] % m];
}

static void test_flat(Random& random, int w, int h, unsigned block, int extra) {
  const int n = w * h;
  const unsigned grid = blocks(n + extra, block);
  const auto in = small<int>(random, n);
  Array<int> d_in(in);
  auto same = [&](const char* name, auto&& launch, const vector<int>& want) {
    Array<int> out(poisoned<int>(n));
    launch(out.data());
    equal(name, out.get(), want);
  };
  same(
      "put_together", [&](int* out) { put_together<<<grid, block>>>(d_in.data(), out, w, n); }, in);
  same(
      "put_together_unsigned",
      [&](int* out) { put_together_unsigned<<<grid, block>>>(d_in.data(), out, w, n); }, in);
  same(
      "put_together_long",
      [&](int* out) { put_together_long<<<grid, block>>>(d_in.data(), out, w, n); }, in);
  vector<int> turned(n), inner = poisoned<int>(n);
  for (int i = 0; i < n; ++i) turned[i % w * h + i / w] = in[i];
  for (int y = 1; y + 1 < h; ++y)
    for (int x = 1; x + 1 < w; ++x) {
      const int i = y * w + x;
      inner[i] = in[i - 1] + in[i + 1] + in[i - w] + in[i + w];
    }
  vector<int> since(n), longer = in;
  for (int i = 0; i < 5; ++i) longer.push_back(7 * i + 1);
  Array<int> d_longer(longer);
  for (int i = 0; i < n; ++i) since[i] = in[i] - 3 * longer[(i + 5) / w * w];
  same(
      "since_row_began",
      [&](int* out) { since_row_began<<<grid, block>>>(d_longer.data(), out, w, n); }, since);
  same("turn", [&](int* out) { turn<<<grid, block>>>(d_in.data(), out, w, h); }, turned);
  same("inside", [&](int* out) { inside<<<grid, block>>>(d_in.data(), out, w, h); }, inner);

  const auto scale = small<int>(random, h), bias = small<int>(random, w);
  Array<int> d_scale(scale), d_bias(bias), d_out(in);
  scale_rows<<<std::max(grid / 2, 1u), block>>>(d_scale.data(), d_bias.data(), d_out.data(), w, n);
  vector<int> scaled(n);
  for (int i = 0; i < n; ++i) scaled[i] = in[i] * scale[i / w] + bias[i % w];
  equal("scale_rows", d_out.get(), scaled);

  const int inner_size = 5;
  const auto a = small<int>(random, h * inner_size), b = small<int>(random, inner_size * w);
  Array<int> d_a(a), d_b(b);
  vector<int> product(n);
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < inner_size; ++k) product[i] += a[i / w * inner_size + k] * b[k * w + i % w];
  same(
      "multiply_flat",
      [&](int* out) {
        multiply_flat<<<grid, block>>>(d_a.data(), d_b.data(), out, h, inner_size, w);
      },
      product);
}

static void test_volume(Random& random, int nx, int ny, int nz, unsigned block) {
  const int n = nx * ny * nz;
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, n);
  Array<int> d_in(in), same(poisoned<int>(n)), rest(poisoned<int>(n)), swapped(poisoned<int>(n));
  Array<int> peeled(poisoned<int>(n));
  flat_volume_peeled<<<grid, block>>>(d_in.data(), peeled.data(), nx, ny, nz);
  flat_volume<<<grid, block>>>(d_in.data(), same.data(), nx, ny, nz);
  flat_volume_rest<<<grid, block>>>(d_in.data(), rest.data(), nx, ny, nz);
  swap_planes<<<grid, block>>>(d_in.data(), swapped.data(), nx, ny, nz);
  equal("flat_volume", same.get(), in);
  equal("flat_volume_rest", rest.get(), in);
  equal("flat_volume_peeled", peeled.get(), in);
  vector<int> want(n);
  for (int i = 0; i < n; ++i) want[(i / nx % ny * nz + i / (nx * ny)) * nx + i % nx] = in[i];
  equal("swap_planes", swapped.get(), want);
}

static void test_signs(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  for (int sign : {1, -1}) {
    Array<int> out(poisoned<int>(n));
    auto want = poisoned<int>(n);
    two_negative<<<grid, block>>>(out.data(), 3 * sign, 5 * sign, n, 0);
    for (int i = 0; i < n; ++i) want[i / 15] = 1;
    equal("two_negative", out.get(), want);
    for (int first : {0, 4}) {
      Array<int> signs(poisoned<int>(2 * n));
      auto all = poisoned<int>(2 * n);
      any_sign<<<grid, block>>>(signs.data(), first, 3 * sign, n);
      for (int i = 0; i < n; ++i) all[n + (i - first) / (3 * sign)] = 1;
      equal("any_sign", signs.get(), all);
    }
  }
  const auto in = small<int>(random, n), widths = small<int>(random, n, 1, n);
  const auto keys = small<unsigned>(random, n, 0, 1'000'000);
  Array<int> d_in(in), d_widths(widths), out(poisoned<int>(n)), looked(poisoned<int>(n));
  Array<unsigned> d_keys(keys);
  by_data<<<grid, block>>>(d_in.data(), d_widths.data(), out.data(), n);
  data_by<<<grid, block>>>(d_keys.data(), d_in.data(), looked.data(), n / 2, n);
  vector<int> want(n), found(n);
  for (int i = 0; i < n; ++i) want[i] = in[i % widths[i]], found[i] = in[keys[i] % (n / 2)];
  equal("by_data", out.get(), want);
  equal("data_by", looked.get(), found);
}

int main() {
  Random random(21);
  test_flat(random, 13, 11, 16, 0);
  test_flat(random, 7, 30, 32, 40);
  test_flat(random, 1, 9, 4, 0);
  test_flat(random, 50, 3, 7, 3);
  test_volume(random, 7, 5, 4, 16);
  test_volume(random, 3, 1, 9, 8);
  test_signs(random, 77, 16);
  return check::finish();
}
