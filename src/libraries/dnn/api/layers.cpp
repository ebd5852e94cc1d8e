// cuDNN: activations, pooling, softmax, normalizations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/layer_checks.h"

namespace gridspan::libraries::dnn {
namespace {

Pooling pooling_of(const cudnnPoolingStruct& p) {
  Pooling pooling;
  pooling.mode = p.mode;
  pooling.keeps_nan = p.nan == CUDNN_PROPAGATE_NAN;
  for (int i = 0; i < p.dims; ++i) {
    const int axis = 3 - p.dims + i;
    pooling.window.size[axis] = p.size[i];
    pooling.window.pad[axis] = p.pad[i];
    pooling.window.step[axis] = p.step[i];
  }
  return pooling;
}

/// y may be smaller than documented, as with windows that are left out at the end, never larger.
Check& check_pooled(Check& check, cudnnPoolingStruct* p, cudnnTensorStruct* x,
                    cudnnTensorStruct* y) {
  check.that(is_live(p) && p->dims > 0, "poolingDesc");
  if (check.failed()) return check;
  check.same_type(x, y, "yDesc").that(x->dims == y->dims, "yDesc");
  int out[CUDNN_DIM_MAX];
  check.that(!check.failed() &&
                 cudnnGetPoolingNdForwardOutputDim(p, x, x->dims, out) == CUDNN_STATUS_SUCCESS,
             "poolingDesc");
  for (int i = 0; !check.failed() && i < x->dims; ++i) check.that(out[i] == y->size[i], "yDesc");
  return check;
}

Neighbours neighbours_of(const cudnnLRNStruct& d) {
  return {static_cast<int>(d.count), d.alpha, d.beta, d.k};
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnActivationForward(cudnnHandle_t handle, cudnnActivationDescriptor_t a,
                                     const void* alpha, const cudnnTensorDescriptor_t x,
                                     const void* x_data, const void* beta,
                                     const cudnnTensorDescriptor_t y, void* y_data) {
  Check check("cudnnActivationForward", handle);
  check_forward(check, alpha, x, x_data, beta, y, y_data);
  check.that(is_live(a) && a->is_set, "activationDesc");
  check.same_size(x, y, "yDesc");
  if (check.failed()) return check.status();
  return status_of(launch_activation(x->type, activation_of(*a), layout_of(*x), x_data,
                                     layout_of(*y), y_data,
                                     blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnActivationBackward(cudnnHandle_t handle, cudnnActivationDescriptor_t a,
                                      const void* alpha, const cudnnTensorDescriptor_t y,
                                      const void* y_data, const cudnnTensorDescriptor_t dy,
                                      const void* dy_data, const cudnnTensorDescriptor_t x,
                                      const void* x_data, const void* beta,
                                      const cudnnTensorDescriptor_t dx, void* dx_data) {
  Check check("cudnnActivationBackward", handle);
  check_backward(check, alpha, y, y_data, dy, dy_data, x, x_data, beta, dx, dx_data);
  check.that(is_live(a) && a->is_set, "activationDesc");
  check.same_size(x, y, "yDesc");
  if (check.failed()) return check.status();
  return status_of(launch_activation_gradient(
      x->type, activation_of(*a), layout_of(*y), y_data, layout_of(*dy), dy_data, layout_of(*x),
      x_data, layout_of(*dx), dx_data, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t p,
                                  const void* alpha, const cudnnTensorDescriptor_t x,
                                  const void* x_data, const void* beta,
                                  const cudnnTensorDescriptor_t y, void* y_data) {
  Check check("cudnnPoolingForward", handle);
  check_forward(check, alpha, x, x_data, beta, y, y_data);
  check_pooled(check, p, x, y);
  if (check.failed()) return check.status();
  return status_of(launch_pooling(x->type, pooling_of(*p), layout_of(*x), x_data, layout_of(*y),
                                  y_data, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnPoolingBackward(cudnnHandle_t handle, const cudnnPoolingDescriptor_t p,
                                   const void* alpha, const cudnnTensorDescriptor_t y,
                                   const void* y_data, const cudnnTensorDescriptor_t dy,
                                   const void* dy_data, const cudnnTensorDescriptor_t x,
                                   const void* x_data, const void* beta,
                                   const cudnnTensorDescriptor_t dx, void* dx_data) {
  Check check("cudnnPoolingBackward", handle);
  check_backward(check, alpha, y, y_data, dy, dy_data, x, x_data, beta, dx, dx_data);
  check_pooled(check, p, x, y);
  if (check.failed()) return check.status();
  return status_of(launch_pooling_gradient(x->type, pooling_of(*p), layout_of(*y), layout_of(*dy),
                                           dy_data, layout_of(*x), x_data, layout_of(*dx), dx_data,
                                           blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnSoftmaxForward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm,
                                  cudnnSoftmaxMode_t mode, const void* alpha,
                                  const cudnnTensorDescriptor_t x, const void* x_data,
                                  const void* beta, const cudnnTensorDescriptor_t y, void* y_data) {
  Check check("cudnnSoftmaxForward", handle);
  check_forward(check, alpha, x, x_data, beta, y, y_data);
  check.that(algorithm >= CUDNN_SOFTMAX_FAST && algorithm <= CUDNN_SOFTMAX_LOG, "algo");
  check.that(mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL, "mode");
  check.same_size(x, y, "yDesc");
  if (check.failed()) return check.status();
  return status_of(launch_softmax(x->type, algorithm, mode, layout_of(*x), x_data, layout_of(*y),
                                  y_data, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnSoftmaxBackward(cudnnHandle_t handle, cudnnSoftmaxAlgorithm_t algorithm,
                                   cudnnSoftmaxMode_t mode, const void* alpha,
                                   const cudnnTensorDescriptor_t y, const void* y_data,
                                   const cudnnTensorDescriptor_t dy, const void* dy_data,
                                   const void* beta, const cudnnTensorDescriptor_t dx,
                                   void* dx_data) {
  Check check("cudnnSoftmaxBackward", handle);
  check_backward(check, alpha, y, y_data, dy, dy_data, y, y_data, beta, dx, dx_data);
  check.that(algorithm >= CUDNN_SOFTMAX_FAST && algorithm <= CUDNN_SOFTMAX_LOG, "algo");
  check.that(mode == CUDNN_SOFTMAX_MODE_INSTANCE || mode == CUDNN_SOFTMAX_MODE_CHANNEL, "mode");
  if (check.failed()) return check.status();
  return status_of(launch_softmax_gradient(y->type, algorithm, mode, layout_of(*y), y_data,
                                           layout_of(*dy), dy_data, layout_of(*dx), dx_data,
                                           blend_of(handle, alpha, beta, y->type)));
}

cudnnStatus_t cudnnLRNCrossChannelForward(cudnnHandle_t handle, cudnnLRNDescriptor_t d,
                                          cudnnLRNMode_t mode, const void* alpha,
                                          const cudnnTensorDescriptor_t x, const void* x_data,
                                          const void* beta, const cudnnTensorDescriptor_t y,
                                          void* y_data) {
  Check check("cudnnLRNCrossChannelForward", handle);
  check_forward(check, alpha, x, x_data, beta, y, y_data);
  check.live(d, "normDesc").that(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1, "lrnMode");
  check.same_size(x, y, "yDesc");
  if (check.failed()) return check.status();
  return status_of(launch_lrn(x->type, neighbours_of(*d), layout_of(*x), x_data, layout_of(*y),
                              y_data, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnLRNCrossChannelBackward(cudnnHandle_t handle, cudnnLRNDescriptor_t d,
                                           cudnnLRNMode_t mode, const void* alpha,
                                           const cudnnTensorDescriptor_t y, const void* y_data,
                                           const cudnnTensorDescriptor_t dy, const void* dy_data,
                                           const cudnnTensorDescriptor_t x, const void* x_data,
                                           const void* beta, const cudnnTensorDescriptor_t dx,
                                           void* dx_data) {
  Check check("cudnnLRNCrossChannelBackward", handle);
  check_backward(check, alpha, y, y_data, dy, dy_data, x, x_data, beta, dx, dx_data);
  check.live(d, "normDesc").that(mode == CUDNN_LRN_CROSS_CHANNEL_DIM1, "lrnMode");
  check.same_size(x, y, "yDesc");
  if (check.failed()) return check.status();
  return status_of(launch_lrn_gradient(
      x->type, neighbours_of(*d), layout_of(*y), y_data, layout_of(*dy), dy_data, layout_of(*x),
      x_data, layout_of(*dx), dx_data, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnBatchNormalizationForwardInference(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const cudnnTensorDescriptor_t x, const void* x_data, const cudnnTensorDescriptor_t y,
    void* y_data, const cudnnTensorDescriptor_t parameters, const void* scale, const void* bias,
    const void* mean, const void* variance, double epsilon) {
  Check check("cudnnBatchNormalizationForwardInference", handle);
  check_forward(check, alpha, x, x_data, beta, y, y_data);
  check.same_size(x, y, "yDesc");
  check_parameters(check, mode, x, parameters, epsilon)
      .given(scale, "bnScale")
      .given(bias, "bnBias");
  check.given(mean, "estimatedMean").given(variance, "estimatedVariance");
  if (check.failed()) return check.status();
  return status_of(launch_norm_inference(x->type, layout_of(*x), x_data, layout_of(*y), y_data,
                                         layout_of(*parameters), scale, bias, mean, variance,
                                         epsilon, blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnBatchNormalizationForwardTraining(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const cudnnTensorDescriptor_t x, const void* x_data, const cudnnTensorDescriptor_t y,
    void* y_data, const cudnnTensorDescriptor_t parameters, const void* scale, const void* bias,
    double factor, void* running_mean, void* running_variance, double epsilon, void* saved_mean,
    void* saved_inverse) {
  Check check("cudnnBatchNormalizationForwardTraining", handle);
  check_forward(check, alpha, x, x_data, beta, y, y_data);
  check.same_size(x, y, "yDesc");
  check_parameters(check, mode, x, parameters, epsilon)
      .given(scale, "bnScale")
      .given(bias, "bnBias");
  check.that(!running_mean == !running_variance, "resultRunningVariance");
  check.that(!saved_mean == !saved_inverse, "resultSaveInvVariance");
  if (check.failed()) return check.status();
  const NormTraining training{
      scale, bias, factor, epsilon, running_mean, running_variance, saved_mean, saved_inverse};
  return status_of(launch_norm_training(x->type, layout_of(*x), x_data, layout_of(*y), y_data,
                                        layout_of(*parameters), training,
                                        blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnBatchNormalizationBackward(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, const void* alpha, const void* beta,
    const void* parameter_alpha, const void* parameter_beta, const cudnnTensorDescriptor_t x,
    const void* x_data, const cudnnTensorDescriptor_t dy, const void* dy_data,
    const cudnnTensorDescriptor_t dx, void* dx_data, const cudnnTensorDescriptor_t parameters,
    const void* scale, void* d_scale, void* d_bias, double epsilon, const void* saved_mean,
    const void* saved_inverse) {
  Check check("cudnnBatchNormalizationBackward", handle);
  check_backward(check, alpha, x, x_data, dy, dy_data, x, x_data, beta, dx, dx_data);
  check_parameters(check, mode, x, parameters, epsilon).given(scale, "bnScale");
  check.given(d_scale, "dBnScaleResult").given(d_bias, "dBnBiasResult");
  check.given(parameter_alpha, "alphaParamDiff").given(parameter_beta, "betaParamDiff");
  check.that(!saved_mean == !saved_inverse, "savedInvVariance");
  if (check.failed()) return check.status();
  const NormGradient gradient{scale,
                              epsilon,
                              saved_mean,
                              saved_inverse,
                              d_scale,
                              d_bias,
                              number(parameter_alpha, x->type),
                              number(parameter_beta, x->type)};
  return status_of(launch_norm_gradient(x->type, layout_of(*x), x_data, layout_of(*dy), dy_data,
                                        layout_of(*dx), dx_data, layout_of(*parameters), gradient,
                                        blend_of(handle, alpha, beta, x->type)));
}

}  // extern "C"
