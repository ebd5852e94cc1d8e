// A C++ program that calls each of CUDA's libraries: what they are, and a copy there and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cublas_v2.h>
#include <cuda_runtime_api.h>
#include <cufft.h>
#include <curand.h>
#include <cusolverDn.h>
#include <cusparse.h>

#include <cstdio>

int main() {
  int right = 0, all = 0;
  const auto check = [&](bool is_right) { right += is_right, ++all; };

  cublasHandle_t blas = nullptr;
  int version = 0;
  check(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS);
  check(cublasGetVersion(blas, &version) == CUBLAS_STATUS_SUCCESS && version == CUBLAS_VERSION);
  const double numbers[5] = {1, 2, 3, 4, 5};
  double back[3] = {-1, -1, -1};
  void* device = nullptr;
  check(cudaMalloc(&device, sizeof numbers) == cudaSuccess);
  check(cublasSetVector(5, sizeof(double), numbers, 1, device, 1) == CUBLAS_STATUS_SUCCESS);
  check(cublasGetVector(3, sizeof(double), device, 2, back, 1) == CUBLAS_STATUS_SUCCESS);
  for (int i = 0; i < 3; ++i) check(back[i] == numbers[2 * i]);
  check(cudaFree(device) == cudaSuccess);
  check(cublasDestroy(blas) == CUBLAS_STATUS_SUCCESS);

  check(curandGetVersion(&version) == CURAND_STATUS_SUCCESS && version == CURAND_VERSION);
  check(cufftGetVersion(&version) == CUFFT_SUCCESS && version == CUFFT_VERSION);
  cusparseHandle_t sparse = nullptr;
  check(cusparseCreate(&sparse) == CUSPARSE_STATUS_SUCCESS);
  check(cusparseDestroy(sparse) == CUSPARSE_STATUS_SUCCESS);
  cusolverDnHandle_t solver = nullptr;
  check(cusolverDnCreate(&solver) == CUSOLVER_STATUS_SUCCESS);
  check(cusolverDnDestroy(solver) == CUSOLVER_STATUS_SUCCESS);
  std::printf("library_calls: %d of %d right\n", right, all);
}
