// Matrices of any element type, in any order that cuBLASLt knows, as arrays of a type to compute
// with, and back: how the kernels are launched.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/kernels/gemm.h"

#include <cuComplex.h>
#include <library_types.h>

namespace gridspan::libraries::blas {

/// Where elements lie: (i, j) of product z at i * row + j * column + z * batch, or in tiles of 32
/// columns, `column` elements from one tile to the next.
enum class ElementOrder { steps, columns_32, ampere_tiles, turing_tiles };
struct Placement {
  ElementOrder order = ElementOrder::steps;
  std::int64_t row = 1, column = 0, batch = 0;
};

/// A matrix, or one for each product of a batch. `transposed`: (i, j) of it is (j, i) in memory.
struct TypedMatrix {
  const void* base = nullptr;
  cudaDataType type = CUDA_R_32F;
  Placement placement;
  bool transposed = false;
  /// In device memory: the matrix of each product, in place of `base` and a distance.
  const void* const* array = nullptr;
  std::int64_t plane = 0;  // bytes from the real parts to the imaginary ones
};

/// m rows, n columns, one after the other, into `to`. Work: float, double, int. Half precision,
/// bfloat16, both 8-bit formats and integers are known; for float also the one of 4 bits, by
/// columns or rows that begin with a byte.
template <typename Work>
cudaError_t launch_load(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                        const TypedMatrix& from, Work* to, cudaStream_t stream);
/// The other way, times *scale if there is one. What does not fit becomes the largest number that
/// does; integers are rounded to the nearest.
template <typename Work>
cudaError_t launch_store(std::int64_t m, std::int64_t n, std::int64_t batch_count, const Work* from,
                         const float* scale, const TypedMatrix& to, cudaStream_t stream);

/// Complex numbers whose real and imaginary parts lie apart.
cudaError_t launch_load_planes(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                               const TypedMatrix& from, cuComplex* to, cudaStream_t stream);
cudaError_t launch_store_planes(std::int64_t m, std::int64_t n, std::int64_t batch_count,
                                const cuComplex* from, const TypedMatrix& to, cudaStream_t stream);

/// Which elements share a factor of cublasLtMatmulMatrixScale_t.
enum class Factors { none, vectors_16, vectors_32, lines, vectors_128, blocks_128 };

/// m rows, n columns times their factors, in place. Vectors lie along the rows if `along_rows`,
/// else along the columns.
cudaError_t launch_factors(std::int64_t m, std::int64_t n, bool along_rows, Factors kind,
                           const void* factors, float* x, cudaStream_t stream);
/// The way back, in vectors of 16 (4 bits) or 32 elements of a column: each gets the factor with
/// which its largest element becomes the largest number of the type.
cudaError_t launch_store_vectors(std::int64_t m, std::int64_t n, const float* from,
                                 const float* scale, const TypedMatrix& to, void* factors,
                                 cudaStream_t stream);

/// A number of any type in device memory times those of the factors that there are.
template <typename Work>
cudaError_t launch_number(Scalar<Work> value, const void* place, cudaDataType type,
                          const float* factor, const float* other, Work* to, cudaStream_t stream);

}  // namespace gridspan::libraries::blas
