// Element-wise work never moves anything between devices, however many launches there are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The input is uploaded after a launch has shown the pattern: each device gets its part and no
// more, so what comes from the host is each byte once: 2 arrays of 100003 ints.
//
// TRAFFIC cpu:2x1 device_to_device_bytes == 0
// TRAFFIC cpu:3x1 device_to_device_bytes == 0
// TRAFFIC cpu:7x1 device_to_device_bytes == 0
// TRAFFIC cpu:3x1 host_to_device_bytes == 2 * 100003 * 4
// TRAFFIC cpu:3x1 device_to_host_bytes == 100003 * 4
// TRAFFIC cpu:3x1 launches_exact == 101
// TRAFFIC cpu:7x1 parts == 101 * 7
#include "devices.h"

using namespace devices;

constexpr int n = 100003;

__global__ void add(int* a, const int* b) {
  const int i = global_x();
  if (i < n) a[i] += b[i];
}

int main() {
  Random random(32);
  vector<int> a = random.integers<int>(n, -99, 99);
  const vector<int> b = random.integers<int>(n, -99, 99);
  int *da = nullptr, *db = nullptr;
  CUDA_OK(cudaMalloc(&da, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&db, n * sizeof(int)));
  add<<<blocks(n, 128), 128>>>(da, db);
  CUDA_OK(cudaMemcpy(da, a.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  CUDA_OK(cudaMemcpy(db, b.data(), n * sizeof(int), cudaMemcpyHostToDevice));
  for (int turn = 0; turn < 100; ++turn) add<<<blocks(n, 128), 128>>>(da, db);
  for (int i = 0; i < n; ++i) a[i] += 100 * b[i];
  vector<int> got(n);
  CUDA_OK(cudaMemcpy(got.data(), da, n * sizeof(int), cudaMemcpyDeviceToHost));
  result("sums", got, a);
  return finish();
}
