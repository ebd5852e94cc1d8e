// Names of CUDA 1 to 4 for what has two underscores since.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../device_types.h"
#include "device_arithmetic.h"
#include "device_conversion.h"
#include "device_macros.h"
#include "device_sync.h"

// The rounding is an argument: dmul(a, b, cudaRoundZero).
#define GRIDSPAN_ROUNDED(result, name, parameters, arguments, intrinsic)              \
  GRIDSPAN_DEVICE result name parameters {                                            \
    if (mode == cudaRoundZero) return intrinsic##z arguments;                         \
    if (mode == cudaRoundPosInf) return intrinsic##u arguments;                       \
    return mode == cudaRoundMinInf ? intrinsic##d arguments : intrinsic##n arguments; \
  }
#define GRIDSPAN_MODE(usual) enum cudaRoundMode mode = usual
GRIDSPAN_ROUNDED(double, dmul, (double a, double b, GRIDSPAN_MODE(cudaRoundNearest)), (a, b),
                 __dmul_r)
GRIDSPAN_ROUNDED(double, dadd, (double a, double b, GRIDSPAN_MODE(cudaRoundNearest)), (a, b),
                 __dadd_r)
GRIDSPAN_ROUNDED(double, dsub, (double a, double b, GRIDSPAN_MODE(cudaRoundNearest)), (a, b),
                 __dsub_r)
GRIDSPAN_ROUNDED(int, double2int, (double a, GRIDSPAN_MODE(cudaRoundZero)), (a), __double2int_r)
GRIDSPAN_ROUNDED(unsigned int, double2uint, (double a, GRIDSPAN_MODE(cudaRoundZero)), (a),
                 __double2uint_r)
GRIDSPAN_ROUNDED(long long, double2ll, (double a, GRIDSPAN_MODE(cudaRoundZero)), (a), __double2ll_r)
GRIDSPAN_ROUNDED(unsigned long long, double2ull, (double a, GRIDSPAN_MODE(cudaRoundZero)), (a),
                 __double2ull_r)
GRIDSPAN_ROUNDED(double, ll2double, (long long a, GRIDSPAN_MODE(cudaRoundNearest)), (a),
                 __ll2double_r)
GRIDSPAN_ROUNDED(double, ull2double, (unsigned long long a, GRIDSPAN_MODE(cudaRoundNearest)), (a),
                 __ull2double_r)
#undef GRIDSPAN_ROUNDED
// Exact in every mode.
GRIDSPAN_DEVICE double int2double(int a, GRIDSPAN_MODE(cudaRoundNearest)) {
  return (void)mode, (double)a;
}
GRIDSPAN_DEVICE double uint2double(unsigned int a, GRIDSPAN_MODE(cudaRoundNearest)) {
  return (void)mode, (double)a;
}
GRIDSPAN_DEVICE double float2double(float a, GRIDSPAN_MODE(cudaRoundNearest)) {
  return (void)mode, (double)a;
}
#undef GRIDSPAN_MODE

GRIDSPAN_DEVICE bool any(bool predicate) { return __any(predicate) != 0; }
GRIDSPAN_DEVICE bool all(bool predicate) { return __all(predicate) != 0; }
GRIDSPAN_DEVICE unsigned int ballot(bool predicate) { return __ballot(predicate); }
GRIDSPAN_DEVICE int syncthreads_count(bool predicate) { return __syncthreads_count(predicate); }
GRIDSPAN_DEVICE bool syncthreads_and(bool predicate) { return __syncthreads_and(predicate) != 0; }
GRIDSPAN_DEVICE bool syncthreads_or(bool predicate) { return __syncthreads_or(predicate) != 0; }
