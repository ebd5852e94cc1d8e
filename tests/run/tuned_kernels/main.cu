// Every setting's kernels against the host, element by element.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "check.h"
#include "kernels.h"

#include <algorithm>
#include <numeric>

extern const Kernels v3_two_rows, two_rows, six_rows, lone_rows, eight_rows_narrow, narrowest,
    plain, no_panels;

template <class T>
struct Managed {
  T* data = nullptr;
  std::size_t size;
  explicit Managed(std::size_t count) : size(count) {
    CUDA_OK(cudaMallocManaged(&data, count * sizeof(T)));
    std::fill_n(data, count, T{});
  }
  ~Managed() { cudaFree(data); }
  T& operator[](std::size_t i) { return data[i]; }
};

static int pseudo(int i) { return (i * 7919 + 13) % 31 - 15; }

static void test_product(const Kernels& kernels, int rows, int columns, int depth, dim3 block) {
  Managed<float> a(rows * depth), b(depth * columns), c(rows * columns);
  for (std::size_t i = 0; i < a.size; ++i) a[i] = pseudo(i);
  for (std::size_t i = 0; i < b.size; ++i) b[i] = pseudo(i + 5);
  const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  kernels.product(grid, block, a.data, b.data, c.data, rows, columns, depth);
  KERNEL_OK();
  for (int y = 0; y < rows; ++y)
    for (int x = 0; x < columns; ++x) {
      float want = 0;  // small whole numbers: exact
      for (int k = 0; k < depth; ++k) want += a[y * depth + k] * b[k * columns + x];
      CHECK_EQ(c[y * columns + x], want);
    }
}

static void test_stencil(const Kernels& kernels, int w, int h, dim3 block) {
  Managed<float> in(w * h), out(w * h);
  for (int i = 0; i < w * h; ++i) in[i] = pseudo(i);
  kernels.stencil(dim3((w + block.x - 1) / block.x, (h + block.y - 1) / block.y), block, in.data,
                  out.data, w, h);
  KERNEL_OK();
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x)
      CHECK_EQ(out[y * w + x], in[y * w + std::max(x - 1, 0)] + 2 * in[y * w + x] +
                                   3 * in[y * w + std::min(x + 1, w - 1)] +
                                   5 * in[std::max(y - 1, 0) * w + x]);
}

static void test_stride(const Kernels& kernels, int n, dim3 block) {
  Managed<float> in(n), out(n);
  for (int i = 0; i < n; ++i) in[i] = pseudo(i);
  kernels.stride(dim3(3), block, n, 3, in.data, out.data);
  KERNEL_OK();
  for (int i = 0; i < n; ++i) {
    float want = 0;
    for (int k = 0; k < 5; ++k) want += 3 * in[(i + k) % n];
    CHECK_EQ(out[i], want);
  }
}

static void test_sums(const Kernels& kernels, int n, int threads) {
  const int blocks = (n + threads - 1) / threads;
  Managed<int> in(n), out(blocks);
  for (int i = 0; i < n; ++i) in[i] = pseudo(i);
  kernels.sums(dim3(blocks), dim3(threads), in.data, out.data, n);
  KERNEL_OK();
  for (int b = 0; b < blocks; ++b)
    CHECK_EQ(out[b],
             std::accumulate(in.data + b * threads, in.data + std::min(n, (b + 1) * threads), 0));
}

int main() {
  for (const Kernels* kernels : {&v3_two_rows, &two_rows, &six_rows, &lone_rows, &eight_rows_narrow,
                                 &narrowest, &plain, &no_panels}) {
    test_product(*kernels, 61, 77, 45, dim3(16, 16));
    test_product(*kernels, 64, 128, 33, dim3(32, 8));
    test_product(*kernels, 7, 9, 3, dim3(5, 3));
    test_stencil(*kernels, 131, 29, dim3(16, 16));
    test_stencil(*kernels, 300, 5, dim3(33, 7));
    test_stencil(*kernels, 3, 2, dim3(1, 1));
    test_stride(*kernels, 1009, dim3(64));
    test_stride(*kernels, 67, dim3(33));
    test_sums(*kernels, 5000, 256);
    test_sums(*kernels, 1001, 32);
  }
  return check::finish();
}
