// cuSOLVER: parameters of Jacobi's methods and of the 64-bit functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/kernels/spectra.h"

#include "libraries/solver/api/checks.h"

namespace gridspan::libraries::solver {
namespace {

template <typename Object>
cusolverStatus_t create_parameters(Object** object, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(object, "params"); check.failed())
    return check.status();
  return create_live(object) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

template <typename Object>
cusolverStatus_t destroy_parameters(Object* object, const char* argument,
                                    const char* call = __builtin_FUNCTION()) {
  return live<Object>().destroy(object) ? CUSOLVER_STATUS_SUCCESS
                                        : Check(call).no_object(object, argument);
}

template <typename Object, typename Value>
cusolverStatus_t set_parameter(Object* object, Value gridspan_jacobi::* field, Value value,
                               const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).live(object, "info"); check.failed()) return check.status();
  object->*field = value;
  return CUSOLVER_STATUS_SUCCESS;
}

/// Parameters with room for a report.
template <typename Object>
cusolverStatus_t create_jacobi(Object** object, const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(object, "info"); check.failed()) return check.status();
  Object* made = nullptr;
  if (!create_live(&made)) return CUSOLVER_STATUS_ALLOC_FAILED;
  const SweepReport none = {-1, 0};
  if (!made->report.make_copy(&none, sizeof none)) {
    live<Object>().destroy(made);
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
  *object = made;
  return CUSOLVER_STATUS_SUCCESS;
}

/// Waits for what the handle runs.
template <typename Object, typename Value>
cusolverStatus_t get_result(cusolverDnHandle_t handle, const Object* object, const char* argument,
                            Value SweepReport::* field, Value* value,
                            const char* call = __builtin_FUNCTION()) {
  Check check(call, handle);
  if (check.live(object, "info").given(value, argument).failed()) return check.status();
  if (object->was_batched)
    return check.refuse("info", "has no report of a batch", CUSOLVER_STATUS_NOT_SUPPORTED);
  SweepReport report = {};
  cudaError_t error = cudaMemcpyAsync(&report, object->report.template as<SweepReport>(),
                                      sizeof report, cudaMemcpyDeviceToHost, handle->stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(handle->stream);
  if (error != cudaSuccess) return CUSOLVER_STATUS_INTERNAL_ERROR;
  *value = report.*field;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;

#define GRIDSPAN_JACOBI(Method, method)                                                            \
  cusolverStatus_t cusolverDnCreate##Method##Info(method##Info_t* info) {                          \
    return solver::create_jacobi(info);                                                            \
  }                                                                                                \
  cusolverStatus_t cusolverDnDestroy##Method##Info(method##Info_t info) {                          \
    return solver::destroy_parameters(info, "info");                                               \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##method##SetTolerance(method##Info_t info, double tolerance) {      \
    return solver::set_parameter(info, &gridspan_jacobi::tolerance, tolerance);                    \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##method##SetMaxSweeps(method##Info_t info, int sweeps) {            \
    return solver::set_parameter(info, &gridspan_jacobi::most_sweeps, sweeps);                     \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##method##SetSortEig(method##Info_t info, int sorts) {               \
    return solver::set_parameter(info, &gridspan_jacobi::sorts, sorts != 0);                       \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##method##GetResidual(cusolverDnHandle_t handle,                     \
                                                    method##Info_t info, double* residual) {       \
    return solver::get_result(handle, info, "residual", &solver::SweepReport::residual, residual); \
  }                                                                                                \
  cusolverStatus_t cusolverDnX##method##GetSweeps(cusolverDnHandle_t handle, method##Info_t info,  \
                                                  int* sweeps) {                                   \
    return solver::get_result(handle, info, "executed_sweeps", &solver::SweepReport::sweeps,       \
                              sweeps);                                                             \
  }

extern "C" {

GRIDSPAN_JACOBI(Syevj, syevj)
GRIDSPAN_JACOBI(Gesvdj, gesvdj)

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  return solver::create_parameters(params);
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  return solver::destroy_parameters(params, "params");
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
  solver::Check check(__func__);
  if (check.live(params, "params").failed()) return check.status();
  const auto index = static_cast<unsigned>(function);
  check.known(index < params->algorithms.size(), function, "function")
      .known(static_cast<unsigned>(algorithm) <= CUSOLVER_ALG_2, algorithm, "algo");
  if (check.failed()) return check.status();
  params->algorithms[index] = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"
