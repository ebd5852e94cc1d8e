// Linear algebra (cuBLAS): what programs include. Link with -lcublas.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#if defined(CUBLAS_H_)
#error "cublas.h is the interface of cuBLAS before CUDA 4: include it or cublas_v2.h"
#endif
#define CUBLAS_V2_H_

#include "cublas_api.h"
#include "gridspan/blas_v2_names.h"
