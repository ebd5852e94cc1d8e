// cuSPARSE: the descriptors of matrices that the legacy functions take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/matrix_descriptor.h"

#include "libraries/support/live_objects.h"

namespace gridspan::libraries::sparse {
namespace {

template <typename Value>
cusparseStatus_t set(cusparseMatDescr_t descriptor, Value cusparseMatDescr::* field, Value value,
                     Value last) {
  if (!is_live(descriptor) || static_cast<unsigned>(value) > static_cast<unsigned>(last))
    return CUSPARSE_STATUS_INVALID_VALUE;
  descriptor->*field = value;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Of a descriptor that is none: what a new one has. There is no status to say it with.
template <typename Value>
Value get(const cusparseMatDescr* descriptor, Value cusparseMatDescr::* field) {
  return is_live(descriptor) ? descriptor->*field : cusparseMatDescr().*field;
}

}  // namespace
}  // namespace gridspan::libraries::sparse

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t* descriptor) {
  if (!descriptor) return CUSPARSE_STATUS_INVALID_VALUE;
  return create_live(descriptor) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  return live<cusparseMatDescr>().destroy(descriptor) ? CUSPARSE_STATUS_SUCCESS
                                                      : CUSPARSE_STATUS_INVALID_VALUE;
}

cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) {
  return sparse::set(descriptor, &cusparseMatDescr::type, type, CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::type);
}

cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t mode) {
  return sparse::set(descriptor, &cusparseMatDescr::fill_mode, mode, CUSPARSE_FILL_MODE_UPPER);
}
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::fill_mode);
}

cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type) {
  return sparse::set(descriptor, &cusparseMatDescr::diagonal_type, type, CUSPARSE_DIAG_TYPE_UNIT);
}
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::diagonal_type);
}

cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) {
  return sparse::set(descriptor, &cusparseMatDescr::index_base, base, CUSPARSE_INDEX_BASE_ONE);
}
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::index_base);
}

}  // extern "C"
