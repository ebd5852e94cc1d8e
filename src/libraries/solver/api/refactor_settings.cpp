// cuSOLVER: handles of refactorization, and what is set for them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The algorithms are kept for a program that asks: there is one. Values are reset at one speed.
#include "libraries/solver/api/refactor_system.h"
#include "libraries/solver/api/sparse_arguments.h"

#include <algorithm>
#include <vector>

namespace solver = gridspan::libraries::solver;
using solver::Check;

extern "C" {

cusolverStatus_t cusolverRfCreate(cusolverRfHandle_t* handle) {
  if (const Check check = Check(__func__).given(handle, "handle"); check.failed())
    return check.status();
  int device = 0;
  if (cudaGetDevice(&device) != cudaSuccess) return CUSOLVER_STATUS_NOT_INITIALIZED;
  return gridspan::libraries::create_live(handle) ? CUSOLVER_STATUS_SUCCESS
                                                  : CUSOLVER_STATUS_ALLOC_FAILED;
}

cusolverStatus_t cusolverRfDestroy(cusolverRfHandle_t handle) {
  return gridspan::libraries::live<cusolverRfCommon>().destroy(handle)
             ? CUSOLVER_STATUS_SUCCESS
             : Check(__func__).no_object(handle, "handle", CUSOLVER_STATUS_NOT_INITIALIZED);
}

cusolverStatus_t cusolverRfGetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t* format,
                                           cusolverRfUnitDiagonal_t* diag) {
  const Check check = Check(__func__, handle).given(format, "format").given(diag, "diag");
  if (check.failed()) return check.status();
  *format = handle->format;
  *diag = handle->unit_diagonal;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfSetMatrixFormat(cusolverRfHandle_t handle,
                                           cusolverRfMatrixFormat_t format,
                                           cusolverRfUnitDiagonal_t diag) {
  const bool is_format =
      format == CUSOLVERRF_MATRIX_FORMAT_CSR || format == CUSOLVERRF_MATRIX_FORMAT_CSC;
  const bool is_diagonal =
      diag >= CUSOLVERRF_UNIT_DIAGONAL_STORED_L && diag <= CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_U;
  const Check check =
      Check(__func__, handle).known(is_format, format, "format").known(is_diagonal, diag, "diag");
  if (check.failed()) return check.status();
  handle->format = format;
  handle->unit_diagonal = diag;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfSetNumericProperties(cusolverRfHandle_t handle, double zero,
                                                double boost) {
  if (const Check check(__func__, handle); check.failed()) return check.status();
  handle->rule = {zero, boost};
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetNumericProperties(cusolverRfHandle_t handle, double* zero,
                                                double* boost) {
  const Check check = Check(__func__, handle).given(zero, "zero").given(boost, "boost");
  if (check.failed()) return check.status();
  *zero = handle->rule.zero;
  *boost = handle->rule.boost;
  return CUSOLVER_STATUS_SUCCESS;
}

/// Also says so of a pivot that was flagged, and left as it was for want of a boost.
cusolverStatus_t cusolverRfGetNumericBoostReport(cusolverRfHandle_t handle,
                                                 cusolverRfNumericBoostReport_t* report) {
  const Check check = Check(__func__, handle).given(report, "report");
  if (check.failed()) return check.status();
  return solver::guarded([&] {
    std::vector<int> flagged;
    const cudaError_t error = handle->system ? handle->system->flagged(flagged) : cudaSuccess;
    const bool was_used =
        std::any_of(flagged.begin(), flagged.end(), [](int row) { return row >= 0; });
    *report = was_used ? CUSOLVERRF_NUMERIC_BOOST_USED : CUSOLVERRF_NUMERIC_BOOST_NOT_USED;
    return solver::status_of(error);
  });
}

cusolverStatus_t cusolverRfSetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t factAlg,
                                   cusolverRfTriangularSolve_t solveAlg) {
  const bool is_factorization =
      factAlg >= CUSOLVERRF_FACTORIZATION_ALG0 && factAlg <= CUSOLVERRF_FACTORIZATION_ALG2;
  const bool is_solve =
      solveAlg >= CUSOLVERRF_TRIANGULAR_SOLVE_ALG1 && solveAlg <= CUSOLVERRF_TRIANGULAR_SOLVE_ALG3;
  const Check check = Check(__func__, handle)
                          .known(is_factorization, factAlg, "factAlg")
                          .known(is_solve, solveAlg, "solveAlg");
  if (check.failed()) return check.status();
  handle->factorization = factAlg;
  handle->triangular_solve = solveAlg;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfGetAlgs(cusolverRfHandle_t handle, cusolverRfFactorization_t* factAlg,
                                   cusolverRfTriangularSolve_t* solveAlg) {
  const Check check = Check(__func__, handle).given(factAlg, "factAlg").given(solveAlg, "solveAlg");
  if (check.failed()) return check.status();
  *factAlg = handle->factorization;
  *solveAlg = handle->triangular_solve;
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfGetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t* fastMode) {
  const Check check = Check(__func__, handle).given(fastMode, "fastMode");
  if (check.failed()) return check.status();
  *fastMode = handle->fast_mode;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverRfSetResetValuesFastMode(cusolverRfHandle_t handle,
                                                  cusolverRfResetValuesFastMode_t fastMode) {
  const bool is_mode = fastMode == CUSOLVERRF_RESET_VALUES_FAST_MODE_OFF ||
                       fastMode == CUSOLVERRF_RESET_VALUES_FAST_MODE_ON;
  const Check check = Check(__func__, handle).known(is_mode, fastMode, "fastMode");
  if (check.failed()) return check.status();
  handle->fast_mode = fastMode;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"
