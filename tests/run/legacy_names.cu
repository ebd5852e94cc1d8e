// Names of the CUDA runtime API that old programs use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device management | names of CUDA 11 and before: cudaThreadSynchronize, cudaThreadExit, properties deviceOverlap, clockRate, computeMode, ...
#include "check.h"

__global__ void fill(int* out) { out[check::global_index()] = 3; }

int main() {
  check::Array<int> out(66);
  fill<<<2, 33>>>(out.data());
#if CUDART_VERSION < 13000
  CUDA_OK(cudaThreadSynchronize());
  cudaDeviceProp p;
  CUDA_OK(cudaGetDeviceProperties(&p, 0));
  CHECK(p.clockRate >= 0);
  CHECK(p.memoryClockRate >= 0);
  CHECK(p.deviceOverlap == 0 || p.deviceOverlap == 1);
  CHECK(p.kernelExecTimeoutEnabled == 0 || p.kernelExecTimeoutEnabled == 1);
  CHECK(p.computeMode == cudaComputeModeDefault);
  cudaPointerAttributes attributes;
  CUDA_OK(cudaPointerGetAttributes(&attributes, out.data()));
  CHECK(cudaErrorInvalidDevicePointer == 17);
#endif
  check::equal("fill", out.get(), std::vector<int>(66, 3));
#if CUDART_VERSION < 13000
  CUDA_OK(cudaThreadExit());
#endif
  return check::finish();
}
