// cuSOLVER: systems and least squares with factors of lower precision that are refined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of cusolverDn.h.
#pragma once

GRIDSPAN_SOLVER(cusolverDnIRSParamsCreate)(cusolverDnIRSParams_t* params_ptr);
GRIDSPAN_SOLVER(cusolverDnIRSParamsDestroy)(cusolverDnIRSParams_t params);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetRefinementSolver)(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t refinement_solver);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetSolverMainPrecision)(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetSolverLowestPrecision)(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_lowest_precision);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetSolverPrecisions)(cusolverDnIRSParams_t params,
                                                        cusolverPrecType_t solver_main_precision,
                                                        cusolverPrecType_t solver_lowest_precision);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetTol)(cusolverDnIRSParams_t params, double val);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetTolInner)(cusolverDnIRSParams_t params, double val);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetMaxIters)(cusolverDnIRSParams_t params,
                                                cusolver_int_t maxiters);
GRIDSPAN_SOLVER(cusolverDnIRSParamsSetMaxItersInner)(cusolverDnIRSParams_t params,
                                                     cusolver_int_t maxiters_inner);
GRIDSPAN_SOLVER(cusolverDnIRSParamsGetMaxIters)(cusolverDnIRSParams_t params,
                                                cusolver_int_t* maxiters);
GRIDSPAN_SOLVER(cusolverDnIRSParamsEnableFallback)(cusolverDnIRSParams_t params);
GRIDSPAN_SOLVER(cusolverDnIRSParamsDisableFallback)(cusolverDnIRSParams_t params);
GRIDSPAN_SOLVER(cusolverDnIRSInfosCreate)(cusolverDnIRSInfos_t* infos_ptr);
GRIDSPAN_SOLVER(cusolverDnIRSInfosDestroy)(cusolverDnIRSInfos_t infos);
GRIDSPAN_SOLVER(cusolverDnIRSInfosGetNiters)(cusolverDnIRSInfos_t infos, cusolver_int_t* niters);
GRIDSPAN_SOLVER(cusolverDnIRSInfosGetOuterNiters)(cusolverDnIRSInfos_t infos,
                                                  cusolver_int_t* outer_niters);
GRIDSPAN_SOLVER(cusolverDnIRSInfosGetMaxIters)(cusolverDnIRSInfos_t infos,
                                               cusolver_int_t* maxiters);
GRIDSPAN_SOLVER(cusolverDnIRSInfosRequestResidual)(cusolverDnIRSInfos_t infos);
GRIDSPAN_SOLVER(cusolverDnIRSInfosGetResidualHistory)(cusolverDnIRSInfos_t infos,
                                                      void** residual_history);
GRIDSPAN_SOLVER(cusolverDnIRSXgesv)(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n,
                                    cusolver_int_t nrhs, void* dA, cusolver_int_t ldda, void* dB,
                                    cusolver_int_t lddb, void* dX, cusolver_int_t lddx,
                                    void* dWorkspace, size_t lwork_bytes, cusolver_int_t* niters,
                                    cusolver_int_t* d_info);
GRIDSPAN_SOLVER(cusolverDnIRSXgesv_bufferSize)(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t nrhs, size_t* lwork_bytes);
GRIDSPAN_SOLVER(cusolverDnIRSXgels)(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t m,
                                    cusolver_int_t n, cusolver_int_t nrhs, void* dA,
                                    cusolver_int_t ldda, void* dB, cusolver_int_t lddb, void* dX,
                                    cusolver_int_t lddx, void* dWorkspace, size_t lwork_bytes,
                                    cusolver_int_t* niters, cusolver_int_t* d_info);
GRIDSPAN_SOLVER(cusolverDnIRSXgels_bufferSize)(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t m,
                                               cusolver_int_t n, cusolver_int_t nrhs,
                                               size_t* lwork_bytes);

/* Two letters: the type of the arguments and the lowest precision of the factors, as in
 * cusolverDnDSgesv. */
#define GRIDSPAN_SOLVER_REFINED(letters, T)                                                       \
  GRIDSPAN_SOLVER(cusolverDn##letters##gesv)                                                      \
  (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, \
   cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,              \
   void* dWorkspace, size_t lwork_bytes, cusolver_int_t* iter, cusolver_int_t* d_info);           \
  GRIDSPAN_SOLVER(cusolverDn##letters##gesv_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T * dA, cusolver_int_t ldda, \
   cusolver_int_t * dipiv, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,              \
   void* dWorkspace, size_t* lwork_bytes);                                                        \
  GRIDSPAN_SOLVER(cusolverDn##letters##gels)                                                      \
  (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T * dA,    \
   cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,                 \
   void* dWorkspace, size_t lwork_bytes, cusolver_int_t* iter, cusolver_int_t* d_info);           \
  GRIDSPAN_SOLVER(cusolverDn##letters##gels_bufferSize)                                           \
  (cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T * dA,    \
   cusolver_int_t ldda, T * dB, cusolver_int_t lddb, T * dX, cusolver_int_t lddx,                 \
   void* dWorkspace, size_t* lwork_bytes);
GRIDSPAN_SOLVER_REFINED(ZZ, cuDoubleComplex)
GRIDSPAN_SOLVER_REFINED(ZC, cuDoubleComplex)
GRIDSPAN_SOLVER_REFINED(ZK, cuDoubleComplex)
GRIDSPAN_SOLVER_REFINED(ZE, cuDoubleComplex)
GRIDSPAN_SOLVER_REFINED(ZY, cuDoubleComplex)
GRIDSPAN_SOLVER_REFINED(CC, cuComplex)
GRIDSPAN_SOLVER_REFINED(CK, cuComplex)
GRIDSPAN_SOLVER_REFINED(CE, cuComplex)
GRIDSPAN_SOLVER_REFINED(CY, cuComplex)
GRIDSPAN_SOLVER_REFINED(DD, double)
GRIDSPAN_SOLVER_REFINED(DS, double)
GRIDSPAN_SOLVER_REFINED(DH, double)
GRIDSPAN_SOLVER_REFINED(DB, double)
GRIDSPAN_SOLVER_REFINED(DX, double)
GRIDSPAN_SOLVER_REFINED(SS, float)
GRIDSPAN_SOLVER_REFINED(SH, float)
GRIDSPAN_SOLVER_REFINED(SB, float)
GRIDSPAN_SOLVER_REFINED(SX, float)
#undef GRIDSPAN_SOLVER_REFINED
