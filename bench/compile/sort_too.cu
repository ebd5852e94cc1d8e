// Another file that sorts, with a kernel of its own (compile_time.py --after FILE).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/device_vector.h>
#include <thrust/sort.h>

__global__ void negate(int* numbers, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) numbers[i] = -numbers[i];
}

void sort_descending(thrust::device_vector<int>& numbers) {
  const int n = static_cast<int>(numbers.size());
  int* const data = thrust::raw_pointer_cast(numbers.data());
  negate<<<(n + 255) / 256, 256>>>(data, n);
  thrust::sort(numbers.begin(), numbers.end());
  negate<<<(n + 255) / 256, 256>>>(data, n);
}
