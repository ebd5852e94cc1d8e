// Linear algebra (cuBLAS): types and functions by the names that the library has.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUBLAS_API_H_
#ifndef CUBLASAPI
#define CUBLASAPI
#endif
#ifndef CUBLASWINAPI
#define CUBLASWINAPI
#endif

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "gridspan/blas_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

#include "gridspan/blas_extensions.h"
#include "gridspan/blas_gemm.h"
#include "gridspan/blas_helpers.h"
#include "gridspan/blas_level1.h"
#include "gridspan/blas_level2.h"
#include "gridspan/blas_level3.h"

#if defined(__cplusplus)
}

#include "gridspan/blas_templates.h"
#endif
