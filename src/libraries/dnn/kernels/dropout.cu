// Dropout: which elements become 0 follows from the seed, and from how many numbers were drawn
// before. A thread draws for four elements, from their place alone. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/kernels/launches.h"
#include "libraries/support/start_kernel.h"

#include <gridspan/rand_philox.h>
#include <cmath>

namespace gridspan::libraries::dnn {
namespace {

constexpr int unit = 4;  // numbers that Philox gives at once

__global__ void begin_state(DropoutState* state, unsigned long long seed) {
  state->seed = seed;
  state->next = 0;
}

/// After those that read the state: the next launch draws other numbers, also of a graph.
__global__ void advance_state(DropoutState* state, unsigned long long units) {
  state->next += units;
}

/// The whole tensor, without gaps: subscripts are the element's number, so that parts of the grid
/// have exact boxes.
bool is_packed(const Layout& layout) {
  long long next = 1;
  for (int axis = most_axes - 1; axis >= 0; --axis) {
    if (layout.size[axis] != 1 && layout.stride[axis] != next) return false;
    next *= layout.size[axis];
  }
  return true;
}

template <typename T>
__device__ T kept_or_zero(T x, bool is_kept, Wide<T> scale) {
  return static_cast<T>(is_kept ? wide(x) * scale : 0);
}

/// An element is kept if its number of 32 bits is `least` or more.
template <typename T, bool packed>
__global__ void drop(const DropoutState* state, unsigned long long least, Wide<T> scale,
                     Layout x_layout, const T* x, Layout y_layout, int count, T* y,
                     unsigned char* mask) {
  const int place = blockIdx.x * blockDim.x + threadIdx.x;
  if (place * unit >= count) return;
  const unsigned long long counter = state->next + place, seed = state->seed;
  const uint4 four = gridspan_rand::philox(
      uint4{static_cast<unsigned>(counter), static_cast<unsigned>(counter >> 32), 0, 0},
      uint2{static_cast<unsigned>(seed), static_cast<unsigned>(seed >> 32)});
#pragma unroll
  for (int k = 0; k < unit; ++k) {
    const int i = place * unit + k;
    if (i >= count) continue;
    const bool is_kept = gridspan_rand::part(four, k) >= least;
    mask[i] = is_kept;
    if constexpr (packed) {
      y[i] = kept_or_zero(x[i], is_kept, scale);
    } else {
      const Place at(y_layout, i);
      y[at.in(y_layout)] = kept_or_zero(x[at.in(x_layout)], is_kept, scale);
    }
  }
}

template <typename T, bool packed>
__global__ void drop_again(Wide<T> scale, Layout x_layout, const T* x, Layout y_layout, int count,
                           T* y, const unsigned char* mask) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if constexpr (packed) {
    y[i] = kept_or_zero(x[i], mask[i] != 0, scale);
  } else {
    const Place at(y_layout, i);
    y[at.in(y_layout)] = kept_or_zero(x[at.in(x_layout)], mask[i] != 0, scale);
  }
}

/// Of what is kept. With a share of 1 nothing is.
double scale_of(const Dropout& dropout) { return dropout.share < 1 ? 1 / (1 - dropout.share) : 0; }

}  // namespace

cudaError_t launch_dropout_state(DropoutState* state, unsigned long long seed,
                                 cudaStream_t stream) {
  return start_kernel(begin_state, 1, 1, stream, state, seed);
}

cudaError_t launch_dropout(cudnnDataType_t type, const Dropout& dropout, DropoutState* state,
                           const Layout& x, const void* from, const Layout& y, void* to,
                           unsigned char* mask) {
  const long long count = y.count(), units = (count + unit - 1) / unit;
  const auto least = static_cast<unsigned long long>(std::ceil(std::ldexp(dropout.share, 32)));
  const cudaError_t error = with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(is_packed(x) && is_packed(y) ? drop<T, true> : drop<T, false>,
                        blocks_of(units), block_threads, dropout.stream, state, least,
                        scale_of(dropout), x, static_cast<const T*>(from), y, count,
                        static_cast<T*>(to), mask);
  });
  if (error != cudaSuccess) return error;
  return start_kernel(advance_state, 1, 1, dropout.stream, state, units);
}

cudaError_t launch_dropout_gradient(cudnnDataType_t type, const Dropout& dropout, const Layout& dy,
                                    const void* from, const Layout& dx, void* to,
                                    const unsigned char* mask) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(is_packed(dy) && is_packed(dx) ? drop_again<T, true> : drop_again<T, false>,
                        blocks_of(dx.count()), block_threads, dropout.stream, scale_of(dropout), dy,
                        static_cast<const T*>(from), dx, dx.count(), static_cast<T*>(to), mask);
  });
}

}  // namespace gridspan::libraries::dnn
