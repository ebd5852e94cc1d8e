// cuSOLVER: singular values and vectors.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gesvdj computes as gesvd does: its tolerance is always the precision of the type.
#include "libraries/solver/api/arguments.h"
#include "libraries/solver/kernels/factors.h"
#include "libraries/solver/kernels/spectra.h"

#include <cmath>
#include <vector>

namespace gridspan::libraries::solver {
namespace {

std::size_t rounded(std::size_t bytes) { return (bytes + 15) / 16 * 16; }

/// With room for V before it is transposed.
template <typename T>
std::size_t gesvd_bytes(Size m, Size n) {
  return rounded(singular_room<T>(m, n)) + static_cast<std::size_t>(n * n) * sizeof(T);
}

struct Jobs {
  signed char u, vt;
};

bool is_job(signed char job) { return job == 'A' || job == 'S' || job == 'O' || job == 'N'; }

// Documented: m >= n only.
void gesvd_shape(Check& check, Size m, Size n) { check.size(m, "m").that(n >= 0 && n <= m, "n"); }

template <typename T>
cusolverStatus_t gesvd(Check check, cusolverDnHandle_t handle, Jobs jobs, Size m, Size n, T* a,
                       Size lead, Real<T>* s, T* u, Size lead_u, T* vt, Size lead_vt, void* work,
                       std::size_t bytes, int* info) {
  const bool has_u = jobs.u == 'A' || jobs.u == 'S', has_vt = jobs.vt == 'A' || jobs.vt == 'S';
  check.that(is_job(jobs.u), "jobu")
      .that(is_job(jobs.vt) && !(jobs.u == 'O' && jobs.vt == 'O'), "jobvt");
  gesvd_shape(check, m, n);
  check.that(a || n == 0, "A")
      .lead(lead, m, "lda")
      .that(s || n == 0, "S")
      .that(!has_u || u || m == 0, "U")
      .lead(lead_u, has_u ? m : 1, "ldu")
      .that(!has_vt || vt || n == 0, "VT")
      .lead(lead_vt, has_vt ? n : 1, "ldvt")
      .that(check.failed() || bytes >= gesvd_bytes<T>(m, n), "lwork")
      .that(work || n == 0, "work")
      .given(info, "info");
  if (check.failed()) return check.status();
  Steps steps(handle->stream);
  Vectors<T> to_u, to_v;
  if (jobs.u == 'O') to_u = {a, lead, n};
  if (has_u) to_u = {u, lead_u, jobs.u == 'A' ? m : n};
  if (jobs.vt != 'N')
    to_v = {reinterpret_cast<T*>(static_cast<char*>(work) + rounded(singular_room<T>(m, n))), n, n};
  singular_values<T>(steps, m, n, View<const T>{a, 1, lead}, s, to_u, to_v, work, info, nullptr);
  if (jobs.vt != 'N')
    copy<T>(steps, Part::all, false, n, n, View<const T>{to_v.base, 1, n}.adjoint(),
            has_vt ? View<T>{vt, 1, lead_vt} : View<T>{a, 1, lead});
  return status_of(steps.error());
}

/// gesvdj and its batches: V is not transposed, and of any shape.
struct Singular {
  cusolverEigMode_t job;
  bool is_economic;
  Size m, n, lead, lead_u, lead_v;

  bool wants_vectors() const { return job == CUSOLVER_EIG_MODE_VECTOR; }
  Size shorter() const { return std::min(m, n); }
  Size longer() const { return std::max(m, n); }
  Size columns_u() const { return is_economic ? shorter() : m; }
  Size columns_v() const { return is_economic ? shorter() : n; }
};

void shape(Check& check, const Singular& x) {
  check.that(x.job == CUSOLVER_EIG_MODE_VECTOR || x.job == CUSOLVER_EIG_MODE_NOVECTOR, "jobz")
      .that(x.m >= 0, "m")
      .that(x.n >= 0, "n")
      .lead(x.lead, x.m, "lda")
      .lead(x.lead_u, x.wants_vectors() ? x.m : 1, "ldu")
      .lead(x.lead_v, x.wants_vectors() ? x.n : 1, "ldv");
}

template <typename T>
cusolverStatus_t give_room(Check check, const Singular& x, int* count) {
  shape(check, x);
  check.given(count, "lwork");
  if (check.failed()) return check.status();
  return give_elements<T>(singular_room<Inner<T>>(x.longer(), x.shorter()), count);
}

template <typename T>
void factor(Steps& steps, const Singular& x, const T* a, Real<T>* s, T* u, T* v, void* work,
            int* info, SweepReport* report) {
  const View<const T> whole = {a, 1, x.lead};
  const Vectors<T> to_u = {u, x.lead_u, x.wants_vectors() ? x.columns_u() : 0};
  const Vectors<T> to_v = {v, x.lead_v, x.wants_vectors() ? x.columns_v() : 0};
  if (x.m >= x.n)
    singular_values<T>(steps, x.m, x.n, whole, s, to_u, to_v, work, info, report);
  else
    singular_values<T>(steps, x.n, x.m, whole.adjoint(), s, to_v, to_u, work, info, report);
}

template <typename T>
cusolverStatus_t gesvdj(Check check, cusolverDnHandle_t handle, const Singular& x, T* a, Real<T>* s,
                        T* u, T* v, void* work, std::size_t bytes, int* info,
                        gridspan_jacobi* parameters, Size batch_count, bool is_batched) {
  shape(check, x);
  check.that(a || x.shorter() <= 0, "A")
      .that(s || x.shorter() <= 0, "S")
      .that(!x.wants_vectors() || u || x.m <= 0, "U")
      .that(!x.wants_vectors() || v || x.n <= 0, "V")
      .that(check.failed() || bytes >= singular_room<T>(x.longer(), x.shorter()), "lwork")
      .that(work || x.shorter() <= 0, "work")
      .given(info, "info")
      .size(batch_count, "batchSize");
  if (check.failed()) return check.status();
  if (parameters) parameters->was_batched = is_batched;
  Steps steps(handle->stream);
  for (Size z = 0; z < batch_count; ++z)
    factor<T>(steps, x, a + z * x.lead * x.n, s + z * x.shorter(),
              u ? u + z * x.lead_u * x.columns_u() : nullptr,
              v ? v + z * x.lead_v * x.columns_v() : nullptr, work, info + z,
              is_batched || !parameters ? nullptr : parameters->report.as<SweepReport>());
  return status_of(steps.error());
}

// --- gesvda: the largest values of tall matrices, at distances

struct Strided {
  Size rank, stride_a, stride_s, stride_u, stride_v, batch_count;
};

template <typename T>
std::size_t strided_bytes(const Singular& x) {
  return rounded(static_cast<std::size_t>(x.shorter()) * sizeof(Real<T>)) +
         singular_room<T>(x.longer(), x.shorter());
}

void strided_shape(Check& check, const Singular& x, Size rank, Size batch_count) {
  shape(check, x);
  check.that(check.failed() || (rank >= 0 && rank <= x.shorter()), "rank")
      .size(batch_count, "batchSize");
}

template <typename T>
cusolverStatus_t give_strided_room(Check check, const Singular& x, Size rank, Size batch_count,
                                   int* count) {
  strided_shape(check, x, rank, batch_count);
  check.given(count, "lwork");
  return check.failed() ? check.status() : give_elements<T>(strided_bytes<Inner<T>>(x), count);
}

/// sqrt of the sum of squares from `rank` on: what the largest leave of the matrix.
template <typename R>
double rest_of(Steps& steps, const R* values, Size rank, Size count) {
  std::vector<R> all(static_cast<std::size_t>(count));
  if (steps.error() == cudaSuccess && count > 0)
    steps.note(cudaMemcpyAsync(all.data(), values, all.size() * sizeof(R), cudaMemcpyDeviceToHost,
                               steps.stream()));
  if (steps.error() == cudaSuccess) steps.note(cudaStreamSynchronize(steps.stream()));
  double squares = 0;
  for (Size i = rank; i < count; ++i) squares += static_cast<double>(all[i]) * all[i];
  return std::sqrt(squares);
}

/// Residuals, in host memory, are waited for, if they are wanted.
template <typename T>
cusolverStatus_t gesvda(Check check, cusolverDnHandle_t handle, const Singular& x,
                        const Strided& batch, const T* a, Real<T>* s, T* u, T* v, void* work,
                        std::size_t bytes, int* info, double* residuals) {
  using R = Real<T>;
  strided_shape(check, x, batch.rank, batch.batch_count);
  check.that(a || x.shorter() <= 0, "d_A")
      .that(s || batch.rank <= 0, "d_S")
      .that(!x.wants_vectors() || u || batch.rank <= 0, "d_U")
      .that(!x.wants_vectors() || v || batch.rank <= 0, "d_V")
      .that(check.failed() || bytes >= strided_bytes<T>(x), "lwork")
      .that(work || x.shorter() <= 0, "d_work")
      .that(info || batch.batch_count == 0, "d_info");
  if (check.failed()) return check.status();
  R* const values = static_cast<R*>(work);
  void* const rest =
      static_cast<char*>(work) + rounded(static_cast<std::size_t>(x.shorter()) * sizeof(R));
  const Size columns = x.wants_vectors() ? batch.rank : 0;
  Steps steps(handle->stream);
  for (Size z = 0; z < batch.batch_count; ++z) {
    const View<const T> whole = {a + z * batch.stride_a, 1, x.lead};
    const Vectors<T> to_u = {u ? u + z * batch.stride_u : nullptr, x.lead_u, columns};
    const Vectors<T> to_v = {v ? v + z * batch.stride_v : nullptr, x.lead_v, columns};
    if (x.m >= x.n)
      singular_values<T>(steps, x.m, x.n, whole, values, to_u, to_v, rest, info + z, nullptr);
    else
      singular_values<T>(steps, x.n, x.m, whole.adjoint(), values, to_v, to_u, rest, info + z,
                         nullptr);
    copy<R>(steps, Part::all, false, batch.rank, 1, View<const R>{values, 1, x.shorter()},
            View<R>{s + z * batch.stride_s, 1, batch.rank});
    if (residuals) residuals[z] = rest_of(steps, values, batch.rank, x.shorter());
  }
  return status_of(steps.error());
}

// Documented: matrices of at most 32 rows and columns. Ours may be larger.
Check checked(const char* call, cusolverDnHandle_t handle, const gesvdjInfo* parameters) {
  Check check(call, handle);
  return check.live(parameters, "params");
}

/// Of 64-bit sizes: U and VT have A's type, S its real one.
Check wide_check(const char* call, cusolverDnHandle_t handle, cudaDataType a, cudaDataType s,
                 cudaDataType u, cudaDataType vt, cudaDataType compute) {
  Check check(call, handle);
  const bool is_double = a == CUDA_R_64F || a == CUDA_C_64F;
  check.that(s == (is_double ? CUDA_R_64F : CUDA_R_32F), "dataTypeS")
      .that(u == a, "dataTypeU")
      .that(vt == a, "dataTypeVT")
      .that(compute == a, "computeType");
  return check;
}

// --- gesvdr: the largest values of any matrix

struct Largest {
  signed char job_u, job_v;
  Size m, n, rank, oversampling, sweeps, lead, lead_u, lead_v;
  Size shorter() const { return std::min(m, n); }
  Singular whole() const {
    return {CUSOLVER_EIG_MODE_VECTOR, true, m, n, std::max<Size>(1, m), std::max<Size>(1, m),
            std::max<Size>(1, n)};
  }
};

/// All values and vectors are computed, of a copy.
template <typename T>
struct LargestRoom {
  LargestRoom(const Largest& x, void* place) {
    Layout layout(place);
    a = layout.take<T>(x.m * x.n);
    u = layout.take<T>(x.m * x.shorter());
    v = layout.take<T>(x.n * x.shorter());
    s = layout.take<Real<T>>(x.shorter());
    work_bytes = singular_room<T>(std::max(x.m, x.n), x.shorter());
    const std::size_t before = rounded(layout.bytes());
    work = place ? static_cast<char*>(place) + before : nullptr;
    bytes = before + work_bytes;
  }
  T *a, *u, *v;
  Real<T>* s;
  void* work;
  std::size_t work_bytes, bytes;
};

void largest_shape(Check& check, const Largest& x) {
  const auto is_job = [](signed char job) { return job == 'S' || job == 'N'; };
  check.that(is_job(x.job_u), "jobu")
      .that(is_job(x.job_v), "jobv")
      .that(x.m >= 0, "m")
      .that(x.n >= 0, "n")
      .that(x.rank >= 0 && x.rank <= x.shorter(), "k")
      .that(x.oversampling >= 0 && x.rank + x.oversampling <= x.shorter(), "p")
      .that(x.sweeps >= 0, "niters")
      .lead(x.lead, x.m, "lda");
  if (x.job_u == 'S') check.lead(x.lead_u, x.m, "ldUrand");
  if (x.job_v == 'S') check.lead(x.lead_v, x.n, "ldVrand");
}

template <typename T>
cusolverStatus_t gesvdr(Check check, cusolverDnHandle_t handle, const Largest& x, const T* a,
                        Real<T>* s, T* u, T* v, void* work, std::size_t bytes, int* info) {
  largest_shape(check, x);
  if (check.failed()) return check.status();
  const LargestRoom<T> room(x, work);
  const bool is_empty = x.shorter() == 0;
  check.that(a || is_empty, "A")
      .that(s || x.rank == 0, "Srand")
      .that(u || x.job_u == 'N' || x.rank == 0, "Urand")
      .that(v || x.job_v == 'N' || x.rank == 0, "Vrand")
      .that(bytes >= room.bytes, "workspaceInBytesOnDevice")
      .that(work || is_empty, "bufferOnDevice")
      .given(info, "d_info");
  if (check.failed()) return check.status();
  cudaError_t error = cudaSuccess;
  const auto columns = [&](T* to, Size to_lead, const T* from, Size from_lead, Size rows,
                           Size count) {
    if (error == cudaSuccess && rows > 0 && count > 0)
      error = cudaMemcpy2DAsync(to, static_cast<std::size_t>(to_lead) * sizeof(T), from,
                                static_cast<std::size_t>(from_lead) * sizeof(T),
                                static_cast<std::size_t>(rows) * sizeof(T),
                                static_cast<std::size_t>(count), cudaMemcpyDeviceToDevice,
                                handle->stream);
  };
  columns(room.a, std::max<Size>(1, x.m), a, x.lead, x.m, x.n);
  if (error != cudaSuccess) return status_of(error);
  const cusolverStatus_t status =
      gesvdj(check, handle, x.whole(), room.a, room.s, room.u, room.v, room.work, room.work_bytes,
             info, static_cast<gridspan_jacobi*>(nullptr), 1, false);
  if (status != CUSOLVER_STATUS_SUCCESS) return status;
  if (x.rank > 0)
    error = cudaMemcpyAsync(s, room.s, static_cast<std::size_t>(x.rank) * sizeof(Real<T>),
                            cudaMemcpyDeviceToDevice, handle->stream);
  if (x.job_u == 'S') columns(u, x.lead_u, room.u, x.m, x.m, x.rank);
  if (x.job_v == 'S') columns(v, x.lead_v, room.v, x.n, x.n, x.rank);
  return status_of(error);
}

}  // namespace
}  // namespace gridspan::libraries::solver

namespace solver = gridspan::libraries::solver;
using solver::inner;

#define GRIDSPAN_SINGULAR(letter, T, R)                                                            \
  cusolverStatus_t cusolverDn##letter##gesvd_bufferSize(cusolverDnHandle_t handle, int m, int n,   \
                                                        int* lwork) {                              \
    solver::Check check("cusolverDn" #letter "gesvd_bufferSize", handle);                          \
    solver::gesvd_shape(check, m, n);                                                              \
    check.given(lwork, "lwork");                                                                   \
    if (check.failed()) return check.status();                                                     \
    return solver::give_elements<T>(solver::gesvd_bytes<solver::Inner<T>>(m, n), lwork);           \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gesvd(                                                      \
      cusolverDnHandle_t handle, signed char jobu, signed char jobvt, int m, int n, T* A, int lda, \
      R* S, T* U, int ldu, T* VT, int ldvt, T* work, int lwork, R*, int* info) {                   \
    return solver::gesvd({"cusolverDn" #letter "gesvd", handle}, handle, {jobu, jobvt}, m, n,      \
                         inner(A), lda, S, inner(U), ldu, inner(VT), ldvt, work,                   \
                         lwork < 0 ? 0 : lwork * sizeof(T), info);                                 \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gesvdj_bufferSize(                                          \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, const T*,         \
      int lda, const R*, const T*, int ldu, const T*, int ldv, int* lwork, gesvdjInfo_t params) {  \
    return solver::give_room<T>(                                                                   \
        solver::checked("cusolverDn" #letter "gesvdj_bufferSize", handle, params),                 \
        {jobz, econ != 0, m, n, lda, ldu, ldv}, lwork);                                            \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gesvdj(                                                     \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int econ, int m, int n, T* A, int lda,    \
      R* S, T* U, int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params) {    \
    return solver::gesvdj(solver::checked("cusolverDn" #letter "gesvdj", handle, params), handle,  \
                          {jobz, econ != 0, m, n, lda, ldu, ldv}, inner(A), S, inner(U), inner(V), \
                          work, lwork < 0 ? 0 : lwork * sizeof(T), info, params, 1, false);        \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched_bufferSize(                                   \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, const T*, int lda,          \
      const R*, const T*, int ldu, const T*, int ldv, int* lwork, gesvdjInfo_t params,             \
      int batchSize) {                                                                             \
    solver::Check check =                                                                          \
        solver::checked("cusolverDn" #letter "gesvdjBatched_bufferSize", handle, params);          \
    return solver::give_room<T>(check.size(batchSize, "batchSize"),                                \
                                {jobz, false, m, n, lda, ldu, ldv}, lwork);                        \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gesvdjBatched(                                              \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int m, int n, T* A, int lda, R* S, T* U,  \
      int ldu, T* V, int ldv, T* work, int lwork, int* info, gesvdjInfo_t params, int batchSize) { \
    return solver::gesvdj(solver::checked("cusolverDn" #letter "gesvdjBatched", handle, params),   \
                          handle, {jobz, false, m, n, lda, ldu, ldv}, inner(A), S, inner(U),       \
                          inner(V), work, lwork < 0 ? 0 : lwork * sizeof(T), info, params,         \
                          batchSize, true);                                                        \
  }

#define GRIDSPAN_STRIDED(letter, T, R)                                                             \
  cusolverStatus_t cusolverDn##letter##gesvdaStridedBatched_bufferSize(                            \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T*,         \
      int lda, long long int, const R*, long long int, const T*, int ldu, long long int, const T*, \
      int ldv, long long int, int* lwork, int batchSize) {                                         \
    return solver::give_strided_room<T>(                                                           \
        {"cusolverDn" #letter "gesvdaStridedBatched_bufferSize", handle},                          \
        {jobz, true, m, n, lda, ldu, ldv}, rank, batchSize, lwork);                                \
  }                                                                                                \
  cusolverStatus_t cusolverDn##letter##gesvdaStridedBatched(                                       \
      cusolverDnHandle_t handle, cusolverEigMode_t jobz, int rank, int m, int n, const T* d_A,     \
      int lda, long long int strideA, R* d_S, long long int strideS, T* d_U, int ldu,              \
      long long int strideU, T* d_V, int ldv, long long int strideV, T* d_work, int lwork,         \
      int* d_info, double* h_R_nrmF, int batchSize) {                                              \
    return solver::gesvda<solver::Inner<T>>({"cusolverDn" #letter "gesvdaStridedBatched", handle}, \
                                            handle, {jobz, true, m, n, lda, ldu, ldv},             \
                                            {rank, strideA, strideS, strideU, strideV, batchSize}, \
                                            inner(d_A), d_S, inner(d_U), inner(d_V), d_work,       \
                                            lwork < 0 ? 0 : lwork * sizeof(T), d_info, h_R_nrmF);  \
  }

extern "C" {

GRIDSPAN_STRIDED(S, float, float)
GRIDSPAN_STRIDED(D, double, double)
GRIDSPAN_STRIDED(C, cuComplex, float)
GRIDSPAN_STRIDED(Z, cuDoubleComplex, double)

GRIDSPAN_SINGULAR(S, float, float)
GRIDSPAN_SINGULAR(D, double, double)
GRIDSPAN_SINGULAR(C, cuComplex, float)
GRIDSPAN_SINGULAR(Z, cuDoubleComplex, double)

cusolverStatus_t cusolverDnXgesvd_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, signed char, signed char, int64_t m, int64_t n,
    cudaDataType dataTypeA, const void*, int64_t, cudaDataType dataTypeS, const void*,
    cudaDataType dataTypeU, const void*, int64_t, cudaDataType dataTypeVT, const void*, int64_t,
    cudaDataType computeType, size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost) {
  solver::Check check = solver::wide_check("cusolverDnXgesvd_bufferSize", handle, dataTypeA,
                                           dataTypeS, dataTypeU, dataTypeVT, computeType);
  solver::gesvd_shape(check, m, n);
  check.that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check, solver::gesvd_bytes<decltype(x)>(m, n),
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

cusolverStatus_t cusolverDnXgesvd(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                  signed char jobvt, int64_t m, int64_t n, cudaDataType dataTypeA,
                                  void* A, int64_t lda, cudaDataType dataTypeS, void* S,
                                  cudaDataType dataTypeU, void* U, int64_t ldu,
                                  cudaDataType dataTypeVT, void* VT, int64_t ldvt,
                                  cudaDataType computeType, void* bufferOnDevice,
                                  size_t workspaceInBytesOnDevice, void*, size_t, int* info) {
  const solver::Check check = solver::wide_check("cusolverDnXgesvd", handle, dataTypeA, dataTypeS,
                                                 dataTypeU, dataTypeVT, computeType);
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::gesvd(check, handle, {jobu, jobvt}, m, n, static_cast<T*>(A), lda,
                         static_cast<solver::Real<T>*>(S), static_cast<T*>(U), ldu,
                         static_cast<T*>(VT), ldvt, bufferOnDevice, workspaceInBytesOnDevice, info);
  });
}

cusolverStatus_t cusolverDnXgesvdp_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobz, int econ, int64_t m,
    int64_t n, cudaDataType dataTypeA, const void*, int64_t lda, cudaDataType dataTypeS,
    const void*, cudaDataType dataTypeU, const void*, int64_t ldu, cudaDataType dataTypeV,
    const void*, int64_t ldv, cudaDataType computeType, size_t* workspaceInBytesOnDevice,
    size_t* workspaceInBytesOnHost) {
  solver::Check check = solver::wide_check("cusolverDnXgesvdp_bufferSize", handle, dataTypeA,
                                           dataTypeS, dataTypeU, dataTypeV, computeType);
  solver::shape(check, {jobz, econ != 0, m, n, lda, ldu, ldv});
  check.that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto x) {
    return solver::give_bytes(check,
                              solver::singular_room<decltype(x)>(std::max(m, n), std::min(m, n)),
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

// Documented: *h_err_sigma tells of a matrix that is too near to a singular one for the polar
// decomposition, which is not what computes here.
cusolverStatus_t cusolverDnXgesvdp(cusolverDnHandle_t handle, cusolverDnParams_t,
                                   cusolverEigMode_t jobz, int econ, int64_t m, int64_t n,
                                   cudaDataType dataTypeA, void* A, int64_t lda,
                                   cudaDataType dataTypeS, void* S, cudaDataType dataTypeU, void* U,
                                   int64_t ldu, cudaDataType dataTypeV, void* V, int64_t ldv,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void*, size_t, int* d_info,
                                   double* h_err_sigma) {
  solver::Check check = solver::wide_check("cusolverDnXgesvdp", handle, dataTypeA, dataTypeS,
                                           dataTypeU, dataTypeV, computeType);
  if (check.given(h_err_sigma, "h_err_sigma").failed()) return check.status();
  *h_err_sigma = 0;
  return solver::with_type(dataTypeA, [&](auto x) {
    using T = decltype(x);
    return solver::gesvdj(check, handle, {jobz, econ != 0, m, n, lda, ldu, ldv}, static_cast<T*>(A),
                          static_cast<solver::Real<T>*>(S), static_cast<T*>(U), static_cast<T*>(V),
                          bufferOnDevice, workspaceInBytesOnDevice, d_info, nullptr, 1, false);
  });
}

cusolverStatus_t cusolverDnXgesvdr_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu, signed char jobv, int64_t m,
    int64_t n, int64_t k, int64_t p, int64_t niters, cudaDataType dataTypeA, const void*,
    int64_t lda, cudaDataType dataTypeSrand, const void*, cudaDataType dataTypeUrand, const void*,
    int64_t ldUrand, cudaDataType dataTypeVrand, const void*, int64_t ldVrand,
    cudaDataType computeType, size_t* workspaceInBytesOnDevice, size_t* workspaceInBytesOnHost) {
  solver::Check check =
      solver::wide_check("cusolverDnXgesvdr_bufferSize", handle, dataTypeA, dataTypeSrand,
                         dataTypeUrand, dataTypeVrand, computeType);
  const solver::Largest x = {jobu, jobv, m, n, k, p, niters, lda, ldUrand, ldVrand};
  solver::largest_shape(check, x);
  check.that(workspaceInBytesOnDevice && workspaceInBytesOnHost, "workspaceInBytesOnDevice");
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto number) {
    return solver::give_bytes(check, solver::LargestRoom<decltype(number)>(x, nullptr).bytes,
                              workspaceInBytesOnDevice, workspaceInBytesOnHost);
  });
}

// Documented: an approximation by random samples, which gets better with oversampling and sweeps.
// Here values and vectors are those of the whole matrix.
cusolverStatus_t cusolverDnXgesvdr(cusolverDnHandle_t handle, cusolverDnParams_t, signed char jobu,
                                   signed char jobv, int64_t m, int64_t n, int64_t k, int64_t p,
                                   int64_t niters, cudaDataType dataTypeA, void* A, int64_t lda,
                                   cudaDataType dataTypeSrand, void* Srand,
                                   cudaDataType dataTypeUrand, void* Urand, int64_t ldUrand,
                                   cudaDataType dataTypeVrand, void* Vrand, int64_t ldVrand,
                                   cudaDataType computeType, void* bufferOnDevice,
                                   size_t workspaceInBytesOnDevice, void*, size_t, int* d_info) {
  const solver::Check check =
      solver::wide_check("cusolverDnXgesvdr", handle, dataTypeA, dataTypeSrand, dataTypeUrand,
                         dataTypeVrand, computeType);
  if (check.failed()) return check.status();
  return solver::with_type(dataTypeA, [&](auto number) {
    using T = decltype(number);
    return solver::gesvdr<T>(check, handle, {jobu, jobv, m, n, k, p, niters, lda, ldUrand, ldVrand},
                             static_cast<const T*>(A), static_cast<solver::Real<T>*>(Srand),
                             static_cast<T*>(Urand), static_cast<T*>(Vrand), bufferOnDevice,
                             workspaceInBytesOnDevice, d_info);
  });
}

}  // extern "C"
