// cuDNN: descriptors of recurrent networks and their sequences, and where weights lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/recurrent_checks.h"

namespace gridspan::libraries::dnn {
namespace {

bool is_recurrent_type(cudnnDataType_t type) {
  return type == CUDNN_DATA_FLOAT || type == CUDNN_DATA_DOUBLE || type == CUDNN_DATA_HALF ||
         type == CUDNN_DATA_BFLOAT16;
}

Check& check_network(Check& check, const cudnnRNNStruct& r, const char* directions,
                     const char* type) {
  check.known(r.algorithm >= CUDNN_RNN_ALGO_STANDARD && r.algorithm < CUDNN_RNN_ALGO_COUNT,
              r.algorithm, "algo");
  check.known(r.cell >= CUDNN_RNN_RELU && r.cell <= CUDNN_GRU, r.cell, "cellMode");
  check.known(r.bias >= CUDNN_RNN_NO_BIAS && r.bias <= CUDNN_RNN_SINGLE_REC_BIAS, r.bias,
              "biasMode");
  check.known(r.direction == CUDNN_UNIDIRECTIONAL || r.direction == CUDNN_BIDIRECTIONAL,
              r.direction, directions);
  check.known(r.input_mode == CUDNN_LINEAR_INPUT || r.input_mode == CUDNN_SKIP_INPUT, r.input_mode,
              "inputMode");
  check.that(is_recurrent_type(r.math_type), type, CUDNN_STATUS_NOT_SUPPORTED);
  check.at_least(r.hidden, 1, "hiddenSize").at_least(r.layers, 1, "numLayers");
  check.that(check.failed() || (r.hidden < most_size && r.input < most_size), "hiddenSize",
             CUDNN_STATUS_NOT_SUPPORTED, "or the input's is too large");
  check.that(check.failed() || r.layers < most_layers, "numLayers", CUDNN_STATUS_NOT_SUPPORTED,
             "is too large");
  if (!check.failed() && r.dropout) {
    check.live(r.dropout, "dropoutDesc");
    check.that(check.failed() || r.dropout->is_set, "dropoutDesc", CUDNN_STATUS_BAD_PARAM,
               "is not set");
  }
  return check;
}

/// The number that lies at a place, of an element's type.
double fill_of(const void* place, cudnnDataType_t type) {
  if (!place) return 0;
  if (type == CUDNN_DATA_HALF) return static_cast<float>(*static_cast<const __half*>(place));
  if (type == CUDNN_DATA_BFLOAT16)
    return static_cast<float>(*static_cast<const __nv_bfloat16*>(place));
  return number(place, type);
}

/// A matrix or a vector among weights; `rows` of 0: it does not exist.
struct Part {
  long long first = 0;
  int rows = 0, columns = 0;
};
Part matrix_of(const Network& n, int pseudo_layer, int id) {
  if (id == 2 * n.gates)
    return n.projects ? Part{n.projection(pseudo_layer), n.output, n.hidden} : Part();
  const bool is_input = id < n.gates;
  if (is_input && !n.has_input_matrix(pseudo_layer)) return {};
  const int columns = is_input ? n.input_of(pseudo_layer) : n.output;
  const long long first =
      is_input ? n.input_matrix(pseudo_layer) : n.recurrent_matrix(pseudo_layer);
  return {first + static_cast<long long>(id % n.gates) * n.hidden * columns, n.hidden, columns};
}
Part bias_of(const Network& n, int pseudo_layer, int id) {
  const bool is_input = id < n.gates;
  if (id == 2 * n.gates || !(is_input ? n.has_input_bias : n.has_recurrent_bias)) return {};
  const long long first = is_input ? n.input_bias(pseudo_layer) : n.recurrent_bias(pseudo_layer);
  return {first + static_cast<long long>(id % n.gates) * n.hidden, n.hidden, 1};
}

/// 1, rows, columns; without axes if it does not exist.
void describe(cudnnTensorStruct& t, cudnnDataType_t type, const Part& part) {
  const int size[] = {1, part.rows, part.columns},
            stride[] = {part.rows * part.columns, part.columns, 1};
  t.type = type;
  t.dims = part.rows ? 3 : 0;
  std::copy_n(size, t.dims, t.size);
  std::copy_n(stride, t.dims, t.stride);
}
void* place_of(const void* weights, cudnnDataType_t type, const Part& part) {
  if (!part.rows) return nullptr;
  // As cuDNN gives it: what the program may write to.
  return static_cast<char*>(const_cast<void*>(weights)) +
         static_cast<size_t>(part.first) * bytes_of(type);
}

/// LSTM's projection is asked for by its number also where there is none.
Check& check_part(Check& check, const Network& n, int pseudo_layer, int id) {
  check.known(n.is_known(pseudo_layer), pseudo_layer, "pseudoLayer");
  const int most = 2 * n.gates + (n.cell == CUDNN_LSTM ? 1 : 0);
  return check.known(id >= 0 && id < most, id, "linLayerID");
}

/// Of a function of cuDNN 7.
cudnnStatus_t give_old_part(Check& check, const cudnnRNNStruct* r, int pseudo_layer,
                            const cudnnTensorStruct* x, const cudnnFilterStruct* w,
                            const void* weights, int id, cudnnFilterStruct* descriptor,
                            const char* descriptor_name, void** place, const char* place_name,
                            Part (*part_of)(const Network&, int, int)) {
  check_old_network(check, r, x);
  if (check.failed()) return check.status();
  const Network network = network_of(*r, *x);
  check_old_weights(check, network, w, "wDesc");
  check_part(check, network, pseudo_layer, id);
  check.live(descriptor, descriptor_name).given(place, place_name);
  if (check.failed()) return check.status();
  const Part part = part_of(network, pseudo_layer, id);
  describe(*descriptor, network.type, part);
  descriptor->format = CUDNN_TENSOR_NCHW;
  *place = place_of(weights, network.type, part);
  return CUDNN_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::dnn

using namespace gridspan::libraries;       // NOLINT(google-build-using-namespace): the C functions
using namespace gridspan::libraries::dnn;  // NOLINT(google-build-using-namespace)

extern "C" {

cudnnStatus_t cudnnCreateRNNDescriptor(cudnnRNNDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyRNNDescriptor(cudnnRNNDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}
cudnnStatus_t cudnnCreateRNNDataDescriptor(cudnnRNNDataDescriptor_t* descriptor) {
  return create_descriptor(descriptor);
}
cudnnStatus_t cudnnDestroyRNNDataDescriptor(cudnnRNNDataDescriptor_t descriptor) {
  return destroy_descriptor(descriptor);
}

/// All algorithms are one. Where vectors of a program lie is told by their descriptors, so that
/// the flag for padded ones changes nothing.
cudnnStatus_t cudnnSetRNNDescriptor_v8(cudnnRNNDescriptor_t r, cudnnRNNAlgo_t algorithm,
                                       cudnnRNNMode_t cell, cudnnRNNBiasMode_t bias,
                                       cudnnDirectionMode_t direction, cudnnRNNInputMode_t input,
                                       cudnnDataType_t type, cudnnDataType_t math_type,
                                       cudnnMathType_t math, int32_t input_size,
                                       int32_t hidden_size, int32_t projected_size, int32_t layers,
                                       cudnnDropoutDescriptor_t dropout, uint32_t flags) {
  Check check(__func__);
  if (check.live(r, name_of(r)).failed()) return check.status();
  cudnnRNNStruct to{true,
                    false,
                    algorithm,
                    cell,
                    bias,
                    direction,
                    input,
                    type,
                    math_type,
                    math,
                    input_size,
                    hidden_size,
                    projected_size ? projected_size : hidden_size,
                    layers,
                    dropout};
  check_network(check, to, "dirMode", "mathPrec");
  check.that(is_recurrent_type(type), "dataType", CUDNN_STATUS_NOT_SUPPORTED);
  check.known(math >= CUDNN_DEFAULT_MATH && math <= CUDNN_FMA_MATH, math, "mathType");
  check.at_least(input_size, 1, "inputSize").size(projected_size, "projSize");
  check.that(to.projected <= hidden_size, "projSize", CUDNN_STATUS_BAD_PARAM,
             "is more than hiddenSize");
  check.that(to.projected == hidden_size || cell == CUDNN_LSTM, "projSize",
             CUDNN_STATUS_NOT_SUPPORTED);
  check.that(input == CUDNN_LINEAR_INPUT || input_size == hidden_size, "inputSize",
             CUDNN_STATUS_BAD_PARAM, "is not hiddenSize, and the input is not multiplied");
  check.known((flags & ~1u) == 0, flags, "auxFlags");
  if (check.failed()) return check.status();
  *r = to;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNDescriptor_v6(cudnnHandle_t handle, cudnnRNNDescriptor_t r,
                                       const int hidden_size, const int layers,
                                       cudnnDropoutDescriptor_t dropout, cudnnRNNInputMode_t input,
                                       cudnnDirectionMode_t direction, cudnnRNNMode_t cell,
                                       cudnnRNNAlgo_t algorithm, cudnnDataType_t math_type) {
  Check check(__func__, handle);
  if (check.live(r, name_of(r)).failed()) return check.status();
  cudnnRNNStruct to;
  to.is_set = to.is_old = true;
  to.algorithm = algorithm;
  to.cell = cell;
  to.direction = direction;
  to.input_mode = input;
  to.math_type = math_type;
  to.hidden = to.projected = hidden_size;
  to.layers = layers;
  to.dropout = dropout;
  if (check_network(check, to, "direction", "mathPrec").failed()) return check.status();
  *r = to;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNMatrixMathType(cudnnRNNDescriptor_t r, cudnnMathType_t math) {
  Check check(__func__);
  check.live(r, name_of(r));
  check.known(math >= CUDNN_DEFAULT_MATH && math <= CUDNN_FMA_MATH, math, "mType");
  if (check.failed()) return check.status();
  r->math = math;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetRNNDataDescriptor(cudnnRNNDataDescriptor_t d, cudnnDataType_t type,
                                        cudnnRNNDataLayout_t layout, int most_steps, int batch,
                                        int size, const int lengths[], void* fill) {
  Check check(__func__);
  check.live(d, name_of(d));
  check.that(is_recurrent_type(type), "dataType", CUDNN_STATUS_NOT_SUPPORTED);
  check.known(layout >= CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED &&
                  layout <= CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED,
              layout, "layout");
  check.at_least(most_steps, 1, "maxSeqLength").at_least(batch, 1, "batchSize");
  check.at_least(size, 1, "vectorSize").given(lengths, "seqLengthArray");
  for (int i = 0; !check.failed() && i < batch; ++i) {
    check.size(lengths[i], "seqLengthArray");
    check.that(lengths[i] <= most_steps, "seqLengthArray", CUDNN_STATUS_BAD_PARAM,
               "has more steps than maxSeqLength");
    check.that(
        layout != CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED || i == 0 || lengths[i] <= lengths[i - 1],
        "seqLengthArray", CUDNN_STATUS_BAD_PARAM,
        "has a sequence longer than one before it, and is packed");
  }
  if (check.failed()) return check.status();
  *d = {
      true, type, layout, most_steps, batch, size, {lengths, lengths + batch}, fill_of(fill, type)};
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightSpaceSize(cudnnHandle_t handle, cudnnRNNDescriptor_t r,
                                         size_t* bytes) {
  Check check(__func__, handle);
  if (check_new_network(check, r).given(bytes, "weightSpaceSize").failed()) return check.status();
  *bytes = weight_bytes(Network(*r));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNWeightParams(cudnnHandle_t handle, cudnnRNNDescriptor_t r,
                                      int32_t pseudo_layer, size_t bytes, const void* weights,
                                      int32_t id, cudnnTensorDescriptor_t matrix, void** matrix_to,
                                      cudnnTensorDescriptor_t bias, void** bias_to) {
  Check check(__func__, handle);
  if (check_new_network(check, r).failed()) return check.status();
  const Network network(*r);
  check_part(check, network, pseudo_layer, id);
  check_bytes(check, bytes, weight_bytes(network), "weightSpaceSize");
  check.live(matrix, "mDesc").given(matrix_to, "mAddr");
  check.live(bias, "bDesc").given(bias_to, "bAddr");
  if (check.failed()) return check.status();
  const Part of_matrix = matrix_of(network, pseudo_layer, id),
             of_bias = bias_of(network, pseudo_layer, id);
  describe(*matrix, network.type, of_matrix);
  describe(*bias, network.type, of_bias);
  *matrix_to = place_of(weights, network.type, of_matrix);
  *bias_to = place_of(weights, network.type, of_bias);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNParamsSize(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                    const cudnnTensorDescriptor_t x, size_t* bytes,
                                    cudnnDataType_t type) {
  Check check(__func__, handle);
  if (check_old_network(check, r, x).given(bytes, "sizeInBytes").failed()) return check.status();
  check.that(type == x->type, "dataType", CUDNN_STATUS_BAD_PARAM, "is not that of xDesc");
  if (check.failed()) return check.status();
  *bytes = weight_bytes(network_of(*r, *x));
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetRNNLinLayerMatrixParams(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                              const int pseudo_layer,
                                              const cudnnTensorDescriptor_t x,
                                              const cudnnFilterDescriptor_t w, const void* weights,
                                              const int id, cudnnFilterDescriptor_t descriptor,
                                              void** place) {
  Check check(__func__, handle);
  return give_old_part(check, r, pseudo_layer, x, w, weights, id, descriptor, "linLayerMatDesc",
                       place, "linLayerMat", matrix_of);
}
cudnnStatus_t cudnnGetRNNLinLayerBiasParams(cudnnHandle_t handle, const cudnnRNNDescriptor_t r,
                                            const int pseudo_layer, const cudnnTensorDescriptor_t x,
                                            const cudnnFilterDescriptor_t w, const void* weights,
                                            const int id, cudnnFilterDescriptor_t descriptor,
                                            void** place) {
  Check check(__func__, handle);
  return give_old_part(check, r, pseudo_layer, x, w, weights, id, descriptor, "linLayerBiasDesc",
                       place, "linLayerBias", bias_of);
}

}  // extern "C"
