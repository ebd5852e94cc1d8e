// cuSPARSE's functions over patterns, against plain references: incomplete Cholesky factors, sorted
// coordinates, products whose pattern is used again, sums with what is there, rotations, results in
// graphs. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse_check.h"

#include <algorithm>
#include <numeric>

namespace {

int* ints(const Indices& own) { return static_cast<int*>(own.device); }

#define GRIDSPAN_TEST_CHOLESKY(letter, T)                                                          \
  cusparseStatus_t cholesky(cusparseHandle_t handle, int n, int count,                             \
                            cusparseMatDescr_t descriptor, T* values, int* offsets, int* indices,  \
                            csric02Info_t info, bool analyses) {                                   \
    size_t bytes = 0;                                                                              \
    RIGHT(cusparse##letter##csric02_bufferSizeExt(handle, n, count, descriptor, values, offsets,   \
                                                  indices, info, &bytes));                         \
    return analyses                                                                                \
               ? cusparse##letter##csric02_analysis(handle, n, count, descriptor, values, offsets, \
                                                    indices, info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, \
                                                    nullptr)                                       \
               : cusparse##letter##csric02(handle, n, count, descriptor, values, offsets, indices, \
                                           info, CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr);        \
  }
GRIDSPAN_TEST_CHOLESKY(S, float)
GRIDSPAN_TEST_CHOLESKY(D, double)
GRIDSPAN_TEST_CHOLESKY(C, cuComplex)
GRIDSPAN_TEST_CHOLESKY(Z, cuDoubleComplex)

/// Also with a diagonal that is not there, and one that becomes negative. What is above the
/// diagonal stays as it was.
template <typename T>
void check_cholesky(cusparseHandle_t handle, double tolerance) {
  const int n = 61;
  for (const int bad : {-1, 17, 18}) {
    Matrix<T> a(n, n, {CUSPARSE_FORMAT_CSR, false, false, CUSPARSE_INDEX_BASE_ONE});
    for (int i = 0; i < n; ++i) a.at(i, i) = Of<T>::number(bad == 18 && i == 18 ? -64 : 64);
    if (bad == 17) a.at(17, 17) = Of<T>::number(0);
    a.store();
    cusparseMatDescr_t descriptor = nullptr;
    csric02Info_t info = nullptr;
    RIGHT(cusparseCreateMatDescr(&descriptor));
    RIGHT(cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ONE));
    RIGHT(cusparseCreateCsric02Info(&info));
    int position = -7;
    RIGHT(cholesky(handle, n, a.count, descriptor, a.values->device, ints(a.offsets),
                   ints(a.indices), info, true));
    EXPECT(cusparseXcsric02_zeroPivot(handle, info, &position) ==
           (bad == 17 ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS));
    EXPECT(position == (bad == 17 ? 18 : -1));
    RIGHT(cholesky(handle, n, a.count, descriptor, a.values->device, ints(a.offsets),
                   ints(a.indices), info, false));
    EXPECT(cusparseXcsric02_zeroPivot(handle, info, &position) ==
           (bad < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    EXPECT(position == (bad < 0 ? -1 : bad + 1));
    if (bad < 0) {
      std::vector<Number> right(n * n);
      for (int i = 0; i < n * n; ++i) right[i] = wide(a.dense[i]);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j <= i; ++j) {
          if (right[i * n + j] == 0.0) continue;
          Number sum = right[i * n + j];
          for (int k = 0; k < j; ++k) sum -= right[i * n + k] * std::conj(right[j * n + k]);
          right[i * n + j] = i == j ? std::sqrt(sum.real()) : sum / right[j * n + j];
        }
      const auto got = a.values->from_device();
      int different = 0;
      for (int i = 0, k = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (wide(a.at(i, j)) != 0.0)
            different += !(std::abs(wide(got[k++]) - right[i * n + j]) <= tolerance);
      EXPECT(different == 0);
      print_bits("incomplete factors", got);
    }
    RIGHT(cusparseDestroyCsric02Info(info));
    EXPECT(cusparseDestroyCsric02Info(info) == CUSPARSE_STATUS_INVALID_VALUE);
    RIGHT(cusparseDestroyMatDescr(descriptor));
  }
}

/// Equal coordinates keep their order. `by_columns`: by columns first.
void check_coordinates(cusparseHandle_t handle) {
  for (const bool by_columns : {false, true})
    for (const int base : {0, 1})
      for (const bool has_numbers : {true, false})
        for (const int count : {1, 37, 5003}) {
          const int rows = 301, columns = 97;
          std::vector<long long> i(count), j(count), order(count);
          std::iota(order.begin(), order.end(), 0);
          for (int k = 0; k < count; ++k) {
            i[k] = std::rand() % rows + base;
            j[k] = std::rand() % columns + base;
          }
          Indices at_i, at_j, numbers;
          at_i.make(i, false);
          at_j.make(j, false);
          numbers.make(order, false);
          size_t bytes = 0;
          RIGHT(cusparseXcoosort_bufferSizeExt(handle, rows, columns, count, ints(at_i), ints(at_j),
                                               &bytes));
          RIGHT((by_columns ? cusparseXcoosortByColumn : cusparseXcoosortByRow)(
              handle, rows, columns, count, ints(at_i), ints(at_j),
              has_numbers ? ints(numbers) : nullptr, nullptr));
          std::sort(order.begin(), order.end(), [&](long long a, long long b) {
            const auto key = [&](long long k) {
              return by_columns ? std::tuple(j[k], i[k], k) : std::tuple(i[k], j[k], k);
            };
            return key(a) < key(b);
          });
          const auto got_i = at_i.from_device(), got_j = at_j.from_device();
          int different = has_numbers && numbers.from_device() != order;
          for (int k = 0; k < count; ++k)
            different += got_i[k] != i[order[k]] || got_j[k] != j[order[k]];
          EXPECT(different == 0);
        }
  EXPECT(cusparseXcoosortByRow(handle, -1, 1, 1, nullptr, nullptr, nullptr, nullptr) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseXcoosortByRow(nullptr, 1, 1, 0, nullptr, nullptr, nullptr, nullptr) ==
         CUSPARSE_STATUS_NOT_INITIALIZED);
}

/// Rows of columns in order, numbers with them.
void check_column_sort(cusparseHandle_t handle) {
  const std::vector<long long> offsets = {1, 1, 4, 7}, mixed = {5, 1, 3, 2, 9, 4};
  Indices starts, indices, numbers;
  starts.make(offsets, false);
  indices.make(mixed, false);
  numbers.make({0, 1, 2, 3, 4, 5}, false);
  cusparseMatDescr_t descriptor = nullptr;
  RIGHT(cusparseCreateMatDescr(&descriptor));
  RIGHT(cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ONE));
  size_t bytes = 0;
  RIGHT(cusparseXcscsort_bufferSizeExt(handle, 9, 3, 6, ints(starts), ints(indices), &bytes));
  RIGHT(cusparseXcscsort(handle, 9, 3, 6, descriptor, ints(starts), ints(indices), ints(numbers),
                         nullptr));
  RIGHT(cusparseDestroyMatDescr(descriptor));
  EXPECT((indices.from_device() == std::vector<long long>{1, 3, 5, 2, 4, 9}));
  EXPECT((numbers.from_device() == std::vector<long long>{1, 2, 0, 3, 5, 4}));
}

/// The product of two, plus beta times C, whose pattern is there: values in C's order.
template <typename T>
std::vector<Number> product(Matrix<T>& a, Matrix<T>& b, double alpha, double beta,
                            const std::vector<T>& old) {
  std::vector<Number> result;
  for (int i = 0; i < a.rows; ++i)
    for (int j = 0; j < b.columns; ++j) {
      Number sum = 0;
      bool is_there = false;
      for (int k = 0; k < a.columns; ++k) {
        sum += wide(a.at(i, k)) * wide(b.at(k, j));
        is_there |= wide(a.at(i, k)) != 0.0 && wide(b.at(k, j)) != 0.0;
      }
      if (!is_there) continue;
      const Number was = beta == 0 ? 0.0 : wide(old[result.size()]);
      result.push_back(alpha * sum + beta * was);
    }
  return result;
}

template <typename T>
void check_reused_pattern(cusparseHandle_t handle) {
  const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
  for (const Form form : {forms[0], forms[3]}) {
    Matrix<T> a(137, 61, form), b(61, 53, form), c(137, 53, form);
    a.store();
    b.store();
    c.offsets.make(std::vector<long long>(138, -7), form.long_offsets);
    c.describe(0, nullptr, nullptr, nullptr);
    cusparseSpGEMMDescr_t plan = nullptr;
    RIGHT(cusparseSpGEMM_createDescr(&plan));
    size_t size[5] = {};
    void* buffer = nullptr;
    EXPECT(cudaMalloc(&buffer, 1024) == cudaSuccess);
    RIGHT(cusparseSpGEMMreuse_workEstimation(handle, plain, plain, a.own, b.own, c.own,
                                             CUSPARSE_SPGEMM_DEFAULT, plan, &size[0], nullptr));
    RIGHT(cusparseSpGEMMreuse_workEstimation(handle, plain, plain, a.own, b.own, c.own,
                                             CUSPARSE_SPGEMM_DEFAULT, plan, &size[0], buffer));
    EXPECT(cusparseSpGEMMreuse_copy(handle, plain, plain, a.own, b.own, c.own,
                                    CUSPARSE_SPGEMM_DEFAULT, plan, &size[4],
                                    buffer) == CUSPARSE_STATUS_INVALID_VALUE);
    for (void* const with : {static_cast<void*>(nullptr), buffer})
      RIGHT(cusparseSpGEMMreuse_nnz(handle, plain, plain, a.own, b.own, c.own,
                                    CUSPARSE_SPGEMM_DEFAULT, plan, &size[1], with, &size[2], with,
                                    &size[3], with));
    int64_t rows = 0, columns = 0, count = 0;
    RIGHT(cusparseSpMatGetSize(c.own, &rows, &columns, &count));
    c.indices.make(std::vector<long long>(count, -7), form.long_indices);
    c.values = new Array<T>(count);
    c.values->fill(poison<T>());
    c.values->to_device();
    RIGHT(cusparseCsrSetPointers(c.own, c.offsets.device, c.indices.device, c.values->device));
    for (void* const with : {static_cast<void*>(nullptr), buffer})
      RIGHT(cusparseSpGEMMreuse_copy(handle, plain, plain, a.own, b.own, c.own,
                                     CUSPARSE_SPGEMM_DEFAULT, plan, &size[4], with));
    for (const double beta : {0.0, 3.0}) {
      const bool on_device = beta != 0;
      const Factor<T> by(handle, Of<T>::number(2), on_device),
          and_by(handle, Of<T>::number(beta), on_device);
      const std::vector<T> old = c.values->from_device();
      RIGHT(cusparseSpGEMMreuse_compute(handle, plain, plain, by.place, a.own, b.own, and_by.place,
                                        c.own, type_of<T>, CUSPARSE_SPGEMM_DEFAULT, plan));
      const auto right = product(a, b, 2, beta, old);
      EXPECT(right.size() == static_cast<size_t>(count));
      expect_all(c.values->from_device(), [&](int k) { return right[k]; }, __LINE__);
      // Other values at the same places, for the next.
      for (T& x : a.dense)
        if (wide(x) != 0.0) x = Of<T>::number(1 + std::rand() % 2);
      a.values->host.clear();
      for (const T x : a.dense)
        if (wide(x) != 0.0) a.values->host.push_back(x);
      a.values->to_device();
    }
    const auto offsets = c.offsets.from_device(), indices = c.indices.from_device();
    const int base = form.base == CUSPARSE_INDEX_BASE_ONE;
    int different = offsets[137] != count + base;
    long long k = 0;
    for (int i = 0; i < 137; ++i) {
      different += offsets[i] != k + base;
      for (int j = 0; j < 53; ++j) {
        bool is_there = false;
        for (int n = 0; n < 61; ++n) is_there |= wide(a.at(i, n)) != 0.0 && wide(b.at(n, j)) != 0.0;
        if (is_there) different += indices[k++] != j + base;
      }
    }
    EXPECT(different == 0);
    // The other way, with what C has.
    const Factor<T> by(handle, Of<T>::number(1), false), and_by(handle, Of<T>::number(-1), false);
    const std::vector<T> old = c.values->from_device();
    size_t bytes = 0;
    RIGHT(cusparseSpGEMM_compute(handle, plain, plain, by.place, a.own, b.own, and_by.place, c.own,
                                 type_of<T>, CUSPARSE_SPGEMM_DEFAULT, plan, &bytes, buffer));
    RIGHT(cusparseSpGEMM_copy(handle, plain, plain, by.place, a.own, b.own, and_by.place, c.own,
                              type_of<T>, CUSPARSE_SPGEMM_DEFAULT, plan));
    const auto right = product(a, b, 1, -1, old);
    expect_all(c.values->from_device(), [&](int n) { return right[n]; }, __LINE__);
    RIGHT(cusparseSpGEMM_destroyDescr(plan));
    cudaFree(buffer);
  }
}

template <typename T>
void check_rotations(cusparseHandle_t handle) {
  for (const bool is_long : {false, true}) {
    std::vector<long long> places;
    for (int i = 1; i < 1000; i += 1 + i % 5) places.push_back(i);
    Indices indices;
    indices.make(places, is_long);
    const int count = static_cast<int>(places.size());
    Array<T> values(count);
    values.random();
    values.to_device();
    cusparseSpVecDescr_t x = nullptr;
    RIGHT(cusparseCreateSpVec(&x, 1003, count, indices.device, values.device,
                              is_long ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I,
                              CUSPARSE_INDEX_BASE_ONE, type_of<T>));
    Vector<T> y(1003);
    const Factor<T> c(handle, Of<T>::number(2), is_long), s(handle, Of<T>::number(3), is_long);
    RIGHT(cusparseRot(handle, c.place, s.place, x, y.own));
    std::vector<Number> right(1003);
    for (int i = 0; i < 1003; ++i) right[i] = wide(y.host[i]);
    for (int k = 0; k < count; ++k)
      right[places[k] - 1] = 2.0 * wide(y.host[places[k] - 1]) - 3.0 * wide(values.host[k]);
    expect_all(y.from_device(), [&](int i) { return right[i]; }, __LINE__);
    expect_all(
        values.from_device(),
        [&](int k) { return 2.0 * wide(values.host[k]) + 3.0 * wide(y.host[places[k] - 1]); },
        __LINE__);
    EXPECT(cusparseRot(handle, nullptr, s.place, x, y.own) == CUSPARSE_STATUS_INVALID_VALUE);
    RIGHT(cusparseDestroySpVec(x));
  }
}

/// A result in host memory, in a graph: the graph writes it at each launch.
void check_graph(cusparseHandle_t handle) {
  Indices indices;
  indices.make({0, 3, 5}, false);
  Array<float> values(3);
  values.random();
  values.host[0] = 2;
  values.to_device();
  cusparseSpVecDescr_t x = nullptr;
  RIGHT(cusparseCreateSpVec(&x, 7, 3, indices.device, values.device, CUSPARSE_INDEX_32I,
                            CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
  Vector<float> y(7);
  float result = -7;
  cudaStream_t stream = nullptr;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  RIGHT(cusparseSetStream(handle, stream));
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  RIGHT(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, x, y.own, &result, CUDA_R_32F,
                     nullptr));
  cudaGraph_t graph = nullptr;
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(result == -7);
  cudaGraphExec_t made = nullptr;
  EXPECT(cudaGraphInstantiateWithFlags(&made, graph, 0) == cudaSuccess);
  for (int round = 0; round < 2; ++round) {
    EXPECT(cudaGraphLaunch(made, stream) == cudaSuccess);
    EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
    float right = 0;
    for (int k = 0; k < 3; ++k) right += values.host[k] * y.host[k == 0 ? 0 : 1 + 2 * k];
    EXPECT(result == right);
    values.host[0] = 5;
    values.to_device();
  }
  EXPECT(cudaGraphExecDestroy(made) == cudaSuccess && cudaGraphDestroy(graph) == cudaSuccess);
  RIGHT(cusparseSetStream(handle, nullptr));
  EXPECT(cudaStreamDestroy(stream) == cudaSuccess);
  RIGHT(cusparseDestroySpVec(x));
}

template <typename T>
void check_type(cusparseHandle_t handle, double tolerance) {
  check_cholesky<T>(handle, tolerance);
  check_reused_pattern<T>(handle);
  check_rotations<T>(handle);
}

}  // namespace

int main() {
  cusparseHandle_t handle = nullptr;
  RIGHT(cusparseCreate(&handle));
  check_type<float>(handle, 1e-4);
  check_type<double>(handle, 1e-12);
  check_type<cuComplex>(handle, 1e-4);
  check_type<cuDoubleComplex>(handle, 1e-12);
  check_coordinates(handle);
  check_column_sort(handle);
  check_graph(handle);
  EXPECT(cudaGetLastError() == cudaSuccess);
  RIGHT(cusparseDestroy(handle));
  return finish();
}
