// cuSPARSE's functions over matrices in blocks, against plain references: products, conversions,
// triangles, incomplete factors. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "sparse_check.h"

#include <algorithm>
#include <memory>

namespace {

template <typename T>
struct Calls;
#define CALLS(letter, T)                                                           \
  template <>                                                                      \
  struct Calls<T> {                                                                \
    static constexpr auto bsrmv = cusparse##letter##bsrmv;                         \
    static constexpr auto bsrmm = cusparse##letter##bsrmm;                         \
    static constexpr auto bsrxmv = cusparse##letter##bsrxmv;                       \
    static constexpr auto gemvi = cusparse##letter##gemvi;                         \
    static constexpr auto gemvi_room = cusparse##letter##gemvi_bufferSize;         \
    static constexpr auto csr2bsr = cusparse##letter##csr2bsr;                     \
    static constexpr auto bsr2csr = cusparse##letter##bsr2csr;                     \
    static constexpr auto csr2gebsr = cusparse##letter##csr2gebsr;                 \
    static constexpr auto gebsr2csr = cusparse##letter##gebsr2csr;                 \
    static constexpr auto gebsr2gebsr = cusparse##letter##gebsr2gebsr;             \
    static constexpr auto gebsr2gebsc = cusparse##letter##gebsr2gebsc;             \
    static constexpr auto sv_room = cusparse##letter##bsrsv2_bufferSize;           \
    static constexpr auto sv_analysis = cusparse##letter##bsrsv2_analysis;         \
    static constexpr auto sv_solve = cusparse##letter##bsrsv2_solve;               \
    static constexpr auto sm_room = cusparse##letter##bsrsm2_bufferSizeExt;        \
    static constexpr auto sm_analysis = cusparse##letter##bsrsm2_analysis;         \
    static constexpr auto sm_solve = cusparse##letter##bsrsm2_solve;               \
    static constexpr auto lu_room = cusparse##letter##bsrilu02_bufferSize;         \
    static constexpr auto lu_analysis = cusparse##letter##bsrilu02_analysis;       \
    static constexpr auto lu = cusparse##letter##bsrilu02;                         \
    static constexpr auto lu_boost = cusparse##letter##bsrilu02_numericBoost;      \
    static constexpr auto rows_lu = cusparse##letter##csrilu02;                    \
    static constexpr auto rows_lu_boost = cusparse##letter##csrilu02_numericBoost; \
    static constexpr auto ic_room = cusparse##letter##bsric02_bufferSizeExt;       \
    static constexpr auto ic_analysis = cusparse##letter##bsric02_analysis;        \
    static constexpr auto ic = cusparse##letter##bsric02;                          \
  };
CALLS(S, float)
CALLS(D, double)
CALLS(C, cuComplex)
CALLS(Z, cuDoubleComplex)

constexpr auto plain = CUSPARSE_OPERATION_NON_TRANSPOSE;
const cusparseDirection_t directions[] = {CUSPARSE_DIRECTION_ROW, CUSPARSE_DIRECTION_COLUMN};

struct Descriptor {
  explicit Descriptor(int base) {
    RIGHT(cusparseCreateMatDescr(&own));
    RIGHT(cusparseSetMatIndexBase(own, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO));
  }
  ~Descriptor() { RIGHT(cusparseDestroyMatDescr(own)); }
  operator cusparseMatDescr_t() const { return own; }
  cusparseMatDescr_t own = nullptr;
};

/// A matrix in blocks, and the same as a dense one; what is not in a block is 0.
template <typename T>
struct BlockMatrix {
  BlockMatrix(int mb, int nb, int height, int width, cusparseDirection_t direction, int base)
      : mb(mb),
        nb(nb),
        height(height),
        width(width),
        direction(direction),
        base(base),
        descriptor(base),
        dense(static_cast<std::size_t>(mb * height) * (nb * width), Number(0)),
        has_block(static_cast<std::size_t>(mb) * nb) {}
  /// Random blocks, not in every row; all diagonal blocks if there should be a diagonal.
  void random(bool has_diagonal) {
    for (int i = 0; i < mb; ++i)
      for (int j = 0; j < nb; ++j) {
        const bool is_there = (std::rand() % 3 == 0 && i % 5 != 3) || (has_diagonal && i == j);
        if (!is_there) continue;
        has_block[i * nb + j] = 1;
        for (int k = 0; k < height * width; ++k)
          at(i * height + k / width, j * width + k % width) = wide(random_number<T>());
      }
  }
  int rows() const { return mb * height; }
  int columns() const { return nb * width; }
  Number& at(int i, int j) { return dense[static_cast<std::size_t>(i) * columns() + j]; }
  Number element(cusparseOperation_t operation, int i, int j) {
    const Number x = operation == plain ? at(i, j) : at(j, i);
    return operation == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE ? std::conj(x) : x;
  }
  int place(int k, int i, int j) const {
    return k * height * width +
           (direction == CUSPARSE_DIRECTION_ROW ? i * width + j : j * height + i);
  }
  void store() {
    starts = {base};
    index_list.clear();
    for (int i = 0; i < mb; ++i) {
      for (int j = 0; j < nb; ++j)
        if (has_block[i * nb + j]) index_list.push_back(j + base);
      starts.push_back(static_cast<long long>(index_list.size()) + base);
    }
    count = static_cast<int>(index_list.size());
    offsets.make(starts, false);
    indices.make(index_list, false);
    values = std::make_unique<Array<T>>(static_cast<std::size_t>(count) * height * width);
    for_elements([&](int row, int column, int at_place) {
      values->host[at_place] = Of<T>::number(at(row, column));
    });
    values->to_device();
  }
  template <typename Take>
  void for_elements(Take take) const {
    for (int i = 0; i < mb; ++i)
      for (auto k = starts[i] - base; k < starts[i + 1] - base; ++k)
        for (int r = 0; r < height; ++r)
          for (int c = 0; c < width; ++c)
            take(i * height + r, static_cast<int>(index_list[k] - base) * width + c,
                 place(static_cast<int>(k), r, c));
  }
  int* starts_of() const { return static_cast<int*>(offsets.device); }
  int* indices_of() const { return static_cast<int*>(indices.device); }

  int mb, nb, height, width;
  cusparseDirection_t direction;
  int base;
  Descriptor descriptor;
  std::vector<Number> dense;
  std::vector<char> has_block;
  std::vector<long long> starts, index_list;
  Indices offsets, indices;
  int count = 0;
  std::unique_ptr<Array<T>> values;
};

/// Calls `run` with matrices of all shapes.
template <typename T, typename Run>
void with_matrices(bool is_square, Run run) {
  for (const int size : {1, 2, 3, 7})
    for (const auto direction : directions)
      for (const int base : {0, 1}) {
        if (has_few() && (size == 2 || size == 7 || base == (size == 1))) continue;
        const int mb = size == 1 ? 67 : 13;
        BlockMatrix<T> a(mb, is_square ? mb : 11, size, size, direction, base);
        run(a);
      }
}

template <typename T>
void check_products(cusparseHandle_t handle) {
  with_matrices<T>(false, [&](BlockMatrix<T>& a) {
    a.random(false);
    a.store();
    for (const auto operation : operations)
      for (const bool has_beta : {true, false}) {
        const int rows = operation == plain ? a.rows() : a.columns();
        const int depth = operation == plain ? a.columns() : a.rows();
        const Factor<T> alpha(handle, Of<T>::number(Number(2, 1)), has_beta);
        const Factor<T> beta(handle, Of<T>::number(has_beta ? Number(-1, 2) : 0), has_beta);
        Vector<T> x(depth), y(rows, !has_beta);
        RIGHT(Calls<T>::bsrmv(handle, a.direction, operation, a.mb, a.nb, a.count,
                              static_cast<const T*>(alpha.place), a.descriptor, a.values->device,
                              a.starts_of(), a.indices_of(), a.height, x.device,
                              static_cast<const T*>(beta.place), y.device));
        const auto combined = [&](Number sum, Number old) {
          sum *= wide(alpha.value_host);
          return has_beta ? sum + wide(beta.value_host) * old : sum;
        };
        expect_all(
            y.from_device(),
            [&](int i) {
              Number sum = 0;
              for (int j = 0; j < depth; ++j) sum += a.element(operation, i, j) * wide(x.host[j]);
              return combined(sum, wide(y.host[i]));
            },
            __LINE__);
        for (const auto operation_b : operations)
          for (const int n : {1, 5}) {
            DenseMatrix<T> b(operation_b == plain ? depth : n, operation_b == plain ? n : depth,
                             CUSPARSE_ORDER_COL, false);
            DenseMatrix<T> c(rows, n, CUSPARSE_ORDER_COL, !has_beta);
            RIGHT(Calls<T>::bsrmm(handle, a.direction, operation, operation_b, a.mb, n, a.nb,
                                  a.count, static_cast<const T*>(alpha.place), a.descriptor,
                                  a.values->device, a.starts_of(), a.indices_of(), a.height,
                                  b.device, b.leading, static_cast<const T*>(beta.place), c.device,
                                  c.leading));
            c.expect_elements(
                [&](int i, int j, int) {
                  Number sum = 0;
                  for (int k = 0; k < depth; ++k)
                    sum += a.element(operation, i, k) * b.element(operation_b, k, j);
                  return combined(sum, wide(c.host[c.place(i, j)]));
                },
                1, __LINE__);
          }
      }
  });
}

/// Some rows of blocks, and of each all blocks but the last.
template <typename T>
void check_mask(cusparseHandle_t handle) {
  with_matrices<T>(false, [&](BlockMatrix<T>& a) {
    a.random(false);
    a.store();
    std::vector<long long> mask, ends;
    for (int i = 0; i < a.mb; ++i) {
      if (i % 3 != 1) mask.insert(mask.begin(), i + a.base);
      ends.push_back(std::max(a.starts[i], a.starts[i + 1] - 1));
    }
    Indices mask_at, ends_at;
    mask_at.make(mask, false);
    ends_at.make(ends, false);
    const Factor<T> alpha(handle, Of<T>::number(2), false), beta(handle, Of<T>::number(3), false);
    Vector<T> x(a.columns()), y(a.rows());
    RIGHT(Calls<T>::bsrxmv(handle, a.direction, plain, static_cast<int>(mask.size()), a.mb, a.nb,
                           a.count, static_cast<const T*>(alpha.place), a.descriptor,
                           a.values->device, static_cast<int*>(mask_at.device), a.starts_of(),
                           static_cast<int*>(ends_at.device), a.indices_of(), a.height, x.device,
                           static_cast<const T*>(beta.place), y.device));
    expect_all(
        y.from_device(),
        [&](int i) {
          const int block = i / a.height;
          if (block % 3 == 1) return wide(y.host[i]);
          Number sum = 0;
          for (long long k = a.starts[block]; k < ends[block]; ++k)
            for (int c = 0; c < a.width; ++c) {
              const int column = static_cast<int>(a.index_list[k - a.base] - a.base) * a.width + c;
              sum += a.at(i, column) * wide(x.host[column]);
            }
          return 2.0 * sum + 3.0 * wide(y.host[i]);
        },
        __LINE__);
    EXPECT(Calls<T>::bsrxmv(handle, a.direction, CUSPARSE_OPERATION_TRANSPOSE, 0, a.mb, a.nb,
                            a.count, static_cast<const T*>(alpha.place), a.descriptor,
                            a.values->device, static_cast<int*>(mask_at.device), a.starts_of(),
                            static_cast<int*>(ends_at.device), a.indices_of(), a.height, x.device,
                            static_cast<const T*>(beta.place),
                            y.device) == CUSPARSE_STATUS_NOT_SUPPORTED);
  });
}

template <typename T>
void check_gemvi(cusparseHandle_t handle) {
  for (const auto operation : operations)
    for (const auto& [m, n] : {std::pair{1, 1}, {1, 13}, {37, 1}, {41, 67}})
      for (const int base : {0, 1})
        for (const bool has_beta : {true, false}) {
          const int rows = operation == plain ? m : n, depth = operation == plain ? n : m;
          const int count = (depth + 1) / 2;
          DenseMatrix<T> a(m, n, CUSPARSE_ORDER_COL, false);
          Vector<T> x(count), y(rows, !has_beta);
          std::vector<long long> places(count);
          for (int k = 0; k < count; ++k) places[k] = std::min(2 * k, depth - 1) + base;
          Indices indices;
          indices.make(places, false);
          const Factor<T> alpha(handle, Of<T>::number(Number(2, -1)), has_beta);
          const Factor<T> beta(handle, Of<T>::number(has_beta ? 3 : 0), has_beta);
          int bytes = 0;
          RIGHT(Calls<T>::gemvi_room(handle, operation, m, n, count, &bytes));
          EXPECT(bytes > 0);
          RIGHT(Calls<T>::gemvi(
              handle, operation, m, n, static_cast<const T*>(alpha.place), a.device, a.leading,
              count, x.device, static_cast<int*>(indices.device), static_cast<const T*>(beta.place),
              y.device, base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO, nullptr));
          expect_all(
              y.from_device(),
              [&](int i) {
                Number sum = 0;
                for (int k = 0; k < count; ++k)
                  sum +=
                      a.element(operation, i, static_cast<int>(places[k]) - base) * wide(x.host[k]);
                sum *= wide(alpha.value_host);
                return has_beta ? sum + 3.0 * wide(y.host[i]) : sum;
              },
              __LINE__);
        }
}

/// What a conversion has made is `wanted`, whose arrays on the host are those of the elements.
template <typename T>
void expect_blocks(const BlockMatrix<T>& wanted, const Array<int>& offsets,
                   const Array<int>& indices, const Array<T>& values, int line) {
  const auto same = [](const std::vector<int>& got, const std::vector<long long>& right) {
    return std::equal(right.begin(), right.end(), got.begin());
  };
  expect(same(offsets.from_device(), wanted.starts), "offsets of blocks", line);
  expect(same(indices.from_device(), wanted.index_list), "indices of blocks", line);
  const std::vector<T> got = values.from_device();
  int different = 0;
  for (std::size_t k = 0; k < wanted.values->host.size(); ++k)
    different += wide(got[k]) != wide(wanted.values->host[k]);
  // One element more than there are stays as it was.
  different += !same_bits(got.back(), poison<T>()) || indices.from_device().back() != -7;
  expect(different == 0, "values of blocks", line);
}

/// Room for the result of a conversion, and one element more.
template <typename T>
struct Made {
  Made(int rows, int count, int elements)
      : offsets(rows + 1), indices(count + 1), values(elements + 1) {
    offsets.fill(-7), indices.fill(-7), values.fill(poison<T>());
    offsets.to_device(), indices.to_device(), values.to_device();
  }
  Array<int> offsets, indices;
  Array<T> values;
};

/// Rows whose number is no multiple of the blocks' into blocks of any shape; into rows again, and
/// into blocks of another shape. Columns of rows are in no order.
template <typename T>
void check_conversions(cusparseHandle_t handle) {
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
  for (const auto& [height, width] : {std::pair{1, 1}, {3, 3}, {2, 5}, {7, 1}, {4, 4}})
    for (const auto& [m, n] : {std::pair{1, 1}, {37, 41}, {64, 12}})
      for (const auto direction : directions)
        for (const int base : {0, 1}) {
          if (has_few() && (m == 64 || width == 1 || base == 1)) continue;
          const int mb = (m + height - 1) / height, nb = (n + width - 1) / width;
          BlockMatrix<T> a(mb, nb, height, width, direction, 1 - base);
          std::vector<long long> starts = {base}, columns;
          std::vector<T> numbers;
          for (int i = 0; i < m; ++i) {
            for (int k = n; k-- > 0;) {
              const int j = (k * 5 + i) % n;  // the numbers of columns have no factor of 5
              if (std::rand() % 7 != 0 || i % 11 > 7) continue;
              T value = random_number<T>();
              a.at(i, j) = wide(value);  // 0 now and then: it counts
              a.has_block[i / height * nb + j / width] = 1;
              columns.push_back(j + base);
              numbers.push_back(value);
            }
            starts.push_back(static_cast<long long>(columns.size()) + base);
          }
          a.store();
          Indices row_offsets, row_indices;
          row_offsets.make(starts, false);
          row_indices.make(columns, false);
          Array<T> row_values(numbers.size());
          row_values.host = numbers;
          row_values.to_device();
          const Descriptor descriptor(base);
          const auto from_offsets = static_cast<int*>(row_offsets.device);
          const auto from_indices = static_cast<int*>(row_indices.device);
          Made<T> made(mb, a.count, a.count * height * width);
          int total = -7;
          RIGHT(cusparseXcsr2gebsrNnz(handle, direction, m, n, descriptor, from_offsets,
                                      from_indices, a.descriptor, made.offsets.device, height,
                                      width, &total, nullptr));
          EXPECT(total == a.count);
          RIGHT(Calls<T>::csr2gebsr(handle, direction, m, n, descriptor, row_values.device,
                                    from_offsets, from_indices, a.descriptor, made.values.device,
                                    made.offsets.device, made.indices.device, height, width,
                                    nullptr));
          expect_blocks(a, made.offsets, made.indices, made.values, __LINE__);
          if (height == width) {
            Made<T> square(mb, a.count, a.count * height * width);
            Array<int> total_at(1);
            RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_DEVICE));
            RIGHT(cusparseXcsr2bsrNnz(handle, direction, m, n, descriptor, from_offsets,
                                      from_indices, height, a.descriptor, square.offsets.device,
                                      total_at.device));
            RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
            EXPECT(total_at.from_device()[0] == a.count);
            RIGHT(Calls<T>::csr2bsr(handle, direction, m, n, descriptor, row_values.device,
                                    from_offsets, from_indices, height, a.descriptor,
                                    square.values.device, square.offsets.device,
                                    square.indices.device));
            expect_blocks(a, square.offsets, square.indices, square.values, __LINE__);
          }
          // Rows again: those of whole blocks.
          BlockMatrix<T> rows(a.rows(), a.columns(), 1, 1, direction, base);
          a.for_elements([&](int row, int column, int) {
            rows.has_block[row * a.columns() + column] = 1;
            rows.at(row, column) = a.at(row, column);
          });
          rows.store();
          for (const int kind : {0, 1, 2}) {
            if (kind == 1 && height != width) continue;
            Made<T> opened(a.rows(), rows.count, rows.count);
            if (kind == 0)
              RIGHT(Calls<T>::gebsr2csr(handle, direction, mb, nb, a.descriptor, a.values->device,
                                        a.starts_of(), a.indices_of(), height, width, descriptor,
                                        opened.values.device, opened.offsets.device,
                                        opened.indices.device));
            else if (kind == 1)
              RIGHT(Calls<T>::bsr2csr(handle, direction, mb, nb, a.descriptor, a.values->device,
                                      a.starts_of(), a.indices_of(), height, descriptor,
                                      opened.values.device, opened.offsets.device,
                                      opened.indices.device));
            else
              RIGHT(cusparseXgebsr2csr(handle, direction, mb, nb, a.descriptor, a.starts_of(),
                                       a.indices_of(), height, width, descriptor,
                                       opened.offsets.device, opened.indices.device));
            if (kind == 2) {
              const std::vector<T> untouched = opened.values.from_device();
              for (const T& x : untouched) EXPECT(same_bits(x, poison<T>()));
              opened.values.host = rows.values->host;
              opened.values.host.push_back(poison<T>());
              opened.values.to_device();
            }
            expect_blocks(rows, opened.offsets, opened.indices, opened.values, __LINE__);
          }
          // Blocks of another shape.
          const int to_height = 3, to_width = 2;
          BlockMatrix<T> other((a.rows() + to_height - 1) / to_height,
                               (a.columns() + to_width - 1) / to_width, to_height, to_width,
                               direction, base);
          a.for_elements([&](int row, int column, int) {
            other.has_block[row / to_height * other.nb + column / to_width] = 1;
            other.at(row, column) = a.at(row, column);
          });
          other.store();
          Made<T> resized(other.mb, other.count, other.count * to_height * to_width);
          RIGHT(cusparseXgebsr2gebsrNnz(handle, direction, mb, nb, a.count, a.descriptor,
                                        a.starts_of(), a.indices_of(), height, width, descriptor,
                                        resized.offsets.device, to_height, to_width, &total,
                                        nullptr));
          EXPECT(total == other.count);
          RIGHT(Calls<T>::gebsr2gebsr(
              handle, direction, mb, nb, a.count, a.descriptor, a.values->device, a.starts_of(),
              a.indices_of(), height, width, descriptor, resized.values.device,
              resized.offsets.device, resized.indices.device, to_height, to_width, nullptr));
          expect_blocks(other, resized.offsets, resized.indices, resized.values, __LINE__);
          // Columns of blocks, with their elements as they are.
          Made<T> turned(nb, a.count, a.count * height * width);
          RIGHT(Calls<T>::gebsr2gebsc(
              handle, mb, nb, a.count, a.values->device, a.starts_of(), a.indices_of(), height,
              width, turned.values.device, turned.indices.device, turned.offsets.device,
              CUSPARSE_ACTION_NUMERIC, a.base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO,
              nullptr));
          const auto got_offsets = turned.offsets.from_device();
          const auto got_indices = turned.indices.from_device();
          const auto got_values = turned.values.from_device();
          int next = 0, different = 0;
          for (int j = 0; j < nb; ++j) {
            different += got_offsets[j] != next + a.base;
            for (int i = 0; i < mb; ++i)
              for (auto k = a.starts[i] - a.base; k < a.starts[i + 1] - a.base; ++k) {
                if (a.index_list[k] != j + a.base) continue;
                different += got_indices[next] != i + a.base;
                for (int e = 0; e < height * width; ++e)
                  different += wide(got_values[next * height * width + e]) !=
                               wide(a.values->host[k * height * width + e]);
                ++next;
              }
          }
          EXPECT(different == 0 && next == a.count && got_offsets[nb] == next + a.base);
          EXPECT(got_indices.back() == -7 && same_bits(got_values.back(), poison<T>()));
        }
}

/// Of a triangle whose other half must not be read.
template <typename T>
void check_triangles(cusparseHandle_t handle, double tolerance, std::vector<T>& results) {
  with_matrices<T>(true, [&](BlockMatrix<T>& a) {
    a.random(true);
    const int n = a.rows(), sides = 5;
    for (int i = 0; i < n; ++i) a.at(i, i) = 64;
    for (const auto fill : {CUSPARSE_FILL_MODE_LOWER, CUSPARSE_FILL_MODE_UPPER})
      for (const auto diagonal : {CUSPARSE_DIAG_TYPE_NON_UNIT, CUSPARSE_DIAG_TYPE_UNIT})
        for (const auto operation : operations) {
          for (int i = 0; i < n; ++i)
            for (int j = 0; j < n; ++j)
              if (i != j)
                a.at(i, j) = a.has_block[i / a.height * a.nb + j / a.width]
                                 ? wide(random_number<T>()) / 16.0
                                 : 0;
          a.store();
          RIGHT(cusparseSetMatFillMode(a.descriptor, fill));
          RIGHT(cusparseSetMatDiagType(a.descriptor, diagonal));
          const bool is_unit = diagonal == CUSPARSE_DIAG_TYPE_UNIT;
          const auto element = [&](int i, int j) {
            const int row = operation == plain ? i : j, column = operation == plain ? j : i;
            if (i == j) return is_unit ? Number(1) : a.element(operation, i, j);
            return (row > column) == (fill == CUSPARSE_FILL_MODE_LOWER) ? a.element(operation, i, j)
                                                                        : Number(0);
          };
          // What op(A) makes of the solution is alpha B again.
          const auto is_solution = [&](auto solution, auto right) {
            for (int i = 0; i < n; ++i) {
              Number sum = -2.0 * right(i);
              for (int j = 0; j < n; ++j) sum += element(i, j) * solution(j);
              if (!(std::abs(sum) <= tolerance)) return false;
            }
            return true;
          };
          const Factor<T> alpha(handle, Of<T>::number(2), false);
          Vector<T> f(n), x(n, true);
          bsrsv2Info_t info = nullptr;
          int bytes = 0, position = -7;
          RIGHT(cusparseCreateBsrsv2Info(&info));
          RIGHT(Calls<T>::sv_room(handle, a.direction, operation, a.mb, a.count, a.descriptor,
                                  a.values->device, a.starts_of(), a.indices_of(), a.height, info,
                                  &bytes));
          RIGHT(Calls<T>::sv_analysis(handle, a.direction, operation, a.mb, a.count, a.descriptor,
                                      a.values->device, a.starts_of(), a.indices_of(), a.height,
                                      info, CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
          RIGHT(cusparseXbsrsv2_zeroPivot(handle, info, &position));
          EXPECT(position == -1);
          RIGHT(Calls<T>::sv_solve(handle, a.direction, operation, a.mb, a.count,
                                   static_cast<const T*>(alpha.place), a.descriptor,
                                   a.values->device, a.starts_of(), a.indices_of(), a.height, info,
                                   f.device, x.device, CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
          RIGHT(cusparseXbsrsv2_zeroPivot(handle, info, &position));
          const std::vector<T> got = x.from_device();
          EXPECT(is_solution([&](int j) { return wide(got[j]); },
                             [&](int i) { return wide(f.host[i]); }));
          results.insert(results.end(), got.begin(), got.end());
          RIGHT(cusparseDestroyBsrsv2Info(info));
          for (const auto of_sides : {plain, CUSPARSE_OPERATION_TRANSPOSE}) {
            const bool is_plain = of_sides == plain;
            DenseMatrix<T> b(is_plain ? n : sides, is_plain ? sides : n, CUSPARSE_ORDER_COL, false);
            DenseMatrix<T> to(b.rows, b.columns, CUSPARSE_ORDER_COL, true);
            bsrsm2Info_t info = nullptr;
            size_t room = 0;
            RIGHT(cusparseCreateBsrsm2Info(&info));
            RIGHT(Calls<T>::sm_room(handle, a.direction, operation, of_sides, a.mb, sides, a.count,
                                    a.descriptor, a.values->device, a.starts_of(), a.indices_of(),
                                    a.height, info, &room));
            RIGHT(Calls<T>::sm_analysis(handle, a.direction, operation, of_sides, a.mb, sides,
                                        a.count, a.descriptor, a.values->device, a.starts_of(),
                                        a.indices_of(), a.height, info,
                                        CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
            RIGHT(Calls<T>::sm_solve(handle, a.direction, operation, of_sides, a.mb, sides, a.count,
                                     static_cast<const T*>(alpha.place), a.descriptor,
                                     a.values->device, a.starts_of(), a.indices_of(), a.height,
                                     info, b.device, b.leading, to.device, to.leading,
                                     CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
            RIGHT(cusparseXbsrsm2_zeroPivot(handle, info, &position));
            EXPECT(position == -1);
            const std::vector<T> all = to.from_device();
            for (int side = 0; side < sides; ++side)
              EXPECT(is_solution(
                  [&](int j) {
                    return wide(all[is_plain ? to.place(j, side) : to.place(side, j)]);
                  },
                  [&](int i) {
                    return wide(b.host[is_plain ? b.place(i, side) : b.place(side, i)]);
                  }));
            RIGHT(cusparseDestroyBsrsm2Info(info));
          }
        }
    // An element of the diagonal that is 0, in block 4; a block that is not there, 2.
    RIGHT(cusparseSetMatDiagType(a.descriptor, CUSPARSE_DIAG_TYPE_NON_UNIT));
    for (const bool is_gone : {false, true}) {
      a.at(4 * a.height, 4 * a.height) = 0;
      if (is_gone) a.has_block[2 * a.nb + 2] = 0;
      a.store();
      bsrsv2Info_t info = nullptr;
      int position = -7;
      const Factor<T> alpha(handle, Of<T>::number(2), false);
      Vector<T> f(n), x(n);
      RIGHT(cusparseCreateBsrsv2Info(&info));
      RIGHT(Calls<T>::sv_analysis(handle, a.direction, plain, a.mb, a.count, a.descriptor,
                                  a.values->device, a.starts_of(), a.indices_of(), a.height, info,
                                  CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
      EXPECT(cusparseXbsrsv2_zeroPivot(handle, info, &position) ==
             (is_gone ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS));
      EXPECT(position == (is_gone ? 2 + a.base : -1));
      RIGHT(Calls<T>::sv_solve(handle, a.direction, plain, a.mb, a.count,
                               static_cast<const T*>(alpha.place), a.descriptor, a.values->device,
                               a.starts_of(), a.indices_of(), a.height, info, f.device, x.device,
                               CUSPARSE_SOLVE_POLICY_USE_LEVEL, nullptr));
      EXPECT(cusparseXbsrsv2_zeroPivot(handle, info, &position) == CUSPARSE_STATUS_ZERO_PIVOT);
      EXPECT(position == (is_gone ? 2 : 4) + a.base);
      RIGHT(cusparseDestroyBsrsv2Info(info));
    }
  });
}

/// Elimination at the places of blocks; with a diagonal block that is not there, and one that has
/// no inverse.
template <typename T>
void check_factors(cusparseHandle_t handle, double tolerance, std::vector<T>& results) {
  with_matrices<T>(true, [&](BlockMatrix<T>& a) {
    a.random(true);
    const int n = a.rows();
    const auto is_there = [&](int i, int j) {
      return a.has_block[i / a.height * a.nb + j / a.width] != 0;
    };
    for (int i = 0; i < n; ++i) a.at(i, i) = 64;
    // Hermitian, so that both factorizations have what they need.
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) {
        if (is_there(i, j)) a.has_block[j / a.height * a.nb + i / a.width] = 1;
        a.at(j, i) = std::conj(a.at(i, j));
      }
    for (const int bad : {-1, 2, 4}) {
      if (bad == 2) a.has_block[2 * a.nb + 2] = 0;
      if (bad == 4) {
        a.has_block[2 * a.nb + 2] = 1;
        for (int j = 0; j < n; ++j) a.at(4 * a.height, j) = 0;
      }
      for (const bool is_cholesky : {false, true}) {
        a.store();
        bsrilu02Info_t lu = nullptr;
        bsric02Info_t ic = nullptr;
        int bytes = 0, position = -7;
        size_t room = 0;
        RIGHT(cusparseCreateBsrilu02Info(&lu));
        RIGHT(cusparseCreateBsric02Info(&ic));
        const auto run = [&](auto call, auto info, auto... rest) {
          return call(handle, a.direction, a.mb, a.count, a.descriptor, a.values->device,
                      a.starts_of(), a.indices_of(), a.height, info, rest...);
        };
        const auto zero_pivot = [&] {
          return is_cholesky ? cusparseXbsric02_zeroPivot(handle, ic, &position)
                             : cusparseXbsrilu02_zeroPivot(handle, lu, &position);
        };
        constexpr auto policy = CUSPARSE_SOLVE_POLICY_NO_LEVEL;
        RIGHT(is_cholesky ? run(Calls<T>::ic_room, ic, &room) : run(Calls<T>::lu_room, lu, &bytes));
        RIGHT(is_cholesky ? run(Calls<T>::ic_analysis, ic, policy, nullptr)
                          : run(Calls<T>::lu_analysis, lu, policy, nullptr));
        EXPECT(zero_pivot() == (bad == 2 ? CUSPARSE_STATUS_ZERO_PIVOT : CUSPARSE_STATUS_SUCCESS));
        EXPECT(position == (bad == 2 ? 2 + a.base : -1));
        RIGHT(is_cholesky ? run(Calls<T>::ic, ic, policy, nullptr)
                          : run(Calls<T>::lu, lu, policy, nullptr));
        EXPECT(zero_pivot() == (bad < 0 ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT));
        EXPECT(position == (bad < 0 ? -1 : bad + a.base));
        if (bad < 0) {
          std::vector<Number> right = a.dense;
          const auto at = [&](int i, int j) -> Number& { return right[i * n + j]; };
          for (int i = 0; i < n && !is_cholesky; ++i)
            for (int k = 0; k < i; ++k) {
              if (!is_there(i, k)) continue;
              at(i, k) /= at(k, k);
              for (int j = k + 1; j < n; ++j)
                if (is_there(i, j)) at(i, j) -= at(i, k) * at(k, j);
            }
          for (int i = 0; i < n && is_cholesky; ++i)
            for (int j = 0; j <= i; ++j) {
              if (!is_there(i, j)) continue;
              Number sum = at(i, j);
              for (int k = 0; k < j; ++k) sum -= at(i, k) * std::conj(at(j, k));
              at(i, j) = i == j ? std::sqrt(sum.real()) : sum / at(j, j);
            }
          const std::vector<T> got = a.values->from_device();
          int different = 0;
          a.for_elements([&](int row, int column, int place) {
            different += !(std::abs(wide(got[place]) - at(row, column)) <= tolerance);
          });
          EXPECT(different == 0);
          results.insert(results.end(), got.begin(), got.end());
        }
        RIGHT(cusparseDestroyBsrilu02Info(lu));
        RIGHT(cusparseDestroyBsric02Info(ic));
        EXPECT(cusparseDestroyBsric02Info(ic) == CUSPARSE_STATUS_INVALID_VALUE);
      }
    }
  });
}

/// A diagonal element that is at most the tolerance becomes another number; then nothing is 0.
template <typename T>
void check_boost(cusparseHandle_t handle) {
  for (const int size : {1, 2})
    for (const bool on_device : {false, true})
      for (const bool is_on : {true, false}) {
        const int mb = 7, small = 3 * size;
        BlockMatrix<T> a(mb, mb, size, size, CUSPARSE_DIRECTION_ROW, 1);
        for (int i = 0; i < mb; ++i) a.has_block[i * mb + i] = 1;
        for (int i = 0; i < a.rows(); ++i) a.at(i, i) = i == small ? 0 : 2;
        a.store();
        const Factor<double> tolerance(handle, 0.5, on_device);
        const Factor<T> value(handle, Of<T>::number(Number(8, 1)), on_device);
        auto* const tol = static_cast<double*>(const_cast<void*>(tolerance.place));
        auto* const number = static_cast<T*>(const_cast<void*>(value.place));
        bsrilu02Info_t blocks = nullptr;
        csrilu02Info_t rows = nullptr;
        RIGHT(cusparseCreateBsrilu02Info(&blocks));
        RIGHT(cusparseCreateCsrilu02Info(&rows));
        EXPECT(Calls<T>::lu_boost(handle, blocks, 1, nullptr, number) ==
               CUSPARSE_STATUS_INVALID_VALUE);
        EXPECT(Calls<T>::rows_lu_boost(handle, rows, 1, tol, nullptr) ==
               CUSPARSE_STATUS_INVALID_VALUE);
        Array<int> position(1);
        int* const at = on_device ? position.device : position.host.data();
        const auto expected = is_on ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ZERO_PIVOT;
        if (size == 1) {
          RIGHT(Calls<T>::rows_lu_boost(handle, rows, is_on, tol, number));
          RIGHT(Calls<T>::rows_lu(handle, mb, a.count, a.descriptor, a.values->device,
                                  a.starts_of(), a.indices_of(), rows,
                                  CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
          EXPECT(cusparseXcsrilu02_zeroPivot(handle, rows, at) == expected);
        } else {
          RIGHT(Calls<T>::lu_boost(handle, blocks, is_on, tol, number));
          RIGHT(Calls<T>::lu(handle, a.direction, mb, a.count, a.descriptor, a.values->device,
                             a.starts_of(), a.indices_of(), size, blocks,
                             CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr));
          EXPECT(cusparseXbsrilu02_zeroPivot(handle, blocks, at) == expected);
        }
        EXPECT((on_device ? position.from_device() : position.host)[0] == (is_on ? -1 : 4));
        const std::vector<T> got = a.values->from_device();
        a.for_elements([&](int row, int column, int place) {
          if (!is_on && size == 2 && row == small + 1) return;  // 0 / 0, and what follows
          const Number right = is_on && row == small && row == column
                                   ? Number(wide(value.value_host))
                                   : a.at(row, column);
          EXPECT(wide(got[place]) == right);
        });
        RIGHT(cusparseDestroyBsrilu02Info(blocks));
        RIGHT(cusparseDestroyCsrilu02Info(rows));
      }
  RIGHT(cusparseSetPointerMode(handle, CUSPARSE_POINTER_MODE_HOST));
}

void check_bad_input(cusparseHandle_t handle) {
  const auto invalid = CUSPARSE_STATUS_INVALID_VALUE;
  BlockMatrix<float> a(2, 2, 2, 2, CUSPARSE_DIRECTION_ROW, 0);
  a.random(true);
  a.store();
  Vector<float> x(4), y(4);
  const float one = 1;
  const auto multiply = [&](cusparseHandle_t with, cusparseDirection_t direction, int mb, int size,
                            const float* alpha, cusparseMatDescr_t descriptor, const int* offsets,
                            const float* from) {
    return cusparseSbsrmv(with, direction, plain, mb, 2, a.count, alpha, descriptor,
                          a.values->device, offsets, a.indices_of(), size, from, &one, y.device);
  };
  const auto row = CUSPARSE_DIRECTION_ROW;
  const auto none = static_cast<cusparseDirection_t>(2);
  RIGHT(multiply(handle, row, 2, 2, &one, a.descriptor, a.starts_of(), x.device));
  EXPECT(multiply(nullptr, row, 2, 2, &one, a.descriptor, a.starts_of(), x.device) ==
         CUSPARSE_STATUS_NOT_INITIALIZED);
  EXPECT(multiply(handle, none, 2, 2, &one, a.descriptor, a.starts_of(), x.device) == invalid);
  EXPECT(multiply(handle, row, -1, 2, &one, a.descriptor, a.starts_of(), x.device) == invalid);
  EXPECT(multiply(handle, row, 2, 0, &one, a.descriptor, a.starts_of(), x.device) == invalid);
  EXPECT(multiply(handle, row, 2, 2, nullptr, a.descriptor, a.starts_of(), x.device) == invalid);
  EXPECT(multiply(handle, row, 2, 2, &one, nullptr, a.starts_of(), x.device) == invalid);
  EXPECT(multiply(handle, row, 2, 2, &one, a.descriptor, nullptr, x.device) == invalid);
  EXPECT(multiply(handle, row, 2, 2, &one, a.descriptor, a.starts_of(), nullptr) == invalid);
  int total = 0;
  Array<int> offsets(3);
  EXPECT(cusparseXcsr2bsrNnz(handle, row, 4, 4, a.descriptor, a.starts_of(), a.indices_of(), 0,
                             a.descriptor, offsets.device, &total) == invalid);
  EXPECT(cusparseXcsr2bsrNnz(handle, row, 4, 4, a.descriptor, a.starts_of(), a.indices_of(), 2,
                             a.descriptor, nullptr, &total) == invalid);
  EXPECT(cusparseSgemvi(handle, plain, 4, 4, &one, x.device, 3, 0, nullptr, nullptr, &one, y.device,
                        CUSPARSE_INDEX_BASE_ZERO, nullptr) == invalid);
  EXPECT(cusparseSbsrsv2_analysis(handle, row, plain, 2, a.count, a.descriptor, a.values->device,
                                  a.starts_of(), a.indices_of(), 2, nullptr,
                                  CUSPARSE_SOLVE_POLICY_NO_LEVEL, nullptr) == invalid);
  RIGHT(cusparseSetMatType(a.descriptor, CUSPARSE_MATRIX_TYPE_SYMMETRIC));
  EXPECT(multiply(handle, row, 2, 2, &one, a.descriptor, a.starts_of(), x.device) ==
         CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}

template <typename T>
void check_type(cusparseHandle_t handle, double tolerance, const char* name) {
  std::vector<T> results;
  check_products<T>(handle);
  check_mask<T>(handle);
  check_gemvi<T>(handle);
  check_conversions<T>(handle);
  check_triangles<T>(handle, tolerance, results);
  check_factors<T>(handle, tolerance, results);
  check_boost<T>(handle);
  print_bits(name, results);
}

}  // namespace

int main() {
  cusparseHandle_t handle = nullptr;
  RIGHT(cusparseCreate(&handle));
  check_type<float>(handle, 1e-3, "S");
  if (!has_few()) check_type<double>(handle, 1e-11, "D");
  if (!has_few()) check_type<cuComplex>(handle, 1e-3, "C");
  check_type<cuDoubleComplex>(handle, 1e-11, "Z");
  check_bad_input(handle);
  EXPECT(cudaGetLastError() == cudaSuccess);
  RIGHT(cusparseDestroy(handle));
  return finish();
}
