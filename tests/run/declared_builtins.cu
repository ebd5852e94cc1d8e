// The program declares the built-in variables itself, as programs do for editors and for host code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Language | the program's own declarations of threadIdx and its like
#include <cstdio>

extern const uint3 blockIdx, threadIdx;
extern const dim3 gridDim, blockDim;
extern const int warpSize;
#define DECLARE(type, name) extern const type name
DECLARE(dim3, blockDim);

namespace other {
extern const uint3 threadIdx;  // nobody defines or uses it
}

__global__ void places(unsigned* out) {
  const unsigned at = blockIdx.y * gridDim.x + blockIdx.x;
  out[at * blockDim.x + threadIdx.x] = (at * 1000 + threadIdx.x) * warpSize;
}

int main() {
  constexpr unsigned columns = 3, rows = 5, threads = 37, count = columns * rows * threads;
  unsigned* out;
  cudaMallocManaged(&out, count * sizeof *out);
  for (unsigned i = 0; i < count; ++i) out[i] = 0xffffffff;
  places<<<dim3(columns, rows), threads>>>(out);
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  unsigned wrong = 0;
  for (unsigned i = 0; i < count; ++i) wrong += out[i] != (i / threads * 1000 + i % threads) * 32;
  std::printf("%u of %u elements are wrong\n", wrong, count);
  cudaFree(out);
  return wrong != 0;
}
