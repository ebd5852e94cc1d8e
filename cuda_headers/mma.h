// nvcuda::wmma: matrix fragments that the lanes of a warp hold together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime.h"

#if defined(__cplusplus) && defined(__CUDACC__)
#include "gridspan/matrix_fragment.h"
#include "gridspan/matrix_memory.h"
#include "gridspan/matrix_product.h"
#endif
