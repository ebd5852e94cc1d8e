// `compute` without kernels, as a C++ compiler makes it from our headers and links it with
// -lcudart. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime_api.h>

extern "C" int compute(float* out, const float* in, int n) {
  void* memory;
  if (cudaMalloc(&memory, n * sizeof(float))) return 1;
  if (cudaMemcpy(memory, in, n * sizeof(float), cudaMemcpyHostToDevice)) return 2;
  if (cudaMemcpy(out, memory, n * sizeof(float), cudaMemcpyDeviceToHost)) return 3;
  for (int i = 0; i < n; ++i) out[i] = 3 * out[i] + 0.25f;
  return cudaFree(memory);
}
