// cuDNN: recurrent networks, dropout and batch normalization with what follows it, against plain
// loops in double. Gradients are compared with differences of those loops, one by one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_fp16.h>
#include <cudnn.h>

#include "library_check.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <memory>
#include <random>

namespace {

#define RIGHT(call) EXPECT((call) == CUDNN_STATUS_SUCCESS)

std::mt19937_64 engine(37);
double random_real(double most = 1) {
  return std::uniform_real_distribution<double>(-most, most)(engine);
}

template <typename T>
constexpr cudnnDataType_t type_of = std::is_same_v<T, double>  ? CUDNN_DATA_DOUBLE
                                    : std::is_same_v<T, float> ? CUDNN_DATA_FLOAT
                                                               : CUDNN_DATA_HALF;
template <typename T>
T narrow(double x) {
  if constexpr (std::is_same_v<T, double>)
    return x;
  else
    return static_cast<T>(static_cast<float>(x));
}
template <typename T>
double wide(T x) {
  if constexpr (std::is_same_v<T, double>)
    return x;
  else
    return static_cast<float>(x);
}
template <typename T>
constexpr double bound_of = std::is_same_v<T, double>  ? 1e-12
                            : std::is_same_v<T, float> ? 2e-5
                                                       : 2e-3;

cudnnHandle_t handle;

template <typename T>
void randomize(Array<T>& array, double most = 1) {
  for (T& x : array.host) x = narrow<T>(random_real(most));
  array.to_device();
}
template <typename T>
void poison(Array<T>& array) {
  array.fill(narrow<T>(NAN));
  array.to_device();
}
template <typename T>
std::vector<double> in_double(const std::vector<T>& from) {
  std::vector<double> to;
  for (const T x : from) to.push_back(wide(x));
  return to;
}
/// Not a number is equal to itself.
template <typename T>
void check_near(const char* name, const Array<T>& array, const std::vector<double>& expected,
                double bound, int line) {
  const std::vector<T> results = array.from_device();
  bool right = results.size() == expected.size();
  for (std::size_t i = 0; right && i < expected.size(); ++i) {
    const double got = wide(results[i]);
    right = std::isnan(expected[i])
                ? std::isnan(got)
                : std::abs(got - expected[i]) <= bound * (1 + std::abs(expected[i]));
    if (!right)
      std::printf("%s[%zu]: %.9g, not %.9g (type %d)\n", name, i, got, expected[i],
                  int(type_of<T>));
  }
  print_bits(name, results);
  expect(right, name, line);
}
#define NEAR(name, array, expected, bound) check_near(name, array, expected, bound, __LINE__)

// ---- recurrent networks

struct Spec {
  cudnnRNNMode_t cell;
  cudnnRNNBiasMode_t bias;
  int directions, layers, input, hidden, projected;
  cudnnRNNInputMode_t input_mode;
  cudnnRNNDataLayout_t layout;
  int most_steps;
  std::vector<int> lengths;

  int batch() const { return int(lengths.size()); }
  int gates() const { return cell == CUDNN_LSTM ? 4 : cell == CUDNN_GRU ? 3 : 1; }
  int width() const { return directions * projected; }
  int pseudo_layers() const { return directions * layers; }
  bool is_packed() const { return layout == CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED; }
  int rows() const {
    int sum = 0;
    for (const int length : lengths) sum += length;
    return is_packed() ? sum : most_steps * batch();
  }
  int row(int t, int b) const {
    if (layout == CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED) return b * most_steps + t;
    if (!is_packed()) return t * batch() + b;
    int first = 0;
    for (const int length : lengths) first += std::min(length, t);
    return first + b;
  }
};

/// Where the matrix and the bias of a gate lie among weights; -1: nowhere.
struct Place {
  long long matrix = -1, bias = -1;
};
using Places = std::vector<std::vector<Place>>;  // pseudo-layer, linLayerID

struct Values {
  std::vector<double> x, hx, cx, weights;
};
struct Results {
  std::vector<double> y, hy, cy;
};

double sigmoid(double x) { return 1 / (1 + std::exp(-x)); }

Results reference(const Spec& p, const Places& places, const Values& v, double fill) {
  const int H = p.hidden, O = p.projected, G = p.gates(), B = p.batch();
  Results r{{}, v.hx, v.cx};
  std::vector<double> input = v.x;
  int size = p.input;
  for (int layer = 0; layer < p.layers; ++layer) {
    std::vector<double> output(std::size_t(p.rows()) * p.width(), fill);
    for (int d = 0; d < p.directions; ++d)
      for (int b = 0; b < B; ++b) {
        const int pl = layer * p.directions + d, length = p.lengths[b];
        double *const h = &r.hy[std::size_t(pl * B + b) * O],
                      *const c = &r.cy[std::size_t(pl * B + b) * H];
        for (int i = 0; i < length; ++i) {
          const int t = d ? length - 1 - i : i;
          const double* const x = &input[std::size_t(p.row(t, b)) * size];
          const auto sum = [&](int id, int j) {
            const Place at = places[pl][id];
            double s = at.bias < 0 ? 0 : v.weights[at.bias + j];
            const double* const from = id < G ? x : h;
            const int n = id < G ? size : O;
            if (at.matrix < 0) return s + x[j];
            for (int k = 0; k < n; ++k) s += v.weights[at.matrix + j * n + k] * from[k];
            return s;
          };
          std::vector<double> next(H);
          for (int j = 0; j < H; ++j) {
            const auto both = [&](int g) { return sum(g, j) + sum(g + G, j); };
            if (p.cell == CUDNN_RNN_RELU) next[j] = std::max(0.0, both(0));
            if (p.cell == CUDNN_RNN_TANH) next[j] = std::tanh(both(0));
            if (p.cell == CUDNN_LSTM) {
              c[j] = sigmoid(both(1)) * c[j] + sigmoid(both(0)) * std::tanh(both(2));
              next[j] = sigmoid(both(3)) * std::tanh(c[j]);
            }
            if (p.cell == CUDNN_GRU) {
              const double z = sigmoid(both(1));
              next[j] = (1 - z) * std::tanh(sum(2, j) + sigmoid(both(0)) * sum(5, j)) + z * h[j];
            }
          }
          for (int j = 0; j < O; ++j) {
            double value = next[j];
            if (O < H) {
              value = 0;
              for (int k = 0; k < H; ++k)
                value += v.weights[places[pl][8].matrix + j * H + k] * next[k];
            }
            h[j] = output[std::size_t(p.row(t, b)) * p.width() + d * O + j] = value;
          }
        }
      }
    input = output;
    size = p.width();
  }
  r.y = input;
  return r;
}

/// A network, its sequences and its arrays.
template <typename T>
struct Network {
  Network(const Spec& spec, double share = 0)
      : p(spec),
        x(std::size_t(p.rows()) * p.input),
        y(std::size_t(p.rows()) * p.width()),
        dx(x.host.size()),
        dy(y.host.size()),
        hx(std::size_t(p.pseudo_layers()) * p.batch() * p.projected),
        hy(hx.host.size()),
        dhx(hx.host.size()),
        dhy(hx.host.size()),
        cx(std::size_t(p.pseudo_layers()) * p.batch() * p.hidden),
        cy(cx.host.size()),
        dcx(cx.host.size()),
        dcy(cx.host.size()),
        states(64) {
    RIGHT(cudnnCreateDropoutDescriptor(&dropout));
    RIGHT(cudnnSetDropoutDescriptor(dropout, handle, share, states.device, 64, 5));
    RIGHT(cudnnCreateRNNDescriptor(&rnn));
    const auto math = std::is_same_v<T, double> ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    RIGHT(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, p.cell, p.bias,
                                   p.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL,
                                   p.input_mode, type_of<T>, math, CUDNN_DEFAULT_MATH, p.input,
                                   p.hidden, p.projected, p.layers, dropout,
                                   CUDNN_RNN_PADDED_IO_ENABLED));
    T padding = narrow<T>(fill);
    for (auto [of, size] : {std::pair{&x_of, p.input}, std::pair{&y_of, p.width()}}) {
      RIGHT(cudnnCreateRNNDataDescriptor(of));
      RIGHT(cudnnSetRNNDataDescriptor(*of, type_of<T>, p.layout, p.most_steps, p.batch(), size,
                                      p.lengths.data(), &padding));
    }
    for (auto [of, size] : {std::pair{&h_of, p.projected}, std::pair{&c_of, p.hidden}}) {
      const int sizes[] = {p.pseudo_layers(), p.batch(), size},
                steps[] = {p.batch() * size, size, 1};
      RIGHT(cudnnCreateTensorDescriptor(of));
      RIGHT(cudnnSetTensorNdDescriptor(*of, type_of<T>, 3, sizes, steps));
    }
    RIGHT(cudnnGetRNNWeightSpaceSize(handle, rnn, &weight_bytes));
    weights = std::make_unique<Array<T>>(weight_bytes / sizeof(T));
    d_weights = std::make_unique<Array<T>>(weight_bytes / sizeof(T));
    for (Array<T>* const a : {&x, &dy, &hx, &dhy, &cx, &dcy}) randomize(*a);
    randomize(*weights, 0.5);
    // What lies behind the end of a sequence is not to be read.
    if (!p.is_packed())
      for (int b = 0; b < p.batch(); ++b)
        for (int t = p.lengths[b]; t < p.most_steps; ++t) {
          for (int i = 0; i < p.input; ++i)
            x.host[std::size_t(p.row(t, b)) * p.input + i] = narrow<T>(NAN);
          for (int i = 0; i < p.width(); ++i)
            dy.host[std::size_t(p.row(t, b)) * p.width() + i] = narrow<T>(NAN);
        }
    x.to_device(), dy.to_device();
    for (Array<T>* const a : {&y, &hy, &cy, &dx, &dhx, &dcx}) poison(*a);
    find_places();
    size_t work = 1, reserve_bytes = 0;
    RIGHT(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_TRAINING, x_of, &work,
                                    &reserve_bytes));
    EXPECT(work == 0 && reserve_bytes > 0);
    reserve = std::make_unique<Array<unsigned char>>(reserve_bytes);
    reserve->fill(0xff);
    reserve->to_device();
    RIGHT(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_INFERENCE, x_of, &work,
                                    &reserve_bytes));
    EXPECT(work == 0 && reserve_bytes == 0);
  }
  ~Network() {
    RIGHT(cudnnDestroyRNNDescriptor(rnn));
    RIGHT(cudnnDestroyDropoutDescriptor(dropout));
    RIGHT(cudnnDestroyRNNDataDescriptor(x_of));
    RIGHT(cudnnDestroyRNNDataDescriptor(y_of));
    RIGHT(cudnnDestroyTensorDescriptor(h_of));
    RIGHT(cudnnDestroyTensorDescriptor(c_of));
  }

  /// Every weight belongs to one matrix or bias.
  void find_places() {
    std::vector<int> seen(weights->host.size());
    cudnnTensorDescriptor_t m, b;
    RIGHT(cudnnCreateTensorDescriptor(&m));
    RIGHT(cudnnCreateTensorDescriptor(&b));
    const auto take = [&](cudnnTensorDescriptor_t of, void* place, int rows,
                          int columns) -> long long {
      int dims = 0, sizes[3] = {}, steps[3] = {};
      cudnnDataType_t type;
      RIGHT(cudnnGetTensorNdDescriptor(of, 3, &type, &dims, sizes, steps));
      EXPECT((dims == 0) == (place == nullptr));
      if (!place) return -1;
      EXPECT(sizes[0] == 1 && sizes[1] == rows && sizes[2] == columns && type == type_of<T>);
      const long long at = static_cast<T*>(place) - weights->device;
      for (long long i = at; i < at + rows * columns; ++i) ++seen[std::size_t(i)];
      return at;
    };
    for (int pl = 0; pl < p.pseudo_layers(); ++pl) {
      places.emplace_back();
      for (int id = 0; id < 2 * p.gates() + (p.cell == CUDNN_LSTM ? 1 : 0); ++id) {
        void *matrix = nullptr, *bias = nullptr;
        RIGHT(cudnnGetRNNWeightParams(handle, rnn, pl, weight_bytes, weights->device, id, m,
                                      &matrix, b, &bias));
        const int in = pl < p.directions ? p.input : p.width();
        const bool is_projection = id == 2 * p.gates();
        const int rows = is_projection ? p.projected : p.hidden, columns = is_projection ? p.hidden
                                                                           : id < p.gates()
                                                                               ? in
                                                                               : p.projected;
        places.back().push_back({take(m, matrix, rows, columns), take(b, bias, p.hidden, 1)});
      }
    }
    EXPECT(std::all_of(seen.begin(), seen.end(), [](int times) { return times == 1; }));
    RIGHT(cudnnDestroyTensorDescriptor(m));
    RIGHT(cudnnDestroyTensorDescriptor(b));
  }

  Values values(bool has_states = true) const {
    Values v{in_double(x.host), in_double(hx.host), in_double(cx.host), in_double(weights->host)};
    if (!has_states) v.hx.assign(v.hx.size(), 0), v.cx.assign(v.cx.size(), 0);
    return v;
  }
  cudnnStatus_t forward(cudnnForwardMode_t mode, bool has_states = true) {
    return cudnnRNNForward(handle, rnn, mode, nullptr, x_of, x.device, y_of, y.device,
                           has_states ? h_of : nullptr, has_states ? hx.device : nullptr,
                           has_states ? hy.device : nullptr, has_states ? c_of : nullptr,
                           has_states ? cx.device : nullptr, has_states ? cy.device : nullptr,
                           weight_bytes, weights->device, 0, nullptr, reserve->host.size(),
                           reserve->device);
  }
  cudnnStatus_t backward_data() {
    return cudnnRNNBackwardData_v8(handle, rnn, nullptr, y_of, y.device, dy.device, x_of, dx.device,
                                   h_of, hx.device, dhy.device, dhx.device, c_of, cx.device,
                                   dcy.device, dcx.device, weight_bytes, weights->device, 0,
                                   nullptr, reserve->host.size(), reserve->device);
  }
  cudnnStatus_t backward_weights(cudnnWgradMode_t mode) {
    return cudnnRNNBackwardWeights_v8(handle, rnn, mode, nullptr, x_of, x.device, h_of, hx.device,
                                      y_of, y.device, weight_bytes, d_weights->device, 0, nullptr,
                                      reserve->host.size(), reserve->device);
  }
  void check_results(const char* name, const Results& r) {
    const double bound = bound_of<T> * 4;
    NEAR(name, y, r.y, bound);
    NEAR(name, hy, r.hy, bound);
    if (p.cell == CUDNN_LSTM) NEAR(name, cy, r.cy, bound);
  }

  Spec p;
  double fill = 7;
  cudnnRNNDescriptor_t rnn = nullptr;
  cudnnDropoutDescriptor_t dropout = nullptr;
  cudnnRNNDataDescriptor_t x_of = nullptr, y_of = nullptr;
  cudnnTensorDescriptor_t h_of = nullptr, c_of = nullptr;
  size_t weight_bytes = 0;
  Array<T> x, y, dx, dy, hx, hy, dhx, dhy, cx, cy, dcx, dcy;
  Array<unsigned char> states;
  std::unique_ptr<Array<T>> weights, d_weights;
  std::unique_ptr<Array<unsigned char>> reserve;
  Places places;
};

template <typename T>
void check_inference(const Spec& spec) {
  Network<T> n(spec);
  RIGHT(n.forward(CUDNN_FWD_MODE_INFERENCE));
  n.check_results("recurrent network", reference(n.p, n.places, n.values(), n.fill));
  poison(n.y);
  RIGHT(n.forward(CUDNN_FWD_MODE_INFERENCE, false));
  NEAR("recurrent network without states", n.y, reference(n.p, n.places, n.values(false), n.fill).y,
       bound_of<T> * 4);
}

/// The sum of all results, each times its gradient.
double loss(const Spec& p, const Results& r, const std::vector<double>& dy,
            const std::vector<double>& dhy, const std::vector<double>& dcy) {
  double sum = 0;
  for (std::size_t i = 0; i < r.y.size(); ++i)
    if (!std::isnan(dy[i])) sum += r.y[i] * dy[i];
  for (std::size_t i = 0; i < r.hy.size(); ++i) sum += r.hy[i] * dhy[i];
  for (std::size_t i = 0; i < r.cy.size() && p.cell == CUDNN_LSTM; ++i) sum += r.cy[i] * dcy[i];
  return sum;
}

template <typename T>
void check_training(const Spec& spec) {
  Network<T> n(spec);
  RIGHT(n.forward(CUDNN_FWD_MODE_TRAINING));
  n.check_results("recurrent training", reference(n.p, n.places, n.values(), n.fill));
  randomize(*n.d_weights);
  RIGHT(n.backward_data());
  RIGHT(n.backward_weights(CUDNN_WGRAD_MODE_ADD));
  const auto dy = in_double(n.dy.host), dhy = in_double(n.dhy.host), dcy = in_double(n.dcy.host);
  Values v = n.values();
  // By differences, which are exact to 1e-8 or so.
  const auto slopes = [&](std::vector<double>& of) {
    std::vector<double> result;
    for (double& one : of) {
      if (std::isnan(one)) {  // behind the end of a sequence
        result.push_back(0);
        continue;
      }
      const double step = 1e-5, old = one;
      one = old + step;
      const double above = loss(n.p, reference(n.p, n.places, v, 0), dy, dhy, dcy);
      one = old - step;
      const double below = loss(n.p, reference(n.p, n.places, v, 0), dy, dhy, dcy);
      one = old;
      result.push_back((above - below) / (2 * step));
    }
    return result;
  };
  const double bound = std::is_same_v<T, double> ? 1e-7 : std::is_same_v<T, float> ? 1e-4 : 1e-2;
  NEAR("gradient of inputs", n.dx, slopes(v.x), bound);
  NEAR("gradient of states", n.dhx, slopes(v.hx), bound);
  if (n.p.cell == CUDNN_LSTM) NEAR("gradient of cells", n.dcx, slopes(v.cx), bound);
  const std::vector<double> of_weights = slopes(v.weights);
  std::vector<double> sums = of_weights;
  for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += wide(n.d_weights->host[i]);
  NEAR("gradient of weights, added", *n.d_weights, sums, bound);
  poison(*n.d_weights);
  RIGHT(n.backward_weights(CUDNN_WGRAD_MODE_SET));
  NEAR("gradient of weights", *n.d_weights, of_weights, bound);
}

/// With dropout between layers: the slope along a random direction, with the same mask each time.
void check_training_with_dropout() {
  Network<double> n({CUDNN_GRU,
                     CUDNN_RNN_DOUBLE_BIAS,
                     2,
                     3,
                     5,
                     7,
                     7,
                     CUDNN_LINEAR_INPUT,
                     CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
                     5,
                     {5, 5, 3}},
                    0.4f);
  const auto again = [&] {
    RIGHT(cudnnSetDropoutDescriptor(n.dropout, handle, 0.4f, n.states.device, 64, 5));
    RIGHT(n.forward(CUDNN_FWD_MODE_TRAINING));
    const Results r{in_double(n.y.from_device()), in_double(n.hy.from_device()), {}};
    return loss(n.p, r, n.dy.host, n.dhy.host, {});
  };
  again();
  RIGHT(n.backward_data());
  RIGHT(n.backward_weights(CUDNN_WGRAD_MODE_SET));
  const std::vector<double> slope = n.d_weights->from_device(), old = n.weights->host;
  std::vector<double> along(old.size());
  double expected = 0;
  for (std::size_t i = 0; i < old.size(); ++i) {
    along[i] = random_real();
    expected += along[i] * slope[i];
  }
  const auto at = [&](double step) {
    for (std::size_t i = 0; i < old.size(); ++i) n.weights->host[i] = old[i] + step * along[i];
    n.weights->to_device();
    return again();
  };
  const double difference = (at(1e-5) - at(-1e-5)) / 2e-5;
  EXPECT(std::abs(difference - expected) < 1e-6 * (1 + std::abs(expected)));
  // It does drop: without, results are others.
  const std::vector<double> dropped = n.y.from_device();
  RIGHT(n.forward(CUDNN_FWD_MODE_INFERENCE));
  EXPECT(dropped != n.y.from_device());
}

/// By the functions of cuDNN 7: a descriptor for each step.
template <typename T>
void check_old(const Spec& spec) {
  Network<T> n(spec);
  cudnnRNNDescriptor_t rnn;
  RIGHT(cudnnCreateRNNDescriptor(&rnn));
  RIGHT(cudnnSetRNNDescriptor_v6(handle, rnn, spec.hidden, spec.layers, n.dropout, spec.input_mode,
                                 spec.directions == 2 ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL,
                                 spec.cell, CUDNN_RNN_ALGO_STANDARD,
                                 std::is_same_v<T, double> ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT));
  RIGHT(cudnnSetRNNMatrixMathType(rnn, CUDNN_TENSOR_OP_MATH));
  const int steps = spec.lengths[0];
  std::vector<cudnnTensorDescriptor_t> x(steps), y(steps);
  for (int t = 0; t < steps; ++t)
    for (auto [of, size] : {std::pair{&x[t], spec.input}, std::pair{&y[t], spec.width()}}) {
      const int some = int(std::count_if(spec.lengths.begin(), spec.lengths.end(),
                                         [&](int length) { return length > t; }));
      const int sizes[] = {some, size, 1}, strides[] = {size, 1, 1};
      RIGHT(cudnnCreateTensorDescriptor(of));
      RIGHT(cudnnSetTensorNdDescriptor(*of, type_of<T>, 3, sizes, strides));
    }
  size_t bytes = 0, work = 1, reserve = 0;
  RIGHT(cudnnGetRNNParamsSize(handle, rnn, x[0], &bytes, type_of<T>));
  EXPECT(bytes == n.weight_bytes);
  RIGHT(cudnnGetRNNWorkspaceSize(handle, rnn, steps, x.data(), &work));
  RIGHT(cudnnGetRNNTrainingReserveSize(handle, rnn, steps, x.data(), &reserve));
  EXPECT(work == 0 && reserve == n.reserve->host.size());
  cudnnFilterDescriptor_t w, part;
  RIGHT(cudnnCreateFilterDescriptor(&w));
  RIGHT(cudnnCreateFilterDescriptor(&part));
  const int sizes[] = {int(bytes / sizeof(T)), 1, 1};
  RIGHT(cudnnSetFilterNdDescriptor(w, type_of<T>, CUDNN_TENSOR_NCHW, 3, sizes));
  for (int pl = 0; pl < spec.pseudo_layers(); ++pl)
    for (int id = 0; id < 2 * spec.gates(); ++id) {
      void *matrix = nullptr, *bias = nullptr;
      RIGHT(cudnnGetRNNLinLayerMatrixParams(handle, rnn, pl, x[0], w, n.weights->device, id, part,
                                            &matrix));
      EXPECT((matrix ? static_cast<T*>(matrix) - n.weights->device : -1) ==
             n.places[pl][id].matrix);
      RIGHT(cudnnGetRNNLinLayerBiasParams(handle, rnn, pl, x[0], w, n.weights->device, id, part,
                                          &bias));
      EXPECT(static_cast<T*>(bias) - n.weights->device == n.places[pl][id].bias);
      cudnnDataType_t type;
      cudnnTensorFormat_t format;
      int dims = 0, of[3];
      RIGHT(cudnnGetFilterNdDescriptor(part, 3, &type, &format, &dims, of));
      EXPECT(dims == 3 && of[0] == 1 && of[1] == spec.hidden && of[2] == 1);
    }
  RIGHT(cudnnRNNForwardInference(handle, rnn, steps, x.data(), n.x.device, n.h_of, n.hx.device,
                                 n.c_of, n.cx.device, w, n.weights->device, y.data(), n.y.device,
                                 n.h_of, n.hy.device, n.c_of, n.cy.device, nullptr, 0));
  const Results expected = reference(n.p, n.places, n.values(), 0);
  n.check_results("recurrent network of cuDNN 7", expected);
  for (Array<T>* const a : {&n.y, &n.hy, &n.cy}) poison(*a);
  RIGHT(cudnnRNNForwardTraining(handle, rnn, steps, x.data(), n.x.device, n.h_of, n.hx.device,
                                n.c_of, n.cx.device, w, n.weights->device, y.data(), n.y.device,
                                n.h_of, n.hy.device, n.c_of, n.cy.device, nullptr, 0,
                                n.reserve->device, reserve));
  n.check_results("recurrent training of cuDNN 7", expected);
  RIGHT(cudnnRNNBackwardData(handle, rnn, steps, y.data(), n.y.device, y.data(), n.dy.device,
                             n.h_of, n.dhy.device, n.c_of, n.dcy.device, w, n.weights->device,
                             n.h_of, n.hx.device, n.c_of, n.cx.device, x.data(), n.dx.device,
                             n.h_of, n.dhx.device, n.c_of, n.dcx.device, nullptr, 0,
                             n.reserve->device, reserve));
  n.d_weights->fill(narrow<T>(0));
  n.d_weights->to_device();
  RIGHT(cudnnRNNBackwardWeights(handle, rnn, steps, x.data(), n.x.device, n.h_of, n.hx.device,
                                y.data(), n.y.device, nullptr, 0, w, n.d_weights->device,
                                n.reserve->device, reserve));
  // They are those of the functions of cuDNN 8, which are compared with differences.
  const auto dx = in_double(n.dx.from_device()), dw = in_double(n.d_weights->from_device());
  RIGHT(n.forward(CUDNN_FWD_MODE_TRAINING));
  RIGHT(n.backward_data());
  RIGHT(n.backward_weights(CUDNN_WGRAD_MODE_SET));
  NEAR("gradient of inputs of cuDNN 7", n.dx, dx, 0);
  NEAR("gradient of weights of cuDNN 7", *n.d_weights, dw, 0);
  // A step may not have more sequences than the one before.
  std::reverse(x.begin(), x.end());
  if (spec.lengths.front() != spec.lengths.back())
    EXPECT(cudnnGetRNNWorkspaceSize(handle, rnn, steps, x.data(), &work) == CUDNN_STATUS_BAD_PARAM);
  for (const auto one : x) RIGHT(cudnnDestroyTensorDescriptor(one));
  for (const auto one : y) RIGHT(cudnnDestroyTensorDescriptor(one));
  RIGHT(cudnnDestroyFilterDescriptor(w));
  RIGHT(cudnnDestroyFilterDescriptor(part));
  RIGHT(cudnnDestroyRNNDescriptor(rnn));
}

/// In a graph, whose launches outlive the descriptors' lengths, and take new inputs.
void check_graph() {
  Network<float> n({CUDNN_LSTM,
                    CUDNN_RNN_DOUBLE_BIAS,
                    2,
                    2,
                    5,
                    7,
                    7,
                    CUDNN_LINEAR_INPUT,
                    CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED,
                    5,
                    {3, 5, 1}});
  cudaStream_t stream;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  RIGHT(cudnnSetStream(handle, stream));
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal) == cudaSuccess);
  RIGHT(n.forward(CUDNN_FWD_MODE_INFERENCE));
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&executable, graph, 0) == cudaSuccess);
  const int others[] = {1, 1, 1};
  RIGHT(cudnnSetRNNDataDescriptor(n.x_of, CUDNN_DATA_FLOAT, n.p.layout, 5, 3, 5, others, nullptr));
  for (int run = 0; run < 2; ++run) {
    randomize(n.x);
    EXPECT(cudaGraphLaunch(executable, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    n.check_results("recurrent network in a graph", reference(n.p, n.places, n.values(), n.fill));
  }
  EXPECT(cudaGraphExecDestroy(executable) == cudaSuccess);
  EXPECT(cudaGraphDestroy(graph) == cudaSuccess);
  RIGHT(cudnnSetStream(handle, nullptr));
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
}

void check_recurrent_refusals() {
  Network<float> n({CUDNN_LSTM,
                    CUDNN_RNN_DOUBLE_BIAS,
                    1,
                    1,
                    5,
                    7,
                    7,
                    CUDNN_LINEAR_INPUT,
                    CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
                    4,
                    {4, 2}});
  const auto set = [&](cudnnRNNMode_t cell, cudnnRNNInputMode_t input, cudnnDataType_t type,
                       int hidden, int projected) {
    return cudnnSetRNNDescriptor_v8(n.rnn, CUDNN_RNN_ALGO_STANDARD, cell, CUDNN_RNN_DOUBLE_BIAS,
                                    CUDNN_UNIDIRECTIONAL, input, type, CUDNN_DATA_FLOAT,
                                    CUDNN_DEFAULT_MATH, 5, hidden, projected, 1, nullptr, 0);
  };
  const auto linear = CUDNN_LINEAR_INPUT;
  EXPECT(set(cudnnRNNMode_t(9), linear, CUDNN_DATA_FLOAT, 7, 7) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(set(CUDNN_GRU, linear, CUDNN_DATA_FLOAT, 7, 3) == CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT(set(CUDNN_LSTM, linear, CUDNN_DATA_FLOAT, 7, 8) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(set(CUDNN_LSTM, linear, CUDNN_DATA_INT8, 7, 7) == CUDNN_STATUS_NOT_SUPPORTED);
  EXPECT(set(CUDNN_LSTM, linear, CUDNN_DATA_FLOAT, 0, 0) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(set(CUDNN_GRU, CUDNN_SKIP_INPUT, CUDNN_DATA_FLOAT, 7, 7) == CUDNN_STATUS_BAD_PARAM);
  const auto vectors = [&](int batch, std::vector<int> lengths) {
    return cudnnSetRNNDataDescriptor(n.x_of, CUDNN_DATA_FLOAT,
                                     CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED, 4, batch, 5,
                                     lengths.data(), nullptr);
  };
  EXPECT(vectors(2, {2, 4}) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(vectors(2, {5, 2}) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(vectors(2, {4, -1}) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(vectors(0, {}) == CUDNN_STATUS_BAD_PARAM);
  void *matrix = nullptr, *bias = nullptr;
  const auto ask = [&](int pl, int id, size_t bytes) {
    return cudnnGetRNNWeightParams(handle, n.rnn, pl, bytes, n.weights->device, id, n.h_of, &matrix,
                                   n.c_of, &bias);
  };
  EXPECT(ask(1, 0, n.weight_bytes) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(ask(0, 9, n.weight_bytes) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(ask(0, 0, n.weight_bytes - 1) == CUDNN_STATUS_BAD_PARAM);
  const size_t reserve = n.reserve->host.size();
  const auto forward = [&](cudnnForwardMode_t mode, cudnnRNNDataDescriptor_t y,
                           cudnnTensorDescriptor_t h, size_t weights, size_t kept) {
    return cudnnRNNForward(handle, n.rnn, mode, nullptr, n.x_of, n.x.device, y, n.y.device, h,
                           n.hx.device, n.hy.device, n.c_of, n.cx.device, n.cy.device, weights,
                           n.weights->device, 0, nullptr, kept, n.reserve->device);
  };
  const auto inference = CUDNN_FWD_MODE_INFERENCE, training = CUDNN_FWD_MODE_TRAINING;
  EXPECT(forward(inference, n.x_of, n.h_of, n.weight_bytes, 0) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(inference, n.y_of, nullptr, n.weight_bytes, 0) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(inference, n.y_of, n.h_of, n.weight_bytes - 1, 0) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(training, n.y_of, n.h_of, n.weight_bytes, reserve - 1) == CUDNN_STATUS_BAD_PARAM);
  NEAR("refused calls' result", n.y, std::vector<double>(n.y.host.size(), NAN), 0);
  RIGHT(forward(inference, n.y_of, n.h_of, n.weight_bytes, 0));
  EXPECT(set(CUDNN_LSTM, linear, CUDNN_DATA_FLOAT, 1 << 30, 1 << 30) == CUDNN_STATUS_NOT_SUPPORTED);
}

/// Programs ask for places before they have memory.
void check_places_without_memory() {
  Network<float> n({CUDNN_GRU,
                    CUDNN_RNN_DOUBLE_BIAS,
                    1,
                    1,
                    5,
                    7,
                    7,
                    CUDNN_LINEAR_INPUT,
                    CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
                    4,
                    {4, 2}});
  cudnnTensorDescriptor_t matrix_of, bias_of;
  RIGHT(cudnnCreateTensorDescriptor(&matrix_of));
  RIGHT(cudnnCreateTensorDescriptor(&bias_of));
  for (int id = 0; id < 6; ++id) {
    void *matrix = nullptr, *bias = nullptr, *offset = nullptr, *bias_offset = nullptr;
    RIGHT(cudnnGetRNNWeightParams(handle, n.rnn, 0, n.weight_bytes, n.weights->device, id,
                                  matrix_of, &matrix, bias_of, &bias));
    RIGHT(cudnnGetRNNWeightParams(handle, n.rnn, 0, n.weight_bytes, nullptr, id, matrix_of, &offset,
                                  bias_of, &bias_offset));
    const auto base = reinterpret_cast<std::uintptr_t>(n.weights->device);
    EXPECT(reinterpret_cast<std::uintptr_t>(matrix) ==
           base + reinterpret_cast<std::uintptr_t>(offset));
    EXPECT(reinterpret_cast<std::uintptr_t>(bias) ==
           base + reinterpret_cast<std::uintptr_t>(bias_offset));
  }
  RIGHT(cudnnDestroyTensorDescriptor(matrix_of));
  RIGHT(cudnnDestroyTensorDescriptor(bias_of));
}

/// Training with dropout needs its states; steps of cuDNN 7 have no gaps.
void check_more_recurrent_refusals() {
  cudnnDropoutDescriptor_t dropout;
  cudnnRNNDescriptor_t rnn;
  cudnnRNNDataDescriptor_t x_of;
  RIGHT(cudnnCreateDropoutDescriptor(&dropout));
  RIGHT(cudnnSetDropoutDescriptor(dropout, handle, 0.5f, nullptr, 0, 1));
  RIGHT(cudnnCreateRNNDescriptor(&rnn));
  RIGHT(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, CUDNN_RNN_TANH,
                                 CUDNN_RNN_DOUBLE_BIAS, CUDNN_UNIDIRECTIONAL, CUDNN_LINEAR_INPUT,
                                 CUDNN_DATA_FLOAT, CUDNN_DATA_FLOAT, CUDNN_DEFAULT_MATH, 4, 4, 4, 2,
                                 dropout, 0));
  RIGHT(cudnnCreateRNNDataDescriptor(&x_of));
  const int lengths[] = {3, 3};
  RIGHT(cudnnSetRNNDataDescriptor(x_of, CUDNN_DATA_FLOAT, CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
                                  3, 2, 4, lengths, nullptr));
  size_t weight_bytes = 0, work = 0, reserve_bytes = 0;
  RIGHT(cudnnGetRNNWeightSpaceSize(handle, rnn, &weight_bytes));
  RIGHT(
      cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_TRAINING, x_of, &work, &reserve_bytes));
  Array<float> x(24), y(24), weights(weight_bytes / sizeof(float));
  Array<char> reserve(reserve_bytes);
  randomize(x);
  randomize(weights);
  const auto run = [&](cudnnForwardMode_t mode) {
    return cudnnRNNForward(handle, rnn, mode, nullptr, x_of, x.device, x_of, y.device, nullptr,
                           nullptr, nullptr, nullptr, nullptr, nullptr, weight_bytes,
                           weights.device, 0, nullptr, reserve_bytes, reserve.device);
  };
  EXPECT(run(CUDNN_FWD_MODE_TRAINING) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(run(CUDNN_FWD_MODE_INFERENCE));
  RIGHT(cudnnDestroyDropoutDescriptor(dropout));
  EXPECT(run(CUDNN_FWD_MODE_TRAINING) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(run(CUDNN_FWD_MODE_INFERENCE));
  EXPECT(cudaDeviceSynchronize() == cudaSuccess);

  cudnnTensorDescriptor_t step;
  RIGHT(cudnnCreateTensorDescriptor(&step));
  RIGHT(cudnnSetRNNDescriptor_v6(handle, rnn, 2, 1, nullptr, CUDNN_LINEAR_INPUT,
                                 CUDNN_UNIDIRECTIONAL, CUDNN_RNN_TANH, CUDNN_RNN_ALGO_STANDARD,
                                 CUDNN_DATA_FLOAT));
  const int size[] = {2, 2, 1}, packed[] = {2, 1, 1}, gaps[] = {4, 2, 1};
  size_t bytes = 0;
  RIGHT(cudnnSetTensorNdDescriptor(step, CUDNN_DATA_FLOAT, 3, size, packed));
  RIGHT(cudnnGetRNNWorkspaceSize(handle, rnn, 1, &step, &bytes));
  RIGHT(cudnnSetTensorNdDescriptor(step, CUDNN_DATA_FLOAT, 3, size, gaps));
  EXPECT(cudnnGetRNNWorkspaceSize(handle, rnn, 1, &step, &bytes) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(cudnnDestroyTensorDescriptor(step));
  RIGHT(cudnnDestroyRNNDataDescriptor(x_of));
  RIGHT(cudnnDestroyRNNDescriptor(rnn));
}

void check_recurrent() {
  const auto packed = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED,
             steps_first = CUDNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED,
             batch_first = CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED;
  const auto linear = CUDNN_LINEAR_INPUT, skip = CUDNN_SKIP_INPUT;
  const auto both = CUDNN_RNN_DOUBLE_BIAS, none = CUDNN_RNN_NO_BIAS,
             of_input = CUDNN_RNN_SINGLE_INP_BIAS, of_h = CUDNN_RNN_SINGLE_REC_BIAS;
  std::vector<Spec> specs;
  for (const auto cell : {CUDNN_RNN_RELU, CUDNN_RNN_TANH, CUDNN_LSTM, CUDNN_GRU}) {
    specs.push_back({cell, both, 1, 1, 3, 5, 5, linear, packed, 4, {4, 4}});
    specs.push_back({cell, of_h, 2, 3, 3, 2, 2, linear, packed, 4, {4, 2, 1}});
    specs.push_back({cell, of_input, 2, 2, 5, 3, 3, linear, batch_first, 5, {2, 4, 0, 3}});
    specs.push_back({cell, both, 1, 2, 4, 4, 4, skip, steps_first, 3, {3, 2}});
    specs.push_back({cell, none, 2, 1, 1, 1, 1, linear, steps_first, 1, {1}});
    specs.push_back({cell, both, 2, 2, 2, 3, 3, linear, steps_first, 4, {1, 3, 3}});
  }
  specs.push_back({CUDNN_LSTM, both, 2, 2, 3, 5, 2, linear, packed, 3, {3, 2}});
  specs.push_back({CUDNN_LSTM, none, 1, 2, 3, 4, 3, linear, batch_first, 4, {2, 3}});
  int number = 0;
  for (const Spec& spec : specs) {
    if (has_few() && number++ % 4) continue;
    check_inference<float>(spec);
    check_inference<double>(spec);
    check_inference<__half>(spec);
    check_training<double>(spec);
    check_training<float>(spec);
    if (spec.is_packed() && spec.bias == both && spec.projected == spec.hidden)
      check_old<float>(spec);
  }
  check_training<__half>(specs[1]);
  check_training<__half>(specs[14]);
  // Large enough for products that are packed first.
  check_inference<float>(
      {CUDNN_LSTM, both, 2, 2, 61, 67, 67, linear, steps_first, 7, std::vector<int>(13, 7)});
  check_inference<float>(
      {CUDNN_GRU, both, 1, 2, 31, 129, 129, linear, batch_first, 5, {5, 3, 4, 5, 1, 2, 5, 5, 4}});
  check_old<float>({CUDNN_GRU, both, 2, 2, 3, 5, 5, linear, packed, 4, {4, 3, 1}});
  check_old<double>({CUDNN_LSTM, both, 1, 2, 5, 5, 5, skip, packed, 3, {3, 3, 2}});
  check_training_with_dropout();
  check_graph();
  check_recurrent_refusals();
  check_places_without_memory();
  check_more_recurrent_refusals();
}

// ---- dropout

struct Tensor4 {
  explicit Tensor4(cudnnDataType_t type, std::array<int, 4> size, bool has_gaps = false) {
    const auto [n, c, h, w] = size;
    const int row = has_gaps ? w + 3 : w;
    step = {c * h * row, h * row, row, 1};
    RIGHT(cudnnCreateTensorDescriptor(&of));
    RIGHT(cudnnSetTensor4dDescriptorEx(of, type, n, c, h, w, step[0], step[1], step[2], step[3]));
    for (int i = 0; i < n * c * h * w; ++i) places.push_back(std::size_t(i / w * row + i % w));
    elements = std::size_t(n * c * h * row);
  }
  ~Tensor4() { RIGHT(cudnnDestroyTensorDescriptor(of)); }
  cudnnTensorDescriptor_t of = nullptr;
  std::array<int, 4> step{};
  std::vector<std::size_t> places;  // of elements
  std::size_t elements = 0;         // with gaps
};

template <typename T>
void check_dropout(float share, bool has_gaps) {
  const Tensor4 size(type_of<T>, {3, 7, 11, 13}, has_gaps);
  Array<T> x(size.elements), y(size.elements), dy(size.elements), dx(size.elements);
  randomize(x), randomize(dy);
  for (T& one : x.host)
    if (wide(one) == 0) one = narrow<T>(0.5);
  x.to_device();
  size_t state_bytes = 0, bytes = 0;
  RIGHT(cudnnDropoutGetStatesSize(handle, &state_bytes));
  RIGHT(cudnnDropoutGetReserveSpaceSize(size.of, &bytes));
  Array<unsigned char> states(state_bytes), reserve(bytes), second(bytes);
  cudnnDropoutDescriptor_t d, other;
  RIGHT(cudnnCreateDropoutDescriptor(&d));
  RIGHT(cudnnCreateDropoutDescriptor(&other));
  const unsigned long long seed = 0x123456789abcull;
  RIGHT(cudnnSetDropoutDescriptor(d, handle, share, states.device, state_bytes, seed));
  const auto run = [&](cudnnDropoutDescriptor_t with) {
    poison(y);
    RIGHT(cudnnDropoutForward(handle, with, size.of, x.device, size.of, y.device, reserve.device,
                              bytes));
    return y.from_device();
  };
  const double scale = share < 1 ? 1 / (1 - double(share)) : 0;
  const std::vector<T> first = run(d);
  std::vector<double> expected(size.elements, NAN), of_dy(size.elements, NAN);
  double zeros = 0;
  for (const std::size_t at : size.places) {
    const bool is_kept = wide(first[at]) != 0;
    zeros += !is_kept;
    expected[at] = is_kept ? wide(x.host[at]) * scale : 0;
    of_dy[at] = is_kept ? wide(dy.host[at]) * scale : 0;
  }
  NEAR("dropout", y, expected, bound_of<T>);
  const double count = double(size.places.size());
  EXPECT(std::abs(zeros - share * count) <= 5 * std::sqrt(share * (1 - share) * count));
  poison(dx);
  RIGHT(cudnnDropoutBackward(handle, d, size.of, dy.device, size.of, dx.device, reserve.device,
                             bytes));
  NEAR("dropout's gradient", dx, of_dy, bound_of<T>);

  // Another mask each time; the same ones from the same seed; and from states that were kept.
  const auto same = [&](const std::vector<T>& a, const std::vector<T>& b) {
    return std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0;
  };
  const bool is_random = share > 0 && share < 1;
  Array<unsigned char> kept(state_bytes);
  EXPECT(cudaMemcpy(kept.device, states.device, state_bytes, cudaMemcpyDeviceToDevice) ==
         cudaSuccess);
  const std::vector<T> next = run(d);
  EXPECT(same(first, next) == !is_random);
  RIGHT(cudnnRestoreDropoutDescriptor(other, handle, share, kept.device, state_bytes, seed));
  EXPECT(same(run(other), next));
  float got = -1;
  void* place = nullptr;
  unsigned long long got_seed = 0;
  RIGHT(cudnnGetDropoutDescriptor(other, handle, &got, &place, &got_seed));
  EXPECT(got == share && place == kept.device && got_seed == seed);
  RIGHT(cudnnSetDropoutDescriptor(d, handle, share, states.device, state_bytes, seed));
  EXPECT(same(run(d), first));
  RIGHT(cudnnSetDropoutDescriptor(d, handle, share, states.device, state_bytes, seed + 1));
  EXPECT(same(run(d), first) == !is_random);
  // In place.
  RIGHT(cudnnSetDropoutDescriptor(d, handle, share, states.device, state_bytes, seed));
  for (const std::size_t at : size.places) y.host[at] = x.host[at];
  y.to_device();
  RIGHT(
      cudnnDropoutForward(handle, d, size.of, y.device, size.of, y.device, reserve.device, bytes));
  NEAR("dropout in place", y, expected, bound_of<T>);
  RIGHT(cudnnDestroyDropoutDescriptor(d));
  RIGHT(cudnnDestroyDropoutDescriptor(other));
}

void check_dropout_refusals() {
  const Tensor4 size(CUDNN_DATA_FLOAT, {1, 2, 3, 5}), small(CUDNN_DATA_FLOAT, {1, 2, 3, 4}),
      gaps(CUDNN_DATA_FLOAT, {1, 2, 3, 5}, true);
  Array<float> x(size.elements), y(gaps.elements);
  Array<unsigned char> states(64), reserve(64);
  poison(y);
  cudnnDropoutDescriptor_t d;
  RIGHT(cudnnCreateDropoutDescriptor(&d));
  const auto forward = [&](cudnnTensorDescriptor_t to, float* y_data, size_t bytes) {
    return cudnnDropoutForward(handle, d, size.of, x.device, to, y_data, reserve.device, bytes);
  };
  EXPECT(forward(size.of, y.device, 64) == CUDNN_STATUS_BAD_PARAM);  // not set
  EXPECT(cudnnSetDropoutDescriptor(d, handle, 1.5f, states.device, 64, 1) ==
         CUDNN_STATUS_BAD_PARAM);
  EXPECT(cudnnSetDropoutDescriptor(d, handle, 0.5f, states.device, 1, 1) ==
         CUDNN_STATUS_INVALID_VALUE);
  RIGHT(cudnnSetDropoutDescriptor(d, handle, 0.5f, nullptr, 0, 1));
  EXPECT(forward(size.of, y.device, 64) == CUDNN_STATUS_BAD_PARAM);  // without states
  EXPECT(cudnnRestoreDropoutDescriptor(d, handle, 0.5f, states.device, 1, 1) ==
         CUDNN_STATUS_INVALID_VALUE);
  RIGHT(cudnnSetDropoutDescriptor(d, handle, 0.5f, states.device, 64, 1));
  EXPECT(forward(small.of, y.device, 64) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(gaps.of, x.device, 64) == CUDNN_STATUS_BAD_PARAM);
  EXPECT(forward(size.of, y.device, 29) == CUDNN_STATUS_BAD_PARAM);
  NEAR("refused dropout", y, std::vector<double>(y.host.size(), NAN), 0);
  RIGHT(forward(gaps.of, y.device, 30));
  RIGHT(cudnnDestroyDropoutDescriptor(d));
}

// ---- batch normalization with what follows it

template <typename T>
void check_normalization(cudnnBatchNormOps_t ops, cudnnBatchNormMode_t mode, bool has_gaps,
                         double alpha_value, double beta_value) {
  using Factor = std::conditional_t<std::is_same_v<T, double>, double, float>;
  const int N = 3, C = 5, S = 7 * 3;
  const Tensor4 size(type_of<T>, {N, C, 7, 3}, has_gaps);
  const bool is_spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION;
  const std::size_t parameters = is_spatial ? C : C * S;
  cudnnTensorDescriptor_t derived;
  RIGHT(cudnnCreateTensorDescriptor(&derived));
  RIGHT(cudnnDeriveBNTensorDescriptor(derived, size.of, mode));
  cudnnActivationDescriptor_t relu;
  RIGHT(cudnnCreateActivationDescriptor(&relu));
  RIGHT(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
  const bool adds = ops == CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION,
             rectifies = ops != CUDNN_BATCHNORM_OPS_BN;
  Array<T> x(size.elements), y(size.elements), z(size.elements), dx(size.elements),
      dy(size.elements), dz(size.elements);
  Array<Factor> scale(parameters), bias(parameters), mean(parameters), inverse(parameters),
      d_scale(parameters), d_bias(parameters);
  randomize(x), randomize(z), randomize(dy), randomize(scale), randomize(bias);
  beta_value == 0 ? poison(y) : randomize(y);
  poison(dx), poison(dz), poison(d_scale), poison(d_bias);
  const Factor alpha = alpha_value, beta = beta_value, one = 1, none = 0;
  size_t work = 1, back = 1, reserve = 1;
  RIGHT(cudnnGetBatchNormalizationForwardTrainingExWorkspaceSize(
      handle, mode, ops, size.of, adds ? size.of : nullptr, size.of, derived,
      rectifies ? relu : nullptr, &work));
  RIGHT(cudnnGetBatchNormalizationBackwardExWorkspaceSize(
      handle, mode, ops, size.of, size.of, size.of, adds ? size.of : nullptr, size.of, derived,
      rectifies ? relu : nullptr, &back));
  RIGHT(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
      handle, mode, ops, rectifies ? relu : nullptr, size.of, &reserve));
  EXPECT(work == 0 && back == 0 && reserve == 0);
  RIGHT(cudnnBatchNormalizationForwardTrainingEx(
      handle, mode, ops, &alpha, &beta, size.of, x.device, adds ? size.of : nullptr,
      adds ? z.device : nullptr, size.of, y.device, derived, scale.device, bias.device, 1, nullptr,
      nullptr, 1e-3, mean.device, inverse.device, rectifies ? relu : nullptr, nullptr, 0, nullptr,
      0));
  const auto parameter = [&](int i) { return std::size_t(is_spatial ? i / S % C : i % (C * S)); };
  const double terms = is_spatial ? N * S : N;
  const int count = N * C * S;
  std::vector<double> m(parameters), v(parameters), bias_sum(parameters), scale_sum(parameters);
  const auto at = [&](const Array<T>& a, int i) {
    return wide(a.host[size.places[std::size_t(i)]]);
  };
  for (int i = 0; i < count; ++i) m[parameter(i)] += at(x, i) / terms;
  for (int i = 0; i < count; ++i)
    v[parameter(i)] += std::pow(at(x, i) - m[parameter(i)], 2) / terms;
  const auto normal = [&](int i) {
    return (at(x, i) - m[parameter(i)]) / std::sqrt(v[parameter(i)] + 1e-3);
  };
  const auto inner = [&](int i) {
    return wide(scale.host[parameter(i)]) * normal(i) + wide(bias.host[parameter(i)]) +
           (adds ? at(z, i) : 0);
  };
  std::vector<double> ys = in_double(y.host);
  for (int i = 0; i < count; ++i) {
    double& to = ys[size.places[std::size_t(i)]];
    const double result = rectifies ? std::max(0.0, inner(i)) : inner(i);
    to = alpha * result + (beta_value == 0 ? 0 : beta * to);
  }
  NEAR("normalization and more", y, ys, bound_of<T> * 2);
  // Gradients of what was not blended.
  if (alpha_value == 1 && beta_value == 0) {
    RIGHT(cudnnBatchNormalizationBackwardEx(
        handle, mode, ops, &one, &none, &one, &none, size.of, x.device,
        rectifies ? size.of : nullptr, rectifies ? y.device : nullptr, size.of, dy.device,
        adds ? size.of : nullptr, adds ? dz.device : nullptr, size.of, dx.device, derived,
        scale.device, bias.device, d_scale.device, d_bias.device, 1e-3, mean.device, inverse.device,
        rectifies ? relu : nullptr, nullptr, 0, nullptr, 0));
    const std::vector<T> got = y.from_device();
    const auto slope = [&](int i) {
      return !rectifies || wide(got[size.places[std::size_t(i)]]) > 0 ? at(dy, i) : 0;
    };
    for (int i = 0; i < count; ++i) {
      bias_sum[parameter(i)] += slope(i);
      scale_sum[parameter(i)] += slope(i) * normal(i);
    }
    std::vector<double> dxs(size.elements, NAN), dzs(size.elements, NAN);
    for (int i = 0; i < count; ++i) {
      const std::size_t place = size.places[std::size_t(i)], k = parameter(i);
      dxs[place] = wide(scale.host[k]) / std::sqrt(v[k] + 1e-3) *
                   (slope(i) - (bias_sum[k] + normal(i) * scale_sum[k]) / terms);
      dzs[place] = slope(i);
    }
    NEAR("gradient of normalization and more", dx, dxs, bound_of<T> * 10);
    if (adds) NEAR("gradient of the addend", dz, dzs, bound_of<T>);
    NEAR("gradient of scales", d_scale, scale_sum, std::max(bound_of<T>, bound_of<Factor> * 10));
    NEAR("gradient of biases", d_bias, bias_sum, std::max(bound_of<T>, bound_of<Factor> * 10));
  }
  if (rectifies) {
    RIGHT(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_TANH, CUDNN_NOT_PROPAGATE_NAN, 0));
    EXPECT(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
               handle, mode, ops, relu, size.of, &reserve) == CUDNN_STATUS_NOT_SUPPORTED);
    EXPECT(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(
               handle, mode, ops, nullptr, size.of, &reserve) == CUDNN_STATUS_BAD_PARAM);
  }
  EXPECT(cudnnGetBatchNormalizationTrainingExReserveSpaceSize(handle, mode, cudnnBatchNormOps_t(3),
                                                              relu, size.of,
                                                              &reserve) == CUDNN_STATUS_BAD_PARAM);
  RIGHT(cudnnDestroyActivationDescriptor(relu));
  RIGHT(cudnnDestroyTensorDescriptor(derived));
}

}  // namespace

int main() {
  RIGHT(cudnnCreate(&handle));
  check_recurrent();
  for (const bool has_gaps : {false, true})
    for (const float share : {0.0f, 0.1f, 0.5f, 0.9f, 1.0f}) {
      check_dropout<float>(share, has_gaps);
      check_dropout<double>(share, has_gaps);
      check_dropout<__half>(share, has_gaps);
    }
  check_dropout_refusals();
  for (const auto ops : {CUDNN_BATCHNORM_OPS_BN, CUDNN_BATCHNORM_OPS_BN_ACTIVATION,
                         CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION})
    for (const auto mode : {CUDNN_BATCHNORM_PER_ACTIVATION, CUDNN_BATCHNORM_SPATIAL,
                            CUDNN_BATCHNORM_SPATIAL_PERSISTENT}) {
      check_normalization<float>(ops, mode, false, 1, 0);
      check_normalization<double>(ops, mode, true, 1, 0);
      check_normalization<__half>(ops, mode, true, 1, 0);
      check_normalization<float>(ops, mode, true, 0.5, 2);
    }
  RIGHT(cudnnDestroy(handle));
  return finish();
}
