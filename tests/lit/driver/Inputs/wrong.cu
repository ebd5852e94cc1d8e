// Mistakes of every kind; diagnostics.test knows their lines.
#include "wrong.h"

__global__ void kernel(int* p) {
  on_both_sides(p);
}

int host() {
  return on_the_host;
}

#ifdef __CUDA_ARCH__
#warning seen by the device pass
__device__ int only() { return on_the_device; }
#endif
