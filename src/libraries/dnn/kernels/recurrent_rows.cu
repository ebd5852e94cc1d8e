// Rows of sequences, in and out of a program's arrays, and their sums.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/dnn/kernels/recurrent.h"
#include "libraries/support/start_kernel.h"

#include <algorithm>

namespace gridspan::libraries::dnn {
namespace {

constexpr int numbers_at_once = 128;
struct Numbers {
  int at[numbers_at_once];
};

__global__ void write_numbers(Numbers numbers, int count, int* to) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = numbers.at[i];
}

/// The result is written in order, whatever the order of what is read: subscripts that are data
/// would tell no device which part it writes.
template <typename From, typename To, bool is_ordered, bool has_ends>
__global__ void take_vectors(int batch, int size, const From* from, long long step,
                             long long sequence, const int* order, const int* length, To* rows) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  const int t = blockIdx.z;
  if (j >= size || s >= batch) return;
  const int b = is_ordered ? order[s] : s;
  To value = 0;
  if (!has_ends || t < length[s]) value = static_cast<To>(wide(from[t * step + b * sequence + j]));
  rows[(t * batch + s) * size + j] = value;
}

template <typename From, typename To, bool is_ordered, bool has_ends>
__global__ void put_vectors(int batch, int size, const From* rows, const int* place,
                            const int* length, Wide<To> fill, To* to, long long step,
                            long long sequence) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, b = blockIdx.y * blockDim.y + threadIdx.y;
  const int t = blockIdx.z;
  if (j >= size || b >= batch) return;
  const int s = is_ordered ? place[b] : b;
  Wide<To> value = fill;
  if (!has_ends || t < length[b]) value = static_cast<Wide<To>>(rows[(t * batch + s) * size + j]);
  to[t * step + b * sequence + j] = static_cast<To>(value);
}

template <typename T, bool is_sum>
__global__ void add_rows(int rows, int columns, const T* a, int a_lead, const T* b, int b_lead,
                         T* to, int to_lead) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= columns || s >= rows) return;
  T sum = a[s * a_lead + j];
  if constexpr (is_sum) sum += b[s * b_lead + j];
  to[s * to_lead + j] = sum;
}

template <typename T, bool adds>
__global__ void sum_gates(int rows, int gates, int hidden, const T* from, T* to) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x, s = blockIdx.y * blockDim.y + threadIdx.y;
  if (j >= hidden || s >= rows) return;
  T sum = adds ? to[s * hidden + j] : 0;
  for (int g = 0; g < gates; ++g) sum += from[s * (gates * hidden) + g * hidden + j];
  to[s * hidden + j] = sum;
}

template <typename T>
__global__ void sum_rows(int rows, int columns, const T* from, T* to) {
  const int j = blockIdx.x * blockDim.x + threadIdx.x;
  if (j >= columns) return;
  T sum = 0;
  for (int s = 0; s < rows; ++s) sum += from[s * columns + j];
  to[j] += sum;
}

const dim3 block(32, 8);

dim3 grid_of(int columns, int rows, int steps = 1) {
  return dim3(blocks_of(columns, block.x), blocks_of(rows, block.y), steps);
}

bool is_empty(const Vectors& v) { return v.steps == 0 || v.batch == 0 || v.size == 0; }

template <typename From, typename To>
auto take_kernel(const Vectors& v) {
  if (v.order)
    return v.length ? take_vectors<From, To, true, true> : take_vectors<From, To, true, false>;
  return v.length ? take_vectors<From, To, false, true> : take_vectors<From, To, false, false>;
}

template <typename From, typename To>
auto put_kernel(const Vectors& v) {
  if (v.place)
    return v.length ? put_vectors<From, To, true, true> : put_vectors<From, To, true, false>;
  return v.length ? put_vectors<From, To, false, true> : put_vectors<From, To, false, false>;
}

}  // namespace

cudaError_t launch_numbers(const std::vector<int>& numbers, int* to, cudaStream_t stream) {
  const int count = static_cast<int>(numbers.size());
  for (int first = 0; first < count; first += numbers_at_once) {
    const int some = std::min(numbers_at_once, count - first);
    Numbers part{};
    std::copy_n(numbers.begin() + first, some, part.at);
    const cudaError_t error =
        start_kernel(write_numbers, 1, numbers_at_once, stream, part, some, to + first);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t launch_take(cudnnDataType_t type, const Vectors& v, const void* from, T* rows,
                        cudaStream_t stream) {
  if (is_empty(v)) return cudaSuccess;
  return with_type(type, [&](auto of) {
    using From = decltype(of);
    if constexpr (!std::is_same_v<Wide<From>, T>)
      return cudaErrorInvalidValue;
    else
      return start_kernel(take_kernel<From, T>(v), grid_of(v.size, v.batch, v.steps), block, stream,
                          v.batch, v.size, static_cast<const From*>(from), v.step, v.sequence,
                          v.order, v.length, rows);
  });
}

template <typename T>
cudaError_t launch_put(cudnnDataType_t type, const Vectors& v, const T* rows, double fill, void* to,
                       cudaStream_t stream) {
  if (is_empty(v)) return cudaSuccess;
  return with_type(type, [&](auto of) {
    using To = decltype(of);
    if constexpr (!std::is_same_v<Wide<To>, T>)
      return cudaErrorInvalidValue;
    else
      return start_kernel(put_kernel<T, To>(v), grid_of(v.size, v.batch, v.steps), block, stream,
                          v.batch, v.size, rows, v.place, v.length, fill, static_cast<To*>(to),
                          v.step, v.sequence);
  });
}

template <typename T>
cudaError_t launch_add_rows(int rows, int columns, Rows<const T> a, Rows<const T> b, Rows<T> to,
                            cudaStream_t stream) {
  return start_kernel(b.base ? add_rows<T, true> : add_rows<T, false>, grid_of(columns, rows),
                      block, stream, rows, columns, a.base, a.lead, b.base, b.lead, to.base,
                      to.lead);
}

template <typename T>
cudaError_t launch_sum_gates(int rows, int gates, int hidden, const T* from, bool adds, T* to,
                             cudaStream_t stream) {
  constexpr int at_once = 65535 * 8;  // blocks of eight
  for (long long first = 0; first < rows; first += at_once) {
    const int some = static_cast<int>(std::min<long long>(at_once, rows - first));
    const cudaError_t error = start_kernel(
        adds ? sum_gates<T, true> : sum_gates<T, false>, grid_of(hidden, some), block, stream, some,
        gates, hidden, from + first * gates * hidden, to + first * hidden);
    if (error != cudaSuccess) return error;
  }
  return cudaSuccess;
}

template <typename T>
cudaError_t launch_sum_rows(int rows, int columns, const T* from, T* to, cudaStream_t stream) {
  return start_kernel(sum_rows<T>, blocks_of(columns), block_threads, stream, rows, columns, from,
                      to);
}

#define GRIDSPAN_ROWS(T)                                                                       \
  template cudaError_t launch_take<T>(cudnnDataType_t, const Vectors&, const void*, T*,        \
                                      cudaStream_t);                                           \
  template cudaError_t launch_put<T>(cudnnDataType_t, const Vectors&, const T*, double, void*, \
                                     cudaStream_t);                                            \
  template cudaError_t launch_add_rows<T>(int, int, Rows<const T>, Rows<const T>, Rows<T>,     \
                                          cudaStream_t);                                       \
  template cudaError_t launch_sum_gates<T>(int, int, int, const T*, bool, T*, cudaStream_t);   \
  template cudaError_t launch_sum_rows<T>(int, int, const T*, T*, cudaStream_t);
GRIDSPAN_ROWS(float)
GRIDSPAN_ROWS(double)

}  // namespace gridspan::libraries::dnn
