// Columns of matrices that devices have no memory for all of: parts work on packed boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every block needs its columns from the first row to the last, which touches each unit of the
// matrix. Without boxes all of that is done at home.
//   GPU: see gpu_tests.py
// GPU cpu+cuda:0x2 16 packed_boxes >= 10
// GPU cpu+cuda 6 packed_boxes >= 10
// GPU cuda:0x2 6M packed_boxes >= 10
// GPU cpu+cuda:0x2 6M packed_boxes >= 10
// GPU cuda:0x3 packed_boxes == 0
#include "devices.h"

using namespace devices;

constexpr int width = 1803, height = 701, n = width * height;

/// Running sums down the columns.
__global__ void columns(const float* in, float* out, float* sums, int row, int rows) {
  const int x = global_x();
  if (x >= row) return;
  float sum = 0;
  for (int y = 0; y < rows; ++y) out[y * row + x] = sum += in[y * row + x];
  sums[x] = sum;
}
/// In place, from the last row to the first, of columns before `end` only, and not all of them.
__global__ void upwards(double* a, int row, int rows, int end) {
  const int x = global_x();
  if (x >= end) return;
  for (int y = rows - 2; y >= 0; --y) {
    if ((y + x) % 3 != 0) a[y * row + x] += a[(y + 1) * row + x];
  }
}
/// Both are the same matrix, columns beside each other.
__global__ void neighbours(int* to, const int* from, int row, int rows) {
  const int x = global_x();
  if (2 * x + 1 >= row) return;
  for (int y = 0; y < rows; ++y) to[y * row + 2 * x] = from[y * row + 2 * x + 1] - y;
}
/// Updates of elements of its own.
__global__ void count(unsigned* a, const unsigned char* steps, int row, int rows) {
  const int x = global_x();
  if (x >= row) return;
  for (int y = 0; y < rows; ++y) atomicAdd(&a[y * row + x], steps[y * row + x]);
}
/// Planes: a column through all of them.
__global__ void through(const short* in, short* out, int nx, int ny, int nz) {
  const int x = global_x(), y = global_y();
  if (x >= nx || y >= ny) return;
  short last = 0;
  for (int z = 0; z < nz; ++z) {
    last = static_cast<short>(in[(z * ny + y) * nx + x] - last);
    out[(z * ny + y) * nx + x] = last;
  }
}
struct Pair {
  float a, b;
};
__global__ void pairs(Pair* to, const Pair* from, int row, int rows) {
  const int x = global_x();
  if (x >= row) return;
  for (int y = 0; y < rows; ++y) {
    to[y * row + x].a = from[y * row + x].b;
    to[y * row + x].b = from[y * row + x].a + 1;
  }
}
/// A pointer that walks, and ends where another begins.
__global__ void walk(float* a, int row, int rows) {
  const int x = global_x();
  if (x >= row) return;
  const float* const end = a + (size_t)rows * row + x;
  for (float* at = a + x; at != end; at += row) *at *= 0.5f;
}

template <class T>
vector<T> numbers(int count, int factor, int modulus) {
  vector<T> values(count);
  for (int i = 0; i < count; ++i) values[i] = static_cast<T>(i % modulus * factor);
  return values;
}

void sum_columns(bool shifted) {
  // An array need not begin where its allocation does.
  const int before = shifted ? 37 : 0;
  vector<float> in = numbers<float>(n + before, 1, 61), out(n + before, -1.0f), sums(width);
  Array<float> d_in(in), d_out(out), d_sums(width);
  for (int turn = 0; turn < 2; ++turn) {
    columns<<<blocks(width, 64), 64>>>(d_in.data() + before, d_out.data() + before, d_sums.data(),
                                       width, height);
    for (int x = 0; x < width; ++x) {
      float sum = 0;
      for (int y = 0; y < height; ++y) {
        sum += in[before + y * width + x];
        out[before + y * width + x] = sum;
      }
      sums[x] = sum;
    }
    walk<<<blocks(width, 32), 32>>>(d_out.data() + before, width, height);
    for (int i = 0; i < n; ++i) out[before + i] *= 0.5f;
    CUDA_OK(cudaMemcpy(d_in.data() + before, d_out.data() + before, n / 2 * sizeof(float),
                       cudaMemcpyDeviceToDevice));
    std::copy_n(out.begin() + before, n / 2, in.begin() + before);
  }
  result("columns", d_out, out);
  result("sums", d_sums, sums);
  result("in", d_in, in);
}

void go_upwards() {
  vector<double> a = numbers<double>(n, 3, 97);
  Array<double> d_a(a);
  constexpr int end = width - 219;
  upwards<<<blocks(end, 96), 96>>>(d_a.data(), width, height, end);
  for (int x = 0; x < end; ++x)
    for (int y = height - 2; y >= 0; --y)
      if ((y + x) % 3 != 0) a[y * width + x] += a[(y + 1) * width + x];
  result("upwards", d_a, a);
}

void meet_neighbours() {
  vector<int> a = numbers<int>(n, 7, 1009);
  Array<int> d_a(a);
  neighbours<<<blocks(width / 2, 32), 32>>>(d_a.data(), d_a.data(), width, height);
  for (int y = 0; y < height; ++y)
    for (int x = 0; 2 * x + 1 < width; ++x) a[y * width + 2 * x] = a[y * width + 2 * x + 1] - y;
  result("neighbours", d_a, a);
}

void count_steps() {
  vector<unsigned> a(n, 5);
  const vector<unsigned char> steps = numbers<unsigned char>(n, 1, 251);
  Array<unsigned> d_a(a);
  Array<unsigned char> d_steps(steps);
  count<<<blocks(width, 128), 128>>>(d_a.data(), d_steps.data(), width, height);
  for (int i = 0; i < n; ++i) a[i] += steps[i];
  result("count", d_a, a);
}

void go_through() {
  constexpr int nx = 101, ny = 93, nz = 307;
  const vector<short> in = numbers<short>(nx * ny * nz, 1, 1021);
  vector<short> out(in.size());
  Array<short> d_in(in), d_out(out);
  const dim3 block(16, 4);
  through<<<blocks(nx, ny, block), block>>>(d_in.data(), d_out.data(), nx, ny, nz);
  for (int i = 0; i < nx * ny; ++i) {
    short last = 0;
    for (int z = 0; z < nz; ++z)
      out[z * nx * ny + i] = last = static_cast<short>(in[z * nx * ny + i] - last);
  }
  result("through", d_out, out);
}

void swap_pairs() {
  vector<Pair> from(n), to(n);
  for (int i = 0; i < n; ++i) from[i] = {static_cast<float>(i % 89), static_cast<float>(i % 53)};
  Array<Pair> d_from(from), d_to(to);
  pairs<<<blocks(width, 64), 64>>>(d_to.data(), d_from.data(), width, height);
  vector<float> got(2 * n), want(2 * n);
  for (int i = 0; i < n; ++i) want[2 * i] = from[i].b, want[2 * i + 1] = from[i].a + 1;
  const vector<Pair> there = d_to.get();
  for (int i = 0; i < n; ++i) got[2 * i] = there[i].a, got[2 * i + 1] = there[i].b;
  result("pairs", got, want);
}

int main() {
  sum_columns(false);
  sum_columns(true);
  go_upwards();
  meet_neighbours();
  count_steps();
  go_through();
  swap_pairs();
  return finish();
}
