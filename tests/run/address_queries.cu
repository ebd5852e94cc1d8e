// Questions about the space behind a generic address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FLAGS: -arch=sm_90
// FEATURE: Memory | __isGlobal, __isShared, __isLocal
#include "check.h"

__device__ int global_data[4] = {1, 2, 3, 4};

__global__ void kinds(const int* argument, int* out) {
  __shared__ int cell;
  int local = threadIdx.x;
  cell = 0;
  unsigned flags = 0;
  flags |= __isShared(&cell) ? 1u : 0;
  flags |= __isShared(argument) ? 2u : 0;
  flags |= __isGlobal(argument) ? 4u : 0;
  flags |= __isGlobal(&cell) ? 8u : 0;
  flags |= __isLocal(&local) ? 16u : 0;
  flags |= __isLocal(&cell) ? 32u : 0;
  flags |= __isGlobal(global_data) ? 64u : 0;
  out[threadIdx.x] = static_cast<int>(flags);
}

int main() {
  check::Array<int> argument(4);
  check::Array<int> flags(33);
  kinds<<<1, 33>>>(argument.data(), flags.data());
  check::equal("kinds", flags.get(), std::vector<int>(33, 1 + 4 + 16 + 64));
  return check::finish();
}
