// cuSOLVER: parameters of Jacobi's methods and of the 64-bit functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/solver/api/context.h"
#include "libraries/support/live_objects.h"

namespace gridspan::libraries::solver {
namespace {

template <typename Object>
cusolverStatus_t create_parameters(Object** object) {
  if (!object) return CUSOLVER_STATUS_INVALID_VALUE;
  return create_live(object) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}

template <typename Object>
cusolverStatus_t destroy_parameters(Object* object) {
  return live<Object>().destroy(object) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_INVALID_VALUE;
}

template <typename Object, typename Value>
cusolverStatus_t set_parameter(Object* object, Value gridspan_jacobi::* field, Value value) {
  if (!is_live(object)) return CUSOLVER_STATUS_INVALID_VALUE;
  object->*field = value;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Object, typename Value>
cusolverStatus_t get_result(const Object* object, Value gridspan_jacobi::* field, Value* value) {
  if (!is_live(object) || !value) return CUSOLVER_STATUS_INVALID_VALUE;
  *value = object->*field;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;

#define GRIDSPAN_JACOBI(Method, method)                                                       \
  cusolverStatus_t cusolverDnCreate##Method##Info(method##Info_t* info) {                     \
    return solver::create_parameters(info);                                                   \
  }                                                                                           \
  cusolverStatus_t cusolverDnDestroy##Method##Info(method##Info_t info) {                     \
    return solver::destroy_parameters(info);                                                  \
  }                                                                                           \
  cusolverStatus_t cusolverDnX##method##SetTolerance(method##Info_t info, double tolerance) { \
    return solver::set_parameter(info, &gridspan_jacobi::tolerance, tolerance);               \
  }                                                                                           \
  cusolverStatus_t cusolverDnX##method##SetMaxSweeps(method##Info_t info, int sweeps) {       \
    return solver::set_parameter(info, &gridspan_jacobi::most_sweeps, sweeps);                \
  }                                                                                           \
  cusolverStatus_t cusolverDnX##method##SetSortEig(method##Info_t info, int sorts) {          \
    return solver::set_parameter(info, &gridspan_jacobi::sorts, sorts != 0);                  \
  }                                                                                           \
  cusolverStatus_t cusolverDnX##method##GetResidual(cusolverDnHandle_t, method##Info_t info,  \
                                                    double* residual) {                       \
    return solver::get_result(info, &gridspan_jacobi::residual, residual);                    \
  }                                                                                           \
  cusolverStatus_t cusolverDnX##method##GetSweeps(cusolverDnHandle_t, method##Info_t info,    \
                                                  int* sweeps) {                              \
    return solver::get_result(info, &gridspan_jacobi::sweeps, sweeps);                        \
  }

extern "C" {

GRIDSPAN_JACOBI(Syevj, syevj)
GRIDSPAN_JACOBI(Gesvdj, gesvdj)

cusolverStatus_t cusolverDnCreateParams(cusolverDnParams_t* params) {
  return solver::create_parameters(params);
}
cusolverStatus_t cusolverDnDestroyParams(cusolverDnParams_t params) {
  return solver::destroy_parameters(params);
}
cusolverStatus_t cusolverDnSetAdvOptions(cusolverDnParams_t params, cusolverDnFunction_t function,
                                         cusolverAlgMode_t algorithm) {
  if (!gridspan::libraries::is_live(params)) return CUSOLVER_STATUS_INVALID_VALUE;
  const auto index = static_cast<unsigned>(function);
  if (index >= params->algorithms.size() || static_cast<unsigned>(algorithm) > CUSOLVER_ALG_2)
    return CUSOLVER_STATUS_INVALID_VALUE;
  params->algorithms[index] = algorithm;
  return CUSOLVER_STATUS_SUCCESS;
}

}  // extern "C"
