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
};
