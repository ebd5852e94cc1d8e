// Batch normalization: statistics by one thread for each parameter, in order, then element by
// element. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/kernels/launches.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::dnn {
namespace {

/// What belongs to one parameter: x's size where the parameters have 1.
Layout elements_of_one(const Layout& x, const Layout& parameter) {
  Layout over;
  for (int a = 0; a < most_axes; ++a)
    if (parameter.size[a] == 1) over.size[a] = x.size[a];
  return over;
}

Layout repeated(Layout parameter, const Layout& x) {
  for (int a = 0; a < most_axes; ++a)
    if (parameter.size[a] == 1 && x.size[a] != 1) parameter.stride[a] = 0;
  return parameter;
}

/// Mean and 1 / sqrt(variance + epsilon) into `mean` and `inverse`. Two passes: no cancellation.
template <typename T>
__global__ void take_statistics(Layout over, Layout x_layout, const T* x, Layout parameter,
                                int count, double epsilon, double factor, Wide<T>* mean,
                                Wide<T>* inverse, Wide<T>* running_mean,
                                Wide<T>* running_variance) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(parameter, i);
  const T* const first = x + place.in(x_layout);
  const long long terms = over.count();
  double sum = 0;
  each_place(over, [&](const Place& at) { sum += wide(first[at.in(x_layout)]); });
  const double average = sum / terms;
  double squares = 0;
  each_place(over, [&](const Place& at) {
    const double distance = wide(first[at.in(x_layout)]) - average;
    squares += distance * distance;
  });
  const long long at = place.in(parameter);
  mean[at] = static_cast<Wide<T>>(average);
  inverse[at] = static_cast<Wide<T>>(1 / sqrt(squares / terms + epsilon));
  if (running_mean) {
    const double unbiased = terms > 1 ? squares / (terms - 1) : squares;
    const double old_mean = factor == 1 ? 0 : (1 - factor) * running_mean[at];
    const double old_variance = factor == 1 ? 0 : (1 - factor) * running_variance[at];
    running_mean[at] = static_cast<Wide<T>>(old_mean + factor * average);
    running_variance[at] = static_cast<Wide<T>>(old_variance + factor * unbiased);
  }
}

/// What follows the normalization of an element.
enum class After { nothing, rectify, add_and_rectify };

/// `spread` is 1 / sqrt(variance + epsilon), or the variance.
template <typename T, bool is_inverse, After after>
__global__ void normalize(Layout x_layout, const T* x, Layout y_layout, int count, T* y,
                          Layout parameter, const Wide<T>* scale, const Wide<T>* bias,
                          const Wide<T>* mean, const Wide<T>* spread, double epsilon,
                          Layout z_layout, const T* z, bool rectifies, bool keeps_nan,
                          Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(y_layout, i);
  const long long at = place.in(parameter);
  const Wide<T> inverse =
      is_inverse ? spread[at] : static_cast<Wide<T>>(1 / sqrt(spread[at] + epsilon));
  Wide<T> value = scale[at] * (wide(x[place.in(x_layout)]) - mean[at]) * inverse + bias[at];
  if constexpr (after == After::add_and_rectify) value += wide(z[place.in(z_layout)]);
  if constexpr (after != After::nothing)
    if (rectifies && !(value > 0) && !(keeps_nan && value != value)) value = 0;
  blend(y + place.in(y_layout), value, alpha, beta);
}

/// Sums of dy and of dy times the normalized x, as they are, for the elements' gradients; and
/// blended into the results.
template <typename T>
__global__ void sum_gradients(Layout over, Layout x_layout, const T* x, Layout dy_layout,
                              const T* dy, Layout parameter, int count, const Wide<T>* mean,
                              const Wide<T>* inverse, Wide<T>* bias_sum, Wide<T>* scale_sum,
                              Wide<T>* d_scale, Wide<T>* d_bias, Wide<T> alpha, Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(parameter, i);
  const long long at = place.in(parameter);
  const T *const xs = x + place.in(x_layout), *const dys = dy + place.in(dy_layout);
  double sum = 0, products = 0;
  each_place(over, [&](const Place& term) {
    const double value = wide(dys[term.in(dy_layout)]);
    sum += value;
    products += value * (wide(xs[term.in(x_layout)]) - mean[at]) * inverse[at];
  });
  bias_sum[at] = static_cast<Wide<T>>(sum);
  scale_sum[at] = static_cast<Wide<T>>(products);
  blend(d_scale + at, static_cast<Wide<T>>(products), alpha, beta);
  blend(d_bias + at, static_cast<Wide<T>>(sum), alpha, beta);
}

template <typename T>
__global__ void normalize_gradient(Layout x_layout, const T* x, Layout dy_layout, const T* dy,
                                   Layout dx_layout, int count, T* dx, Layout parameter,
                                   const Wide<T>* scale, const Wide<T>* mean,
                                   const Wide<T>* inverse, const Wide<T>* bias_sum,
                                   const Wide<T>* scale_sum, Wide<T> terms, Wide<T> alpha,
                                   Wide<T> beta) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  const Place place(dx_layout, i);
  const long long at = place.in(parameter);
  const Wide<T> normal = (wide(x[place.in(x_layout)]) - mean[at]) * inverse[at];
  const Wide<T> inner =
      wide(dy[place.in(dy_layout)]) - (bias_sum[at] + normal * scale_sum[at]) / terms;
  blend(dx + place.in(dx_layout), scale[at] * inverse[at] * inner, alpha, beta);
}

/// Arrays of as many numbers as there are parameters, for as long as launches need them.
template <typename T>
class ParameterArrays {
 public:
  ParameterArrays(long long each, int arrays, cudaStream_t stream) : each_(each), stream_(stream) {
    error_ = cudaMallocAsync(reinterpret_cast<void**>(&place_),
                             static_cast<std::size_t>(each * arrays) * sizeof(T), stream);
  }
  ParameterArrays(const ParameterArrays&) = delete;
  ~ParameterArrays() {
    if (place_) cudaFreeAsync(place_, stream_);
  }
  cudaError_t error() const { return error_; }
  T* at(int i) const { return place_ + i * each_; }

 private:
  long long each_;
  cudaStream_t stream_;
  T* place_ = nullptr;
  cudaError_t error_ = cudaSuccess;
};

/// Elements from the first parameter to the last.
long long extent(const Layout& parameter) {
  long long last = 0;
  for (int a = 0; a < most_axes; ++a) last += (parameter.size[a] - 1LL) * parameter.stride[a];
  return last + 1;
}

}  // namespace

cudaError_t launch_norm_inference(cudnnDataType_t type, const Layout& x, const void* from,
                                  const Layout& y, void* to, const Layout& parameter,
                                  const void* scale, const void* bias, const void* mean,
                                  const void* variance, double epsilon, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    using W = Wide<T>;
    const T* const no_addend = nullptr;
    return start_kernel(normalize<T, false, After::nothing>, blocks_of(y.count()), block_threads,
                        blend.stream, x, static_cast<const T*>(from), y, y.count(),
                        static_cast<T*>(to), repeated(parameter, y), static_cast<const W*>(scale),
                        static_cast<const W*>(bias), static_cast<const W*>(mean),
                        static_cast<const W*>(variance), epsilon, Layout(), no_addend, false, false,
                        blend.alpha, blend.beta);
  });
}

cudaError_t launch_norm_training(cudnnDataType_t type, const Layout& x, const void* from,
                                 const Layout& y, void* to, const Layout& parameter,
                                 const NormTraining& training, Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    using W = Wide<T>;
    const ParameterArrays<W> own(extent(parameter), 2, blend.stream);
    if (own.error() != cudaSuccess) return own.error();
    W* const mean = training.saved_mean ? static_cast<W*>(training.saved_mean) : own.at(0);
    W* const inverse = training.saved_mean ? static_cast<W*>(training.saved_inverse) : own.at(1);
    const cudaError_t error = start_kernel(
        take_statistics<T>, blocks_of(parameter.count(), 1), 1, blend.stream,
        elements_of_one(x, parameter), x, static_cast<const T*>(from), parameter, parameter.count(),
        training.epsilon, training.factor, mean, inverse, static_cast<W*>(training.running_mean),
        static_cast<W*>(training.running_variance));
    if (error != cudaSuccess) return error;
    auto kernel = normalize<T, true, After::nothing>;
    if (training.rectifies) kernel = normalize<T, true, After::rectify>;
    if (training.addend) kernel = normalize<T, true, After::add_and_rectify>;
    return start_kernel(kernel, blocks_of(y.count()), block_threads, blend.stream, x,
                        static_cast<const T*>(from), y, y.count(), static_cast<T*>(to),
                        repeated(parameter, y), static_cast<const W*>(training.scale),
                        static_cast<const W*>(training.bias), mean, inverse, 0.0,
                        training.addend_layout, static_cast<const T*>(training.addend),
                        training.rectifies, training.keeps_nan, blend.alpha, blend.beta);
  });
}

cudaError_t launch_norm_gradient(cudnnDataType_t type, const Layout& x_layout, const void* x,
                                 const Layout& dy_layout, const void* dy, const Layout& dx_layout,
                                 void* dx, const Layout& parameter, const NormGradient& gradient,
                                 Blend blend) {
  return with_type(type, [&](auto of) {
    using T = decltype(of);
    using W = Wide<T>;
    const ParameterArrays<W> own(extent(parameter), 4, blend.stream);
    if (own.error() != cudaSuccess) return own.error();
    const W* mean = static_cast<const W*>(gradient.saved_mean);
    const W* inverse = static_cast<const W*>(gradient.saved_inverse);
    const Layout over = elements_of_one(x_layout, parameter);
    cudaError_t error = cudaSuccess;
    W* const none = nullptr;
    if (!mean) {
      error = start_kernel(take_statistics<T>, blocks_of(parameter.count(), 1), 1, blend.stream,
                           over, x_layout, static_cast<const T*>(x), parameter, parameter.count(),
                           gradient.epsilon, 1.0, own.at(0), own.at(1), none, none);
      mean = own.at(0);
      inverse = own.at(1);
    }
    if (error != cudaSuccess) return error;
    error = start_kernel(sum_gradients<T>, blocks_of(parameter.count(), 1), 1, blend.stream, over,
                         x_layout, static_cast<const T*>(x), dy_layout, static_cast<const T*>(dy),
                         parameter, parameter.count(), mean, inverse, own.at(2), own.at(3),
                         static_cast<W*>(gradient.d_scale), static_cast<W*>(gradient.d_bias),
                         gradient.parameter_alpha, gradient.parameter_beta);
    if (error != cudaSuccess) return error;
    return start_kernel(normalize_gradient<T>, blocks_of(dx_layout.count()), block_threads,
                        blend.stream, x_layout, static_cast<const T*>(x), dy_layout,
                        static_cast<const T*>(dy), dx_layout, dx_layout.count(),
                        static_cast<T*>(dx), repeated(parameter, dx_layout),
                        static_cast<const W*>(gradient.scale), mean, inverse, own.at(2), own.at(3),
                        over.count(), blend.alpha, blend.beta);
  });
}

}  // namespace gridspan::libraries::dnn
