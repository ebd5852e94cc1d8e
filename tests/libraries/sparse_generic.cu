// cuSPARSE's generic functions against a plain dense reference, element by element: formats, bases
// and widths of indices, operations, both orders, both pointer modes, odd sizes, empty rows,
// poisoned outputs, bad arguments. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse_check.h"

namespace {

template <typename T>
void check_vector_products(cusparseHandle_t handle) {
  int round = 0;
  for (const Form form : forms)
    for (const cusparseOperation_t operation : operations)
      for (const auto& [rows, columns] :
           {std::pair(1, 1), std::pair(37, 53), std::pair(301, 129), std::pair(5, 2077)}) {
        Matrix<T> a(rows, columns, form);
        a.store();
        const bool is_plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
        const int in = is_plain ? columns : rows, out = is_plain ? rows : columns;
        const bool reads = ++round % 2;
        Vector<T> x(in), y(out, !reads);
        const Factor<T> alpha(handle, Of<T>::number(2), round % 3 == 0),
            beta(handle, Of<T>::number(reads ? 3 : 0), round % 3 == 0);
        std::size_t size = 0;
        RIGHT(cusparseSpMV_bufferSize(handle, operation, alpha.place, a.own, x.own, beta.place,
                                      y.own, type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, &size));
        RIGHT(cusparseSpMV_preprocess(handle, operation, alpha.place, a.own, x.own, beta.place,
                                      y.own, type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        RIGHT(cusparseSpMV(handle, operation, alpha.place, a.own, x.own, beta.place, y.own,
                           type_of<T>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        expect_all(
            y.from_device(),
            [&](int i) {
              Number sum = 0;
              for (int k = 0; k < in; ++k) sum += a.element(operation, i, k) * wide(x.host[k]);
              return 2.0 * sum + (reads ? 3.0 * wide(y.host[i]) : 0.0);
            },
            __LINE__);
      }
}

template <typename T>
void check_matrix_products(cusparseHandle_t handle) {
  int round = 0;
  for (const Form form : forms)
    for (const cusparseOperation_t operation_a : operations)
      for (const cusparseOperation_t operation_b : operations) {
        constexpr int widths[] = {1, 13, 2, 37, 4};
        const int rows = 37, depth = 61, width = widths[++round % 5],
                  batch = round % 3 == 0 ? 3 : 1;
        const bool plain_a = operation_a == CUSPARSE_OPERATION_NON_TRANSPOSE,
                   plain_b = operation_b == CUSPARSE_OPERATION_NON_TRANSPOSE;
        Matrix<T> a(plain_a ? rows : depth, plain_a ? depth : rows, form);
        a.store();
        const auto order = [&](int bit) {
          return round >> bit & 1 ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL;
        };
        const bool reads = round % 4 < 2;
        DenseMatrix<T> b(plain_b ? depth : width, plain_b ? width : depth, order(0), false, batch),
            c(rows, width, order(1), !reads, batch);
        const Factor<T> alpha(handle, Of<T>::number(2), round % 3 == 1),
            beta(handle, Of<T>::number(reads ? -1 : 0), round % 3 == 1);
        RIGHT(cusparseSpMM(handle, operation_a, operation_b, alpha.place, a.own, b.own, beta.place,
                           c.own, type_of<T>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
        c.expect_elements(
            [&](int i, int j, int n) {
              Number sum = 0;
              for (int k = 0; k < depth; ++k)
                sum += a.element(operation_a, i, k) * b.element(operation_b, k, j, n);
              return 2.0 * sum - (reads ? wide(c.host[c.place(i, j, n)]) : 0.0);
            },
            batch, __LINE__);
      }
  // Elements of a product that a sparse matrix has.
  for (const cusparseOperation_t operation :
       {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
    const bool is_plain = operation == CUSPARSE_OPERATION_NON_TRANSPOSE;
    Matrix<T> c(37, 53, forms[3]);
    c.store();
    DenseMatrix<T> a(is_plain ? 37 : 11, is_plain ? 11 : 37, CUSPARSE_ORDER_ROW, false),
        b(is_plain ? 11 : 53, is_plain ? 53 : 11, CUSPARSE_ORDER_COL, false);
    const Factor<T> alpha(handle, Of<T>::number(1), false), beta(handle, Of<T>::number(2), false);
    RIGHT(cusparseSDDMM(handle, operation, operation, alpha.place, a.own, b.own, beta.place, c.own,
                        type_of<T>, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    const auto got = c.values->from_device();
    for (int i = 0, k = 0; i < 37; ++i)
      for (; k < c.offset_list[i + 1] - 1; ++k) {
        const int j = static_cast<int>(c.index_list[k]) - 1;
        Number sum = 2.0 * wide(c.at(i, j));
        for (int n = 0; n < 11; ++n) sum += a.element(operation, i, n) * b.element(operation, n, j);
        EXPECT(wide(got[k]) == sum);
      }
  }
}

template <typename T>
void check_conversions(cusparseHandle_t handle) {
  for (const Form form : forms)
    for (const cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
      Matrix<T> a(37, 1029, form);
      a.store();
      DenseMatrix<T> b(37, 1029, order, true);
      RIGHT(
          cusparseSparseToDense(handle, a.own, b.own, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
      b.expect_elements([&](int i, int j, int) { return wide(a.at(i, j)); }, 1, __LINE__);
      // And back.
      Matrix<T> made(37, 1029, form);
      made.offsets.make(std::vector<long long>(a.offset_list.size(), -7), form.long_offsets);
      made.indices.make(std::vector<long long>(a.count, -7), form.long_indices);
      made.values = new Array<T>(a.count);
      const bool is_coo = form.format == CUSPARSE_FORMAT_COO;
      made.describe(0, made.offsets.device, is_coo ? made.indices.device : nullptr,
                    is_coo ? made.values->device : nullptr);
      RIGHT(cusparseDenseToSparse_analysis(handle, b.own, made.own,
                                           CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
      int64_t rows = 0, columns = 0, count = 0;
      RIGHT(cusparseSpMatGetSize(made.own, &rows, &columns, &count));
      EXPECT(rows == 37 && columns == 1029 && count == a.count);
      if (form.format == CUSPARSE_FORMAT_CSR)
        RIGHT(cusparseCsrSetPointers(made.own, made.offsets.device, made.indices.device,
                                     made.values->device));
      if (form.format == CUSPARSE_FORMAT_CSC)
        RIGHT(cusparseCscSetPointers(made.own, made.offsets.device, made.indices.device,
                                     made.values->device));
      RIGHT(cusparseDenseToSparse_convert(handle, b.own, made.own,
                                          CUSPARSE_DENSETOSPARSE_ALG_DEFAULT, nullptr));
      EXPECT(made.offsets.from_device() == a.offset_list);
      EXPECT(made.indices.from_device() == a.index_list);
      expect_all(
          made.values->from_device(), [&](int k) { return wide(a.values->host[k]); }, __LINE__);
    }
  // Rows into columns.
  for (const cusparseIndexBase_t base : {CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_INDEX_BASE_ONE}) {
    Matrix<T> a(301, 2053, {CUSPARSE_FORMAT_CSR, false, false, base}),
        b(301, 2053, {CUSPARSE_FORMAT_CSC, false, false, base});
    b.dense = a.dense;
    a.store();
    b.store();
    Indices offsets, indices;
    offsets.make(std::vector<long long>(2054, -7), false);
    indices.make(std::vector<long long>(a.count, -7), false);
    Array<T> values(a.count);
    const auto ints = [](const Indices& own) { return static_cast<int*>(own.device); };
    RIGHT(cusparseCsr2cscEx2(handle, 301, 2053, a.count, a.values->device, ints(a.offsets),
                             ints(a.indices), values.device, ints(offsets), ints(indices),
                             type_of<T>, CUSPARSE_ACTION_NUMERIC, base, CUSPARSE_CSR2CSC_ALG1,
                             nullptr));
    EXPECT(offsets.from_device() == b.offset_list);
    EXPECT(indices.from_device() == b.index_list);
    expect_all(values.from_device(), [&](int k) { return wide(b.values->host[k]); }, __LINE__);
    Indices row_numbers, again;
    row_numbers.make(std::vector<long long>(a.count, -7), false);
    again.make(std::vector<long long>(302, -7), false);
    RIGHT(cusparseXcsr2coo(handle, ints(a.offsets), a.count, 301, ints(row_numbers), base));
    RIGHT(cusparseXcoo2csr(handle, ints(row_numbers), a.count, 301, ints(again), base));
    EXPECT(again.from_device() == a.offset_list);
  }
}

cusparseStatus_t nonzeros(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                          cusparseMatDescr_t descriptor, const double* values, int leading,
                          int* counts, int* total) {
  return cusparseDnnz(handle, direction, m, n, descriptor, values, leading, counts, total);
}
cusparseStatus_t nonzeros(cusparseHandle_t handle, cusparseDirection_t direction, int m, int n,
                          cusparseMatDescr_t descriptor, const cuComplex* values, int leading,
                          int* counts, int* total) {
  return cusparseCnnz(handle, direction, m, n, descriptor, values, leading, counts, total);
}

template <typename T>
void check_counts(cusparseHandle_t handle) {
  DenseMatrix<T> a(37, 1029, CUSPARSE_ORDER_COL, false);
  cusparseMatDescr_t descriptor = nullptr;
  RIGHT(cusparseCreateMatDescr(&descriptor));
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  for (const bool by_rows : {true, false}) {
    const int lines = by_rows ? 37 : 1029;
    Indices counts;
    counts.make(std::vector<long long>(lines, -7), false);
    int total = -7, right_total = 0;
    RIGHT(nonzeros(handle, by_rows ? CUSPARSE_DIRECTION_ROW : CUSPARSE_DIRECTION_COLUMN, 37, 1029,
                   descriptor, a.device, a.leading, static_cast<int*>(counts.device), &total));
    const auto got = counts.from_device();
    for (int line = 0; line < lines; ++line) {
      int right = 0;
      for (int i = 0; i < 37 * 1029 / lines; ++i)
        right += wide(a.host[by_rows ? a.place(line, i) : a.place(i, line)]) != 0.0;
      EXPECT(got[line] == right);
      right_total += right;
    }
    EXPECT(total == right_total);
  }
  RIGHT(cusparseDestroyMatDescr(descriptor));
}

template <typename T>
void check_vectors(cusparseHandle_t handle) {
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
    std::vector<Number> right(1003);
    const Factor<T> alpha(handle, Of<T>::number(2), is_long),
        beta(handle, Of<T>::number(3), is_long);
    for (int i = 0; i < 1003; ++i) right[i] = 3.0 * wide(y.host[i]);
    for (int k = 0; k < count; ++k) right[places[k] - 1] += 2.0 * wide(values.host[k]);
    RIGHT(cusparseAxpby(handle, alpha.place, x, beta.place, y.own));
    expect_all(y.from_device(), [&](int i) { return right[i]; }, __LINE__);
    Array<T> result(1);
    const bool on_device = is_long;
    RIGHT(cusparseSpVV(handle, CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE, x, y.own,
                       on_device ? result.device : result.host.data(), type_of<T>, nullptr));
    Number sum = 0;
    for (int k = 0; k < count; ++k) sum += std::conj(wide(values.host[k])) * right[places[k] - 1];
    EXPECT(wide(on_device ? result.from_device()[0] : result.host[0]) == sum);
    RIGHT(cusparseGather(handle, y.own, x));
    expect_all(values.from_device(), [&](int k) { return right[places[k] - 1]; }, __LINE__);
    values.to_device();
    for (int k = 0; k < count; ++k) right[places[k] - 1] = wide(values.host[k]);
    RIGHT(cusparseScatter(handle, x, y.own));
    expect_all(y.from_device(), [&](int i) { return right[i]; }, __LINE__);
    RIGHT(cusparseDestroySpVec(x));
  }
}

/// Solutions are whole numbers: right sides are made of them.
template <typename T>
void check_triangles(cusparseHandle_t handle) {
  const int n = 61, width = 5;
  for (const Form form : forms)
    for (const cusparseOperation_t operation : operations)
      for (cusparseFillMode_t fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
        for (cusparseDiagType_t diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT}) {
          Matrix<T> a(n, n, form, 9);  // both triangles are stored, one is read
          for (int i = 0; i < n; ++i) a.at(i, i) = Of<T>::number(2);
          a.store();
          RIGHT(cusparseSpMatSetAttribute(a.own, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
          RIGHT(cusparseSpMatSetAttribute(a.own, CUSPARSE_SPMAT_DIAG_TYPE, &diagonal,
                                          sizeof diagonal));
          const auto triangle = [&](int i, int j) -> Number {
            if (i == j && diagonal == CUSPARSE_DIAG_TYPE_UNIT) return 1;
            const bool is_upper = (fill == CUSPARSE_FILL_MODE_UPPER) ==
                                  (operation == CUSPARSE_OPERATION_NON_TRANSPOSE);
            return i == j || (j > i) == is_upper ? a.element(operation, i, j) : 0.0;
          };
          DenseMatrix<T> b(n, width, CUSPARSE_ORDER_ROW, false),
              c(n, width, CUSPARSE_ORDER_COL, true);
          std::vector<Number> solution(n * width);
          for (Number& x : solution) x = wide(random_number<T>());
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < width; ++j) {
              Number sum = 0;
              for (int k = 0; k < n; ++k) sum += triangle(i, k) * solution[k * width + j];
              b.host[b.place(i, j)] = Of<T>::number(sum);
            }
          b.to_device();
          const Factor<T> alpha(handle, Of<T>::number(2), false);
          cusparseSpSMDescr_t plan = nullptr;
          RIGHT(cusparseSpSM_createDescr(&plan));
          RIGHT(cusparseSpSM_analysis(handle, operation, CUSPARSE_OPERATION_NON_TRANSPOSE,
                                      alpha.place, a.own, b.own, c.own, type_of<T>,
                                      CUSPARSE_SPSM_ALG_DEFAULT, plan, nullptr));
          RIGHT(cusparseSpSM_solve(handle, operation, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha.place,
                                   a.own, b.own, c.own, type_of<T>, CUSPARSE_SPSM_ALG_DEFAULT,
                                   plan));
          RIGHT(cusparseSpSM_destroyDescr(plan));
          c.expect_elements([&](int i, int j, int) { return 2.0 * solution[i * width + j]; }, 1,
                            __LINE__);
          Vector<T> right(n), left(n, true);
          for (int i = 0; i < n; ++i) right.host[i] = b.host[b.place(i, 0)];
          right.to_device();
          cusparseSpSVDescr_t vector_plan = nullptr;
          RIGHT(cusparseSpSV_createDescr(&vector_plan));
          RIGHT(cusparseSpSV_analysis(handle, operation, alpha.place, a.own, right.own, left.own,
                                      type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, vector_plan, nullptr));
          RIGHT(cusparseSpSV_solve(handle, operation, alpha.place, a.own, right.own, left.own,
                                   type_of<T>, CUSPARSE_SPSV_ALG_DEFAULT, vector_plan));
          RIGHT(cusparseSpSV_destroyDescr(vector_plan));
          expect_all(
              left.from_device(), [&](int i) { return 2.0 * solution[i * width]; }, __LINE__);
        }
}

template <typename T>
void check_sparse_products(cusparseHandle_t handle) {
  const Form csr[] = {
      forms[0], forms[3], {CUSPARSE_FORMAT_CSR, true, true, CUSPARSE_INDEX_BASE_ZERO}};
  for (const Form form : csr)
    for (const auto& [rows, depth, columns] :
         {std::tuple(1, 1, 1), std::tuple(37, 61, 53), std::tuple(1029, 40, 7)}) {
      Matrix<T> a(rows, depth, form), b(depth, columns, form), c(rows, columns, form);
      a.store();
      b.store();
      c.offsets.make(std::vector<long long>(rows + 1, -7), form.long_offsets);
      c.describe(0, c.offsets.device, nullptr, nullptr);
      const Factor<T> alpha(handle, Of<T>::number(2), false), beta(handle, Of<T>::number(0), false);
      const auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
      cusparseSpGEMMDescr_t plan = nullptr;
      RIGHT(cusparseSpGEMM_createDescr(&plan));
      void* buffer = nullptr;
      std::size_t size = 0;
      const auto estimate = [&] {
        return cusparseSpGEMM_workEstimation(handle, plain, plain, alpha.place, a.own, b.own,
                                             beta.place, c.own, type_of<T>, CUSPARSE_SPGEMM_DEFAULT,
                                             plan, &size, buffer);
      };
      const auto compute = [&] {
        return cusparseSpGEMM_compute(handle, plain, plain, alpha.place, a.own, b.own, beta.place,
                                      c.own, type_of<T>, CUSPARSE_SPGEMM_DEFAULT, plan, &size,
                                      buffer);
      };
      const auto copy = [&] {
        return cusparseSpGEMM_copy(handle, plain, plain, alpha.place, a.own, b.own, beta.place,
                                   c.own, type_of<T>, CUSPARSE_SPGEMM_DEFAULT, plan);
      };
      EXPECT(copy() == CUSPARSE_STATUS_INVALID_VALUE);
      RIGHT(estimate());
      EXPECT(cudaMalloc(&buffer, size) == cudaSuccess);
      RIGHT(estimate());
      RIGHT(compute());
      int64_t count = 0, c_rows = 0, c_columns = 0;
      RIGHT(cusparseSpMatGetSize(c.own, &c_rows, &c_columns, &count));
      c.indices.make(std::vector<long long>(count, -7), form.long_indices);
      c.values = new Array<T>(count);
      RIGHT(cusparseCsrSetPointers(c.own, c.offsets.device, c.indices.device, c.values->device));
      RIGHT(copy());
      const auto offsets = c.offsets.from_device(), indices = c.indices.from_device();
      const auto values = c.values->from_device();
      const int base = form.base == CUSPARSE_INDEX_BASE_ONE;
      int different = offsets[rows] != count + base;
      for (int i = 0; i < rows; ++i) {
        long long k = offsets[i] - base;
        for (int j = 0; j < columns; ++j) {
          Number sum = 0;
          bool is_there = false;
          for (int n = 0; n < depth; ++n) {
            const Number term = wide(a.at(i, n)) * wide(b.at(n, j));
            sum += term;
            is_there |= wide(a.at(i, n)) != 0.0 && wide(b.at(n, j)) != 0.0;
          }
          if (!is_there) continue;
          different += indices[k] != j + base || wide(values[k]) != 2.0 * sum;
          ++k;
        }
        different += k != offsets[i + 1] - base;
      }
      EXPECT(different == 0);
      RIGHT(cusparseSpGEMM_destroyDescr(plan));
      cudaFree(buffer);
    }
}

cusparseStatus_t factor(cusparseHandle_t handle, int n, int count, cusparseMatDescr_t descriptor,
                        float* values, int* offsets, int* indices, csrilu02Info_t info,
                        bool analyses) {
  return analyses
             ? cusparseScsrilu02_analysis(handle, n, count, descriptor, values, offsets, indices,
                                          info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr)
             : cusparseScsrilu02(handle, n, count, descriptor, values, offsets, indices, info,
                                 CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
}
cusparseStatus_t factor(cusparseHandle_t handle, int n, int count, cusparseMatDescr_t descriptor,
                        cuDoubleComplex* values, int* offsets, int* indices, csrilu02Info_t info,
                        bool analyses) {
  return analyses
             ? cusparseZcsrilu02_analysis(handle, n, count, descriptor, values, offsets, indices,
                                          info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr)
             : cusparseZcsrilu02(handle, n, count, descriptor, values, offsets, indices, info,
                                 CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr);
}

/// Also with a diagonal that is not there, and one that becomes 0.
template <typename T>
void check_factors(cusparseHandle_t handle, double tolerance) {
  const int n = 61;
  for (const int bad : {-1, 17, 18}) {
    Matrix<T> a(n, n, {CUSPARSE_FORMAT_CSR, false, false, CUSPARSE_INDEX_BASE_ONE});
    for (int i = 0; i < n; ++i) a.at(i, i) = Of<T>::number(64);
    if (bad == 17) a.at(17, 17) = Of<T>::number(0);
    if (bad == 18) {  // a row like the one above, times its diagonal
      for (int j = 0; j < n; ++j)
        a.at(17, j) = a.at(18, j) = Of<T>::number(j == 17 || j == 18 ? 4 : 0);
    }
    a.store();
    cusparseMatDescr_t descriptor = nullptr;
    csrilu02Info_t info = nullptr;
    RIGHT(cusparseCreateMatDescr(&descriptor));
    RIGHT(cusparseSetMatIndexBase(descriptor, CUSPARSE_INDEX_BASE_ONE));
    RIGHT(cusparseCreateCsrilu02Info(&info));
    auto* const offsets = static_cast<int*>(a.offsets.device);
    auto* const indices = static_cast<int*>(a.indices.device);
    RIGHT(factor(handle, n, a.count, descriptor, a.values->device, offsets, indices, info, true));
    int position = 7;
    EXPECT(cusparseXcsrilu02_zeroPivot(handle, info, &position) ==
           (bad == 17 ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS));
    EXPECT(position == (bad == 17 ? 18 : -1));
    EXPECT(a.values->from_device().size() == static_cast<std::size_t>(a.count));
    expect_all(a.values->from_device(), [&](int k) { return wide(a.values->host[k]); }, __LINE__);
    RIGHT(factor(handle, n, a.count, descriptor, a.values->device, offsets, indices, info, false));
    EXPECT(cusparseXcsrilu02_zeroPivot(handle, info, &position) ==
           (bad < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
    EXPECT(position == (bad < 0 ? -1 : bad + 1));
    if (bad < 0) {
      std::vector<Number> right(n * n);
      for (int i = 0; i < n * n; ++i) right[i] = wide(a.dense[i]);
      for (int i = 0; i < n; ++i)
        for (int k = 0; k < i; ++k) {
          if (wide(a.at(i, k)) == 0.0) continue;
          right[i * n + k] /= right[k * n + k];
          for (int j = k + 1; j < n; ++j)
            if (wide(a.at(i, j)) != 0.0 && wide(a.at(k, j)) != 0.0)
              right[i * n + j] -= right[i * n + k] * right[k * n + j];
        }
      const auto got = a.values->from_device();
      int different = 0;
      for (int i = 0, k = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          if (wide(a.at(i, j)) != 0.0)
            different += !(std::abs(wide(got[k++]) - right[i * n + j]) <= tolerance);
      EXPECT(different == 0);
    }
    RIGHT(cusparseDestroyCsrilu02Info(info));
    EXPECT(cusparseDestroyCsrilu02Info(info) == CUSPARSE_STATUS_INVALID_VALUE);
    RIGHT(cusparseDestroyMatDescr(descriptor));
  }
}

/// The sum of two, of different bases.
void check_sums(cusparseHandle_t handle) {
  Matrix<double> a(301, 97, forms[0]),
      b(301, 97, {CUSPARSE_FORMAT_CSR, false, false, CUSPARSE_INDEX_BASE_ONE});
  a.store();
  b.store();
  cusparseMatDescr_t from_zero = nullptr, from_one = nullptr;
  RIGHT(cusparseCreateMatDescr(&from_zero));
  RIGHT(cusparseCreateMatDescr(&from_one));
  RIGHT(cusparseSetMatIndexBase(from_one, CUSPARSE_INDEX_BASE_ONE));
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  Indices offsets, indices;
  offsets.make(std::vector<long long>(302, -7), false);
  int total = -7;
  const double alpha = 2, beta = -3;
  const auto ints = [](const Indices& own) { return static_cast<int*>(own.device); };
  RIGHT(cusparseXcsrgeam2Nnz(handle, 301, 97, from_zero, a.count, ints(a.offsets), ints(a.indices),
                             from_one, b.count, ints(b.offsets), ints(b.indices), from_one,
                             ints(offsets), &total, nullptr));
  indices.make(std::vector<long long>(total, -7), false);
  Array<double> values(total);
  RIGHT(cusparseDcsrgeam2(handle, 301, 97, &alpha, from_zero, a.count, a.values->device,
                          ints(a.offsets), ints(a.indices), &beta, from_one, b.count,
                          b.values->device, ints(b.offsets), ints(b.indices), from_one,
                          values.device, ints(offsets), ints(indices), nullptr));
  const auto starts = offsets.from_device(), columns = indices.from_device();
  const auto got = values.from_device();
  int different = 0;
  for (int i = 0, k = 0; i < 301; ++i) {
    different += starts[i] != k + 1;
    for (int j = 0; j < 97; ++j) {
      if (a.at(i, j) == 0 && b.at(i, j) == 0) continue;
      different += k >= total || columns[k] != j + 1 || got[k] != 2 * a.at(i, j) - 3 * b.at(i, j);
      ++k;
    }
    different += i == 300 && (k != total || starts[301] != k + 1);
  }
  EXPECT(different == 0);
  EXPECT(cusparseXcsrgeam2Nnz(handle, 301, 97, nullptr, a.count, ints(a.offsets), ints(a.indices),
                              from_one, b.count, ints(b.offsets), ints(b.indices), from_one,
                              ints(offsets), &total, nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
  RIGHT(cusparseDestroyMatDescr(from_zero));
  RIGHT(cusparseDestroyMatDescr(from_one));
}

/// Columns of rows in order, places with them.
void check_sort(cusparseHandle_t handle) {
  Matrix<float> a(301, 97, forms[0]);
  a.store();
  std::vector<long long> mixed = a.index_list;
  for (int i = 0; i < 301; ++i)
    for (long long k = a.offset_list[i + 1] - 1; k > a.offset_list[i]; --k)
      std::swap(mixed[k], mixed[a.offset_list[i] + std::rand() % (k - a.offset_list[i] + 1)]);
  Indices indices, places;
  indices.make(mixed, false);
  places.make(std::vector<long long>(a.count, -7), false);
  cusparseMatDescr_t descriptor = nullptr;
  RIGHT(cusparseCreateMatDescr(&descriptor));
  RIGHT(cusparseCreateIdentityPermutation(handle, a.count, static_cast<int*>(places.device)));
  RIGHT(cusparseXcsrsort(handle, 301, 97, a.count, descriptor, static_cast<int*>(a.offsets.device),
                         static_cast<int*>(indices.device), static_cast<int*>(places.device),
                         nullptr));
  RIGHT(cusparseDestroyMatDescr(descriptor));
  EXPECT(indices.from_device() == a.index_list);
  const auto from = places.from_device();
  for (int k = 0; k < a.count; ++k) EXPECT(mixed[from[k]] == a.index_list[k]);
}

/// Fractions: the bits are the same on any number of devices.
template <typename T>
void check_bits(cusparseHandle_t handle) {
  for (const cusparseOperation_t operation :
       {CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_TRANSPOSE}) {
    Matrix<T> a(1003, 1003, forms[0], 3);
    for (T& x : a.dense)
      if (wide(x) != 0.0) x = random_fraction<T>();
    a.store();
    Vector<T> x(1003), y(1003, true);
    for (T& one : x.host) one = random_fraction<T>();
    x.to_device();
    const Factor<T> alpha(handle, Of<T>::number(1), false), beta(handle, Of<T>::number(0), false);
    RIGHT(cusparseSpMV(handle, operation, alpha.place, a.own, x.own, beta.place, y.own, type_of<T>,
                       CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
    print_bits("a product", y.from_device());
  }
}

void check_refusals(cusparseHandle_t handle) {
  Matrix<float> a(5, 7, forms[0]);
  a.store();
  Vector<float> x(7), y(5);
  Vector<double> z(5);
  const float one = 1;
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  const auto multiply = [&](cusparseHandle_t with, const void* alpha,
                            cusparseConstSpMatDescr_t matrix, cusparseConstDnVecDescr_t from,
                            cusparseDnVecDescr_t to) {
    return cusparseSpMV(with, CUSPARSE_OPERATION_NON_TRANSPOSE, alpha, matrix, from, &one, to,
                        CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr);
  };
  RIGHT(multiply(handle, &one, a.own, x.own, y.own));
  EXPECT(multiply(nullptr, &one, a.own, x.own, y.own) == CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(multiply(handle, nullptr, a.own, x.own, y.own) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(multiply(handle, &one, nullptr, x.own, y.own) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(multiply(handle, &one, a.own, y.own, x.own) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(multiply(handle, &one, a.own, x.own, z.own) == CUSPARSE_STATUS_NOT_SUPPORTED);
  cusparseSpMatDescr_t matrix = nullptr;
  EXPECT(cusparseCreateCsr(nullptr, 1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseCreateCsr(&matrix, -1, 1, 0, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  cusparseDnMatDescr_t dense = nullptr;
  EXPECT(cusparseCreateDnMat(&dense, 5, 2, 4, y.device, CUDA_R_32F, CUSPARSE_ORDER_COL) ==
         CUSPARSE_STATUS_INVALID_VALUE);
  RIGHT(cusparseDestroySpMat(nullptr));
  EXPECT(cudaGetLastError() == cudaSuccess);
}

template <typename T>
void check_type(cusparseHandle_t handle) {
  check_vector_products<T>(handle);
  check_matrix_products<T>(handle);
  check_conversions<T>(handle);
  check_vectors<T>(handle);
  check_triangles<T>(handle);
  check_sparse_products<T>(handle);
  check_bits<T>(handle);
}

}  // namespace

int main() {
  cusparseHandle_t handle = nullptr;
  RIGHT(cusparseCreate(&handle));
  check_type<float>(handle);
  check_type<double>(handle);
  check_type<cuComplex>(handle);
  check_type<cuDoubleComplex>(handle);
  check_factors<float>(handle, 1e-4);
  check_factors<cuDoubleComplex>(handle, 1e-11);
  check_counts<double>(handle);
  check_counts<cuComplex>(handle);
  check_sums(handle);
  check_sort(handle);
  check_refusals(handle);
  RIGHT(cusparseDestroy(handle));
  return finish();
}
