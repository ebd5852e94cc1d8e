// cuSOLVER: eigenvalues and eigenvectors of Hermitian matrices, and of pencils of them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// syevj computes as syevd does: its tolerance is always the precision of the type.
#include "libraries/solver/api/arguments.h"
#include "libraries/solver/kernels/spectra.h"

namespace gridspan::libraries::solver {
namespace {

struct Symmetric {
  cusolverEigMode_t job;
  cublasFillMode_t fill;
  Size n, lead;

  bool wants_vectors() const { return job == CUSOLVER_EIG_MODE_VECTOR; }
  bool is_lower() const { return fill == CUBLAS_FILL_MODE_LOWER; }
};

void shape(Check& check, const Symmetric& a) {
  check.that(a.job == CUSOLVER_EIG_MODE_VECTOR || a.job == CUSOLVER_EIG_MODE_NOVECTOR, "jobz")
      .fill(a.fill)
      .size(a.n, "n")
      .lead(a.lead, a.n, "lda");
}

SweepReport* report_of(gridspan_jacobi* parameters, bool is_batched) {
  if (!parameters) return nullptr;
  parameters->was_batched = is_batched;
  return is_batched ? nullptr : parameters->report.as<SweepReport>();
}

template <typename T>
cusolverStatus_t give_room(Check check, const Symmetric& a, int* count) {
  shape(check, a);
  check.given(count, "lwork");
  if (check.failed()) return check.status();
  return give_elements<T>(eigenvalues_room<Inner<T>>(a.n), count);
}

/// `batch_count` matrices, one behind the other.
template <typename T>
cusolverStatus_t syevd(Check check, cusolverDnHandle_t handle, const Symmetric& s, T* a, Real<T>* w,
                       void* work, std::size_t bytes, int* info,
                       gridspan_jacobi* parameters = nullptr, Size batch_count = 1,
                       bool is_batched = false) {
  shape(check, s);
  check.that(a || s.n <= 0, "A")
      .that(w || s.n <= 0, "W")
      .that(bytes >= eigenvalues_room<T>(std::max<Size>(s.n, 0)), "lwork")
      .that(work || s.n <= 0, "work")
      .given(info, "info")
      .size(batch_count, "batchSize");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  SweepReport* const report = report_of(parameters, is_batched);
  for (Size z = 0; z < batch_count; ++z)
    eigenvalues<T>(steps, s.wants_vectors(), s.is_lower(), s.n, a + z * s.n * s.lead, s.lead,
                   w + z * s.n, work, info + z, report);
  return status_of(steps.error());
}

void pencil_shape(Check& check, cusolverEigType_t type, const Symmetric& a, Size lead_b) {
  check.that(type >= CUSOLVER_EIG_TYPE_1 && type <= CUSOLVER_EIG_TYPE_3, "itype");
  shape(check, a);
  check.lead(lead_b, a.n, "ldb");
}

template <typename T>
cusolverStatus_t give_pencil_room(Check check, cusolverEigType_t type, const Symmetric& a,
                                  Size lead_b, int* count) {
  pencil_shape(check, type, a, lead_b);
  check.given(count, "lwork");
  if (check.failed()) return check.status();
  return give_elements<T>(pencil_room<Inner<T>>(a.n), count);
}

template <typename T>
cusolverStatus_t sygvd(Check check, cusolverDnHandle_t handle, cusolverEigType_t type,
                       const Symmetric& s, T* a, T* b, Size lead_b, Real<T>* w, T* work, int count,
                       int* info, gridspan_jacobi* parameters = nullptr) {
  pencil_shape(check, type, s, lead_b);
  check.that(a || s.n <= 0, "A")
      .that(b || s.n <= 0, "B")
      .that(w || s.n <= 0, "W")
      .that(count >= 0 && count * sizeof(T) >= pencil_room<T>(std::max<Size>(s.n, 0)), "lwork")
      .that(work || s.n <= 0, "work")
      .given(info, "info");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  pencil_eigenvalues<T>(steps, static_cast<Pencil>(type), s.wants_vectors(), s.is_lower(), s.n, a,
                        s.lead, b, lead_b, w, work, info, report_of(parameters, false));
  return status_of(steps.error());
}

// --- some of the eigenvalues

struct Range {
  cusolverEigRange_t kind;
  double low, high;
  Size first, last;
};

void range_shape(Check& check, const Range& range, const Symmetric& a) {
  const bool by_value = range.kind == CUSOLVER_EIG_RANGE_V;
  const bool by_place = range.kind == CUSOLVER_EIG_RANGE_I;
  check.that(by_value || by_place || range.kind == CUSOLVER_EIG_RANGE_ALL, "range")
      .that(!by_value || range.low < range.high, "vu")
      .that(!by_place || a.n <= 0 || (range.first >= 1 && range.first <= a.n), "il")
      .that(!by_place || a.n <= 0 || (range.last >= range.first && range.last <= a.n), "iu");
}

/// Documented: how many there are is an answer in host memory. Only those in an interval are waited
/// for. `spare` is device memory that nothing needs any more.
template <typename T, typename Count>
cusolverStatus_t select(Steps& steps, const Range& range, const Symmetric& s, T* a, Real<T>* w,
                        int* spare, Count* count) {
  using Kind = Selection::Kind;
  const Kind kind = range.kind == CUSOLVER_EIG_RANGE_ALL ? Kind::all
                    : range.kind == CUSOLVER_EIG_RANGE_V ? Kind::values
                                                         : Kind::places;
  *count = static_cast<Count>(kind == Kind::places && s.n > 0 ? range.last - range.first + 1 : s.n);
  if (kind == Kind::all || s.n == 0) return status_of(steps.error());
  select_eigenvalues<T>(steps, {kind, range.low, range.high, range.first, range.last},
                        s.wants_vectors(), s.n, a, s.lead, w, spare);
  if (kind == Kind::places) return status_of(steps.error());
  int found = 0;
  if (steps.error() == cudaSuccess)
    steps.note(
        cudaMemcpyAsync(&found, spare, sizeof found, cudaMemcpyDeviceToHost, steps.stream()));
  if (steps.error() == cudaSuccess) steps.note(cudaStreamSynchronize(steps.stream()));
  *count = found;
  return status_of(steps.error());
}

template <typename T, typename Count>
cusolverStatus_t syevdx(Check check, cusolverDnHandle_t handle, const Range& range,
                        const Symmetric& s, T* a, Real<T>* w, Count* count, void* work,
                        std::size_t bytes, int* info) {
  range_shape(check, range, s);
  check.given(count, "meig");
  const cusolverStatus_t status = syevd(check, handle, s, a, w, work, bytes, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  Steps steps(handle->stream);
  return select<T>(steps, range, s, a, w, static_cast<int*>(work), count);
}

template <typename T>
cusolverStatus_t sygvdx(Check check, cusolverDnHandle_t handle, cusolverEigType_t type,
                        const Range& range, const Symmetric& s, T* a, T* b, Size lead_b, Real<T>* w,
                        int* count, T* work, int room, int* info) {
  range_shape(check, range, s);
  check.given(count, "meig");
  const cusolverStatus_t status = sygvd(check, handle, type, s, a, b, lead_b, w, work, room, info);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  Steps steps(handle->stream);
  return select<T>(steps, range, s, a, w, reinterpret_cast<int*>(work), count);
}

/// vl, vu of a function with types as arguments: of W's.
double bound_of(cudaDataType type, const void* bound) {
  if (!bound) return 0;
  return type == CUDA_R_64F ? *static_cast<const double*>(bound)
                            : *static_cast<const float*>(bound);
}

/// A call of Jacobi's has parameters.
template <typename Parameters>
Check checked(const char* call, cusolverDnHandle_t handle, const Parameters* parameters) {
  Check check(call, handle);
  return check.live(parameters, "params");
}

/// Of 64-bit sizes: W has the real type of A.
Check wide_check(const char* call, cusolverDnHandle_t handle, cudaDataType a, cudaDataType values,
                 cudaDataType compute) {
  Check check(call, handle);
  const bool is_double = a == CUDA_R_64F || a == CUDA_C_64F;
  check.that(values == (is_double ? CUDA_R_64F : CUDA_R_32F), "dataTypeW")
      .that(compute == a, "computeType");
  return check;
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_SELECTED(letter, T, R, evdx, gvdx)                                               \
  cusolverStatus_t cusolverDn##letter##evdx##_bufferSize(                                         \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cusolverEigRange_t range,                \
      cublasFillMode_t uplo, int n, const T*, int lda, R vl, R vu, int il, int iu, int* meig,     \
      const R*, int* lwork) {                                                                     \
    solver::Check check("cusolverDn" #letter #evdx "_bufferSize", handle);                        \
    solver::range_shape(check, {range, vl, vu, il, iu}, {jobz, uplo, n, lda});                    \
    return solver::give_room<T>(check.given(meig, "meig"), {jobz, uplo, n, lda}, lwork);          \
  }                                                                                               \
  cusolverStatus_t cusolverDn##letter##evdx(cusolverDnHandle_t handle, cusolverEigMode_t jobz,    \
                                            cusolverEigRange_t range, cublasFillMode_t uplo,      \
                                            int n, T* A, int lda, R vl, R vu, int il, int iu,     \
                                            int* meig, R* W, T* work, int lwork, int* info) {     \
    return solver::syevdx({"cusolverDn" #letter #evdx, handle}, handle, {range, vl, vu, il, iu},  \
                          {jobz, uplo, n, lda}, inner(A), W, meig, work,                          \
                          lwork < 0 ? 0 : lwork * sizeof(T), info);                               \
  }                                                                                               \
  cusolverStatus_t cusolverDn##letter##gvdx##_bufferSize(                                         \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                 \
      cusolverEigRange_t range, cublasFillMode_t uplo, int n, const T*, int lda, const T*,        \
      int ldb, R vl, R vu, int il, int iu, int* meig, const R*, int* lwork) {                     \
    solver::Check check("cusolverDn" #letter #gvdx "_bufferSize", handle);                        \
    solver::range_shape(check, {range, vl, vu, il, iu}, {jobz, uplo, n, lda});                    \
    return solver::give_pencil_room<T>(check.given(meig, "meig"), itype, {jobz, uplo, n, lda},    \
                                       ldb, lwork);                                               \
  }                                                                                               \
  cusolverStatus_t cusolverDn##letter##gvdx(                                                      \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                 \
      cusolverEigRange_t range, cublasFillMode_t uplo, int n, T* A, int lda, T* B, int ldb, R vl, \
      R vu, int il, int iu, int* meig, R* W, T* work, int lwork, int* info) {                     \
    return solver::sygvdx({"cusolverDn" #letter #gvdx, handle}, handle, itype,                    \
                          {range, vl, vu, il, iu}, {jobz, uplo, n, lda}, inner(A), inner(B), ldb, \
                          W, meig, inner(work), lwork, info);                                     \
  }
#define GRIDSPAN_EIGENVALUES(letter, T, R, evd, evj, gvd, gvj)                                     \
  cusolverStatus_t cusolverDn##letter##evd##_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T*,   \
      int lda, const R*, int* lwork) {                                                             \
    return solver::give_room<T>({"cusolverDn" #letter #evd "_bufferSize", handle},                 \
                                {jobz, uplo, n, lda}, lwork);                                      \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##evd(cusolverDnHandle_t handle, cusolverEigMode_t jobz,      \
                                           cublasFillMode_t uplo, int n, T* A, int lda, R* W,      \
                                           T* work, int lwork, int* info) {                        \
    return solver::syevd({"cusolverDn" #letter #evd, handle}, handle, {jobz, uplo, n, lda},        \
                         inner(A), W, work, lwork < 0 ? 0 : lwork * sizeof(T), info);              \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##evj##_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T*,   \
      int lda, const R*, int* lwork, syevjInfo_t params) {                                         \
    return solver::give_room<T>(                                                                   \
        solver::checked("cusolverDn" #letter #evj "_bufferSize", handle, params),                  \
        {jobz, uplo, n, lda}, lwork);                                                              \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##evj(cusolverDnHandle_t handle, cusolverEigMode_t jobz,      \
                                           cublasFillMode_t uplo, int n, T* A, int lda, R* W,      \
                                           T* work, int lwork, int* info, syevjInfo_t params) {    \
    return solver::syevd(solver::checked("cusolverDn" #letter #evj, handle, params), handle,       \
                         {jobz, uplo, n, lda}, inner(A), W, work,                                  \
                         lwork < 0 ? 0 : lwork * sizeof(T), info, params);                         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##evj##Batched_bufferSize(                                    \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, const T*,   \
      int lda, const R*, int* lwork, syevjInfo_t params, int batchSize) {                          \
    solver::Check check =                                                                          \
        solver::checked("cusolverDn" #letter #evj "Batched_bufferSize", handle, params);           \
    return solver::give_room<T>(check.size(batchSize, "batchSize"), {jobz, uplo, n, lda}, lwork);  \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##evj##Batched(                                               \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, cublasFillMode_t uplo, int n, T* A,       \
      int lda, R* W, T* work, int lwork, int* info, syevjInfo_t params, int batchSize) {           \
    return solver::syevd(solver::checked("cusolverDn" #letter #evj "Batched", handle, params),     \
                         handle, {jobz, uplo, n, lda}, inner(A), W, work,                          \
                         lwork < 0 ? 0 : lwork * sizeof(T), info, params, batchSize, true);        \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gvd##_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                  \
      cublasFillMode_t uplo, int n, const T*, int lda, const T*, int ldb, const R*, int* lwork) {  \
    return solver::give_pencil_room<T>({"cusolverDn" #letter #gvd "_bufferSize", handle}, itype,   \
                                       {jobz, uplo, n, lda}, ldb, lwork);                          \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gvd(cusolverDnHandle_t handle, cusolverEigType_t itype,     \
                                           cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,   \
                                           T* A, int lda, T* B, int ldb, R* W, T* work, int lwork, \
                                           int* info) {                                            \
    return solver::sygvd({"cusolverDn" #letter #gvd, handle}, handle, itype, {jobz, uplo, n, lda}, \
                         inner(A), inner(B), ldb, W, inner(work), lwork, info);                    \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gvj##_bufferSize(                                           \
      cusolverDnHandle_t handle, cusolverEigType_t itype, cusolverEigMode_t jobz,                  \
      cublasFillMode_t uplo, int n, const T*, int lda, const T*, int ldb, const R*, int* lwork,    \
      syevjInfo_t params) {                                                                        \
    return solver::give_pencil_room<T>(                                                            \
        solver::checked("cusolverDn" #letter #gvj "_bufferSize", handle, params), itype,           \
        {jobz, uplo, n, lda}, ldb, lwork);                                                         \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gvj(cusolverDnHandle_t handle, cusolverEigType_t itype,     \
                                           cusolverEigMode_t jobz, cublasFillMode_t uplo, int n,   \
                                           T* A, int lda, T* B, int ldb, R* W, T* work, int lwork, \
                                           int* info, syevjInfo_t params) {                        \
    return solver::sygvd(solver::checked("cusolverDn" #letter #gvj, handle, params), handle,       \
                         itype, {jobz, uplo, n, lda}, inner(A), inner(B), ldb, W, inner(work),     \
                         lwork, info, params);                                                     \
  }

extern "C" {

GRIDSPAN_EIGENVALUES(S, float, float, syevd, syevj, sygvd, sygvj)
GRIDSPAN_EIGENVALUES(D, double, double, syevd, syevj, sygvd, sygvj)
GRIDSPAN_EIGENVALUES(C, cuComplex, float, heevd, heevj, hegvd, hegvj)
GRIDSPAN_EIGENVALUES(Z, cuDoubleComplex, double, heevd, heevj, hegvd, hegvj)

GRIDSPAN_SELECTED(S, float, float, syevdx, sygvdx)
GRIDSPAN_SELECTED(D, double, double, syevdx, sygvdx)
GRIDSPAN_SELECTED(C, cuComplex, float, heevdx, hegvdx)
GRIDSPAN_SELECTED(Z, cuDoubleComplex, double, heevdx, hegvdx)

cusolverStatus_t cusolverDnXsyevd_bufferSize(cusolverDnHandle_t handle, cusolverDnParams_t,
                                             cusolverEigMode_t jobz, cublasFillMode_t uplo,
                                             int64_t n, cudaDataType dataTypeA, const void*,
                                             int64_t lda, cudaDataType dataTypeW, const void*,
                                             cudaDataType computeType,
                                             size_t* workspaceInBytesOnDevice,
                                             size_t* workspaceInBytesOnHost) {
  solver::Check check =
      solver::wide_check("cusolverDnXsyevd_bufferSize", handle, dataTypeA, dataTypeW, computeType);
  solver::shape(check, {jobz, uplo, n, lda});
  check.that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, solver::eigenvalues_room<decltype(x)>(n),
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXsyevd(cusolverDnHandle_t handle, cusolverDnParams_t,
                                  cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                  cudaDataType dataTypeA, void* A, int64_t lda,
                                  cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                  void* bufferOnDevice, size_t workspaceInBytesOnDevice, void*,
                                  size_t, int* info) {
  const solver::Check check =
      solver::wide_check("cusolverDnXsyevd", handle, dataTypeA, dataTypeW, computeType);
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::syevd(check, handle, {jobz, uplo, n, lda}, static_cast<T*>(A),
                         static_cast<solver::Real<T>*>(W), bufferOnDevice, workspaceInBytesOnDevice,
                         info);
  });
}

cusolverStatus_t cusolverDnXsyevdx_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, cusolverEigRange_t range,
    cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void*, int64_t lda, void* vl,
    void* vu, int64_t il, int64_t iu, int64_t* h_meig, cudaDataType dataTypeW, const void*,
    cudaDataType computeType, size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost) {
  solver::Check check =
      solver::wide_check("cusolverDnXsyevdx_bufferSize", handle, dataTypeA, dataTypeW, computeType);
  const solver::Symmetric s = {jobz, uplo, n, lda};
  solver::shape(check, s);
  solver::range_shape(
      check, {range, solver::bound_of(dataTypeW, vl), solver::bound_of(dataTypeW, vu), il, iu}, s);
  check.given(h_meig, "h_meig")
      .that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, solver::eigenvalues_room<decltype(x)>(n),
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXsyevdx(cusolverDnHandle_t handle, cusolverDnParams_t,
                                   cusolverEigMode_t jobz, cusolverEigRange_t range,
                                   cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA,
                                   void* A, int64_t lda, void* vl, void* vu, int64_t il, int64_t iu,
                                   int64_t* meig64, cudaDataType dataTypeW, void* W,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void*, size_t, int* info) {
  const solver::Check check =
      solver::wide_check("cusolverDnXsyevdx", handle, dataTypeA, dataTypeW, computeType);
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::syevdx(
        check, handle,
        {range, solver::bound_of(dataTypeW, vl), solver::bound_of(dataTypeW, vu), il, iu},
        {jobz, uplo, n, lda}, static_cast<T*>(A), static_cast<solver::Real<T>*>(W), meig64,
        bufferOnDevice, workspaceInBytesOnDevice, info);
  });
}

cusolverStatus_t cusolverDnXsyevBatched_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t params, cusolverEigMode_t jobz,
    cublasFillMode_t uplo, int64_t n, cudaDataType dataTypeA, const void* A, int64_t lda,
    cudaDataType dataTypeW, const void* W, cudaDataType computeType,
    size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost, int64_t batchSize) {
  solver::Check check("cusolverDnXsyevBatched_bufferSize", handle);
  if (check.size(batchSize, "batchSize").failed()) return check.status();
  return cusolverDnXsyevd_bufferSize(handle, params, jobz, uplo, n, dataTypeA, A, lda, dataTypeW, W,
                                     computeType, workspaceInBytesOnDevice, workspaceInBytesOnHost);
}

cusolverStatus_t cusolverDnXsyevBatched(cusolverDnHandle_t handle, cusolverDnParams_t,
                                        cusolverEigMode_t jobz, cublasFillMode_t uplo, int64_t n,
                                        cudaDataType dataTypeA, void* A, int64_t lda,
                                        cudaDataType dataTypeW, void* W, cudaDataType computeType,
                                        void* bufferOnDevice, size_t workspaceInBytesOnDevice,
                                        void*, size_t, int* info, int64_t batchSize) {
  const solver::Check check =
      solver::wide_check("cusolverDnXsyevBatched", handle, dataTypeA, dataTypeW, computeType);
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::syevd(check, handle, {jobz, uplo, n, lda}, static_cast<T*>(A),
                         static_cast<solver::Real<T>*>(W), bufferOnDevice, workspaceInBytesOnDevice,
                         info, nullptr, batchSize, true);
  });
}

}  // extern "C"
