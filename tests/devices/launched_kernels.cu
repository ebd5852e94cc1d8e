// Kernels that launch more than a GPU's list has room for, and programs that make room.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices.h"

using namespace devices;

/// As many arguments as CUDA's limit counts on.
struct Large {
  unsigned values[1022];
};
__global__ void add_one(unsigned* count, Large large) { atomicAdd(count, large.values[1021]); }

/// counts: children, launches that were refused because there was no room, other errors
__global__ void launch_many(unsigned* counts, unsigned n) {
  const unsigned i = global_x();
  if (i >= n) return;
  Large large;
  large.values[1021] = 1;
  add_one<<<1, 1>>>(counts, large);
  const cudaError_t error = cudaGetLastError();
  if (error == cudaErrorLaunchPendingCountExceeded)
    atomicAdd(counts + 1, 1u);
  else if (error != cudaSuccess)
    atomicAdd(counts + 2, 1u);
}

vector<unsigned> launch(unsigned n) {
  Array<unsigned> counts(vector<unsigned>(3, 0));
  launch_many<<<blocks(n, 128), 128>>>(counts.data(), n);
  KERNEL_OK();
  return counts.get();
}

int main() {
  constexpr unsigned usual = 2048, too_many = 2600;
  result("what CUDA has room for", launch(usual), vector<unsigned>{usual, 0, 0});
  // CPUs have no limit.
  const vector<unsigned> most = launch(too_many);
  result("each runs or is refused", vector<unsigned>{most[0] + most[1], most[2]},
         vector<unsigned>{too_many, 0});
  CHECK(most[0] >= usual);
  CUDA_OK(cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, too_many));
  std::size_t limit = 0;
  CUDA_OK(cudaDeviceGetLimit(&limit, cudaLimitDevRuntimePendingLaunchCount));
  CHECK_EQ(limit, too_many);
  result("there is room now", launch(too_many), vector<unsigned>{too_many, 0, 0});
  return finish();
}
