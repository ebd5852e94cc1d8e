// cuBLASLt: a product as its descriptors give it, checked before anything runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/checks.h"
#include "libraries/blas/api/lt_descriptors.h"
#include "libraries/blas/kernels/elements.h"

#include <cublasLt.h>

#include <cstdint>

namespace gridspan::libraries::blas {

/// D = f(alpha op(A) op(B) + beta C + bias)
struct LtProduct {
  Product product;
  Layout a, b, c, d;

  std::int64_t m() const { return static_cast<std::int64_t>(d.rows); }
  std::int64_t n() const { return static_cast<std::int64_t>(d.columns); }
  std::int64_t k() const {
    return static_cast<std::int64_t>(product.transpose_a == CUBLAS_OP_N ? a.columns : a.rows);
  }
  std::int64_t batch_count() const { return d.batch_count; }
  bool is_grouped() const { return d.batch_mode == CUBLASLT_BATCH_MODE_GROUPED; }
  bool has(std::uint32_t epilogue) const { return (product.epilogue & epilogue) != 0; }
};

// The bits of cublasLtEpilogue_t.
inline constexpr std::uint32_t with_relu = 2, with_bias = 4, with_relu_gradient = 8,
                               with_bias_gradient = 16, with_gelu = 32, with_gelu_gradient = 64,
                               with_aux = 128, with_sums_of_a = 256, with_sums_of_b = 512;

/// Sizes that belong together, and types, orders and epilogues that are there.
cublasStatus_t check(Check& check, const LtProduct& product);

/// A layout that a program gives: its sizes and leading dimension, its order and type. Of products
/// only: batches behind pointers, and complex numbers in planes.
cublasStatus_t check(Check& check, const Layout& layout, const char* argument,
                     bool is_of_product = false);
/// A matrix of complex numbers in planes.
bool has_planes(const Layout& layout);
/// Which elements of a matrix share a factor.
Factors factors_of(std::int32_t scale_mode);
Placement placement_of(const Layout& layout);
std::int64_t element_size(cudaDataType type);

/// A handle of cuBLASLt, or one of cuBLAS, which is one, too.
bool is_lt_handle(cublasLtHandle_t handle);
/// Checks that begin with the handle.
Check lt_check(cublasLtHandle_t handle, const char* call = __builtin_FUNCTION());

/// Tells the program's log, if it wants such lines.
enum class LtLog { error = 1, trace = 2, call = 5 };
void lt_log(LtLog level, const char* function, const char* message);

template <typename Contents, typename Opaque>
const Contents& contents(const Opaque* descriptor) {
  return *reinterpret_cast<const Contents*>(descriptor);
}

}  // namespace gridspan::libraries::blas
