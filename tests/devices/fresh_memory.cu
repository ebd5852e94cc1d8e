// Scattered writes of what a device's fresh memory happens to hold already.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void scatter(const int* to, int* out, int n, int value) {
  const int i = global_x();
  if (i < n) out[to[i]] = value;
}

/// Every element is written, but no device knows that; nobody wrote the memory before.
void fill_by_scattering(int n, int value) {
  Random random(static_cast<unsigned>(n));
  vector<int> places(n), want(n, value), got(n);
  std::iota(places.begin(), places.end(), 0);
  for (int i = n - 1; i > 0; --i) std::swap(places[i], places[random.integer(0, i)]);
  Array<int> to(places);
  int* out = nullptr;
  CUDA_OK(cudaMalloc(&out, n * sizeof(int)));
  scatter<<<blocks(n, 64), 64>>>(to.data(), out, n, value);
  CUDA_OK(cudaMemcpy(got.data(), out, n * sizeof(int), cudaMemcpyDeviceToHost));
  result("elements", got, want);
  CUDA_OK(cudaFree(out));
}

int main() {
  for (const int n : {100, 1009, 5000}) {
    for (const int value : {0x5a5a5a5a, 0, 0, 7, -1, 7, 0}) fill_by_scattering(n, value);
  }
  return finish();
}
