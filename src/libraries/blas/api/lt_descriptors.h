// cuBLASLt: the contents of descriptors, with the documented defaults.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cublasLt.h>

#include <cstddef>
#include <cstdint>

namespace gridspan::libraries::blas {

// Members have the documented sizes: programs read and write them byte by byte.

struct Layout {
  Layout(cudaDataType of, std::uint64_t r, std::uint64_t c, std::int64_t ld)
      : type(of), rows(r), columns(c), lead(ld) {}
  /// Sizes are arrays in device memory, in place of the numbers.
  Layout(cudaDataType of, int groups, const void* r, const void* c, const void* ld)
      : type(of),
        rows(reinterpret_cast<std::uintptr_t>(r)),
        columns(reinterpret_cast<std::uintptr_t>(c)),
        lead(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(ld))),
        batch_count(groups),
        batch_mode(CUBLASLT_BATCH_MODE_GROUPED) {}

  std::uint32_t type;
  std::int32_t order = CUBLASLT_ORDER_COL;
  std::uint64_t rows, columns;
  std::int64_t lead;
  std::int32_t batch_count = 1;
  std::int32_t batch_mode = CUBLASLT_BATCH_MODE_STRIDED;
  std::int64_t batch_stride = 0, plane_offset = 0;
  std::int32_t size_width = CUBLASLT_INTEGER_WIDTH_32, lead_width = CUBLASLT_INTEGER_WIDTH_32;
};

struct Product {
  Product(cublasComputeType_t compute, cudaDataType scale)
      : compute_type(compute), scale_type(scale) {}

  std::int32_t compute_type, scale_type;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N, transpose_c = CUBLAS_OP_N;
  std::int32_t fill_mode = CUBLAS_FILL_MODE_FULL;
  std::uint32_t epilogue = CUBLASLT_EPILOGUE_DEFAULT;
  std::int32_t sm_count_target = 0;
  std::int32_t aux_type = -1, bias_type = -1;  // -1: as the result
  std::int8_t fast_accumulation = 0;
  void* bias = nullptr;
  std::int64_t bias_batch_stride = 0;
  void* aux = nullptr;
  std::int64_t aux_lead = 0, aux_batch_stride = 0, alpha_batch_stride = 0;
  void *scale_a = nullptr, *scale_b = nullptr, *scale_c = nullptr, *scale_d = nullptr;
  void *largest_d = nullptr, *scale_aux = nullptr, *largest_aux = nullptr;
  std::int32_t scale_mode_a = 0, scale_mode_b = 0, scale_mode_c = 0, scale_mode_d = 0;
  std::int32_t scale_mode_aux = 0, scale_mode_out = 0;
  void* scale_out = nullptr;  // the factors of D that the product computes
  const void* emulation = nullptr;
  std::int64_t alpha_stride = 0, beta_stride = 0;
};

struct Transform {
  explicit Transform(cudaDataType scale) : scale_type(scale) {}

  std::int32_t scale_type;
  std::int32_t pointer_mode = CUBLASLT_POINTER_MODE_HOST;
  std::int32_t transpose_a = CUBLAS_OP_N, transpose_b = CUBLAS_OP_N;
};

struct Preference {
  std::uint32_t search_mode = CUBLASLT_SEARCH_BEST_FIT;
  std::uint32_t reduction_schemes = CUBLASLT_REDUCTION_SCHEME_MASK;
  std::uint64_t most_workspace = 0;
  std::uint32_t alignment_a = 256, alignment_b = 256, alignment_c = 256, alignment_d = 256;
  float most_waves = 0;  // 0: any number
  std::uint64_t implementations = ~std::uint64_t{0};
  std::uint32_t average_rows = 0, average_columns = 0, average_depth = 0;
};

/// Kept and handed back: no product is emulated.
struct Emulation {
  std::int32_t strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  std::int32_t special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  std::int32_t mantissa_control = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  std::int32_t most_mantissa_bits = 0, mantissa_bit_offset = 0;
  std::int32_t* mantissa_bits = nullptr;
};

}  // namespace gridspan::libraries::blas
