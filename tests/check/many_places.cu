// More accesses in one kernel than there are slots for what is known to be good (abi/services.h), through pointers to
// memory of other sizes: each is held against its own memory, to the last byte.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// STEP: %gridcc -O2 %s -o %t => 0
// STEP: GRIDSPAN_CPU=interpret %t 0 => 0
// EXPECT: sum 11175
// EXPECT: finished: no error
// REFUSE: error:
// STEP: GRIDSPAN_CPU=interpret %t 1 => 1
// EXPECT: many_places\.cu:25:\d+: error: kernel 'sum\(Many, int\*, int\)', block \[0,0,0\], thread \[2,0,0\]: read of 4 bytes at 0x[0-9a-f]+, 0 bytes behind the end of the 12 bytes at 0x[0-9a-f]+$
// EXPECT: many_places\.cu:26:\d+: error: kernel 'sum\(Many, int\*, int\)', block \[0,0,0\], thread \[1,0,0\]: misaligned read of 8 bytes at 0x[0-9a-f]+, which is no multiple of 8, 4 bytes inside the 604 bytes at 0x[0-9a-f]+$
// EXPECT: finished: misaligned address$
#include <cstdio>
#include <vector>

constexpr int many = 150;  // memory i has 4 * (i + 2) bytes

struct Many {
  const int* at[many];
};

template <int i>
__device__ int at_last(const Many& m, int skip) {
  if constexpr (i == 1) {
    if (skip != 0 && threadIdx.x == 2) return m.at[1][1 + skip + 1];
    if (skip != 0 && threadIdx.x == 1) return int(*reinterpret_cast<const long long*>(m.at[149] + 1));
  }
  return m.at[i][i + 1];
}

template <int i>
__device__ int add(const Many& m, int skip) {
  const int here = at_last<i>(m, skip);
  if constexpr (i == 0)
    return here;
  else
    return here + add<i - 1>(m, skip);
}

__global__ void sum(Many m, int* out, int skip) {
  const int all = add<many - 1>(m, skip);
  out[threadIdx.x] = all;
}

int main(int, char** words) {
  Many m;
  for (int i = 0; i < many; ++i) {
    int* memory = nullptr;
    cudaMalloc(&memory, 4 * (i + 2));
    std::vector<int> values(i + 2, -1000);
    values.back() = i;
    cudaMemcpy(memory, values.data(), 4 * (i + 2), cudaMemcpyHostToDevice);
    m.at[i] = memory;
  }
  int *out = nullptr, result = -1;
  cudaMalloc(&out, 3 * sizeof(int));
  sum<<<1, 3>>>(m, out, words[1][0] != '0');
  const cudaError_t error = cudaDeviceSynchronize();
  if (!error) cudaMemcpy(&result, out, sizeof(int), cudaMemcpyDeviceToHost);
  if (!error) std::printf("sum %d\n", result);
  std::printf("finished: %s\n", cudaGetErrorString(error));
  return error != cudaSuccess;
}
