// cuDNN: convolutions, pooling, activations, softmax, normalizations and tensor operations against
// plain loops in double, element by element, at odd sizes, with gaps between elements, and poisoned
// results where they are not to be read. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cudnn.h>

#include "library_check.h"

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>

namespace {

#define RIGHT(call) EXPECT((call) == CUDNN_STATUS_SUCCESS)

std::mt19937_64 engine(11);
double random_real() { return std::uniform_real_distribution<double>(-1, 1)(engine); }

template <typename T>
constexpr cudnnDataType_t type_of =
    std::is_same_v<T, double> ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;

cudnnHandle_t handle;

/// Images by channels by height by width, in memory as strides say; what lies between keeps its
/// value.
template <typename T>
struct Tensor {
  Tensor(int n, int c, int h, int w, cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW, int gap = 0)
      : size{n, c, h, w} {
    if (format == CUDNN_TENSOR_NHWC) {
      const int s[] = {h * w * c, 1, w * c, c};
      std::copy_n(s, 4, step);
    } else {
      const int s[] = {c * h * (w + gap), h * (w + gap), w + gap, 1};
      std::copy_n(s, 4, step);
    }
    RIGHT(cudnnCreateTensorDescriptor(&descriptor));
    RIGHT(cudnnSetTensor4dDescriptorEx(descriptor, type_of<T>, n, c, h, w, step[0], step[1],
                                       step[2], step[3]));
    size_t bytes = 0;
    RIGHT(cudnnGetTensorSizeInBytes(descriptor, &bytes));
    data = std::make_unique<Array<T>>(bytes / sizeof(T));
    for (T& x : data->host) x = static_cast<T>(random_real());
    data->to_device();
  }
  ~Tensor() { cudnnDestroyTensorDescriptor(descriptor); }
  std::size_t at(int n, int c, int h, int w) const {
    return std::size_t(n) * step[0] + c * step[1] + h * step[2] + w * step[3];
  }
  double operator()(int n, int c, int h, int w) const { return data->host[at(n, c, h, w)]; }
  void poison() {
    data->fill(static_cast<T>(NAN));
    data->to_device();
  }
  /// `reference` of each element; what is between elements is as it was.
  template <typename Reference>
  void check(const char* name, Reference reference, double bound = 0) {
    if (bound == 0) bound = std::is_same_v<T, double> ? 1e-12 : 2e-5;
    const std::vector<T> results = data->from_device();
    std::vector<bool> seen(results.size());
    bool right = true;
    for (int n = 0; n < size[0]; ++n)
      for (int c = 0; c < size[1]; ++c)
        for (int h = 0; h < size[2]; ++h)
          for (int w = 0; w < size[3]; ++w) {
            const double expected = reference(n, c, h, w), got = results[at(n, c, h, w)];
            seen[at(n, c, h, w)] = true;
            if (!(std::abs(expected - got) <= bound * (1 + std::abs(expected)))) right = false;
          }
    for (std::size_t i = 0; i < results.size(); ++i)
      if (!seen[i] && !same_bits(results[i], data->host[i])) right = false;
    expect(right, name, __LINE__);
    print_bits(name, results);
  }

  int size[4], step[4];
  cudnnTensorDescriptor_t descriptor = nullptr;
  std::unique_ptr<Array<T>> data;
};

struct Shape {
  int n, c, h, w, k, r, s, pad_h, pad_w, step_h, step_w, dilation_h, dilation_w, groups;
};

template <typename T>
void check_convolution(const Shape& p, cudnnTensorFormat_t format, cudnnConvolutionMode_t mode,
                       T alpha, T beta) {
  const int c_group = p.c / p.groups, k_group = p.k / p.groups;
  Tensor<T> x(p.n, p.c, p.h, p.w, format), w(p.k, c_group, p.r, p.s, format);
  cudnnFilterDescriptor_t filter;
  cudnnConvolutionDescriptor_t convolution;
  RIGHT(cudnnCreateFilterDescriptor(&filter));
  RIGHT(cudnnSetFilter4dDescriptor(filter, type_of<T>, format, p.k, c_group, p.r, p.s));
  RIGHT(cudnnCreateConvolutionDescriptor(&convolution));
  RIGHT(cudnnSetConvolution2dDescriptor(convolution, p.pad_h, p.pad_w, p.step_h, p.step_w,
                                        p.dilation_h, p.dilation_w, mode, type_of<T>));
  RIGHT(cudnnSetConvolutionGroupCount(convolution, p.groups));
  int n, k, oh, ow;
  RIGHT(cudnnGetConvolution2dForwardOutputDim(convolution, x.descriptor, filter, &n, &k, &oh, &ow));
  EXPECT(n == p.n && k == p.k &&
         oh == (p.h + 2 * p.pad_h - p.dilation_h * (p.r - 1) - 1) / p.step_h + 1 &&
         ow == (p.w + 2 * p.pad_w - p.dilation_w * (p.s - 1) - 1) / p.step_w + 1);
  Tensor<T> y(n, k, oh, ow, format), dx(p.n, p.c, p.h, p.w, format),
      dw(p.k, c_group, p.r, p.s, format);
  if (beta == 0) y.poison(), dx.poison(), dw.poison();
  // As programs of cuDNN 7 ask.
  cudnnConvolutionFwdAlgo_t forward;
  cudnnConvolutionBwdDataAlgo_t backward_data;
  cudnnConvolutionBwdFilterAlgo_t backward_filter;
  RIGHT(cudnnGetConvolutionForwardAlgorithm(handle, x.descriptor, filter, convolution, y.descriptor,
                                            CUDNN_CONVOLUTION_FWD_NO_WORKSPACE, 0, &forward));
  RIGHT(cudnnGetConvolutionBackwardDataAlgorithm(
      handle, filter, y.descriptor, convolution, x.descriptor,
      CUDNN_CONVOLUTION_BWD_DATA_PREFER_FASTEST, 0, &backward_data));
  RIGHT(cudnnGetConvolutionBackwardFilterAlgorithm(
      handle, x.descriptor, y.descriptor, convolution, filter,
      CUDNN_CONVOLUTION_BWD_FILTER_SPECIFY_WORKSPACE_LIMIT, 8, &backward_filter));
  const auto old = [&](const Tensor<T>& t, int a, int b, int c, int d) {
    return beta == 0 ? 0 : beta * t(a, b, c, d);
  };
  const auto tap = [&](int size, int i) { return mode == CUDNN_CONVOLUTION ? size - 1 - i : i; };
  // Gradients from the same walk over all that is multiplied.
  std::vector<double> ys(y.data->host.size()), dxs(dx.data->host.size()), dws(dw.data->host.size());
  Tensor<T> dy(n, k, oh, ow, format);
  for (int i = 0; i < n; ++i)
    for (int f = 0; f < k; ++f)
      for (int a = 0; a < oh; ++a)
        for (int b = 0; b < ow; ++b)
          for (int c = 0; c < c_group; ++c)
            for (int r = 0; r < p.r; ++r)
              for (int s = 0; s < p.s; ++s) {
                const int h = a * p.step_h - p.pad_h + tap(p.r, r) * p.dilation_h;
                const int v = b * p.step_w - p.pad_w + tap(p.s, s) * p.dilation_w;
                if (h < 0 || h >= p.h || v < 0 || v >= p.w) continue;
                const int channel = f / k_group * c_group + c;
                ys[y.at(i, f, a, b)] += x(i, channel, h, v) * w(f, c, r, s);
                dxs[dx.at(i, channel, h, v)] += dy(i, f, a, b) * w(f, c, r, s);
                dws[dw.at(f, c, r, s)] += dy(i, f, a, b) * x(i, channel, h, v);
              }
  RIGHT(cudnnConvolutionForward(handle, &alpha, x.descriptor, x.data->device, filter,
                                w.data->device, convolution, forward, nullptr, 0, &beta,
                                y.descriptor, y.data->device));
  y.check(
      "convolution",
      [&](int i, int f, int a, int b) { return alpha * ys[y.at(i, f, a, b)] + old(y, i, f, a, b); },
      sizeof(T) == 8 ? 0 : 2e-4);
  RIGHT(cudnnConvolutionBackwardData(handle, &alpha, filter, w.data->device, dy.descriptor,
                                     dy.data->device, convolution, backward_data, nullptr, 0, &beta,
                                     dx.descriptor, dx.data->device));
  dx.check(
      "data gradient",
      [&](int i, int f, int a, int b) {
        return alpha * dxs[dx.at(i, f, a, b)] + old(dx, i, f, a, b);
      },
      sizeof(T) == 8 ? 0 : 2e-4);
  RIGHT(cudnnConvolutionBackwardFilter(handle, &alpha, x.descriptor, x.data->device, dy.descriptor,
                                       dy.data->device, convolution, backward_filter, nullptr, 0,
                                       &beta, filter, dw.data->device));
  dw.check(
      "filter gradient",
      [&](int i, int f, int a, int b) {
        return alpha * dws[dw.at(i, f, a, b)] + old(dw, i, f, a, b);
      },
      sizeof(T) == 8 ? 0 : 2e-4);
  RIGHT(cudnnDestroyFilterDescriptor(filter));
  RIGHT(cudnnDestroyConvolutionDescriptor(convolution));
}

template <typename T>
void check_layers(cudnnTensorFormat_t format, int gap) {
  const T one = 1, none = 0;
  Tensor<T> x(3, 5, 7, 11, format, gap), y(3, 5, 7, 11, format, gap), dy(3, 5, 7, 11),
      dx(3, 5, 7, 11);
  // Where `gap` is not 0, what lies between elements is compared: it is not poisoned.
  if (!gap) y.poison();
  cudnnActivationDescriptor_t activation;
  RIGHT(cudnnCreateActivationDescriptor(&activation));
  const std::function<double(double)> functions[] = {
      [](double v) { return 1 / (1 + std::exp(-v)); },
      [](double v) { return v > 0 ? v : 0; },
      [](double v) { return std::tanh(v); },
      [](double v) { return v < 0     ? 0
                            : v > 0.5 ? 0.5
                                      : v; },
      [](double v) { return v > 0 ? v : 0.5 * std::expm1(v); },
      [](double v) { return v; },
      [](double v) { return v / (1 + std::exp(-v)); }};
  for (int mode = 0; mode < 7; ++mode) {
    RIGHT(cudnnSetActivationDescriptor(activation, cudnnActivationMode_t(mode),
                                       CUDNN_NOT_PROPAGATE_NAN, 0.5));
    RIGHT(cudnnActivationForward(handle, activation, &one, x.descriptor, x.data->device, &none,
                                 y.descriptor, y.data->device));
    y.check("activation",
            [&](int n, int c, int h, int w) { return functions[mode](x(n, c, h, w)); });
    RIGHT(cudnnActivationBackward(handle, activation, &one, y.descriptor, y.data->device,
                                  dy.descriptor, dy.data->device, x.descriptor, x.data->device,
                                  &none, dx.descriptor, dx.data->device));
    dx.check(
        "activation gradient",
        [&](int n, int c, int h, int w) {
          const double at = x(n, c, h, w), d = 1e-6;
          return dy(n, c, h, w) * (functions[mode](at + d) - functions[mode](at - d)) / (2 * d);
        },
        5e-5);
  }
  RIGHT(cudnnDestroyActivationDescriptor(activation));

  RIGHT(cudnnSoftmaxForward(handle, CUDNN_SOFTMAX_ACCURATE, CUDNN_SOFTMAX_MODE_CHANNEL, &one,
                            x.descriptor, x.data->device, &none, y.descriptor, y.data->device));
  y.check("softmax", [&](int n, int c, int h, int w) {
    double sum = 0;
    for (int l = 0; l < 5; ++l) sum += std::exp(x(n, l, h, w));
    return std::exp(x(n, c, h, w)) / sum;
  });

  // Pooling: windows that overlap and reach over the edge.
  cudnnPoolingDescriptor_t pooling;
  RIGHT(cudnnCreatePoolingDescriptor(&pooling));
  for (int mode = 0; mode < 4; ++mode) {
    RIGHT(cudnnSetPooling2dDescriptor(pooling, cudnnPoolingMode_t(mode), CUDNN_NOT_PROPAGATE_NAN, 3,
                                      2, 1, 1, 2, 3));
    int n, c, h, w;
    RIGHT(cudnnGetPooling2dForwardOutputDim(pooling, x.descriptor, &n, &c, &h, &w));
    Tensor<T> pooled(n, c, h, w), d_pooled(n, c, h, w);
    pooled.poison();
    RIGHT(cudnnPoolingForward(handle, pooling, &one, x.descriptor, x.data->device, &none,
                              pooled.descriptor, pooled.data->device));
    std::vector<double> gradient(dx.data->host.size());
    pooled.check("pooling", [&](int i, int f, int a, int b) {
      double most = -1e300, sum = 0;
      int count = 0, top = 0, left = 0;
      const auto walk = [&](auto each) {
        for (int r = a * 2 - 1; r < a * 2 + 2; ++r)
          for (int s = b * 3 - 1; s < b * 3 + 1; ++s)
            if (r >= 0 && r < 7 && s >= 0 && s < 11) each(r, s);
      };
      walk([&](int r, int s) {
        const double v = x(i, f, r, s);
        sum += v;
        ++count;
        if (v > most) most = v, top = r, left = s;
      });
      const bool is_max = mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
      const int divisor = mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING ? 6 : count;
      const double d = d_pooled(i, f, a, b);
      if (is_max)
        gradient[dx.at(i, f, top, left)] += d;
      else
        walk([&](int r, int s) { gradient[dx.at(i, f, r, s)] += d / divisor; });
      return is_max ? most : sum / divisor;
    });
    RIGHT(cudnnPoolingBackward(handle, pooling, &one, pooled.descriptor, pooled.data->device,
                               d_pooled.descriptor, d_pooled.data->device, x.descriptor,
                               x.data->device, &none, dx.descriptor, dx.data->device));
    dx.check("pooling gradient",
             [&](int i, int f, int a, int b) { return gradient[dx.at(i, f, a, b)]; });
  }
  RIGHT(cudnnDestroyPoolingDescriptor(pooling));

  // Batch normalization by channel, and its gradient.
  Tensor<T> scale(1, 5, 1, 1), bias(1, 5, 1, 1), mean(1, 5, 1, 1), inverse(1, 5, 1, 1),
      d_scale(1, 5, 1, 1), d_bias(1, 5, 1, 1), running_mean(1, 5, 1, 1), running(1, 5, 1, 1);
  mean.poison(), inverse.poison(), d_scale.poison(), d_bias.poison();
  RIGHT(cudnnBatchNormalizationForwardTraining(
      handle, CUDNN_BATCHNORM_SPATIAL, &one, &none, x.descriptor, x.data->device, y.descriptor,
      y.data->device, scale.descriptor, scale.data->device, bias.data->device, 0.25,
      running_mean.data->device, running.data->device, 1e-3, mean.data->device,
      inverse.data->device));
  double means[5] = {}, variances[5] = {}, sums[5] = {}, products[5] = {};
  const double terms = 3 * 7 * 11;
  const auto all = [&](auto each) {
    for (int n = 0; n < 3; ++n)
      for (int c = 0; c < 5; ++c)
        for (int h = 0; h < 7; ++h)
          for (int w = 0; w < 11; ++w) each(n, c, h, w);
  };
  all([&](int n, int c, int h, int w) { means[c] += x(n, c, h, w) / terms; });
  all([&](int n, int c, int h, int w) {
    variances[c] += std::pow(x(n, c, h, w) - means[c], 2) / terms;
  });
  const auto normal = [&](int n, int c, int h, int w) {
    return (x(n, c, h, w) - means[c]) / std::sqrt(variances[c] + 1e-3);
  };
  all([&](int n, int c, int h, int w) {
    sums[c] += dy(n, c, h, w);
    products[c] += dy(n, c, h, w) * normal(n, c, h, w);
  });
  y.check("normalization", [&](int n, int c, int h, int w) {
    return scale(0, c, 0, 0) * normal(n, c, h, w) + bias(0, c, 0, 0);
  });
  mean.check("mean", [&](int, int c, int, int) { return means[c]; });
  running_mean.check("running mean", [&](int, int c, int, int) {
    return 0.75 * running_mean(0, c, 0, 0) + 0.25 * means[c];
  });
  running.check("running variance", [&](int, int c, int, int) {
    return 0.75 * running(0, c, 0, 0) + 0.25 * variances[c] * terms / (terms - 1);
  });
  RIGHT(cudnnBatchNormalizationBackward(
      handle, CUDNN_BATCHNORM_SPATIAL, &one, &none, &one, &none, x.descriptor, x.data->device,
      dy.descriptor, dy.data->device, dx.descriptor, dx.data->device, scale.descriptor,
      scale.data->device, d_scale.data->device, d_bias.data->device, 1e-3, mean.data->device,
      inverse.data->device));
  dx.check("normalization gradient", [&](int n, int c, int h, int w) {
    return scale(0, c, 0, 0) / std::sqrt(variances[c] + 1e-3) *
           (dy(n, c, h, w) - (sums[c] + normal(n, c, h, w) * products[c]) / terms);
  });
  d_scale.check("gradient of scales", [&](int, int c, int, int) { return products[c]; });
  d_bias.check("gradient of biases", [&](int, int c, int, int) { return sums[c]; });

  const T half = 0.5, two = 2;
  RIGHT(cudnnAddTensor(handle, &half, bias.descriptor, bias.data->device, &two, dy.descriptor,
                       dy.data->device));
  dy.check("sum",
           [&](int n, int c, int h, int w) { return 0.5 * bias(0, c, 0, 0) + 2 * dy(n, c, h, w); });
}

void check_refusals() {
  const float one = 1, none = 0;
  Tensor<float> x(1, 2, 3, 4), y(1, 2, 4, 3);
  cudnnActivationDescriptor_t activation;
  RIGHT(cudnnCreateActivationDescriptor(&activation));
  const auto call = [&](cudnnHandle_t with, cudnnTensorDescriptor_t to, const float* alpha) {
    return cudnnActivationForward(with, activation, alpha, x.descriptor, x.data->device, &none, to,
                                  y.data->device);
  };
  EXPECT(call(handle, x.descriptor, &one) == CUDNN_STATUS_BAD_PARAM);  // not set yet
  RIGHT(cudnnSetActivationDescriptor(activation, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
  EXPECT(call(nullptr, x.descriptor, &one) == CUDNN_STATUS_NOT_INITIALIZED);
  EXPECT(call(handle, y.descriptor, &one) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(call(handle, nullptr, &one) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(call(handle, x.descriptor, nullptr) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSetTensor4dDescriptor(x.descriptor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 0, 1,
                                    1) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSetActivationDescriptor(activation, cudnnActivationMode_t(9), CUDNN_PROPAGATE_NAN,
                                      0) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(cudnnDestroyActivationDescriptor(activation));
  EXPECT(std::string(cudnnGetErrorString(CUDNN_STATUS_BAD_PARAM)) == "CUDNN_STATUS_BAD_PARAM");
}

/// The check notices one wrong element.
void check_broken_twin() {
  Tensor<float> x(2, 3, 5, 7);
  const int before = wrong;
  x.check("broken twin", [&](int n, int c, int h, int w) {
    return x(n, c, h, w) + (n == 1 && c == 2 && h == 4 && w == 6 ? 1e-2 : 0);
  });
  const bool noticed = wrong == before + 1;
  wrong = before;
  EXPECT(noticed);
}

}  // namespace

int main() {
  RIGHT(cudnnCreate(&handle));
  const Shape shapes[] = {{2, 3, 7, 11, 5, 3, 3, 1, 1, 1, 1, 1, 1, 1},
                          {1, 13, 5, 9, 7, 1, 1, 0, 0, 1, 1, 1, 1, 1},
                          {3, 4, 13, 8, 6, 5, 2, 2, 0, 2, 3, 1, 2, 2},
                          {2, 6, 9, 7, 6, 3, 3, 1, 1, 2, 2, 1, 1, 6},
                          {1, 1, 1, 17, 4, 1, 9, 0, 4, 1, 1, 1, 1, 1}};
  for (const Shape& shape : shapes)
    for (const auto format : {CUDNN_TENSOR_NCHW, CUDNN_TENSOR_NHWC}) {
      check_convolution<float>(shape, format, CUDNN_CROSS_CORRELATION, 1, 0);
      check_convolution<double>(shape, format, CUDNN_CONVOLUTION, 0.75, -0.5);
    }
  check_layers<float>(CUDNN_TENSOR_NCHW, 0);
  check_layers<double>(CUDNN_TENSOR_NHWC, 0);
  check_layers<float>(CUDNN_TENSOR_NCHW, 3);
  check_refusals();
  check_broken_twin();
  RIGHT(cudnnDestroy(handle));
  return finish();
}
