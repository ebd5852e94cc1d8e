// As many blocks as CUDA allows.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SETTINGS cpu:1 cpu:7x1
#include "devices.h"

using namespace devices;

constexpr unsigned most = 2147483647, stretches = 8, stretch = most / stretches + 1;

/// The first and the last block of each stretch of the grid tell who they are.
__global__ void ends(unsigned* out) {
  const unsigned block = blockIdx.x, at = block % stretch;
  if (at == 0) out[2 * (block / stretch)] = block;
  if (at == stretch - 1 || block == gridDim.x - 1) out[2 * (block / stretch) + 1] = block;
}

int main() {
  Array<unsigned> out(2 * stretches);
  ends<<<most, 1>>>(out.data());
  vector<unsigned> want;
  for (unsigned i = 0; i < stretches; ++i) {
    want.push_back(i * stretch);
    want.push_back(i + 1 < stretches ? (i + 1) * stretch - 1 : most - 1);
  }
  result("ends", out, want);
  return finish();
}
