// Half precision: __half, __half2 and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __CUDA_FP16_H__

#if !defined(__cplusplus) || __cplusplus < 201103L
#include "gridspan/small_float_plain.h"
#else

#include "cuda_runtime.h"
#ifndef __CUDACC__
#include <math.h>
#endif
#include <cstring>  // as NVIDIA's does: programs rely on it

#include "gridspan/small_float_bits.h"

#define GRIDSPAN_NUMBER __half
#define GRIDSPAN_PAIR __half2
#define GRIDSPAN_NUMBER_RAW __half_raw
#define GRIDSPAN_PAIR_RAW __half2_raw
#define GRIDSPAN_FORMAT Half
#define GRIDSPAN_WORD half
#define GRIDSPAN_PAIR_WORD half2
#define GRIDSPAN_SPLAT __half2half2
#define GRIDSPAN_OTHER_NUMBER __nv_bfloat16

// Programs may want every conversion written out, and operators of their own: PyTorch's do.
#ifdef __CUDA_NO_HALF_CONVERSIONS__
#define GRIDSPAN_CONVERTS 0
#else
#define GRIDSPAN_CONVERTS 1
#endif
#ifdef __CUDA_NO_HALF_OPERATORS__
#define GRIDSPAN_NUMBER_OPERATORS 0
#else
#define GRIDSPAN_NUMBER_OPERATORS 1
#endif
#ifdef __CUDA_NO_HALF2_OPERATORS__
#define GRIDSPAN_PAIR_OPERATORS 0
#else
#define GRIDSPAN_PAIR_OPERATORS 1
#endif

// Each of these builds on the ones before.
// clang-format off
#include "gridspan/small_float_type.h"
#include "gridspan/small_float_arithmetic.h"
#include "gridspan/small_float_conversion.h"
#ifdef __CUDACC__  // of device code only: other compilers have no atomics, no warps
#include "gridspan/small_float_exchange.h"
#endif
#include "gridspan/small_float_operators.h"
#include "gridspan/small_float_end.h"
// clang-format on

typedef __half half;
typedef __half2 half2;
typedef __half nv_half;
typedef __half2 nv_half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half_raw __nv_half_raw;
typedef __half2_raw __nv_half2_raw;

#define CUDART_INF_FP16 __ushort_as_half((unsigned short)0x7C00U)
#define CUDART_NAN_FP16 __ushort_as_half((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_FP16 __ushort_as_half((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_FP16 __ushort_as_half((unsigned short)0x7BFFU)
#define CUDART_NEG_ZERO_FP16 __ushort_as_half((unsigned short)0x8000U)
#define CUDART_ZERO_FP16 __ushort_as_half((unsigned short)0x0000U)
#define CUDART_ONE_FP16 __ushort_as_half((unsigned short)0x3C00U)

#endif
