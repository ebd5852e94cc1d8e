// A recurrent network from its inputs to its outputs and back, as launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Half precision and bfloat16 are computed in float: inputs and weights are converted first,
// outputs last. What is kept for gradients is of the type that is computed in.
#pragma once

#include "libraries/blas/kernels/gemm.h"
#include "libraries/dnn/api/descriptors.h"
#include "libraries/dnn/api/recurrent.h"
#include "libraries/dnn/kernels/recurrent.h"

#include <vector>

namespace gridspan::libraries::dnn {

/// The arrays of a call. Those of states may be null: zeros, or not asked for.
struct RecurrentCall {
  RecurrentCall(const Network& of, const Sequences& with, cudaStream_t on)
      : network(of), sequences(with), stream(on) {}

  const Network& network;
  const Sequences& sequences;
  cudaStream_t stream;
  // Of the program's arrays, where they are not packed.
  int most_steps = 0;
  bool is_batch_major = false;
  double fill = 0;
  const void *x = nullptr, *hx = nullptr, *cx = nullptr, *weights = nullptr;
  void *y = nullptr, *hy = nullptr, *cy = nullptr;
  // Gradients.
  const void *dy = nullptr, *dhy = nullptr, *dcy = nullptr;
  void *dx = nullptr, *dhx = nullptr, *dcx = nullptr, *d_weights = nullptr;
  bool adds = true;  // to d_weights
  // Of training.
  void* reserve = nullptr;
  const cudnnDropoutStruct* dropout = nullptr;
};

cudaError_t run_forward(const RecurrentCall& call);
/// After run_forward with the same reserve, which afterwards holds gradients of gates.
cudaError_t run_backward_data(const RecurrentCall& call);
/// After run_backward_data.
cudaError_t run_backward_weights(const RecurrentCall& call);
/// `rows` is the most that a call may have.
std::size_t reserve_bytes(const Network& network, long long rows);

/// What training keeps of a pseudo-layer, for each row; then gradients in the same places.
template <typename T>
struct Kept {
  T *gates = nullptr, *recurrent = nullptr;  // one array but for GRU
  T *c = nullptr, *h = nullptr;              // before the step; c of LSTM only
  T *inner = nullptr, *d_outer = nullptr;    // with a projection: what it is given; its gradient
};
/// Places in the reserve.
template <typename T>
class Reserve {
 public:
  Reserve(const Network& network, long long rows, void* base);

  const Kept<T>& of(int pseudo_layer) const {
    return kept_[static_cast<std::size_t>(pseudo_layer)];
  }
  /// Of a layer that is not the last, after dropout.
  T* output(int layer) const { return outputs_[static_cast<std::size_t>(layer)]; }
  unsigned char* mask(int layer) const { return masks_[static_cast<std::size_t>(layer)]; }
  std::size_t bytes() const { return bytes_; }

 private:
  std::vector<Kept<T>> kept_;
  std::vector<T*> outputs_;
  std::vector<unsigned char*> masks_;
  std::size_t bytes_ = 0;
};

/// Arrays of the stream's pool, for as long as the launches of a call need them. After an error
/// they are null, and nothing is launched.
class Pieces {
 public:
  explicit Pieces(cudaStream_t stream) : stream_(stream) {}
  Pieces(const Pieces&) = delete;
  Pieces& operator=(const Pieces&) = delete;
  ~Pieces() {
    for (void* const place : places_) cudaFreeAsync(place, stream_);
  }
  template <typename T>
  T* take(long long count) {
    void* place = nullptr;
    if (error_ == cudaSuccess && count > 0)
      error_ = cudaMallocAsync(&place, static_cast<std::size_t>(count) * sizeof(T), stream_);
    if (place) places_.push_back(place);
    return static_cast<T*>(place);
  }
  template <typename T>
  T* take_zeros(long long count) {
    T* const place = take<T>(count);
    if (place)
      note(cudaMemsetAsync(place, 0, static_cast<std::size_t>(count) * sizeof(T), stream_));
    return place;
  }
  /// The first error stays.
  bool note(cudaError_t error) {
    if (error_ == cudaSuccess) error_ = error;
    return is_right();
  }
  bool is_right() const { return error_ == cudaSuccess; }
  cudaError_t error() const { return error_; }

 private:
  cudaStream_t stream_;
  std::vector<void*> places_;
  cudaError_t error_ = cudaSuccess;
};

/// Element (i, j) is base[i row + j column].
template <typename T>
struct Matrix {
  const T* base;
  long long row, column;
};
/// C (columns by columns) = A B, or C + A B.
template <typename T>
cudaError_t multiply(long long m, long long n, long long k, const Matrix<T>& a, const Matrix<T>& b,
                     T* c, long long c_column, bool adds, cudaStream_t stream) {
  if (m == 0 || n == 0) return cudaSuccess;
  blas::Gemm<T, T, T, T> g;
  g.m = m;
  g.n = n;
  g.k = k;
  g.alpha.value = 1;
  g.beta.value = adds ? 1 : 0;
  g.stream = stream;
  g.a.base = a.base, g.a.row = a.row, g.a.column = a.column;
  g.b.base = b.base, g.b.row = b.row, g.b.column = b.column;
  g.c.base = c, g.c.row = 1, g.c.column = c_column;
  return blas::launch(g);
}

/// What the three runs have in common: vectors in and out of the program's arrays.
template <typename T>
class RecurrentRun {
 public:
  explicit RecurrentRun(const RecurrentCall& of)
      : call(of), net(of.network), seq(of.sequences), stream(of.stream), pieces(of.stream) {
    const bool is_ordered = seq.is_ordered(), has_ends = seq.has_ends();
    if (!is_ordered) {
      std::vector<int> place(seq.order.size());
      for (int s = 0; s < seq.batch; ++s) place[at(seq.order, s)] = s;
      order_ = numbers(seq.order);
      place_ = numbers(place);
    }
    if (has_ends) {
      std::vector<int> sorted(seq.lengths.size());
      for (int s = 0; s < seq.batch; ++s) sorted[at(s)] = seq.lengths[at(seq.order, s)];
      sorted_lengths_ = numbers(sorted);
    }
    if (has_ends || call.most_steps > seq.steps()) lengths_ = numbers(seq.lengths);
  }

  T* array(long long count) { return pieces.take<T>(count); }
  T* zeros(long long count) { return pieces.take_zeros<T>(count); }

  /// Rows of the program's vectors. `is_clean`: with zeros where sequences have ended.
  const T* take_rows(const void* from, int size, bool is_clean) {
    if (is_own_type() &&
        (seq.is_packed || (!call.is_batch_major && !order_ && !(is_clean && sorted_lengths_))))
      return static_cast<const T*>(from);
    T* const rows = pieces.take<T>(seq.rows() * size);
    if (!pieces.is_right()) return nullptr;
    pieces.note(
        launch_take(net.type, vectors(size, seq.steps(), sorted_lengths_), from, rows, stream));
    return rows;
  }
  /// Where rows are to be computed, of which `put_rows` makes the program's vectors.
  T* rows_for(void* to, int size) {
    return is_direct() ? static_cast<T*>(to) : pieces.take<T>(seq.rows() * size);
  }
  void put_rows(const T* rows, int size, double fill, void* to) {
    if (is_direct() || !pieces.is_right()) return;
    const Vectors v = vectors(size, call.most_steps, lengths_);
    pieces.note(launch_put(net.type, v, rows, fill, to, stream));
  }

  /// A pseudo-layer's part of the program's states, in our order; zeros for none.
  void take_state(const void* from, int pseudo_layer, int size, T* state) {
    if (!pieces.is_right()) return;
    const long long count = static_cast<long long>(seq.batch) * size;
    pieces.note(
        from ? launch_take(net.type, state_vectors(size),
                           static_cast<const char*>(from) +
                               static_cast<std::size_t>(pseudo_layer * count) * bytes_of(net.type),
                           state, stream)
             : cudaMemsetAsync(state, 0, static_cast<std::size_t>(count) * sizeof(T), stream));
  }
  void put_state(const T* state, int pseudo_layer, int size, void* to) {
    if (!to || !pieces.is_right()) return;
    const long long count = static_cast<long long>(seq.batch) * size;
    pieces.note(launch_put(net.type, state_vectors(size), state, 0,
                           static_cast<char*>(to) +
                               static_cast<std::size_t>(pseudo_layer * count) * bytes_of(net.type),
                           stream));
  }

  /// An array of the program without structure, as T.
  const T* take_flat(const void* from, long long count) {
    if (is_own_type()) return static_cast<const T*>(from);
    T* const to = pieces.take<T>(count);
    copy_flat(from, count, to);
    return to;
  }
  void copy_flat(const void* from, long long count, T* to) {
    if (pieces.is_right()) pieces.note(launch_take(net.type, flat(count), from, to, stream));
  }
  void put_flat(const T* from, long long count, void* to) {
    if (!is_own_type() && pieces.is_right())
      pieces.note(launch_put(net.type, flat(count), from, 0, to, stream));
  }
  bool is_own_type() const {
    return net.type == (sizeof(T) == 8 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT);
  }

  const RecurrentCall& call;
  const Network& net;
  const Sequences& seq;
  cudaStream_t stream;
  Pieces pieces;

 private:
  static std::size_t at(int i) { return static_cast<std::size_t>(i); }
  static std::size_t at(const std::vector<int>& in, int i) { return at(in[at(i)]); }
  const int* numbers(const std::vector<int>& values) {
    int* const to = pieces.take<int>(static_cast<long long>(values.size()));
    if (to) pieces.note(launch_numbers(values, to, stream));
    return to;
  }
  /// The program's vectors are the rows.
  bool is_direct() const {
    return is_own_type() && (seq.is_packed || (!call.is_batch_major && !order_ && !lengths_));
  }
  Vectors vectors(int size, int steps, const int* lengths) const {
    if (seq.is_packed) return flat(seq.rows() * size);
    Vectors v;
    v.steps = steps;
    v.batch = seq.batch;
    v.size = size;
    v.step = call.is_batch_major ? size : static_cast<long long>(seq.batch) * size;
    v.sequence = call.is_batch_major ? static_cast<long long>(call.most_steps) * size : size;
    v.order = order_;
    v.place = place_;
    v.length = lengths;
    return v;
  }
  Vectors state_vectors(int size) const {
    Vectors v;
    v.batch = seq.batch;
    v.size = size;
    v.sequence = size;
    v.order = order_;
    v.place = place_;
    return v;
  }
  static Vectors flat(long long count) {
    Vectors v;
    v.batch = 1;
    v.size = static_cast<int>(count);
    return v;
  }

  const int *order_ = nullptr, *place_ = nullptr, *lengths_ = nullptr, *sorted_lengths_ = nullptr;
};

}  // namespace gridspan::libraries::dnn
