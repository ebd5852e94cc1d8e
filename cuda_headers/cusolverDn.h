// Dense solvers (cuSOLVER). Link with -lcusolver.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUSOLVERDN_H_

#include "cuComplex.h"
#include "cublas_v2.h"
#include "cusolver_common.h"

#if defined(__cplusplus)
extern "C" {
#endif

struct cusolverDnContext;
typedef struct cusolverDnContext* cusolverDnHandle_t;
struct syevjInfo;
typedef struct syevjInfo* syevjInfo_t;
struct gesvdjInfo;
typedef struct gesvdjInfo* gesvdjInfo_t;
struct cusolverDnIRSParams;
typedef struct cusolverDnIRSParams* cusolverDnIRSParams_t;
struct cusolverDnIRSInfos;
typedef struct cusolverDnIRSInfos* cusolverDnIRSInfos_t;
struct cusolverDnParams;
typedef struct cusolverDnParams* cusolverDnParams_t;
typedef enum {
  CUSOLVERDN_GETRF = 0,
  CUSOLVERDN_POTRF = 1,
  CUSOLVERDN_SYEVBATCHED = 2
} cusolverDnFunction_t;
typedef void (*cusolverDnLoggerCallback_t)(int logLevel, const char* functionName,
                                           const char* message);

#define GRIDSPAN_SOLVER(name) cusolverStatus_t CUSOLVERAPI name
#include "gridspan/solver_eigenvalues.h"
#include "gridspan/solver_factors.h"
#include "gridspan/solver_helpers.h"
#include "gridspan/solver_refinement.h"
#include "gridspan/solver_wide.h"
#undef GRIDSPAN_SOLVER

#if defined(__cplusplus)
}
#endif
