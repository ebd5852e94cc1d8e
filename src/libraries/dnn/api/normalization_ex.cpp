// cuDNN: batch normalization for training with what follows it in the same call, a sum and RELU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/descriptors.h"
#include "libraries/dnn/api/layer_checks.h"
#include "libraries/dnn/kernels/scratch.h"

namespace gridspan::libraries::dnn {
namespace {

bool activates(cudnnBatchNormOps_t ops) { return ops != CUDNN_BATCHNORM_OPS_BN; }
bool adds(cudnnBatchNormOps_t ops) { return ops == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION; }
bool rectifies(cudnnBatchNormOps_t ops, const cudnnActivationStruct* a) {
  return activates(ops) && a->mode == CUDNN_ACTIVATION_RELU;
}

/// Of activations, cuDNN takes RELU, and none.
Check& check_ops(Check& check, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
                 const cudnnActivationStruct* a) {
  check.known(mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT,
              mode, "mode");
  check.known(ops >= CUDNN_BATCHNORM_OPS_BN && ops <= CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, ops,
              "bnOps");
  if (check.failed() || !activates(ops)) return check;
  check.live(a, "activationDesc");
  check.that(check.failed() || a->is_set, "activationDesc", CUDNN_STATUS_BAD_PARAM, "is not set");
  if (check.failed()) return check;
  return check.supported(a->mode == CUDNN_ACTIVATION_RELU || a->mode == CUDNN_ACTIVATION_IDENTITY,
                         "activationDesc");
}

/// Memory comes from the stream's pool, and gradients are found from y: nothing is kept.
cudnnStatus_t give_nothing_kept(Check& check, size_t* bytes) {
  if (check.given(bytes, "sizeInBytes").failed()) return check.status();
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}

Layout packed(Layout layout) {
  long long next = 1;
  for (int axis = most_axes - 1; axis >= 0; --axis) {
    layout.stride[axis] = next;
    next *= layout.size[axis];
  }
  return layout;
}

/// The gradient of what was normalized: dy where y is more than 0. Without RELU it is dy.
cudaError_t launch_ops_gradient(bool rectifies, cudnnDataType_t type, const Layout& y_layout,
                                const void* y, const Layout& dy_layout, const void* dy,
                                const Layout& dz_layout, void* dz, cudaStream_t stream) {
  if (!rectifies) return launch_add(type, dy_layout, dy, dz_layout, dz, {1, 0, stream});
  Activation relu;
  relu.mode = CUDNN_ACTIVATION_RELU;
  return launch_activation_gradient(type, relu, y_layout, y, dy_layout, dy, y_layout, y, dz_layout,
                                    dz, {1, 0, stream});
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
    const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t z,
    const cudnnTensorDescriptor_t y, const cudnnTensorDescriptor_t,
    const cudnnActivationDescriptor_t activation, size_t* bytes) {
  Check check(__func__, handle);
  check_ops(check, mode, ops, activation).tensor(x, "xDesc").tensor(y, "yDesc");
  if (!check.failed() && adds(ops)) check.tensor(z, "zDesc");
  return give_nothing_kept(check, bytes);
}
cudnnStatus_t cudnnGetBatchNormalizationBackwardExWorkspaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
    const cudnnTensorDescriptor_t x, const cudnnTensorDescriptor_t,
    const cudnnTensorDescriptor_t dy, const cudnnTensorDescriptor_t dz,
    const cudnnTensorDescriptor_t dx, const cudnnTensorDescriptor_t,
    const cudnnActivationDescriptor_t activation, size_t* bytes) {
  Check check(__func__, handle);
  check_ops(check, mode, ops, activation).tensor(x, "xDesc").tensor(dy, "dyDesc");
  check.tensor(dx, "dxDesc");
  if (!check.failed() && adds(ops)) check.tensor(dz, "dzDesc");
  return give_nothing_kept(check, bytes);
}
cudnnStatus_t cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops,
    const cudnnActivationDescriptor_t activation, const cudnnTensorDescriptor_t x, size_t* bytes) {
  Check check(__func__, handle);
  check_ops(check, mode, ops, activation).tensor(x, "xDesc");
  return give_nothing_kept(check, bytes);
}

cudnnStatus_t cudnnBatchNormalizationForwardTrainingEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void* alpha,
    const void* beta, const cudnnTensorDescriptor_t x, const void* x_data,
    const cudnnTensorDescriptor_t z, const void* z_data, const cudnnTensorDescriptor_t y,
    void* y_data, const cudnnTensorDescriptor_t parameters, const void* scale, const void* bias,
    double factor, void* running_mean, void* running_variance, double epsilon, void* saved_mean,
    void* saved_inverse, cudnnActivationDescriptor_t activation, void*, size_t, void*, size_t) {
  Check check(__func__, handle);
  check_ops(check, mode, ops, activation);
  check_forward(check, alpha, x, x_data, beta, y, y_data).same_size(x, y, "yDesc");
  check_parameters(check, mode, x, parameters, epsilon);
  check.given(scale, "bnScale").given(bias, "bnBias");
  check.that(!running_mean == !running_variance, "resultRunningVariance");
  check.that(!saved_mean == !saved_inverse, "resultSaveInvVariance");
  if (!check.failed() && adds(ops))
    check.tensor(z, "zDesc").same_size(x, z, "zDesc").given(z_data, "zData");
  if (check.failed()) return check.status();
  NormTraining training{scale,      bias,         factor, epsilon, running_mean, running_variance,
                        saved_mean, saved_inverse};
  if (adds(ops)) {
    training.addend = z_data;
    training.addend_layout = layout_of(*z);
  }
  training.rectifies = rectifies(ops, activation);
  training.keeps_nan = training.rectifies && activation->nan == CUDNN_PROPAGATE_NAN;
  return status_of(launch_norm_training(x->type, layout_of(*x), x_data, layout_of(*y), y_data,
                                        layout_of(*parameters), training,
                                        blend_of(handle, alpha, beta, x->type)));
}

cudnnStatus_t cudnnBatchNormalizationBackwardEx(
    cudnnHandle_t handle, cudnnBatchNormMode_t mode, cudnnBatchNormOps_t ops, const void* alpha,
    const void* beta, const void* parameter_alpha, const void* parameter_beta,
    const cudnnTensorDescriptor_t x, const void* x_data, const cudnnTensorDescriptor_t y,
    const void* y_data, const cudnnTensorDescriptor_t dy, const void* dy_data,
    const cudnnTensorDescriptor_t dz, void* dz_data, const cudnnTensorDescriptor_t dx,
    void* dx_data, const cudnnTensorDescriptor_t parameters, const void* scale, const void*,
    void* d_scale, void* d_bias, double epsilon, const void* saved_mean, const void* saved_inverse,
    cudnnActivationDescriptor_t activation, void*, size_t, void*, size_t) {
  Check check(__func__, handle);
  check_ops(check, mode, ops, activation);
  check_backward(check, alpha, x, x_data, dy, dy_data, x, x_data, beta, dx, dx_data);
  check_parameters(check, mode, x, parameters, epsilon).given(scale, "bnScaleData");
  check.given(d_scale, "dBnScaleData").given(d_bias, "dBnBiasData");
  check.given(parameter_alpha, "alphaParamDiff").given(parameter_beta, "betaParamDiff");
  check.that(!saved_mean == !saved_inverse, "savedInvVariance");
  if (!check.failed() && rectifies(ops, activation))
    check.tensor(y, "yDesc").same_size(x, y, "yDesc").given(y_data, "yData");
  if (!check.failed() && adds(ops))
    check.tensor(dz, "dzDesc").same_size(x, dz, "dzDesc").given(dz_data, "dzData");
  if (check.failed()) return check.status();

  // dz is the gradient of the sum, and so of what was normalized. Who asks for none gets it in
  // memory of the stream's pool.
  const bool is_rectified = rectifies(ops, activation);
  Layout inner_layout = layout_of(*dy);
  const void* inner = dy_data;
  const bool needs_own = is_rectified && !adds(ops);
  const Layout own_layout = packed(inner_layout);
  const Scratch own(needs_own ? own_layout.count() * static_cast<long long>(bytes_of(x->type)) : 0,
                    handle->stream);
  cudaError_t error = own.error();
  if (error == cudaSuccess && (is_rectified || adds(ops))) {
    const Layout to_layout = adds(ops) ? layout_of(*dz) : own_layout;
    void* const to = adds(ops) ? dz_data : own.as<void>();
    error = launch_ops_gradient(is_rectified, x->type, is_rectified ? layout_of(*y) : Layout(),
                                y_data, inner_layout, dy_data, to_layout, to, handle->stream);
    inner_layout = to_layout;
    inner = to;
  }
  if (error != cudaSuccess) return status_of(error);
  const NormGradient gradient{scale,
                              epsilon,
                              saved_mean,
                              saved_inverse,
                              d_scale,
                              d_bias,
                              number(parameter_alpha, x->type),
                              number(parameter_beta, x->type)};
  return status_of(launch_norm_gradient(x->type, layout_of(*x), x_data, inner_layout, inner,
                                        layout_of(*dx), dx_data, layout_of(*parameters), gradient,
                                        blend_of(handle, alpha, beta, x->type)));
}

}  // extern "C"
