// Constructors of global objects launch kernels of their own file, destructors use CUDA.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Launches | kernels, device and managed variables used by constructors and destructors of global objects of the same file
#include "check.h"

__device__ int factor = 3;
__managed__ int counter = 40;

__global__ void scale(int* values, int n) {
  const int i = check::global_index();
  if (i < n) values[i] = i * factor + counter;
}

template <int N>
struct Table {
  int* values = nullptr;
  int counter_before = 0;
  std::vector<int> first;

  Table() : first(N) {
    counter_before = counter;
    counter += N;
    const int number = 5;
    CUDA_OK(cudaMemcpyToSymbol(factor, &number, sizeof number));
    CUDA_OK(cudaMalloc(&values, N * sizeof(int)));
    scale<<<(N + 32) / 33, 33>>>(values, N);
    KERNEL_OK();
    CUDA_OK(cudaMemcpy(first.data(), values, N * sizeof(int), cudaMemcpyDeviceToHost));
  }
  ~Table() {
    if (cudaFree(values) != cudaSuccess) std::_Exit(9);
  }
};

static Table<101> table;
Table<57> another;

int main() {
  CHECK_EQ(table.counter_before, 40);
  CHECK_EQ(another.counter_before, 141);
  CHECK_EQ(counter, 198);
  std::vector<int> want(101);
  for (int i = 0; i < 101; ++i) want[i] = i * 5 + 141;
  check::equal("first table", table.first, want);
  want.resize(57);
  for (int i = 0; i < 57; ++i) want[i] = i * 5 + 198;
  check::equal("second table", another.first, want);
  check::Array<int> out(31);
  scale<<<1, 31>>>(out.data(), 31);
  want.resize(31);
  check::equal("in main", out.get(), want);
  return check::finish();
}
