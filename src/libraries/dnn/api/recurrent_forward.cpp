// A recurrent network, layer by layer and step by step. The products with inputs are made for all
// steps at once. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/api/recurrent_run.h"

#include <cstdint>
#include <numeric>

namespace gridspan::libraries::dnn {

Sequences::Sequences(std::vector<int> given, bool packs)
    : batch(static_cast<int>(given.size())),
      order(given.size()),
      lengths(std::move(given)),
      is_packed(packs) {
  std::iota(order.begin(), order.end(), 0);
  std::sort(order.begin(), order.end(), [&](int a, int b) {
    const int of_a = lengths[static_cast<std::size_t>(a)],
              of_b = lengths[static_cast<std::size_t>(b)];
    return of_a != of_b ? of_a > of_b : a < b;
  });
  const int most = lengths.empty() ? 0 : *std::max_element(lengths.begin(), lengths.end());
  active.resize(static_cast<std::size_t>(most));
  for (const int length : lengths)
    for (int t = 0; t < length; ++t) ++active[static_cast<std::size_t>(t)];
  first_rows_.assign(1, 0);
  for (const int some : active) first_rows_.push_back(first_rows_.back() + (packs ? some : batch));
}

template <typename T>
Reserve<T>::Reserve(const Network& net, long long rows, void* base) {
  const auto take = [&]<typename Element>(Element*& to, long long each) {
    to = reinterpret_cast<Element*>(reinterpret_cast<std::uintptr_t>(base) + bytes_);
    bytes_ += static_cast<std::size_t>(rows * each) * sizeof(Element);
  };
  const long long units = static_cast<long long>(net.gates) * net.hidden;
  for (int i = 0; i < net.pseudo_layers(); ++i) {
    Kept<T>& kept = kept_.emplace_back();
    take(kept.gates, units);
    kept.recurrent = kept.gates;
    if (net.cell == CUDNN_GRU) take(kept.recurrent, units);
    if (net.cell == CUDNN_LSTM) take(kept.c, net.hidden);
    take(kept.h, net.output);
    if (net.projects) {
      take(kept.inner, net.hidden);
      take(kept.d_outer, net.output);
    }
  }
  for (int layer = 0; layer + 1 < net.layers; ++layer)
    take(outputs_.emplace_back(), net.directions * net.output);
  for (int layer = 0; layer + 1 < net.layers; ++layer)
    take(masks_.emplace_back(), net.directions * net.output);
}
template class Reserve<float>;
template class Reserve<double>;

std::size_t reserve_bytes(const Network& net, long long rows) {
  return net.type == CUDNN_DATA_DOUBLE ? Reserve<double>(net, rows, nullptr).bytes()
                                       : Reserve<float>(net, rows, nullptr).bytes();
}

namespace {

template <typename T>
class ForwardRun : RecurrentRun<T> {
  using RecurrentRun<T>::call;
  using RecurrentRun<T>::net;
  using RecurrentRun<T>::seq;
  using RecurrentRun<T>::stream;
  using RecurrentRun<T>::pieces;

 public:
  explicit ForwardRun(const RecurrentCall& of)
      : RecurrentRun<T>(of),
        trains_(of.reserve != nullptr),
        units_(net.gates * net.hidden),
        width_(net.directions * net.output),
        reserve_(net, trains_ ? capacity() : 0, of.reserve) {}

  cudaError_t run() {
    weights_ = this->take_flat(call.weights, net.elements());
    const T* input = this->take_rows(call.x, net.input, false);
    T* const last = this->rows_for(call.y, width_);
    make_room();
    // Rows where a sequence has ended count as nothing in sums over rows.
    if (trains_ && pieces.is_right())
      pieces.note(cudaMemsetAsync(call.reserve, 0, reserve_.bytes(), stream));
    for (int layer = 0; layer < net.layers; ++layer) {
      const bool is_last = layer + 1 == net.layers;
      T* const output = is_last ? last : (trains_ ? reserve_.output(layer) : between_[layer % 2]);
      for (int d = 0; d < net.directions && pieces.is_right(); ++d)
        run_direction(layer * net.directions + d, d == 1, input, output + d * net.output);
      if (trains_ && !is_last) drop(layer);
      input = output;
    }
    this->put_rows(last, width_, call.fill, call.y);
    return pieces.error();
  }

 private:
  long long capacity() const { return static_cast<long long>(call.most_steps) * seq.batch; }

  void make_room() {
    const long long batch = seq.batch;
    input_products_ = this->array(seq.rows() * units_);
    recurrent_products_ = this->array(batch * units_);
    matrix_ = this->array(static_cast<long long>(units_) * net.output);
    h_ = this->array(batch * net.output);
    if (net.cell == CUDNN_LSTM) c_ = this->array(batch * net.hidden);
    no_bias_ = this->zeros(units_);
    if (net.projects) {
      projection_ = this->array(static_cast<long long>(net.hidden) * net.output);
      inner_ = this->array(batch * net.hidden);
    }
    if (trains_) return;
    for (int i = 0; i < std::min(net.layers - 1, 2); ++i)
      between_[i] = this->array(seq.rows() * width_);
  }

  /// For all steps at once. Without a matrix the input goes into each gate as it is.
  void multiply_input(int pseudo_layer, const T* input, Step<T>& step) {
    const int size = net.input_of(pseudo_layer);
    step.input = input;
    step.input_lead = size;
    step.input_gate = 0;
    if (!net.has_input_matrix(pseudo_layer)) return;
    const Matrix<T> w{weights_ + net.input_matrix(pseudo_layer), size, 1}, x{input, 1, size};
    pieces.note(multiply(units_, seq.rows(), size, w, x, input_products_, units_, false, stream));
    step.input = input_products_;
    step.input_lead = units_;
    step.input_gate = net.hidden;
  }

  void run_direction(int pseudo_layer, bool is_back, const T* input, T* output) {
    Step<T> step;
    multiply_input(pseudo_layer, input, step);
    // Once transposed, each step reads them along lines.
    pieces.note(blas::launch_transposed<T>(units_, net.output,
                                           weights_ + net.recurrent_matrix(pseudo_layer),
                                           net.output, false, matrix_, stream));
    if (net.projects)
      pieces.note(blas::launch_transposed<T>(net.output, net.hidden,
                                             weights_ + net.projection(pseudo_layer), net.hidden,
                                             false, projection_, stream));
    this->take_state(call.hx, pseudo_layer, net.output, h_);
    if (c_) this->take_state(call.cx, pseudo_layer, net.hidden, c_);
    step.hidden = net.hidden;
    step.input_bias = net.has_input_bias ? weights_ + net.input_bias(pseudo_layer) : no_bias_;
    step.recurrent_bias =
        net.has_recurrent_bias ? weights_ + net.recurrent_bias(pseudo_layer) : no_bias_;
    step.recurrent = recurrent_products_;
    step.c = c_;
    step.stream = stream;
    for (int i = 0; i < seq.steps() && pieces.is_right(); ++i)
      run_step(pseudo_layer, is_back ? seq.steps() - 1 - i : i, step, output);
    this->put_state(h_, pseudo_layer, net.output, call.hy);
    if (c_) this->put_state(c_, pseudo_layer, net.hidden, call.cy);
  }

  void run_step(int pseudo_layer, int t, Step<T> step, T* output) {
    const long long row = seq.first_row(t);
    const int batch = seq.active[static_cast<std::size_t>(t)];
    step.batch = batch;
    step.input += row * step.input_lead;
    step.h = h_;
    step.output = output + row * width_;
    step.output_lead = width_;
    if (net.projects) {
      step.h = step.output = inner_;
      step.output_lead = net.hidden;
    }
    if (trains_) keep(reserve_.of(pseudo_layer), row, step);
    const Matrix<T> r{matrix_, 1, units_}, h{h_, 1, net.output};
    if (pieces.note(
            multiply(units_, batch, net.output, r, h, recurrent_products_, units_, false, stream)))
      pieces.note(launch_step(net.cell, step));
    if (net.projects && pieces.is_right()) project(step.h, batch, output + row * width_);
  }

  /// What gradients of the step will need: where the step leaves it, and h before it.
  void keep(const Kept<T>& kept, long long row, Step<T>& step) {
    step.kept_gates = kept.gates + row * units_;
    step.kept_recurrent = kept.recurrent + row * units_;
    if (kept.c) step.kept_c = kept.c + row * net.hidden;
    if (net.projects) step.h = step.output = kept.inner + row * net.hidden;
    const int size = net.output;
    pieces.note(
        launch_add_rows<T>(step.batch, size, {h_, size}, {}, {kept.h + row * size, size}, stream));
  }

  void project(const T* inner, int batch, T* output) {
    const int size = net.output;
    const Matrix<T> p{projection_, 1, size}, of{inner, 1, net.hidden};
    if (pieces.note(multiply(size, batch, net.hidden, p, of, h_, size, false, stream)))
      pieces.note(launch_add_rows<T>(batch, size, {h_, size}, {}, {output, width_}, stream));
  }

  void drop(int layer) {
    const cudnnDropoutStruct* const d = call.dropout;
    if (!d || !d->states || d->share == 0 || seq.rows() == 0 || !pieces.is_right()) return;
    Layout all;
    all.size[most_axes - 1] = static_cast<int>(seq.rows() * width_);
    all.stride[most_axes - 1] = 1;
    T* const rows = reserve_.output(layer);
    const auto type = sizeof(T) == 8 ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    pieces.note(launch_dropout(type, {d->share, stream}, static_cast<DropoutState*>(d->states), all,
                               rows, all, rows, reserve_.mask(layer)));
  }

  bool trains_;
  int units_, width_;
  Reserve<T> reserve_;
  const T* weights_ = nullptr;
  T *input_products_ = nullptr, *recurrent_products_ = nullptr, *matrix_ = nullptr;
  T *h_ = nullptr, *c_ = nullptr, *no_bias_ = nullptr;
  T *projection_ = nullptr, *inner_ = nullptr;
  T* between_[2] = {};
};

}  // namespace

cudaError_t run_forward(const RecurrentCall& call) {
  return call.network.type == CUDNN_DATA_DOUBLE ? ForwardRun<double>(call).run()
                                                : ForwardRun<float>(call).run();
}

}  // namespace gridspan::libraries::dnn
