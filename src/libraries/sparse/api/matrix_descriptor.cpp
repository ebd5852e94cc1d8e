// cuSPARSE: the descriptors of matrices that the legacy functions take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/matrix_descriptor.h"

#include "libraries/sparse/api/checks.h"

namespace gridspan::libraries::sparse {
namespace {

template <typename Value>
cusparseStatus_t set(cusparseMatDescr_t descriptor, const char* argument,
                     Value cusparseMatDescr::* field, Value value, Value last,
                     const char* call = __builtin_FUNCTION()) {
  const bool is_known = static_cast<unsigned>(value) <= static_cast<unsigned>(last);
  const Check check = Check(call).live(descriptor, "descrA").known(is_known, value, argument);
  if (check.failed()) return check.status();
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
  if (const auto check = sparse::Check(__func__).given(descriptor, "descrA"); check.failed())
    return check.status();
  return create_live(descriptor) ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_ALLOC_FAILED;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t descriptor) {
  return live<cusparseMatDescr>().destroy(descriptor)
             ? CUSPARSE_STATUS_SUCCESS
             : sparse::Check(__func__).no_object(descriptor, "descrA");
}

cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t descriptor, cusparseMatrixType_t type) {
  return sparse::set(descriptor, "type", &cusparseMatDescr::type, type,
                     CUSPARSE_MATRIX_TYPE_TRIANGULAR);
}
cusparseMatrixType_t cusparseGetMatType(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::type);
}

cusparseStatus_t cusparseSetMatFillMode(cusparseMatDescr_t descriptor, cusparseFillMode_t mode) {
  return sparse::set(descriptor, "fillMode", &cusparseMatDescr::fill_mode, mode,
                     CUSPARSE_FILL_MODE_UPPER);
}
cusparseFillMode_t cusparseGetMatFillMode(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::fill_mode);
}

cusparseStatus_t cusparseSetMatDiagType(cusparseMatDescr_t descriptor, cusparseDiagType_t type) {
  return sparse::set(descriptor, "diagType", &cusparseMatDescr::diagonal_type, type,
                     CUSPARSE_DIAG_TYPE_UNIT);
}
cusparseDiagType_t cusparseGetMatDiagType(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::diagonal_type);
}

cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t descriptor, cusparseIndexBase_t base) {
  return sparse::set(descriptor, "base", &cusparseMatDescr::index_base, base,
                     CUSPARSE_INDEX_BASE_ONE);
}
cusparseIndexBase_t cusparseGetMatIndexBase(const cusparseMatDescr_t descriptor) {
  return sparse::get(descriptor, &cusparseMatDescr::index_base);
}

}  // extern "C"
