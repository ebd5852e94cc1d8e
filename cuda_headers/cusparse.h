// Sparse linear algebra (cuSPARSE). Link with -lcusparse.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUSPARSE_H_

#include "cuda_fp16.h"
#include "gridspan/sparse_types.h"

#if defined(__cplusplus)
extern "C" {
#endif

#include "gridspan/sparse_conversions.h"
#include "gridspan/sparse_factors.h"
#include "gridspan/sparse_generic.h"
#include "gridspan/sparse_helpers.h"
#include "gridspan/sparse_legacy.h"

#if defined(__cplusplus)
}
#endif

#undef GRIDSPAN_SPARSE
#undef GRIDSPAN_SPARSE_SDCZ
