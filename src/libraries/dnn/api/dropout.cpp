// cuDNN: dropout. The states are a seed and a count of numbers drawn, the reserve is a byte for
// each element. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/descriptors.h"

namespace gridspan::libraries::dnn {
namespace {

constexpr const char* too_small = "is smaller than was asked for";

Check& check_states(Check& check, const void* states, size_t bytes) {
  return check.that(!states || bytes >= sizeof(DropoutState), "stateSizeInBytes",
                    CUDNN_STATUS_INVALID_VALUE, too_small);
}

bool is_share(float dropout) { return dropout >= 0 && dropout <= 1; }

size_t reserve_of(const cudnnTensorStruct& x) { return static_cast<size_t>(layout_of(x).count()); }

/// Sizes are the same along all axes; strides, too, where x is written over.
Check& check_dropout(Check& check, const cudnnDropoutStruct* d, const cudnnTensorStruct* x,
                     const char* x_name, const void* x_data, const cudnnTensorStruct* y,
                     const char* y_name, const void* y_data, const void* reserve, size_t bytes) {
  check.live(d, name_of(d));
  check.that(check.failed() || d->is_set, name_of(d), CUDNN_STATUS_BAD_PARAM, "is not set");
  check.tensor(x, x_name).tensor(y, y_name).same_size(x, y, y_name);
  check.given(reserve, "reserveSpace");
  if (check.failed()) return check;
  bool is_same_layout = true;
  for (int i = 0; i < x->dims; ++i)
    is_same_layout = is_same_layout && (x->size[i] == 1 || x->stride[i] == y->stride[i]);
  check.that(x_data != y_data || is_same_layout, y_name, CUDNN_STATUS_BAD_PARAM,
             "has other strides in the same place");
  return check.that(bytes >= reserve_of(*x), "reserveSpaceSizeInBytes", CUDNN_STATUS_BAD_PARAM,
                    too_small);
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnCreateDropoutDescriptor(cudnnDropoutDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyDropoutDescriptor(cudnnDropoutDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}

cudnnStatus_t cudnnDropoutGetStatesSize(cudnnHandle_t handle, size_t* bytes) {
  if (const Check check = Check(__func__, handle).given(bytes, "sizeInBytes"); check.failed())
    return check.status();
  *bytes = sizeof(DropoutState);
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnDropoutGetReserveSpaceSize(cudnnTensorDescriptor_t x, size_t* bytes) {
  if (const Check check = Check(__func__).tensor(x, "xdesc").given(bytes, "sizeInBytes");
      check.failed())
    return check.status();
  *bytes = reserve_of(*x);
  return CUDNN_STATUS_SUCCESS;
}

/// Without states, which a program may give later, the share alone is set.
cudnnStatus_t cudnnSetDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t handle,
                                        float dropout, void* states, size_t bytes,
                                        unsigned long long seed) {
  Check check(__func__);
  check.live(d, name_of(d)).live(handle, "handle", CUDNN_STATUS_NOT_INITIALIZED);
  check.that(is_share(dropout), "dropout", CUDNN_STATUS_BAD_PARAM, "is not within 0 and 1");
  if (check_states(check, states, bytes).failed()) return check.status();
  d->is_set = true;
  d->share = dropout;
  if (!states) return CUDNN_STATUS_SUCCESS;
  d->states = states;
  d->seed = seed;
  return status_of(launch_dropout_state(static_cast<DropoutState*>(states), seed, handle->stream));
}
cudnnStatus_t cudnnRestoreDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t handle,
                                            float dropout, void* states, size_t bytes,
                                            unsigned long long seed) {
  Check check(__func__);
  check.live(d, name_of(d)).live(handle, "handle", CUDNN_STATUS_NOT_INITIALIZED);
  check.that(is_share(dropout), "dropout", CUDNN_STATUS_BAD_PARAM, "is not within 0 and 1");
  if (check.given(states, "states").failed() || check_states(check, states, bytes).failed())
    return check.status();
  *d = {true, dropout, states, seed};
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetDropoutDescriptor(cudnnDropoutDescriptor_t d, cudnnHandle_t handle,
                                        float* dropout, void** states, unsigned long long* seed) {
  const Check check =
      Check(__func__).live(d, name_of(d)).live(handle, "handle", CUDNN_STATUS_NOT_INITIALIZED);
  if (check.failed()) return check.status();
  give(dropout, d->share);
  give(states, d->states);
  give(seed, d->seed);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnDropoutForward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t d,
                                  const cudnnTensorDescriptor_t x, const void* x_data,
                                  const cudnnTensorDescriptor_t y, void* y_data, void* reserve,
                                  size_t bytes) {
  Check check(__func__, handle);
  check_dropout(check, d, x, "xdesc", x_data, y, "ydesc", y_data, reserve, bytes);
  check.given(x_data, "x").given(y_data, "y");
  check.that(check.failed() || d->states, name_of(d), CUDNN_STATUS_BAD_PARAM, "has no states");
  if (check.failed()) return check.status();
  return status_of(launch_dropout(x->type, {d->share, handle->stream},
                                  static_cast<DropoutState*>(d->states), layout_of(*x), x_data,
                                  layout_of(*y), y_data, static_cast<unsigned char*>(reserve)));
}
cudnnStatus_t cudnnDropoutBackward(cudnnHandle_t handle, const cudnnDropoutDescriptor_t d,
                                   const cudnnTensorDescriptor_t dy, const void* dy_data,
                                   const cudnnTensorDescriptor_t dx, void* dx_data, void* reserve,
                                   size_t bytes) {
  Check check(__func__, handle);
  check_dropout(check, d, dy, "dydesc", dy_data, dx, "dxdesc", dx_data, reserve, bytes);
  check.given(dy_data, "dy").given(dx_data, "dx");
  if (check.failed()) return check.status();
  return status_of(launch_dropout_gradient(dy->type, {d->share, handle->stream}, layout_of(*dy),
                                           dy_data, layout_of(*dx), dx_data,
                                           static_cast<const unsigned char*>(reserve)));
}

}  // extern "C"
