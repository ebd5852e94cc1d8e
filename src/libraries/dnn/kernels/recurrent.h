// The launches that recurrent networks are made of, beside products of matrices: rows of sequences
// in and out, and what follows the products of a step. Elements are float or double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A step has a row for each of its sequences. Sequences are in an order in which none is longer
// than one before it, so that those of a step are the first ones.
#pragma once

#include "libraries/dnn/kernels/tensor.h"

#include <vector>

namespace gridspan::libraries::dnn {

/// Into an array in device memory, by way of kernels' arguments: a graph keeps them.
cudaError_t launch_numbers(const std::vector<int>& numbers, int* to, cudaStream_t stream);

/// Vectors of a program's array: element j of sequence b at step t is [t step + b sequence + j].
struct Vectors {
  int steps = 1, batch = 0, size = 0;
  long long step = 0, sequence = 0;
  // In device memory; null: none. Sequence s of ours is order[s] of the program's, the program's b
  // is place[b] of ours, and has length[s] (of ours) or length[b] steps.
  const int *order = nullptr, *place = nullptr, *length = nullptr;
};
/// Into rows, steps by sequences; zeros where a sequence has ended. T is what elements of the type
/// are computed in.
template <typename T>
cudaError_t launch_take(cudnnDataType_t type, const Vectors& vectors, const void* from, T* rows,
                        cudaStream_t stream);
/// Out of rows; `fill` where a sequence has ended.
template <typename T>
cudaError_t launch_put(cudnnDataType_t type, const Vectors& vectors, const T* rows, double fill,
                       void* to, cudaStream_t stream);

/// One step of one layer in one direction, with its products made.
template <typename T>
struct Step {
  int hidden = 0, batch = 0;
  // W x: gate g of unit j and sequence s is [s input_lead + g input_gate + j].
  const T* input = nullptr;
  int input_lead = 0, input_gate = 0;
  const T* recurrent = nullptr;                              // R h: batch, gates, hidden
  const T *input_bias = nullptr, *recurrent_bias = nullptr;  // gates, hidden
  T* h = nullptr;                                            // batch, hidden: becomes the step's
  T* c = nullptr;                                            // the same, of LSTM
  T* output = nullptr;                                       // h at [s output_lead + j]
  int output_lead = 0;
  // What gradients need, or null: gates after their functions (batch, gates, hidden); of GRU R h
  // with its bias in the third of three; of LSTM, c as it was.
  T *kept_gates = nullptr, *kept_recurrent = nullptr, *kept_c = nullptr;
  cudaStream_t stream = nullptr;
};
template <typename T>
cudaError_t launch_step(cudnnRNNMode_t cell, const Step<T>& step);

/// The gradients of a step.
template <typename T>
struct StepGradient {
  int hidden = 0, batch = 0;
  const T* d_output = nullptr;  // [s output_lead + j]
  int output_lead = 0;
  T* dh = nullptr;  // batch, hidden: of h after the step; becomes GRU's part that goes past gates
  T* dc = nullptr;  // of c after the step; becomes that of c before
  // As a Step left them; become the gradients of W x and (GRU) of R h.
  T *gates = nullptr, *recurrent = nullptr;
  const T *c = nullptr, *h = nullptr;  // before the step
  cudaStream_t stream = nullptr;
};
template <typename T>
cudaError_t launch_step_gradient(cudnnRNNMode_t cell, const StepGradient<T>& step);

/// to[s to_lead + j] = a[s a_lead + j] + b[s b_lead + j]; b may be null.
template <typename T>
struct Rows {
  T* base = nullptr;
  int lead = 0;
};
template <typename T>
cudaError_t launch_add_rows(int rows, int columns, Rows<const T> a, Rows<const T> b, Rows<T> to,
                            cudaStream_t stream);

/// Sums over gates: the gradient of an input that goes into each gate as it is. Added if `adds`.
template <typename T>
cudaError_t launch_sum_gates(int rows, int gates, int hidden, const T* from, bool adds, T* to,
                             cudaStream_t stream);
/// Sums over rows, added to `to`, which may lie next to sums of others.
template <typename T>
cudaError_t launch_sum_rows(int rows, int columns, const T* from, T* to, cudaStream_t stream);

}  // namespace gridspan::libraries::dnn
