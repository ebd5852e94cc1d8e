// Pointers that move in loops, device functions that are not inlined, pointers chosen at run time.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.h"

using namespace model;

__global__ void advance_read(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* p = in + i;
  int sum = 0;
  for (int k = 0; k < m; ++k) {
    sum += *p;
    p += n;
  }
  out[i] = sum;
}

__global__ void advance_write(int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int* row = out + i * m;
  for (int k = 0; k < m; ++k) *row++ = i + k;
}

// Two pointers walk towards each other.
__global__ void advance_two(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* from = in + i * m + m - 1;
  int* to = &out[i * m];
  for (int k = 0; k < m; ++k, --from, ++to) *to = *from;
}

// The end is a pointer, not a count.
__global__ void advance_until(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int sum = 0;
  for (const int *p = in + i * m, *end = p + m; p != end; ++p) sum += *p;
  out[i] = sum;
}

// Rows of blocks of columns: pointers advance at both levels.
__global__ void advance_nested(const int* in, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* p = in + i;
  for (int a = 0; a < m; ++a) {
    for (int b = 0; b < 3; ++b) {
      out[(a * 3 + b) * n + i] = *p;
      p += n;
    }
  }
}

__global__ void advance_stride(int* data, int n) {
  int* p = data + blockIdx.x * blockDim.x + threadIdx.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    *p += 1;
    p += gridDim.x * blockDim.x;
  }
}

__device__ __noinline__ int load_at(const int* p, int x, int y, int w) { return p[y * w + x]; }
__device__ __noinline__ void store_at(int* p, int at, int value) { p[at] = value; }
__device__ __noinline__ int position(int x, int y, int w) { return y * w + x; }
__device__ int row_of(const int* p, int y, int w, int x) { return load_at(p, x, y, w); }

__global__ void call_noinline(const int* in, int* out, int w, int h) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) store_at(out, position(x, y, w), row_of(in, y, w, w - 1 - x) + 1);
}

__device__ __noinline__ void fill_row(int* row, int m, int value) {
  for (int k = 0; k < m; ++k) row[k] = value + k;
}

__global__ void call_loop(int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) fill_row(out + i * m, m, i);
}

template <class Op>
__device__ void apply(const int* in, int* out, int i, Op op) {
  out[i] = op(in[i]);
}

__global__ void call_lambda(const int* in, int* out, int n, int factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) apply(in, out, i, [=](int v) { return v * factor; });
}

// Which array is read is the same for the whole launch.
__global__ void choose_uniform(const int* a, const int* b, int* out, int n, int second) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const int* from = second ? b : a;
  if (i < n) out[i] = from[i];
}

// Which array is read depends on the thread.
__global__ void choose_thread(const int* a, const int* b, int* out, int n, int m) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* from = i < m ? a + i : b + (i - m);
  out[i] = *from;
}

// A pointer to the middle, indexed in both directions.
__global__ void middle(const int* in, int* out, int n, int radius) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int* centre = in + i + radius;
  int sum = 0;
  for (int d = -radius; d <= radius; ++d) sum += centre[d];
  out[i] = sum;
}

static void test_lines(Random& random, int n, int m, unsigned block) {
  const unsigned grid = blocks(n, block);
  const auto in = small<int>(random, 3 * n * m + n);
  Array<int> d_in(in);
  const int* p = d_in.data();
  const auto run = [&](const char* name, size_t size, auto launch, auto value) {
    Array<int> out(size);
    vector<int> want(size);
    launch(out.data());
    for (int i = 0; i < n; ++i) value(want, i);
    equal(name, out.get(), want);
  };
  const auto sum = [&](int first, int count, int step) {
    int total = 0;
    for (int k = 0; k < count; ++k) total += in[first + k * step];
    return total;
  };
  run(
      "advance_read", n, [&](int* out) { advance_read<<<grid, block>>>(p, out, n, m); },
      [&](auto& want, int i) { want[i] = sum(i, m, n); });
  run(
      "advance_until", n, [&](int* out) { advance_until<<<grid, block>>>(p, out, n, m); },
      [&](auto& want, int i) { want[i] = sum(i * m, m, 1); });
  run(
      "advance_write", n * m, [&](int* out) { advance_write<<<grid, block>>>(out, n, m); },
      [&](auto& want, int i) {
        for (int k = 0; k < m; ++k) want[i * m + k] = i + k;
      });
  run(
      "call_loop", n * m, [&](int* out) { call_loop<<<grid, block>>>(out, n, m); },
      [&](auto& want, int i) {
        for (int k = 0; k < m; ++k) want[i * m + k] = i + k;
      });
  run(
      "advance_two", n * m, [&](int* out) { advance_two<<<grid, block>>>(p, out, n, m); },
      [&](auto& want, int i) {
        for (int k = 0; k < m; ++k) want[i * m + k] = in[i * m + m - 1 - k];
      });
  run(
      "advance_nested", 3 * n * m, [&](int* out) { advance_nested<<<grid, block>>>(p, out, n, m); },
      [&](auto& want, int i) {
        for (int k = 0; k < 3 * m; ++k) want[k * n + i] = in[k * n + i];
      });
  run(
      "call_lambda", n, [&](int* out) { call_lambda<<<grid, block>>>(p, out, n, 7); },
      [&](auto& want, int i) { want[i] = 7 * in[i]; });
  run(
      "middle", n, [&](int* out) { middle<<<grid, block>>>(p, out, n, m); },
      [&](auto& want, int i) { want[i] = sum(i, 2 * m + 1, 1); });
  for (int second : {0, 1})
    run(
        "choose_uniform", n,
        [&](int* out) { choose_uniform<<<grid, block>>>(p, p + n, out, n, second); },
        [&](auto& want, int i) { want[i] = in[second * n + i]; });
  run(
      "choose_thread", n,
      [&](int* out) { choose_thread<<<grid, block>>>(p, p + n, out, n, n / 3); },
      [&](auto& want, int i) { want[i] = i < n / 3 ? in[i] : in[n + i - n / 3]; });

  for (unsigned g : {1u, 3u}) {
    auto line = small<int>(random, n);
    Array<int> d_line(line);
    advance_stride<<<g, block>>>(d_line.data(), n);
    for (auto& x : line) ++x;
    equal("advance_stride", d_line.get(), line);
  }
}

static void test_calls(Random& random, int w, int h, dim3 block) {
  const auto in = small<int>(random, w * h);
  Array<int> d_in(in), d_out(w * h);
  call_noinline<<<blocks(w, h, block), block>>>(d_in.data(), d_out.data(), w, h);
  vector<int> want(w * h);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) want[y * w + x] = in[y * w + w - 1 - x] + 1;
  equal("call_noinline", d_out.get(), want);
}

int main() {
  Random random(10);
  test_lines(random, 101, 5, 16);
  test_lines(random, 7, 1, 16);
  test_calls(random, 37, 11, dim3(8, 4));
  test_calls(random, 1, 1, dim3(8, 4));
  return check::finish();
}
