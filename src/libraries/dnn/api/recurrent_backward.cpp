// The gradients of a recurrent network: of its inputs and states step by step, then of its weights
// as products over all steps. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/recurrent_run.h"

namespace gridspan::libraries::dnn {
namespace {

template <typename T>
class BackwardRun : RecurrentRun<T> {
  using RecurrentRun<T>::call;
  using RecurrentRun<T>::net;
  using RecurrentRun<T>::seq;
  using RecurrentRun<T>::stream;
  using RecurrentRun<T>::pieces;

 public:
  explicit BackwardRun(const RecurrentCall& of)
      : RecurrentRun<T>(of),
        units_(net.gates * net.hidden),
        width_(net.directions * net.output),
        reserve_(net, static_cast<long long>(call.most_steps) * seq.batch, of.reserve) {}

  cudaError_t run_data() {
    weights_ = this->take_flat(call.weights, net.elements());
    const T* d_output = this->take_rows(call.dy, width_, false);
    const long long batch = seq.batch;
    dh_ = this->array(batch * net.output);
    if (net.cell == CUDNN_LSTM) dc_ = this->array(batch * net.hidden);
    if (net.projects) {
      d_inner_ = this->array(batch * net.hidden);
      nothing_ = this->zeros(batch * net.hidden);
    }
    T* between[2] = {};
    for (int i = 0; i < std::min(net.layers - 1, 2); ++i)
      between[i] = this->array(seq.rows() * width_);
    T* const first = call.dx ? this->rows_for(call.dx, net.input) : nullptr;
    for (int layer = net.layers - 1; layer >= 0; --layer) {
      T* const d_input = layer == 0 ? first : between[(layer - 1) % 2];
      for (int d = 0; d < net.directions && pieces.is_right(); ++d)
        run_direction(layer * net.directions + d, d == 1, d_output + d * net.output, d_input);
      if (layer > 0) drop(layer - 1, d_input);
      d_output = d_input;
    }
    if (call.dx) this->put_rows(first, net.input, 0, call.dx);
    return pieces.error();
  }

  cudaError_t run_weights() {
    // Sums are made in what is computed in, and rounded once.
    T* d_weights = static_cast<T*>(call.d_weights);
    if (!this->is_own_type()) {
      d_weights = this->array(net.elements());
      if (call.adds) this->copy_flat(call.d_weights, net.elements(), d_weights);
    }
    if (!call.adds && pieces.is_right())
      pieces.note(cudaMemsetAsync(d_weights, 0,
                                  static_cast<std::size_t>(net.elements()) * sizeof(T), stream));
    const T* input = this->take_rows(call.x, net.input, true);
    for (int layer = 0; layer < net.layers; ++layer) {
      for (int d = 0; d < net.directions && pieces.is_right() && seq.rows() > 0; ++d)
        add_weights(layer * net.directions + d, input, d_weights);
      if (layer + 1 < net.layers) input = reserve_.output(layer);
    }
    this->put_flat(d_weights, net.elements(), call.d_weights);
    return pieces.error();
  }

 private:
  void run_direction(int pseudo_layer, bool is_back, const T* d_output, T* d_input) {
    this->take_state(call.dhy, pseudo_layer, net.output, dh_);
    if (dc_) this->take_state(call.dcy, pseudo_layer, net.hidden, dc_);
    for (int i = 0; i < seq.steps() && pieces.is_right(); ++i)
      run_step(pseudo_layer, is_back ? i : seq.steps() - 1 - i, d_output);
    this->put_state(dh_, pseudo_layer, net.output, call.dhx);
    if (dc_) this->put_state(dc_, pseudo_layer, net.hidden, call.dcx);
    if (!d_input || !pieces.is_right() || seq.rows() == 0) return;
    // The second direction adds to the first one's.
    const T* const gates = reserve_.of(pseudo_layer).gates;
    const int size = net.input_of(pseudo_layer);
    if (!net.has_input_matrix(pseudo_layer)) {
      pieces.note(launch_sum_gates<T>(static_cast<int>(seq.rows()), net.gates, net.hidden, gates,
                                      is_back, d_input, stream));
      return;
    }
    const Matrix<T> w{weights_ + net.input_matrix(pseudo_layer), 1, size}, of{gates, 1, units_};
    pieces.note(multiply(size, seq.rows(), units_, w, of, d_input, size, is_back, stream));
  }

  void run_step(int pseudo_layer, int t, const T* d_output) {
    const Kept<T>& kept = reserve_.of(pseudo_layer);
    const long long row = seq.first_row(t);
    const int batch = seq.active[static_cast<std::size_t>(t)];
    StepGradient<T> step;
    step.hidden = net.hidden;
    step.batch = batch;
    step.d_output = d_output + row * width_;
    step.output_lead = width_;
    step.dh = dh_;
    step.dc = dc_;
    step.gates = kept.gates + row * units_;
    step.recurrent = kept.recurrent + row * units_;
    if (kept.c) step.c = kept.c + row * net.hidden;
    step.h = kept.h + row * net.output;
    step.stream = stream;
    if (net.projects) through_projection(pseudo_layer, row, step);
    pieces.note(launch_step_gradient(net.cell, step));
    // Of GRU, h goes into the next state past the gates, too.
    const Matrix<T> r{weights_ + net.recurrent_matrix(pseudo_layer), 1, net.output},
        of{step.recurrent, 1, units_};
    if (pieces.is_right())
      pieces.note(multiply(net.output, batch, units_, r, of, dh_, net.output, net.cell == CUDNN_GRU,
                           stream));
  }

  /// The gradient of what the projection is given takes the place of the outputs'.
  void through_projection(int pseudo_layer, long long row, StepGradient<T>& step) {
    const int size = net.output;
    T* const d_outer = reserve_.of(pseudo_layer).d_outer + row * size;
    pieces.note(launch_add_rows<T>(step.batch, size, {dh_, size}, {step.d_output, width_},
                                   {d_outer, size}, stream));
    const Matrix<T> p{weights_ + net.projection(pseudo_layer), 1, net.hidden}, of{d_outer, 1, size};
    if (pieces.is_right())
      pieces.note(
          multiply(net.hidden, step.batch, size, p, of, d_inner_, net.hidden, false, stream));
    step.d_output = d_inner_;
    step.output_lead = net.hidden;
    step.dh = nothing_;
  }

  void drop(int layer, T* rows) {
    const cudnnDropoutStruct* const d = call.dropout;
    if (!d || !d->states || d->share == 0 || seq.rows() == 0 || !pieces.is_right()) return;
    Layout all;
    all.size[most_axes - 1] = static_cast<int>(seq.rows() * width_);
    all.stride[most_axes - 1] = 1;
    const auto type = sizeof(T) == 8 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    pieces.note(launch_dropout_gradient(type, {d->share, stream}, all, rows, all, rows,
                                        reserve_.mask(layer)));
  }

  /// Matrices lie row by row: columns by columns, each is the product the other way round.
  void add_product(int columns, int rows, const T* right, const T* left, T* to) {
    const Matrix<T> a{right, 1, columns}, b{left, rows, 1};
    if (pieces.is_right())
      pieces.note(multiply(columns, rows, seq.rows(), a, b, to, columns, true, stream));
  }

  void add_weights(int pseudo_layer, const T* input, T* d_weights) {
    const Kept<T>& kept = reserve_.of(pseudo_layer);
    if (net.has_input_matrix(pseudo_layer))
      add_product(net.input_of(pseudo_layer), units_, input, kept.gates,
                  d_weights + net.input_matrix(pseudo_layer));
    add_product(net.output, units_, kept.h, kept.recurrent,
                d_weights + net.recurrent_matrix(pseudo_layer));
    if (net.projects)
      add_product(net.hidden, net.output, kept.inner, kept.d_outer,
                  d_weights + net.projection(pseudo_layer));
    const int rows = static_cast<int>(seq.rows());
    if (net.has_input_bias && pieces.is_right())
      pieces.note(launch_sum_rows(rows, units_, kept.gates,
                                  d_weights + net.input_bias(pseudo_layer), stream));
    if (net.has_recurrent_bias && pieces.is_right())
      pieces.note(launch_sum_rows(rows, units_, kept.recurrent,
                                  d_weights + net.recurrent_bias(pseudo_layer), stream));
  }

  int units_, width_;
  Reserve<T> reserve_;
  const T* weights_ = nullptr;
  T *dh_ = nullptr, *dc_ = nullptr, *d_inner_ = nullptr, *nothing_ = nullptr;
};

}  // namespace

cudaError_t run_backward_data(const RecurrentCall& call) {
  return call.network.type == CUDNN_DATA_DOUBLE ? BackwardRun<double>(call).run_data()
                                                : BackwardRun<float>(call).run_data();
}
cudaError_t run_backward_weights(const RecurrentCall& call) {
  return call.network.type == CUDNN_DATA_DOUBLE ? BackwardRun<double>(call).run_weights()
                                                : BackwardRun<float>(call).run_weights();
}

}  // namespace gridspan::libraries::dnn
