// What follows the products of a recurrent network's step, and the gradients of it: a thread for
// each unit of each sequence, which computes it alone. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "libraries/dnn/kernels/recurrent.h"
#include "libraries/support/start_kernel.h"

namespace gridspan::libraries::dnn {
namespace {

template <typename T>
__device__ T sigmoid(T x) {
  return 1 / (1 + exp(-x));
}

/// h = f(W x + R h + biases)
template <typename T, bool rectifies, bool keeps>
__global__ void plain_step(int hidden, int batch, const T* input, int input_lead,
                           const T* recurrent, const T* input_bias, const T* recurrent_bias, T* h,
                           T* output, int output_lead, T* kept) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= batch) return;
  const T sum =
      input[s * input_lead + j] + input_bias[j] + recurrent[s * hidden + j] + recurrent_bias[j];
  const T result = rectifies ? (sum > 0 ? sum : 0) : tanh(sum);
  h[s * hidden + j] = result;
  output[s * output_lead + j] = result;
  if constexpr (keeps) kept[s * hidden + j] = result;
}

/// Gates are the input's, the forget gate, the new memory, the output's.
template <typename T, bool keeps>
__global__ void lstm_step(int hidden, int batch, const T* input, int input_lead, int input_gate,
                          const T* recurrent, const T* input_bias, const T* recurrent_bias, T* c,
                          T* h, T* output, int output_lead, T* kept, T* kept_c) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= batch) return;
  T sum[4];
#pragma unroll
  for (int g = 0; g < 4; ++g)
    sum[g] = input[s * input_lead + g * input_gate + j] + input_bias[g * hidden + j] +
             recurrent[s * (4 * hidden) + g * hidden + j] + recurrent_bias[g * hidden + j];
  const T in = sigmoid(sum[0]), forget = sigmoid(sum[1]), memory = tanh(sum[2]),
          out = sigmoid(sum[3]);
  const T old = c[s * hidden + j], now = forget * old + in * memory;
  const T result = out * tanh(now);
  c[s * hidden + j] = now;
  h[s * hidden + j] = result;
  output[s * output_lead + j] = result;
  if constexpr (keeps) {
    kept[s * (4 * hidden) + j] = in;
    kept[s * (4 * hidden) + hidden + j] = forget;
    kept[s * (4 * hidden) + 2 * hidden + j] = memory;
    kept[s * (4 * hidden) + 3 * hidden + j] = out;
    kept_c[s * hidden + j] = old;
  }
}

/// Gates are the reset gate, the update gate, the new memory.
template <typename T, bool keeps>
__global__ void gru_step(int hidden, int batch, const T* input, int input_lead, int input_gate,
                         const T* recurrent, const T* input_bias, const T* recurrent_bias, T* h,
                         T* output, int output_lead, T* kept, T* kept_recurrent) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= batch) return;
  T x[3], r[3];
#pragma unroll
  for (int g = 0; g < 3; ++g) {
    x[g] = input[s * input_lead + g * input_gate + j] + input_bias[g * hidden + j];
    r[g] = recurrent[s * (3 * hidden) + g * hidden + j] + recurrent_bias[g * hidden + j];
  }
  const T reset = sigmoid(x[0] + r[0]), update = sigmoid(x[1] + r[1]);
  const T memory = tanh(x[2] + reset * r[2]);
  const T result = (1 - update) * memory + update * h[s * hidden + j];
  h[s * hidden + j] = result;
  output[s * output_lead + j] = result;
  if constexpr (keeps) {
    kept[s * (3 * hidden) + j] = reset;
    kept[s * (3 * hidden) + hidden + j] = update;
    kept[s * (3 * hidden) + 2 * hidden + j] = memory;
    kept_recurrent[s * (3 * hidden) + 2 * hidden + j] = r[2];
  }
}

template <typename T, bool rectifies>
__global__ void plain_gradient(int hidden, int batch, const T* d_output, int output_lead,
                               const T* dh, T* gates) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= batch) return;
  const T result = gates[s * hidden + j];
  const T slope = rectifies ? (result > 0 ? 1 : 0) : 1 - result * result;
  gates[s * hidden + j] = (dh[s * hidden + j] + d_output[s * output_lead + j]) * slope;
}

template <typename T>
__global__ void lstm_gradient(int hidden, int batch, const T* d_output, int output_lead,
                              const T* dh, T* dc, const T* old_c, T* gates) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= batch) return;
  const int first = s * (4 * hidden) + j;
  const T in = gates[first], forget = gates[first + hidden], memory = gates[first + 2 * hidden],
          out = gates[first + 3 * hidden];
  const T old = old_c[s * hidden + j], bent = tanh(forget * old + in * memory);
  const T of_h = dh[s * hidden + j] + d_output[s * output_lead + j];
  const T of_c = dc[s * hidden + j] + of_h * out * (1 - bent * bent);
  gates[first] = of_c * memory * in * (1 - in);
  gates[first + hidden] = of_c * old * forget * (1 - forget);
  gates[first + 2 * hidden] = of_c * in * (1 - memory * memory);
  gates[first + 3 * hidden] = of_h * bent * out * (1 - out);
  dc[s * hidden + j] = of_c * forget;
}

template <typename T>
__global__ void gru_gradient(int hidden, int batch, const T* d_output, int output_lead, T* dh,
                             const T* old_h, T* gates, T* recurrent) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= batch) return;
  const int first = s * (3 * hidden) + j;
  const T reset = gates[first], update = gates[first + hidden], memory = gates[first + 2 * hidden];
  const T r = recurrent[first + 2 * hidden];
  const T of_h = dh[s * hidden + j] + d_output[s * output_lead + j];
  const T of_memory = of_h * (1 - update) * (1 - memory * memory);
  const T of_reset = of_memory * r * reset * (1 - reset);
  const T of_update = of_h * (old_h[s * hidden + j] - memory) * update * (1 - update);
  gates[first] = recurrent[first] = of_reset;
  gates[first + hidden] = recurrent[first + hidden] = of_update;
  gates[first + 2 * hidden] = of_memory;
  recurrent[first + 2 * hidden] = of_memory * reset;
  dh[s * hidden + j] = of_h * update;
}

const dim3 block(32, 8);

dim3 grid_of(int hidden, int batch) {
  return dim3(blocks_of(hidden, block.x), blocks_of(batch, block.y));
}

template <typename T, bool rectifies>
cudaError_t start_plain(const Step<T>& p) {
  return start_kernel(
      p.kept_gates ? plain_step<T, rectifies, true> : plain_step<T, rectifies, false>,
      grid_of(p.hidden, p.batch), block, p.stream, p.hidden, p.batch, p.input, p.input_lead,
      p.recurrent, p.input_bias, p.recurrent_bias, p.h, p.output, p.output_lead, p.kept_gates);
}

}  // namespace

template <typename T>
cudaError_t launch_step(cudnnRNNMode_t cell, const Step<T>& p) {
  const dim3 grid = grid_of(p.hidden, p.batch);
  switch (cell) {
    case CUDNN_RNN_RELU:
      return start_plain<T, true>(p);
    case CUDNN_RNN_TANH:
      return start_plain<T, false>(p);
    case CUDNN_LSTM:
      return start_kernel(p.kept_gates ? lstm_step<T, true> : lstm_step<T, false>, grid, block,
                          p.stream, p.hidden, p.batch, p.input, p.input_lead, p.input_gate,
                          p.recurrent, p.input_bias, p.recurrent_bias, p.c, p.h, p.output,
                          p.output_lead, p.kept_gates, p.kept_c);
    case CUDNN_GRU:
      return start_kernel(p.kept_gates ? gru_step<T, true> : gru_step<T, false>, grid, block,
                          p.stream, p.hidden, p.batch, p.input, p.input_lead, p.input_gate,
                          p.recurrent, p.input_bias, p.recurrent_bias, p.h, p.output, p.output_lead,
                          p.kept_gates, p.kept_recurrent);
  }
  return cudaErrorInvalidValue;
}

template <typename T>
cudaError_t launch_step_gradient(cudnnRNNMode_t cell, const StepGradient<T>& p) {
  const dim3 grid = grid_of(p.hidden, p.batch);
  switch (cell) {
    case CUDNN_RNN_RELU:
    case CUDNN_RNN_TANH:
      return start_kernel(
          cell == CUDNN_RNN_RELU ? plain_gradient<T, true> : plain_gradient<T, false>, grid, block,
          p.stream, p.hidden, p.batch, p.d_output, p.output_lead, p.dh, p.gates);
    case CUDNN_LSTM:
      return start_kernel(lstm_gradient<T>, grid, block, p.stream, p.hidden, p.batch, p.d_output,
                          p.output_lead, p.dh, p.dc, p.c, p.gates);
    case CUDNN_GRU:
      return start_kernel(gru_gradient<T>, grid, block, p.stream, p.hidden, p.batch, p.d_output,
                          p.output_lead, p.dh, p.h, p.gates, p.recurrent);
  }
  return cudaErrorInvalidValue;
}

template cudaError_t launch_step<float>(cudnnRNNMode_t, const Step<float>&);
template cudaError_t launch_step<double>(cudnnRNNMode_t, const Step<double>&);
template cudaError_t launch_step_gradient<float>(cudnnRNNMode_t, const StepGradient<float>&);
template cudaError_t launch_step_gradient<double>(cudnnRNNMode_t, const StepGradient<double>&);

}  // namespace gridspan::libraries::dnn
