// Pooling, softmax and normalization over neighbouring channels, with gradients. Each element is
// computed by one thread, in an order that depends on nothing. SPDX-License-Identifier: Apache-2.0
// WITH LLVM-exception
#include "libraries/dnn/kernels/launches.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::dnn {
namespace {

/// What a window has of the tensor, along each axis.
struct Span {
  int begin[3], end[3];

  __device__ Span(const Window& w, const Layout& x, const int* place) {
    for (int a = 0; a < 3; ++a) {
      const int from = place[a] * w.step[a] - w.pad[a], to = from + w.size[a];
      begin[a] = from < 0 ? 0 : from;
      end[a] = to > x.size[a + 2] ? x.size[a + 2] : to;
    }
  }
  __device__ int count() const {
    return (end[0] - begin[0]) * (end[1] - begin[1]) * (end[2] - begin[2]);
  }
};

__device__ int divisor(const Pooling& p, const Span& span) {
  if (p.mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING) return span.count();
  return p.window.size[0] * p.window.size[1] * p.window.size[2];
}

/// The offset, beyond those of image and channel, of the first largest element; -1 of an empty
/// window.
template <typename T>
__device__ long long largest(const T* x, const Layout& layout, const Span& span, bool keeps_nan) {
  long long best = -1;
  Wide<T> most = 0;
  for (int d = span.begin[0]; d < span.end[0]; ++d)
    for (int h = span.begin[1]; h < span.end[1]; ++h)
      for (int w = span.begin[2]; w < span.end[2]; ++w) {
        const long long at = layout.at(0, 0, d, h, w);
        const Wide<T> value = wide(x[at]);
        const bool is_nan = value != value;
        if (best < 0 || value > most || (most != most && !keeps_nan && !is_nan) ||
            (keeps_nan && is_nan && most == most)) {
          best = at;
          most = value;
        }
      }
  return best;
}

template <typename T>
__global__ void pool(Pooling p, Layout x_layout, const T* x, Layout y_layout, int count, T* y,
                     Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(y_layout, i);
  const Span span(p.window, x_layout, to.axis + 2);
  const T* const plane = x + x_layout.at(to.axis[0], to.axis[1], 0, 0, 0);
  Wide<T> result = 0;
  if (p.mode == CUDNN_POOLING_MAX || p.mode == CUDNN_POOLING_MAX_DETERMINISTIC) {
    const long long at = largest(plane, x_layout, span, p.keeps_nan);
    if (at >= 0) result = wide(plane[at]);
  } else {
    for (int d = span.begin[0]; d < span.end[0]; ++d)
      for (int h = span.begin[1]; h < span.end[1]; ++h)
        for (int w = span.begin[2]; w < span.end[2]; ++w)
          result += wide(plane[x_layout.at(0, 0, d, h, w)]);
    result /= static_cast<Wide<T>>(divisor(p, span));
  }
  blend(y + to.in(y_layout), result, alpha, beta);
}

/// An element of x gathers from the windows that it is in.
template <typename T>
__global__ void pool_gradient(Pooling p, Layout y_layout, Layout dy_layout, const T* dy,
                              Layout x_layout, const T* x, Layout dx_layout, int count, T* dx,
                              Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(dx_layout, i);
  const bool is_max = p.mode == CUDNN_POOLING_MAX || p.mode == CUDNN_POOLING_MAX_DETERMINISTIC;
  int first[3], last[3];
  for (int a = 0; a < 3; ++a) {
    const int at = to.axis[a + 2] + p.window.pad[a], before = at - p.window.size[a];
    first[a] = before < 0 ? 0 : before / p.window.step[a] + 1;
    last[a] = at / p.window.step[a];
    if (last[a] >= y_layout.size[a + 2]) last[a] = y_layout.size[a + 2] - 1;
  }
  const T* const plane = x + x_layout.at(to.axis[0], to.axis[1], 0, 0, 0);
  const long long mine = x_layout.at(0, 0, to.axis[2], to.axis[3], to.axis[4]);
  Wide<T> sum = 0;
  for (int d = first[0]; d <= last[0]; ++d)
    for (int h = first[1]; h <= last[1]; ++h)
      for (int w = first[2]; w <= last[2]; ++w) {
        const int place[3] = {d, h, w};
        const Span span(p.window, x_layout, place);
        const Wide<T> value = wide(dy[dy_layout.at(to.axis[0], to.axis[1], d, h, w)]);
        if (!is_max)
          sum += value / static_cast<Wide<T>>(divisor(p, span));
        else if (largest(plane, x_layout, span, p.keeps_nan) == mine)
          sum += value;
      }
  blend(dx + to.in(dx_layout), sum, alpha, beta);
}

/// A line of elements that add up to 1: all of an image, or the channels of a pixel.
struct Line {
  Layout over, starts;

  Line(const Layout& x, cudnnSoftmaxMode_t mode) {
    for (int a = 0; a < most_axes; ++a) {
      const bool is_along = a == 1 || (a > 1 && mode == CUDNN_SOFTMAX_MODE_INSTANCE);
      (is_along ? over : starts).size[a] = x.size[a];
    }
  }
};

template <typename T>
__global__ void softmax(int algorithm, Line line, Layout x_layout, const T* x_all, Layout y_layout,
                        int count, T* y_all, Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place start(line.starts, i);
  const T* const x = x_all + start.in(x_layout);
  T* const y = y_all + start.in(y_layout);
  const long long terms = line.over.count();
  Wide<T> most = 0;
  if (algorithm != CUDNN_SOFTMAX_FAST) {
    most = wide(x[0]);
    for (long long l = 1; l < terms; ++l) {
      const Wide<T> value = wide(x[Place(line.over, l).in(x_layout)]);
      most = value > most ? value : most;
    }
  }
  Wide<T> sum = 0;
  for (long long l = 0; l < terms; ++l)
    sum += exp(wide(x[Place(line.over, l).in(x_layout)]) - most);
  const Wide<T> logarithm = log(sum);
  for (long long l = 0; l < terms; ++l) {
    const Place at(line.over, l);
    const Wide<T> value = wide(x[at.in(x_layout)]) - most;
    blend(y + at.in(y_layout),
          algorithm == CUDNN_SOFTMAX_LOG ? value - logarithm : exp(value) / sum, alpha, beta);
  }
}

template <typename T>
__global__ void softmax_gradient(int algorithm, Line line, Layout y_layout, const T* y_all,
                                 Layout dy_layout, const T* dy_all, Layout dx_layout, int count,
                                 T* dx_all, Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place start(line.starts, i);
  const T *const y = y_all + start.in(y_layout), *const dy = dy_all + start.in(dy_layout);
  T* const dx = dx_all + start.in(dx_layout);
  const bool is_log = algorithm == CUDNN_SOFTMAX_LOG;
  const long long terms = line.over.count();
  Wide<T> sum = 0;
  for (long long l = 0; l < terms; ++l) {
    const Place at(line.over, l);
    const Wide<T> value = wide(dy[at.in(dy_layout)]);
    sum += is_log ? value : value * wide(y[at.in(y_layout)]);
  }
  for (long long l = 0; l < terms; ++l) {
    const Place at(line.over, l);
    const Wide<T> value = wide(dy[at.in(dy_layout)]), of = wide(y[at.in(y_layout)]);
    blend(dx + at.in(dx_layout), is_log ? value - exp(of) * sum : of * (value - sum), alpha, beta);
  }
}

/// k + alpha / n times the sum of squares around channel c.
template <typename T>
__device__ Wide<T> scale_at(const Neighbours& of, const Layout& layout, const T* x, int c) {
  const int before = (of.count - 1) / 2, after = of.count - 1 - before;
  Wide<T> sum = 0;
  for (int l = c - before; l <= c + after; ++l)
    if (l >= 0 && l < layout.size[1]) {
      const Wide<T> value = wide(x[l * layout.stride[1]]);
      sum += value * value;
    }
  return static_cast<Wide<T>>(of.k) + static_cast<Wide<T>>(of.alpha / of.count) * sum;
}

template <typename T>
__global__ void lrn(Neighbours of, Layout x_layout, const T* x, Layout y_layout, int count, T* y,
                    Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(y_layout, i);
  const long long at = to.in(x_layout);
  const T* const column = x + at - to.axis[1] * x_layout.stride[1];
  const Wide<T> scale = scale_at(of, x_layout, column, to.axis[1]);
  blend(y + to.in(y_layout), wide(x[at]) * pow(scale, static_cast<Wide<T>>(-of.beta)), alpha, beta);
}

template <typename T>
__global__ void lrn_gradient(Neighbours of, Layout y_layout, const T* y, Layout dy_layout,
                             const T* dy, Layout x_layout, const T* x, Layout dx_layout, int count,
                             T* dx, Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place to(dx_layout, i);
  const int c = to.axis[1];
  const auto column = [&](const T* base, const Layout& layout) {
    return base + to.in(layout)-c * layout.stride[1];
  };
  const T *const xs = column(x, x_layout), *const ys = column(y, y_layout),
                 *const dys = column(dy, dy_layout);
  const int before = (of.count - 1) / 2, after = of.count - 1 - before;
  Wide<T> sum = 0;
  for (int l = c - after; l <= c + before; ++l)
    if (l >= 0 && l < x_layout.size[1])
      sum += wide(dys[l * dy_layout.stride[1]]) * wide(ys[l * y_layout.stride[1]]) /
             scale_at(of, x_layout, xs, l);
  const Wide<T> own = wide(dys[c * dy_layout.stride[1]]) *
                      pow(scale_at(of, x_layout, xs, c), static_cast<Wide<T>>(-of.beta));
  const Wide<T> factor = static_cast<Wide<T>>(2 * of.alpha * of.beta / of.count);
  blend(dx + to.in(dx_layout), own - factor * wide(xs[c * x_layout.stride[1]]) * sum, alpha, beta);
}

}  // namespace

cudaError_t launch_pooling(cudnnDataType_t type, const Pooling& pooling, const Layout& x,
                           const void* from, const Layout& y, void* to, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(pool<T>, blocks_of(y.count()), block_threads, blend.stream, pooling, x,
                        static_cast<const T*>(from), y, y.count(), static_cast<T*>(to), blend.alpha,
                        blend.beta);
  });
}

cudaError_t launch_pooling_gradient(cudnnDataType_t type, const Pooling& pooling, const Layout& y,
                                    const Layout& dy_layout, const void* dy, const Layout& x_layout,
                                    const void* x, const Layout& dx_layout, void* dx, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(pool_gradient<T>, blocks_of(dx_layout.count()), block_threads, blend.stream,
                        pooling, y, dy_layout, static_cast<const T*>(dy), x_layout,
                        static_cast<const T*>(x), dx_layout, dx_layout.count(), static_cast<T*>(dx),
                        blend.alpha, blend.beta);
  });
}

cudaError_t launch_softmax(cudnnDataType_t type, cudnnSoftmaxAlgorithm_t algorithm,
                           cudnnSoftmaxMode_t mode, const Layout& x, const void* from,
                           const Layout& y, void* to, Blend blend) {
  const Line line(y, mode);
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(softmax<T>, blocks_of(line.starts.count(), 32), 32, blend.stream, algorithm,
                        line, x, static_cast<const T*>(from), y, line.starts.count(),
                        static_cast<T*>(to), blend.alpha, blend.beta);
  });
}

cudaError_t launch_softmax_gradient(cudnnDataType_t type, cudnnSoftmaxAlgorithm_t algorithm,
                                    cudnnSoftmaxMode_t mode, const Layout& y_layout, const void* y,
                                    const Layout& dy_layout, const void* dy,
                                    const Layout& dx_layout, void* dx, Blend blend) {
  const Line line(dx_layout, mode);
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    return start_kernel(softmax_gradient<T>, blocks_of(line.starts.count(), 32), 32, blend.stream,
                        algorithm, line, y_layout, static_cast<const T*>(y), dy_layout,
                        static_cast<const T*>(dy), dx_layout, line.starts.count(),
                        static_cast<T*>(dx), blend.alpha, blend.beta);
  });
}

cudaError_t launch_lrn(cudnnDataType_t type, const Neighbours& of, const Layout& x,
                       const void* from, const Layout& y, void* to, Blend blend) {
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    return start_kernel(lrn<T>, blocks_of(y.count()), block_threads, blend.stream, of, x,
                        static_cast<const T*>(from), y, y.count(), static_cast<T*>(to), blend.alpha,
                        blend.beta);
  });
}

cudaError_t launch_lrn_gradient(cudnnDataType_t type, const Neighbours& of, const Layout& y_layout,
                                const void* y, const Layout& dy_layout, const void* dy,
                                const Layout& x_layout, const void* x, const Layout& dx_layout,
                                void* dx, Blend blend) {
  return with_type(type, [&](auto number) {
    using T = decltype(number);
    return start_kernel(lrn_gradient<T>, blocks_of(dx_layout.count()), block_threads, blend.stream,
                        of, y_layout, static_cast<const T*>(y), dy_layout,
                        static_cast<const T*>(dy), x_layout, static_cast<const T*>(x), dx_layout,
                        dx_layout.count(), static_cast<T*>(dx), blend.alpha, blend.beta);
  });
}

}  // namespace gridspan::libraries::dnn
