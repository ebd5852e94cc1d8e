// Kernels that must stay on one device, in the middle of ones that are split.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

__global__ void split(int* a, const int* b, int n) {
  const int i = global_x();
  if (i < n) a[i] = a[i] * 3 + b[n - 1 - i];
}
__global__ void prefix(int* a, int n) {  // one thread
  for (int i = 1; i < n; ++i) a[i] = (a[i] + a[i - 1]) & 0xffff;
}
// Blocks wait for each other.
__global__ void chained(int* a, volatile int* turn, int n) {
  const int i = global_x();
  if (threadIdx.x == 0) {
    while (*turn != static_cast<int>(blockIdx.x)) {
    }
  }
  __syncthreads();
  if (i < n) a[i] += *turn;
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) *turn = blockIdx.x + 1;
}
__device__ int recursive(int n) { return n < 2 ? n : recursive(n - 1) + recursive(n - 2); }
__global__ void calls(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] += recursive(i % 7);
}
__global__ void heap(int* a, int n) {
  const int i = global_x();
  if (i >= n) return;
  int* own = static_cast<int*>(malloc(4 * sizeof(int)));
  if (own == nullptr) return;
  for (int k = 0; k < 4; ++k) own[k] = a[i] + k;
  a[i] = own[0] + own[3];
  free(own);
}
using Function = int (*)(int);
__device__ int twice(int x) { return 2 * x; }
__device__ Function chosen = twice;
__global__ void indirect(int* a, int n) {
  const int i = global_x();
  if (i < n) a[i] = chosen(a[i]) & 0xffff;
}

int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main() {
  Random random(25);
  for (const int n : {1, 67, 509}) {
    vector<int> a = random.integers<int>(n, 0, 99);
    const vector<int> b = random.integers<int>(n, 0, 99);
    Array<int> da(a), db(b);
    const auto grid = blocks(n, 32);
    const auto host_split = [&] {
      for (int i = 0; i < n; ++i) a[i] = a[i] * 3 + b[n - 1 - i];
    };
    for (int round = 0; round < 2; ++round) {
      split<<<grid, 32>>>(da.data(), db.data(), n), host_split();
      prefix<<<1, 1>>>(da.data(), n);
      for (int i = 1; i < n; ++i) a[i] = (a[i] + a[i - 1]) & 0xffff;
      split<<<grid, 32>>>(da.data(), db.data(), n), host_split();
      Array<int> turn(vector<int>(1, 0));
      chained<<<grid, 32>>>(da.data(), turn.data(), n);
      for (int i = 0; i < n; ++i) a[i] += i / 32;
      split<<<grid, 32>>>(da.data(), db.data(), n), host_split();
      calls<<<grid, 32>>>(da.data(), n);
      for (int i = 0; i < n; ++i) a[i] += fibonacci(i % 7);
      split<<<grid, 32>>>(da.data(), db.data(), n), host_split();
      heap<<<grid, 32>>>(da.data(), n);
      for (int& value : a) value = 2 * value + 3;
      split<<<grid, 32>>>(da.data(), db.data(), n), host_split();
      indirect<<<grid, 32>>>(da.data(), n);
      for (int& value : a) value = 2 * value & 0xffff;
      result("mixed", da, a);
    }
  }
  return finish();
}
