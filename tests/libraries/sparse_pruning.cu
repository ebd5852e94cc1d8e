// cuSPARSE: matrices without their small elements, and rows put into order and back, against plain
// references. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse_check.h"

#include <algorithm>
#include <memory>

namespace {

template <typename T>
struct Calls;
#define ORDERED(letter, T)                                                     \
  static constexpr auto count = cusparse##letter##nnz_compress;                \
  static constexpr auto compress = cusparse##letter##csr2csr_compress;         \
  static constexpr auto order = cusparse##letter##csru2csr;                    \
  static constexpr auto order_room = cusparse##letter##csru2csr_bufferSizeExt; \
  static constexpr auto back = cusparse##letter##csr2csru;
#define PRUNED(letter, T)                                                                          \
  static constexpr auto dense_room = cusparse##letter##pruneDense2csr_bufferSizeExt;               \
  static constexpr auto dense_count = cusparse##letter##pruneDense2csrNnz;                         \
  static constexpr auto dense = cusparse##letter##pruneDense2csr;                                  \
  static constexpr auto dense_room_part =                                                          \
      cusparse##letter##pruneDense2csrByPercentage_bufferSizeExt;                                  \
  static constexpr auto dense_count_part = cusparse##letter##pruneDense2csrNnzByPercentage;        \
  static constexpr auto dense_part = cusparse##letter##pruneDense2csrByPercentage;                 \
  static constexpr auto rows_room = cusparse##letter##pruneCsr2csr_bufferSizeExt;                  \
  static constexpr auto rows_count = cusparse##letter##pruneCsr2csrNnz;                            \
  static constexpr auto rows = cusparse##letter##pruneCsr2csr;                                     \
  static constexpr auto rows_room_part = cusparse##letter##pruneCsr2csrByPercentage_bufferSizeExt; \
  static constexpr auto rows_count_part = cusparse##letter##pruneCsr2csrNnzByPercentage;           \
  static constexpr auto rows_part = cusparse##letter##pruneCsr2csrByPercentage;
template <>
struct Calls<__half> {
  PRUNED(H, __half)
};
template <>
struct Calls<float> {
  ORDERED(S, float) PRUNED(S, float)
};
template <>
struct Calls<double> {
  ORDERED(D, double) PRUNED(D, double)
};
template <>
struct Calls<cuComplex> {
  ORDERED(C, cuComplex)
};
template <>
struct Calls<cuDoubleComplex> {
  ORDERED(Z, cuDoubleComplex)
};

struct Descriptor {
  explicit Descriptor(int base) {
    RIGHT(cusparseCreateMatDescr(&own));
    RIGHT(cusparseSetMatIndexBase(own, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  }
  ~Descriptor() { RIGHT(cusparseDestroyMatDescr(own)); }
  operator cusparseMatDescr_t() const { return own; }
  cusparseMatDescr_t own = nullptr;
};

/// Compressed rows on the host, and on the device.
template <typename T>
struct Packed {
  explicit Packed(int base) : base(base), starts{base} {}
  void add(int column, T value) {
    columns.push_back(column + base);
    values.push_back(value);
  }
  void end() { starts.push_back(static_cast<int>(columns.size()) + base); }
  void store() {
    const auto upload = [](auto& to, const auto& from) {
      to = std::make_unique<std::decay_t<decltype(*to)>>(from.size());
      to->host = from;
      to->to_device();
    };
    upload(device_starts, starts);
    upload(device_columns, columns);
    upload(device_values, values);
  }
  int count() const { return static_cast<int>(columns.size()); }
  int rows() const { return static_cast<int>(starts.size()) - 1; }

  int base;
  std::vector<int> starts, columns;
  std::vector<T> values;
  std::unique_ptr<Array<int>> device_starts, device_columns;
  std::unique_ptr<Array<T>> device_values;
};

/// Columns of rows in no order; some rows are empty.
template <typename T>
Packed<T> random_rows(int m, int n, int base) {
  Packed<T> a(base);
  for (int i = 0; i < m; ++i) {
    for (int k = n; k-- > 0;)
      if (std::rand() % 3 == 0 && i % 7 != 4)
        a.add((k * 5 + i) % n, random_number<T>());  // the numbers of columns have no factor of 5
    a.end();
  }
  a.store();
  return a;
}

template <typename T>
Packed<T> kept(const Packed<T>& a, double threshold, int base) {
  Packed<T> result(base);
  for (int i = 0; i < a.rows(); ++i) {
    for (int k = a.starts[i] - a.base; k < a.starts[i + 1] - a.base; ++k)
      if (std::abs(wide(a.values[k])) > threshold) result.add(a.columns[k] - a.base, a.values[k]);
    result.end();
  }
  return result;
}

/// Arrays that a call fills. One element more than there are stays as it was.
template <typename T>
struct Made {
  explicit Made(const Packed<T>& wanted)
      : wanted(wanted),
        starts(wanted.starts.size()),
        columns(wanted.columns.size() + 1),
        values(wanted.values.size() + 1) {
    starts.fill(-7), columns.fill(-7), values.fill(poison<T>());
    starts.to_device(), columns.to_device(), values.to_device();
  }
  void expect_right(int line) const {
    std::vector<int> right_columns = wanted.columns;
    std::vector<T> right_values = wanted.values;
    right_columns.push_back(-7);
    right_values.push_back(poison<T>());
    expect(starts.from_device() == wanted.starts, "offsets", line);
    expect(columns.from_device() == right_columns, "columns", line);
    const std::vector<T> got = values.from_device();
    expect(std::equal(got.begin(), got.end(), right_values.begin(),
                      [](const T& a, const T& b) { return same_bits(a, b); }),
           "values", line);
  }
  const Packed<T>& wanted;
  Array<int> starts, columns;
  Array<T> values;
};

const std::pair<int, int> shapes[] = {{1, 1}, {37, 41}, {3, 1201}, {1201, 3}};

template <typename T>
void check_compressed(cusparseHandle_t handle) {
  for (const auto& [m, n] : shapes)
    for (const int base : {0, 1})
      for (const double tolerance : {0.0, 1.0, 9.0})
        for (const bool on_device : {false, true}) {
          const Packed<T> a = random_rows<T>(m, n, base), wanted = kept(a, tolerance, base);
          const Descriptor descriptor(base);
          Array<int> counts(m + 1), total(1);
          counts.fill(-7), total.fill(-7);
          counts.to_device(), total.to_device();
          RIGHT(cusparseSetPointerMode(
              handle, on_device ? CUSPARSE_POINTER_MODE_DEVICE : CUSPARSE_POINTER_MODE_HOST));
          RIGHT(Calls<T>::count(handle, m, descriptor, a.device_values->device,
                                a.device_starts->device, counts.device,
                                on_device ? total.device : total.host.data(),
                                Of<T>::number(tolerance)));
          EXPECT((on_device ? total.from_device() : total.host)[0] == wanted.count());
          const std::vector<int> got = counts.from_device();
          for (int i = 0; i < m; ++i) EXPECT(got[i] == wanted.starts[i + 1] - wanted.starts[i]);
          EXPECT(got[m] == -7);
          Made<T> made(wanted);
          RIGHT(Calls<T>::compress(handle, m, n, descriptor, a.device_values->device,
                                   a.device_columns->device, a.device_starts->device, a.count(),
                                   counts.device, made.values.device, made.columns.device,
                                   made.starts.device, Of<T>::number(tolerance)));
          made.expect_right(__LINE__);
        }
}

/// Documented: of absolute values in order.
double threshold_of(std::vector<double> sizes, float percentage) {
  if (sizes.empty()) return 0;
  std::sort(sizes.begin(), sizes.end());
  const auto count = static_cast<double>(sizes.size());
  const double place = std::ceil(count * (percentage / 100.0)) - 1;
  return sizes[static_cast<std::size_t>(std::max(0.0, std::min(place, count - 1)))];
}

template <typename T>
void check_pruned(cusparseHandle_t handle) {
  for (const auto& [m, n] : shapes)
    for (const int base : {0, 1}) {
      const Descriptor own(base), descriptor(1 - base);
      DenseMatrix<float> shape(m, n, CUSPARSE_ORDER_COL, true);
      Array<T> dense(shape.host.size());
      dense.fill(poison<T>());
      Packed<T> all(0);
      std::vector<double> sizes;
      for (int i = 0; i < m; ++i) {
        for (int j = 0; j < n; ++j) {
          const T value = random_number<T>();
          dense.host[shape.place(i, j)] = value;
          all.add(j, value);
          sizes.push_back(std::abs(wide(value)));
        }
        all.end();
      }
      dense.to_device();
      const Packed<T> rows = random_rows<T>(m, n, base);
      std::vector<double> row_sizes;
      for (const T& x : rows.values) row_sizes.push_back(std::abs(wide(x)));
      size_t bytes = 0;
      int total = -7;
      RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
      for (const double least : {0.0, 1.0, 2.0}) {
        const T threshold = Of<T>::number(least);
        const Packed<T> of_dense = kept(all, least, 1 - base),
                        of_rows = kept(rows, least, 1 - base);
        Made<T> made(of_dense), other(of_rows);
        RIGHT(Calls<T>::dense_room(handle, m, n, dense.device, shape.leading, &threshold,
                                   descriptor, nullptr, nullptr, nullptr, &bytes));
        RIGHT(Calls<T>::dense_count(handle, m, n, dense.device, shape.leading, &threshold,
                                    descriptor, made.starts.device, &total, nullptr));
        EXPECT(total == of_dense.count());
        RIGHT(Calls<T>::dense(handle, m, n, dense.device, shape.leading, &threshold, descriptor,
                              made.values.device, made.starts.device, made.columns.device,
                              nullptr));
        made.expect_right(__LINE__);
        RIGHT(Calls<T>::rows_room(handle, m, n, rows.count(), own, rows.device_values->device,
                                  rows.device_starts->device, rows.device_columns->device,
                                  &threshold, descriptor, nullptr, nullptr, nullptr, &bytes));
        // The threshold and the total in device memory.
        Array<T> threshold_at(1);
        Array<int> total_at(1);
        threshold_at.host[0] = threshold;
        threshold_at.to_device();
        RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
        RIGHT(Calls<T>::rows_count(handle, m, n, rows.count(), own, rows.device_values->device,
                                   rows.device_starts->device, rows.device_columns->device,
                                   threshold_at.device, descriptor, other.starts.device,
                                   total_at.device, nullptr));
        RIGHT(Calls<T>::rows(handle, m, n, rows.count(), own, rows.device_values->device,
                             rows.device_starts->device, rows.device_columns->device,
                             threshold_at.device, descriptor, other.values.device,
                             other.starts.device, other.columns.device, nullptr));
        RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
        EXPECT(total_at.from_device()[0] == of_rows.count());
        other.expect_right(__LINE__);
      }
      pruneInfo_t info = nullptr;
      RIGHT(cusparseCreatePruneInfo(&info));
      for (const float percentage : {0.0f, 37.5f, 80.0f, 100.0f}) {
        const Packed<T> of_dense = kept(all, threshold_of(sizes, percentage), 1 - base);
        const Packed<T> of_rows = kept(rows, threshold_of(row_sizes, percentage), 1 - base);
        Made<T> made(of_dense), other(of_rows);
        RIGHT(Calls<T>::dense_room_part(handle, m, n, dense.device, shape.leading, percentage,
                                        descriptor, nullptr, nullptr, nullptr, info, &bytes));
        RIGHT(Calls<T>::dense_count_part(handle, m, n, dense.device, shape.leading, percentage,
                                         descriptor, made.starts.device, &total, info, nullptr));
        EXPECT(total == of_dense.count());
        RIGHT(Calls<T>::dense_part(handle, m, n, dense.device, shape.leading, percentage,
                                   descriptor, made.values.device, made.starts.device,
                                   made.columns.device, info, nullptr));
        made.expect_right(__LINE__);
        RIGHT(Calls<T>::rows_room_part(handle, m, n, rows.count(), own, rows.device_values->device,
                                       rows.device_starts->device, rows.device_columns->device,
                                       percentage, descriptor, nullptr, nullptr, nullptr, info,
                                       &bytes));
        RIGHT(Calls<T>::rows_count_part(handle, m, n, rows.count(), own, rows.device_values->device,
                                        rows.device_starts->device, rows.device_columns->device,
                                        percentage, descriptor, other.starts.device, &total, info,
                                        nullptr));
        EXPECT(total == of_rows.count());
        RIGHT(Calls<T>::rows_part(handle, m, n, rows.count(), own, rows.device_values->device,
                                  rows.device_starts->device, rows.device_columns->device,
                                  percentage, descriptor, other.values.device, other.starts.device,
                                  other.columns.device, info, nullptr));
        other.expect_right(__LINE__);
      }
      EXPECT(Calls<T>::dense_count_part(handle, m, n, dense.device, shape.leading, 101, descriptor,
                                        rows.device_starts->device, &total, info,
                                        nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
      RIGHT(cusparseDestroyPruneInfo(info));
      EXPECT(cusparseDestroyPruneInfo(info) == CUSPARSE_STATUS_INVALID_VALUE);
    }
}

template <typename T>
void check_order(cusparseHandle_t handle) {
  csru2csrInfo_t info = nullptr;
  RIGHT(cusparseCreateCsru2csrInfo(&info));
  for (const auto& [m, n] : shapes)
    for (const int base : {0, 1}) {
      Packed<T> a = random_rows<T>(m, n, base);
      const Descriptor descriptor(base);
      Packed<T> wanted(base);
      for (int i = 0; i < m; ++i) {
        std::vector<std::pair<int, int>> row;
        for (int k = a.starts[i] - base; k < a.starts[i + 1] - base; ++k)
          row.emplace_back(a.columns[k] - base, k);
        std::sort(row.begin(), row.end());
        for (const auto& [column, k] : row) wanted.add(column, a.values[k]);
        wanted.end();
      }
      const auto is_now = [&](const Packed<T>& right) {
        const std::vector<T> values = a.device_values->from_device();
        for (int k = 0; k < right.count(); ++k)
          if (!same_bits(values[k], right.values[k])) return false;
        return a.device_columns->from_device() == right.columns;
      };
      size_t bytes = 0;
      RIGHT(Calls<T>::order_room(handle, m, n, a.count(), a.device_values->device,
                                 a.device_starts->device, a.device_columns->device, info, &bytes));
      RIGHT(Calls<T>::order(handle, m, n, a.count(), descriptor, a.device_values->device,
                            a.device_starts->device, a.device_columns->device, info, nullptr));
      EXPECT(is_now(wanted));
      EXPECT(Calls<T>::back(handle, m, n, a.count() + 1, descriptor, a.device_values->device,
                            a.device_starts->device, a.device_columns->device, info,
                            nullptr) == CUSPARSE_STATUS_INVALID_VALUE);
      RIGHT(Calls<T>::back(handle, m, n, a.count(), descriptor, a.device_values->device,
                           a.device_starts->device, a.device_columns->device, info, nullptr));
      EXPECT(is_now(a));
    }
  RIGHT(cusparseDestroyCsru2csrInfo(info));
  EXPECT(cusparseDestroyCsru2csrInfo(info) == CUSPARSE_STATUS_INVALID_VALUE);
}

void check_bad_input(cusparseHandle_t handle) {
  const auto invalid = CUSPARSE_STATUS_INVALID_VALUE;
  const Packed<float> a = random_rows<float>(3, 4, 0);
  const Descriptor descriptor(0);
  Array<int> counts(4);
  int total = 0;
  const auto count = [&](cusparseHandle_t with, int m, cusparseMatDescr_t of, int* to, int* all,
                         float tolerance) {
    return cusparseSnnz_compress(with, m, of, a.device_values->device, a.device_starts->device, to,
                                 all, tolerance);
  };
  RIGHT(count(handle, 3, descriptor, counts.device, &total, 0));
  EXPECT(count(nullptr, 3, descriptor, counts.device, &total, 0) ==
         CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(count(handle, -1, descriptor, counts.device, &total, 0) == invalid);
  EXPECT(count(handle, 3, nullptr, counts.device, &total, 0) == invalid);
  EXPECT(count(handle, 3, descriptor, nullptr, &total, 0) == invalid);
  EXPECT(count(handle, 3, descriptor, counts.device, nullptr, 0) == invalid);
  EXPECT(count(handle, 3, descriptor, counts.device, &total, -1) == invalid);
  const float one = 1;
  EXPECT(cusparseSpruneDense2csrNnz(handle, 4, 2, a.device_values->device, 3, &one, descriptor,
                                    counts.device, &total, nullptr) == invalid);
  EXPECT(cusparseSpruneDense2csrNnz(handle, 1, 1, a.device_values->device, 3, nullptr, descriptor,
                                    counts.device, &total, nullptr) == invalid);
  EXPECT(cusparseScsru2csr(handle, 3, 4, a.count(), descriptor, a.device_values->device,
                           a.device_starts->device, a.device_columns->device, nullptr,
                           nullptr) == invalid);
}

template <typename T>
void check_type(cusparseHandle_t handle) {
  check_compressed<T>(handle);
  check_order<T>(handle);
}

}  // namespace

int main() {
  cusparseHandle_t handle = nullptr;
  RIGHT(cusparseCreate(&handle));
  check_type<float>(handle);
  check_type<double>(handle);
  check_type<cuComplex>(handle);
  check_type<cuDoubleComplex>(handle);
  check_pruned<__half>(handle);
  check_pruned<float>(handle);
  check_pruned<double>(handle);
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  check_bad_input(handle);
  EXPECT(cudaGetLastError() == cudaSuccess);
  RIGHT(cusparseDestroy(handle));
  return finish();
}
