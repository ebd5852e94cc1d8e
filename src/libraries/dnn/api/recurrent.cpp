// cuDNN: recurrent networks by the functions of cuDNN 8, forward and backward.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/recurrent_checks.h"
#include "libraries/dnn/api/recurrent_run.h"

namespace gridspan::libraries::dnn {
namespace {

bool is_alike(const cudnnRNNDataStruct& a, const cudnnRNNDataStruct& b) {
  return a.type == b.type && a.layout == b.layout && a.most_steps == b.most_steps &&
         a.batch == b.batch && a.lengths == b.lengths;
}

long long most_rows(const cudnnRNNDataStruct& x) {
  return static_cast<long long>(x.most_steps) * x.batch;
}

Check& check_vectors(Check& check, const Network& network, const cudnnRNNDataStruct* x,
                     const char* argument) {
  check.live(x, argument);
  check.that(check.failed() || x->is_set, argument, CUDNN_STATUS_BAD_PARAM, "is not set");
  if (check.failed()) return check;
  check.that(x->type == network.type, argument, CUDNN_STATUS_BAD_PARAM,
             "has not the network's type");
  return check.that(fits(network, most_rows(*x)) && x->most_steps < 65536 && x->batch < 65536,
                    argument, CUDNN_STATUS_NOT_SUPPORTED, "has too many vectors");
}

/// Of a network that is checked: inputs, outputs, states.
Check& check_call(Check& check, const Network& network, const cudnnRNNDataStruct* x,
                  const cudnnRNNDataStruct* y, const cudnnTensorStruct* h, bool has_h,
                  const cudnnTensorStruct* c, bool has_c) {
  check_vectors(check, network, x, "xDesc");
  check_vectors(check, network, y, "yDesc");
  if (check.failed()) return check;
  check.same(x->size, network.input, "xDesc", "the network's inputSize");
  check.same(y->size, network.directions * network.output, "yDesc", "the network has outputs");
  check.that(is_alike(*x, *y), "yDesc", CUDNN_STATUS_BAD_PARAM, "has not the sequences of xDesc");
  if (check.failed()) return check;
  if (has_h) check_states_of(check, network, x->batch, network.output, h, "hDesc");
  if (has_c && network.cell == CUDNN_LSTM)
    check_states_of(check, network, x->batch, network.hidden, c, "cDesc");
  return check;
}

Check& check_reserve(Check& check, const Network& network, const cudnnRNNDataStruct* x,
                     const void* reserve, size_t bytes) {
  check.given(reserve, "reserveSpace");
  if (check.failed()) return check;
  return check_bytes(check, bytes, reserve_bytes(network, most_rows(*x)), "reserveSpaceSize");
}

RecurrentCall call_of(const Network& network, const Sequences& sequences, cudnnHandle_t handle,
                      const cudnnRNNStruct& r, const cudnnRNNDataStruct& y) {
  RecurrentCall call(network, sequences, handle->stream);
  call.most_steps = y.most_steps;
  call.is_batch_major = y.layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED;
  call.fill = y.fill;
  call.dropout = is_live(r.dropout) ? r.dropout : nullptr;
  return call;
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

/// Memory that a call needs for itself comes from the stream's pool.
cudnnStatus_t cudnnGetRNNTempSpaceSizes(cudnnHandle_t handle, cudnnRNNDescriptor_t r,
                                        cudnnForwardMode_t mode, cudnnRNNDataDescriptor_t x,
                                        size_t* work_bytes, size_t* bytes) {
  Check check(__func__, handle);
  check_new_network(check, r);
  check.known(mode == CUDNN_FWD_MODE_INFERENCE || mode == CUDNN_FWD_MODE_TRAINING, mode, "fwdMode");
  if (check.failed()) return check.status();
  const Network network(*r);
  if (check_vectors(check, network, x, "xDesc").failed()) return check.status();
  give<size_t>(work_bytes, 0);
  give<size_t>(bytes, mode == CUDNN_FWD_MODE_TRAINING ? reserve_bytes(network, most_rows(*x)) : 0);
  return CUDNN_STATUS_SUCCESS;
}

/// How long sequences are is known from the descriptors: the copy in device memory is not read.
cudnnStatus_t cudnnRNNForward(cudnnHandle_t handle, cudnnRNNDescriptor_t r, cudnnForwardMode_t mode,
                              const int32_t[], cudnnRNNDataDescriptor_t x, const void* x_data,
                              cudnnRNNDataDescriptor_t y, void* y_data, cudnnTensorDescriptor_t h,
                              const void* hx, void* hy, cudnnTensorDescriptor_t c, const void* cx,
                              void* cy, size_t weight_size, const void* weights, size_t, void*,
                              size_t reserve_size, void* reserve) {
  Check check(__func__, handle);
  check_new_network(check, r);
  check.known(mode == CUDNN_FWD_MODE_INFERENCE || mode == CUDNN_FWD_MODE_TRAINING, mode, "fwdMode");
  if (check.failed()) return check.status();
  const Network network(*r);
  check_call(check, network, x, y, h, hx || hy, c, cx || cy);
  check.given(x_data, "x").given(y_data, "y").given(weights, "weightSpace");
  check_bytes(check, weight_size, weight_bytes(network), "weightSpaceSize");
  const bool trains = mode == CUDNN_FWD_MODE_TRAINING;
  if (trains) {
    check_reserve(check, network, x, reserve, reserve_size);
    check_network_dropout(check, *r);
  }
  if (check.failed()) return check.status();
  const Sequences sequences(*x);
  RecurrentCall call = call_of(network, sequences, handle, *r, *y);
  call.x = x_data;
  call.y = y_data;
  call.hx = hx;
  call.hy = hy;
  call.cx = cx;
  call.cy = cy;
  call.weights = weights;
  call.reserve = trains ? reserve : nullptr;
  return status_of(run_forward(call));
}

cudnnStatus_t cudnnRNNBackwardData_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t r, const int32_t[],
                                      cudnnRNNDataDescriptor_t y, const void*, const void* dy,
                                      cudnnRNNDataDescriptor_t x, void* dx,
                                      cudnnTensorDescriptor_t h, const void* hx, const void* dhy,
                                      void* dhx, cudnnTensorDescriptor_t c, const void* cx,
                                      const void* dcy, void* dcx, size_t weight_size,
                                      const void* weights, size_t, void*, size_t reserve_size,
                                      void* reserve) {
  Check check(__func__, handle);
  if (check_new_network(check, r).failed()) return check.status();
  const Network network(*r);
  check_call(check, network, x, y, h, hx || dhy || dhx, c, cx || dcy || dcx);
  check.given(dy, "dy").given(dx, "dx").given(weights, "weightSpace");
  check_bytes(check, weight_size, weight_bytes(network), "weightSpaceSize");
  check_reserve(check, network, x, reserve, reserve_size);
  check_network_dropout(check, *r);
  if (check.failed()) return check.status();
  const Sequences sequences(*x);
  RecurrentCall call = call_of(network, sequences, handle, *r, *x);
  call.dy = dy;
  call.dx = dx;
  call.dhy = dhy;
  call.dhx = dhx;
  call.dcy = dcy;
  call.dcx = dcx;
  call.weights = weights;
  call.reserve = reserve;
  return status_of(run_backward_data(call));
}

cudnnStatus_t cudnnRNNBackwardWeights_v8(cudnnHandle_t handle, cudnnRNNDescriptor_t r,
                                         cudnnWgradMode_t mode, const int32_t[],
                                         cudnnRNNDataDescriptor_t x, const void* x_data,
                                         cudnnTensorDescriptor_t h, const void* hx,
                                         cudnnRNNDataDescriptor_t y, const void*,
                                         size_t weight_size, void* d_weights, size_t, void*,
                                         size_t reserve_size, void* reserve) {
  Check check(__func__, handle);
  check_new_network(check, r);
  check.known(mode == CUDNN_WGRAD_MODE_ADD || mode == CUDNN_WGRAD_MODE_SET, mode, "addGrad");
  if (check.failed()) return check.status();
  const Network network(*r);
  check_call(check, network, x, y, h, hx != nullptr, nullptr, false);
  check.given(x_data, "x").given(d_weights, "dweightSpace");
  check_bytes(check, weight_size, weight_bytes(network), "weightSpaceSize");
  check_reserve(check, network, x, reserve, reserve_size);
  if (check.failed()) return check.status();
  const Sequences sequences(*x);
  RecurrentCall call = call_of(network, sequences, handle, *r, *x);
  call.x = x_data;
  call.d_weights = d_weights;
  call.adds = mode == CUDNN_WGRAD_MODE_ADD;
  call.reserve = reserve;
  return status_of(run_backward_weights(call));
}

}  // extern "C"
