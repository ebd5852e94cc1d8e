// Arguments that functions for recurrent networks have in common.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/dnn/api/descriptors.h"
#include "libraries/dnn/api/recurrent.h"

namespace gridspan::libraries::dnn {

/// Products of sizes are within 64 bits.
inline constexpr int most_size = 1 << 20, most_layers = 1 << 10;

inline size_t weight_bytes(const Network& network) {
  return static_cast<size_t>(network.elements()) * bytes_of(network.type);
}

/// Of memory that a program gives.
inline Check& check_bytes(Check& check, size_t bytes, size_t needed, const char* argument) {
  return check.that(bytes >= needed, argument, CUDNN_STATUS_BAD_PARAM,
                    "is smaller than was asked for");
}

/// Kernels count elements of arrays in ints.
inline bool fits(const Network& n, long long rows) {
  const long long width =
      std::max({1ll * n.input, 1ll * n.gates * n.hidden, 1ll * n.directions * n.output});
  return n.elements() < INT32_MAX - block_threads && rows * width < INT32_MAX - block_threads;
}

/// Training needs the dropout that the network was set to, and its states.
inline Check& check_network_dropout(Check& check, const cudnnRNNStruct& r) {
  if (check.failed() || !r.dropout || r.layers == 1) return check;
  check.live(r.dropout, "dropoutDesc");
  return check.that(check.failed() || r.dropout->share == 0 || r.dropout->states, "dropoutDesc",
                    CUDNN_STATUS_BAD_PARAM, "has no states");
}

/// One that was set by the function of cuDNN 8.
inline Check& check_new_network(Check& check, const cudnnRNNStruct* r) {
  check.live(r, name_of(r));
  return check.that(check.failed() || (r->is_set && !r->is_old), name_of(r), CUDNN_STATUS_BAD_PARAM,
                    "is not set");
}

/// One of cuDNN 7, with the tensor of a step, packed: sequences by input by 1.
inline Check& check_old_network(Check& check, const cudnnRNNStruct* r, const cudnnTensorStruct* x) {
  check.live(r, name_of(r));
  check.that(check.failed() || r->is_set, name_of(r), CUDNN_STATUS_BAD_PARAM, "is not set");
  check.tensor(x, "xDesc");
  check.that(check.failed() || x->dims >= 2, "xDesc", CUDNN_STATUS_BAD_PARAM,
             "has less than two axes");
  if (check.failed()) return check;
  return check.that(r->input_mode == CUDNN_LINEAR_INPUT || x->size[1] == r->hidden, "xDesc",
                    CUDNN_STATUS_BAD_PARAM,
                    "has not hiddenSize elements, and the input is not multiplied");
}
inline Network network_of(cudnnRNNStruct r, const cudnnTensorStruct& x) {
  r.input = x.size[1];
  r.type = x.type;
  return Network(r);
}
inline Check& check_old_weights(Check& check, const Network& network, const cudnnFilterStruct* w,
                                const char* argument) {
  check.set(w, argument);
  if (check.failed()) return check;
  long long count = 1;
  for (int i = 0; i < w->dims; ++i) count *= w->size[i];
  return check.that(w->type == network.type && count >= network.elements(), argument,
                    CUDNN_STATUS_BAD_PARAM, "does not hold the weights");
}

/// States of all pseudo-layers, without gaps. A program that gives none, and asks for none, needs
/// no descriptor.
inline Check& check_states_of(Check& check, const Network& network, int batch, int size,
                              const cudnnTensorStruct* states, const char* argument) {
  check.set(states, argument);
  if (check.failed()) return check;
  const int expected[] = {network.pseudo_layers(), batch, size};
  bool fits = states->type == network.type && states->dims >= 3;
  long long next = 1;
  for (int i = states->dims - 1; fits && i >= 0; --i) {
    fits = states->size[i] == (i < 3 ? expected[i] : 1) &&
           (states->size[i] == 1 || states->stride[i] == next);
    next *= states->size[i];
  }
  return check.that(fits, argument, CUDNN_STATUS_BAD_PARAM,
                    "is not of pseudo-layers, sequences and units, without gaps");
}

}  // namespace gridspan::libraries::dnn
