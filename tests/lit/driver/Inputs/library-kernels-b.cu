// Other names, lines and types before what it shares with the other file.
#include <cstddef>

struct Before {
  std::size_t x;
};
static __device__ __noinline__ std::size_t before(Before* at) { return at->x; }
__global__ void first(Before* at, int* out) {
  __shared__ int number;
  number = static_cast<int>(before(at));
  __syncthreads();
  *out = number;
}

#include "library-kernels.h"

void in_b(unsigned* data, int blocks) { library::reverse<<<blocks, 128>>>(data); }
