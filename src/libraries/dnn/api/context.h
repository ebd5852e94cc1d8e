// What handles and descriptors of cuDNN hold, and how calls check them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/dnn/kernels/launches.h"
#include "libraries/support/refusals.h"

#include <cudnn.h>

struct cudnnContext {
  cudaStream_t stream = nullptr;
};
struct cudnnTensorStruct {
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  int dims = 0;  // 0: not set
  int size[CUDNN_DIM_MAX] = {}, stride[CUDNN_DIM_MAX] = {};
};
struct cudnnFilterStruct : cudnnTensorStruct {
  cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW;
};
struct cudnnConvolutionStruct {
  int dims = 0;  // of the window; 0: not set
  int pad[3] = {}, step[3] = {}, dilation[3] = {};
  cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  cudnnReorderType_t reorder = CUDNN_DEFAULT_REORDER;
  int groups = 1;
};
struct cudnnPoolingStruct {
  int dims = 0;
  int size[3] = {}, pad[3] = {}, step[3] = {};
  cudnnPoolingMode_t mode = CUDNN_POOLING_MAX;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};
struct cudnnActivationStruct {
  bool is_set = false;
  cudnnActivationMode_t mode = CUDNN_ACTIVATION_IDENTITY;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  double limit = 0, swish_beta = 1;
};
struct cudnnLRNStruct {
  unsigned count = 5;
  double alpha = 1e-4, beta = 0.75, k = 2;
};
struct cudnnOpTensorStruct {
  bool is_set = false;
  cudnnOpTensorOp_t op = CUDNN_OP_TENSOR_ADD;
  cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
};
struct cudnnReduceTensorStruct {
  bool is_set = false;
  cudnnReduceTensorOp_t op = CUDNN_REDUCE_TENSOR_ADD;
  cudnnDataType_t compute = CUDNN_DATA_FLOAT;
  cudnnNanPropagation_t nan = CUDNN_NOT_PROPAGATE_NAN;
  cudnnReduceTensorIndices_t indices = CUDNN_REDUCE_TENSOR_NO_INDICES;
  cudnnIndicesType_t index_type = CUDNN_32BIT_INDICES;
};
struct cudnnDropoutStruct {
  bool is_set = false;
  float share = 0;         // of elements that become 0
  void* states = nullptr;  // the program's memory; null: none was given
  unsigned long long seed = 0;
};

namespace gridspan::libraries::dnn {

struct Answers {
  using Status = cudnnStatus_t;
  static constexpr Status invalid = CUDNN_STATUS_BAD_PARAM;
  static constexpr Status no_handle = CUDNN_STATUS_NOT_INITIALIZED;
  static constexpr Status unsupported = CUDNN_STATUS_NOT_SUPPORTED;
};

/// Checks of a call's arguments, which have the names of the documentation.
class Check : public ArgumentCheck<Check, Answers> {
 public:
  using ArgumentCheck::ArgumentCheck;

  /// A descriptor that has axes.
  template <typename Descriptor>
  Check& set(const Descriptor* descriptor, const char* argument) {
    live(descriptor, argument);
    return that(failed() || descriptor->dims > 0, argument, CUDNN_STATUS_BAD_PARAM, "is not set");
  }
  /// One that has so many.
  template <typename Descriptor>
  Check& axes(const Descriptor* descriptor, int dims, const char* argument) {
    if (live(descriptor, argument).failed() || descriptor->dims == dims) return *this;
    return same(descriptor->dims, dims, argument, "the function has axes");
  }
  /// A tensor (or filter) that is set, of a type and with so many axes as kernels know.
  template <typename Tensor>
  Check& tensor(const Tensor* tensor, const char* argument) {
    set(tensor, argument);
    if (failed()) return *this;
    const cudnnDataType_t type = tensor->type;
    const bool is_known = type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE ||
                          type == CUDNN_DATA_HALF || type == CUDNN_DATA_BFLOAT16;
    long long count = 1;
    for (int i = 0; i < tensor->dims; ++i) count *= tensor->size[i];
    return that(is_known && tensor->dims <= most_axes && count <= INT32_MAX - block_threads,
                argument, CUDNN_STATUS_NOT_SUPPORTED);
  }
  Check& same_type(const cudnnTensorStruct* a, const cudnnTensorStruct* b, const char* argument) {
    return that(failed() || a->type == b->type, argument);
  }
  Check& same_size(const cudnnTensorStruct* a, const cudnnTensorStruct* b, const char* argument) {
    if (failed()) return *this;
    bool is_same = a->type == b->type && a->dims == b->dims;
    for (int i = 0; is_same && i < a->dims; ++i) is_same = a->size[i] == b->size[i];
    return that(is_same, argument);
  }
};

inline cudnnStatus_t status_of(cudaError_t error) {
  if (error == cudaSuccess) return CUDNN_STATUS_SUCCESS;
  return error == cudaErrorMemoryAllocation ? CUDNN_STATUS_ALLOC_FAILED
                                            : CUDNN_STATUS_EXECUTION_FAILED;
}

/// Fewer than five axes: images, channels, and the last of depth, height and width.
inline int axis_of(int axis, int dims) { return axis < 2 ? axis : axis + most_axes - dims; }

inline Layout layout_of(const cudnnTensorStruct& tensor) {
  Layout layout;
  for (int i = 0; i < tensor.dims; ++i) {
    layout.size[axis_of(i, tensor.dims)] = tensor.size[i];
    layout.stride[axis_of(i, tensor.dims)] = tensor.stride[i];
  }
  return layout;
}

/// Factors are double for elements of double, else float.
inline double number(const void* place, cudnnDataType_t type) {
  return type == CUDNN_DATA_DOUBLE ? *static_cast<const double*>(place)
                                   : *static_cast<const float*>(place);
}
inline Blend blend_of(cudnnHandle_t handle, const void* alpha, const void* beta,
                      cudnnDataType_t type) {
  return {number(alpha, type), number(beta, type), handle->stream};
}

inline Activation activation_of(const cudnnActivationStruct& d) {
  return {d.mode, d.limit, d.swish_beta, d.nan == CUDNN_PROPAGATE_NAN};
}

}  // namespace gridspan::libraries::dnn
