// Rows: reads beside a row, a position in a row that the launch gives, grids that just cover it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

// Planes of 5 rows of 7, of which a launch uses as much as it says.
__global__ void small_rows(const int* in, int* out, int planes, int rows, int columns) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x == 0 || x >= columns - 1 || y == 0 || y >= rows - 1) return;
  for (int z = 1; z < planes - 1; ++z)
    out[z * 35 + y * 7 + x] = in[(z - 1) * 35 + y * 7 + x] + in[z * 35 + y * 7 + x];
}

// Threads for every element and no guard: the last one of a row reads the first of the next.
__global__ void right_neighbour(const int* in, int* out, int w) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  out[y * w + x] = in[y * w + x] + in[y * w + x + 1];
}

// Threads of a block take a column's elements in turns, from a place on that is given: the turns
// are no rows.
__global__ void below_diagonal(double* a, const double* scale, int n, int j, int lead) {
  double* const column = a + j * lead;
  for (int i = j + threadIdx.x; i < n; i += 128) column[i] = column[i] * scale[i];
}

// One column; its number comes before the length of a row.
__global__ void column(const int* in, int* out, int position, int stride, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride + position];
}

// The same with the parameters the other way round.
__global__ void column_swapped(const int* in, int* out, int stride, int position, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i * stride + position];
}

// The remainder of what is not known reaches from -3 to 3: elements of two rows, of which the box
// around them must not have one twice.
__global__ void halved_remainder(const int* in, int* out, int n) {
  const int first = in[threadIdx.x * 5];
  int sum = 0;
  for (int k = blockDim.x; k > 0; k >>= 1) sum += in[(n - k) % 4];
  if (threadIdx.x == 0) out[blockIdx.x] = first + sum;
}

// Narrow counters are rows of their own where the others' rows are longer.
__global__ void narrow_counter(const int* in, int* out, int w) {
  const int row = blockIdx.x;
  int sum = 0;
  for (int j = threadIdx.x; j < w; j += blockDim.x) {
    if (row % 4 < 2) continue;
    if (j % 3 == 0) sum += in[7 * (unsigned short)j + j % 7u];
    if (j % 3 == 1) sum += in[7 * (row * w + j) + 4];
  }
  out[row * blockDim.x + threadIdx.x] = sum;
}

constexpr int tile_x = 8, tile_y = 4;

// Tiles with a halo whose rows and columns are clamped, by threads that may be behind the last one
// of both: rows are what the threads' own numbers say, up to the last.
__global__ void clamped_tile(const int* in, int* out, int n) {
  __shared__ int s[tile_y + 2][tile_x + 2];
  const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
  const int x = blockIdx.x * tile_x + threadIdx.x, y = blockIdx.y * tile_y + threadIdx.y;
  const int row = min(y, n - 1), col = min(x, n - 1);
  s[ty][tx] = in[row * n + col];
  if (tx == 1) s[ty][0] = in[row * n + max(x - 1, 0)];
  if (tx == tile_x) s[ty][tx + 1] = in[row * n + min(x + 1, n - 1)];
  if (ty == 1) s[0][tx] = in[max(y - 1, 0) * n + col];
  if (ty == tile_y) s[ty + 1][tx] = in[min(y + 1, n - 1) * n + col];
  __syncthreads();
  if (x >= n || y >= n) return;
  out[y * n + x] =
      s[ty][tx] + 2 * s[ty][tx - 1] + 3 * s[ty][tx + 1] + 5 * s[ty - 1][tx] + 7 * s[ty + 1][tx];
}

// A clamped row in front of the guard; what is behind the last column is of the next row.
__global__ void clamped_row(const int* in, int* out, int n, int h) {
  const int x = blockIdx.x * tile_x + threadIdx.x, y = blockIdx.y * tile_y + threadIdx.y;
  const int value = in[min(y, h - 1) * n + x];
  if (x < n && y < h) out[y * n + x] = value;
}

namespace {

int pick(Random& random, int low, int high) { return static_cast<int>(random.integer(low, high)); }

// The numbers in `in` depend on where they are only, so that rows which overlap hold what they
// should whoever writes last.
void neighbours(Random& random) {
  const dim3 block(8, 4), grid(pick(random, 1, 5), pick(random, 1, 5));
  const int threads = static_cast<int>(grid.x * block.x), h = static_cast<int>(grid.y * block.y);
  for (const int w : {threads, threads + 5, threads - 3}) {
    const size_t size = static_cast<size_t>(w) * h + threads + 1;
    vector<int> in(size), expected = poisoned<int>(size);
    for (size_t i = 0; i < size; ++i) in[i] = static_cast<int>(i * 7 % 31);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < threads; ++x) {
        const size_t i = static_cast<size_t>(y) * w + x;
        expected[i] = in[i] + in[i + 1];
      }
    Array<int> d_in(in), out(size);
    right_neighbour<<<grid, block>>>(d_in.data(), out.data(), w);
    equal("right_neighbour", out.get(), expected);
  }
}

void columns(Random& random) {
  const int n = pick(random, 1, 200), stride = pick(random, 2, 20);
  for (const int position : {0, stride - 1, pick(random, 0, stride - 1), stride + 3}) {
    const vector<int> in = small<int>(random, static_cast<size_t>(n) * stride + position + 1);
    vector<int> expected(n);
    for (int i = 0; i < n; ++i) expected[i] = in[static_cast<size_t>(i) * stride + position];
    Array<int> d_in(in), out(n), swapped(n);
    column<<<blocks(n, 32), 32>>>(d_in.data(), out.data(), position, stride, n);
    column_swapped<<<blocks(n, 32), 32>>>(d_in.data(), swapped.data(), stride, position, n);
    equal("column", out.get(), expected);
    equal("column_swapped", swapped.get(), expected);
  }
}

void columns_below(Random& random) {
  const int n = pick(random, 1, 400), lead = n + pick(random, 0, 5);
  std::vector<double> expected(static_cast<size_t>(n) * lead), scale(n);
  for (double& one : expected) one = pick(random, -9, 9);
  for (double& one : scale) one = pick(random, -9, 9);
  Array<double> a(expected), d_scale(scale);
  for (const int j : {0, n / 2, n - 1}) {
    below_diagonal<<<1, 128>>>(a.data(), d_scale.data(), n, j, lead);
    for (int i = j; i < n; ++i) expected[static_cast<size_t>(j) * lead + i] *= scale[i];
  }
  equal("below_diagonal", a.get(), expected);
}

void remainders(Random& random) {
  const unsigned block = pick(random, 1, 6);
  const int n = pick(random, -9, 9);
  const vector<int> in = small<int>(random, 3 + 5 * 6);
  Array<int> d_in(in), out(2);
  halved_remainder<<<2, block>>>(d_in.data() + 3, out.data(), n);
  int sum = in[3];
  for (int k = static_cast<int>(block); k > 0; k >>= 1) sum += in[3 + (n - k) % 4];
  equal("halved_remainder", out.get(), vector<int>{sum, sum});
}

void counters(Random& random) {
  const unsigned grid = pick(random, 1, 6), block = pick(random, 1, 9);
  const int w = pick(random, 0, 40), threads = static_cast<int>(grid * block);
  const vector<int> in = small<int>(random, 7 * w * grid + 7);
  Array<int> d_in(in), out(threads);
  narrow_counter<<<grid, block>>>(d_in.data(), out.data(), w);
  vector<int> expected(threads);
  for (int row = 0; row < static_cast<int>(grid); ++row)
    for (int j = 0; j < w && row % 4 >= 2; ++j) {
      int& sum = expected[row * static_cast<int>(block) + j % static_cast<int>(block)];
      if (j % 3 == 0) sum += in[7 * j + j % 7];
      if (j % 3 == 1) sum += in[7 * (row * w + j) + 4];
    }
  equal("narrow_counter", out.get(), expected);
}

void small_planes(Random& random, int rows, int columns) {
  const int planes = static_cast<int>(random.integer(3, 5)), size = planes * 35;
  const auto in = small<int>(random, size);
  Array<int> d_in(in), d_out(size);
  small_rows<<<dim3(3, 2), dim3(3, 4)>>>(d_in.data(), d_out.data(), planes, rows, columns);
  auto expected = poisoned<int>(size);
  for (int z = 1; z < planes - 1; ++z)
    for (int y = 1; y < rows - 1; ++y)
      for (int x = 1; x < columns - 1; ++x)
        expected[z * 35 + y * 7 + x] = in[(z - 1) * 35 + y * 7 + x] + in[z * 35 + y * 7 + x];
  equal("small_rows", d_out.get(), expected);
}

void clamped(Random& random) {
  const dim3 block(tile_x, tile_y);
  for (const int n : {1, 3, 8, 9, 31, pick(random, 10, 40)}) {
    const vector<int> in = small<int>(random, static_cast<size_t>(n) * n);
    vector<int> expected(in.size());
    const auto at = [&](int y, int x) {
      return in[static_cast<size_t>(std::clamp(y, 0, n - 1)) * n + std::clamp(x, 0, n - 1)];
    };
    for (int y = 0; y < n; ++y)
      for (int x = 0; x < n; ++x)
        expected[static_cast<size_t>(y) * n + x] =
            at(y, x) + 2 * at(y, x - 1) + 3 * at(y, x + 1) + 5 * at(y - 1, x) + 7 * at(y + 1, x);
    Array<int> d_in(in), out(in.size());
    clamped_tile<<<blocks(n, n, block), block>>>(d_in.data(), out.data(), n);
    equal("clamped_tile", out.get(), expected);
  }
  for (const int h : {1, 4, 13}) {
    const int n = pick(random, 1, 40);
    const vector<int> in = small<int>(random, static_cast<size_t>(n) * h + tile_x);
    Array<int> d_in(in), out(static_cast<size_t>(n) * h);
    clamped_row<<<blocks(n, h, block), block>>>(d_in.data(), out.data(), n, h);
    equal("clamped_row", out.get(), vector<int>(in.begin(), in.end() - tile_x));
  }
}

}  // namespace

int main() {
  Random random(41);
  clamped(random);
  small_planes(random, 5, 7);
  small_planes(random, 4, 6);
  for (int i = 0; i < 3; ++i) {
    neighbours(random);
    columns(random);
  }
  for (int i = 0; i < 6; ++i) {
    remainders(random);
    columns_below(random);
    counters(random);
  }
  return check::finish();
}
