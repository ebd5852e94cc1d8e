// bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#include "gridspan/small_float_bits.h"

#define GRIDSPAN_NUMBER __nv_bfloat16
#define GRIDSPAN_PAIR __nv_bfloat162
#define GRIDSPAN_NUMBER_RAW __nv_bfloat16_raw
#define GRIDSPAN_PAIR_RAW __nv_bfloat162_raw
#define GRIDSPAN_FORMAT Bfloat
#define GRIDSPAN_WORD bfloat16
#define GRIDSPAN_PAIR_WORD bfloat162
#define GRIDSPAN_SPLAT __bfloat162bfloat162

// Each of these builds on the ones before.
// clang-format off
#include "gridspan/small_float_type.h"
#include "gridspan/small_float_arithmetic.h"
#include "gridspan/small_float_conversion.h"
#include "gridspan/small_float_exchange.h"
#include "gridspan/small_float_operators.h"
#include "gridspan/small_float_end.h"
// clang-format on

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
