// cuSOLVER: factors made anew for matrices of the same pattern, one or a batch of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// P A Q^T = L U: element (i, j) of the product is A's (P[i], Q[j]). The set-up is the host's work,
// what follows is kernels'. Their order comes from the pattern alone.
#include "libraries/solver/api/refactor_system.h"
#include "libraries/solver/api/sparse_arguments.h"

#include <numeric>
#include <string>
#include <utility>

namespace gridspan::libraries::solver {
namespace {

/// A matrix as a set-up gives it, from 0, in compressed rows or columns.
struct GivenMatrix {
  int count;
  const int *starts, *indices;
};

/// What a set-up is called with. Values of A are for each system.
struct SetUp {
  int rows, systems;
  bool is_batch, on_device;
  GivenMatrix a, lower, upper;
  const double* const* values;
  const double *lower_values, *upper_values;
  const int *p, *q;
};

/// The names that arguments in device memory have begin later.
const char* name_of(const SetUp& call, const char* name) { return name + (call.on_device ? 2 : 0); }

void check_set_up(Check& check, const SetUp& call) {
  check.at_least(call.rows, 1, "n").at_least(call.systems, 1, "batchSize");
  const auto matrix = [&](const GivenMatrix& given, const char* count, const char* starts,
                          const char* indices) {
    check.size(given.count, count).given(given.starts, name_of(call, starts));
    check.that(given.indices || given.count <= 0, name_of(call, indices));
  };
  matrix(call.a, "nnzA", "h_csrRowPtrA", "h_csrColIndA");
  check.given(call.values, call.is_batch ? "h_csrValA_array" : name_of(call, "h_csrValA"));
  for (int z = 0; !check.failed() && z < call.systems; ++z)
    check.that(call.values[z] || call.a.count == 0,
               call.is_batch ? "h_csrValA_array" : name_of(call, "h_csrValA"));
  matrix(call.lower, "nnzL", "h_csrRowPtrL", "h_csrColIndL");
  check.that(call.lower_values || call.lower.count <= 0, name_of(call, "h_csrValL"));
  matrix(call.upper, "nnzU", "h_csrRowPtrU", "h_csrColIndU");
  check.that(call.upper_values || call.upper.count <= 0, name_of(call, "h_csrValU"));
  check.given(call.p, name_of(call, "h_P")).given(call.q, name_of(call, "h_Q"));
}

/// By rows, with the places of elements in the program's arrays.
cusolverStatus_t take_matrix(Check& check, const SetUp& call, const GivenMatrix& given,
                             bool as_columns, const char* starts_name, Compressed<int>& result) {
  const HostCopy<int> starts(call.on_device, given.starts, Size{call.rows} + 1, nullptr);
  const HostCopy<int> indices(call.on_device, given.indices, given.count, nullptr);
  if (starts.error() != cudaSuccess) return status_of(starts.error());
  if (indices.error() != cudaSuccess) return status_of(indices.error());
  Pattern pattern;
  const bool is_right = starts.get()[0] == 0 && starts.get()[call.rows] == given.count &&
                        read_pattern(call.rows, given.count, 0, starts.get(), starts.get() + 1,
                                     indices.get(), pattern);
  check.that(is_right, name_of(call, starts_name));
  if (check.failed()) return check.status();
  result = {std::move(pattern.offsets), std::move(pattern.columns), {}};
  result.values.resize(result.indices.size());
  std::iota(result.values.begin(), result.values.end(), 0);
  if (as_columns) result = result.turned(call.rows);
  return CUSOLVER_STATUS_SUCCESS;
}

cudaError_t take_numbers(const SetUp& call, const int* given, std::vector<int>& result) {
  const HostCopy<int> numbers(call.on_device, given, call.rows, nullptr);
  if (numbers.error() == cudaSuccess) result.assign(numbers.get(), numbers.get() + call.rows);
  return numbers.error();
}

/// All systems begin from their matrices.
cusolverStatus_t fill(const SetUp& call, RefactorSystem& system) {
  DeviceArray copy;
  for (int z = 0; z < call.systems; ++z) {
    const double* values = call.values[z];
    if (!call.on_device && call.a.count > 0) {
      if (!copy.make_copy(values, static_cast<std::size_t>(call.a.count) * sizeof(double)))
        return CUSOLVER_STATUS_ALLOC_FAILED;
      values = copy.as<double>();
    }
    const cudaError_t error = system.refill(z, values);
    if (error != cudaSuccess) return status_of(error);
  }
  return CUSOLVER_STATUS_SUCCESS;
}

cusolverStatus_t set_up_refactor(Check check, cusolverRfHandle_t handle, const SetUp& call) {
  check_set_up(check, call);
  if (check.failed()) return check.status();
  return guarded([&] {
    const bool as_columns = handle->format == CUSOLVERRF_MATRIX_FORMAT_CSC;
    GivenFactors given;
    cusolverStatus_t status = take_matrix(check, call, call.a, as_columns, "h_csrRowPtrA", given.a);
    if (status == CUSOLVER_STATUS_SUCCESS)
      status = take_matrix(check, call, call.lower, as_columns, "h_csrRowPtrL", given.lower);
    if (status == CUSOLVER_STATUS_SUCCESS)
      status = take_matrix(check, call, call.upper, as_columns, "h_csrRowPtrU", given.upper);
    if (status == CUSOLVER_STATUS_SUCCESS) status = status_of(take_numbers(call, call.p, given.p));
    if (status == CUSOLVER_STATUS_SUCCESS) status = status_of(take_numbers(call, call.q, given.q));
    if (status != CUSOLVER_STATUS_SUCCESS) return status;
    Bundle made;
    if (const char* const argument = bundle(given, made))
      return check.refuse(name_of(call, argument), "does not fit to the others");
    handle->system.reset();
    auto system = std::make_unique<RefactorSystem>(std::move(made), call.systems, call.is_batch,
                                                   as_columns, handle->unit_diagonal);
    status = fill(call, *system);
    if (status == CUSOLVER_STATUS_SUCCESS) handle->system = std::move(system);
    return status;
  });
}

/// The checks of a call after a set-up of its kind.
Check after_set_up(const char* call, cusolverRfHandle_t handle, bool is_batch) {
  Check check(call, handle);
  check.that(check.failed() || (handle->system && handle->system->is_batch() == is_batch), "handle",
             CUSOLVER_STATUS_NOT_INITIALIZED,
             is_batch ? "has no matrices of a batch" : "has no matrix");
  return check;
}

/// An array of a batch's pointers, which may be in device memory.
cudaError_t take_pointers(double* const* given, int count, std::vector<double*>& result) {
  result.resize(static_cast<std::size_t>(count));
  return cudaMemcpy(result.data(), given, result.size() * sizeof(double*), cudaMemcpyDefault);
}

void check_reset(Check& check, const cusolverRfCommon* handle, int n, const int* starts,
                 const int* indices, int count, const int* p, const int* q) {
  check.that(check.failed() || n == handle->system->rows(), "n")
      .size(count, "nnzA")
      .given(starts, "csrRowPtrA")
      .that(indices || count <= 0, "csrColIndA")
      .given(p, "P")
      .given(q, "Q");
}

cusolverStatus_t refactor(const Check& check, cusolverRfHandle_t handle) {
  return check.failed() ? check.status() : status_of(handle->system->refactor(handle->rule));
}

cusolverStatus_t analyse_refactor(const Check& check, cusolverRfHandle_t handle) {
  if (check.failed()) return check.status();
  return guarded([&] { return status_of(handle->system->analyse()); });
}

/// Is there a flagged pivot that nothing has replaced? `rows`: of each system.
cusolverStatus_t zero_pivots(const RefactorSystem& system, std::vector<int>& rows) {
  const cudaError_t error = system.flagged(rows);
  if (error != cudaSuccess) return status_of(error);
  if (system.boosts()) rows.assign(rows.size(), -1);
  for (const int row : rows)
    if (row >= 0) return CUSOLVER_STATUS_ZERO_PIVOT;
  return CUSOLVER_STATUS_SUCCESS;
}

void check_solve(Check& check, const cusolverRfCommon* handle, const int* p, const int* q,
                 int right_sides, const double* room, int lead, const void* x, int lead_x,
                 const char* x_name) {
  check.given(p, "P").given(q, "Q").that(right_sides == 1, "nrhs", CUSOLVER_STATUS_INVALID_VALUE,
                                         "is not 1");
  const int n = check.failed() ? 0 : handle->system->rows();
  check.given(room, "Temp").lead(lead, n, "ldt").given(x, x_name).lead(lead_x, n, "ldxf");
}

cusolverStatus_t solve_batch(cusolverRfHandle_t handle, const int* p, const int* q,
                             double* const* x) {
  RefactorSystem& system = *handle->system;
  const std::size_t bytes = sizeof(double) * static_cast<std::size_t>(system.rows()) *
                            static_cast<std::size_t>(system.systems());
  // How much room Temp has, documents do not agree.
  if (bytes > handle->room_bytes) {
    handle->room_bytes = 0;
    if (!handle->room.make(bytes)) return CUSOLVER_STATUS_ALLOC_FAILED;
    handle->room_bytes = bytes;
  }
  std::vector<double*> places;
  const cudaError_t error = take_pointers(x, system.systems(), places);
  return status_of(
      error != cudaSuccess ? error : system.solve(p, q, handle->room.as<double>(), places.data()));
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::Check;

extern "C" {

cusolverStatus_t cusolverRfSetupHost(int n, int nnzA, int* h_csrRowPtrA, int* h_csrColIndA,
                                     double* h_csrValA, int nnzL, int* h_csrRowPtrL,
                                     int* h_csrColIndL, double* h_csrValL, int nnzU,
                                     int* h_csrRowPtrU, int* h_csrColIndU, double* h_csrValU,
                                     int* h_P, int* h_Q, cusolverRfHandle_t handle) {
  return solver::set_up_refactor({__func__, handle}, handle,
                                 {n,
                                  1,
                                  false,
                                  false,
                                  {nnzA, h_csrRowPtrA, h_csrColIndA},
                                  {nnzL, h_csrRowPtrL, h_csrColIndL},
                                  {nnzU, h_csrRowPtrU, h_csrColIndU},
                                  &h_csrValA,
                                  h_csrValL,
                                  h_csrValU,
                                  h_P,
                                  h_Q});
}
cusolverStatus_t cusolverRfSetupDevice(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int nnzL, int* csrRowPtrL, int* csrColIndL,
                                       double* csrValL, int nnzU, int* csrRowPtrU, int* csrColIndU,
                                       double* csrValU, int* P, int* Q, cusolverRfHandle_t handle) {
  return solver::set_up_refactor({__func__, handle}, handle,
                                 {n,
                                  1,
                                  false,
                                  true,
                                  {nnzA, csrRowPtrA, csrColIndA},
                                  {nnzL, csrRowPtrL, csrColIndL},
                                  {nnzU, csrRowPtrU, csrColIndU},
                                  &csrValA,
                                  csrValL,
                                  csrValU,
                                  P,
                                  Q});
}
cusolverStatus_t cusolverRfBatchSetupHost(int batchSize, int n, int nnzA, int* h_csrRowPtrA,
                                          int* h_csrColIndA, double* h_csrValA_array[], int nnzL,
                                          int* h_csrRowPtrL, int* h_csrColIndL, double* h_csrValL,
                                          int nnzU, int* h_csrRowPtrU, int* h_csrColIndU,
                                          double* h_csrValU, int* h_P, int* h_Q,
                                          cusolverRfHandle_t handle) {
  return solver::set_up_refactor({__func__, handle}, handle,
                                 {n,
                                  batchSize,
                                  true,
                                  false,
                                  {nnzA, h_csrRowPtrA, h_csrColIndA},
                                  {nnzL, h_csrRowPtrL, h_csrColIndL},
                                  {nnzU, h_csrRowPtrU, h_csrColIndU},
                                  h_csrValA_array,
                                  h_csrValL,
                                  h_csrValU,
                                  h_P,
                                  h_Q});
}

cusolverStatus_t cusolverRfResetValues(int n, int nnzA, int* csrRowPtrA, int* csrColIndA,
                                       double* csrValA, int* P, int* Q, cusolverRfHandle_t handle) {
  Check check = solver::after_set_up(__func__, handle, false);
  solver::check_reset(check, handle, n, csrRowPtrA, csrColIndA, nnzA, P, Q);
  check.that(csrValA || nnzA <= 0, "csrValA");
  return check.failed() ? check.status() : solver::status_of(handle->system->refill(0, csrValA));
}
cusolverStatus_t cusolverRfBatchResetValues(int batchSize, int n, int nnzA, int* csrRowPtrA,
                                            int* csrColIndA, double* csrValA_array[], int* P,
                                            int* Q, cusolverRfHandle_t handle) {
  Check check = solver::after_set_up(__func__, handle, true);
  check.that(check.failed() || batchSize == handle->system->systems(), "batchSize");
  solver::check_reset(check, handle, n, csrRowPtrA, csrColIndA, nnzA, P, Q);
  check.given(csrValA_array, "csrValA_array");
  if (check.failed()) return check.status();
  return solver::guarded([&] {
    std::vector<double*> values;
    cudaError_t error = solver::take_pointers(csrValA_array, batchSize, values);
    for (int z = 0; error == cudaSuccess && z < batchSize; ++z)
      error = handle->system->refill(z, values[z]);
    return solver::status_of(error);
  });
}

cusolverStatus_t cusolverRfAnalyze(cusolverRfHandle_t handle) {
  return solver::analyse_refactor(solver::after_set_up(__func__, handle, false), handle);
}
cusolverStatus_t cusolverRfBatchAnalyze(cusolverRfHandle_t handle) {
  return solver::analyse_refactor(solver::after_set_up(__func__, handle, true), handle);
}

/// Waits, to say whether a pivot is 0.
cusolverStatus_t cusolverRfRefactor(cusolverRfHandle_t handle) {
  const cusolverStatus_t status =
      solver::refactor(solver::after_set_up(__func__, handle, false), handle);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return solver::guarded([&] {
    std::vector<int> rows;
    return solver::zero_pivots(*handle->system, rows);
  });
}
cusolverStatus_t cusolverRfBatchRefactor(cusolverRfHandle_t handle) {
  return solver::refactor(solver::after_set_up(__func__, handle, true), handle);
}

cusolverStatus_t cusolverRfBatchZeroPivot(cusolverRfHandle_t handle, int* position) {
  Check check = solver::after_set_up(__func__, handle, true);
  if (check.given(position, "position").failed()) return check.status();
  return solver::guarded([&] {
    std::vector<int> rows;
    const cusolverStatus_t status = solver::zero_pivots(*handle->system, rows);
    std::copy(rows.begin(), rows.end(), position);
    return status;
  });
}

cusolverStatus_t cusolverRfSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs, double* Temp,
                                 int ldt, double* XF, int ldxf) {
  Check check = solver::after_set_up(__func__, handle, false);
  solver::check_solve(check, handle, P, Q, nrhs, Temp, ldt, XF, ldxf, "XF");
  if (check.failed()) return check.status();
  return solver::guarded([&] { return solver::status_of(handle->system->solve(P, Q, Temp, &XF)); });
}
cusolverStatus_t cusolverRfBatchSolve(cusolverRfHandle_t handle, int* P, int* Q, int nrhs,
                                      double* Temp, int ldt, double* XF_array[], int ldxf) {
  Check check = solver::after_set_up(__func__, handle, true);
  solver::check_solve(check, handle, P, Q, nrhs, Temp, ldt, XF_array, ldxf, "XF_array");
  if (check.failed()) return check.status();
  return solver::guarded([&] { return solver::solve_batch(handle, P, Q, XF_array); });
}

}  // extern "C"
