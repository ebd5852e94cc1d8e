// Sizes that leave devices without work, or with less than others.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void saxpy(int n, float a, const float* x, float* y) {
  const int i = global_x();
  if (i < n) y[i] = a * x[i] + y[i];
}
__global__ void stencil(const float* in, float* out, int n) {
  const int i = global_x();
  if (i < n) out[i] = in[max(i - 2, 0)] + in[min(i + 2, n - 1)];
}
__global__ void reverse(const float* in, float* out, int n) {
  const int i = global_x();
  if (i < n) out[n - 1 - i] = in[i];
}
__global__ void total(const float* in, float* out, int n) {  // all read everything
  const int i = global_x();
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += in[k] * static_cast<float>(i + 1);
  out[i] = sum;
}

void run(Random& random, int n, int block) {
  vector<float> x = random.integers<float>(n, -8, 8), y = random.integers<float>(n, -8, 8), z(n);
  Array<float> dx(x), dy(y), dz(n);
  const auto grid = blocks(n, block);
  saxpy<<<grid, block>>>(n, 3, dx.data(), dy.data());
  stencil<<<grid, block>>>(dy.data(), dz.data(), n);
  reverse<<<grid, block>>>(dz.data(), dx.data(), n);
  total<<<grid, block>>>(dx.data(), dz.data(), n);
  saxpy<<<grid, block>>>(n, -1, dz.data(), dy.data());
  for (int i = 0; i < n; ++i) y[i] += 3 * x[i];
  for (int i = 0; i < n; ++i) z[i] = y[std::max(i - 2, 0)] + y[std::min(i + 2, n - 1)];
  for (int i = 0; i < n; ++i) x[n - 1 - i] = z[i];
  for (int i = 0; i < n; ++i) {
    z[i] = 0;
    for (int k = 0; k < n; ++k) z[i] += x[k] * static_cast<float>(i + 1);
  }
  for (int i = 0; i < n; ++i) y[i] -= z[i];
  result("x", dx, x), result("y", dy, y), result("z", dz, z);
}

int main() {
  Random random(28);
  for (int n = 1; n <= 20; ++n)
    for (const int block : {1, 2, 5, 32}) run(random, n, block);
  for (const int n : {61, 127, 509}) run(random, n, 32);
  return finish();
}
