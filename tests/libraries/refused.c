/* Wrong arguments of CUDA's libraries: the documented status, and the line that GRIDSPAN_LOG=warn
   writes. Lines that are wanted go to standard output.
   SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#include <cublasLt.h>
#include <cublasXt.h>
#include <cublas_v2.h>
#include <cudnn.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>
#include <nccl.h>
#include <stdio.h>

static int right, checks;

static void check_at(int is_right, const char* what, int line) {
  ++checks;
  right += is_right != 0;
  if (!is_right) fprintf(stderr, "line %d: %s\n", line, what);
}
#define CHECK(condition) check_at((condition), #condition, __LINE__)
#define GOOD(call) CHECK((call) == 0)
/* A call, its status, and what is said of it if it is asked for; or in any case. */
#define REFUSED(call, status, text) (CHECK((call) == (status)), puts("gridspan: warning: " text))
#define SAID(call, status, text) (CHECK((call) == (status)), puts("gridspan: error: " text))

static const float one = 1, zero = 0;
static float host[64];
static float* array;

static void refuse_blas(void) {
  const float* const* pointers = (const float* const*)array;
  cublasHandle_t handle = NULL, gone = NULL;
  cublasXtHandle_t xt = NULL;
  float result = 0;
  int info = 0;
  GOOD(cublasCreate(&handle));
  GOOD(cublasCreate(&gone));
  GOOD(cublasDestroy(gone));
  REFUSED(cublasSgemm(NULL, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, array, 5, array, 3, &zero,
                      array, 5),
          CUBLAS_STATUS_NOT_INITIALIZED, "cublasSgemm_v2: argument 'handle' is null");
  REFUSED(cublasSgemm(gone, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, array, 5, array, 3, &zero,
                      array, 5),
          CUBLAS_STATUS_NOT_INITIALIZED,
          "cublasSgemm_v2: argument 'handle' was destroyed, or never created");
  REFUSED(cublasSgemm(handle, (cublasOperation_t)9, CUBLAS_OP_N, 5, 4, 3, &one, array, 5, array, 3,
                      &zero, array, 5),
          CUBLAS_STATUS_INVALID_VALUE,
          "cublasSgemm_v2: argument 'transa' is 9, none of its values");
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -5, 4, 3, &one, array, 5, array, 3, &zero,
                      array, 5),
          CUBLAS_STATUS_INVALID_VALUE, "cublasSgemm_v2: argument 'm' is -5, less than 0");
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, array, 3, array, 3, &zero,
                      array, 5),
          CUBLAS_STATUS_INVALID_VALUE, "cublasSgemm_v2: argument 'lda' is 3, less than 5 rows");
  REFUSED(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, array, 5, array, 3, NULL,
                      array, 5),
          CUBLAS_STATUS_INVALID_VALUE, "cublasSgemm_v2: argument 'beta' is null");
  /* Two are wrong: one line, of the first. */
  REFUSED(cublasSgemm_64(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, -3, &one, array, 5, array, 0,
                         &zero, array, 5),
          CUBLAS_STATUS_INVALID_VALUE, "cublasSgemm_v2_64: argument 'k' is -3, less than 0");
  REFUSED(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, array, 5, 15,
                                    array, 3, 12, &zero, array, 5, 20, -1),
          CUBLAS_STATUS_INVALID_VALUE,
          "cublasSgemmStridedBatched: argument 'batchCount' is -1, less than 0");
  REFUSED(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, array, CUDA_R_32F, 5, array,
                       CUDA_R_64F, 3, &zero, array, CUDA_R_32F, 5, CUBLAS_COMPUTE_32F,
                       CUBLAS_GEMM_DEFAULT),
          CUBLAS_STATUS_NOT_SUPPORTED,
          "cublasGemmEx: argument 'Btype' is 1, a type that is not there with the others");
  REFUSED(cublasSgemv(handle, CUBLAS_OP_N, 5, 4, &one, array, 5, array, 0, &zero, array, 1),
          CUBLAS_STATUS_INVALID_VALUE, "cublasSgemv_v2: argument 'incx' is 0");
  REFUSED(
      cublasSsbmv(handle, CUBLAS_FILL_MODE_LOWER, 5, 2, &one, array, 2, array, 1, &zero, array, 1),
      CUBLAS_STATUS_INVALID_VALUE, "cublasSsbmv_v2: argument 'lda' is 2, less than 3 diagonals");
  REFUSED(cublasStrsm(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_FULL, CUBLAS_OP_N,
                      CUBLAS_DIAG_UNIT, 5, 4, &one, array, 5, array, 5),
          CUBLAS_STATUS_INVALID_VALUE, "cublasStrsm_v2: argument 'uplo' is 2, none of its values");
  REFUSED(cublasSdot(handle, 5, array, 1, array, 1, NULL), CUBLAS_STATUS_INVALID_VALUE,
          "cublasSdot_v2: argument 'result' is null");
  REFUSED(cublasAxpyEx(handle, 5, &one, CUDA_R_32F, array, CUDA_R_32F, 1, array, CUDA_R_16F, 1,
                       CUDA_R_32F),
          CUBLAS_STATUS_NOT_SUPPORTED,
          "cublasAxpyEx: argument 'yType' is 2, a type that is not there with the others");
  REFUSED(cublasSrotg(handle, array, array, NULL, array), CUBLAS_STATUS_INVALID_VALUE,
          "cublasSrotg_v2: argument 'c' is null");
  REFUSED(cublasSgetrsBatched(handle, CUBLAS_OP_N, 5, 1, pointers, 4, NULL, (float* const*)array, 5,
                              &info, 1),
          CUBLAS_STATUS_INVALID_VALUE,
          "cublasSgetrsBatched: argument 'lda' is 4, less than 5 rows");
  CHECK(info == -5);
  REFUSED(cublasSetMatrix(5, 1, 4, host, 4, array, 5), CUBLAS_STATUS_INVALID_VALUE,
          "cublasSetMatrix: argument 'lda' is 4, less than 5 rows");
  REFUSED(cublasSetPointerMode(handle, (cublasPointerMode_t)7), CUBLAS_STATUS_INVALID_VALUE,
          "cublasSetPointerMode_v2: argument 'mode' is 7, none of its values");
  GOOD(cublasXtCreate(&xt));
  REFUSED(
      cublasXtSgemm(xt, CUBLAS_OP_N, CUBLAS_OP_N, 5, 4, 3, &one, host, 5, host, 3, &zero, host, 2),
      CUBLAS_STATUS_INVALID_VALUE, "cublasXtSgemm: argument 'ldc' is 2, less than 5 rows");
  GOOD(cublasXtDestroy(xt));
  REFUSED(cublasXtDestroy(xt), CUBLAS_STATUS_NOT_INITIALIZED,
          "cublasXtDestroy: argument 'handle' was destroyed, or never created");
  GOOD(cublasSdot(handle, 0, array, 1, array, 1, &result));
  GOOD(cublasDestroy(handle));
  REFUSED(cublasDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED,
          "cublasDestroy_v2: argument 'handle' was destroyed, or never created");
}

static void refuse_lt(void) {
  cublasLtHandle_t handle = NULL;
  cublasLtMatmulDesc_t product = NULL;
  cublasLtMatrixLayout_t a = NULL, b = NULL, c = NULL, short_one = NULL;
  int ids[4], count = 0;
  const int wrong = 9;
  GOOD(cublasLtCreate(&handle));
  GOOD(cublasLtMatmulDescCreate(&product, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  GOOD(cublasLtMatrixLayoutCreate(&a, CUDA_R_32F, 5, 3, 5));
  GOOD(cublasLtMatrixLayoutCreate(&b, CUDA_R_32F, 3, 4, 3));
  GOOD(cublasLtMatrixLayoutCreate(&c, CUDA_R_32F, 5, 4, 5));
  GOOD(cublasLtMatrixLayoutCreate(&short_one, CUDA_R_32F, 5, 3, 4));
  REFUSED(cublasLtMatmul(NULL, product, &one, array, a, array, b, &zero, array, c, array, c, NULL,
                         NULL, 0, 0),
          CUBLAS_STATUS_NOT_INITIALIZED, "cublasLtMatmul: argument 'lightHandle' is null");
  REFUSED(cublasLtMatmul(handle, product, &one, array, NULL, array, b, &zero, array, c, array, c,
                         NULL, NULL, 0, 0),
          CUBLAS_STATUS_INVALID_VALUE, "cublasLtMatmul: argument 'Adesc' is null");
  REFUSED(cublasLtMatmul(handle, product, &one, array, short_one, array, b, &zero, array, c, array,
                         c, NULL, NULL, 0, 0),
          CUBLAS_STATUS_INVALID_VALUE,
          "cublasLtMatmul: argument 'Adesc' has a leading dimension that is too small");
  REFUSED(cublasLtMatmul(handle, product, &one, array, a, array, a, &zero, array, c, array, c, NULL,
                         NULL, 0, 0),
          CUBLAS_STATUS_INVALID_VALUE,
          "cublasLtMatmul: argument 'Bdesc' has not the columns of Ddesc");
  REFUSED(cublasLtMatmul(handle, product, NULL, array, a, array, b, &zero, array, c, array, c, NULL,
                         NULL, 0, 0),
          CUBLAS_STATUS_INVALID_VALUE, "cublasLtMatmul: argument 'alpha' is null");
  REFUSED(
      cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &wrong, 2),
      CUBLAS_STATUS_INVALID_VALUE,
      "cublasLtMatmulDescSetAttribute: argument 'sizeInBytes' is 2, not 4 as the attribute has");
  GOOD(cublasLtMatmulDescSetAttribute(product, CUBLASLT_MATMUL_DESC_TRANSA, &wrong, sizeof wrong));
  REFUSED(cublasLtMatmul(handle, product, &one, array, a, array, b, &zero, array, c, array, c, NULL,
                         NULL, 0, 0),
          CUBLAS_STATUS_INVALID_VALUE,
          "cublasLtMatmul: argument 'computeDesc' has a transposition that is none");
  /* A question whose answer is no: nothing is refused. */
  GOOD(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_64F,
                                CUDA_R_32F, CUDA_R_32F, 4, ids, &count));
  CHECK(count == 0);
  GOOD(cublasLtMatrixLayoutDestroy(short_one));
  REFUSED(cublasLtMatrixLayoutDestroy(short_one), CUBLAS_STATUS_INVALID_VALUE,
          "cublasLtMatrixLayoutDestroy: argument 'matLayout' was destroyed, or never created");
  GOOD(cublasLtMatrixLayoutDestroy(a));
  GOOD(cublasLtMatrixLayoutDestroy(b));
  GOOD(cublasLtMatrixLayoutDestroy(c));
  GOOD(cublasLtMatmulDescDestroy(product));
  GOOD(cublasLtDestroy(handle));
  REFUSED(cublasLtDestroy(handle), CUBLAS_STATUS_NOT_INITIALIZED,
          "cublasLtDestroy: argument 'lightHandle' was destroyed, or never created");
}

static void refuse_sparse(void) {
  cusparseHandle_t handle = NULL, gone = NULL;
  cusparseSpMatDescr_t matrix = NULL;
  cusparseDnVecDescr_t x = NULL, y = NULL;
  cusparseDnMatDescr_t dense = NULL;
  cusparseMatDescr_t legacy = NULL;
  size_t size = 0;
  GOOD(cusparseCreate(&handle));
  GOOD(cusparseCreate(&gone));
  GOOD(cusparseDestroy(gone));
  REFUSED(cusparseSetStream(NULL, 0), CUSPARSE_STATUS_NOT_INITIALIZED,
          "cusparseSetStream: argument 'handle' is null");
  REFUSED(cusparseSetPointerMode(handle, (cusparsePointerMode_t)5), CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseSetPointerMode: argument 'mode' is 5, none of its values");
  REFUSED(cusparseCreateCsr(&matrix, -5, 4, 6, array, array, array, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F),
          CUSPARSE_STATUS_INVALID_VALUE, "cusparseCreateCsr: argument 'rows' is -5, less than 0");
  REFUSED(cusparseCreateDnMat(&dense, 5, 4, 4, array, CUDA_R_32F, CUSPARSE_ORDER_COL),
          CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseCreateDnMat: argument 'ld' is 4, less than 5 rows");
  REFUSED(cusparseCreateDnVec(NULL, 5, array, CUDA_R_32F), CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseCreateDnVec: argument 'dnVecDescr' is null");
  GOOD(cusparseCreateCsr(&matrix, 5, 4, 6, array, array, array, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  GOOD(cusparseCreateDnVec(&x, 4, array, CUDA_R_32F));
  GOOD(cusparseCreateDnVec(&y, 5, array, CUDA_R_32F));
  REFUSED(cusparseSpMV(gone, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_NOT_INITIALIZED,
          "cusparseSpMV: argument 'handle' was destroyed, or never created");
  REFUSED(cusparseSpMV(handle, (cusparseOperation_t)7, &one, matrix, x, &zero, y, CUDA_R_32F,
                       CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_INVALID_VALUE, "cusparseSpMV: argument 'opA' is 7, none of its values");
  REFUSED(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, y, &zero, y,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseSpMV: argument 'vecX' is 5, not 4 as columns of op(A)");
  REFUSED(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, NULL, matrix, x, &zero, y,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_INVALID_VALUE, "cusparseSpMV: argument 'alpha' is null");
  REFUSED(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                       CUDA_C_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_NOT_SUPPORTED,
          "cusparseSpMV: argument 'computeType' has a format or types that are not there with the "
          "others");
  REFUSED(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero,
                                  y, CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_INVALID_VALUE, "cusparseSpMV_bufferSize: argument 'bufferSize' is null");
  GOOD(cusparseSpMV_bufferSize(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                               CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  REFUSED(cusparseSgtsv2(handle, 5, 1, array, array, array, array, 4, array),
          CUSPARSE_STATUS_INVALID_VALUE, "cusparseSgtsv2: argument 'ldb' is 4, less than 5 rows");
  REFUSED(cusparseXcoo2csr(handle, NULL, -1, 5, NULL, CUSPARSE_INDEX_BASE_ZERO),
          CUSPARSE_STATUS_INVALID_VALUE, "cusparseXcoo2csr: argument 'nnz' is -1, less than 0");
  GOOD(cusparseCreateMatDescr(&legacy));
  REFUSED(cusparseSetMatType(legacy, (cusparseMatrixType_t)4), CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseSetMatType: argument 'type' is 4, none of its values");
  GOOD(cusparseDestroyMatDescr(legacy));
  REFUSED(cusparseDestroyMatDescr(legacy), CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseDestroyMatDescr: argument 'descrA' was destroyed, or never created");
  GOOD(cusparseDestroyDnVec(x));
  REFUSED(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &one, matrix, x, &zero, y,
                       CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, NULL),
          CUSPARSE_STATUS_INVALID_VALUE,
          "cusparseSpMV: argument 'vecX' was destroyed, or never created");
  GOOD(cusparseDestroyDnVec(y));
  GOOD(cusparseDestroySpMat(matrix));
  GOOD(cusparseDestroy(handle));
}

static void refuse_rand(void) {
  curandGenerator_t generator = NULL, sobol = NULL;
  REFUSED(curandCreateGenerator(NULL, CURAND_RNG_PSEUDO_DEFAULT), CURAND_STATUS_NOT_INITIALIZED,
          "curandCreateGenerator: argument 'generator' is null");
  REFUSED(curandCreateGenerator(&generator, (curandRngType_t)7), CURAND_STATUS_TYPE_ERROR,
          "curandCreateGenerator: argument 'rng_type' is 7, none of its values");
  GOOD(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT));
  GOOD(curandCreateGenerator(&sobol, CURAND_RNG_QUASI_SOBOL32));
  REFUSED(curandSetPseudoRandomGeneratorSeed(sobol, 1), CURAND_STATUS_TYPE_ERROR,
          "curandSetPseudoRandomGeneratorSeed: argument 'generator' has no seed");
  REFUSED(curandSetQuasiRandomGeneratorDimensions(sobol, 0), CURAND_STATUS_OUT_OF_RANGE,
          "curandSetQuasiRandomGeneratorDimensions: argument 'num_dimensions' is 0, not within 1 "
          "to 20000");
  REFUSED(curandGenerateNormal(generator, array, 5, 0, 1), CURAND_STATUS_LENGTH_NOT_MULTIPLE,
          "curandGenerateNormal: argument 'num' is odd");
  REFUSED(curandGenerateUniform(generator, NULL, 4), CURAND_STATUS_LAUNCH_FAILURE,
          "curandGenerateUniform: argument 'outputPtr' is null");
  REFUSED(curandGeneratePoisson(generator, (unsigned*)array, 4, -1), CURAND_STATUS_OUT_OF_RANGE,
          "curandGeneratePoisson: argument 'lambda' is not more than 0");
  REFUSED(curandGenerateUniform(NULL, array, 4), CURAND_STATUS_NOT_INITIALIZED,
          "curandGenerateUniform: argument 'generator' is null");
  GOOD(curandDestroyGenerator(generator));
  GOOD(curandDestroyGenerator(sobol));
  REFUSED(curandGenerateUniform(generator, array, 4), CURAND_STATUS_NOT_INITIALIZED,
          "curandGenerateUniform: argument 'generator' was destroyed, or never created");
}

static void refuse_fft(void) {
  cufftHandle plan = -1;
  int wrong[] = {4, 0};
  size_t size = 0;
  REFUSED(cufftPlan1d(NULL, 16, CUFFT_C2C, 1), CUFFT_INVALID_VALUE,
          "cufftPlan1d: argument 'plan' is not valid");
  GOOD(cufftCreate(&plan));
  REFUSED(cufftExecC2C(plan, (cufftComplex*)array, (cufftComplex*)array, CUFFT_FORWARD),
          CUFFT_INVALID_PLAN, "cufftExecC2C: argument 'plan' is not made yet");
  REFUSED(cufftMakePlanMany(plan, 2, wrong, NULL, 1, 0, NULL, 1, 0, CUFFT_C2C, 1, &size),
          CUFFT_INVALID_SIZE, "cufftMakePlanMany: argument 'n' is less than 1");
  GOOD(cufftDestroy(plan));
  REFUSED(cufftDestroy(plan), CUFFT_INVALID_PLAN, "cufftDestroy: argument 'plan' is not valid");
}

static void refuse_solver(void) {
  cusolverDnHandle_t handle = NULL;
  int size = 0;
  REFUSED(cusolverDnCreate(NULL), CUSOLVER_STATUS_INVALID_VALUE,
          "cusolverDnCreate: argument 'handle' is null");
  GOOD(cusolverDnCreate(&handle));
  REFUSED(cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, -5, array, 5, &size),
          CUSOLVER_STATUS_INVALID_VALUE,
          "cusolverDnSpotrf_bufferSize: argument 'n' is -5, less than 0");
  REFUSED(cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 5, array, 3, &size),
          CUSOLVER_STATUS_INVALID_VALUE,
          "cusolverDnSpotrf_bufferSize: argument 'lda' is 3, less than 5 rows");
  REFUSED(cusolverDnSpotrf_bufferSize(handle, (cublasFillMode_t)5, 5, array, 5, &size),
          CUSOLVER_STATUS_INVALID_VALUE,
          "cusolverDnSpotrf_bufferSize: argument 'uplo' is 5, none of its values");
  GOOD(cusolverDnDestroy(handle));
  REFUSED(cusolverDnSpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 5, array, 5, &size),
          CUSOLVER_STATUS_NOT_INITIALIZED,
          "cusolverDnSpotrf_bufferSize: argument 'handle' was destroyed, or never created");
}

static void refuse_dnn(void) {
  cudnnHandle_t handle = NULL;
  cudnnTensorDescriptor_t tensor = NULL, unset = NULL;
  cudnnActivationDescriptor_t activation = NULL;
  GOOD(cudnnCreate(&handle));
  REFUSED(cudnnCreateTensorDescriptor(NULL), CUDNN_STATUS_BAD_PARAM,
          "cudnnCreateTensorDescriptor: argument 'tensorDesc' is null");
  REFUSED(cudnnSetTensor4dDescriptor(NULL, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 3, 4),
          CUDNN_STATUS_BAD_PARAM, "cudnnSetTensor4dDescriptor: argument 'tensorDesc' is null");
  GOOD(cudnnCreateTensorDescriptor(&tensor));
  GOOD(cudnnCreateTensorDescriptor(&unset));
  REFUSED(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, (cudnnDataType_t)99, 1, 2, 3, 4),
          CUDNN_STATUS_BAD_PARAM,
          "cudnnSetTensor4dDescriptor: argument 'dataType' is 99, none of its values");
  REFUSED(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, -2, 3, 4),
          CUDNN_STATUS_BAD_PARAM, "cudnnSetTensor4dDescriptor: argument 'dimA' is -2, less than 1");
  GOOD(cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 2, 3, 4));
  REFUSED(cudnnAddTensor(handle, &one, unset, array, &zero, tensor, array), CUDNN_STATUS_BAD_PARAM,
          "cudnnAddTensor: argument 'aDesc' is not set");
  REFUSED(cudnnAddTensor(NULL, &one, tensor, array, &zero, tensor, array),
          CUDNN_STATUS_NOT_INITIALIZED, "cudnnAddTensor: argument 'handle' is null");
  REFUSED(
      cudnnSetConvolution2dDescriptor(NULL, 0, 0, 1, 1, 1, 1, CUDNN_CONVOLUTION, CUDNN_DATA_FLOAT),
      CUDNN_STATUS_BAD_PARAM, "cudnnSetConvolution2dDescriptor: argument 'convDesc' is null");
  GOOD(cudnnCreateActivationDescriptor(&activation));
  REFUSED(
      cudnnSetActivationDescriptor(activation, (cudnnActivationMode_t)77, CUDNN_PROPAGATE_NAN, 0),
      CUDNN_STATUS_BAD_PARAM,
      "cudnnSetActivationDescriptor: argument 'mode' is 77, none of its values");
  GOOD(cudnnDestroyActivationDescriptor(activation));
  GOOD(cudnnDestroyTensorDescriptor(unset));
  GOOD(cudnnDestroyTensorDescriptor(tensor));
  REFUSED(cudnnDestroyTensorDescriptor(tensor), CUDNN_STATUS_BAD_PARAM,
          "cudnnDestroyTensorDescriptor: argument 'tensorDesc' was destroyed, or never created");
  GOOD(cudnnDestroy(handle));
  REFUSED(cudnnDestroy(handle), CUDNN_STATUS_NOT_INITIALIZED,
          "cudnnDestroy: argument 'handle' was destroyed, or never created");
}

/* NCCL's lines do not wait to be asked for: other ranks may hang. */
static void refuse_nccl(void) {
  ncclComm_t comm = NULL;
  const int none[] = {99};
  SAID(ncclCommInitAll(&comm, 0, NULL), ncclInvalidArgument,
       "ncclCommInitAll: no communicators are asked for");
  SAID(ncclCommInitAll(&comm, 1, none), ncclInvalidArgument,
       "ncclCommInitAll: a device is not there (GRIDSPAN_VIRTUAL_GPUS makes several)");
}

int main(void) {
  GOOD(cudaMalloc((void**)&array, sizeof host));
  refuse_blas();
  refuse_lt();
  refuse_sparse();
  refuse_rand();
  refuse_fft();
  refuse_solver();
  refuse_dnn();
  refuse_nccl();
  GOOD(cudaFree(array));
  if (right != checks) fprintf(stderr, "%d of %d right\n", right, checks);
  return right != checks;
}
