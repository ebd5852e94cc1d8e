// What descriptors of recurrent networks hold; where weights lie; which sequences a step has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/dnn/api/context.h"

#include <algorithm>
#include <vector>

struct cudnnRNNStruct {
  bool is_set = false;
  bool is_old = false;  // by the functions of cuDNN 7: input and type come with each call's tensors
  cudnnRNNAlgo_t algorithm = CUDNN_RNN_ALGO_STANDARD;
  cudnnRNNMode_t cell = CUDNN_RNN_RELU;
  cudnnRNNBiasMode_t bias = CUDNN_RNN_DOUBLE_BIAS;
  cudnnDirectionMode_t direction = CUDNN_UNIDIRECTIONAL;
  cudnnRNNInputMode_t input_mode = CUDNN_LINEAR_INPUT;
  cudnnDataType_t type = CUDNN_DATA_FLOAT, math_type = CUDNN_DATA_FLOAT;
  cudnnMathType_t math = CUDNN_DEFAULT_MATH;
  int input = 0, hidden = 0, projected = 0, layers = 0;  // projected is hidden without a projection
  cudnnDropoutDescriptor_t dropout = nullptr;            // null: none
};
struct cudnnRNNDataStruct {
  bool is_set = false;
  cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnRNNDataLayout_t layout = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED;
  int most_steps = 0, batch = 0, size = 0;
  std::vector<int> lengths;
  double fill = 0;  // of what lies behind the end of a sequence
};

namespace gridspan::libraries::dnn {

/// A recurrent network: sizes, and the places of its weights.
//
// A pseudo-layer is a layer in one direction. First come all matrices, pseudo-layer by
// pseudo-layer: those of the input, of h, of the projection; then all biases in the same order. So
// gates that programs ask for one by one lie side by side, as one matrix.
struct Network {
  cudnnRNNMode_t cell;
  cudnnDataType_t type;
  int input, hidden, output, layers, directions, gates;
  bool skips_input, projects, has_input_bias, has_recurrent_bias;

  explicit Network(const cudnnRNNStruct& r)
      : cell(r.cell),
        type(r.type),
        input(r.input),
        hidden(r.hidden),
        output(r.projected),
        layers(r.layers),
        directions(r.direction == CUDNN_BIDIRECTIONAL ? 2 : 1),
        gates(r.cell == CUDNN_LSTM ? 4 : (r.cell == CUDNN_GRU ? 3 : 1)),
        skips_input(r.input_mode == CUDNN_SKIP_INPUT),
        projects(r.projected < r.hidden),
        has_input_bias(r.bias == CUDNN_RNN_SINGLE_INP_BIAS || r.bias == CUDNN_RNN_DOUBLE_BIAS),
        has_recurrent_bias(r.bias == CUDNN_RNN_SINGLE_REC_BIAS || r.bias == CUDNN_RNN_DOUBLE_BIAS) {
  }

  int pseudo_layers() const { return layers * directions; }
  bool is_known(int pseudo_layer) const {
    return pseudo_layer >= 0 && pseudo_layer < pseudo_layers();
  }
  int matrices() const { return 2 * gates + (projects ? 1 : 0); }
  bool has_input_matrix(int pseudo_layer) const {
    return !skips_input || pseudo_layer >= directions;
  }
  int input_of(int pseudo_layer) const {
    return pseudo_layer < directions ? input : directions * output;
  }

  // All in elements, from the first weight.
  long long input_matrix(int pseudo_layer) const {
    return matrices_of(0) * std::min(pseudo_layer, directions) +
           (pseudo_layer > directions ? matrices_of(directions) * (pseudo_layer - directions) : 0);
  }
  long long recurrent_matrix(int pseudo_layer) const {
    return input_matrix(pseudo_layer) + input_elements(pseudo_layer);
  }
  long long projection(int pseudo_layer) const {
    return recurrent_matrix(pseudo_layer) + recurrent_elements();
  }
  long long input_bias(int pseudo_layer) const {
    return input_matrix(pseudo_layers()) + pseudo_layer * biases_of_one();
  }
  long long recurrent_bias(int pseudo_layer) const {
    return input_bias(pseudo_layer) + (has_input_bias ? units() : 0);
  }
  long long elements() const { return input_bias(pseudo_layers()); }

 private:
  long long units() const { return static_cast<long long>(gates) * hidden; }
  long long input_elements(int pseudo_layer) const {
    return has_input_matrix(pseudo_layer) ? units() * input_of(pseudo_layer) : 0;
  }
  long long recurrent_elements() const { return units() * output; }
  long long matrices_of(int pseudo_layer) const {
    return input_elements(pseudo_layer) + recurrent_elements() +
           (projects ? static_cast<long long>(output) * hidden : 0);
  }
  long long biases_of_one() const {
    return units() * ((has_input_bias ? 1 : 0) + (has_recurrent_bias ? 1 : 0));
  }
};

/// Which sequences there are, longest first, and where their vectors lie.
struct Sequences {
  int batch = 0;
  std::vector<int> active;   // of each step: so many, the first ones, have not ended
  std::vector<int> order;    // sequence s of ours is order[s] of the program's
  std::vector<int> lengths;  // the program's
  bool is_packed = false;    // rows have no gaps; else each step has `batch` of them

  /// `lengths` of the program's sequences.
  Sequences(std::vector<int> given, bool packs);
  explicit Sequences(const cudnnRNNDataStruct& data)
      : Sequences(data.lengths, data.layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED) {}

  int steps() const { return static_cast<int>(active.size()); }
  long long first_row(int step) const { return first_rows_[static_cast<std::size_t>(step)]; }
  long long rows() const { return first_rows_.back(); }
  bool has_ends() const { return !active.empty() && active.back() != batch && !is_packed; }
  bool is_ordered() const { return std::is_sorted(order.begin(), order.end()); }

 private:
  std::vector<long long> first_rows_;  // and their number
};

}  // namespace gridspan::libraries::dnn
