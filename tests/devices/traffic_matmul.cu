// A matrix product: each device has its lines of one factor and of the product, and all of the
// other factor. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// C = A * B, 160 x 160 ints: 102400 bytes each. After a first launch showed the pattern, the host
// sends one factor once and the other to each of k devices, and nothing moves between them. The
// second product takes C as its left factor: its rows lie where they are needed if parts are rows;
// if they are columns, each of k devices lacks (k - 1) / k of C, which is (k - 1) * 102400 in all.
//
// TRAFFIC cpu:2x1 host_to_device_bytes == 102400 + 2 * 102400
// TRAFFIC cpu:4x1 host_to_device_bytes == 102400 + 4 * 102400
// TRAFFIC cpu:2x1 device_to_device_bytes <= 1 * 102400
// TRAFFIC cpu:4x1 device_to_device_bytes <= 3 * 102400
// TRAFFIC cpu:4x1 launches_exact == 3
#include "devices.h"

using namespace devices;

constexpr int n = 160;

__global__ void multiply(const int* a, const int* b, int* c) {
  const int x = global_x(), y = global_y();
  if (x >= n || y >= n) return;
  int sum = 0;
  for (int k = 0; k < n; ++k) sum += a[y * n + k] * b[k * n + x];
  c[y * n + x] = sum % 10007;
}

vector<int> product(const vector<int>& a, const vector<int>& b) {
  vector<int> c(n * n, 0);
  for (int y = 0; y < n; ++y)
    for (int k = 0; k < n; ++k)
      for (int x = 0; x < n; ++x) c[y * n + x] += a[y * n + k] * b[k * n + x];
  for (int& value : c) value %= 10007;
  return c;
}

int main() {
  Random random(33);
  const vector<int> a = random.integers<int>(n * n, 0, 99), b = random.integers<int>(n * n, 0, 99);
  int* m[4];
  for (int*& p : m) CUDA_OK(cudaMalloc(&p, n * n * sizeof(int)));
  const dim3 block(16, 4), grid = blocks(n, n, block);
  multiply<<<grid, block>>>(m[0], m[1], m[2]);
  CUDA_OK(cudaMemcpy(m[0], a.data(), n * n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(m[1], b.data(), n * n * sizeof(int), cudaMemcpyHostToDevice));
  multiply<<<grid, block>>>(m[0], m[1], m[2]);
  multiply<<<grid, block>>>(m[2], m[1], m[3]);
  vector<int> got(n * n);
  CUDA_OK(cudaMemcpy(got.data(), m[3], n * n * sizeof(int), cudaMemcpyDeviceToHost));
  result("product", got, product(product(a, b), b));
  return finish();
}
