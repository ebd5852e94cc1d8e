/* CUDA's libraries in C and C++: handles, modes, descriptors, copies, and bad arguments for each.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cublasLt.h>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusolverSp.h>
#include <cusparse.h>
#include <nccl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* As NVIDIA's curand.h: programs look for this name of cuda_runtime.h's. */
#ifndef __CUDA_RUNTIME_H__
#error "curand.h does not include cuda_runtime.h"
#endif

static int right, checks;

static void check_at(int is_right, const char* what, int line) {
  ++checks;
  right += is_right != 0;
  if (!is_right) printf("line %d: %s\n", line, what);
}
#define CHECK(condition) check_at((condition), #condition, __LINE__)

static void check_blas(void) {
  cublasHandle_t handle = NULL, gone = NULL;
  CHECK(cublasCreate(NULL) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS && handle != NULL);
  CHECK(cublasCreate(&gone) == CUBLAS_STATUS_SUCCESS && gone != handle);
  CHECK(cublasDestroy(gone) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasDestroy(gone) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasDestroy(NULL) == CUBLAS_STATUS_NOT_INITIALIZED);

  int version = 0, part = 0;
  CHECK(cublasGetVersion(handle, &version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION);
  CHECK(cublasGetVersion(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetProperty(MAJOR_VERSION, &part) == CUBLAS_STATUS_SUCCESS &&
        part == CUBLAS_VER_MAJOR);
  CHECK(cublasGetProperty(PATCH_LEVEL, &part) == CUBLAS_STATUS_SUCCESS && part == CUBLAS_VER_PATCH);
  CHECK(cublasGetProperty((libraryPropertyType)9, &part) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetCudartVersion() == CUDART_VERSION);

  cudaStream_t stream = NULL, seen = NULL;
  CHECK(cudaStreamCreate(&stream) == cudaSuccess);
  CHECK(cublasGetStream(handle, &seen) == CUBLAS_STATUS_SUCCESS && seen == NULL);
  CHECK(cublasSetStream(handle, stream) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetStream(handle, &seen) == CUBLAS_STATUS_SUCCESS && seen == stream);
  CHECK(cublasSetStream(gone, stream) == CUBLAS_STATUS_NOT_INITIALIZED);
  CHECK(cublasGetStream(handle, NULL) == CUBLAS_STATUS_INVALID_VALUE);

  cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_DEVICE;
  CHECK(cublasGetPointerMode(handle, &pointers) == CUBLAS_STATUS_SUCCESS &&
        pointers == CUBLAS_POINTER_MODE_HOST);
  CHECK(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetPointerMode(handle, &pointers) == CUBLAS_STATUS_SUCCESS &&
        pointers == CUBLAS_POINTER_MODE_DEVICE);
  CHECK(cublasSetPointerMode(handle, (cublasPointerMode_t)2) == CUBLAS_STATUS_INVALID_VALUE);
  cublasMath_t math = CUBLAS_DEFAULT_MATH;
  const cublasMath_t both =
      (cublasMath_t)(CUBLAS_PEDANTIC_MATH | CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
  CHECK(cublasSetMathMode(handle, both) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasGetMathMode(handle, &math) == CUBLAS_STATUS_SUCCESS && math == both);
  CHECK(cublasSetMathMode(handle, (cublasMath_t)77) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetAtomicsMode(handle, CUBLAS_ATOMICS_ALLOWED) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetAtomicsMode(handle, (cublasAtomicsMode_t)2) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetWorkspace(handle, (void*)256, 1024) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetWorkspace(handle, (void*)264, 1024) == CUBLAS_STATUS_INVALID_VALUE);

  CHECK(strcmp(cublasGetStatusName(CUBLAS_STATUS_MAPPING_ERROR), "CUBLAS_STATUS_MAPPING_ERROR") ==
        0);
  CHECK(strlen(cublasGetStatusString(CUBLAS_STATUS_NOT_SUPPORTED)) > 0);
  CHECK(cublasGetStatusString((cublasStatus_t)1234) != NULL);
  CHECK(cublasDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

/* What lies between the elements is not touched. */
static void check_copies(void) {
  enum { n = 37, step = 3, rows = 5, columns = 7, lead = 11 };
  float from[n * 2], there[n * step], back[n * 2];
  float* device = NULL;
  int i, j, wrong = 0;
  CHECK(cudaMalloc((void**)&device, sizeof there) == cudaSuccess);
  for (i = 0; i < n * step; ++i) there[i] = -1;
  for (i = 0; i < n * 2; ++i) from[i] = (float)i, back[i] = -2;
  CHECK(cudaMemcpy(device, there, sizeof there, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cublasSetVector(n, sizeof(float), from, 2, device, step) == CUBLAS_STATUS_SUCCESS);
  CHECK(cudaMemcpy(there, device, sizeof there, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (i = 0; i < n * step; ++i) wrong += there[i] != (i % step ? -1 : (float)(i / step * 2));
  CHECK(cublasGetVector_64(n, sizeof(float), device, step, back, 2) == CUBLAS_STATUS_SUCCESS);
  for (i = 0; i < n * 2; ++i) wrong += back[i] != (i % 2 ? -2 : from[i]);
  CHECK(wrong == 0);

  for (i = 0; i < n * step; ++i) there[i] = -1;
  CHECK(cudaMemcpy(device, there, sizeof there, cudaMemcpyHostToDevice) == cudaSuccess);
  CHECK(cublasSetMatrixAsync(rows, columns, sizeof(float), from, rows, device, lead, NULL) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(cudaStreamSynchronize(NULL) == cudaSuccess);
  CHECK(cudaMemcpy(there, device, sizeof there, cudaMemcpyDeviceToHost) == cudaSuccess);
  for (j = 0; j < columns; ++j)
    for (i = 0; i < lead; ++i) wrong += there[j * lead + i] != (i < rows ? from[j * rows + i] : -1);
  for (i = 0; i < n * 2; ++i) back[i] = -2;
  CHECK(cublasGetMatrix(rows, columns, sizeof(float), device, lead, back, rows + 1) ==
        CUBLAS_STATUS_SUCCESS);
  for (j = 0; j < columns; ++j)
    for (i = 0; i <= rows; ++i)
      wrong += back[j * (rows + 1) + i] != (i < rows ? from[j * rows + i] : -2);
  CHECK(wrong == 0);

  CHECK(cublasSetVector(0, 4, NULL, 1, NULL, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasSetVector(1, 0, from, 1, device, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetVector(1, 4, from, 0, device, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetVector(1, 4, device, 1, back, -1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetMatrix(-1, 1, 4, from, 1, device, 1) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasSetMatrix(5, 1, 4, from, 4, device, 5) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasGetMatrix(0, 3, 4, NULL, 1, NULL, 1) == CUBLAS_STATUS_SUCCESS);
  CHECK(cudaFree(device) == cudaSuccess);
}

static void check_rand(void) {
  curandGenerator_t pseudo = NULL, quasi = NULL, twister = NULL;
  CHECK(curandCreateGenerator(&pseudo, CURAND_RNG_PSEUDO_PHILOX4_32_10) == CURAND_STATUS_SUCCESS);
  CHECK(curandCreateGenerator(&quasi, CURAND_RNG_QUASI_SOBOL64) == CURAND_STATUS_SUCCESS);
  CHECK(curandCreateGeneratorHost(&twister, CURAND_RNG_PSEUDO_MT19937) == CURAND_STATUS_SUCCESS);
  CHECK(curandCreateGenerator(&pseudo, CURAND_RNG_TEST) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetPseudoRandomGeneratorSeed(pseudo, 42) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetPseudoRandomGeneratorSeed(quasi, 42) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOffset(pseudo, 7) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOffset(twister, 7) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_PSEUDO_LEGACY) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetGeneratorOrdering(pseudo, CURAND_ORDERING_QUASI_DEFAULT) ==
        CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(quasi, 20000) == CURAND_STATUS_SUCCESS);
  CHECK(curandSetQuasiRandomGeneratorDimensions(quasi, 20001) == CURAND_STATUS_OUT_OF_RANGE);
  CHECK(curandSetQuasiRandomGeneratorDimensions(pseudo, 2) == CURAND_STATUS_TYPE_ERROR);
  CHECK(curandSetStream(pseudo, NULL) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(pseudo) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(pseudo) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandSetStream(pseudo, NULL) == CURAND_STATUS_NOT_INITIALIZED);
  CHECK(curandDestroyGenerator(quasi) == CURAND_STATUS_SUCCESS);
  CHECK(curandDestroyGenerator(twister) == CURAND_STATUS_SUCCESS);
}

static void check_fft(void) {
  cufftHandle one = -1, two = -1;
  int version = 0;
  CHECK(cufftCreate(&one) == CUFFT_SUCCESS && cufftCreate(&two) == CUFFT_SUCCESS && one != two);
  CHECK(cufftSetStream(one, NULL) == CUFFT_SUCCESS);
  CHECK(cufftSetAutoAllocation(one, 0) == CUFFT_SUCCESS);
  CHECK(cufftDestroy(one) == CUFFT_SUCCESS && cufftDestroy(one) == CUFFT_INVALID_PLAN);
  CHECK(cufftSetStream(one, NULL) == CUFFT_INVALID_PLAN);
  CHECK(cufftDestroy(two) == CUFFT_SUCCESS);
  CHECK(cufftGetVersion(&version) == CUFFT_SUCCESS && version == CUFFT_VERSION);
}

static void check_sparse(void) {
  cusparseHandle_t handle = NULL;
  cusparseMatDescr_t matrix = NULL;
  cusparsePointerMode_t mode = CUSPARSE_POINTER_MODE_DEVICE;
  CHECK(cusparseCreate(&handle) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseGetPointerMode(handle, &mode) == CUSPARSE_STATUS_SUCCESS &&
        mode == CUSPARSE_POINTER_MODE_HOST);
  CHECK(cusparseSetPointerMode(handle, (cusparsePointerMode_t)5) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseCreateMatDescr(&matrix) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseGetMatType(matrix) == CUSPARSE_MATRIX_TYPE_GENERAL);
  CHECK(cusparseSetMatType(matrix, CUSPARSE_MATRIX_TYPE_SYMMETRIC) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseGetMatType(matrix) == CUSPARSE_MATRIX_TYPE_SYMMETRIC);
  CHECK(cusparseSetMatType(matrix, (cusparseMatrixType_t)4) == CUSPARSE_STATUS_INVALID_VALUE);
  CHECK(cusparseSetMatIndexBase(matrix, CUSPARSE_INDEX_BASE_ONE) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseGetMatIndexBase(matrix) == CUSPARSE_INDEX_BASE_ONE);
  CHECK(cusparseGetMatIndexBase(NULL) == CUSPARSE_INDEX_BASE_ZERO);
  CHECK(cusparseDestroyMatDescr(matrix) == CUSPARSE_STATUS_SUCCESS);
  CHECK(strcmp(cusparseGetErrorName(CUSPARSE_STATUS_ZERO_PIVOT), "CUSPARSE_STATUS_ZERO_PIVOT") ==
        0);
  CHECK(cusparseDestroy(handle) == CUSPARSE_STATUS_SUCCESS);
  CHECK(cusparseDestroy(handle) == CUSPARSE_STATUS_NOT_INITIALIZED);
}

static void check_solver(void) {
  cusolverDnHandle_t dense = NULL;
  cusolverSpHandle_t sparse = NULL;
  syevjInfo_t jacobi = NULL;
  int sweeps = -1;
  CHECK(cusolverDnCreate(&dense) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverSpCreate(&sparse) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnSetStream(dense, NULL) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnCreateSyevjInfo(&jacobi) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXsyevjSetTolerance(jacobi, 1e-7) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXsyevjGetSweeps(dense, jacobi, &sweeps) == CUSOLVER_STATUS_SUCCESS &&
        sweeps == 0);
  CHECK(cusolverDnDestroySyevjInfo(jacobi) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnXsyevjSetTolerance(jacobi, 1e-7) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnDestroy(dense) == CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnDestroy(dense) == CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverSpDestroy(sparse) == CUSOLVER_STATUS_SUCCESS);
}

static void check_lt(void) {
  cublasLtHandle_t handle = NULL;
  cublasLtMatrixLayout_t layout = NULL;
  cublasLtMatmulDesc_t product = NULL;
  cublasLtMatmulPreference_t preference = NULL;
  cublasLtMatmulDescOpaque_t own;
  size_t written = 0, workspace = 1 << 20, read_back = 0;
  int64_t lead = 0;
  int32_t transpose = CUBLAS_OP_T, batches = 0, order = CUBLASLT_ORDER_ROW;
  uint32_t epilogue = CUBLASLT_EPILOGUE_GELU_AUX_BIAS, seen = 0;
  CHECK(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatrixLayoutCreate(&layout, CUDA_R_16F, 3, 5, 7) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_LD, &lead, sizeof lead,
                                         &written) == CUBLAS_STATUS_SUCCESS &&
        lead == 7 && written == 8);
  CHECK(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &batches,
                                         sizeof batches, NULL) == CUBLAS_STATUS_SUCCESS &&
        batches == 1);
  CHECK(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ROWS, NULL, 0, &written) ==
            CUBLAS_STATUS_SUCCESS &&
        written == 8);
  CHECK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order,
                                         sizeof order) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &order, 8) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatrixLayoutSetAttribute(layout, (cublasLtMatrixLayoutAttribute_t)99, &order,
                                         sizeof order) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatrixLayoutGetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_LD, &batches, 4, NULL) ==
        CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F) ==
        CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &transpose,
                                       sizeof transpose) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescInit(&own, CUBLAS_COMPUTE_64F, CUDA_R_64F) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescSetAttribute(&own, CUBLASLT_MATMUL_DESC_EPILOGUE, &epilogue,
                                       sizeof epilogue) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescGetAttribute(&own, CUBLASLT_MATMUL_DESC_EPILOGUE, &seen, sizeof seen,
                                       NULL) == CUBLAS_STATUS_SUCCESS &&
        seen == epilogue);
  CHECK(cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulPreferenceSetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &workspace,
                                             sizeof workspace) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulPreferenceGetAttribute(preference, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES,
                                             &read_back, sizeof read_back,
                                             NULL) == CUBLAS_STATUS_SUCCESS &&
        read_back == workspace);
  CHECK(cublasLtMatmulPreferenceDestroy(preference) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescDestroy(product) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtMatmulDescDestroy(&own) == CUBLAS_STATUS_INVALID_VALUE);
  CHECK(cublasLtMatrixLayoutDestroy(layout) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  CHECK(cublasLtDestroy(handle) == CUBLAS_STATUS_NOT_INITIALIZED);
}

static void check_dnn(void) {
  cudnnHandle_t handle;
  cudaStream_t stream = NULL;
  cudnnTensorDescriptor_t tensor;
  cudnnDataType_t type;
  int n = 0, c = 0, h = 0, w = 0, steps[4] = {0};
  size_t bytes = 0;
  CHECK(cudnnGetVersion() == CUDNN_VERSION);
  CHECK(cudnnCreate(&handle) == CUDNN_STATUS_SUCCESS);
  CHECK(cudnnSetStream(handle, NULL) == CUDNN_STATUS_SUCCESS);
  CHECK(cudnnGetStream(handle, &stream) == CUDNN_STATUS_SUCCESS && stream == NULL);
  CHECK(cudnnCreateTensorDescriptor(&tensor) == CUDNN_STATUS_SUCCESS);
  CHECK(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NHWC, CUDNN_DATA_HALF, 2, 3, 5, 7) ==
        CUDNN_STATUS_SUCCESS);
  CHECK(cudnnGetTensor4dDescriptor(tensor, &type, &n, &c, &h, &w, &steps[0], &steps[1], &steps[2],
                                   &steps[3]) == CUDNN_STATUS_SUCCESS);
  CHECK(type == CUDNN_DATA_HALF && n == 2 && c == 3 && h == 5 && w == 7);
  CHECK(steps[0] == 105 && steps[1] == 1 && steps[2] == 21 && steps[3] == 3);
  CHECK(cudnnGetTensorSizeInBytes(tensor, &bytes) == CUDNN_STATUS_SUCCESS && bytes == 420);
  CHECK(cudnnDestroyTensorDescriptor(tensor) == CUDNN_STATUS_SUCCESS);
  CHECK(cudnnDestroyTensorDescriptor(tensor) == CUDNN_STATUS_BAD_PARAM);
  CHECK(cudnnDestroy(handle) == CUDNN_STATUS_SUCCESS);
  CHECK(cudnnDestroy(handle) == CUDNN_STATUS_NOT_INITIALIZED);
}

static void check_nccl(void) {
  int version = 0;
  void* memory = NULL;
  ncclUniqueId one, two;
  CHECK(ncclGetVersion(&version) == ncclSuccess && version == NCCL_VERSION_CODE);
  CHECK(pncclGetVersion(NULL) == ncclInvalidArgument);
  CHECK(ncclGetUniqueId(&one) == ncclSuccess && ncclGetUniqueId(&two) == ncclSuccess);
  CHECK(memcmp(&one, &two, sizeof one) != 0);
  CHECK(ncclMemAlloc(&memory, 1000) == ncclSuccess && memory != NULL);
  CHECK(ncclMemFree(memory) == ncclSuccess);
  CHECK(strcmp(ncclGetErrorString(ncclSuccess), "no error") == 0);
}

int main(void) {
  check_lt();
  check_dnn();
  check_nccl();
  check_blas();
  check_copies();
  check_rand();
  check_fft();
  check_sparse();
  check_solver();
  printf("%d of %d right\n", right, checks);
  return right == checks && checks > 100 ? 0 : 1;
}
