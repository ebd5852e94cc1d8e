// What functions of cuDNN that make, set and ask descriptors share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/dnn/api/context.h"

#include <algorithm>

namespace gridspan::libraries::dnn {

// What the functions call the descriptors.
inline const char* name_of(const cudnnTensorStruct*) { return "tensorDesc"; }
inline const char* name_of(const cudnnFilterStruct*) { return "filterDesc"; }
inline const char* name_of(const cudnnConvolutionStruct*) { return "convDesc"; }
inline const char* name_of(const cudnnPoolingStruct*) { return "poolingDesc"; }
inline const char* name_of(const cudnnActivationStruct*) { return "activationDesc"; }
inline const char* name_of(const cudnnLRNStruct*) { return "normDesc"; }
inline const char* name_of(const cudnnOpTensorStruct*) { return "opTensorDesc"; }
inline const char* name_of(const cudnnReduceTensorStruct*) { return "reduceTensorDesc"; }
inline const char* name_of(const cudnnDropoutStruct*) { return "dropoutDesc"; }
inline const char* name_of(const cudnnRNNStruct*) { return "rnnDesc"; }
inline const char* name_of(const cudnnRNNDataStruct*) { return "rnnDataDesc"; }

/// Checks that begin with a descriptor.
template <typename D>
Check check_descriptor(const D* descriptor, const char* call = __builtin_FUNCTION()) {
  return Check(call).live(descriptor, name_of(descriptor));
}

template <typename D>
cudnnStatus_t create_descriptor(D** descriptor, const char* call = __builtin_FUNCTION()) {
  if (!descriptor) return Check(call).given(nullptr, name_of(static_cast<D*>(nullptr))).status();
  return create_live(descriptor) ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;
}

/// A null pointer is nothing to destroy.
template <typename D>
cudnnStatus_t destroy_descriptor(D* descriptor, const char* call = __builtin_FUNCTION()) {
  if (!descriptor) return CUDNN_STATUS_SUCCESS;
  return live<D>().destroy(descriptor) ? CUDNN_STATUS_SUCCESS
                                       : Check(call).no_object(descriptor, name_of(descriptor));
}

inline size_t bytes_of(cudnnDataType_t type) {
  switch (type) {
    case CUDNN_DATA_DOUBLE:
    case CUDNN_DATA_INT64:
      return 8;
    case CUDNN_DATA_HALF:
    case CUDNN_DATA_BFLOAT16:
      return 2;
    case CUDNN_DATA_INT8:
    case CUDNN_DATA_UINT8:
    case CUDNN_DATA_BOOLEAN:
    case CUDNN_DATA_FP8_E4M3:
    case CUDNN_DATA_FP8_E5M2:
      return 1;
    case CUDNN_DATA_INT8x32:
      return 32;
    default:
      return 4;
  }
}

template <typename T>
void give(T* to, T value) {
  if (to) *to = value;
}
inline void give_all(int* to, const int* from, int count) {
  if (to) std::copy_n(from, count, to);
}

}  // namespace gridspan::libraries::dnn
