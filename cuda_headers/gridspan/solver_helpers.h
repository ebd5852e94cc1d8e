// cuSOLVER: handles, modes, logging, parameters of Jacobi's methods.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Part of cusolverDn.h.
#pragma once

GRIDSPAN_SOLVER(cusolverDnCreate)(cusolverDnHandle_t* handle);
GRIDSPAN_SOLVER(cusolverDnDestroy)(cusolverDnHandle_t handle);
GRIDSPAN_SOLVER(cusolverDnSetStream)(cusolverDnHandle_t handle, cudaStream_t streamId);
GRIDSPAN_SOLVER(cusolverDnGetStream)(cusolverDnHandle_t handle, cudaStream_t* streamId);
GRIDSPAN_SOLVER(cusolverDnSetDeterministicMode)(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t mode);
GRIDSPAN_SOLVER(cusolverDnGetDeterministicMode)(cusolverDnHandle_t handle,
                                                cusolverDeterministicMode_t* mode);
GRIDSPAN_SOLVER(cusolverDnCreateParams)(cusolverDnParams_t* params);
GRIDSPAN_SOLVER(cusolverDnDestroyParams)(cusolverDnParams_t params);
GRIDSPAN_SOLVER(cusolverDnSetAdvOptions)(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algo);
GRIDSPAN_SOLVER(cusolverDnLoggerSetCallback)(cusolverDnLoggerCallback_t callback);
GRIDSPAN_SOLVER(cusolverDnLoggerSetFile)(FILE* file);
GRIDSPAN_SOLVER(cusolverDnLoggerOpenFile)(const char* logFile);
GRIDSPAN_SOLVER(cusolverDnLoggerSetLevel)(int level);
GRIDSPAN_SOLVER(cusolverDnLoggerSetMask)(int mask);
GRIDSPAN_SOLVER(cusolverDnLoggerForceDisable)(void);

GRIDSPAN_SOLVER(cusolverDnCreateSyevjInfo)(syevjInfo_t* info);
GRIDSPAN_SOLVER(cusolverDnDestroySyevjInfo)(syevjInfo_t info);
GRIDSPAN_SOLVER(cusolverDnXsyevjSetTolerance)(syevjInfo_t info, double tolerance);
GRIDSPAN_SOLVER(cusolverDnXsyevjSetMaxSweeps)(syevjInfo_t info, int max_sweeps);
GRIDSPAN_SOLVER(cusolverDnXsyevjSetSortEig)(syevjInfo_t info, int sort_eig);
GRIDSPAN_SOLVER(cusolverDnXsyevjGetResidual)(cusolverDnHandle_t handle, syevjInfo_t info,
                                             double* residual);
GRIDSPAN_SOLVER(cusolverDnXsyevjGetSweeps)(cusolverDnHandle_t handle, syevjInfo_t info,
                                           int* executed_sweeps);

GRIDSPAN_SOLVER(cusolverDnCreateGesvdjInfo)(gesvdjInfo_t* info);
GRIDSPAN_SOLVER(cusolverDnDestroyGesvdjInfo)(gesvdjInfo_t info);
GRIDSPAN_SOLVER(cusolverDnXgesvdjSetTolerance)(gesvdjInfo_t info, double tolerance);
GRIDSPAN_SOLVER(cusolverDnXgesvdjSetMaxSweeps)(gesvdjInfo_t info, int max_sweeps);
GRIDSPAN_SOLVER(cusolverDnXgesvdjSetSortEig)(gesvdjInfo_t info, int sort_svd);
GRIDSPAN_SOLVER(cusolverDnXgesvdjGetResidual)(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                              double* residual);
GRIDSPAN_SOLVER(cusolverDnXgesvdjGetSweeps)(cusolverDnHandle_t handle, gesvdjInfo_t info,
                                            int* executed_sweeps);
