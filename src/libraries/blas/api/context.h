// What a cuBLAS handle holds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cublas_api.h>

#include <cstddef>

struct cublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
  int sm_count_target = 0;    // 0: all
  void* workspace = nullptr;  // the program's; nullptr: the library allocates what it needs
  std::size_t workspace_bytes = 0;
  // Kept and handed back: no product is emulated.
  cublasEmulationStrategy_t emulation_strategy = CUBLAS_EMULATION_STRATEGY_DEFAULT;
  cudaEmulationSpecialValuesSupport special_values = CUDA_EMULATION_SPECIAL_VALUES_SUPPORT_DEFAULT;
  cudaEmulationMantissaControl mantissa_control = CUDA_EMULATION_MANTISSA_CONTROL_DYNAMIC;
  int most_mantissa_bits = 0;  // 0: the library's choice
  int mantissa_bit_offset = 0;
  int* mantissa_bits = nullptr;  // device memory: -1, the answer of products that are not emulated
};
