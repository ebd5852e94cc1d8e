// cuSOLVER: sparse matrices as calls give them, in host or in device memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/solver/api/arguments.h"
#include "libraries/solver/api/sparse_matrix.h"
#include "libraries/sparse/api/matrix_descriptor.h"

#include <new>
#include <vector>

namespace gridspan::libraries::solver {

/// Compressed rows as calls give them.
struct Csr {
  int rows, count;
  const cusparseMatDescr* descriptor;
  const int* starts;
  const int* columns;
};

inline void check_csr(Check& check, const Csr& a) {
  check.size(a.rows, "m")
      .size(a.count, "nnz")
      .that(a.descriptor, "descrA")
      .that(check.failed() || a.descriptor->type == CUSPARSE_MATRIX_TYPE_GENERAL, "descrA",
            CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED)
      .that(a.starts, "csrRowPtrA")
      .that(a.columns || a.count <= 0, "csrColIndA");
}

inline int base_of(const Csr& a) { return a.descriptor->index_base == CUSPARSE_INDEX_BASE_ONE; }

/// `run` may not find memory.
template <typename Run>
cusolverStatus_t guarded(Run run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    return CUSOLVER_STATUS_ALLOC_FAILED;
  }
}

/// An array where the host can read it.
template <typename T>
class HostCopy {
 public:
  HostCopy(bool on_device, const T* place, Size count, cudaStream_t stream) : place_(place) {
    if (!on_device || count <= 0) return;
    values_.resize(static_cast<std::size_t>(count));
    error_ = cudaMemcpyAsync(values_.data(), place, values_.size() * sizeof(T), cudaMemcpyDefault,
                             stream);
    if (error_ == cudaSuccess) error_ = cudaStreamSynchronize(stream);
    place_ = values_.data();
  }
  const T* get() const { return place_; }
  cudaError_t error() const { return error_; }

 private:
  const T* place_;
  std::vector<T> values_;
  cudaError_t error_ = cudaSuccess;
};

/// Into an array of the program's.
template <typename T>
cudaError_t give(bool on_device, const std::vector<T>& values, T* place, cudaStream_t stream) {
  if (!on_device) {
    std::copy(values.begin(), values.end(), place);
    return cudaSuccess;
  }
  if (values.empty()) return cudaSuccess;
  const cudaError_t error =
      cudaMemcpyAsync(place, values.data(), values.size() * sizeof(T), cudaMemcpyDefault, stream);
  return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
}

/// The pattern of a square matrix, or a status that says why there is none.
inline cusolverStatus_t take_pattern(Check& check, bool on_device, const Csr& a,
                                     cudaStream_t stream, Pattern& pattern) {
  const HostCopy<int> starts(on_device, a.starts, Size{a.rows} + 1, stream);
  const HostCopy<int> columns(on_device, a.columns, a.count, stream);
  if (starts.error() != cudaSuccess) return status_of(starts.error());
  if (columns.error() != cudaSuccess) return status_of(columns.error());
  check.that(read_pattern(a.rows, a.count, base_of(a), starts.get(), starts.get() + 1,
                          columns.get(), pattern),
             "csrRowPtrA");
  return check.status();
}

}  // namespace gridspan::libraries::solver
