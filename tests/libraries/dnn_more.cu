// cuDNN beyond dnn_layers.cu: element types, three axes, strides, fused convolutions, softmax and
// its gradient, normalizations, tensor operations, graphs, against plain loops in double, one by
// one. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cudnn.h>

#include "library_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <random>

namespace {

#define RIGHT(call) EXPECT((call) == CUDNN_STATUS_SUCCESS)

std::mt19937_64 engine(23);
double random_real(double most = 1) {
  return std::uniform_real_distribution<double>(-most, most)(engine);
}

template <typename T>
constexpr cudnnDataType_t type_of = std::is_same_v<T, double>   ? CUDNN_DATA_DOUBLE
                                    : std::is_same_v<T, float>  ? CUDNN_DATA_FLOAT
                                    : std::is_same_v<T, __half> ? CUDNN_DATA_HALF
                                                                : CUDNN_DATA_BFLOAT16;
/// What factors, and parameters of normalizations, are.
template <typename T>
using Factor = std::conditional_t<std::is_same_v<T, double>, double, float>;

template <typename T>
T narrow(double x) {
  if constexpr (std::is_same_v<T, double>)
    return x;
  else
    return static_cast<T>(static_cast<float>(x));
}
template <typename T>
double wide(T x) {
  if constexpr (std::is_same_v<T, double>)
    return x;
  else
    return static_cast<float>(x);
}

/// Results are computed in float or double and rounded once; some calls round once more between.
template <typename T>
constexpr double bound_of = std::is_same_v<T, double>   ? 1e-12
                            : std::is_same_v<T, float>  ? 2e-5
                            : std::is_same_v<T, __half> ? 1.5e-3
                                                        : 1.2e-2;

cudnnHandle_t handle;

enum class Form { packed, channels_last, gaps };
using Size = std::array<int, 5>;  // images, channels, depth, height, width

/// Calls `each(place)` for every place, width fastest.
template <typename Each>
void walk(const Size& size, Each each) {
  Size p{};
  for (p[0] = 0; p[0] < size[0]; ++p[0])
    for (p[1] = 0; p[1] < size[1]; ++p[1])
      for (p[2] = 0; p[2] < size[2]; ++p[2])
        for (p[3] = 0; p[3] < size[3]; ++p[3])
          for (p[4] = 0; p[4] < size[4]; ++p[4]) each(p);
}

/// Numbers in double, one for each place.
struct Numbers {
  explicit Numbers(const Size& of) : size(of), data(of[0] * of[1] * of[2] * of[3] * of[4]) {}
  double& operator[](const Size& p) {
    return data[(((p[0] * size[1] + p[1]) * size[2] + p[2]) * size[3] + p[3]) * size[4] + p[4]];
  }
  Size size;
  std::vector<double> data;
};

/// A tensor of four axes (depth of 1) or five; what lies between elements keeps its value.
template <typename T>
struct Tensor {
  explicit Tensor(const Size& of, Form form = Form::packed, int axes = 5, double most = 1)
      : size(of) {
    const auto [n, c, d, h, w] = size;
    switch (form) {
      case Form::packed:
        step = {c * d * h * w, d * h * w, h * w, w, 1};
        break;
      case Form::channels_last:
        step = {d * h * w * c, 1, h * w * c, w * c, c};
        break;
      case Form::gaps: {
        const int row = 2 * w + 1, slice = row * h + 3, channel = slice * d + 1;
        step = {channel * c + 5, channel, slice, row, 2};
      }
    }
    std::vector<int> sizes{n, c, d, h, w}, steps(step.begin(), step.end());
    if (axes == 4) {
      EXPECT(d == 1);
      sizes.erase(sizes.begin() + 2);
      steps.erase(steps.begin() + 2);
    }
    RIGHT(cudnnCreateTensorDescriptor(&descriptor));
    RIGHT(cudnnSetTensorNdDescriptor(descriptor, type_of<T>, axes, sizes.data(), steps.data()));
    size_t bytes = 0;
    RIGHT(cudnnGetTensorSizeInBytes(descriptor, &bytes));
    data = std::make_unique<Array<T>>(bytes / sizeof(T));
    randomize(most);
  }
  Tensor(const Tensor&) = delete;
  ~Tensor() { cudnnDestroyTensorDescriptor(descriptor); }

  void randomize(double most = 1) {
    for (T& x : data->host) x = narrow<T>(random_real(most));
    data->to_device();
  }
  std::size_t at(const Size& p) const {
    std::size_t sum = 0;
    for (int a = 0; a < 5; ++a) sum += std::size_t(p[a]) * step[a];
    return sum;
  }
  double operator[](const Size& p) const { return wide(data->host[at(p)]); }
  /// The same at places where this has size 1 and p counts further.
  double repeated(Size p) const {
    for (int a = 0; a < 5; ++a)
      if (size[a] == 1) p[a] = 0;
    return (*this)[p];
  }
  void put(const Size& p, double value) { data->host[at(p)] = narrow<T>(value); }
  void to_device() { data->to_device(); }
  /// Not a number where results will be: they are not to be read.
  void poison() {
    walk(size, [&](const Size& p) { put(p, NAN); });
    data->to_device();
  }
  void poison_if(bool is_not_read) {
    if (is_not_read) poison();
  }
  /// beta times what was there.
  double old(double beta, const Size& p) const { return beta == 0 ? 0 : beta * (*this)[p]; }

  /// `reference` of each element; what is between elements is as it was.
  template <typename Reference>
  bool check(const char* name, Reference reference, int line, double bound = bound_of<T>) {
    const std::vector<T> results = data->from_device();
    std::vector<bool> seen(results.size());
    bool right = true;
    walk(size, [&](const Size& p) {
      const double expected = reference(p), got = wide(results[at(p)]);
      seen[at(p)] = true;
      const bool is_near =
          std::isnan(expected)
              ? std::isnan(got)
              : got == expected || std::abs(expected - got) <= bound * (1 + std::abs(expected));
      if (!is_near && right)
        std::printf("%s at %d %d %d %d %d: %.9g, not %.9g (type %d)\n", name, p[0], p[1], p[2],
                    p[3], p[4], got, expected, int(type_of<T>));
      right = right && is_near;
    });
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!seen[i] && !same_bits(results[i], data->host[i])) right = false;
    print_bits(name, results);
    return expect(right, name, line);
  }
  T* operator*() const { return data->device; }

  Size size, step;
  cudnnTensorDescriptor_t descriptor = nullptr;
  std::unique_ptr<Array<T>> data;
};
#define CHECK(tensor, name, ...) \
  (tensor).check(name, [&]([[maybe_unused]] const Size& p) -> double __VA_ARGS__, __LINE__)

cudnnTensorFormat_t format_of(Form form) {
  return form == Form::channels_last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
}

const std::function<double(double)> activations[] = {
    [](double v) { return 1 / (1 + std::exp(-v)); },
    [](double v) { return v > 0 ? v : 0; },
    [](double v) { return std::tanh(v); },
    [](double v) { return std::clamp(v, 0.0, 0.5); },
    [](double v) { return v > 0 ? v : 0.5 * std::expm1(v); },
    [](double v) { return v; },
    [](double v) { return v / (1 + std::exp(-1.5 * v)); }};

struct ActivationDescriptor {
  explicit ActivationDescriptor(cudnnActivationMode_t mode) {
    RIGHT(cudnnCreateActivationDescriptor(&of));
    RIGHT(cudnnSetActivationDescriptor(of, mode, CUDNN_NOT_PROPAGATE_NAN, 0.5));
    RIGHT(cudnnSetActivationDescriptorSwishBeta(of, 1.5));
  }
  ~ActivationDescriptor() { cudnnDestroyActivationDescriptor(of); }
  cudnnActivationDescriptor_t of = nullptr;
};

struct Shape {
  Size x;
  int filters;
  std::array<int, 3> window, pad, step, dilation;
  int groups, axes;
};

/// The descriptors of a convolution, and a walk over all that it multiplies.
template <typename T>
struct Convolution {
  Convolution(const Shape& shape, Form filter_form, cudnnConvolutionMode_t mode)
      : p(shape),
        flips(mode == CUDNN_CONVOLUTION),
        w_size{p.filters, p.x[1] / p.groups, p.window[0], p.window[1], p.window[2]} {
    const int skip = 5 - p.axes;
    std::vector<int> w_sizes(w_size.begin(), w_size.end());
    if (skip) w_sizes.erase(w_sizes.begin() + 2);
    RIGHT(cudnnCreateFilterDescriptor(&filter));
    RIGHT(cudnnSetFilterNdDescriptor(filter, type_of<T>, format_of(filter_form), p.axes,
                                     w_sizes.data()));
    RIGHT(cudnnCreateConvolutionDescriptor(&of));
    RIGHT(cudnnSetConvolutionNdDescriptor(of, p.axes - 2, p.pad.data() + skip, p.step.data() + skip,
                                          p.dilation.data() + skip, mode, type_of<Factor<T>>));
    RIGHT(cudnnSetConvolutionGroupCount(of, p.groups));
    y_size = {p.x[0], p.filters, 0, 0, 0};
    for (int a = 0; a < 3; ++a)
      y_size[a + 2] =
          (p.x[a + 2] + 2 * p.pad[a] - p.dilation[a] * (p.window[a] - 1) - 1) / p.step[a] + 1;
  }
  ~Convolution() {
    cudnnDestroyFilterDescriptor(filter);
    cudnnDestroyConvolutionDescriptor(of);
  }
  void check_size(cudnnTensorDescriptor_t x) {
    std::array<int, 5> out{};
    RIGHT(cudnnGetConvolutionNdForwardOutputDim(of, x, filter, p.axes, out.data()));
    std::vector<int> expected(y_size.begin(), y_size.end());
    if (p.axes == 4) expected.erase(expected.begin() + 2);
    EXPECT(std::equal(expected.begin(), expected.end(), out.begin()));
  }
  /// each(place in y, place in x, place in w)
  template <typename Each>
  void products(Each each) const {
    walk(y_size, [&](const Size& y) {
      walk({1, w_size[1], w_size[2], w_size[3], w_size[4]}, [&](const Size& tap) {
        Size x{y[0], y[1] / (p.filters / p.groups) * w_size[1] + tap[1]};
        for (int a = 0; a < 3; ++a) {
          const int i = flips ? p.window[a] - 1 - tap[a + 2] : tap[a + 2];
          x[a + 2] = y[a + 2] * p.step[a] - p.pad[a] + i * p.dilation[a];
          if (x[a + 2] < 0 || x[a + 2] >= p.x[a + 2]) return;
        }
        each(y, x, Size{y[1], tap[1], tap[2], tap[3], tap[4]});
      });
    });
  }

  Shape p;
  bool flips;
  Size w_size, y_size;
  cudnnFilterDescriptor_t filter = nullptr;
  cudnnConvolutionDescriptor_t of = nullptr;
};

template <typename T>
void check_convolution(const Shape& shape, Form form, cudnnConvolutionMode_t mode, Factor<T> alpha,
                       Factor<T> beta) {
  // Filters have no strides of their own.
  const Form filter_form = form == Form::gaps ? Form::packed : form;
  Convolution<T> c(shape, filter_form, mode);
  const int axes = shape.axes;
  Tensor<T> x(shape.x, form, axes), w(c.w_size, filter_form, axes);
  c.check_size(x.descriptor);
  Tensor<T> y(c.y_size, form, axes), dy(c.y_size, form, axes), dx(shape.x, form, axes),
      dw(c.w_size, filter_form, axes);
  y.poison_if(beta == 0), dx.poison_if(beta == 0), dw.poison_if(beta == 0);
  Numbers ys(y.size), dxs(x.size), dws(w.size);
  c.products([&](const Size& to, const Size& from, const Size& tap) {
    ys[to] += x[from] * w[tap];
    dxs[from] += dy[to] * w[tap];
    dws[tap] += dy[to] * x[from];
  });
  const double bound = std::max(bound_of<T>, sizeof(T) == 8 ? 0 : 2e-4);
  size_t bytes = 1;
  RIGHT(cudnnGetConvolutionForwardWorkspaceSize(handle, x.descriptor, c.filter, c.of, y.descriptor,
                                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM,
                                                &bytes));
  EXPECT(bytes == 0);
  RIGHT(cudnnConvolutionForward(handle, &alpha, x.descriptor, *x, c.filter, *w, c.of,
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &beta,
                                y.descriptor, *y));
  y.check(
      "convolution", [&](const Size& p) { return alpha * ys[p] + y.old(beta, p); }, __LINE__,
      bound);
  RIGHT(cudnnConvolutionBackwardData(handle, &alpha, c.filter, *w, dy.descriptor, *dy, c.of,
                                     CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &beta,
                                     dx.descriptor, *dx));
  dx.check(
      "data gradient", [&](const Size& p) { return alpha * dxs[p] + dx.old(beta, p); }, __LINE__,
      bound);
  RIGHT(cudnnConvolutionBackwardFilter(handle, &alpha, x.descriptor, *x, dy.descriptor, *dy, c.of,
                                       CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &beta,
                                       c.filter, *dw));
  dw.check(
      "filter gradient", [&](const Size& p) { return alpha * dws[p] + dw.old(beta, p); }, __LINE__,
      bound);

  Tensor<T> db({1, shape.filters, 1, 1, 1}, Form::packed, axes);
  db.poison_if(beta == 0);
  Numbers dbs(db.size);
  walk(dy.size, [&](const Size& p) { dbs[{0, p[1], 0, 0, 0}] += dy[p]; });
  RIGHT(
      cudnnConvolutionBackwardBias(handle, &alpha, dy.descriptor, *dy, &beta, db.descriptor, *db));
  db.check(
      "bias gradient", [&](const Size& p) { return alpha * dbs[p] + db.old(beta, p); }, __LINE__,
      bound);
}

/// activation(alpha1 conv(x) + alpha2 z + bias): z another tensor, y itself, or not read.
template <typename T>
void check_fused(const Shape& shape, Form form) {
  const Form filter_form = form == Form::gaps ? Form::packed : form;
  Convolution<T> c(shape, filter_form, CUDNN_CROSS_CORRELATION);
  const int axes = shape.axes;
  Tensor<T> x(shape.x, form, axes), w(c.w_size, filter_form, axes), z(c.y_size, form, axes),
      bias({1, shape.filters, 1, 1, 1}, Form::packed, axes);
  Numbers ys(c.y_size);
  c.products(
      [&](const Size& to, const Size& from, const Size& tap) { ys[to] += x[from] * w[tap]; });
  const auto run = [&](cudnnActivationMode_t mode, Factor<T> alpha1, Factor<T> alpha2,
                       bool in_place) {
    ActivationDescriptor activation(mode);
    Tensor<T> y(c.y_size, form, axes);
    y.poison_if(!in_place);
    if (alpha2 == 0) z.poison();
    const T* const from = in_place ? *y : *z;
    const Tensor<T>& addend = in_place ? y : z;
    RIGHT(cudnnConvolutionBiasActivationForward(
        handle, &alpha1, x.descriptor, *x, c.filter, *w, c.of,
        CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0, &alpha2, z.descriptor, from,
        bias.descriptor, *bias, activation.of, y.descriptor, *y));
    const auto reference = [&](const Size& p) {
      return activations[mode](alpha1 * ys[p] + addend.old(alpha2, p) + bias.repeated(p));
    };
    y.check("fused convolution", reference, __LINE__,
            std::max(bound_of<T>, sizeof(T) == 8 ? 0 : 2e-4));
  };
  run(CUDNN_ACTIVATION_RELU, 1, 0.5, false);
  run(CUDNN_ACTIVATION_IDENTITY, -0.75, 2, true);
  run(CUDNN_ACTIVATION_TANH, 0.25, -1, false);
  run(CUDNN_ACTIVATION_RELU, 1, 1, true);
  run(CUDNN_ACTIVATION_RELU, 0.5, 0, false);
}

template <typename T>
void check_activations(Form form, Factor<T> alpha, Factor<T> beta) {
  const Size size{2, 3, 2, 5, 7};
  for (int mode = 0; mode < 7; ++mode) {
    ActivationDescriptor activation{cudnnActivationMode_t(mode)};
    Tensor<T> x(size, form, 5, 2), y(size, form), dy(size), dx(size, form), given(size);
    // Not where a function bends: there is no slope to compare.
    walk(size, [&](const Size& p) {
      if (std::abs(x[p]) < 1e-3 || std::abs(x[p] - 0.5) < 1e-3) x.put(p, 0.25);
    });
    x.to_device();
    y.poison_if(beta == 0), dx.poison_if(beta == 0);
    RIGHT(cudnnActivationForward(handle, activation.of, &alpha, x.descriptor, *x, &beta,
                                 y.descriptor, *y));
    CHECK(y, "activation", { return alpha * activations[mode](x[p]) + y.old(beta, p); });
    // The gradient is of y as it is given: rounded.
    walk(size, [&](const Size& p) { given.put(p, activations[mode](x[p])); });
    given.to_device();
    RIGHT(cudnnActivationBackward(handle, activation.of, &alpha, given.descriptor, *given,
                                  dy.descriptor, *dy, x.descriptor, *x, &beta, dx.descriptor, *dx));
    dx.check(
        "activation gradient",
        [&](const Size& p) {
          const double d = 1e-6;
          return alpha * dy[p] * (activations[mode](x[p] + d) - activations[mode](x[p] - d)) /
                     (2 * d) +
                 dx.old(beta, p);
        },
        __LINE__, std::max(bound_of<T>, 2e-5));
  }
}

template <typename T>
void check_pooling(Form form, Factor<T> alpha, Factor<T> beta) {
  const Size size{2, 3, 5, 4, 7};
  const int window[] = {3, 2, 3}, pad[] = {1, 0, 2}, step[] = {2, 1, 3};
  cudnnPoolingDescriptor_t pooling;
  RIGHT(cudnnCreatePoolingDescriptor(&pooling));
  for (int mode = 0; mode < 4; ++mode) {
    Tensor<T> x(size, form), dx(size, form);
    // Different numbers: the largest is one element whatever the type rounds to.
    std::vector<int> order(x.data->host.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = int(i);
    std::shuffle(order.begin(), order.end(), engine);
    std::size_t next = 0;
    walk(size, [&](const Size& p) { x.put(p, (order[next++] % 241 - 120) / 128.0); });
    x.to_device();
    RIGHT(cudnnSetPoolingNdDescriptor(pooling, cudnnPoolingMode_t(mode), CUDNN_NOT_PROPAGATE_NAN, 3,
                                      window, pad, step));
    Size y_size{2, 3};
    for (int a = 0; a < 3; ++a)
      y_size[a + 2] = (size[a + 2] + 2 * pad[a] - window[a]) / step[a] + 1;
    Size out{};
    RIGHT(cudnnGetPoolingNdForwardOutputDim(pooling, x.descriptor, 5, out.data()));
    EXPECT(out == y_size);
    Tensor<T> y(y_size, form), dy(y_size, form);
    y.poison_if(beta == 0), dx.poison_if(beta == 0);
    Numbers ys(y_size), dxs(size);
    const bool is_max = mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
    walk(y_size, [&](const Size& to) {
      const auto elements = [&](auto each) {
        walk({1, 1, window[0], window[1], window[2]}, [&](const Size& tap) {
          Size from = to;
          for (int a = 0; a < 3; ++a) {
            from[a + 2] = to[a + 2] * step[a] - pad[a] + tap[a + 2];
            if (from[a + 2] < 0 || from[a + 2] >= size[a + 2]) return;
          }
          each(from);
        });
      };
      double most = -1e300, sum = 0;
      int count = 0;
      Size top{};
      elements([&](const Size& from) {
        sum += x[from];
        ++count;
        if (x[from] > most) most = x[from], top = from;
      });
      if (mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING)
        count = window[0] * window[1] * window[2];
      ys[to] = is_max ? most : sum / count;
      if (is_max)
        dxs[top] += dy[to];
      else
        elements([&](const Size& from) { dxs[from] += dy[to] / count; });
    });
    RIGHT(cudnnPoolingForward(handle, pooling, &alpha, x.descriptor, *x, &beta, y.descriptor, *y));
    CHECK(y, "pooling", { return alpha * ys[p] + y.old(beta, p); });
    RIGHT(cudnnPoolingBackward(handle, pooling, &alpha, y.descriptor, *y, dy.descriptor, *dy,
                               x.descriptor, *x, &beta, dx.descriptor, *dx));
    CHECK(dx, "pooling gradient", { return alpha * dxs[p] + dx.old(beta, p); });
  }
  RIGHT(cudnnDestroyPoolingDescriptor(pooling));
}

template <typename T>
void check_softmax(Form form, Factor<T> alpha, Factor<T> beta) {
  const Size size{2, 5, 2, 3, 3};
  for (const auto algorithm : {CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_LOG})
    for (const auto mode : {CUDNN_SOFTMAX_MODE_INSTANCE, CUDNN_SOFTMAX_MODE_CHANNEL}) {
      // exp of these is no number of float, unless the largest is taken off first.
      const double most = algorithm == CUDNN_SOFTMAX_FAST ? 4 : 300;
      Tensor<T> x(size, form, 5, most), y(size, form), dy(size), dx(size, form), given(size);
      y.poison_if(beta == 0), dx.poison_if(beta == 0);
      const auto start = [&](const Size& p) {
        return mode == CUDNN_SOFTMAX_MODE_INSTANCE ? Size{p[0], 0, 0, 0, 0}
                                                   : Size{p[0], 0, p[2], p[3], p[4]};
      };
      Numbers largest(size), sums(size), dots(size);
      walk(size, [&](const Size& p) { largest[start(p)] = -1e300; });
      walk(size, [&](const Size& p) { largest[start(p)] = std::max(largest[start(p)], x[p]); });
      walk(size, [&](const Size& p) { sums[start(p)] += std::exp(x[p] - largest[start(p)]); });
      const bool is_log = algorithm == CUDNN_SOFTMAX_LOG;
      const auto forward = [&](const Size& p) {
        const double distance = x[p] - largest[start(p)], sum = sums[start(p)];
        return is_log ? distance - std::log(sum) : std::exp(distance) / sum;
      };
      RIGHT(cudnnSoftmaxForward(handle, algorithm, mode, &alpha, x.descriptor, *x, &beta,
                                y.descriptor, *y));
      CHECK(y, "softmax", { return alpha * forward(p) + y.old(beta, p); });
      walk(size, [&](const Size& p) { given.put(p, forward(p)); });
      given.to_device();
      walk(size, [&](const Size& p) { dots[start(p)] += dy[p] * (is_log ? 1 : given[p]); });
      RIGHT(cudnnSoftmaxBackward(handle, algorithm, mode, &alpha, given.descriptor, *given,
                                 dy.descriptor, *dy, &beta, dx.descriptor, *dx));
      CHECK(dx, "softmax gradient", {
        const double g = is_log ? dy[p] - std::exp(given[p]) * dots[start(p)]
                                : given[p] * (dy[p] - dots[start(p)]);
        return alpha * g + dx.old(beta, p);
      });
      // In place.
      const Factor<T> one = 1, none = 0;
      RIGHT(cudnnSoftmaxForward(handle, algorithm, mode, &one, x.descriptor, *x, &none,
                                x.descriptor, *x));
      CHECK(x, "softmax in place", { return forward(p); });
    }
}

/// Neighbours of one channel, an even number, and more than there are.
template <typename T>
void check_lrn(Form form, Factor<T> alpha, Factor<T> beta) {
  const Size size{2, 7, 1, 3, 5};
  cudnnLRNDescriptor_t lrn;
  RIGHT(cudnnCreateLRNDescriptor(&lrn));
  for (const int count : {1, 4, 5, 16}) {
    const double a = 0.7, b = 0.75, k = 1.25;
    RIGHT(cudnnSetLRNDescriptor(lrn, count, a, b, k));
    Tensor<T> x(size, form, 4, 2), y(size, form, 4), dy(size, Form::packed, 4), dx(size, form, 4),
        given(size, Form::packed, 4);
    y.poison_if(beta == 0), dx.poison_if(beta == 0);
    const int before = (count - 1) / 2, after = count - before - 1;
    Numbers scales(size), dxs(size);
    walk(size, [&](const Size& p) {
      double sum = 0;
      for (int c = std::max(0, p[1] - before); c <= std::min(size[1] - 1, p[1] + after); ++c) {
        const double value = x[{p[0], c, p[2], p[3], p[4]}];
        sum += value * value;
      }
      scales[p] = k + a / count * sum;
    });
    const auto forward = [&](const Size& p) { return x[p] * std::pow(scales[p], -b); };
    // What each y gives back to each x that it is computed from.
    walk(size, [&](const Size& p) {
      dxs[p] += dy[p] * std::pow(scales[p], -b);
      for (int c = std::max(0, p[1] - before); c <= std::min(size[1] - 1, p[1] + after); ++c) {
        const Size of{p[0], c, p[2], p[3], p[4]};
        dxs[of] -= dy[p] * x[p] * b * std::pow(scales[p], -b - 1) * 2 * a / count * x[of];
      }
    });
    RIGHT(cudnnLRNCrossChannelForward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha,
                                      x.descriptor, *x, &beta, y.descriptor, *y));
    CHECK(y, "neighbours", { return alpha * forward(p) + y.old(beta, p); });
    walk(size, [&](const Size& p) { given.put(p, forward(p)); });
    given.to_device();
    RIGHT(cudnnLRNCrossChannelBackward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &alpha,
                                       given.descriptor, *given, dy.descriptor, *dy, x.descriptor,
                                       *x, &beta, dx.descriptor, *dx));
    CHECK(dx, "neighbours' gradient", { return alpha * dxs[p] + dx.old(beta, p); });
  }
  RIGHT(cudnnDestroyLRNDescriptor(lrn));
}

/// Inference, training and gradients, in both modes; statistics that are kept, and not.
template <typename T>
void check_normalization(Form form, int axes, Factor<T> alpha, Factor<T> beta) {
  using W = Factor<T>;
  const Size size{3, 4, axes == 5 ? 2 : 1, 3, 5};
  for (const auto mode : {CUDNN_BATCHNORM_PER_ACTIVATION, CUDNN_BATCHNORM_SPATIAL}) {
    Size one = size;
    one[0] = 1;
    if (mode == CUDNN_BATCHNORM_SPATIAL) one[2] = one[3] = one[4] = 1;
    const auto of = [&](Size p) {
      for (int a = 0; a < 5; ++a)
        if (one[a] == 1) p[a] = 0;
      return p;
    };
    Tensor<T> x(size, form, axes, 2), y(size, form, axes), dy(size, Form::packed, axes),
        dx(size, form, axes);
    Tensor<W> scale(one, Form::packed, axes), bias(one, Form::packed, axes),
        mean(one, Form::packed, axes), variance(one, Form::packed, axes),
        saved_mean(one, Form::packed, axes), saved_inverse(one, Form::packed, axes),
        d_scale(one, Form::packed, axes), d_bias(one, Form::packed, axes);
    cudnnTensorDescriptor_t parameters;
    RIGHT(cudnnCreateTensorDescriptor(&parameters));
    RIGHT(cudnnDeriveBNTensorDescriptor(parameters, x.descriptor, mode));
    size_t bytes = 0;
    RIGHT(cudnnGetTensorSizeInBytes(parameters, &bytes));
    EXPECT(bytes == scale.data->host.size() * sizeof(W));
    for (W& v : variance.data->host) v = std::abs(v) + W(0.1);
    variance.to_device();
    y.poison_if(beta == 0), dx.poison_if(beta == 0);
    const double epsilon = 1e-2, factor = 0.3;
    RIGHT(cudnnBatchNormalizationForwardInference(handle, mode, &alpha, &beta, x.descriptor, *x,
                                                  y.descriptor, *y, parameters, *scale, *bias,
                                                  *mean, *variance, epsilon));
    CHECK(y, "normalization for inference", {
      const double normal = (x[p] - mean.repeated(p)) / std::sqrt(variance.repeated(p) + epsilon);
      return alpha * (scale.repeated(p) * normal + bias.repeated(p)) + y.old(beta, p);
    });

    Numbers means(one), variances(one), sums(one), products(one);
    const double terms =
        1.0 * size[0] * (mode == CUDNN_BATCHNORM_SPATIAL ? size[2] * size[3] * size[4] : 1);
    walk(size, [&](const Size& p) { means[of(p)] += x[p] / terms; });
    walk(size, [&](const Size& p) {
      variances[of(p)] += (x[p] - means[of(p)]) * (x[p] - means[of(p)]) / terms;
    });
    const auto normal = [&](const Size& p) {
      return (x[p] - means[of(p)]) / std::sqrt(variances[of(p)] + epsilon);
    };
    walk(size, [&](const Size& p) {
      sums[of(p)] += dy[p];
      products[of(p)] += dy[p] * normal(p);
    });
    const auto forward = [&](const Size& p) {
      return alpha * (scale.repeated(p) * normal(p) + bias.repeated(p)) + y.old(beta, p);
    };
    y.to_device();
    saved_mean.poison(), saved_inverse.poison();
    RIGHT(cudnnBatchNormalizationForwardTraining(
        handle, mode, &alpha, &beta, x.descriptor, *x, y.descriptor, *y, parameters, *scale, *bias,
        factor, *mean, *variance, epsilon, *saved_mean, *saved_inverse));
    CHECK(y, "normalization", { return forward(p); });
    CHECK(saved_mean, "mean", { return means[p]; });
    CHECK(saved_inverse, "inverse deviation", { return 1 / std::sqrt(variances[p] + epsilon); });
    CHECK(mean, "running mean", { return (1 - factor) * mean[p] + factor * means[p]; });
    CHECK(variance, "running variance",
          { return (1 - factor) * variance[p] + factor * variances[p] * terms / (terms - 1); });
    // A first step does not read what was there; nothing is kept.
    mean.poison(), variance.poison(), y.to_device();
    RIGHT(cudnnBatchNormalizationForwardTraining(handle, mode, &alpha, &beta, x.descriptor, *x,
                                                 y.descriptor, *y, parameters, *scale, *bias, 1.0,
                                                 *mean, *variance, epsilon, nullptr, nullptr));
    CHECK(y, "normalization", { return forward(p); });
    CHECK(mean, "running mean", { return means[p]; });
    CHECK(variance, "running variance", { return variances[p] * terms / (terms - 1); });
    y.to_device();
    RIGHT(cudnnBatchNormalizationForwardTraining(handle, mode, &alpha, &beta, x.descriptor, *x,
                                                 y.descriptor, *y, parameters, *scale, *bias, 1.0,
                                                 nullptr, nullptr, epsilon, nullptr, nullptr));
    CHECK(y, "normalization", { return forward(p); });

    const W parameter_alpha = 0.5, parameter_beta = beta == 0 ? 0 : 2;
    for (const bool is_saved : {true, false}) {
      dx.to_device();
      d_scale.randomize(), d_bias.randomize();
      d_scale.poison_if(beta == 0), d_bias.poison_if(beta == 0);
      RIGHT(cudnnBatchNormalizationBackward(
          handle, mode, &alpha, &beta, &parameter_alpha, &parameter_beta, x.descriptor, *x,
          dy.descriptor, *dy, dx.descriptor, *dx, parameters, *scale, *d_scale, *d_bias, epsilon,
          is_saved ? *saved_mean : nullptr, is_saved ? *saved_inverse : nullptr));
      CHECK(dx, "normalization gradient", {
        const double inner = dy[p] - (sums[of(p)] + normal(p) * products[of(p)]) / terms;
        return alpha * scale.repeated(p) / std::sqrt(variances[of(p)] + epsilon) * inner +
               dx.old(beta, p);
      });
      CHECK(d_scale, "gradient of scales",
            { return parameter_alpha * products[p] + d_scale.old(parameter_beta, p); });
      CHECK(d_bias, "gradient of biases",
            { return parameter_alpha * sums[p] + d_bias.old(parameter_beta, p); });
    }
    RIGHT(cudnnDestroyTensorDescriptor(parameters));
  }
}

template <typename T>
void check_combinations(Form form, Factor<T> alpha, Factor<T> alpha2, Factor<T> beta) {
  const Size size{2, 3, 2, 3, 5};
  cudnnOpTensorDescriptor_t d;
  RIGHT(cudnnCreateOpTensorDescriptor(&d));
  for (int op = 0; op < 6; ++op)
    for (const Size& b_size : {size, Size{1, 3, 1, 1, 1}, Size{1, 1, 1, 1, 5}}) {
      RIGHT(cudnnSetOpTensorDescriptor(d, cudnnOpTensorOp_t(op), type_of<Factor<T>>,
                                       CUDNN_NOT_PROPAGATE_NAN));
      Tensor<T> a(size, form), b(b_size), c(size, form);
      if (op == CUDNN_OP_TENSOR_SQRT) {
        walk(size, [&](const Size& p) { a.put(p, alpha < 0 ? -std::abs(a[p]) : std::abs(a[p])); });
        a.to_device();
      }
      c.poison_if(beta == 0);
      const auto result = [&](const Size& p) {
        const double x = alpha * a[p], y = alpha2 * b.repeated(p);
        switch (op) {
          case CUDNN_OP_TENSOR_ADD:
            return x + y;
          case CUDNN_OP_TENSOR_MUL:
            return x * y;
          case CUDNN_OP_TENSOR_MIN:
            return std::min(x, y);
          case CUDNN_OP_TENSOR_MAX:
            return std::max(x, y);
          case CUDNN_OP_TENSOR_SQRT:
            return std::sqrt(x);
          default:
            return 1 - x;
        }
      };
      const bool is_unary = op == CUDNN_OP_TENSOR_SQRT || op == CUDNN_OP_TENSOR_NOT;
      const auto call = [&](Tensor<T>& to) {
        RIGHT(cudnnOpTensor(handle, d, &alpha, a.descriptor, *a, is_unary ? nullptr : &alpha2,
                            is_unary ? nullptr : b.descriptor, is_unary ? nullptr : *b, &beta,
                            to.descriptor, *to));
      };
      call(c);
      CHECK(c, "combination", { return result(p) + c.old(beta, p); });
      call(a);
      CHECK(a, "combination in place", { return result(p) + a.old(beta, p); });
    }
  // The smaller and the larger of a number and no number.
  for (const auto op : {CUDNN_OP_TENSOR_MIN, CUDNN_OP_TENSOR_MAX})
    for (const auto nan : {CUDNN_NOT_PROPAGATE_NAN, CUDNN_PROPAGATE_NAN}) {
      RIGHT(cudnnSetOpTensorDescriptor(d, op, type_of<Factor<T>>, nan));
      Tensor<T> a(size, form), b(size), c(size, form);
      a.put({1, 2, 1, 2, 4}, NAN), b.put({0, 1, 0, 1, 2}, NAN);
      a.to_device(), b.to_device();
      c.poison();
      const Factor<T> one = 1, none = 0;
      RIGHT(cudnnOpTensor(handle, d, &one, a.descriptor, *a, &one, b.descriptor, *b, &none,
                          c.descriptor, *c));
      CHECK(c, "combination without numbers", {
        const double x = a[p], y = b[p];
        if (std::isnan(x) || std::isnan(y))
          return nan == CUDNN_PROPAGATE_NAN ? NAN : std::isnan(x) ? y : x;
        return op == CUDNN_OP_TENSOR_MIN ? std::min(x, y) : std::max(x, y);
      });
    }
  RIGHT(cudnnDestroyOpTensorDescriptor(d));
}

double reduced(int op, const std::vector<double>& values) {
  double sum = 0, product = 1, least = INFINITY, most = -INFINITY, amax = 0, norm1 = 0, norm2 = 0,
         no_zeros = 1;
  for (const double v : values) {
    sum += v;
    product *= v;
    least = std::min(least, v);
    most = std::max(most, v);
    amax = std::max(amax, std::abs(v));
    norm1 += std::abs(v);
    norm2 += v * v;
    if (v != 0) no_zeros *= v;
  }
  const double results[] = {
      sum,   product,          least,   most, amax, sum / double(values.size()),
      norm1, std::sqrt(norm2), no_zeros};
  return results[op];
}

template <typename T>
void check_reductions(Form form, Factor<T> alpha, Factor<T> beta) {
  const Size size{3, 2, 2, 3, 5};
  cudnnReduceTensorDescriptor_t d;
  RIGHT(cudnnCreateReduceTensorDescriptor(&d));
  const Size results[] = {{1, 1, 1, 1, 1}, {1, 2, 1, 1, 1}, {3, 1, 2, 3, 1}, {1, 1, 1, 1, 5}, size};
  for (int op = 0; op < 9; ++op)
    for (const Size& c_size : results) {
      RIGHT(cudnnSetReduceTensorDescriptor(d, cudnnReduceTensorOp_t(op), type_of<Factor<T>>,
                                           CUDNN_NOT_PROPAGATE_NAN, CUDNN_REDUCE_TENSOR_NO_INDICES,
                                           CUDNN_32BIT_INDICES));
      Tensor<T> a(size, form, 5, 1.5), c(c_size, form);
      a.put({1, 0, 1, 2, 3}, 0), a.put({2, 1, 0, 0, 4}, 0);
      a.to_device();
      c.poison_if(beta == 0);
      size_t workspace = 1, indices = 1;
      RIGHT(cudnnGetReductionWorkspaceSize(handle, d, a.descriptor, c.descriptor, &workspace));
      RIGHT(cudnnGetReductionIndicesSize(handle, d, a.descriptor, c.descriptor, &indices));
      EXPECT(workspace == 0 && indices == 0);
      RIGHT(cudnnReduceTensor(handle, d, nullptr, 0, nullptr, 0, &alpha, a.descriptor, *a, &beta,
                              c.descriptor, *c));
      CHECK(c, "reduction", {
        std::vector<double> values;
        walk(size, [&](const Size& from) {
          for (int i = 0; i < 5; ++i)
            if (c_size[i] != 1 && from[i] != p[i]) return;
          values.push_back(a[from]);
        });
        return alpha * reduced(op, values) + c.old(beta, p);
      });
    }
  // No number among those that are reduced, first and last.
  for (const auto op : {CUDNN_REDUCE_TENSOR_MIN, CUDNN_REDUCE_TENSOR_MAX, CUDNN_REDUCE_TENSOR_AMAX})
    for (const auto nan : {CUDNN_NOT_PROPAGATE_NAN, CUDNN_PROPAGATE_NAN}) {
      RIGHT(cudnnSetReduceTensorDescriptor(d, op, type_of<Factor<T>>, nan,
                                           CUDNN_REDUCE_TENSOR_NO_INDICES, CUDNN_32BIT_INDICES));
      Tensor<T> a(size, form), c({3, 1, 1, 1, 1}, form);
      a.put({0, 0, 0, 0, 0}, NAN), a.put({1, 1, 1, 2, 4}, NAN);
      a.to_device();
      c.poison();
      const Factor<T> one = 1, none = 0;
      RIGHT(cudnnReduceTensor(handle, d, nullptr, 0, nullptr, 0, &one, a.descriptor, *a, &none,
                              c.descriptor, *c));
      CHECK(c, "reduction without numbers", {
        if (p[0] < 2 && nan == CUDNN_PROPAGATE_NAN) return NAN;
        std::vector<double> values;
        walk(size, [&](const Size& from) {
          if (from[0] == p[0] && !std::isnan(a[from])) values.push_back(a[from]);
        });
        return reduced(op, values);
      });
      const Factor<T> zero = 0;
      RIGHT(cudnnSetReduceTensorDescriptor(d, op, type_of<Factor<T>>, nan,
                                           CUDNN_REDUCE_TENSOR_FLATTENED_INDICES,
                                           CUDNN_32BIT_INDICES));
      c.to_device();
      const auto reduce = [&](unsigned* indices, size_t bytes) {
        return cudnnReduceTensor(handle, d, indices, bytes, nullptr, 0, &one, a.descriptor, *a,
                                 &zero, c.descriptor, *c);
      };
      size_t bytes = 0;
      RIGHT(cudnnGetReductionIndicesSize(handle, d, a.descriptor, c.descriptor, &bytes));
      Array<unsigned> indices(c.size[0]);
      EXPECT(bytes == c.size[0] * sizeof(unsigned));
      EXPECT(reduce(nullptr, bytes) == CUDNN_STATUS_BAD_PARAM);
      EXPECT(reduce(indices.device, bytes - 1) == CUDNN_STATUS_BAD_PARAM);
      CHECK(c, "refused reduction", { return NAN; });
      RIGHT(reduce(indices.device, bytes));
      // Each tells where the result is, counted over all axes that are reduced.
      const std::vector<unsigned> got = indices.from_device();
      const std::vector<T> results = c.data->from_device();
      std::vector<unsigned> next(c.size[0]);
      std::vector<bool> is_found(c.size[0]);
      walk(size, [&](const Size& from) {
        const int image = from[0];
        if (next[image]++ != got[image]) return;
        const double there = op == CUDNN_REDUCE_TENSOR_AMAX ? std::abs(a[from]) : a[from],
                     result = wide(results[c.at({image, 0, 0, 0, 0})]);
        is_found[image] = std::isnan(result) ? std::isnan(there) : there == result;
      });
      EXPECT(std::count(is_found.begin(), is_found.end(), true) == c.size[0]);
      RIGHT(cudnnSetReduceTensorDescriptor(d, op, type_of<Factor<T>>, nan,
                                           CUDNN_REDUCE_TENSOR_FLATTENED_INDICES,
                                           CUDNN_16BIT_INDICES));
      EXPECT(reduce(indices.device, bytes) == CUDNN_STATUS_NOT_SUPPORTED);
    }
  RIGHT(cudnnDestroyReduceTensorDescriptor(d));
}

template <typename T>
void check_tensors(Form form) {
  const Size size{2, 3, 2, 5, 3};
  Tensor<T> y(size, form), a({1, 3, 1, 5, 1}), other(size, Form::channels_last);
  const T value = narrow<T>(0.375);
  y.poison();
  RIGHT(cudnnSetTensor(handle, y.descriptor, *y, &value));
  CHECK(y, "set tensor", { return 0.375; });
  y.randomize();
  const Factor<T> factor = -1.25, two = 2, none = 0, half = 0.5;
  RIGHT(cudnnScaleTensor(handle, y.descriptor, *y, &factor));
  CHECK(y, "scaled tensor", { return factor * y[p]; });
  y.to_device();
  RIGHT(cudnnAddTensor(handle, &factor, a.descriptor, *a, &half, y.descriptor, *y));
  CHECK(y, "sum", { return factor * a.repeated(p) + half * y[p]; });
  y.poison();
  RIGHT(cudnnAddTensor(handle, &factor, a.descriptor, *a, &none, y.descriptor, *y));
  CHECK(y, "sum", { return factor * a.repeated(p); });
  y.randomize();
  RIGHT(cudnnTransformTensor(handle, &two, other.descriptor, *other, &factor, y.descriptor, *y));
  CHECK(y, "transformed tensor", { return 2 * other[p] + factor * y[p]; });
  y.poison();
  RIGHT(cudnnTransformTensor(handle, &two, other.descriptor, *other, &none, y.descriptor, *y));
  CHECK(y, "transformed tensor", { return 2 * other[p]; });
}

/// From one type into another, and from one form into another.
template <typename From, typename To>
void check_conversion() {
  const Size size{2, 3, 1, 5, 3};
  Tensor<From> x(size, Form::channels_last, 4);
  Tensor<To> y(size, Form::gaps, 4);
  y.poison();
  const Factor<To> alpha = 1.5, none = 0, beta = -0.5;
  RIGHT(cudnnTransformTensor(handle, &alpha, x.descriptor, *x, &none, y.descriptor, *y));
  CHECK(y, "converted tensor", { return alpha * x[p]; });
  y.randomize();
  RIGHT(cudnnTransformTensor(handle, &alpha, x.descriptor, *x, &beta, y.descriptor, *y));
  CHECK(y, "converted tensor", { return alpha * x[p] + beta * y[p]; });
}

/// A convolution, its bias and its activation in a graph: launched again, it takes new images, and
/// the factors of the capture.
template <typename T>
void check_graph(const Shape& shape) {
  Convolution<T> c(shape, Form::packed, CUDNN_CROSS_CORRELATION);
  const int axes = shape.axes;
  Tensor<T> x(shape.x, Form::packed, axes), w(c.w_size, Form::packed, axes),
      z(c.y_size, Form::packed, axes), y(c.y_size, Form::packed, axes),
      fused(c.y_size, Form::packed, axes), bias({1, shape.filters, 1, 1, 1}, Form::packed, axes);
  ActivationDescriptor tanh(CUDNN_ACTIVATION_TANH), relu(CUDNN_ACTIVATION_RELU);
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  RIGHT(cudnnSetStream(handle, stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  Factor<T> alpha = 0.5, one = 1, none = 0, third = -0.25;
  z.poison(), y.poison(), fused.poison();
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  RIGHT(cudnnConvolutionForward(handle, &alpha, x.descriptor, *x, c.filter, *w, c.of,
                                CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &none,
                                z.descriptor, *z));
  RIGHT(cudnnAddTensor(handle, &one, bias.descriptor, *bias, &one, z.descriptor, *z));
  RIGHT(cudnnActivationForward(handle, tanh.of, &third, z.descriptor, *z, &none, y.descriptor, *y));
  RIGHT(cudnnConvolutionBiasActivationForward(handle, &one, x.descriptor, *x, c.filter, *w, c.of,
                                              CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0,
                                              &alpha, z.descriptor, *z, bias.descriptor, *bias,
                                              relu.of, fused.descriptor, *fused));
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  alpha = 77, one = 88, none = 99, third = 66;
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  CHECK(y, "captured, not run", { return NAN; });
  for (int run = 0; run < 3; ++run) {
    x.randomize(), bias.randomize();
    Numbers ys(c.y_size);
    c.products(
        [&](const Size& to, const Size& from, const Size& tap) { ys[to] += x[from] * w[tap]; });
    EXPECT(cudaGraphLaunch(executable, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    const auto first = [&](const Size& p) { return 0.5 * ys[p] + bias.repeated(p); };
    z.check("convolution in a graph", first, __LINE__, std::max(bound_of<T>, 2e-4));
    y.check(
        "activation in a graph", [&](const Size& p) { return -0.25 * std::tanh(first(p)); },
        __LINE__, std::max(bound_of<T>, 2e-4));
    fused.check(
        "fused convolution in a graph",
        [&](const Size& p) { return std::max(0.0, ys[p] + 0.5 * first(p) + bias.repeated(p)); },
        __LINE__, std::max(bound_of<T>, 2e-4));
  }
  EXPECT(cudaGraphExecDestroy(executable) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  RIGHT(cudnnSetStream(handle, nullptr));
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

/// What is no number: the largest of a window, and through activations that have limits.
template <typename T>
void check_no_numbers(Form form) {
  const Size size{1, 2, 1, 4, 5};
  const Factor<T> one = 1, none = 0;
  cudnnPoolingDescriptor_t pooling;
  cudnnActivationDescriptor_t activation;
  RIGHT(cudnnCreatePoolingDescriptor(&pooling));
  RIGHT(cudnnCreateActivationDescriptor(&activation));
  for (const auto nan : {CUDNN_NOT_PROPAGATE_NAN, CUDNN_PROPAGATE_NAN}) {
    Tensor<T> x(size, form, 4), y({1, 2, 1, 3, 4}, form, 4), same(size, form, 4);
    // First, in the middle and last of windows.
    for (const Size& p : {Size{0, 0, 0, 0, 0}, Size{0, 0, 0, 2, 2}, Size{0, 1, 0, 3, 4}})
      x.put(p, NAN);
    x.to_device();
    RIGHT(cudnnSetPooling2dDescriptor(pooling, CUDNN_POOLING_MAX, nan, 2, 2, 0, 0, 1, 1));
    y.poison();
    RIGHT(cudnnPoolingForward(handle, pooling, &one, x.descriptor, *x, &none, y.descriptor, *y));
    CHECK(y, "pooling without numbers", {
      double most = -INFINITY;
      for (int h = 0; h < 2; ++h)
        for (int w = 0; w < 2; ++w) {
          const double value = x[{p[0], p[1], 0, p[3] + h, p[4] + w}];
          if (!std::isnan(value))
            most = std::max(most, value);
          else if (nan == CUDNN_PROPAGATE_NAN)
            return NAN;
        }
      return most;
    });
    for (const auto mode : {CUDNN_ACTIVATION_RELU, CUDNN_ACTIVATION_CLIPPED_RELU}) {
      RIGHT(cudnnSetActivationDescriptor(activation, mode, nan, 0.5));
      same.poison();
      RIGHT(cudnnActivationForward(handle, activation, &one, x.descriptor, *x, &none,
                                   same.descriptor, *same));
      CHECK(same, "activation without numbers", {
        if (std::isnan(x[p])) return nan == CUDNN_PROPAGATE_NAN ? NAN : 0;
        return activations[mode](x[p]);
      });
    }
  }
  RIGHT(cudnnDestroyPoolingDescriptor(pooling));
  RIGHT(cudnnDestroyActivationDescriptor(activation));
}

/// What does not fit is refused, and nothing is written.
void check_refusals() {
  const float one = 1, none = 0;
  const Shape shape{{2, 4, 1, 6, 5}, 6, {1, 3, 3}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}, 1, 4};
  Convolution<float> c(shape, Form::packed, CUDNN_CROSS_CORRELATION);
  Tensor<float> x(shape.x, Form::packed, 4), w(c.w_size, Form::packed, 4),
      y(c.y_size, Form::packed, 4), small({2, 6, 1, 6, 4}, Form::packed, 4),
      bias({1, 6, 1, 1, 1}, Form::packed, 4), short_bias({1, 5, 1, 1, 1}, Form::packed, 4);
  Tensor<double> other(c.y_size, Form::packed, 4);
  Tensor<float> deep({2, 6, 1, 6, 5});
  ActivationDescriptor relu(CUDNN_ACTIVATION_RELU);
  const auto forward = [&](cudnnTensorDescriptor_t to, cudnnConvolutionFwdAlgo_t algo) {
    return cudnnConvolutionForward(handle, &one, x.descriptor, *x, c.filter, *w, c.of, algo,
                                   nullptr, 0, &none, to, *y);
  };
  const auto gemm = CUDNN_CONVOLUTION_FWD_ALGO_GEMM;
  EXPECT(forward(small.descriptor, gemm) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(other.descriptor, gemm) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(deep.descriptor, gemm) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(y.descriptor, CUDNN_CONVOLUTION_FWD_ALGO_COUNT) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(cudnnSetConvolutionGroupCount(c.of, 3));  // of four channels
  EXPECT(forward(y.descriptor, gemm) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(cudnnSetConvolutionGroupCount(c.of, 1));
  const auto fused = [&](cudnnTensorDescriptor_t z, cudnnTensorDescriptor_t b) {
    return cudnnConvolutionBiasActivationForward(handle, &one, x.descriptor, *x, c.filter, *w, c.of,
                                                 gemm, nullptr, 0, &one, z, *y, b, *bias, relu.of,
                                                 y.descriptor, *y);
  };
  EXPECT(fused(small.descriptor, bias.descriptor) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(fused(y.descriptor, short_bias.descriptor) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(fused(y.descriptor, y.descriptor) == CUDNN_STATUS_BAD_PARAM);
  const auto bias_gradient = [&](cudnnTensorDescriptor_t to) {
    return cudnnConvolutionBackwardBias(handle, &one, y.descriptor, *y, &none, to, *bias);
  };
  EXPECT(bias_gradient(short_bias.descriptor) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(bias_gradient(y.descriptor) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnTransformTensor(handle, &one, small.descriptor, *small, &none, y.descriptor, *y) ==
         CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnAddTensor(handle, &one, y.descriptor, *y, &none, bias.descriptor, *bias) ==
         CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnBatchNormalizationForwardInference(
             handle, CUDNN_BATCHNORM_PER_ACTIVATION, &one, &none, y.descriptor, *y, y.descriptor,
             *y, bias.descriptor, *bias, *bias, *bias, *bias, 1e-3) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_LOG, cudnnSoftmaxMode_t(2), &one, y.descriptor,
                             *y, &none, y.descriptor, *y) == CUDNN_STATUS_BAD_PARAM);
  cudnnLRNDescriptor_t lrn;
  RIGHT(cudnnCreateLRNDescriptor(&lrn));
  EXPECT(cudnnSetLRNDescriptor(lrn, 17, 1, 1, 1) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSetLRNDescriptor(lrn, 0, 1, 1, 1) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSetLRNDescriptor(lrn, 5, 1, 1e-3, 1) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSetLRNDescriptor(lrn, 5, 1, 1, 1e-6) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(cudnnDestroyLRNDescriptor(lrn));
  CHECK(y, "refused calls' result", { return y[p]; });
  CHECK(bias, "refused calls' biases", { return bias[p]; });
}

/// The check notices one wrong element, and one that is written between elements.
void check_broken_twin() {
  Tensor<__half> x({2, 3, 2, 5, 7}, Form::gaps);
  const int before = wrong;
  std::printf("One mismatch and two wrong checks are to follow.\n");
  CHECK(x, "broken twin", { return x[p] + (p == Size{1, 2, 1, 4, 6} ? 1e-2 : 0); });
  const bool noticed = wrong == before + 1;
  x.data->host[1] = narrow<__half>(5);
  CHECK(x, "broken twin", { return x[p]; });
  const bool noticed_gap = wrong == before + 2;
  wrong = before;
  EXPECT(noticed);
  EXPECT(noticed_gap);
}

}  // namespace

int main() {
  RIGHT(cudnnCreate(&handle));
  const Shape flat{{2, 6, 1, 7, 9}, 4, {1, 3, 2}, {0, 1, 2}, {1, 2, 1}, {1, 1, 2}, 2, 4};
  const Shape wide_one{{2, 4, 1, 6, 5}, 8, {1, 3, 3}, {0, 1, 1}, {1, 1, 1}, {1, 1, 1}, 1, 4};
  const Shape deep{{2, 4, 5, 6, 3}, 6, {3, 2, 2}, {1, 0, 1}, {2, 1, 1}, {1, 2, 1}, 2, 5};
  const Shape deep_dilated{{1, 3, 7, 4, 5}, 3, {2, 3, 1}, {2, 1, 0}, {1, 2, 3}, {3, 1, 1}, 3, 5};
  for (const Form form : {Form::packed, Form::channels_last, Form::gaps}) {
    for (const Shape& shape : {flat, wide_one, deep, deep_dilated}) {
      check_convolution<__half>(shape, form, CUDNN_CROSS_CORRELATION, 1, 0);
      check_convolution<__nv_bfloat16>(shape, form, CUDNN_CONVOLUTION, 0.5, 2);
      check_convolution<float>(shape, form, CUDNN_CONVOLUTION, -1.5, 0.25);
      check_convolution<double>(shape, form, CUDNN_CROSS_CORRELATION, 0.75, 0);
    }
    check_fused<float>(wide_one, form);
    check_fused<double>(deep, form);
    check_fused<__half>(flat, form);
    check_fused<__nv_bfloat16>(deep, form);
    check_activations<__half>(form, 0.5, -2);
    check_activations<__nv_bfloat16>(form, 1, 0);
    check_pooling<__half>(form, 1, 0);
    check_pooling<__nv_bfloat16>(form, 0.5, 2);
    check_pooling<double>(form, -0.5, 1);
    check_softmax<float>(form, 1, 0);
    check_softmax<double>(form, 0.5, -2);
    check_softmax<__half>(form, 2, 1);
    check_softmax<__nv_bfloat16>(form, 1, 0);
    check_lrn<float>(form, 1, 0);
    check_lrn<double>(form, 0.5, -2);
    check_lrn<__half>(form, -1, 1);
    check_lrn<__nv_bfloat16>(form, 1, 0);
    check_normalization<float>(form, 4, 1, 0);
    check_normalization<double>(form, 5, 0.5, -2);
    check_normalization<__half>(form, 5, 1, 0);
    check_normalization<__nv_bfloat16>(form, 4, 2, 0.5);
    check_combinations<float>(form, 0.75, -2, 0);
    check_combinations<double>(form, 0.5, 1.5, 0.25);
    check_combinations<__half>(form, 1, 1, 0);
    check_combinations<__nv_bfloat16>(form, 2, -1, 1);
    check_reductions<float>(form, 1, 0);
    check_reductions<double>(form, -0.5, 2);
    check_reductions<__half>(form, 0.5, 0);
    check_reductions<__nv_bfloat16>(form, 1, 0.5);
    check_tensors<float>(form);
    check_tensors<double>(form);
    check_tensors<__half>(form);
    check_tensors<__nv_bfloat16>(form);
    check_no_numbers<float>(form);
    check_no_numbers<double>(form);
    check_no_numbers<__half>(form);
    check_no_numbers<__nv_bfloat16>(form);
  }
  check_conversion<float, __half>();
  check_conversion<__half, float>();
  check_conversion<__nv_bfloat16, float>();
  check_conversion<float, double>();
  check_conversion<__half, __nv_bfloat16>();
  check_graph<float>(wide_one);
  check_graph<double>(flat);
  check_graph<__half>(deep);
  check_refusals();
  check_broken_twin();
  RIGHT(cudnnDestroy(handle));
  return finish();
}
