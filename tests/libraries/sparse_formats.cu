// cuSPARSE's matrices in blocks and slices, and products of mixed types, against a plain dense
// reference: BSR, Blocked-ELL, Sliced-ELL, widths and bases of indices, operations, elements of 16
// and 8 bits, real matrices and complex vectors, odd sizes, poisoned outputs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse_check.h"

template <>
constexpr cudaDataType type_of<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType type_of<__nv_bfloat16> = CUDA_R_16BF;
template <>
constexpr cudaDataType type_of<signed char> = CUDA_R_8I;

namespace {

const cusparseOperation_t plain = CUSPARSE_OPERATION_NON_TRANSPOSE;

/// A matrix of whole blocks, some of which are there, and the same in one of the formats.
template <typename T>
struct Blocked {
  Blocked(cusparseFormat_t format, int block_rows, int block_columns, int height, int width,
          bool is_long, int base, cusparseOrder_t order = CUSPARSE_ORDER_ROW)
      : rows(block_rows * height), columns(block_columns * width), dense(rows * columns) {
    const cusparseIndexType_t type = is_long ? CUSPARSE_INDEX_64I : CUSPARSE_INDEX_32I;
    const auto from = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
    std::vector<long long> starts = {base}, index_list;
    std::vector<T> elements;
    const auto element = [&](int i, int j) {
      const T x = random_number<T>();
      dense[i * columns + j] = x;
      return x;
    };
    if (format == CUSPARSE_FORMAT_BSR) {
      for (int i = 0; i < block_rows; ++i) {
        for (int j = 0; j < block_columns; ++j) {
          if (i % 5 == 3 || std::rand() % 3 != 0) continue;
          index_list.push_back(j + base);
          for (int k = 0; k < height * width; ++k)
            elements.push_back(order == CUSPARSE_ORDER_ROW
                                   ? element(i * height + k / width, j * width + k % width)
                                   : element(i * height + k % height, j * width + k / height));
        }
        starts.push_back(static_cast<long long>(index_list.size()) + base);
      }
    } else if (format == CUSPARSE_FORMAT_BLOCKED_ELL) {
      const int most = 3;
      std::vector<int> of_block(block_rows * most, -1);
      for (int i = 0; i < block_rows; ++i)
        for (int j = 0, k = 0; j < block_columns && k < most; ++j)
          if (std::rand() % 3 == 0) of_block[i * most + k++] = j;
      for (const int j : of_block) index_list.push_back(j < 0 ? -1 : j + base);
      for (int i = 0; i < rows; ++i)
        for (int k = 0; k < most * width; ++k) {
          const int j = of_block[i / height * most + k / width];
          elements.push_back(j < 0 ? poison<T>() : element(i, j * width + k % width));
        }
      length = most * width;
    } else {  // slices of `height` rows; the last may be partial
      rows -= rows > 2 ? 2 : 0;
      for (int start = 0; start < rows; start += height) {
        std::vector<std::vector<int>> own(height);
        size_t longest = 0;
        for (int i = start; i < start + height && i < rows; ++i) {
          for (int j = 0; j < columns; ++j)
            if (i % 7 != 3 && std::rand() % 5 == 0) own[i - start].push_back(j);
          longest = std::max(longest, own[i - start].size());
        }
        for (size_t k = 0; k < longest; ++k)
          for (int i = 0; i < height; ++i) {
            const bool is_there = k < own[i].size();
            index_list.push_back(is_there ? own[i][k] + base : -1);
            elements.push_back(is_there ? element(start + i, own[i][k]) : poison<T>());
          }
        starts.push_back(static_cast<long long>(index_list.size()) + base);
      }
    }
    offsets.make(starts, is_long);
    indices.make(index_list, is_long);
    values = new Array<T>(elements.size());
    values->host = elements;
    values->to_device();
    const auto count = static_cast<int64_t>(elements.size());
    if (format == CUSPARSE_FORMAT_BSR)
      RIGHT(cusparseCreateBsr(
          &own, block_rows, block_columns, static_cast<int64_t>(index_list.size()), height, width,
          offsets.device, indices.device, values->device, type, type, from, type_of<T>, order));
    else if (format == CUSPARSE_FORMAT_BLOCKED_ELL)
      RIGHT(cusparseCreateBlockedEll(&own, rows, columns, height, length, indices.device,
                                     values->device, type, from, type_of<T>));
    else
      RIGHT(cusparseCreateSlicedEll(&own, rows, columns, count, count, height, offsets.device,
                                    indices.device, values->device, type, type, from, type_of<T>));
  }
  Blocked(const Blocked&) = delete;
  ~Blocked() {
    RIGHT(cusparseDestroySpMat(own));
    delete values;
  }
  Number element(cusparseOperation_t operation, int i, int j) const {
    const Number x = wide(operation == plain ? dense[i * columns + j] : dense[j * columns + i]);
    return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
  }

  int rows, columns, length = 0;
  std::vector<T> dense;
  Indices offsets, indices;
  Array<T>* values = nullptr;
  cusparseSpMatDescr_t own = nullptr;
};

/// op(A) X by T, results of type Y, computed in C.
template <typename T, typename X, typename Y, typename C>
void check_vector(cusparseHandle_t handle, const Blocked<T>& a, cusparseOperation_t operation,
                  int round) {
  const int in = operation == plain ? a.columns : a.rows, out = a.rows + a.columns - in;
  const bool reads = round % 2;
  Vector<X> x(in);
  Vector<Y> y(out, !reads);
  const Factor<C> alpha(handle, Of<C>::number(2), round % 3 == 0),
      beta(handle, Of<C>::number(reads ? 3 : 0), round % 3 == 0);
  size_t size = 0;
  RIGHT(cusparseSpMV_bufferSize(handle, operation, alpha.place, a.own, x.own, beta.place, y.own,
                                type_of<C>, CUSPARSE_SPMV_ALG_DEFAULT, &size));
  RIGHT(cusparseSpMV(handle, operation, alpha.place, a.own, x.own, beta.place, y.own, type_of<C>,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  expect_all(
      y.from_device(),
      [&](int i) {
        Number sum = 0;
        for (int k = 0; k < in; ++k) sum += a.element(operation, i, k) * wide(x.host[k]);
        return 2.0 * sum + (reads ? 3.0 * wide(y.host[i]) : 0.0);
      },
      __LINE__);
}

template <typename T, typename X, typename Y, typename C>
void check_products(cusparseHandle_t handle) {
  int round = 0;
  for (const cusparseFormat_t format :
       {CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_SLICED_ELLPACK})
    for (const cusparseOperation_t operation : operations) {
      ++round;
      const bool is_square = format == CUSPARSE_FORMAT_BLOCKED_ELL;
      const Blocked<T> a(format, 17, 9, 3, is_square ? 3 : 5, round % 2, round / 2 % 2,
                         round % 3 ? CUSPARSE_ORDER_ROW : CUSPARSE_ORDER_COL);
      check_vector<T, X, Y, C>(handle, a, operation, round);
      const int depth = operation == plain ? a.columns : a.rows, rows = a.rows + a.columns - depth;
      for (const cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
        const bool reads = round % 2;
        DenseMatrix<X> b(depth, 7, order, false, 2);
        DenseMatrix<Y> c(rows, 7, order, !reads, 2);
        const Factor<C> alpha(handle, Of<C>::number(1), false),
            beta(handle, Of<C>::number(reads ? -1 : 0), false);
        RIGHT(cusparseSpMM(handle, operation, plain, alpha.place, a.own, b.own, beta.place, c.own,
                           type_of<C>, CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
        c.expect_elements(
            [&](int i, int j, int n) {
              Number sum = 0;
              for (int k = 0; k < depth; ++k)
                sum += a.element(operation, i, k) * b.element(plain, k, j, n);
              return sum - (reads ? wide(c.host[c.place(i, j, n)]) : 0.0);
            },
            2, __LINE__);
      }
    }
}

/// Elements of a product at the places of a matrix of blocks; dense matrices into those and back.
template <typename T, typename C>
void check_places(cusparseHandle_t handle) {
  for (const cusparseOrder_t order : {CUSPARSE_ORDER_ROW, CUSPARSE_ORDER_COL}) {
    Blocked<T> c(CUSPARSE_FORMAT_BSR, 11, 13, 2, 3, order == CUSPARSE_ORDER_ROW, 1, order);
    DenseMatrix<T> a(c.rows, 5, CUSPARSE_ORDER_ROW, false),
        b(5, c.columns, CUSPARSE_ORDER_COL, false);
    const Factor<C> alpha(handle, Of<C>::number(1), false), beta(handle, Of<C>::number(2), false);
    RIGHT(cusparseSDDMM(handle, plain, plain, alpha.place, a.own, b.own, beta.place, c.own,
                        type_of<C>, CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
    const auto offsets = c.offsets.from_device(), indices = c.indices.from_device();
    const auto got = c.values->from_device();
    int different = 0;
    for (int i = 0; i < 11; ++i)
      for (long long k = offsets[i] - 1; k < offsets[i + 1] - 1; ++k)
        for (int in_block = 0; in_block < 6; ++in_block) {
          const bool by_rows = order == CUSPARSE_ORDER_ROW;
          const int row = i * 2 + (by_rows ? in_block / 3 : in_block % 2);
          const int column =
              static_cast<int>(indices[k] - 1) * 3 + (by_rows ? in_block % 3 : in_block / 2);
          Number sum = 2.0 * c.element(plain, row, column);
          for (int n = 0; n < 5; ++n) sum += a.element(plain, row, n) * b.element(plain, n, column);
          different += wide(got[k * 6 + in_block]) != sum;
        }
    EXPECT(different == 0);
  }
}

template <typename T>
void check_dense(cusparseHandle_t handle) {
  for (const cusparseFormat_t format :
       {CUSPARSE_FORMAT_BSR, CUSPARSE_FORMAT_BLOCKED_ELL, CUSPARSE_FORMAT_SLICED_ELLPACK}) {
    Blocked<T> a(format, 17, 9, 3, 3, true, 0);
    DenseMatrix<T> b(a.rows, a.columns, CUSPARSE_ORDER_ROW, true);
    RIGHT(cusparseSparseToDense(handle, a.own, b.own, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    b.expect_elements([&](int i, int j, int) { return a.element(plain, i, j); }, 1, __LINE__);
    const std::vector<T> right = a.values->host;
    a.values->fill(poison<T>());  // padding stays so
    a.values->to_device();
    RIGHT(cusparseDenseToSparse_analysis(handle, b.own, a.own, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         nullptr));
    RIGHT(cusparseDenseToSparse_convert(handle, b.own, a.own, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                        nullptr));
    const auto got = a.values->from_device();
    int different = 0;
    for (size_t k = 0; k < got.size(); ++k) different += !same_bits(got[k], right[k]);
    EXPECT(different == 0);
  }
}

/// Matrices of rows, with other types of vectors.
template <typename T, typename X, typename Y, typename C>
void check_mixed(cusparseHandle_t handle) {
  int round = 0;
  for (const Form form : forms)
    for (const cusparseOperation_t operation : operations) {
      Matrix<T> a(37, 53, form);
      a.store();
      const int in = operation == plain ? 53 : 37, out = 90 - in;
      const bool reads = ++round % 2;
      Vector<X> x(in);
      Vector<Y> y(out, !reads);
      const Factor<C> alpha(handle, Of<C>::number(2), round % 3 == 0),
          beta(handle, Of<C>::number(reads ? 3 : 0), round % 3 == 0);
      RIGHT(cusparseSpMV(handle, operation, alpha.place, a.own, x.own, beta.place, y.own,
                         type_of<C>, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
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

/// The same on any number of devices; batches of blocks; what is refused.
void check_others(cusparseHandle_t handle) {
  const Blocked<double> a(CUSPARSE_FORMAT_BSR, 101, 50, 3, 3, false, 0);
  Vector<double> x(150), y(303, true);
  for (double& one : x.host) one = random_fraction<double>();
  x.to_device();
  const double one = 1, zero = 0;
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  RIGHT(cusparseSpMV(handle, plain, &one, a.own, x.own, &zero, y.own, CUDA_R_64F,
                     CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
  print_bits("a product with blocks", y.from_device());

  cusparseSpMatDescr_t matrix = nullptr;
  EXPECT(cusparseCreateBlockedEll(&matrix, 7, 8, 2, 4, nullptr, nullptr, CUSPARSE_INDEX_32I,
                                  CUSPARSE_INDEX_BASE_ZERO,
                                  CUDA_R_32F) == CUSPARSE_STATUS_INVALID_VALUE);
  EXPECT(cusparseCreateBsr(&matrix, 1, 1, 0, 0, 1, nullptr, nullptr, nullptr, CUSPARSE_INDEX_32I,
                           CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F,
                           CUSPARSE_ORDER_ROW) == CUSPARSE_STATUS_INVALID_VALUE);
  const Blocked<float> ell(CUSPARSE_FORMAT_BLOCKED_ELL, 4, 5, 2, 2, false, 0);
  int64_t rows = 0, columns = 0, block = 0, length = 0;
  void *indices = nullptr, *values = nullptr;
  cusparseIndexType_t index_type;
  cusparseIndexBase_t base;
  cudaDataType type;
  RIGHT(cusparseBlockedEllGet(ell.own, &rows, &columns, &block, &length, &indices, &values,
                              &index_type, &base, &type));
  EXPECT(rows == 8 && columns == 10 && block == 2 && length == 6 && indices == ell.indices.device &&
         values == ell.values->device && index_type == CUSPARSE_INDEX_32I &&
         base == CUSPARSE_INDEX_BASE_ZERO && type == CUDA_R_32F);
  // Sums in half are not there, nor types without a conversion.
  Vector<__half> half_x(150), half_y(303);
  EXPECT(cusparseSpMV(handle, plain, &one, a.own, half_x.own, &zero, half_y.own, CUDA_R_16F,
                      CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_NOT_SUPPORTED);
  EXPECT(cusparseSpMV(handle, plain, &one, a.own, x.own, &zero, y.own, CUDA_R_32F,
                      CUSPARSE_SPMV_ALG_DEFAULT, nullptr) == CUSPARSE_STATUS_NOT_SUPPORTED);
}

/// One set of blocks after the other.
void check_batches(cusparseHandle_t handle) {
  Indices offsets, indices;
  offsets.make({0, 1, 2, 0, 2, 2}, false);
  indices.make({1, 0, 0, 1}, false);
  Array<float> values(8 * 2);
  values.random();
  values.to_device();
  cusparseSpMatDescr_t a = nullptr;
  RIGHT(cusparseCreateBsr(&a, 2, 2, 2, 2, 2, offsets.device, indices.device, values.device,
                          CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                          CUDA_R_32F, CUSPARSE_ORDER_ROW));
  RIGHT(cusparseBsrSetStridedBatch(a, 2, 3, 2, 8));
  DenseMatrix<float> b(4, 3, CUSPARSE_ORDER_COL, false, 2), c(4, 3, CUSPARSE_ORDER_COL, true, 2);
  const float one = 1, zero = 0;
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  RIGHT(cusparseSpMM(handle, plain, plain, &one, a, b.own, &zero, c.own, CUDA_R_32F,
                     CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
  const int starts[] = {0, 1, 2, 0, 2, 2}, blocks[] = {1, 0, 0, 1};
  c.expect_elements(
      [&](int i, int j, int n) {
        Number sum = 0;
        for (int k = starts[n * 3 + i / 2]; k < starts[n * 3 + i / 2 + 1]; ++k)
          for (int l = 0; l < 2; ++l)
            sum += wide(values.host[n * 8 + k * 4 + i % 2 * 2 + l]) *
                   b.element(plain, blocks[n * 2 + k] * 2 + l, j, n);
        return sum;
      },
      2, __LINE__);
  RIGHT(cusparseDestroySpMat(a));
}

}  // namespace

int main() {
  cusparseHandle_t handle = nullptr;
  RIGHT(cusparseCreate(&handle));
  check_products<float, float, float, float>(handle);
  check_products<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(handle);
  check_products<__half, __half, __half, float>(handle);
  check_products<__half, __half, float, float>(handle);
  check_products<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>(handle);
  check_products<float, double, double, double>(handle);
  check_mixed<__half, __half, __half, float>(handle);
  check_mixed<__nv_bfloat16, __nv_bfloat16, float, float>(handle);
  check_mixed<signed char, signed char, float, float>(handle);
  check_mixed<float, double, double, double>(handle);
  check_mixed<float, cuComplex, cuComplex, cuComplex>(handle);
  check_mixed<double, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex>(handle);
  check_places<float, float>(handle);
  check_places<cuDoubleComplex, cuDoubleComplex>(handle);
  check_places<__half, float>(handle);
  check_dense<float>(handle);
  check_dense<cuDoubleComplex>(handle);
  check_batches(handle);
  check_others(handle);
  EXPECT(cudaGetLastError() == cudaSuccess);
  RIGHT(cusparseDestroy(handle));
  return finish();
}
