// bfloat16: __nv_bfloat16, __nv_bfloat162 and their functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define __CUDA_BF16_H__

#if !defined(__cplusplus) || __cplusplus < 201103L
#include "gridspan/small_float_plain.h"
#else

#include "cuda_fp16.h"
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
#define GRIDSPAN_OTHER_NUMBER __half

// Programs may want every conversion written out, and operators of their own: PyTorch's do.
#ifdef __CUDA_NO_BFLOAT16_CONVERSIONS__
#define GRIDSPAN_CONVERTS 0
#else
#define GRIDSPAN_CONVERTS 1
#endif
#ifdef __CUDA_NO_BFLOAT16_OPERATORS__
#define GRIDSPAN_NUMBER_OPERATORS 0
#else
#define GRIDSPAN_NUMBER_OPERATORS 1
#endif
#ifdef __CUDA_NO_BFLOAT162_OPERATORS__
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

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#define CUDART_INF_BF16 __ushort_as_bfloat16((unsigned short)0x7F80U)
#define CUDART_NAN_BF16 __ushort_as_bfloat16((unsigned short)0x7FFFU)
#define CUDART_MIN_DENORM_BF16 __ushort_as_bfloat16((unsigned short)0x0001U)
#define CUDART_MAX_NORMAL_BF16 __ushort_as_bfloat16((unsigned short)0x7F7FU)
#define CUDART_NEG_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x8000U)
#define CUDART_ZERO_BF16 __ushort_as_bfloat16((unsigned short)0x0000U)
#define CUDART_ONE_BF16 __ushort_as_bfloat16((unsigned short)0x3F80U)

#define __BFLOAT16_TO_US(number) *(reinterpret_cast<unsigned short*>(&(number)))
#define __BFLOAT16_TO_CUS(number) *(reinterpret_cast<const unsigned short*>(&(number)))
#define __BFLOAT162_TO_UI(pair) *(reinterpret_cast<unsigned int*>(&(pair)))
#define __BFLOAT162_TO_CUI(pair) *(reinterpret_cast<const unsigned int*>(&(pair)))

// From one format to the other.
#ifndef __CUDA_NO_HALF_CONVERSIONS__
__inline__ __attribute__((always_inline)) GRIDSPAN_NO_DEBUG __host__ __device__
__half::__half(const __nv_bfloat16 other)
    : __half(gridspan_small_float::rounded(gridspan_small_float::wide(other), __half())) {}
#endif
#ifndef __CUDA_NO_BFLOAT16_CONVERSIONS__
__inline__ __attribute__((always_inline)) GRIDSPAN_NO_DEBUG __host__ __device__
__nv_bfloat16::__nv_bfloat16(const __half other)
    : __nv_bfloat16(
          gridspan_small_float::rounded(gridspan_small_float::wide(other), __nv_bfloat16())) {}
#endif

#endif
