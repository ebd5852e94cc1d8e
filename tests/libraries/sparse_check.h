// What the tests of cuSPARSE share: matrices that are dense and sparse, of each format and width of
// indices, vectors, factors in memory of either kind.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "blas_check.h"

#include <cusparse.h>

#include <cmath>
#include <tuple>

#define RIGHT(call) EXPECT((call) == CUSPARSE_STATUS_SUCCESS)

template <typename T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<double> = CUDA_R_64F;
template <>
constexpr cudaDataType type_of<cuComplex> = CUDA_C_32F;
template <>
constexpr cudaDataType type_of<cuDoubleComplex> = CUDA_C_64F;

inline const cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                 CUSPARSE_OPERATION_TRANSPOSE,
                                                 CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

/// How a matrix is stored.
struct Form {
  cusparseFormat_t format;
  bool long_offsets, long_indices;
  cusparseIndexBase_t base;
};
inline const Form forms[] = {
    {CUSPARSE_FORMAT_CSR, false, false, CUSPARSE_INDEX_BASE_ZERO},
    {CUSPARSE_FORMAT_CSC, false, false, CUSPARSE_INDEX_BASE_ONE},
    {CUSPARSE_FORMAT_COO, false, false, CUSPARSE_INDEX_BASE_ONE},
    {CUSPARSE_FORMAT_CSR, true, false, CUSPARSE_INDEX_BASE_ONE},
    {CUSPARSE_FORMAT_CSC, true, true, CUSPARSE_INDEX_BASE_ZERO},
    {CUSPARSE_FORMAT_COO, true, true, CUSPARSE_INDEX_BASE_ZERO},
};

/// Indices of either width on the device.
struct Indices {
  void make(const std::vector<long long>& values, bool is_long) {
    std::vector<int> narrow(values.begin(), values.end());
    bytes = values.size() * (is_long ? 8 : 4);
    EXPECT(cudaMalloc(&device, bytes + 8) == cudaSuccess);
    EXPECT(cudaMemcpy(device, is_long ? static_cast<const void*>(values.data()) : narrow.data(),
                      bytes, cudaMemcpyHostToDevice) == cudaSuccess);
    wide = is_long;
  }
  std::vector<long long> from_device() const {
    std::vector<int> narrow(bytes / 4);
    std::vector<long long> result(bytes / 8);
    EXPECT(cudaMemcpy(wide ? static_cast<void*>(result.data()) : narrow.data(), device, bytes,
                      cudaMemcpyDeviceToHost) == cudaSuccess);
    return wide ? result : std::vector<long long>(narrow.begin(), narrow.end());
  }
  ~Indices() { cudaFree(device); }
  void* device = nullptr;
  std::size_t bytes = 0;
  bool wide = false;
};

/// A dense matrix of mostly zeros, and the same as a sparse one.
template <typename T>
struct Matrix {
  Matrix(int rows, int columns, Form form, int every = 5)
      : rows(rows), columns(columns), form(form), dense(rows * columns) {
    for (int i = 0; i < rows * columns; ++i)
      if (std::rand() % every == 0 && i / columns % 7 != 3)
        dense[i] =
            Of<T>::number(Number(1 + std::rand() % 3, Of<T>::is_complex ? std::rand() % 3 - 1 : 0));
  }
  Matrix(const Matrix&) = delete;
  ~Matrix() {
    RIGHT(cusparseDestroySpMat(own));
    delete values;
  }
  T& at(int i, int j) { return dense[i * columns + j]; }
  Number element(cusparseOperation_t operation, int i, int j) {
    const Number x =
        operation == CUSPARSE_OPERATION_NON_TRANSPOSE ? wide(at(i, j)) : wide(at(j, i));
    return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
  }

  /// Elements other than 0, or those of all places.
  void store() {
    const bool by_columns = form.format == CUSPARSE_FORMAT_CSC,
               is_coo = form.format == CUSPARSE_FORMAT_COO;
    const int base = form.base == CUSPARSE_INDEX_BASE_ONE;
    std::vector<long long> starts = {base};
    std::vector<T> elements;
    if (is_coo) starts.clear();
    for (int outer = 0; outer < (by_columns ? columns : rows); ++outer) {
      for (int inner = 0; inner < (by_columns ? rows : columns); ++inner) {
        const T x = by_columns ? at(inner, outer) : at(outer, inner);
        if (wide(x) == 0.0) continue;
        index_list.push_back(inner + base);
        elements.push_back(x);
        if (is_coo) starts.push_back(outer + base);
      }
      if (!is_coo) starts.push_back(static_cast<long long>(elements.size()) + base);
    }
    count = static_cast<int>(elements.size());
    offset_list = starts;
    offsets.make(starts, form.long_offsets);
    indices.make(index_list, form.long_indices);
    values = new Array<T>(count);
    values->host = elements;
    values->to_device();
    describe(count, offsets.device, indices.device, values->device);
  }
  void describe(int how_many, void* to_offsets, void* to_indices, void* to_values) {
    const auto width = [](bool is_long) {
      return is_long ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    };
    const auto offset_type = width(form.long_offsets), index_type = width(form.long_indices);
    if (form.format == CUSPARSE_FORMAT_CSR)
      RIGHT(cusparseCreateCsr(&own, rows, columns, how_many, to_offsets, to_indices, to_values,
                              offset_type, index_type, form.base, type_of<T>));
    if (form.format == CUSPARSE_FORMAT_CSC)
      RIGHT(cusparseCreateCsc(&own, rows, columns, how_many, to_offsets, to_indices, to_values,
                              offset_type, index_type, form.base, type_of<T>));
    if (form.format == CUSPARSE_FORMAT_COO)
      RIGHT(cusparseCreateCoo(&own, rows, columns, how_many, to_offsets, to_indices, to_values,
                              index_type, form.base, type_of<T>));
  }

  int rows, columns, count = 0;
  Form form;
  std::vector<T> dense;
  std::vector<long long> offset_list, index_list;
  Indices offsets, indices;
  Array<T>* values = nullptr;
  cusparseSpMatDescr_t own = nullptr;
};

template <typename T>
struct Vector : Array<T> {
  explicit Vector(int count, bool is_poison = false) : Array<T>(count), size(count) {
    for (T& x : this->host) x = is_poison ? poison<T>() : random_number<T>();
    this->to_device();
    RIGHT(cusparseCreateDnVec(&own, size, this->device, type_of<T>));
  }
  ~Vector() { RIGHT(cusparseDestroyDnVec(own)); }
  int size;
  cusparseDnVecDescr_t own = nullptr;
};

/// In memory of either kind.
template <typename T>
struct Factor {
  Factor(cusparseHandle_t handle, T value, bool on_device) : value(1) {
    value_host = value;
    this->value.host[0] = value;
    this->value.to_device();
    RIGHT(cusparseSetPointerMode(
        handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
    place = on_device ? this->value.device : this->value.host.data();
  }
  Array<T> value;
  T value_host;
  const void* place;
};

template <typename T, typename Expected>
void expect_all(const std::vector<T>& got, Expected expected, int line) {
  int different = 0;
  for (std::size_t i = 0; i < got.size(); ++i)
    different += wide(got[i]) != expected(static_cast<int>(i));
  if (!expect(different == 0, "elements", line))
    std::printf("  %d different of %d\n", different, static_cast<int>(got.size()));
}

/// Dense, with gaps of poison.
template <typename T>
struct DenseMatrix : Array<T> {
  DenseMatrix(int rows, int columns, cusparseOrder_t order, bool is_poison, int batch = 1)
      : Array<T>((order == CUSPARSE_ORDER_COL ? (rows + 3) * columns : (columns + 3) * rows) *
                     batch +
                 5),
        rows(rows),
        columns(columns),
        order(order),
        leading((order == CUSPARSE_ORDER_COL ? rows : columns) + 3),
        stride((order == CUSPARSE_ORDER_COL ? columns : rows) * leading) {
    this->fill(poison<T>());
    if (!is_poison)
      for (int b = 0; b < batch; ++b)
        for (int i = 0; i < rows; ++i)
          for (int j = 0; j < columns; ++j) this->host[place(i, j, b)] = random_number<T>();
    this->to_device();
    RIGHT(cusparseCreateDnMat(&own, rows, columns, leading, this->device, type_of<T>, order));
    if (batch > 1) RIGHT(cusparseDnMatSetStridedBatch(own, batch, stride));
  }
  ~DenseMatrix() { RIGHT(cusparseDestroyDnMat(own)); }
  int place(int i, int j, int b = 0) const {
    return b * stride + (order == CUSPARSE_ORDER_COL ? j * leading + i : i * leading + j);
  }
  Number element(cusparseOperation_t operation, int i, int j, int b = 0) const {
    const Number x = operation == CUSPARSE_OPERATION_NON_TRANSPOSE
                         ? wide(this->host[place(i, j, b)])
                         : wide(this->host[place(j, i, b)]);
    return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
  }
  /// Elements are as expected, gaps as they were.
  template <typename Expected>
  void expect_elements(Expected expected, int batch, int line) {
    std::vector<T> got = this->from_device();
    int different = 0;
    for (int b = 0; b < batch; ++b)
      for (int i = 0; i < rows; ++i)
        for (int j = 0; j < columns; ++j) {
          different += wide(got[place(i, j, b)]) != expected(i, j, b);
          got[place(i, j, b)] = this->host[place(i, j, b)];
        }
    for (std::size_t k = 0; k < got.size(); ++k) different += !same_bits(got[k], this->host[k]);
    if (!expect(different == 0, "elements of a matrix", line))
      std::printf("  %d different\n", different);
  }
  int rows, columns;
  cusparseOrder_t order;
  int leading, stride;
  cusparseDnMatDescr_t own = nullptr;
};
