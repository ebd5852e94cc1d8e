// cuSOLVER: systems and least squares, solved and refined.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Factors are of the type of the arguments, whatever lower precision a name or a parameter allows:
// a solution is as exact as the documented one or more, and one refinement is enough for it.
#include "libraries/solver/api/arguments.h"
#include "libraries/solver/kernels/factors.h"
#include "libraries/solver/kernels/reflectors.h"

/// The documented defaults.
struct cusolverDnIRSParams {
  cusolverIRSRefinement_t solver = CUSOLVER_IRS_REFINE_NOT_SET;
  cusolverPrecType_t main = static_cast<cusolverPrecType_t>(0);  // 0: not set
  cusolverPrecType_t lowest = static_cast<cusolverPrecType_t>(0);
  double tolerance = 0, inner_tolerance = 0;
  int most_iterations = 50, most_inner_iterations = 50;
  bool falls_back = true;
};

struct cusolverDnIRSInfos {
  int iterations = 0, most_iterations = 50;
};

namespace gridspan::libraries::solver {
namespace {

template <typename T>
struct SystemRoom {
  SystemRoom(void* place, Size n, Size width) {
    Layout layout(place);
    factors = layout.take<T>(n * n);
    residual = layout.take<T>(n * width);
    pivots = layout.take<int>(n);
    bytes = layout.bytes();
  }
  T *factors, *residual;
  int* pivots;
  std::size_t bytes;
};

template <typename T>
struct System {
  Size n, width;
  T* a;
  Size lead;
  int* pivots;
  T* b;
  Size lead_b;
  T* x;
  Size lead_x;
};

template <typename T>
void shape(Check& check, const System<T>& s) {
  check.that(s.n >= 0, "n")
      .that(s.width >= 0, "nrhs")
      .lead(s.lead, s.n, "ldda")
      .lead(s.lead_b, s.n, "lddb")
      .lead(s.lead_x, s.n, "lddx");
}

template <typename T>
cusolverStatus_t gesv(Check check, cusolverDnHandle_t handle, const System<T>& s, void* work,
                      std::size_t bytes, int* iterations, int* info) {
  shape(check, s);
  const bool is_empty = s.n <= 0 || s.width <= 0;
  check.that(s.a || s.n <= 0, "dA")
      .that(s.b || is_empty, "dB")
      .that(s.x || is_empty, "dX")
      .that(check.failed() || bytes >= SystemRoom<T>(nullptr, s.n, s.width).bytes, "lwork_bytes")
      .that(work || s.n <= 0, "dWorkspace")
      .given(iterations, "iter")
      .given(info, "d_info");
  if (check.failed()) return check.status();
  const SystemRoom<T> room(work, s.n, s.width);
  const Pivots pivots = {s.pivots ? s.pivots : room.pivots, false};
  const View<const T> a = {s.a, 1, s.lead}, b = {s.b, 1, s.lead_b};
  const View<T> x = {s.x, 1, s.lead_x}, residual = {room.residual, 1, std::max<Size>(s.n, 1)};
  Steps steps(handle->stream);
  copy<T>(steps, Part::all, false, s.n, s.n, a, View<T>{room.factors, 1, s.n});
  factor_lu<T>(steps, s.n, s.n, room.factors, s.n, pivots, info);
  copy<T>(steps, Part::all, false, s.n, s.width, b, x);
  solve_lu<T>(steps, CUBLAS_OP_N, s.n, s.width, room.factors, s.n, pivots, s.x, s.lead_x);
  copy<T>(steps, Part::all, false, s.n, s.width, b, residual);
  multiply<T>(steps, s.n, s.width, s.n, -1, a, x.read(), 1, residual);
  solve_lu<T>(steps, CUBLAS_OP_N, s.n, s.width, room.factors, s.n, pivots, room.residual, s.n);
  add<T>(steps, s.n, s.width, residual.read(), x);
  *iterations = 1;
  return status_of(steps.error());
}

template <typename T>
struct LeastSquaresRoom {
  LeastSquaresRoom(void* place, Size m, Size n, Size width) {
    Layout layout(place);
    factors = layout.take<T>(m * n);
    right = layout.take<T>(m * width);
    tau = layout.take<T>(n);
    rest = layout.take<T>(std::max(qr_room(m, n), reflectors_room(m, width)));
    bytes = layout.bytes();
  }
  T *factors, *right, *tau, *rest;
  std::size_t bytes;
};

template <typename T>
struct LeastSquares {
  Size m, n, width;
  T* a;
  Size lead;
  T* b;
  Size lead_b;
  T* x;
  Size lead_x;
};

// Documented: at least as many equations as unknowns.
template <typename T>
void shape(Check& check, const LeastSquares<T>& s) {
  check.that(s.m >= 0, "m")
      .that(s.n >= 0 && s.n <= s.m, "n")
      .that(s.width >= 0, "nrhs")
      .lead(s.lead, s.m, "ldda")
      .lead(s.lead_b, s.m, "lddb")
      .lead(s.lead_x, s.n, "lddx");
}

template <typename T>
cusolverStatus_t gels(Check check, cusolverDnHandle_t handle, const LeastSquares<T>& s, void* work,
                      std::size_t bytes, int* iterations, int* info) {
  shape(check, s);
  const bool is_empty = s.n <= 0 || s.width <= 0;
  check.that(s.a || s.n <= 0, "dA")
      .that(s.b || is_empty, "dB")
      .that(s.x || is_empty, "dX")
      .that(check.failed() || bytes >= LeastSquaresRoom<T>(nullptr, s.m, s.n, s.width).bytes,
            "lwork_bytes")
      .that(work || s.n <= 0, "dWorkspace")
      .given(iterations, "iter")
      .given(info, "d_info");
  if (check.failed()) return check.status();
  const LeastSquaresRoom<T> room(work, s.m, s.n, s.width);
  const View<T> factors = {room.factors, 1, s.m}, right = {room.right, 1, s.m};
  const View<T> x = {s.x, 1, s.lead_x};
  Steps steps(handle->stream);
  copy<T>(steps, Part::all, false, s.m, s.n, View<const T>{s.a, 1, s.lead}, factors);
  copy<T>(steps, Part::all, false, s.m, s.width, View<const T>{s.b, 1, s.lead_b}, right);
  factor_qr<T>(steps, s.m, s.n, room.factors, s.m, room.tau, room.rest);
  find_zero<T>(steps, s.n, room.factors, s.m, info);
  apply_reflectors<T>(steps, true, true, {room.factors, s.m, s.m, s.n, room.tau}, s.m, s.width,
                      room.right, s.m, room.rest);
  copy<T>(steps, Part::all, false, s.n, s.width, right.read(), x);
  solve_triangle<T>(steps, false, false, s.n, s.width, factors.read(), x);
  *iterations = 0;
  return status_of(steps.error());
}

template <typename T>
cusolverStatus_t give_room(Check check, const System<T>& s, std::size_t* bytes) {
  shape(check, s);
  check.given(bytes, "lwork_bytes");
  if (!check.failed()) *bytes = SystemRoom<T>(nullptr, s.n, s.width).bytes;
  return check.status();
}
template <typename T>
cusolverStatus_t give_room(Check check, const LeastSquares<T>& s, std::size_t* bytes) {
  shape(check, s);
  check.given(bytes, "lwork_bytes");
  if (!check.failed()) *bytes = LeastSquaresRoom<T>(nullptr, s.m, s.n, s.width).bytes;
  return check.status();
}

// --- parameters

bool is_main(cusolverPrecType_t precision) {
  return precision == CUSOLVER_R_64F || precision == CUSOLVER_R_32F ||
         precision == CUSOLVER_C_64F || precision == CUSOLVER_C_32F;
}
bool is_lowest(cusolverPrecType_t precision) {
  return is_main(precision) || precision == CUSOLVER_R_16F || precision == CUSOLVER_R_16BF ||
         precision == CUSOLVER_R_TF32 || precision == CUSOLVER_C_16F ||
         precision == CUSOLVER_C_16BF || precision == CUSOLVER_C_TF32;
}
bool is_refinement(cusolverIRSRefinement_t solver) {
  return solver >= CUSOLVER_IRS_REFINE_NONE && solver <= CUSOLVER_IRS_REFINE_GMRES_NOPCOND;
}

template <typename Value>
cusolverStatus_t set(cusolverDnIRSParams_t params, const char* argument,
                     Value cusolverDnIRSParams::* field, Value value, bool allowed = true,
                     cusolverStatus_t refusal = CUSOLVER_STATUS_INVALID_VALUE,
                     const char* call = __builtin_FUNCTION()) {
  const Check check = Check(call)
                          .live(params, "params", CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED)
                          .that(allowed, argument, refusal, "is not allowed");
  if (check.failed()) return check.status();
  params->*field = value;
  return CUSOLVER_STATUS_SUCCESS;
}

template <typename Value>
cusolverStatus_t get(cusolverDnIRSInfos_t infos, const char* argument,
                     Value cusolverDnIRSInfos::* field, Value* value,
                     const char* call = __builtin_FUNCTION()) {
  const Check check = Check(call)
                          .live(infos, "infos", CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED)
                          .given(value, argument);
  if (check.failed()) return check.status();
  *value = infos->*field;
  return CUSOLVER_STATUS_SUCCESS;
}

Check params_check(const char* call, cusolverDnHandle_t handle, cusolverDnIRSParams_t params) {
  Check check(call, handle);
  check.live(params, "params", CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED)
      .that(check.failed() || is_main(params->main), "params",
            CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  return check;
}
Check infos_check(const char* call, cusolverDnHandle_t handle, cusolverDnIRSParams_t params,
                  cusolverDnIRSInfos_t infos) {
  Check check = params_check(call, handle, params);
  return check.live(infos, "infos", CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}

/// Calls `run` with a number of the main precision.
template <typename Run>
cusolverStatus_t with_precision(const Check& check, cusolverDnIRSParams_t params, Run run) {
  if (check.failed()) return check.status();
  switch (params->main) {
    case CUSOLVER_R_32F:
      return run(0.0f);
    case CUSOLVER_R_64F:
      return run(0.0);
    case CUSOLVER_C_32F:
      return run(Complex<float>{});
    default:
      return run(Complex<double>{});
  }
}

void note(cusolverDnIRSInfos_t infos, cusolverDnIRSParams_t params, const int* iterations) {
  infos->iterations = *iterations;
  infos->most_iterations = params->most_iterations;
}

}  // namespace
}  // namespace gridspan::libraries::solver

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

#define GRIDSPAN_REFINED(letters, T)                                                               \
  cusolverStatus_t cusolverDn##letters##gesv_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T* dA,                     \
      cusolver_int_t ldda, cusolver_int_t* dipiv, T* dB, cusolver_int_t lddb, T* dX,               \
      cusolver_int_t lddx, void*, size_t* lwork_bytes) {                                           \
    using Number = solver::Inner<T>;                                                               \
    return solver::give_room<Number>(                                                              \
        {"cusolverDn" #letters "gesv_bufferSize", handle},                                         \
        solver::System<Number>{n, nrhs, solver::inner(dA), ldda, dipiv, solver::inner(dB), lddb,   \
                               solver::inner(dX), lddx},                                           \
        lwork_bytes);                                                                              \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letters##gesv(                                                      \
      cusolverDnHandle_t handle, cusolver_int_t n, cusolver_int_t nrhs, T* dA,                     \
      cusolver_int_t ldda, cusolver_int_t* dipiv, T* dB, cusolver_int_t lddb, T* dX,               \
      cusolver_int_t lddx, void* dWorkspace, size_t lwork_bytes, cusolver_int_t* iter,             \
      cusolver_int_t* d_info) {                                                                    \
    return solver::gesv<solver::Inner<T>>({"cusolverDn" #letters "gesv", handle}, handle,          \
                                          {n, nrhs, solver::inner(dA), ldda, dipiv,                \
                                           solver::inner(dB), lddb, solver::inner(dX), lddx},      \
                                          dWorkspace, lwork_bytes, iter, d_info);                  \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letters##gels_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T* dA,   \
      cusolver_int_t ldda, T* dB, cusolver_int_t lddb, T* dX, cusolver_int_t lddx, void*,          \
      size_t* lwork_bytes) {                                                                       \
    using Number = solver::Inner<T>;                                                               \
    return solver::give_room<Number>(                                                              \
        {"cusolverDn" #letters "gels_bufferSize", handle},                                         \
        solver::LeastSquares<Number>{m, n, nrhs, solver::inner(dA), ldda, solver::inner(dB), lddb, \
                                     solver::inner(dX), lddx},                                     \
        lwork_bytes);                                                                              \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letters##gels(                                                      \
      cusolverDnHandle_t handle, cusolver_int_t m, cusolver_int_t n, cusolver_int_t nrhs, T* dA,   \
      cusolver_int_t ldda, T* dB, cusolver_int_t lddb, T* dX, cusolver_int_t lddx,                 \
      void* dWorkspace, size_t lwork_bytes, cusolver_int_t* iter, cusolver_int_t* d_info) {        \
    return solver::gels<solver::Inner<T>>(                                                         \
        {"cusolverDn" #letters "gels", handle}, handle,                                            \
        {m, n, nrhs, solver::inner(dA), ldda, solver::inner(dB), lddb, solver::inner(dX), lddx},   \
        dWorkspace, lwork_bytes, iter, d_info);                                                    \
  }

extern "C" {

GRIDSPAN_REFINED(ZZ, cuDoubleComplex)
GRIDSPAN_REFINED(ZC, cuDoubleComplex)
GRIDSPAN_REFINED(ZK, cuDoubleComplex)
GRIDSPAN_REFINED(ZE, cuDoubleComplex)
GRIDSPAN_REFINED(ZY, cuDoubleComplex)
GRIDSPAN_REFINED(CC, cuComplex)
GRIDSPAN_REFINED(CK, cuComplex)
GRIDSPAN_REFINED(CE, cuComplex)
GRIDSPAN_REFINED(CY, cuComplex)
GRIDSPAN_REFINED(DD, double)
GRIDSPAN_REFINED(DS, double)
GRIDSPAN_REFINED(DH, double)
GRIDSPAN_REFINED(DB, double)
GRIDSPAN_REFINED(DX, double)
GRIDSPAN_REFINED(SS, float)
GRIDSPAN_REFINED(SH, float)
GRIDSPAN_REFINED(SB, float)
GRIDSPAN_REFINED(SX, float)

cusolverStatus_t cusolverDnIRSParamsCreate(cusolverDnIRSParams_t* params_ptr) {
  if (const auto check = solver::Check(__func__).given(params_ptr, "params_ptr"); check.failed())
    return check.status();
  return create_live(params_ptr) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
cusolverStatus_t cusolverDnIRSParamsDestroy(cusolverDnIRSParams_t params) {
  return live<cusolverDnIRSParams>().destroy(params)
             ? CUSOLVER_STATUS_SUCCESS
             : solver::Check(__func__).no_object(params, "params",
                                                 CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnIRSParamsSetRefinementSolver(cusolverDnIRSParams_t params,
                                                        cusolverIRSRefinement_t refinement_solver) {
  return solver::set(params, "refinement_solver", &cusolverDnIRSParams::solver, refinement_solver,
                     solver::is_refinement(refinement_solver));
}
cusolverStatus_t cusolverDnIRSParamsSetSolverMainPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision) {
  return solver::set(params, "solver_main_precision", &cusolverDnIRSParams::main,
                     solver_main_precision, solver::is_main(solver_main_precision));
}
cusolverStatus_t cusolverDnIRSParamsSetSolverLowestPrecision(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_lowest_precision) {
  return solver::set(params, "solver_lowest_precision", &cusolverDnIRSParams::lowest,
                     solver_lowest_precision, solver::is_lowest(solver_lowest_precision));
}
cusolverStatus_t cusolverDnIRSParamsSetSolverPrecisions(
    cusolverDnIRSParams_t params, cusolverPrecType_t solver_main_precision,
    cusolverPrecType_t solver_lowest_precision) {
  const bool allowed =
      solver::is_main(solver_main_precision) && solver::is_lowest(solver_lowest_precision);
  const cusolverStatus_t status = solver::set(
      params, "solver_main_precision", &cusolverDnIRSParams::main, solver_main_precision, allowed);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  return solver::set(params, "solver_lowest_precision", &cusolverDnIRSParams::lowest,
                     solver_lowest_precision);
}
cusolverStatus_t cusolverDnIRSParamsSetTol(cusolverDnIRSParams_t params, double val) {
  return solver::set(params, "val", &cusolverDnIRSParams::tolerance, val);
}
cusolverStatus_t cusolverDnIRSParamsSetTolInner(cusolverDnIRSParams_t params, double val) {
  return solver::set(params, "val", &cusolverDnIRSParams::inner_tolerance, val);
}
cusolverStatus_t cusolverDnIRSParamsSetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t maxiters) {
  return solver::set(params, "maxiters", &cusolverDnIRSParams::most_iterations, maxiters,
                     maxiters >= 0);
}
cusolverStatus_t cusolverDnIRSParamsSetMaxItersInner(cusolverDnIRSParams_t params,
                                                     cusolver_int_t maxiters_inner) {
  return solver::set(params, "maxiters_inner", &cusolverDnIRSParams::most_inner_iterations,
                     maxiters_inner, maxiters_inner >= 0);
}
cusolverStatus_t cusolverDnIRSParamsGetMaxIters(cusolverDnIRSParams_t params,
                                                cusolver_int_t* maxiters) {
  const auto check = solver::Check(__func__)
                         .live(params, "params", CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED)
                         .given(maxiters, "maxiters");
  if (check.failed()) return check.status();
  *maxiters = params->most_iterations;
  return CUSOLVER_STATUS_SUCCESS;
}
cusolverStatus_t cusolverDnIRSParamsEnableFallback(cusolverDnIRSParams_t params) {
  return solver::set(params, "params", &cusolverDnIRSParams::falls_back, true);
}
cusolverStatus_t cusolverDnIRSParamsDisableFallback(cusolverDnIRSParams_t params) {
  return solver::set(params, "params", &cusolverDnIRSParams::falls_back, false);
}

cusolverStatus_t cusolverDnIRSInfosCreate(cusolverDnIRSInfos_t* infos_ptr) {
  if (const auto check = solver::Check(__func__).given(infos_ptr, "infos_ptr"); check.failed())
    return check.status();
  return create_live(infos_ptr) ? CUSOLVER_STATUS_SUCCESS : CUSOLVER_STATUS_ALLOC_FAILED;
}
cusolverStatus_t cusolverDnIRSInfosDestroy(cusolverDnIRSInfos_t infos) {
  return live<cusolverDnIRSInfos>().destroy(infos)
             ? CUSOLVER_STATUS_SUCCESS
             : solver::Check(__func__).no_object(infos, "infos",
                                                 CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}
cusolverStatus_t cusolverDnIRSInfosGetNiters(cusolverDnIRSInfos_t infos, cusolver_int_t* niters) {
  return solver::get(infos, "niters", &cusolverDnIRSInfos::iterations, niters);
}
cusolverStatus_t cusolverDnIRSInfosGetOuterNiters(cusolverDnIRSInfos_t infos,
                                                  cusolver_int_t* outer_niters) {
  return solver::get(infos, "outer_niters", &cusolverDnIRSInfos::iterations, outer_niters);
}
cusolverStatus_t cusolverDnIRSInfosGetMaxIters(cusolverDnIRSInfos_t infos,
                                               cusolver_int_t* maxiters) {
  return solver::get(infos, "maxiters", &cusolverDnIRSInfos::most_iterations, maxiters);
}

cusolverStatus_t cusolverDnIRSXgesv_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t n,
                                               cusolver_int_t nrhs, size_t* lwork_bytes) {
  const auto check = solver::params_check("cusolverDnIRSXgesv_bufferSize", handle, params);
  return solver::with_precision(check, params, [&](auto x) {
    using T = decltype(x);
    return solver::give_room<T>(check,
                                solver::System<T>{n, nrhs, nullptr, std::max(n, 1), nullptr,
                                                  nullptr, std::max(n, 1), nullptr, std::max(n, 1)},
                                lwork_bytes);
  });
}
cusolverStatus_t cusolverDnIRSXgesv(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t n,
                                    cusolver_int_t nrhs, void* dA, cusolver_int_t ldda, void* dB,
                                    cusolver_int_t lddb, void* dX, cusolver_int_t lddx,
                                    void* dWorkspace, size_t lwork_bytes, cusolver_int_t* niters,
                                    cusolver_int_t* d_info) {
  const auto check =
      solver::infos_check("cusolverDnIRSXgesv", handle, gesv_irs_params, gesv_irs_infos);
  return solver::with_precision(check, gesv_irs_params, [&](auto x) {
    using T = decltype(x);
    const cusolverStatus_t status =
        solver::gesv<T>(check, handle,
                        {n, nrhs, static_cast<T*>(dA), ldda, nullptr, static_cast<T*>(dB), lddb,
                         static_cast<T*>(dX), lddx},
                        dWorkspace, lwork_bytes, niters, d_info);
    if (status == CUSOLVER_STATUS_SUCCESS) solver::note(gesv_irs_infos, gesv_irs_params, niters);
    return status;
  });
}
cusolverStatus_t cusolverDnIRSXgels_bufferSize(cusolverDnHandle_t handle,
                                               cusolverDnIRSParams_t params, cusolver_int_t m,
                                               cusolver_int_t n, cusolver_int_t nrhs,
                                               size_t* lwork_bytes) {
  const auto check = solver::params_check("cusolverDnIRSXgels_bufferSize", handle, params);
  return solver::with_precision(check, params, [&](auto x) {
    using T = decltype(x);
    return solver::give_room<T>(
        check,
        solver::LeastSquares<T>{m, n, nrhs, nullptr, std::max(m, 1), nullptr, std::max(m, 1),
                                nullptr, std::max(n, 1)},
        lwork_bytes);
  });
}
cusolverStatus_t cusolverDnIRSXgels(cusolverDnHandle_t handle,
                                    cusolverDnIRSParams_t gesv_irs_params,
                                    cusolverDnIRSInfos_t gesv_irs_infos, cusolver_int_t m,
                                    cusolver_int_t n, cusolver_int_t nrhs, void* dA,
                                    cusolver_int_t ldda, void* dB, cusolver_int_t lddb, void* dX,
                                    cusolver_int_t lddx, void* dWorkspace, size_t lwork_bytes,
                                    cusolver_int_t* niters, cusolver_int_t* d_info) {
  const auto check =
      solver::infos_check("cusolverDnIRSXgels", handle, gesv_irs_params, gesv_irs_infos);
  return solver::with_precision(check, gesv_irs_params, [&](auto x) {
    using T = decltype(x);
    const cusolverStatus_t status =
        solver::gels<T>(check, handle,
                        {m, n, nrhs, static_cast<T*>(dA), ldda, static_cast<T*>(dB), lddb,
                         static_cast<T*>(dX), lddx},
                        dWorkspace, lwork_bytes, niters, d_info);
    if (status == CUSOLVER_STATUS_SUCCESS) solver::note(gesv_irs_infos, gesv_irs_params, niters);
    return status;
  });
}

}  // extern "C"
