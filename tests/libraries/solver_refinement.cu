// cuSOLVER: systems and least squares that are refined, against plain elimination in long double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "solver_check.h"

namespace {

/// A call of gesv or gels by its name, or through parameters.
template <typename T>
struct Form {
  std::function<cusolverStatus_t(cusolverDnHandle_t, int m, int n, int width, Matrix<T>& a,
                                 Matrix<T>& b, Matrix<T>& x, std::size_t* bytes)>
      size;
  std::function<cusolverStatus_t(cusolverDnHandle_t, int m, int n, int width, Matrix<T>& a,
                                 Matrix<T>& b, Matrix<T>& x, void* work, std::size_t bytes,
                                 int* iterations, int* info)>
      run;
};

template <typename T, typename Size, typename Run>
Form<T> gesv_form(Size size, Run run, int* pivots) {
  return {[=](auto handle, int, int n, int width, auto& a, auto& b, auto& x, std::size_t* bytes) {
            return size(handle, n, width, a.device, a.lead, pivots, b.device, b.lead, x.device,
                        x.lead, nullptr, bytes);
          },
          [=](auto handle, int, int n, int width, auto& a, auto& b, auto& x, void* work,
              std::size_t bytes, int* iterations, int* info) {
            return run(handle, n, width, a.device, a.lead, pivots, b.device, b.lead, x.device,
                       x.lead, work, bytes, iterations, info);
          }};
}
template <typename T, typename Size, typename Run>
Form<T> gels_form(Size size, Run run) {
  return {[=](auto handle, int m, int n, int width, auto& a, auto& b, auto& x, std::size_t* bytes) {
            return size(handle, m, n, width, a.device, a.lead, b.device, b.lead, x.device, x.lead,
                        nullptr, bytes);
          },
          [=](auto handle, int m, int n, int width, auto& a, auto& b, auto& x, void* work,
              std::size_t bytes, int* iterations, int* info) {
            return run(handle, m, n, width, a.device, a.lead, b.device, b.lead, x.device, x.lead,
                       work, bytes, iterations, info);
          }};
}

/// What must hold of each: X solves, A and B are as they were.
template <typename T>
void check_form(cusolverDnHandle_t handle, const Form<T>& form, bool is_square,
                std::vector<T>& results) {
  for (const auto& [m, n] : {std::pair{1, 1}, {2, 2}, {3, 2}, {67, 67}, {97, 40}})
    for (const int width : {1, 3}) {
      if (is_square && m != n) continue;
      Reference whole = random_matrix<T>(m, n);
      for (int i = 0; i < n; ++i) whole(i, i) = wide(Of<T>::number(whole(i, i) + Long(n)));
      Matrix<T> a(whole, 3), b(random_matrix<T>(m, width), 1), x(n, width, 2);
      const Reference right = b.result();
      Info info;
      std::size_t bytes = 0;
      int iterations = -77;
      EXPECT_OK(form.size(handle, m, n, width, a, b, x, &bytes));
      Array<char> work(bytes);
      EXPECT_OK(form.run(handle, m, n, width, a, b, x, work.device, bytes, &iterations, info));
      EXPECT(info.value() == 0);
      EXPECT(iterations >= 0 && iterations <= 50);
      const Reference adjoint = whole.adjoint();
      EXPECT(close(x.result(), solved(adjoint * whole, adjoint * right), 64 * m * epsilon<T>()));
      EXPECT(close(a.result(), whole, 0));
      EXPECT(close(b.result(), right, 0));
      const std::vector<T> got = x.from_device();
      results.insert(results.end(), got.begin(), got.end());
    }
  // A column of zeros is named.
  const int n = 5, zero = 3;
  Reference whole = random_matrix<T>(n, n);
  for (int i = 0; i < n; ++i) whole(i, zero - 1) = 0;
  Matrix<T> a(whole), b(random_matrix<T>(n, 1)), x(n, 1);
  Info info;
  std::size_t bytes = 0;
  int iterations = 0;
  EXPECT_OK(form.size(handle, n, n, 1, a, b, x, &bytes));
  Array<char> work(bytes);
  EXPECT_OK(form.run(handle, n, n, 1, a, b, x, work.device, bytes, &iterations, info));
  EXPECT(info.value() == zero);
  // Bad input.
  const auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  EXPECT(form.size(nullptr, n, n, 1, a, b, x, &bytes) == CUSOLVER_STATUS_NOT_INITIALIZED);
  EXPECT(form.size(handle, -1, -1, 1, a, b, x, &bytes) == invalid);
  EXPECT(form.size(handle, n, n, -1, a, b, x, &bytes) == invalid);
  EXPECT(form.run(handle, n, n, 1, a, b, x, work.device, bytes - 1, &iterations, info) == invalid);
  EXPECT(form.run(handle, n, n, 1, a, b, x, nullptr, bytes, &iterations, info) == invalid);
  EXPECT(form.run(handle, n, n, 1, a, b, x, work.device, bytes, nullptr, info) == invalid);
  EXPECT(form.run(handle, n, n, 1, a, b, x, work.device, bytes, &iterations, nullptr) == invalid);
  if (!is_square) EXPECT(form.size(handle, n - 1, n, 1, a, b, x, &bytes) == invalid);
}

template <typename T>
void check_parameters(cusolverDnHandle_t handle, cusolverPrecType_t main, cusolverPrecType_t lowest,
                      std::vector<T>& results) {
  cusolverDnIRSParams_t params = nullptr;
  cusolverDnIRSInfos_t infos = nullptr;
  EXPECT_OK(cusolverDnIRSParamsCreate(&params));
  EXPECT_OK(cusolverDnIRSInfosCreate(&infos));
  std::size_t bytes = 0;
  EXPECT(cusolverDnIRSXgesv_bufferSize(handle, params, 4, 1, &bytes) ==
         CUSOLVER_STATUS_IRS_PARAMS_INVALID_PREC);
  EXPECT(cusolverDnIRSXgesv_bufferSize(handle, nullptr, 4, 1, &bytes) ==
         CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  EXPECT(cusolverDnIRSParamsSetSolverMainPrecision(params, CUSOLVER_R_8I) ==
         CUSOLVER_STATUS_INVALID_VALUE);
  EXPECT_OK(cusolverDnIRSParamsSetSolverPrecisions(params, main, lowest));
  EXPECT_OK(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_GMRES));
  EXPECT_OK(cusolverDnIRSParamsSetMaxIters(params, 20));
  EXPECT_OK(cusolverDnIRSParamsSetTol(params, 1e-7));
  EXPECT_OK(cusolverDnIRSXgesv_bufferSize(handle, params, 0, 1, &bytes));
  const Form<T> gesv = {
      [&](auto handle, int, int n, int width, auto&, auto&, auto&, std::size_t* bytes) {
        return cusolverDnIRSXgesv_bufferSize(handle, params, n, width, bytes);
      },
      [&](auto handle, int, int n, int width, auto& a, auto& b, auto& x, void* work,
          std::size_t bytes, int* iterations, int* info) {
        return cusolverDnIRSXgesv(handle, params, infos, n, width, a.device, a.lead, b.device,
                                  b.lead, x.device, x.lead, work, bytes, iterations, info);
      }};
  const Form<T> gels = {
      [&](auto handle, int m, int n, int width, auto&, auto&, auto&, std::size_t* bytes) {
        return cusolverDnIRSXgels_bufferSize(handle, params, m, n, width, bytes);
      },
      [&](auto handle, int m, int n, int width, auto& a, auto& b, auto& x, void* work,
          std::size_t bytes, int* iterations, int* info) {
        return cusolverDnIRSXgels(handle, params, infos, m, n, width, a.device, a.lead, b.device,
                                  b.lead, x.device, x.lead, work, bytes, iterations, info);
      }};
  check_form(handle, gesv, true, results);
  int iterations = -1;
  EXPECT_OK(cusolverDnIRSInfosGetNiters(infos, &iterations));
  EXPECT(iterations >= 0 && iterations <= 20);
  check_form(handle, gels, false, results);
  EXPECT_OK(cusolverDnIRSInfosGetMaxIters(infos, &iterations));
  EXPECT(iterations == 20);
  EXPECT_OK(cusolverDnIRSParamsDestroy(params));
  EXPECT_OK(cusolverDnIRSInfosDestroy(infos));
  EXPECT(cusolverDnIRSParamsSetTol(params, 1) == CUSOLVER_STATUS_IRS_PARAMS_NOT_INITIALIZED);
  EXPECT(cusolverDnIRSInfosGetNiters(infos, &iterations) ==
         CUSOLVER_STATUS_IRS_INFOS_NOT_INITIALIZED);
}

}  // namespace

#define CHECK_FORMS(letters, T)                                                                \
  check_form<T>(handle,                                                                        \
                gesv_form<T>(cusolverDn##letters##gesv_bufferSize, cusolverDn##letters##gesv,  \
                             pivots.device),                                                   \
                true, results##T);                                                             \
  check_form<T>(handle,                                                                        \
                gels_form<T>(cusolverDn##letters##gels_bufferSize, cusolverDn##letters##gels), \
                false, results##T)

int main() {
  cusolverDnHandle_t handle;
  EXPECT_OK(cusolverDnCreate(&handle));
  Array<int> pivots(100);
  std::vector<float> resultsfloat;
  std::vector<double> resultsdouble;
  std::vector<cuComplex> resultscuComplex;
  std::vector<cuDoubleComplex> resultscuDoubleComplex;
  CHECK_FORMS(SS, float);
  CHECK_FORMS(SH, float);
  CHECK_FORMS(SB, float);
  CHECK_FORMS(SX, float);
  CHECK_FORMS(DD, double);
  CHECK_FORMS(DS, double);
  CHECK_FORMS(DH, double);
  CHECK_FORMS(DB, double);
  CHECK_FORMS(DX, double);
  CHECK_FORMS(CC, cuComplex);
  CHECK_FORMS(CK, cuComplex);
  CHECK_FORMS(CE, cuComplex);
  CHECK_FORMS(CY, cuComplex);
  CHECK_FORMS(ZZ, cuDoubleComplex);
  CHECK_FORMS(ZC, cuDoubleComplex);
  CHECK_FORMS(ZK, cuDoubleComplex);
  CHECK_FORMS(ZE, cuDoubleComplex);
  CHECK_FORMS(ZY, cuDoubleComplex);
  check_parameters<float>(handle, CUSOLVER_R_32F, CUSOLVER_R_16F, resultsfloat);
  check_parameters<double>(handle, CUSOLVER_R_64F, CUSOLVER_R_TF32, resultsdouble);
  check_parameters<cuComplex>(handle, CUSOLVER_C_32F, CUSOLVER_C_32F, resultscuComplex);
  check_parameters<cuDoubleComplex>(handle, CUSOLVER_C_64F, CUSOLVER_C_16BF,
                                    resultscuDoubleComplex);
  print_bits("S", resultsfloat);
  print_bits("D", resultsdouble);
  print_bits("C", resultscuComplex);
  print_bits("Z", resultscuDoubleComplex);
  EXPECT_OK(cusolverDnDestroy(handle));
  return finish();
}
