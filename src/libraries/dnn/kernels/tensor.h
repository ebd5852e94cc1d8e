// Tensors as kernels take them: places of elements, and the type that they are computed in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>

#include <cstdint>
#include <type_traits>

namespace gridspan::libraries::dnn {

/// Images, channels, depth, height, width: what a tensor lacks of these is 1.
constexpr int most_axes = 5;

struct Layout {
  int size[most_axes] = {1, 1, 1, 1, 1};
  long long stride[most_axes] = {0, 0, 0, 0, 0};

  __host__ __device__ long long count() const {
    long long product = 1;
    for (int axis = 0; axis < most_axes; ++axis) product *= size[axis];
    return product;
  }
  __host__ __device__ long long at(int n, int c, int d, int h, int w) const {
    return n * stride[0] + c * stride[1] + d * stride[2] + h * stride[3] + w * stride[4];
  }
};

/// Where the element lies that is i-th with the width counted fastest.
struct Place {
  int axis[most_axes];

  Place() = default;
  /// Tensors have fewer than 2^31 elements, for which a quotient in double, cut off, is the exact
  /// one; and unlike one of integers it is an instruction for several lanes.
  __host__ __device__ Place(const Layout& layout, long long i) {
    int rest = static_cast<int>(i);
    for (int a = most_axes - 1; a > 0; --a) {
      axis[a] = 0;
      if (layout.size[a] == 1) continue;
      const int next = static_cast<int>(static_cast<double>(rest) / layout.size[a]);
      axis[a] = rest - next * layout.size[a];
      rest = next;
    }
    axis[0] = rest;
  }
  __host__ __device__ long long in(const Layout& layout) const {
    long long sum = 0;
    for (int a = 0; a < most_axes; ++a) sum += axis[a] * layout.stride[a];
    return sum;
  }
};

/// Calls `run` with every place, the width counted fastest.
template <typename Run>
__device__ void each_place(const Layout& layout, Run run) {
  Place at;
  for (at.axis[0] = 0; at.axis[0] < layout.size[0]; ++at.axis[0])
    for (at.axis[1] = 0; at.axis[1] < layout.size[1]; ++at.axis[1])
      for (at.axis[2] = 0; at.axis[2] < layout.size[2]; ++at.axis[2])
        for (at.axis[3] = 0; at.axis[3] < layout.size[3]; ++at.axis[3])
          for (at.axis[4] = 0; at.axis[4] < layout.size[4]; ++at.axis[4]) run(at);
}

/// Half precision and bfloat16 are computed in float.
template <typename T>
using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T>
__host__ __device__ Wide<T> wide(T x) {
  return static_cast<Wide<T>>(x);
}

/// alpha value + beta *to; beta of 0 does not read.
template <typename T>
__device__ void blend(T* to, Wide<T> value, Wide<T> alpha, Wide<T> beta) {
  Wide<T> result = alpha * value;
  if (beta != 0) result += beta * wide(*to);
  *to = static_cast<T>(result);
}

constexpr int block_threads = 256;

inline unsigned blocks_of(long long count, int threads = block_threads) {
  return static_cast<unsigned>((count + threads - 1) / threads);
}

/// Calls `run` with a number of the elements' type.
template <typename Run>
cudaError_t with_type(cudnnDataType_t type, Run run) {
  switch (type) {
    case CUDNN_DATA_FLOAT:
      return run(0.0f);
    case CUDNN_DATA_DOUBLE:
      return run(0.0);
    case CUDNN_DATA_HALF:
      return run(__half{});
    case CUDNN_DATA_BFLOAT16:
      return run(__nv_bfloat16{});
    default:
      return cudaErrorInvalidValue;
  }
}

}  // namespace gridspan::libraries::dnn
