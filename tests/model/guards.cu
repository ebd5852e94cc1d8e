// Guards, chains of conditions, clamped subscripts, loops with affine bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__global__ void guard_if(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i] + 1;
}

__global__ void guard_return(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  if (x == 0) return;
  out[y * w + x] = in[y * w + x - 1];
}

// (first <= i < last) or i is the last element
__global__ void guard_chain(int* out, int first, int last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n && ((i >= first && i < last) || i == n - 1)) out[i] = i;
}

__global__ void guard_not(int* out, int first, int last, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (!(i < first || i >= last || i >= n)) out[i] = i;
}

// Two branches write two arrays; together a partition of the grid.
__global__ void guard_else(int* low, int* high, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (i < n / 2)
    low[i] = i;
  else
    high[i - n / 2] = i;
}

__global__ void guard_switch(int* out, int n, int mode) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  switch (mode) {
    case 0:
      out[i] = 10;
      break;
    case 1:
      out[n + i] = 11;
      break;
    case 2:
      out[2 * n + i] = 12;
      break;
    default:
      break;
  }
}

__global__ void clamp_min_max(const int* in, int* out, int n, int radius) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[max(i - radius, 0)] - in[min(i + radius, n - 1)];
}

// Periodic boundary, written with ?: as programs do.
__global__ void clamp_ternary(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int left = i == 0 ? n - 1 : i - 1;
  const int right = i == n - 1 ? 0 : i + 1;
  out[i] = in[left] + 2 * in[right];
}

__global__ void clamp_branches(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int from = i + 3;
  if (from >= n) from = n - 1;
  out[i] = in[from];
}

__global__ void clamp_mirror(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[abs(2 * i - (n - 1)) < n ? abs(2 * i - (n - 1)) : 0];
}

// Every third element of row i, from the diagonal on.
__global__ void loop_triangle(int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = i; j < n; j += 3) out[i * n + j] = i - j;
}

__global__ void loop_down(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int j = n - 1; j >= i; j -= 2) sum += in[i * n + j];
  out[i] = sum;
}

__global__ void loop_while(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = 0;
  while (i < n && j < m) {
    out[i * m + j] = in[j * n + i];
    ++j;
  }
}

__global__ void loop_do(int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n || m < 1) return;
  int j = 0;
  do {
    out[i * m + j] = j;
    j++;
  } while (j < m);
}

// A band: loops whose bounds are minima and maxima of affine functions of outer ones.
__global__ void loop_nest(const int* in, int* out, int n, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = max(0, i - width); j <= min(n - 1, i + width); ++j) {
    int sum = 0;
    for (int k = j; k < min(j + 2, n); ++k) sum += in[k * n + j];
    out[i * n + j] = sum;
  }
}

__global__ void loop_break(const int* in, int* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (int j = 0; j < n; ++j) {
    if (j > i) break;
    sum += in[j];
  }
  out[i] = sum;
}

__global__ void loop_continue(int* out, int n, int skip) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int j = 0; j < 5; ++j) {
    if (j == skip) continue;
    out[i * 5 + j] = j;
  }
}

__global__ void loop_unrolled(const float* in, float* out, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
#pragma unroll
  for (int d = -2; d <= 2; ++d)
    if (i + d >= 0 && i + d < n) sum += in[i + d];
  out[i] = sum;
}

static void test_guards(Random& random, int n, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, n);
  Array<int> d_in(in);
  const auto check_1d = [&](const char* name, size_t size, auto launch, auto reference) {
    Array<int> out(size);
    auto want = poisoned<int>(size);
    launch(out.data());
    reference(want);
    equal(name, out.get(), want);
  };
  const auto each = [&](auto body) {
    return [=](vector<int>& want) {
      for (int i = 0; i < n; ++i) body(want, i);
    };
  };
  check_1d(
      "guard_if", n, [&](int* out) { guard_if<<<grid, block>>>(d_in.data(), out, n); },
      each([&](auto& want, int i) { want[i] = in[i] + 1; }));
  const int first = n / 3, last = n / 2 + 1;
  check_1d(
      "guard_chain", n, [&](int* out) { guard_chain<<<grid, block>>>(out, first, last, n); },
      each([&](auto& want, int i) {
        if ((i >= first && i < last) || i == n - 1) want[i] = i;
      }));
  check_1d(
      "guard_not", n, [&](int* out) { guard_not<<<grid, block>>>(out, first, last, n); },
      each([&](auto& want, int i) {
        if (i >= first && i < last) want[i] = i;
      }));
  for (int mode = 0; mode < 4; ++mode)
    check_1d(
        "guard_switch", 3 * n, [&](int* out) { guard_switch<<<grid, block>>>(out, n, mode); },
        each([&](auto& want, int i) {
          if (mode < 3) want[mode * n + i] = 10 + mode;
        }));
  for (int radius : {0, 2, 1000})
    check_1d(
        "clamp_min_max", n,
        [&](int* out) { clamp_min_max<<<grid, block>>>(d_in.data(), out, n, radius); },
        each([&](auto& want, int i) {
          want[i] = in[std::max(i - radius, 0)] - in[std::min(i + radius, n - 1)];
        }));
  check_1d(
      "clamp_ternary", n, [&](int* out) { clamp_ternary<<<grid, block>>>(d_in.data(), out, n); },
      each([&](auto& want, int i) { want[i] = in[(i + n - 1) % n] + 2 * in[(i + 1) % n]; }));
  check_1d(
      "clamp_branches", n, [&](int* out) { clamp_branches<<<grid, block>>>(d_in.data(), out, n); },
      each([&](auto& want, int i) { want[i] = in[std::min(i + 3, n - 1)]; }));
  check_1d(
      "clamp_mirror", n, [&](int* out) { clamp_mirror<<<grid, block>>>(d_in.data(), out, n); },
      each([&](auto& want, int i) {
        const int j = 2 * i - (n - 1) < 0 ? n - 1 - 2 * i : 2 * i - n + 1;
        want[i] = in[j < n ? j : 0];
      }));
  check_1d(
      "loop_break", n, [&](int* out) { loop_break<<<grid, block>>>(d_in.data(), out, n); },
      each([&](auto& want, int i) {
        want[i] = 0;
        for (int j = 0; j <= i; ++j) want[i] += in[j];
      }));
  check_1d(
      "loop_continue", 5 * n, [&](int* out) { loop_continue<<<grid, block>>>(out, n, 3); },
      each([&](auto& want, int i) {
        for (int j : {0, 1, 2, 4}) want[i * 5 + j] = j;
      }));
  check_1d(
      "loop_triangle", n * n, [&](int* out) { loop_triangle<<<grid, block>>>(out, n); },
      each([&](auto& want, int i) {
        for (int j = i; j < n; ++j)
          if ((j - i) % 3 == 0) want[i * n + j] = i - j;
      }));

  Array<int> low(n / 2), high(n - n / 2);
  guard_else<<<grid, block>>>(low.data(), high.data(), n);
  vector<int> ascending(n);
  for (int i = 0; i < n; ++i) ascending[i] = i;
  equal("guard_else low", low.get(), vector<int>(ascending.begin(), ascending.begin() + n / 2));
  equal("guard_else high", high.get(), vector<int>(ascending.begin() + n / 2, ascending.end()));
}

static void test_loops(Random& random, int n, int m, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto square = small<int>(random, n * n), wide = small<int>(random, m * n);
  const auto line = small<float>(random, n);
  Array<int> d_square(square), d_wide(wide), down(n), transposed(n * m), filled(n * m), band(n * n);
  Array<float> d_line(line), window(n);
  loop_down<<<grid, block>>>(d_square.data(), down.data(), n);
  loop_while<<<grid, block>>>(d_wide.data(), transposed.data(), n, m);
  loop_do<<<grid, block>>>(filled.data(), n, m);
  const int width = 2;
  loop_nest<<<grid, block>>>(d_square.data(), band.data(), n, width);
  loop_unrolled<<<grid, block>>>(d_line.data(), window.data(), n);
  vector<int> down_want(n), transposed_want(n * m), filled_want(n * m);
  auto band_want = poisoned<int>(n * n);
  vector<float> window_want(n);
  for (int i = 0; i < n; ++i) {
    for (int j = i; j < n; ++j)
      if ((n - 1 - j) % 2 == 0) down_want[i] += square[i * n + j];
    for (int j = 0; j < m; ++j) {
      transposed_want[i * m + j] = wide[j * n + i];
      filled_want[i * m + j] = j;
    }
    for (int j = 0; j < n; ++j)
      if (std::abs(i - j) <= width)
        band_want[i * n + j] = square[j * n + j] + (j + 1 < n ? square[(j + 1) * n + j] : 0);
    for (int j = 0; j < n; ++j)
      if (std::abs(i - j) <= 2) window_want[i] += line[j];
  }
  equal("loop_down", down.get(), down_want);
  equal("loop_while", transposed.get(), transposed_want);
  equal("loop_do", filled.get(), filled_want);
  equal("loop_nest", band.get(), band_want);
  equal("loop_unrolled", window.get(), window_want);
}

static void test_return(Random& random, int w, int h, dim3 block) {
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in), out(w * h);
  guard_return<<<blocks(w, h, block), block>>>(d_in.data(), out.data(), w, h);
  auto want = poisoned<int>(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 1; x < w; ++x) want[y * w + x] = in[y * w + x - 1];
  equal("guard_return", out.get(), want);
}

int main() {
  Random random(6);
  test_guards(random, 61, 16);
  test_guards(random, 1, 7);
  test_guards(random, 47, 13);
  test_loops(random, 37, 5, 8);
  test_loops(random, 1, 1, 8);
  test_return(random, 37, 11, dim3(8, 4));
  test_return(random, 1, 3, dim3(8, 4));
  return check::finish();
}
