// The launches that calls of cuDNN are made of. Element types are those of with_type; alpha and
// beta are taken when a launch is asked for. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#pragma once

#include "libraries/dnn/kernels/tensor.h"

namespace gridspan::libraries::dnn {

struct Blend {
  double alpha = 1, beta = 0;
  cudaStream_t stream = nullptr;
};

/// Axes of size 1 in `a` and `b` have a stride of 0 where `c` has more.
cudaError_t launch_set(cudnnDataType_t type, const Layout& y, void* to, double value,
                       cudaStream_t stream);
cudaError_t launch_scale(cudnnDataType_t type, const Layout& y, void* to, double factor,
                         cudaStream_t stream);
/// c = alpha a + beta c.
cudaError_t launch_add(cudnnDataType_t type, const Layout& a, const void* from, const Layout& c,
                       void* to, Blend blend);
/// The same from one type into another.
cudaError_t launch_convert(cudnnDataType_t from_type, const Layout& a, const void* from,
                           cudnnDataType_t to_type, const Layout& c, void* to, Blend blend);
/// c = op(alpha a, alpha2 b) + beta c. Of a number and no number, MIN and MAX take the latter where
/// it is kept, else the former.
cudaError_t launch_combine(cudnnDataType_t type, cudnnOpTensorOp_t op, bool keeps_nan,
                           const Layout& a, const void* a_from, const Layout& b, const void* b_from,
                           double alpha2, const Layout& c, void* to, Blend blend);
/// c over the axes that have size 1 in c and more in a. Unless `indices` is null, it becomes where,
/// among what is reduced, the extreme is (of MIN, MAX, AMAX), for c's elements in order.
cudaError_t launch_reduce(cudnnDataType_t type, cudnnReduceTensorOp_t op, bool keeps_nan,
                          const Layout& a, const void* from, const Layout& c, void* to, Blend blend,
                          unsigned* indices = nullptr);

struct Activation {
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
  double limit = 0;  // of clipped RELU; alpha of ELU
  double swish_beta = 1;
  bool keeps_nan = false;
};
cudaError_t launch_activation(cudnnDataType_t type, const Activation& activation, const Layout& x,
                              const void* from, const Layout& y, void* to, Blend blend);
cudaError_t launch_activation_gradient(cudnnDataType_t type, const Activation& activation,
                                       const Layout& y_layout, const void* y,
                                       const Layout& dy_layout, const void* dy,
                                       const Layout& x_layout, const void* x,
                                       const Layout& dx_layout, void* dx, Blend blend);

/// What random numbers of dropout come from, in device memory: each launch goes on from there.
struct DropoutState {
  unsigned long long seed, next;  // Philox's key, and the counter of the next launch's first unit
};
struct Dropout {
  double share = 0;  // of elements that become 0
  cudaStream_t stream = nullptr;
};
cudaError_t launch_dropout_state(DropoutState* state, unsigned long long seed, cudaStream_t stream);
/// y = x / (1 - share) or 0; `mask` has a byte for each element, in the order of places.
cudaError_t launch_dropout(cudnnDataType_t type, const Dropout& dropout, DropoutState* state,
                           const Layout& x, const void* from, const Layout& y, void* to,
                           unsigned char* mask);
/// The same with the mask as it is.
cudaError_t launch_dropout_gradient(cudnnDataType_t type, const Dropout& dropout, const Layout& dy,
                                    const void* from, const Layout& dx, void* to,
                                    const unsigned char* mask);

/// Depth, height, width.
struct Window {
  int size[3] = {1, 1, 1}, pad[3] = {0, 0, 0}, step[3] = {1, 1, 1}, dilation[3] = {1, 1, 1};
};
struct Convolution {
  Layout x, y, w;  // w: filters, channels of a group, depth, height, width
  Window window;
  int groups = 1;
  bool flips = false;  // a convolution, not a cross-correlation
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
};
cudaError_t launch_convolution(const Convolution& c, const void* x, const void* w, void* y,
                               Blend blend);
cudaError_t launch_data_gradient(const Convolution& c, const void* w, const void* dy, void* dx,
                                 Blend blend);
cudaError_t launch_filter_gradient(const Convolution& c, const void* x, const void* dy, void* dw,
                                   Blend blend);

struct Pooling {
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  Window window;
  bool keeps_nan = false;
};
cudaError_t launch_pooling(cudnnDataType_t type, const Pooling& pooling, const Layout& x,
                           const void* from, const Layout& y, void* to, Blend blend);
cudaError_t launch_pooling_gradient(cudnnDataType_t type, const Pooling& pooling, const Layout& y,
                                    const Layout& dy_layout, const void* dy, const Layout& x_layout,
                                    const void* x, const Layout& dx_layout, void* dx, Blend blend);

cudaError_t launch_softmax(cudnnDataType_t type, cudnnSoftmaxAlgorithm_t algorithm,
                           cudnnSoftmaxMode_t mode, const Layout& x, const void* from,
                           const Layout& y, void* to, Blend blend);
cudaError_t launch_softmax_gradient(cudnnDataType_t type, cudnnSoftmaxAlgorithm_t algorithm,
                                    cudnnSoftmaxMode_t mode, const Layout& y_layout, const void* y,
                                    const Layout& dy_layout, const void* dy,
                                    const Layout& dx_layout, void* dx, Blend blend);

struct Neighbours {
  int count = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};
cudaError_t launch_lrn(cudnnDataType_t type, const Neighbours& of, const Layout& x,
                       const void* from, const Layout& y, void* to, Blend blend);
cudaError_t launch_lrn_gradient(cudnnDataType_t type, const Neighbours& of, const Layout& y_layout,
                                const void* y, const Layout& dy_layout, const void* dy,
                                const Layout& x_layout, const void* x, const Layout& dx_layout,
                                void* dx, Blend blend);

/// Parameters are of float, or of double with elements of double. `parameter` has size 1 along the
/// axes that statistics are taken over.
cudaError_t launch_norm_inference(cudnnDataType_t type, const Layout& x, const void* from,
                                  const Layout& y, void* to, const Layout& parameter,
                                  const void* scale, const void* bias, const void* mean,
                                  const void* variance, double epsilon, Blend blend);
struct NormTraining {
  const void *scale, *bias;
  double factor, epsilon;
  void *running_mean, *running_variance, *saved_mean, *saved_inverse;  // may be null, in pairs
  // What follows, before the blend: a sum with a tensor unless that is null, and RELU.
  const void* addend = nullptr;
  Layout addend_layout = {};
  bool rectifies = false, keeps_nan = false;
};
cudaError_t launch_norm_training(cudnnDataType_t type, const Layout& x, const void* from,
                                 const Layout& y, void* to, const Layout& parameter,
                                 const NormTraining& training, Blend blend);
struct NormGradient {
  const void* scale;
  double epsilon;
  const void *saved_mean, *saved_inverse;  // both, or none
  void *d_scale, *d_bias;
  double parameter_alpha, parameter_beta;
};
cudaError_t launch_norm_gradient(cudnnDataType_t type, const Layout& x_layout, const void* x,
                                 const Layout& dy_layout, const void* dy, const Layout& dx_layout,
                                 void* dx, const Layout& parameter, const NormGradient& gradient,
                                 Blend blend);

}  // namespace gridspan::libraries::dnn
