// Arguments that functions for layers have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/dnn/api/context.h"

namespace gridspan::libraries::dnn {

inline Check& check_numbers(Check& check, const void* alpha, const void* beta) {
  return check.given(alpha, "alpha").given(beta, "beta");
}

inline Check& check_forward(Check& check, const void* alpha, const cudnnTensorStruct* x,
                            const void* x_data, const void* beta, const cudnnTensorStruct* y,
                            const void* y_data) {
  check.tensor(x, "xDesc").tensor(y, "yDesc").given(x_data, "x").given(y_data, "y");
  return check_numbers(check, alpha, beta);
}

inline Check& check_backward(Check& check, const void* alpha, const cudnnTensorStruct* y,
                             const void* y_data, const cudnnTensorStruct* dy, const void* dy_data,
                             const cudnnTensorStruct* x, const void* x_data, const void* beta,
                             const cudnnTensorStruct* dx, const void* dx_data) {
  check.tensor(y, "yDesc").tensor(dy, "dyDesc").tensor(x, "xDesc").tensor(dx, "dxDesc");
  check.same_size(y, dy, "dyDesc").same_size(x, dx, "dxDesc").same_type(x, y, "yDesc");
  check.given(y_data, "y").given(dy_data, "dy").given(x_data, "x").given(dx_data, "dx");
  return check_numbers(check, alpha, beta);
}

/// Parameters of batch normalization: of float, or double with x, and of x's size or 1 along axes.
inline Check& check_parameters(Check& check, cudnnBatchNormMode_t mode, const cudnnTensorStruct* x,
                               const cudnnTensorStruct* parameters, double epsilon) {
  check.tensor(parameters, "bnScaleBiasMeanVarDesc");
  check.that(mode >= CUDNN_BATCHNORM_PER_ACTIVATION && mode <= CUDNN_BATCHNORM_SPATIAL_PERSISTENT,
             "mode");
  check.that(epsilon >= CUDNN_BN_MIN_EPSILON, "epsilon");
  if (check.failed()) return check;
  const auto type = x->type == CUDNN_DATA_DOUBLE ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
  check.that(parameters->type == type && parameters->dims == x->dims && x->dims >= 2,
             "bnScaleBiasMeanVarDesc");
  for (int i = 0; !check.failed() && i < x->dims; ++i) {
    const bool is_own = i == 1 || (i > 1 && mode == CUDNN_BATCHNORM_PER_ACTIVATION);
    check.that(parameters->size[i] == (is_own ? x->size[i] : 1), "bnScaleBiasMeanVarDesc");
  }
  return check;
}

}  // namespace gridspan::libraries::dnn
