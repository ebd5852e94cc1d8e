// Elements that are larger than a threshold: a thread for a row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/kernels/prune.h"

#include "libraries/sparse/kernels/widths.h"

#include <cuda_fp16.h>

namespace gridspan::libraries::sparse {
namespace {

__device__ inline float magnitude(__half x) { return fabsf(__half2float(x)); }
__device__ inline float magnitude(float x) { return fabsf(x); }
__device__ inline double magnitude(double x) { return fabs(x); }
__device__ inline float magnitude(cuComplex x) { return cuCabsf(x); }
__device__ inline double magnitude(cuDoubleComplex x) { return cuCabs(x); }
__device__ inline float real_part(__half x) { return __half2float(x); }
__device__ inline float real_part(float x) { return x; }
__device__ inline double real_part(double x) { return x; }
__device__ inline float real_part(cuComplex x) { return x.x; }
__device__ inline double real_part(cuDoubleComplex x) { return x.x; }

/// Calls `take` with the column and the value of each that is kept.
template <typename T, typename Take>
__device__ void for_kept(const PruneSource<T>& a, const Scalar<T>& threshold, long long row,
                         Take take) {
  const auto least = real_part(value_of(threshold));
  const long long start = a.offsets ? a.offsets[row] - a.base : 0;
  const long long end = a.offsets ? a.offsets[row + 1] - a.base : a.columns;
  for (long long k = start; k < end; ++k) {
    const T value = a.offsets ? a.values[k] : a.values[row + k * a.lead];
    if (magnitude(value) > least) take(a.offsets ? a.indices[k] - a.base : k, value);
  }
}

template <typename T>
__global__ void count_kept(PruneSource<T> a, Scalar<T> threshold, int* counts) {
  const long long row = own_number();
  if (row >= a.rows) return;
  int count = 0;
  for_kept(a, threshold, row, [&](long long, T) { ++count; });
  counts[row + 1] = count;
  if (row == 0) counts[0] = 0;
}

template <typename T>
__global__ void keep(PruneSource<T> a, Scalar<T> threshold, const int* offsets, int base,
                     int* indices, T* values) {
  const long long row = own_number();
  if (row >= a.rows) return;
  long long to = offsets[row] - base;
  for_kept(a, threshold, row, [&](long long column, T value) {
    indices[to] = static_cast<int>(column) + base;
    values[to] = value;
    ++to;
  });
}

}  // namespace

template <typename T>
cudaError_t launch_count_kept(const PruneSource<T>& a, Scalar<T> threshold, int* counts,
                              cudaStream_t stream) {
  if (a.rows == 0) return cudaMemsetAsync(counts, 0, sizeof(int), stream);
  return start_kernel(count_kept<T>, blocks_of(a.rows), dim3(block), stream, a, threshold, counts);
}

template <typename T>
cudaError_t launch_keep(const PruneSource<T>& a, Scalar<T> threshold, const int* offsets, int base,
                        int* indices, T* values, cudaStream_t stream) {
  if (a.rows == 0) return cudaSuccess;
  return start_kernel(keep<T>, blocks_of(a.rows), dim3(block), stream, a, threshold, offsets, base,
                      indices, values);
}

#define GRIDSPAN_PRUNE(T)                                                                          \
  template cudaError_t launch_count_kept<T>(const PruneSource<T>&, Scalar<T>, int*, cudaStream_t); \
  template cudaError_t launch_keep<T>(const PruneSource<T>&, Scalar<T>, const int*, int, int*, T*, \
                                      cudaStream_t);
GRIDSPAN_PRUNE(__half)
GRIDSPAN_PRUNE(float)
GRIDSPAN_PRUNE(double)
GRIDSPAN_PRUNE(cuComplex)
GRIDSPAN_PRUNE(cuDoubleComplex)

}  // namespace gridspan::libraries::sparse
