// cuSOLVER: eigenvalues of general matrices (Xgeev), computed on the host.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/arguments.h"
#include "libraries/solver/api/general_matrix.h"

#include <cusolverDn.h>

#include <complex>
#include <cstdint>
#include <vector>

namespace gridspan::libraries::solver {
namespace {

struct General {
  Size n;
  cudaDataType type, type_of_values;
  Size lead, lead_vectors;
  bool wants_vectors;
  bool is_complex() const { return type == CUDA_C_32F || type == CUDA_C_64F; }
};

void general_shape(Check& check, const General& x, cusolverEigMode_t left, cusolverEigMode_t right,
                   cudaDataType type_of_left, cudaDataType type_of_right, cudaDataType compute) {
  const auto is_job = [](cusolverEigMode_t job) {
    return job == CUSOLVER_EIG_MODE_NOVECTOR || job == CUSOLVER_EIG_MODE_VECTOR;
  };
  const bool has_type = x.type == CUDA_R_32F || x.type == CUDA_R_64F || x.is_complex();
  const cudaDataType as_pairs = x.type == CUDA_R_32F ? CUDA_C_32F : CUDA_C_64F;
  check
      .that(is_job(left), "jobvl")
      // Documented: left vectors are not there yet.
      .that(left == CUSOLVER_EIG_MODE_NOVECTOR, "jobvl", CUSOLVER_STATUS_NOT_SUPPORTED)
      .that(is_job(right), "jobvr")
      .that(x.n >= 0 && x.n <= INT32_MAX, "n")
      .that(has_type, "dataTypeA", CUSOLVER_STATUS_NOT_SUPPORTED)
      .lead(x.lead, x.n, "lda")
      .that(x.type_of_values == x.type || (!x.is_complex() && x.type_of_values == as_pairs),
            "dataTypeW")
      .that(type_of_left == x.type, "dataTypeVL")
      .that(type_of_right == x.type, "dataTypeVR")
      .that(compute == x.type, "computeType");
  if (x.wants_vectors) check.lead(x.lead_vectors, x.n, "ldvr");
}

/// Copies that are done when they return, after what the stream has to do before.
template <typename T>
bool copy_now(T* to, Size to_lead, const T* from, Size from_lead, Size rows, Size columns,
              cudaMemcpyKind kind, cudaStream_t stream) {
  return cudaMemcpy2DAsync(to, static_cast<std::size_t>(to_lead) * sizeof(T), from,
                           static_cast<std::size_t>(from_lead) * sizeof(T),
                           static_cast<std::size_t>(rows) * sizeof(T),
                           static_cast<std::size_t>(columns), kind, stream) == cudaSuccess &&
         cudaStreamSynchronize(stream) == cudaSuccess;
}

/// Element: the program's; Number: what is computed with.
template <typename Element, typename Number>
cusolverStatus_t solve_general(const General& x, const void* matrix, void* values, void* vectors,
                               int* info, cudaStream_t stream) {
  using Part = decltype(std::real(Element{}));
  const auto n = static_cast<std::size_t>(x.n);
  std::vector<Element> given(n * n);
  if (!copy_now(given.data(), x.n, static_cast<const Element*>(matrix), x.lead, x.n, x.n,
                cudaMemcpyDeviceToHost, stream))
    return CUSOLVER_STATUS_EXECUTION_FAILED;
  const Eigensystem found = eigensystem(std::vector<Number>(given.begin(), given.end()),
                                        static_cast<int>(x.n), x.wants_vectors);
  const bool has_pairs = x.is_complex() || x.type_of_values != x.type;
  std::vector<Part> numbers(2 * n);  // pairs, or real parts before imaginary ones
  for (std::size_t k = 0; k < n; ++k) {
    numbers[has_pairs ? 2 * k : k] = static_cast<Part>(found.values[k].real());
    numbers[has_pairs ? 2 * k + 1 : n + k] = static_cast<Part>(found.values[k].imag());
  }
  const auto count = static_cast<Size>(numbers.size());
  bool is_good = copy_now(static_cast<Part*>(values), count, numbers.data(), count, count, 1,
                          cudaMemcpyHostToDevice, stream);
  if (x.wants_vectors) {
    std::vector<Element> columns(n * n);
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t i = 0; i < n; ++i) {
        const std::complex<double> element = found.vectors[k * n + i];
        if constexpr (std::is_same_v<Number, double>) {
          // Of a pair, the real parts are a column and the imaginary ones are the next.
          const bool is_second = found.values[k].imag() < 0;
          columns[k * n + i] = static_cast<Element>(
              is_second ? found.vectors[(k - 1) * n + i].imag() : element.real());
        } else {
          columns[k * n + i] =
              Element(static_cast<Part>(element.real()), static_cast<Part>(element.imag()));
        }
      }
    is_good = is_good && copy_now(static_cast<Element*>(vectors), x.lead_vectors, columns.data(),
                                  x.n, x.n, x.n, cudaMemcpyHostToDevice, stream);
  }
  is_good = is_good && copy_now(info, 1, &found.failed, 1, 1, 1, cudaMemcpyHostToDevice, stream);
  return is_good ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_EXECUTION_FAILED;
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;

extern "C" {

cusolverStatus_t cusolverDnXgeev_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
    int64_t n, cudaDataType dataTypeA, const void*, int64_t lda, cudaDataType dataTypeW,
    const void*, cudaDataType dataTypeVL, const void*, int64_t, cudaDataType dataTypeVR,
    const void*, int64_t ldvr, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
    size_t* workspaceInBytesOnHost) {
  solver::Check check("cusolverDnXgeev_bufferSize", handle);
  solver::general_shape(check,
                        {n, dataTypeA, dataTypeW, lda, ldvr, jobvr == CUSOLVER_EIG_MODE_VECTOR},
                        jobvl, jobvr, dataTypeVL, dataTypeVR, computeType);
  check.that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  return solver::give_bytes(check, 0, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, int64_t n,
                                 cudaDataType dataTypeA, void* A, int64_t lda,
                                 cudaDataType dataTypeW, void* W, cudaDataType dataTypeVL, void*,
                                 int64_t, cudaDataType dataTypeVR, void* VR, int64_t ldvr,
                                 cudaDataType computeType, void*, size_t, void*, size_t,
                                 int* info) {
  solver::Check check("cusolverDnXgeev", handle);
  const bool wants_vectors = jobvr == CUSOLVER_EIG_MODE_VECTOR;
  const solver::General x = {n, dataTypeA, dataTypeW, lda, ldvr, wants_vectors};
  solver::general_shape(check, x, jobvl, jobvr, dataTypeVL, dataTypeVR, computeType);
  check.that(A || n == 0, "A")
      .that(W || n == 0, "W")
      .that(VR || n == 0 || !wants_vectors, "VR")
      .given(info, "info");
  if (check.failed()) return check.status();
  // The host computes, so the stream is waited for.
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (cudaStreamIsCapturing(handle->stream, &capture) != cudaSuccess ||
      capture != cudaStreamCaptureStatusNone)
    return check.refuse("handle", "has a stream that captures", CUSOLVER_STATUS_NOT_SUPPORTED);
  if (n == 0) return solver::status_of(cudaMemsetAsync(info, 0, sizeof *info, handle->stream));
  const auto run = [&](auto solve) { return solve(x, A, W, VR, info, handle->stream); };
  switch (dataTypeA) {
    case CUDA_R_32F:
      return run(solver::solve_general<float, double>);
    case CUDA_R_64F:
      return run(solver::solve_general<double, double>);
    case CUDA_C_32F:
      return run(solver::solve_general<std::complex<float>, std::complex<double>>);
    default:
      return run(solver::solve_general<std::complex<double>, std::complex<double>>);
  }
}

}  // extern "C"
