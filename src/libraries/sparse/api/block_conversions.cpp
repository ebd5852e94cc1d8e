// cuSPARSE: matrices in blocks from compressed rows, and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// All elements that are stored count, those of blocks that are 0, too. Columns of blocks come in
// order; compressed rows need none.
#include "libraries/sparse/api/blocks.h"

namespace gridspan::libraries::sparse {
namespace {

/// A matrix of rows or of blocks, by what its rows and columns are.
struct Side {
  cusparseMatDescr_t descriptor;
  const int *offsets, *indices;
};
struct BlockSize {
  int height, width;
};

/// The checks of a conversion of m x n elements, or blocks.
void check_sides(Check& check, cusparseDirection_t direction, int m, int n, const char* rows,
                 const char* columns, const Side& a, const char* offsets,
                 cusparseMatDescr_t descriptor) {
  check.known(is_direction(direction), direction, "dirA").size(m, rows).size(n, columns);
  check.given(a.descriptor, "descrA").general(a.descriptor, "descrA");
  check.given(a.offsets, offsets).given(descriptor, "descrC").general(descriptor, "descrC");
}
void check_size(Check& check, BlockSize size, const char* height, const char* width) {
  check.at_least(size.height, 1, height).at_least(size.width, 1, width);
}

std::int64_t in_blocks(int count, int size) { return (std::int64_t{count} + size - 1) / size; }

Blocks blocks_of_side(cusparseDirection_t direction, std::int64_t rows, const Side& side,
                      BlockSize size) {
  return {rows,
          size.height,
          size.width,
          direction == CUSPARSE_DIRECTION_COLUMN,
          base_of(side.descriptor),
          side.offsets,
          side.indices};
}

Rows rows_of_side(std::int64_t rows, const Side& side, const void* values) {
  return {rows, 0, 0, side.offsets, side.indices, values, false, false, base_of(side.descriptor),
          false};
}

/// How many elements the offsets say. Waits.
cudaError_t count_of(const Rows& a, std::int64_t& count, cudaStream_t stream) {
  int last = 0;
  cudaError_t error = cudaMemcpyAsync(&last, static_cast<const int*>(a.offsets) + a.rows,
                                      sizeof last, cudaMemcpyDeviceToHost, stream);
  if (error == cudaSuccess) error = cudaStreamSynchronize(stream);
  count = last - a.base;
  return error;
}

/// Offsets of blocks that elements of A are in. The total is where the handle's pointers are.
cusparseStatus_t count_in_blocks(Handle handle, const Rows& a, const Blocks& made, int* offsets,
                                 int* total, Workspace& work) {
  const cudaStream_t stream = handle->stream;
  std::int64_t count = 0;
  cudaError_t error = count_of(a, count, stream);
  if (error != cudaSuccess) return status_of(error);
  auto* const keys = static_cast<std::int64_t*>(work.bytes(8 * count));
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (made.rows / 1024 + 2)));
  if (!keys || !sums) return CUSPARSE_STATUS_ALLOC_FAILED;
  error = launch_count_blocks(a, made, keys, offsets, stream);
  if (error == cudaSuccess) error = launch_sums(offsets, false, made.rows + 1, sums, stream);
  if (error == cudaSuccess)
    error = cudaMemcpyAsync(total, offsets + made.rows, sizeof *total, cudaMemcpyDefault, stream);
  if (error == cudaSuccess) error = launch_base(offsets, false, made.rows + 1, made.base, stream);
  if (error == cudaSuccess && handle->pointer_mode == CUSPARSE_POINTER_MODE_HOST)
    error = cudaStreamSynchronize(stream);
  return status_of(error);
}

cusparseStatus_t count_blocks_of_rows(Handle handle, cusparseDirection_t direction, int m, int n,
                                      const Side& a, BlockSize size, const char* height,
                                      const char* width, cusparseMatDescr_t descriptor,
                                      int* offsets, int* total) {
  Check check(handle);
  check_sides(check, direction, m, n, "m", "n", a, "csrRowPtrA", descriptor);
  check_size(check, size, height, width);
  check.given(offsets, "bsrRowPtrC").given(total, "nnzTotalDevHostPtr");
  if (check.failed()) return check.status();
  Workspace work(handle->stream);
  const Blocks made =
      blocks_of_side(direction, in_blocks(m, size.height), {descriptor, nullptr, nullptr}, size);
  return count_in_blocks(handle, rows_of_side(m, a, nullptr), made, offsets, total, work);
}

template <typename T>
cusparseStatus_t rows_to_blocks(Handle handle, cusparseDirection_t direction, int m, int n,
                                const Side& a, const T* values, BlockSize size, const char* height,
                                const char* width, const Side& made, T* to, int* indices) {
  Check check(handle);
  check_sides(check, direction, m, n, "m", "n", a, "csrRowPtrA", made.descriptor);
  check_size(check, size, height, width);
  check.given(made.offsets, "bsrRowPtrC");
  if (check.failed()) return check.status();
  return status_of(launch_rows_to_blocks<T>(
      rows_of_side(m, a, values), blocks_of_side(direction, in_blocks(m, size.height), made, size),
      indices, to, handle->stream));
}

template <typename T>
cusparseStatus_t blocks_to_rows(Handle handle, cusparseDirection_t direction, int mb, int nb,
                                const Side& a, const T* values, BlockSize size, const char* height,
                                const char* width, cusparseMatDescr_t descriptor, T* to,
                                int* offsets, int* indices) {
  Check check(handle);
  check_sides(check, direction, mb, nb, "mb", "nb", a, "bsrRowPtrA", descriptor);
  check_size(check, size, height, width);
  check.given(offsets, "csrRowPtrC");
  if (check.failed()) return check.status();
  return status_of(launch_blocks_to_rows<T>(blocks_of_side(direction, mb, a, size), values,
                                            base_of(descriptor), offsets, indices, to,
                                            handle->stream));
}

/// Blocks of one size into those of another, over compressed rows.
struct Resize {
  Handle handle;
  cusparseDirection_t direction;
  int mb, nb, nnzb;
  Side a;
  BlockSize from, to;
  cusparseMatDescr_t descriptor;  // of the result
};

Check check_resize(const Resize& call) {
  Check check(call.handle);
  check_sides(check, call.direction, call.mb, call.nb, "mb", "nb", call.a, "bsrRowPtrA",
              call.descriptor);
  check.size(call.nnzb, "nnzb");
  check_size(check, call.from, "rowBlockDimA", "colBlockDimA");
  check_size(check, call.to, "rowBlockDimC", "colBlockDimC");
  return check;
}

/// The elements by rows, in memory of `work`, from 0.
template <typename T>
cusparseStatus_t opened(const Resize& call, const T* values, Workspace& work, Rows& rows) {
  const std::int64_t height = std::int64_t{call.mb} * call.from.height;
  const std::int64_t count = std::int64_t{call.nnzb} * call.from.height * call.from.width;
  auto* const offsets = static_cast<int*>(work.bytes(4 * (height + 1)));
  auto* const indices = static_cast<int*>(work.bytes(4 * count));
  auto* const numbers =
      static_cast<T*>(work.bytes(values ? static_cast<std::int64_t>(sizeof(T)) * count : 0));
  if (!offsets || !indices || !numbers) return CUSPARSE_STATUS_ALLOC_FAILED;
  rows = {height, 0, count, offsets, indices, numbers, false, false, 0, false};
  return status_of(
      launch_blocks_to_rows<T>(blocks_of_side(call.direction, call.mb, call.a, call.from), values,
                               0, offsets, indices, numbers, call.handle->stream));
}

Blocks resized(const Resize& call, std::int64_t height, const int* offsets) {
  return blocks_of_side(call.direction, (height + call.to.height - 1) / call.to.height,
                        {call.descriptor, offsets, nullptr}, call.to);
}

cusparseStatus_t count_resized(const Resize& call, int* offsets, int* total) {
  const Check check =
      check_resize(call).given(offsets, "bsrRowPtrC").given(total, "nnzTotalDevHostPtr");
  if (check.failed()) return check.status();
  Workspace work(call.handle->stream);
  Rows rows;
  const cusparseStatus_t status = opened<float>(call, nullptr, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return count_in_blocks(call.handle, rows, resized(call, rows.rows, nullptr), offsets, total,
                         work);
}

template <typename T>
cusparseStatus_t resize(const Resize& call, const T* values, T* to, const int* offsets,
                        int* indices) {
  const Check check = check_resize(call).given(offsets, "bsrRowPtrC");
  if (check.failed()) return check.status();
  Workspace work(call.handle->stream);
  Rows rows;
  const cusparseStatus_t status = opened<T>(call, values, work, rows);
  if (status != CUSPARSE_STATUS_SUCCESS) return status;
  return status_of(launch_rows_to_blocks<T>(rows, resized(call, rows.rows, offsets), indices, to,
                                            call.handle->stream));
}

Check check_turn(Handle handle, int mb, int nb, int nnzb, BlockSize size) {
  Check check = Check(handle).size(mb, "mb").size(nb, "nb").size(nnzb, "nnzb");
  check_size(check, size, "rowBlockDim", "colBlockDim");
  return check;
}

/// Columns of blocks become rows; blocks themselves stay as they are.
template <typename T>
cusparseStatus_t turn_blocks(Handle handle, int mb, int nb, int nnzb, const T* values,
                             const int* offsets, const int* indices, BlockSize size, T* to,
                             int* row_indices, int* column_offsets, cusparseAction_t action,
                             cusparseIndexBase_t base) {
  Check check = check_turn(handle, mb, nb, nnzb, size);
  check.given(offsets, "bsrRowPtr").given(column_offsets, "bscColPtr");
  if (check.failed()) return check.status();
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  const Rows rows = {
      mb,   nb, nnzb, offsets, indices, nullptr, false, false, base == CUSPARSE_INDEX_BASE_ONE,
      false};
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * std::int64_t{nnzb}));
  auto* const sums = static_cast<std::int64_t*>(work.bytes(8 * (std::int64_t{nb} / 1024 + 2)));
  void* const cursors = work.bytes(4 * (std::int64_t{nb} + 1));
  void* const row_numbers = work.bytes(4 * std::int64_t{nnzb});
  if (!places || !sums || !cursors || !row_numbers) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaError_t error = launch_transposition(rows, column_offsets, places, cursors, sums, stream);
  if (error == cudaSuccess) error = launch_row_numbers(rows, row_numbers, stream);
  if (error == cudaSuccess)
    error = launch_rearrange(row_numbers, row_indices, 4, places, nnzb, stream);
  if (error == cudaSuccess && action == CUSPARSE_ACTION_NUMERIC)
    error = launch_move_blocks<T>(values, to, std::int64_t{size.height} * size.width, places, nnzb,
                                  stream);
  return status_of(error);
}

Check check_room(Handle handle, cusparseDirection_t direction, int m, int n, const Side& a,
                 BlockSize size) {
  Check check(handle);
  check_sides(check, direction, m, n, "m", "n", a, "csrRowPtrA", a.descriptor);
  check_size(check, size, "rowBlockDim", "colBlockDim");
  return check;
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_BLOCKS(letter, T)                                                                 \
  cusparseStatus_t cusparse##letter##csr2bsr(                                                      \
      cusparseHandle_t handle, cusparseDirection_t direction, int m, int n, cusparseMatDescr_t a,  \
      const T* values, const int* offsets, const int* indices, int size, cusparseMatDescr_t c,     \
      T* to, int* to_offsets, int* to_indices) {                                                   \
    return sparse::rows_to_blocks<T>(handle, direction, m, n, {a, offsets, indices}, values,       \
                                     {size, size}, "blockDim", "blockDim",                         \
                                     {c, to_offsets, to_indices}, to, to_indices);                 \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##bsr2csr(                                                      \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nb,                      \
      cusparseMatDescr_t a, const T* values, const int* offsets, const int* indices, int size,     \
      cusparseMatDescr_t c, T* to, int* to_offsets, int* to_indices) {                             \
    return sparse::blocks_to_rows<T>(handle, direction, mb, nb, {a, offsets, indices}, values,     \
                                     {size, size}, "blockDim", "blockDim", c, to, to_offsets,      \
                                     to_indices);                                                  \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2gebsc_bufferSize(                                       \
      cusparseHandle_t handle, int mb, int nb, int nnzb, const T*, const int*, const int*,         \
      int height, int width, int* size) {                                                          \
    return sparse::give_int_size(sparse::check_turn(handle, mb, nb, nnzb, {height, width}), size); \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2gebsc_bufferSizeExt(                                    \
      cusparseHandle_t handle, int mb, int nb, int nnzb, const T*, const int*, const int*,         \
      int height, int width, size_t* size) {                                                       \
    return sparse::give_size(sparse::check_turn(handle, mb, nb, nnzb, {height, width}), size);     \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2gebsc(                                                  \
      cusparseHandle_t handle, int mb, int nb, int nnzb, const T* values, const int* offsets,      \
      const int* indices, int height, int width, T* to, int* row_indices, int* column_offsets,     \
      cusparseAction_t action, cusparseIndexBase_t base, void*) {                                  \
    return sparse::turn_blocks<T>(handle, mb, nb, nnzb, values, offsets, indices, {height, width}, \
                                  to, row_indices, column_offsets, action, base);                  \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2csr(                                                    \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nb,                      \
      cusparseMatDescr_t a, const T* values, const int* offsets, const int* indices, int height,   \
      int width, cusparseMatDescr_t c, T* to, int* to_offsets, int* to_indices) {                  \
    return sparse::blocks_to_rows<T>(handle, direction, mb, nb, {a, offsets, indices}, values,     \
                                     {height, width}, "rowBlockDim", "colBlockDim", c, to,         \
                                     to_offsets, to_indices);                                      \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csr2gebsr_bufferSize(                                         \
      cusparseHandle_t handle, cusparseDirection_t direction, int m, int n, cusparseMatDescr_t a,  \
      const T*, const int* offsets, const int* indices, int height, int width, int* size) {        \
    return sparse::give_int_size(                                                                  \
        sparse::check_room(handle, direction, m, n, {a, offsets, indices}, {height, width}),       \
        size);                                                                                     \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csr2gebsr_bufferSizeExt(                                      \
      cusparseHandle_t handle, cusparseDirection_t direction, int m, int n, cusparseMatDescr_t a,  \
      const T*, const int* offsets, const int* indices, int height, int width, size_t* size) {     \
    return sparse::give_size(                                                                      \
        sparse::check_room(handle, direction, m, n, {a, offsets, indices}, {height, width}),       \
        size);                                                                                     \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csr2gebsr(                                                    \
      cusparseHandle_t handle, cusparseDirection_t direction, int m, int n, cusparseMatDescr_t a,  \
      const T* values, const int* offsets, const int* indices, cusparseMatDescr_t c, T* to,        \
      int* to_offsets, int* to_indices, int height, int width, void*) {                            \
    return sparse::rows_to_blocks<T>(handle, direction, m, n, {a, offsets, indices}, values,       \
                                     {height, width}, "rowBlockDim", "colBlockDim",                \
                                     {c, to_offsets, to_indices}, to, to_indices);                 \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2gebsr_bufferSize(                                       \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nb, int nnzb,            \
      cusparseMatDescr_t a, const T*, const int* offsets, const int* indices, int height,          \
      int width, int to_height, int to_width, int* size) {                                         \
    return sparse::give_int_size(sparse::check_resize({handle,                                     \
                                                       direction,                                  \
                                                       mb,                                         \
                                                       nb,                                         \
                                                       nnzb,                                       \
                                                       {a, offsets, indices},                      \
                                                       {height, width},                            \
                                                       {to_height, to_width},                      \
                                                       a}),                                        \
                                 size);                                                            \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2gebsr_bufferSizeExt(                                    \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nb, int nnzb,            \
      cusparseMatDescr_t a, const T*, const int* offsets, const int* indices, int height,          \
      int width, int to_height, int to_width, size_t* size) {                                      \
    return sparse::give_size(sparse::check_resize({handle,                                         \
                                                   direction,                                      \
                                                   mb,                                             \
                                                   nb,                                             \
                                                   nnzb,                                           \
                                                   {a, offsets, indices},                          \
                                                   {height, width},                                \
                                                   {to_height, to_width},                          \
                                                   a}),                                            \
                             size);                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##gebsr2gebsr(                                                  \
      cusparseHandle_t handle, cusparseDirection_t direction, int mb, int nb, int nnzb,            \
      cusparseMatDescr_t a, const T* values, const int* offsets, const int* indices, int height,   \
      int width, cusparseMatDescr_t c, T* to, int* to_offsets, int* to_indices, int to_height,     \
      int to_width, void*) {                                                                       \
    return sparse::resize<T>({handle,                                                              \
                              direction,                                                           \
                              mb,                                                                  \
                              nb,                                                                  \
                              nnzb,                                                                \
                              {a, offsets, indices},                                               \
                              {height, width},                                                     \
                              {to_height, to_width},                                               \
                              c},                                                                  \
                             values, to, to_offsets, to_indices);                                  \
  }

extern "C" {

cusparseStatus_t cusparseXcsr2bsrNnz(cusparseHandle_t handle, cusparseDirection_t direction, int m,
                                     int n, cusparseMatDescr_t a, const int* offsets,
                                     const int* indices, int size, cusparseMatDescr_t c,
                                     int* to_offsets, int* total) {
  return sparse::count_blocks_of_rows(handle, direction, m, n, {a, offsets, indices}, {size, size},
                                      "blockDim", "blockDim", c, to_offsets, total);
}
cusparseStatus_t cusparseXcsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t direction,
                                       int m, int n, cusparseMatDescr_t a, const int* offsets,
                                       const int* indices, cusparseMatDescr_t c, int* to_offsets,
                                       int height, int width, int* total, void*) {
  return sparse::count_blocks_of_rows(handle, direction, m, n, {a, offsets, indices},
                                      {height, width}, "rowBlockDim", "colBlockDim", c, to_offsets,
                                      total);
}
cusparseStatus_t cusparseXgebsr2csr(cusparseHandle_t handle, cusparseDirection_t direction, int mb,
                                    int nb, cusparseMatDescr_t a, const int* offsets,
                                    const int* indices, int height, int width, cusparseMatDescr_t c,
                                    int* to_offsets, int* to_indices) {
  return sparse::blocks_to_rows<float>(handle, direction, mb, nb, {a, offsets, indices}, nullptr,
                                       {height, width}, "rowBlockDim", "colBlockDim", c, nullptr,
                                       to_offsets, to_indices);
}
cusparseStatus_t cusparseXgebsr2gebsrNnz(cusparseHandle_t handle, cusparseDirection_t direction,
                                         int mb, int nb, int nnzb, cusparseMatDescr_t a,
                                         const int* offsets, const int* indices, int height,
                                         int width, cusparseMatDescr_t c, int* to_offsets,
                                         int to_height, int to_width, int* total, void*) {
  return sparse::count_resized({handle,
                                direction,
                                mb,
                                nb,
                                nnzb,
                                {a, offsets, indices},
                                {height, width},
                                {to_height, to_width},
                                c},
                               to_offsets, total);
}

GRIDSPAN_BLOCKS(S, float)
GRIDSPAN_BLOCKS(D, double)
GRIDSPAN_BLOCKS(C, cuComplex)
GRIDSPAN_BLOCKS(Z, cuDoubleComplex)

}  // extern "C"
