#include "library-kernels.h"

#include <cstdio>

void in_b(unsigned* data, int blocks);

__device__ unsigned offset = 3;
__global__ void own(unsigned* data) { data[blockIdx.x * 128 + threadIdx.x] += offset; }

int main() {
  constexpr int blocks = 7, n = blocks * 128;
  unsigned *data, want[n], other[n], got[n];
  for (int i = 0; i < n; ++i) want[i] = i * 2654435761u;
  cudaMalloc(&data, sizeof want);
  cudaMemcpy(data, want, sizeof want, cudaMemcpyHostToDevice);
  library::reverse<<<blocks, 128>>>(data);
  own<<<blocks, 128>>>(data);
  in_b(data, blocks);
  cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < n; ++i) other[i] = library::mix(want[i / 128 * 128 + 127 - i % 128]);
    for (int i = 0; i < n; ++i) want[i] = other[i] + (round == 0 ? 3 : 0);
  }
  int wrong = cudaGetLastError() != cudaSuccess;
  for (int i = 0; i < n; ++i) wrong += got[i] != want[i];
  std::printf("wrong: %d\n", wrong);
}
