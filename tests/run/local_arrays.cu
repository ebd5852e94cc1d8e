// Arrays of each thread's own with subscripts that are known at run time only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | local arrays with variable subscripts: counters, stacks, sorted windows, tables
#include "check.h"

#include <algorithm>

template <class T>
__global__ void histograms(const unsigned char* in, T* out, int n, int rounds) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  T count[13] = {};
  for (int r = 0; r < rounds; ++r) {
    const int digit = in[r * n + i] % 16;
    if (digit < 13) ++count[digit];
  }
  T best = 0;
  for (int d = 0; d < 13; ++d)
    if (count[d] > count[best]) best = d;
  out[i] = count[in[i] % 13] * 16 + best;
}

template <class T>
T want_histogram(const std::vector<unsigned char>& in, int i, int n, int rounds) {
  T count[13] = {};
  for (int r = 0; r < rounds; ++r)
    if (in[r * n + i] % 16 < 13) ++count[in[r * n + i] % 16];
  T best = 0;
  for (int d = 0; d < 13; ++d)
    if (count[d] > count[best]) best = d;
  return count[in[i] % 13] * 16 + best;
}

// The middle one of nine neighbours, by insertion.
template <class T>
__global__ void medians(const T* in, T* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  T window[9];
  int filled = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      const int u = x + dx, v = y + dy;
      if (u < 0 || u >= w || v < 0 || v >= h) continue;
      const T value = in[v * w + u];
      int at = filled++;
      for (; at > 0 && window[at - 1] > value; --at) window[at] = window[at - 1];
      window[at] = value;
    }
  out[y * w + x] = window[filled / 2];
}

template <class T>
T want_median(const std::vector<T>& in, int x, int y, int w, int h) {
  std::vector<T> window;
  for (int v = std::max(0, y - 1); v <= std::min(h - 1, y + 1); ++v)
    for (int u = std::max(0, x - 1); u <= std::min(w - 1, x + 1); ++u)
      window.push_back(in[v * w + u]);
  std::sort(window.begin(), window.end());
  return window[window.size() / 2];
}

struct Range {
  int begin, end;
};

// Sums of halves of a range, first those that are uneven, with a stack of ranges.
__global__ void stacks(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Range stack[20];
  int depth = 0, sum = 0;
  if (i < n) stack[depth++] = {0, in[i] & 63};
  while (depth > 0) {
    const Range top = stack[--depth];
    const int length = top.end - top.begin;
    if (length <= 2) {
      sum = sum * 3 + top.begin;
      continue;
    }
    const int middle = top.begin + length / 2;
    stack[depth++] = {middle, top.end};
    if (length % 3 != 0) stack[depth++] = {top.begin, middle};
  }
  if (i < n) out[i] = sum;
}

int want_stack(int begin, int end, int& sum) {
  const int length = end - begin;
  if (length <= 2) return sum = sum * 3 + begin;
  const int middle = begin + length / 2;
  if (length % 3 != 0) want_stack(begin, middle, sum);
  return want_stack(middle, end, sum);
}

// A table with contents to begin with, which each thread changes for itself; two dimensions; a copy
// of memory into it and out of it again.
__global__ void tables(const double* in, double* out, const int* where, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  double table[3][7] = {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14}, {15, 16}};
  double line[12];
  if (i < n) {
    memcpy(line, in + i * 12, sizeof line);
    for (int r = 0; r < 12; ++r)
      table[where[i * 12 + r] % 3][r % 7] += line[where[(i * 5 + r) % n] % 12];
    if (where[i] % 2) memset(line, 0, sizeof line);
    for (int r = 0; r < 12; ++r)
      line[(r * 5 + where[i]) % 12] -= table[r % 3][where[i * 12 + r] % 7];
    memcpy(out + i * 12, line, sizeof line);
  }
}

std::vector<double> want_table(const double* in, const std::vector<int>& where, int i, int n) {
  double table[3][7] = {{1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14}, {15, 16}};
  std::vector<double> line(in + i * 12, in + i * 12 + 12);
  for (int r = 0; r < 12; ++r)
    table[where[i * 12 + r] % 3][r % 7] += line[where[(i * 5 + r) % n] % 12];
  if (where[i] % 2) std::fill(line.begin(), line.end(), 0.0);
  for (int r = 0; r < 12; ++r) line[(r * 5 + where[i]) % 12] -= table[r % 3][where[i * 12 + r] % 7];
  return line;
}

template <class T>
void test_histograms(check::Random& random, dim3 block) {
  for (int n : {1, 37, 1009}) {
    const int rounds = 25, threads = block.x;
    const auto in = random.integers<unsigned char>(n * rounds, 0, 255);
    check::Array<unsigned char> source(in);
    check::Array<T> out(n);
    histograms<T><<<(n + threads - 1) / threads, threads>>>(source.data(), out.data(), n, rounds);
    std::vector<T> want(n);
    for (int i = 0; i < n; ++i) want[i] = want_histogram<T>(in, i, n, rounds);
    check::equal(check::name("histograms", block), out.get(), want);
  }
}

template <class T>
void test_medians(check::Random& random, dim3 block) {
  for (int w : {1, 13, 129}) {
    const int h = 31;
    const auto numbers = random.integers<int>(w * h, 0, 100);
    const std::vector<T> in(numbers.begin(), numbers.end());
    check::Array<T> source(in), out(w * h);
    const dim3 grid((w + block.x - 1) / block.x, (h + block.y - 1) / block.y);
    medians<<<grid, block>>>(source.data(), out.data(), w, h);
    std::vector<T> want(w * h);
    for (int y = 0; y < h; ++y)
      for (int x = 0; x < w; ++x) want[y * w + x] = want_median(in, x, y, w, h);
    check::equal(check::name("medians", block), out.get(), want);
  }
}

int main() {
  check::Random random(47);
  for (int threads : {1, 31, 64, 200}) {
    test_histograms<int>(random, threads);
    test_histograms<unsigned char>(random, threads);
    test_histograms<short>(random, threads);
    test_histograms<long long>(random, threads);
    for (int n : {1, 53, 601}) {
      const auto in = random.integers<int>(n, 0, 1 << 20);
      check::Array<int> source(in), out(n);
      stacks<<<(n + threads - 1) / threads, threads>>>(source.data(), out.data(), n);
      std::vector<int> want(n, 0);
      for (int i = 0; i < n; ++i) want_stack(0, in[i] & 63, want[i]);
      check::equal("stacks", out.get(), want);

      const auto lines = random.reals<double>(n * 12, -4, 4);
      const auto where = random.integers<int>(n * 12, 0, 1000);
      check::Array<double> table_in(lines), table_out(n * 12);
      check::Array<int> table_where(where);
      tables<<<(n + threads - 1) / threads, threads>>>(table_in.data(), table_out.data(),
                                                       table_where.data(), n);
      std::vector<double> lines_want;
      for (int i = 0; i < n; ++i)
        for (double value : want_table(lines.data(), where, i, n)) lines_want.push_back(value);
      check::equal("tables", table_out.get(), lines_want);
    }
  }
  for (dim3 block : {dim3(8, 4), dim3(32, 8), dim3(13, 3)}) {
    test_medians<float>(random, block);
    test_medians<int>(random, block);
    test_medians<unsigned char>(random, block);
  }
  return check::finish();
}
