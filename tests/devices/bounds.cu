// Reads just before and behind an array, as public programs make them: of the allocation's own
// slack, and of a neighbouring row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

// Reads in[-1] and in[n]; what stands there never matters.
__global__ void neighbours(const int* in, int* out, int n) {
  const int i = global_x();
  if (i >= n) return;
  const int left = in[i - 1], right = in[i + 1];
  out[i] = (i > 0 ? left : 0) + (i < n - 1 ? right : 0) + in[i];
}
// Threads behind the end of the array read, and some write, into the allocation's slack.
__global__ void unguarded(int* a) { a[global_x()] += 1; }
// The last row's right neighbour lies in the slack; others' in the next row.
__global__ void next_in_row(const int* in, int* out, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) out[y * w + x] = in[y * w + x] * 2 + (x + 1 < w ? in[y * w + x + 1] : 0);
}
__global__ void diagonal(const int* in, int* out, int w, int h) {
  const int x = global_x(), y = global_y();
  if (x < w && y < h) out[y * w + x] = in[(y * w + x + w + 1) % (w * h)];
}

int main() {
  Random random(29);
  for (const int n : {33, 97, 1001}) {
    const vector<int> in = random.integers<int>(n, -99, 99);
    int *p = nullptr, *q = nullptr;
    CUDA_OK(cudaMalloc(&p, (n + 1) * sizeof(int)));
    CUDA_OK(cudaMalloc(&q, n * sizeof(int)));
    CUDA_OK(cudaMemset(p, 0, (n + 1) * sizeof(int)));
    CUDA_OK(cudaMemcpy(p + 1, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    neighbours<<<blocks(n, 32), 32>>>(p + 1, q, n);  // p + 1 + n is slack: n * 4 is no multiple
    vector<int> got(n), want(n);
    CUDA_OK(cudaMemcpy(got.data(), q, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i)
      want[i] = in[i] + (i > 0 ? in[i - 1] : 0) + (i < n - 1 ? in[i + 1] : 0);
    result("neighbours", got, want);

    // Sizes are rounded up to 256 bytes: 64 elements a block stay inside.
    CUDA_OK(cudaMemcpy(q, in.data(), n * sizeof(int), cudaMemcpyHostToDevice));
    for (int turn = 0; turn < 3; ++turn) unguarded<<<blocks(n, 64), 64>>>(q);
    CUDA_OK(cudaMemcpy(got.data(), q, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; ++i) want[i] = in[i] + 3;
    result("unguarded", got, want);
    CUDA_OK(cudaFree(p));
    CUDA_OK(cudaFree(q));
  }
  constexpr int w = 37, h = 29;
  const vector<int> in = random.integers<int>(w * h, -99, 99);
  Array<int> a(in), b(w * h);
  const dim3 block(16, 2);
  next_in_row<<<blocks(w, h, block), block>>>(a.data(), b.data(), w, h);
  vector<int> want(w * h);
  for (int i = 0; i < w * h; ++i) want[i] = 2 * in[i] + (i % w + 1 < w ? in[i + 1] : 0);
  result("next in row", b, want);
  diagonal<<<blocks(w, h, block), block>>>(a.data(), b.data(), w, h);
  for (int i = 0; i < w * h; ++i) want[i] = in[(i + w + 1) % (w * h)];
  result("diagonal", b, want);
  return finish();
}
