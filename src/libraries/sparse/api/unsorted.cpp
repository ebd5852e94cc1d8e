// cuSPARSE: rows whose columns are in no order, put into order and back (csru2csr, csr2csru).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/arguments.h"
#include "libraries/support/device_array.h"

struct csru2csrInfo {
  gridspan::libraries::DeviceArray numbers;  // of each element in order, where it was: ints
  int count = -1;
};

namespace gridspan::libraries::sparse {
namespace {

Check check_unsorted(Handle handle, int m, int n, int count, const csru2csrInfo* info) {
  return Check(handle).size(m, "m").size(n, "n").size(count, "nnz").live(info, "info");
}

/// array[k] = array[places[k]]
cudaError_t rearrange_in_place(void* array, int bytes, const std::int64_t* places, int count,
                               void* room, cudaStream_t stream) {
  const cudaError_t error = launch_rearrange(array, room, bytes, places, count, stream);
  if (error != cudaSuccess) return error;
  return cudaMemcpyAsync(array, room,
                         static_cast<std::size_t>(count) * static_cast<unsigned>(bytes),
                         cudaMemcpyDeviceToDevice, stream);
}

template <typename T>
struct UnsortedRows {
  int rows, columns, count;
  cusparseMatDescr_t descriptor;
  T* values;
  const int* offsets;
  int* indices;
};

template <typename T>
Check check_unsorted(Handle handle, const UnsortedRows<T>& a, const csru2csrInfo* info) {
  Check check = check_unsorted(handle, a.rows, a.columns, a.count, info);
  check.given(a.descriptor, "descrA").general(a.descriptor, "descrA");
  check.that(a.values || a.count <= 0, "csrVal").given(a.offsets, "csrRowPtr");
  return check.that(a.indices || a.count <= 0, "csrColInd");
}

template <typename T>
cusparseStatus_t put_in_order(Handle handle, const UnsortedRows<T>& a, csru2csrInfo* info) {
  if (const Check check = check_unsorted(handle, a, info); check.failed()) return check.status();
  if (a.count > info->count) {
    info->count = -1;
    if (!info->numbers.make((static_cast<std::size_t>(a.count) + 1) * sizeof(int)))
      return CUSPARSE_STATUS_ALLOC_FAILED;
  }
  info->count = a.count;
  if (a.count == 0) return CUSPARSE_STATUS_SUCCESS;
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * std::int64_t{a.count}));
  void* const room = work.bytes(static_cast<std::int64_t>(sizeof(T)) * a.count);
  if (!places || !room) return CUSPARSE_STATUS_ALLOC_FAILED;
  const bool has_base = cusparseGetMatIndexBase(a.descriptor) == CUSPARSE_INDEX_BASE_ONE;
  const Rows rows = {a.rows,  a.columns, a.count, a.offsets, a.indices,
                     nullptr, false,     false,   has_base,  false};
  int* const numbers = info->numbers.as<int>();
  cudaError_t error = launch_identity(numbers, a.count, stream);
  if (error == cudaSuccess) error = launch_sort(rows, a.indices, numbers, stream);
  if (error == cudaSuccess) error = launch_places(numbers, false, places, a.count, stream);
  if (error == cudaSuccess)
    error = rearrange_in_place(a.values, sizeof(T), places, a.count, room, stream);
  return status_of(error);
}

/// As the last call of the other function found them.
template <typename T>
cusparseStatus_t put_back_order(Handle handle, const UnsortedRows<T>& a, csru2csrInfo* info) {
  Check check = check_unsorted(handle, a, info);
  check.that(check.failed() || info->count == a.count, "info", Answers::invalid,
             "has no order of so many elements");
  if (check.failed()) return check.status();
  if (a.count == 0) return CUSPARSE_STATUS_SUCCESS;
  const cudaStream_t stream = handle->stream;
  Workspace work(stream);
  auto* const places = static_cast<std::int64_t*>(work.bytes(8 * std::int64_t{a.count}));
  void* const room = work.bytes(static_cast<std::int64_t>(sizeof(T)) * a.count);
  if (!places || !room) return CUSPARSE_STATUS_ALLOC_FAILED;
  cudaError_t error = launch_places(info->numbers.as<int>(), true, places, a.count, stream);
  if (error == cudaSuccess)
    error = rearrange_in_place(a.values, sizeof(T), places, a.count, room, stream);
  if (error == cudaSuccess)
    error = rearrange_in_place(a.indices, sizeof(int), places, a.count, room, stream);
  return status_of(error);
}

}  // namespace
}  // namespace gridspan::libraries::sparse

namespace sparse = gridspan::libraries::sparse;

#define GRIDSPAN_UNSORTED(letter, T)                                                               \
  cusparseStatus_t cusparse##letter##csru2csr_bufferSizeExt(cusparseHandle_t handle, int m, int n, \
                                                            int nnz, T*, const int*, int*,         \
                                                            csru2csrInfo_t info, size_t* size) {   \
    return sparse::give_size(sparse::check_unsorted(handle, m, n, nnz, info), size);               \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csru2csr(                                                     \
      cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descriptor, T* values,    \
      const int* offsets, int* indices, csru2csrInfo_t info, void*) {                              \
    return sparse::put_in_order<T>(handle, {m, n, nnz, descriptor, values, offsets, indices},      \
                                   info);                                                          \
  }                                                                                                \
  cusparseStatus_t cusparse##letter##csr2csru(                                                     \
      cusparseHandle_t handle, int m, int n, int nnz, cusparseMatDescr_t descriptor, T* values,    \
      const int* offsets, int* indices, csru2csrInfo_t info, void*) {                              \
    return sparse::put_back_order<T>(handle, {m, n, nnz, descriptor, values, offsets, indices},    \
                                     info);                                                        \
  }

extern "C" {

cusparseStatus_t cusparseCreateCsru2csrInfo(csru2csrInfo_t* info) {
  const auto check = sparse::Check(__func__).given(info, "info");
  if (check.failed()) return check.status();
  return gridspan::libraries::create_live(info) ? CUSPARSE_STATUS_SUCCESS
                                                : CUSPARSE_STATUS_ALLOC_FAILED;
}
cusparseStatus_t cusparseDestroyCsru2csrInfo(csru2csrInfo_t info) {
  return gridspan::libraries::live<csru2csrInfo>().destroy(info)
             ? CUSPARSE_STATUS_SUCCESS
             : sparse::Check(__func__).no_object(info, "info");
}

GRIDSPAN_UNSORTED(S, float)
GRIDSPAN_UNSORTED(D, double)
GRIDSPAN_UNSORTED(C, cuComplex)
GRIDSPAN_UNSORTED(Z, cuDoubleComplex)

}  // extern "C"
