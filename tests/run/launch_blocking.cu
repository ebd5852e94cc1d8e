// CUDA_LAUNCH_BLOCKING=1: a launch returns when its kernel is done, and tells of its fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Errors | CUDA_LAUNCH_BLOCKING=1: launches wait for their kernel and return its error
#include "check.h"

#include <cstdlib>

__global__ void write(int* out, int value) { out[threadIdx.x] = value; }
__global__ void stop() { __trap(); }

int main() {
  setenv("CUDA_LAUNCH_BLOCKING", "1", 1);  // before the first call
  int* seen = nullptr;
  CUDA_OK(cudaHostAlloc(&seen, 32 * sizeof *seen, cudaHostAllocMapped));
  for (int value : {3, 4}) {
    write<<<1, 32>>>(seen, value);
    const bool is_there = seen[31] == value;  // without having waited
    CHECK(is_there);
  }
  CUDA_OK(cudaGetLastError());
  stop<<<1, 1>>>();
  CHECK_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
  return check::finish();
}
