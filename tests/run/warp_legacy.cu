// Warp operations under their names of CUDA 8, which old programs use.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Warp operations | legacy names without mask: __shfl, __shfl_up, __shfl_down, __shfl_xor, __ballot, __any, __all
#include "check.h"

#if CUDART_VERSION < 13000
__global__ void legacy(int* out) {
  const int t = check::thread_index(), lane = t % 32;
  const int value = lane * lane + t / 32;
  int sum = value;
  for (int offset = 16; offset > 0; offset /= 2) sum += __shfl_down(sum, offset);
  int* o = out + t * 8;
  o[0] = __shfl(sum, 0);
  o[1] = __shfl_up(value, 3, 8);
  o[2] = __shfl_xor(value, 31);
  o[3] = static_cast<int>(__ballot(lane % 5 == 0));
  o[4] = __any(lane == 31) != 0;
  o[5] = __all(lane < 31) != 0;
  o[6] = static_cast<int>(__shfl(1.5f * lane, lane / 2) * 2);
  o[7] = static_cast<int>(__shfl_xor(2.5 * lane, 1) * 2);
}

int main() {
  check::Array<int> out(96 * 8);
  legacy<<<1, 96>>>(out.data());
  std::vector<int> want(96 * 8);
  for (int t = 0; t < 96; ++t) {
    const int lane = t % 32, warp = t / 32;
    int* o = &want[t * 8];
    o[0] = 31 * 32 * 63 / 6 + 32 * warp;
    const int up = lane % 8 >= 3 ? lane - 3 : lane;
    o[1] = up * up + warp;
    o[2] = (lane ^ 31) * (lane ^ 31) + warp;
    for (int u = 0; u < 32; u += 5) o[3] |= static_cast<int>(1u << u);
    o[4] = 1;
    o[5] = 0;
    o[6] = lane / 2 * 3;
    o[7] = (lane ^ 1) * 5;
  }
  check::equal("legacy", out.get(), want);
  return check::finish();
}
#else
int main() { std::printf("these names left CUDA with version 13\n"); }
#endif
