// Element by element: sums, products, activations, reductions. A thread for each element of the
// result, which computes it alone: bits do not depend on how a launch is split.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/kernels/launches.h"
#include "libraries/support/start_kernel.h"

#include <cstring>

namespace gridspan::libraries::dnn {
namespace {

/// All of one layout without gaps: subscripts are the thread's number, so that parts of the grid
/// have exact boxes.
template <typename... Layouts>
bool is_flat(const Layout& first, const Layouts&... others) {
  long long next = 1;
  for (int axis = most_axes - 1; axis >= 0; --axis) {
    if (first.size[axis] != 1 && first.stride[axis] != next) return false;
    next *= first.size[axis];
  }
  const auto same = [&](const Layout& other) {
    for (int axis = 0; axis < most_axes; ++axis)
      if (other.size[axis] != first.size[axis] ||
          (other.size[axis] != 1 && other.stride[axis] != first.stride[axis]))
        return false;
    return true;
  };
  return (true && ... && same(others));
}

template <typename T>
__device__ Wide<T> activated(Wide<T> x, int mode, Wide<T> limit, Wide<T> swish, bool keeps_nan) {
  switch (mode) {
    case CUDNN_ACTIVATION_SIGMOID:
      return 1 / (1 + exp(-x));
    case CUDNN_ACTIVATION_RELU:
      return x > 0 || (keeps_nan && x != x) ? x : 0;
    case CUDNN_ACTIVATION_TANH:
      return tanh(x);
    case CUDNN_ACTIVATION_CLIPPED_RELU:
      if (keeps_nan && x != x) return x;
      return x > 0 ? (x < limit ? x : limit) : 0;
    case CUDNN_ACTIVATION_ELU:
      return x > 0 ? x : limit * expm1(x);
    case CUDNN_ACTIVATION_SWISH:
      return x / (1 + exp(-swish * x));
    default:
      return x;
  }
}

template <typename T>
__device__ Wide<T> slope(Wide<T> x, Wide<T> y, int mode, Wide<T> limit, Wide<T> swish) {
  switch (mode) {
    case CUDNN_ACTIVATION_SIGMOID:
      return y * (1 - y);
    case CUDNN_ACTIVATION_RELU:
      return x > 0;
    case CUDNN_ACTIVATION_TANH:
      return 1 - y * y;
    case CUDNN_ACTIVATION_CLIPPED_RELU:
      return x > 0 && x <= limit;
    case CUDNN_ACTIVATION_ELU:
      return x > 0 ? 1 : limit * exp(x);
    case CUDNN_ACTIVATION_SWISH: {
      const Wide<T> s = 1 / (1 + exp(-swish * x));
      return s + swish * x * s * (1 - s);
    }
    default:
      return 1;
  }
}

template <typename T>
__global__ void set_elements(Layout layout, int count, T* y, T value) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) y[Place(layout, i).in(layout)] = value;
}

template <typename T>
__global__ void scale_elements(Layout layout, int count, T* y, Wide<T> factor) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  T* const to = y + Place(layout, i).in(layout);
  *to = static_cast<T>(factor * wide(*to));
}

template <typename From, typename To>
__global__ void add_elements(Layout a_layout, const From* a, Layout c_layout, int count, To* c,
                             Wide<To> alpha, Wide<To> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(c_layout, i);
  blend(c + place.in(c_layout), static_cast<Wide<To>>(wide(a[place.in(a_layout)])), alpha, beta);
}

/// Does y take the place of x, as the smaller of two numbers, or the larger? What is no number wins
/// where it is kept, else loses.
template <typename W>
__device__ bool wins(W x, W y, bool is_least, bool keeps_nan) {
  if (x != x) return !keeps_nan && y == y;
  if (y != y) return keeps_nan;
  return is_least ? y < x : y > x;
}
template <typename W>
__device__ W extreme(W x, W y, bool is_least, bool keeps_nan) {
  return wins(x, y, is_least, keeps_nan) ? y : x;
}

template <typename T>
__global__ void combine_elements(int op, bool keeps_nan, Layout a_layout, const T* a,
                                 Layout b_layout, const T* b, Wide<T> alpha1, Wide<T> alpha2,
                                 Layout c_layout, int count, T* c, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(c_layout, i);
  const Wide<T> x = alpha1 * wide(a[place.in(a_layout)]);
  const bool is_unary = op == CUDNN_OP_TENSOR_SQRT || op == CUDNN_OP_TENSOR_NOT;
  const Wide<T> y = is_unary ? 0 : alpha2 * wide(b[place.in(b_layout)]);
  Wide<T> result = x + y;
  if (op == CUDNN_OP_TENSOR_MUL) result = x * y;
  if (op == CUDNN_OP_TENSOR_MIN || op == CUDNN_OP_TENSOR_MAX)
    result = extreme(x, y, op == CUDNN_OP_TENSOR_MIN, keeps_nan);
  if (op == CUDNN_OP_TENSOR_SQRT) result = sqrt(x);
  if (op == CUDNN_OP_TENSOR_NOT) result = 1 - x;
  blend(c + place.in(c_layout), result, Wide<T>(1), beta);
}

/// `over` has what is reduced for one element of c: a's size where c has 1, else 1. Its places,
/// the width counted fastest, are the indices of extremes: the first of equal ones.
template <typename T, bool has_indices>
__global__ void reduce_elements(int op, bool keeps_nan, Layout over, Layout a_layout, const T* a,
                                Layout c_layout, int count, T* c, Wide<T> alpha, Wide<T> beta,
                                unsigned* indices) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(c_layout, i);
  const T* const first = a + place.in(a_layout);
  const long long terms = over.count();
  Wide<T> result = op == CUDNN_REDUCE_TENSOR_MUL || op == CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS ? 1 : 0;
  bool is_first = true;
  unsigned number = 0, index = 0;
  each_place(over, [&](const Place& at) {
    const Wide<T> x = wide(first[at.in(a_layout)]);
    const Wide<T> size = x < 0 ? -x : x;
    if constexpr (has_indices) {
      const Wide<T> other = op == CUDNN_REDUCE_TENSOR_AMAX ? size : x;
      if (!is_first && wins(result, other, op == CUDNN_REDUCE_TENSOR_MIN, keeps_nan))
        index = number;
      ++number;
    }
    switch (op) {
      case CUDNN_REDUCE_TENSOR_MUL:
        result *= x;
        break;
      case CUDNN_REDUCE_TENSOR_MUL_NO_ZEROS:
        if (x != 0) result *= x;
        break;
      case CUDNN_REDUCE_TENSOR_MIN:
      case CUDNN_REDUCE_TENSOR_MAX:
        result = is_first ? x : extreme(result, x, op == CUDNN_REDUCE_TENSOR_MIN, keeps_nan);
        break;
      case CUDNN_REDUCE_TENSOR_AMAX:
        result = is_first ? size : extreme(result, size, false, keeps_nan);
        break;
      case CUDNN_REDUCE_TENSOR_NORM1:
        result += size;
        break;
      case CUDNN_REDUCE_TENSOR_NORM2:
        result += x * x;
        break;
      default:
        result += x;
    }
    is_first = false;
  });
  if (op == CUDNN_REDUCE_TENSOR_AVG) result /= static_cast<Wide<T>>(terms);
  if (op == CUDNN_REDUCE_TENSOR_NORM2) result = sqrt(result);
  blend(c + place.in(c_layout), result, alpha, beta);
  if constexpr (has_indices) indices[i] = index;
}

template <typename T, bool flat>
__global__ void activate(int mode, Wide<T> limit, Wide<T> swish, bool keeps_nan, Layout x_layout,
                         const T* x, Layout y_layout, int count, T* y, Wide<T> alpha,
                         Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  if constexpr (flat) {
    Wide<T> result = alpha * activated<T>(wide(x[i]), mode, limit, swish, keeps_nan);
    if (beta != 0) result += beta * wide(y[i]);
    y[i] = static_cast<T>(result);
  } else {
    const Place place(y_layout, i);
    blend(y + place.in(y_layout),
          activated<T>(wide(x[place.in(x_layout)]), mode, limit, swish, keeps_nan), alpha, beta);
  }
}

template <typename T>
__global__ void activate_gradient(int mode, Wide<T> limit, Wide<T> swish, Layout y_layout,
                                  const T* y, Layout dy_layout, const T* dy, Layout x_layout,
                                  const T* x, Layout dx_layout, int count, T* dx, Wide<T> alpha,
                                  Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(dx_layout, i);
  const Wide<T> factor =
      slope<T>(wide(x[place.in(x_layout)]), wide(y[place.in(y_layout)]), mode, limit, swish);
  blend(dx + place.in(dx_layout), factor * wide(dy[place.in(dy_layout)]), alpha, beta);
}

/// To be read for every element of `c`: an axis of one element is repeated.
Layout broadcast(Layout a, const Layout& c) {
  for (int axis = 0; axis < most_axes; ++axis)
    if (a.size[axis] == 1 && c.size[axis] != 1) a.stride[axis] = 0;
  return a;
}

}  // namespace

cudaError_t launch_set(cudnnDataType_t type, const Layout& y, void* to, double value,
                       cudaStream_t stream) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(set_elements<T>, blocks_of(y.count()), block_threads, stream, y, y.count(),
                        static_cast<T*>(to), static_cast<T>(static_cast<Wide<T>>(value)));
  });
}

cudaError_t launch_scale(cudnnDataType_t type, const Layout& y, void* to, double factor,
                         cudaStream_t stream) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(scale_elements<T>, blocks_of(y.count()), block_threads, stream, y,
                        y.count(), static_cast<T*>(to), factor);
  });
}

cudaError_t launch_convert(cudnnDataType_t from_type, const Layout& a, const void* from,
                           cudnnDataType_t to_type, const Layout& c, void* to, Blend blend) {
  return with_type(from_type, [&](auto of) {
    return with_type(to_type, [&](auto into) {
      using From = decltype(of);
      using To = decltype(into);
      return start_kernel(add_elements<From, To>, blocks_of(c.count()), block_threads, blend.stream,
                          broadcast(a, c), static_cast<const From*>(from), c, c.count(),
                          static_cast<To*>(to), blend.alpha, blend.beta);
    });
  });
}

cudaError_t launch_add(cudnnDataType_t type, const Layout& a, const void* from, const Layout& c,
                       void* to, Blend blend) {
  return launch_convert(type, a, from, type, c, to, blend);
}

cudaError_t launch_combine(cudnnDataType_t type, cudnnOpTensorOp_t op, bool keeps_nan,
                           const Layout& a, const void* a_from, const Layout& b, const void* b_from,
                           double alpha2, const Layout& c, void* to, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(combine_elements<T>, blocks_of(c.count()), block_threads, blend.stream, op,
                        keeps_nan, broadcast(a, c), static_cast<const T*>(a_from), broadcast(b, c),
                        static_cast<const T*>(b_from), blend.alpha, alpha2, c, c.count(),
                        static_cast<T*>(to), blend.beta);
  });
}

cudaError_t launch_reduce(cudnnDataType_t type, cudnnReduceTensorOp_t op, bool keeps_nan,
                          const Layout& a, const void* from, const Layout& c, void* to, Blend blend,
                          unsigned* indices) {
  Layout over;
  for (int axis = 0; axis < most_axes; ++axis)
    if (c.size[axis] == 1) over.size[axis] = a.size[axis];
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(indices ? reduce_elements<T, true> : reduce_elements<T, false>,
                        blocks_of(c.count()), block_threads, blend.stream, op, keeps_nan, over, a,
                        static_cast<const T*>(from), c, c.count(), static_cast<T*>(to), blend.alpha,
                        blend.beta, indices);
  });
}

cudaError_t launch_activation(cudnnDataType_t type, const Activation& activation, const Layout& x,
                              const void* from, const Layout& y, void* to, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(is_flat(y, x) ? activate<T, true> : activate<T, false>,
                        blocks_of(y.count()), block_threads, blend.stream, activation.mode,
                        activation.limit, activation.swish_beta, activation.keeps_nan, x,
                        static_cast<const T*>(from), y, y.count(), static_cast<T*>(to), blend.alpha,
                        blend.beta);
  });
}

cudaError_t launch_activation_gradient(cudnnDataType_t type, const Activation& activation,
                                       const Layout& y_layout, const void* y,
                                       const Layout& dy_layout, const void* dy,
                                       const Layout& x_layout, const void* x,
                                       const Layout& dx_layout, void* dx, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(activate_gradient<T>, blocks_of(dx_layout.count()), block_threads,
                        blend.stream, activation.mode, activation.limit, activation.swish_beta,
                        y_layout, static_cast<const T*>(y), dy_layout, static_cast<const T*>(dy),
                        x_layout, static_cast<const T*>(x), dx_layout, dx_layout.count(),
                        static_cast<T*>(dx), blend.alpha, blend.beta);
  });
}

}  // namespace gridspan::libraries::dnn
