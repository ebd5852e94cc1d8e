// Alignment of shared variables, spelt in every way programs do.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Shared memory | __align__ and alignas before and after __shared__
#include "check.h"

__global__ void aligned(unsigned* out) {
  __shared__ char first;
  __shared__ __align__(64) char second[3];
  alignas(128) __shared__ char third[5];
  __shared__ alignas(256) char fourth[7];
  extern __shared__ __align__(16) unsigned char dynamic[];
  if (threadIdx.x == 0) {
    first = 1;
    out[0] = static_cast<unsigned>(__cvta_generic_to_shared(second) % 64);
    out[1] = static_cast<unsigned>(__cvta_generic_to_shared(third) % 128);
    out[2] = static_cast<unsigned>(__cvta_generic_to_shared(fourth) % 256);
    out[3] = static_cast<unsigned>(__cvta_generic_to_shared(dynamic) % 16);
    second[2] = third[4] = fourth[6] = first;
    out[4] = second[2] + third[4] + fourth[6];
  }
}

int main() {
  check::Array<unsigned> out(5);
  aligned<<<1, 33, 32>>>(out.data());
  check::equal("alignment", out.get(), std::vector<unsigned>{0, 0, 0, 0, 3});
  return check::finish();
}
