// Kernels that could be cut either way follow the data: alternating launches need not move it to
// and fro.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `sweep` can only be cut along x (columns); `scale` can be cut along both, and alone would be cut
// along y. 40 alternating launches over a matrix of 240 x 240 ints, zeroed by the first launch
// where it will stay: nothing moves. Cut by rows, `scale` would move (1 - 1/k) of 230400 bytes each
// time.
//
// TRAFFIC cpu:2x1 device_to_device_bytes == 0
// TRAFFIC cpu:3x1 device_to_device_bytes == 0
// TRAFFIC cpu:3x1 launches_one_device == 0
#include "devices.h"

using namespace devices;

constexpr int n = 240;

__global__ void clear(int* a) {
  const int x = global_x();
  for (int y = 0; y < n; ++y)
    if (x < n) a[y * n + x] = x + y;
}
__global__ void sweep(int* a) {
  const int x = global_x();
  if (x >= n) return;
  for (int y = 1; y < n; ++y) a[y * n + x] = (a[y * n + x] + a[(y - 1) * n + x]) & 0xffff;
}
__global__ void scale(int* a, int factor) {
  const int x = global_x(), y = global_y();
  if (x < n && y < n) a[y * n + x] = a[y * n + x] * factor & 0xffff;
}

int main() {
  vector<int> want(n * n);
  int* a = nullptr;
  CUDA_OK(cudaMalloc(&a, n * n * sizeof(int)));
  clear<<<blocks(n, 8), 8>>>(a);
  for (int i = 0; i < n * n; ++i) want[i] = i % n + i / n;
  const dim3 block(8, 8);
  for (int turn = 0; turn < 20; ++turn) {
    sweep<<<blocks(n, 8), 8>>>(a);
    for (int i = n; i < n * n; ++i) want[i] = (want[i] + want[i - n]) & 0xffff;
    scale<<<blocks(n, n, block), block>>>(a, 3 + turn);
    for (int& value : want) value = value * (3 + turn) & 0xffff;
  }
  vector<int> got(n * n);
  CUDA_OK(cudaMemcpy(got.data(), a, n * n * sizeof(int), cudaMemcpyDeviceToHost));
  result("matrix", got, want);
  return finish();
}
