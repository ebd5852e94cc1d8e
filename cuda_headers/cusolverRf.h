// Sparse solvers (cuSOLVER): new factors for matrices of the same pattern.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#define CUSOLVERRF_H_

#include "cusolver_common.h"

#if defined(__cplusplus)
extern "C" {
#endif

struct cusolverRfCommon;
typedef struct cusolverRfCommon* cusolverRfHandle_t;

typedef enum {
  CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF = 0,
  CUSOLVERRF_RESET_VALUES_FAST_MODE_ON = 1
} cusolverRfResetValuesFastMode_t;
typedef enum {
  CUSOLVERRF_MATRIX_FORMAT_CSR = 0,
  CUSOLVERRF_MATRIX_FORMAT_CSC = 1
} cusolverRfMatrixFormat_t;
typedef enum {
  CUSOLVERRF_UNIT_DIAGONAL_STORED_L = 0,
  CUSOLVERRF_UNIT_DIAGONAL_STORED_U = 1,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L = 2,
  CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U = 3
} cusolverRfUnitDiagonal_t;
typedef enum {
  CUSOLVERRF_FACTORIZATION_ALG0 = 0,
  CUSOLVERRF_FACTORIZATION_ALG1 = 1,
  CUSOLVERRF_FACTORIZATION_ALG2 = 2
} cusolverRfFactorization_t;
typedef enum {
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 = 1,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG2 = 2,
  CUSOLVERRF_TRIANGULAR_SOLVE_ALG3 = 3
} cusolverRfTriangularSolve_t;
typedef enum {
  CUSOLVERRF_NUMERIC_BOOST_NOT_USED = 0,
  CUSOLVERRF_NUMERIC_BOOST_USED = 1
} cusolverRfNumericBoostReport_t;

#define GRIDSPAN_SOLVER(name) cusolverStatus_t CUSOLVERAPI name

GRIDSPAN_SOLVER(cusolverRfCreate)(cusolverRfHandle_t* handle);
GRIDSPAN_SOLVER(cusolverRfDestroy)(cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfGetMatrixFormat)(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diag);
GRIDSPAN_SOLVER(cusolverRfSetMatrixFormat)(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diag);
GRIDSPAN_SOLVER(cusolverRfSetNumericProperties)(cusolverRfHandle_t handle, double zero,
                                                double boost);
GRIDSPAN_SOLVER(cusolverRfGetNumericProperties)(cusolverRfHandle_t handle, double* zero,
                                                double* boost);
GRIDSPAN_SOLVER(cusolverRfGetNumericBoostReport)(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t* report);
GRIDSPAN_SOLVER(cusolverRfSetAlgs)(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                   cusolverRfTriangularSolve_t solveAlg);
GRIDSPAN_SOLVER(cusolverRfGetAlgs)(cusolverRfHandle_t handle, cusolverRfFactorization_t* factAlg,
                                   cusolverRfTriangularSolve_t* solveAlg);
GRIDSPAN_SOLVER(cusolverRfGetResetValuesFastMode)(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t* fastMode);
GRIDSPAN_SOLVER(cusolverRfSetResetValuesFastMode)(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t fastMode);
GRIDSPAN_SOLVER(cusolverRfSetupHost)(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA,
                                     double* h_csrValA, int nnzL, int* h_csrRowPtrL,
                                     int* h_csrColIndL, double* h_csrValL, int nnzU,
                                     int* h_csrRowPtrU, int* h_csrColIndU, double* h_csrValU,
                                     int* h_P, int* h_Q, cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfSetupDevice)(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int nnzL, int* csrRowPtrL, int* csrColIndL,
                                       double* csrValL, int nnzU, int* csrRowPtrU, int* csrColIndU,
                                       double* csrValU, int* P, int* Q, cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfResetValues)(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int* P, int* Q, cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfAnalyze)(cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfRefactor)(cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfAccessBundledFactorsDevice)(cusolverRfHandle_t handle, int* nnzM,
                                                      int** Mp, int** Mi, double** Mx);
GRIDSPAN_SOLVER(cusolverRfExtractBundledFactorsHost)(cusolverRfHandle_t handle, int* h_nnzM,
                                                     int** h_Mp, int** h_Mi, double** h_Mx);
GRIDSPAN_SOLVER(cusolverRfExtractSplitFactorsHost)(cusolverRfHandle_t handle, int* h_nnzL,
                                                   int** h_csrRowPtrL, int** h_csrColIndL,
                                                   double** h_csrValL, int* h_nnzU,
                                                   int** h_csrRowPtrU, int** h_csrColIndU,
                                                   double** h_csrValU);
GRIDSPAN_SOLVER(cusolverRfSolve)(cusolverRfHandle_t handle, int* P, int* Q, int nrhs, double* Temp,
                                 int ldt, double* XF, int ldxf);
GRIDSPAN_SOLVER(cusolverRfBatchSetupHost)(int batchSize, int n, int nnzA, int* h_csrRowPtrA,
                                          int* h_csrColIndA, double* h_csrValA_array[], int nnzL,
                                          int* h_csrRowPtrL, int* h_csrColIndL, double* h_csrValL,
                                          int nnzU, int* h_csrRowPtrU, int* h_csrColIndU,
                                          double* h_csrValU, int* h_P, int* h_Q,
                                          cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfBatchResetValues)(int batchSize, int n, int nnzA, int* csrRowPtrA,
                                            int* csrColIndA, double* csrValA_array[], int* P,
                                            int* Q, cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfBatchAnalyze)(cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfBatchRefactor)(cusolverRfHandle_t handle);
GRIDSPAN_SOLVER(cusolverRfBatchSolve)(cusolverRfHandle_t handle, int* P, int* Q, int nrhs,
                                      double* Temp, int ldt, double* XF_array[], int ldxf);
GRIDSPAN_SOLVER(cusolverRfBatchZeroPivot)(cusolverRfHandle_t handle, int* position);

#undef GRIDSPAN_SOLVER

#if defined(__cplusplus)
}
#endif
