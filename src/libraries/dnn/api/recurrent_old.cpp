// cuDNN: recurrent networks by the functions of cuDNN 7, where each step has a descriptor of its
// own, and sequences are packed. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/recurrent_checks.h"
#include "libraries/dnn/api/recurrent_run.h"

namespace gridspan::libraries::dnn {
namespace {

/// Descriptors of steps: `size` elements for each of their sequences, which are not more than
/// those of the step before.
Check& check_steps(Check& check, int steps, const cudnnTensorDescriptor_t* x, int size,
                   cudnnDataType_t type, const char* argument) {
  check.given(x, argument);
  for (int t = 0; !check.failed() && t < steps; ++t) {
    if (check.tensor(x[t], argument).failed()) return check;
    check.that(x[t]->type == type && x[t]->dims >= 2 && x[t]->size[1] == size, argument,
               CUDNN_STATUS_BAD_PARAM, "has a step with another type or size");
    long long next = 1;
    for (int i = x[t]->dims - 1; i >= 0; --i) {
      check.that(check.failed() || ((i < 2 || x[t]->size[i] == 1) &&
                                    (x[t]->size[i] == 1 || x[t]->stride[i] == next)),
                 argument, CUDNN_STATUS_BAD_PARAM, "has a step with gaps");
      next *= x[t]->size[i];
    }
    check.that(check.failed() || t == 0 || x[t]->size[0] <= x[t - 1]->size[0], argument,
               CUDNN_STATUS_BAD_PARAM, "has a step with more sequences than the one before");
  }
  return check;
}

Check& check_same_steps(Check& check, int steps, const cudnnTensorDescriptor_t* x,
                        const cudnnTensorDescriptor_t* y, const char* argument) {
  for (int t = 0; !check.failed() && t < steps; ++t)
    check.that(x[t]->size[0] == y[t]->size[0], argument, CUDNN_STATUS_BAD_PARAM,
               "has not the sequences of xDesc");
  return check;
}

/// The first descriptor tells input and type, the others must fit it.
Check& check_old_call(Check& check, const cudnnRNNStruct* r, int steps,
                      const cudnnTensorDescriptor_t* x) {
  check.at_least(steps, 1, "seqLength").given(x, "xDesc");
  if (check.failed() || check_old_network(check, r, x[0]).failed()) return check;
  const Network network = network_of(*r, *x[0]);
  check_steps(check, steps, x, network.input, network.type, "xDesc");
  if (check.failed()) return check;
  const long long rows = static_cast<long long>(steps) * x[0]->size[0];
  return check.that(fits(network, rows) && x[0]->size[0] < 65536, "xDesc",
                    CUDNN_STATUS_NOT_SUPPORTED, "has too many vectors");
}

Check& check_old_states(Check& check, const Network& network, int batch, const void* data,
                        const cudnnTensorStruct* states, int size, const char* argument) {
  return data ? check_states_of(check, network, batch, size, states, argument) : check;
}

Sequences sequences_of(int steps, const cudnnTensorDescriptor_t* x) {
  std::vector<int> lengths(static_cast<size_t>(x[0]->size[0]));
  for (int t = 0; t < steps; ++t)
    for (int s = 0; s < x[t]->size[0]; ++s) ++lengths[static_cast<size_t>(s)];
  return Sequences(lengths, true);
}

RecurrentCall old_call_of(const Network& network, const Sequences& sequences, cudnnHandle_t handle,
                          const cudnnRNNStruct& r) {
  RecurrentCall call(network, sequences, handle->stream);
  call.most_steps = sequences.steps();
  call.dropout = is_live(r.dropout) ? r.dropout : nullptr;
  return call;
}

/// Forward, for inference without a reserve.
cudnnStatus_t run_old_forward(Check& check, cudnnHandle_t handle, const cudnnRNNStruct* r,
                              int steps, const cudnnTensorDescriptor_t* x, const void* x_data,
                              const cudnnTensorStruct* hx, const void* hx_data,
                              const cudnnTensorStruct* cx, const void* cx_data,
                              const cudnnFilterStruct* w, const void* weights,
                              const cudnnTensorDescriptor_t* y, void* y_data,
                              const cudnnTensorStruct* hy, void* hy_data,
                              const cudnnTensorStruct* cy, void* cy_data, bool trains,
                              void* reserve, size_t reserve_size) {
  if (check_old_call(check, r, steps, x).failed()) return check.status();
  const Network network = network_of(*r, *x[0]);
  const int batch = x[0]->size[0];
  const bool has_c = network.cell == CUDNN_LSTM;
  check_steps(check, steps, y, network.directions * network.output, network.type, "yDesc");
  check_same_steps(check, steps, x, y, "yDesc");
  check_old_states(check, network, batch, hx_data, hx, network.output, "hxDesc");
  check_old_states(check, network, batch, hy_data, hy, network.output, "hyDesc");
  check_old_states(check, network, batch, has_c ? cx_data : nullptr, cx, network.hidden, "cxDesc");
  check_old_states(check, network, batch, has_c ? cy_data : nullptr, cy, network.hidden, "cyDesc");
  check_old_weights(check, network, w, "wDesc");
  check.given(x_data, "x").given(weights, "w").given(y_data, "y");
  if (trains) {
    check.given(reserve, "reserveSpace");
    check_bytes(check, reserve_size, reserve_bytes(network, static_cast<long long>(steps) * batch),
                "reserveSpaceSizeInBytes");
    check_network_dropout(check, *r);
  }
  if (check.failed()) return check.status();
  const Sequences sequences = sequences_of(steps, x);
  RecurrentCall call = old_call_of(network, sequences, handle, *r);
  call.x = x_data;
  call.y = y_data;
  call.hx = hx_data;
  call.hy = hy_data;
  call.cx = cx_data;
  call.cy = cy_data;
  call.weights = weights;
  call.reserve = trains ? reserve : nullptr;
  return status_of(run_forward(call));
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnGetRNNWorkspaceSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                       const int steps, const cudnnTensorDescriptor_t* x,
                                       size_t* bytes) {
  Check check(__func__, handle);
  if (check_old_call(check, r, steps, x).given(bytes, "sizeInBytes").failed())
    return check.status();
  *bytes = 0;
  return CUDNN_STATUS_SUCCESS;
}
cudnnStatus_t cudnnGetRNNTrainingReserveSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                             const int steps, const cudnnTensorDescriptor_t* x,
                                             size_t* bytes) {
  Check check(__func__, handle);
  if (check_old_call(check, r, steps, x).given(bytes, "sizeInBytes").failed())
    return check.status();
  *bytes = reserve_bytes(network_of(*r, *x[0]), static_cast<long long>(steps) * x[0]->size[0]);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnRNNForwardInference(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                       const int steps, const cudnnTensorDescriptor_t* x,
                                       const void* x_data, const cudnnTensorDescriptor_t hx,
                                       const void* hx_data, const cudnnTensorDescriptor_t cx,
                                       const void* cx_data, const cudnnFilterDescriptor_t w,
                                       const void* weights, const cudnnTensorDescriptor_t* y,
                                       void* y_data, const cudnnTensorDescriptor_t hy,
                                       void* hy_data, const cudnnTensorDescriptor_t cy,
                                       void* cy_data, void*, size_t) {
  Check check(__func__, handle);
  return run_old_forward(check, handle, r, steps, x, x_data, hx, hx_data, cx, cx_data, w, weights,
                         y, y_data, hy, hy_data, cy, cy_data, false, nullptr, 0);
}
cudnnStatus_t cudnnRNNForwardTraining(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                      const int steps, const cudnnTensorDescriptor_t* x,
                                      const void* x_data, const cudnnTensorDescriptor_t hx,
                                      const void* hx_data, const cudnnTensorDescriptor_t cx,
                                      const void* cx_data, const cudnnFilterDescriptor_t w,
                                      const void* weights, const cudnnTensorDescriptor_t* y,
                                      void* y_data, const cudnnTensorDescriptor_t hy, void* hy_data,
                                      const cudnnTensorDescriptor_t cy, void* cy_data, void*,
                                      size_t, void* reserve, size_t reserve_size) {
  Check check(__func__, handle);
  return run_old_forward(check, handle, r, steps, x, x_data, hx, hx_data, cx, cx_data, w, weights,
                         y, y_data, hy, hy_data, cy, cy_data, true, reserve, reserve_size);
}

cudnnStatus_t cudnnRNNBackwardData(
    cudnnHandle_t handle, const cudnnRNNDescriptor_t r, const int steps,
    const cudnnTensorDescriptor_t* y, const void*, const cudnnTensorDescriptor_t* dy,
    const void* dy_data, const cudnnTensorDescriptor_t dhy, const void* dhy_data,
    const cudnnTensorDescriptor_t dcy, const void* dcy_data, const cudnnFilterDescriptor_t w,
    const void* weights, const cudnnTensorDescriptor_t, const void*, const cudnnTensorDescriptor_t,
    const void*, const cudnnTensorDescriptor_t* dx, void* dx_data,
    const cudnnTensorDescriptor_t dhx, void* dhx_data, const cudnnTensorDescriptor_t dcx,
    void* dcx_data, void*, size_t, void* reserve, size_t reserve_size) {
  Check check(__func__, handle);
  if (check_old_call(check, r, steps, dx).failed()) return check.status();
  const Network network = network_of(*r, *dx[0]);
  const int batch = dx[0]->size[0], width = network.directions * network.output;
  const bool has_c = network.cell == CUDNN_LSTM;
  check_steps(check, steps, y, width, network.type, "yDesc");
  check_same_steps(check, steps, dx, y, "yDesc");
  check_steps(check, steps, dy, width, network.type, "dyDesc");
  check_same_steps(check, steps, dx, dy, "dyDesc");
  check_old_states(check, network, batch, dhy_data, dhy, network.output, "dhyDesc");
  check_old_states(check, network, batch, dhx_data, dhx, network.output, "dhxDesc");
  check_old_states(check, network, batch, has_c ? dcy_data : nullptr, dcy, network.hidden,
                   "dcyDesc");
  check_old_states(check, network, batch, has_c ? dcx_data : nullptr, dcx, network.hidden,
                   "dcxDesc");
  check_old_weights(check, network, w, "wDesc");
  check.given(dy_data, "dy").given(weights, "w").given(dx_data, "dx");
  check.given(reserve, "reserveSpace");
  check_network_dropout(check, *r);
  check_bytes(check, reserve_size, reserve_bytes(network, static_cast<long long>(steps) * batch),
              "reserveSpaceSizeInBytes");
  if (check.failed()) return check.status();
  const Sequences sequences = sequences_of(steps, dx);
  RecurrentCall call = old_call_of(network, sequences, handle, *r);
  call.dy = dy_data;
  call.dx = dx_data;
  call.dhy = dhy_data;
  call.dhx = dhx_data;
  call.dcy = dcy_data;
  call.dcx = dcx_data;
  call.weights = weights;
  call.reserve = reserve;
  return status_of(run_backward_data(call));
}

cudnnStatus_t cudnnRNNBackwardWeights(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                      const int steps, const cudnnTensorDescriptor_t* x,
                                      const void* x_data, const cudnnTensorDescriptor_t,
                                      const void*, const cudnnTensorDescriptor_t* y, const void*,
                                      const void*, size_t, const cudnnFilterDescriptor_t dw,
                                      void* dw_data, const void* reserve, size_t reserve_size) {
  Check check(__func__, handle);
  if (check_old_call(check, r, steps, x).failed()) return check.status();
  const Network network = network_of(*r, *x[0]);
  const int batch = x[0]->size[0];
  check_steps(check, steps, y, network.directions * network.output, network.type, "yDesc");
  check_same_steps(check, steps, x, y, "yDesc");
  check_old_weights(check, network, dw, "dwDesc");
  check.given(x_data, "x").given(dw_data, "dw").given(reserve, "reserveSpace");
  check_bytes(check, reserve_size, reserve_bytes(network, static_cast<long long>(steps) * batch),
              "reserveSpaceSizeInBytes");
  if (check.failed()) return check.status();
  const Sequences sequences = sequences_of(steps, x);
  RecurrentCall call = old_call_of(network, sequences, handle, *r);
  call.x = x_data;
  call.d_weights = dw_data;
  call.reserve = const_cast<void*>(reserve);  // read only
  return status_of(run_backward_weights(call));
}

}  // extern "C"
