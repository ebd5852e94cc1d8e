// The product of a real matrix and a vector: the kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Both go along A's columns as they lie in memory. An element of A x is a sum over columns in
// order; one of A^T x is 32 sums over rows, which a tree adds. Neither depends on how a launch is
// split.
#include "libraries/blas/kernels/vectors_gemv.h"

#include "libraries/blas/kernels/vectors_kernels.h"

namespace gridspan::libraries::blas {
namespace {

constexpr int few_rows = 256, many_rows = 512;  // of a block
constexpr int at_once = 8;                      // columns
constexpr unsigned warp = 32, columns_of_block = 8;

/// Both factors are read at the end: one that lives through a kernel's loops makes them slower.
/// What alpha of 0 multiplies counts for nothing, though it was read.
template <typename T>
__device__ inline T combined(Scalar<T> alpha_or_place, T sum, Scalar<T> beta_or_place,
                             const T* old) {
  const T alpha = alpha_or_place.place ? *alpha_or_place.place : alpha_or_place.value;
  const T beta = beta_or_place.place ? *beta_or_place.place : beta_or_place.value;
  const T scaled = is_zero(alpha) ? alpha : alpha * sum;
  return is_zero(beta) ? scaled : added(scaled, beta, *old);
}

/// A x: a thread for each row. All rows of a block take some columns, then the next ones, so that
/// memory is read along columns.
template <template <typename> class Elements, int block_rows, typename T>
__global__ void multiply(int rows, int columns, Scalar<T> alpha, const T* a, int lead, const T* x,
                         long long x_step, Scalar<T> beta, T* y, long long y_step) {
  __shared__ T sums[block_rows];
  const int t = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x * blockDim.x) + t;
  sums[t] = 0;
  __syncthreads();
  int j = 0;
  for (; j + at_once <= columns; j += at_once) {
    if (i < rows) {
      T sum = sums[t];
#pragma unroll
      for (int k = 0; k < at_once; ++k) sum += a[i + (j + k) * lead] * x[(j + k) * x_step];
      sums[t] = sum;
    }
    __syncthreads();
  }
  for (; j < columns; ++j) {
    if (i < rows) sums[t] += a[i + j * lead] * x[j * x_step];
    __syncthreads();
  }
  if (i >= rows) return;
  T& to = Elements<T>::at(y, y_step, i);
  to = combined(alpha, sums[t], beta, &to);
}

/// A^T x: a warp for each column.
template <template <typename> class Elements, typename T>
__global__ void multiply_transposed(int rows, int columns, Scalar<T> alpha, const T* a, int lead,
                                    const T* x, long long x_step, Scalar<T> beta, T* y,
                                    long long y_step) {
  const int j = static_cast<int>(blockIdx.x * blockDim.y + threadIdx.y);
  T sum = 0;
  if (j < columns)
    for (int i = static_cast<int>(threadIdx.x); i < rows; i += static_cast<int>(warp))
      sum += a[i + j * lead] * Elements<const T>::at(x, x_step, i);
  for (unsigned width = warp / 2; width > 0; width /= 2) sum += __shfl_down_sync(~0u, sum, width);
  if (threadIdx.x != 0 || j >= columns) return;
  T* const to = &y[j * y_step];
  *to = combined(alpha, sum, beta, to);
}

unsigned blocks_for(std::int64_t count, unsigned size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

// Each launch names its kernel and its block, so that the compiler knows them together.

template <template <typename> class Elements, int block_rows, typename T>
cudaError_t launch_whole(const Gemv<T>& g) {
  return start_kernel(multiply<Elements, block_rows, T>, dim3(blocks_for(g.rows, block_rows)),
                      dim3(block_rows), g.stream, g.rows, g.columns, g.alpha, g.a, g.lead,
                      g.x.start, g.x.step, g.beta, g.y.start, g.y.step);
}

template <template <typename> class Elements, typename T>
cudaError_t launch_transposed(const Gemv<T>& g) {
  return start_kernel(multiply_transposed<Elements, T>,
                      dim3(blocks_for(g.columns, columns_of_block)), dim3(warp, columns_of_block),
                      g.stream, g.rows, g.columns, g.alpha, g.a, g.lead, g.x.start, g.x.step,
                      g.beta, g.y.start, g.y.step);
}

}  // namespace

template <typename T>
cudaError_t launch_gemv(const Gemv<T>& given) {
  using detail::Apart;
  using detail::Neighbours;
  Gemv<T> g = given;
  if (!g.alpha.place && is_zero(g.alpha.value)) (g.is_transposed ? g.rows : g.columns) = 0;
  if (g.is_transposed)
    return g.x.step == 1 ? launch_transposed<Neighbours>(g) : launch_transposed<Apart>(g);
  if (g.y.step != 1) return launch_whole<Apart, few_rows>(g);
  return g.rows > 2 * few_rows ? launch_whole<Neighbours, many_rows>(g)
                               : launch_whole<Neighbours, few_rows>(g);
}

template cudaError_t launch_gemv<float>(const Gemv<float>&);
template cudaError_t launch_gemv<double>(const Gemv<double>&);

}  // namespace gridspan::libraries::blas
