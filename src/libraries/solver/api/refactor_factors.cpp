// cuSOLVER: the factors that a refactorization has made, for the program.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/refactor_system.h"
#include "libraries/solver/api/sparse_arguments.h"

#include <cstdlib>
#include <cstring>

namespace gridspan::libraries::solver {
namespace {

/// Arrays that the program frees, with free().
struct GivenAway {
  int *count, **starts, **indices;
  double** values;
};

void check_outputs(Check& check, const GivenAway& to, const char* count, const char* starts,
                   const char* indices, const char* values) {
  check.given(to.count, count).given(to.starts, starts).given(to.indices, indices);
  check.given(to.values, values);
}

template <typename T>
T* allocated(const std::vector<T>& values) {
  T* const result = static_cast<T*>(std::malloc((values.size() + 1) * sizeof(T)));
  if (result && !values.empty()) std::memcpy(result, values.data(), values.size() * sizeof(T));
  return result;
}

cusolverStatus_t give_away(const Compressed<double>& matrix, const GivenAway& to) {
  int* const starts = allocated(matrix.offsets);
  int* const indices = allocated(matrix.indices);
  double* const values = allocated(matrix.values);
  if (!starts || !indices || !values) {
    std::free(starts);
    std::free(indices);
    std::free(values);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *to.count = static_cast<int>(matrix.indices.size());
  *to.starts = starts;
  *to.indices = indices;
  *to.values = values;
  return CUSOLVER_STATUS_SUCCESS;
}

Check with_factors(const char* call, cusolverRfHandle_t handle) {
  Check check(call, handle);
  check.that(check.failed() || handle->system, "handle", CUSOLVER_STATUS_NOT_INITIALIZED,
             "has no matrix");
  return check;
}

/// L and U by rows, each with its diagonal or without, as the unit diagonal is stored.
void split(const Compressed<double>& bundled, cusolverRfUnitDiagonal_t unit, bool upper_is_unit,
           Compressed<double>& lower, Compressed<double>& upper) {
  for (int i = 0; i + 1 < static_cast<int>(bundled.offsets.size()); ++i) {
    for (int k = bundled.offsets[i]; k < bundled.offsets[i + 1]; ++k) {
      const int j = bundled.indices[k];
      const double value = bundled.values[k];
      if (j < i) lower.add(j, value);
      if (j > i) upper.add(j, value);
      if (j != i) continue;
      if (upper_is_unit || unit == CUSOLVERRF_UNIT_DIAGONAL_STORED_L)
        lower.add(j, upper_is_unit ? value : 1);
      if (!upper_is_unit || unit == CUSOLVERRF_UNIT_DIAGONAL_STORED_U)
        upper.add(j, upper_is_unit ? 1 : value);
    }
    lower.end();
    upper.end();
  }
}

cusolverStatus_t extract_split(const RefactorSystem& system, const GivenAway& to_lower,
                               const GivenAway& to_upper) {
  Compressed<double> bundled, lower, upper;
  const cudaError_t error = system.bundled_rows(bundled);
  if (error != cudaSuccess) return status_of(error);
  split(bundled, system.unit_diagonal(), system.upper_is_unit(), lower, upper);
  if (system.as_columns()) {
    lower = lower.turned(system.rows());
    upper = upper.turned(system.rows());
  }
  const cusolverStatus_t status = give_away(lower, to_lower);
  return status == CUSOLVER_STATUS_SUCCESS ? give_away(upper, to_upper) : status;
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::Check;

extern "C" {

cusolverStatus_t cusolverRfAccessBundledFactorsDevice(cusolverRfHandle_t handle, int* nnzM,
                                                      int** Mp, int** Mi, double** Mx) {
  Check check = solver::with_factors(__func__, handle);
  solver::check_outputs(check, {nnzM, Mp, Mi, Mx}, "nnzM", "Mp", "Mi", "Mx");
  if (check.failed()) return check.status();
  *nnzM = handle->system->elements();
  *Mp = handle->system->offsets_on_device();
  *Mi = handle->system->indices_on_device();
  *Mx = handle->system->values_on_device();
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t cusolverRfExtractBundledFactorsHost(cusolverRfHandle_t handle, int* h_nnzM,
                                                     int** h_Mp, int** h_Mi, double** h_Mx) {
  Check check = solver::with_factors(__func__, handle);
  const solver::GivenAway to = {h_nnzM, h_Mp, h_Mi, h_Mx};
  solver::check_outputs(check, to, "h_nnzM", "h_Mp", "h_Mi", "h_Mx");
  if (check.failed()) return check.status();
  return solver::guarded([&] {
    solver::Compressed<double> bundled;
    const cudaError_t error = handle->system->bundled(bundled);
    return error == cudaSuccess ? solver::give_away(bundled, to) : solver::status_of(error);
  });
}

cusolverStatus_t cusolverRfExtractSplitFactorsHost(cusolverRfHandle_t handle, int* h_nnzL,
                                                   int** h_csrRowPtrL, int** h_csrColIndL,
                                                   double** h_csrValL, int* h_nnzU,
                                                   int** h_csrRowPtrU, int** h_csrColIndU,
                                                   double** h_csrValU) {
  Check check = solver::with_factors(__func__, handle);
  const solver::GivenAway lower = {h_nnzL, h_csrRowPtrL, h_csrColIndL, h_csrValL};
  const solver::GivenAway upper = {h_nnzU, h_csrRowPtrU, h_csrColIndU, h_csrValU};
  solver::check_outputs(check, lower, "h_nnzL", "h_csrRowPtrL", "h_csrColIndL", "h_csrValL");
  solver::check_outputs(check, upper, "h_nnzU", "h_csrRowPtrU", "h_csrColIndU", "h_csrValU");
  if (check.failed()) return check.status();
  return solver::guarded([&] { return solver::extract_split(*handle->system, lower, upper); });
}

}  // extern "C"
