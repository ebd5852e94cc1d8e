// cuSPARSE: descriptors of vectors and matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/descriptors.h"

#include "libraries/sparse/api/checks.h"

namespace gridspan::libraries::sparse {
namespace {

bool is_index_type(cusparseIndexType_t type) {
  return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}
bool is_base(cusparseIndexBase_t base) {
  return base == CUSPARSE_INDEX_BASE_ZERO || base == CUSPARSE_INDEX_BASE_ONE;
}
bool is_order(cusparseOrder_t order) {
  return order == CUSPARSE_ORDER_COL || order == CUSPARSE_ORDER_ROW;
}

// What the functions call the descriptors.
const char* name_of(const cusparseSpVecDescr*) { return "spVecDescr"; }
const char* name_of(const cusparseDnVecDescr*) { return "dnVecDescr"; }
const char* name_of(const cusparseSpMatDescr*) { return "spMatDescr"; }
const char* name_of(const cusparseDnMatDescr*) { return "dnMatDescr"; }

template <typename Descriptor>
Check check_descriptor(const Descriptor* descriptor, const char* call = __builtin_FUNCTION()) {
  return Check(call).live(descriptor, name_of(descriptor));
}
Check check_format(const cusparseSpMatDescr* matrix, cusparseFormat_t format, const char* call) {
  Check check = check_descriptor(matrix, call);
  return check.that(check.failed() || matrix->format == format, name_of(matrix), Answers::invalid,
                    "has another format");
}

/// A descriptor of these fields, if `check` found nothing wrong with them, into *result, which may
/// point to a const one.
template <typename Descriptor, typename Result>
cusparseStatus_t create(Check check, Result* result, const Descriptor& fields) {
  if (check.given(result, name_of(&fields)).failed()) return check.status();
  Descriptor* made = nullptr;
  if (!create_live(&made)) return CUSPARSE_STATUS_ALLOC_FAILED;
  *made = fields;
  *result = made;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Documented: null is nothing to destroy.
template <typename Descriptor>
cusparseStatus_t destroy(const Descriptor* descriptor, const char* call = __builtin_FUNCTION()) {
  if (!descriptor) return CUSPARSE_STATUS_SUCCESS;
  return live<Descriptor>().destroy(descriptor)
             ? CUSPARSE_STATUS_SUCCESS
             : Check(call).no_object(descriptor, name_of(descriptor));
}

/// A value into *to, if there is somewhere to put it.
template <typename To, typename From>
void put(To* to, From from) {
  if (to) *to = from;
}

template <typename Descriptor, typename Value>
cusparseStatus_t get(const Descriptor* descriptor, const char* argument, Value Descriptor::* field,
                     Value* result, const char* call = __builtin_FUNCTION()) {
  const Check check = check_descriptor(descriptor, call).given(result, argument);
  if (check.failed()) return check.status();
  *result = descriptor->*field;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor>
cusparseStatus_t set_values(Descriptor* descriptor, void* values,
                            const char* call = __builtin_FUNCTION()) {
  if (const Check check = check_descriptor(descriptor, call); check.failed()) return check.status();
  descriptor->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

/// As the const functions and the others give pointers.
template <typename Descriptor, typename Pointer>
cusparseStatus_t get_values(const Descriptor* descriptor, Pointer** result,
                            const char* call = __builtin_FUNCTION()) {
  const Check check = check_descriptor(descriptor, call).given(result, "values");
  if (check.failed()) return check.status();
  *result = descriptor->values;
  return CUSPARSE_STATUS_SUCCESS;
}

Check check_matrix(const cusparseSpMatDescr& made, const char* call) {
  return Check(call)
      .size(made.rows, "rows")
      .size(made.columns, "cols")
      .size(made.count, "nnz")
      .known(is_index_type(made.offset_type), made.offset_type, "offsetsType")
      .known(is_index_type(made.index_type), made.index_type, "indType")
      .known(is_base(made.base), made.base, "idxBase");
}

template <typename Result>
cusparseStatus_t create_matrix(Result* result, cusparseFormat_t format, std::int64_t rows,
                               std::int64_t columns, std::int64_t count, const void* offsets,
                               const void* indices, const void* values,
                               cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                               cusparseIndexBase_t base, cudaDataType type,
                               const char* call = __builtin_FUNCTION()) {
  cusparseSpMatDescr made;
  made.format = format;
  made.rows = rows;
  made.columns = columns;
  made.count = count;
  made.offsets = const_cast<void*>(offsets);
  made.indices = const_cast<void*>(indices);
  made.values = const_cast<void*>(values);
  made.offset_type = offset_type;
  made.index_type = index_type;
  made.base = base;
  made.type = type;
  return create(check_matrix(made, call), result, made);
}

/// A matrix in blocks of `rows` x `columns` of them.
template <typename Result>
cusparseStatus_t create_packed(Result* result, cusparseSpMatDescr made, const void* offsets,
                               const void* indices, const void* values, const char* call) {
  made.offsets = const_cast<void*>(offsets);
  made.indices = const_cast<void*>(indices);
  made.values = const_cast<void*>(values);
  const bool is_sliced = made.format == CUSPARSE_FORMAT_SLICED_ELLPACK;
  const Check check = check_matrix(made, call)
                          .at_least(made.height, 1, is_sliced ? "sliceSize" : "rowBlockSize")
                          .at_least(made.width, 1, "colBlockSize")
                          .size(made.blocks, "ellCols")
                          .known(is_order(made.block_order), made.block_order, "order");
  return create(check, result, made);
}

cusparseSpMatDescr packed(cusparseFormat_t format, std::int64_t rows, std::int64_t columns,
                          std::int64_t count, std::int64_t height, std::int64_t width,
                          cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                          cusparseIndexBase_t base, cudaDataType type) {
  cusparseSpMatDescr made;
  made.format = format;
  made.rows = rows;
  made.columns = columns;
  made.count = count;
  made.height = height;
  made.width = width;
  made.offset_type = offset_type;
  made.index_type = index_type;
  made.base = base;
  made.type = type;
  return made;
}

template <typename Result>
cusparseStatus_t create_bsr(Result* result, std::int64_t rows, std::int64_t columns,
                            std::int64_t count, std::int64_t height, std::int64_t width,
                            const void* offsets, const void* indices, const void* values,
                            cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                            cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order,
                            const char* call = __builtin_FUNCTION()) {
  cusparseSpMatDescr made =
      packed(CUSPARSE_FORMAT_BSR, rows * height, columns * width, count * height * width, height,
             width, offset_type, index_type, base, type);
  made.block_order = order;
  return create_packed(result, made, offsets, indices, values, call);
}

/// Documented: whole blocks.
template <typename Result>
cusparseStatus_t create_blocked_ell(Result* result, std::int64_t rows, std::int64_t columns,
                                    std::int64_t block, std::int64_t length, const void* indices,
                                    const void* values, cusparseIndexType_t index_type,
                                    cusparseIndexBase_t base, cudaDataType type,
                                    const char* call = __builtin_FUNCTION()) {
  Check check(call);
  if (check.at_least(block, 1, "ellBlockSize").size(length, "ellCols").failed())
    return check.status();
  constexpr const char* no_multiple = "is no multiple of ellBlockSize";
  check.that(rows % block == 0, "rows", Answers::invalid, no_multiple)
      .that(length % block == 0, "ellCols", Answers::invalid, no_multiple);
  if (check.failed()) return check.status();
  cusparseSpMatDescr made = packed(CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, rows * length, block,
                                   block, index_type, index_type, base, type);
  made.blocks = length / block;
  return create_packed(result, made, nullptr, indices, values, call);
}

template <typename Result>
cusparseStatus_t create_sliced_ell(Result* result, std::int64_t rows, std::int64_t columns,
                                   std::int64_t values_count, std::int64_t slice,
                                   const void* offsets, const void* indices, const void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type,
                                   const char* call = __builtin_FUNCTION()) {
  return create_packed(result,
                       packed(CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, values_count, slice, 1,
                              offset_type, index_type, base, type),
                       offsets, indices, values, call);
}

template <typename Pointer>
cusparseStatus_t get_blocked_ell(const cusparseSpMatDescr* matrix, std::int64_t* rows,
                                 std::int64_t* columns, std::int64_t* block, std::int64_t* length,
                                 Pointer** indices, Pointer** values,
                                 cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                 cudaDataType* type, const char* call = __builtin_FUNCTION()) {
  const Check check = check_format(matrix, CUSPARSE_FORMAT_BLOCKED_ELL, call);
  if (check.failed()) return check.status();
  put(rows, matrix->rows);
  put(columns, matrix->columns);
  put(block, matrix->height);
  put(length, matrix->blocks * matrix->width);
  put(indices, matrix->indices);
  put(values, matrix->values);
  put(index_type, matrix->index_type);
  put(base, matrix->base);
  put(type, matrix->type);
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Pointer>
cusparseStatus_t get_matrix(const cusparseSpMatDescr* matrix, cusparseFormat_t format,
                            std::int64_t* rows, std::int64_t* columns, std::int64_t* count,
                            Pointer** offsets, Pointer** indices, Pointer** values,
                            cusparseIndexType_t* offset_type, cusparseIndexType_t* index_type,
                            cusparseIndexBase_t* base, cudaDataType* type,
                            const char* call = __builtin_FUNCTION()) {
  if (const Check check = check_format(matrix, format, call); check.failed()) return check.status();
  put(rows, matrix->rows);
  put(columns, matrix->columns);
  put(count, matrix->count);
  put(offsets, matrix->offsets);
  put(indices, matrix->indices);
  put(values, matrix->values);
  put(offset_type, matrix->offset_type);
  put(index_type, matrix->index_type);
  put(base, matrix->base);
  put(type, matrix->type);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t set_pointers(cusparseSpMatDescr* matrix, cusparseFormat_t format, void* offsets,
                              void* indices, void* values,
                              const char* call = __builtin_FUNCTION()) {
  const bool is_coo = format == CUSPARSE_FORMAT_COO, is_csc = format == CUSPARSE_FORMAT_CSC;
  const Check check = check_format(matrix, format, call)
                          .given(offsets, is_coo   ? "cooRows"
                                          : is_csc ? "cscColOffsets"
                                                   : "csrRowOffsets");
  if (check.failed()) return check.status();
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t set_batch(cusparseSpMatDescr* matrix, cusparseFormat_t format, int count,
                           std::int64_t offset_stride, std::int64_t index_stride,
                           std::int64_t value_stride, const char* call = __builtin_FUNCTION()) {
  const Check check = check_format(matrix, format, call).at_least(count, 1, "batchCount");
  if (check.failed()) return check.status();
  matrix->batch_count = count;
  matrix->offset_stride = offset_stride;
  matrix->index_stride = index_stride;
  matrix->value_stride = value_stride;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::sparse

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

// The functions for arrays that are written, and for those that are only read.
#define GRIDSPAN_DESCRIPTORS(Const, Q)                                                             \
  cusparseStatus_t cusparseCreate##Const##SpVec(cusparse##Const##SpVecDescr_t* vector,             \
                                                int64_t size, int64_t count, Q void* indices,      \
                                                Q void* values, cusparseIndexType_t index_type,    \
                                                cusparseIndexBase_t base, cudaDataType type) {     \
    const cusparseSpVecDescr made =                                                                \
        {size, count, const_cast<void*>(indices), const_cast<void*>(values), index_type,           \
         base, type};                                                                              \
    sparse::Check check(__func__);                                                                 \
    check.size(size, "size")                                                                       \
        .size(count, "nnz")                                                                        \
        .that(count <= size, "nnz", CUSPARSE_STATUS_INVALID_VALUE, "is more than the size");       \
    check.known(sparse::is_index_type(index_type), index_type, "idxType")                          \
        .known(sparse::is_base(base), base, "idxBase");                                            \
    return sparse::create(check, vector, made);                                                    \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##DnVec(cusparse##Const##DnVecDescr_t* vector,             \
                                                int64_t size, Q void* values, cudaDataType type) { \
    const cusparseDnVecDescr made = {size, const_cast<void*>(values), type};                       \
    return sparse::create(sparse::Check(__func__).size(size, "size"), vector, made);               \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##Csr(                                                     \
      cusparse##Const##SpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,         \
      Q void* offsets, Q void* indices, Q void* values, cusparseIndexType_t offset_type,           \
      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {               \
    return sparse::create_matrix(matrix, CUSPARSE_FORMAT_CSR, rows, columns, count, offsets,       \
                                 indices, values, offset_type, index_type, base, type);            \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##Csc(                                                     \
      cusparse##Const##SpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,         \
      Q void* offsets, Q void* indices, Q void* values, cusparseIndexType_t offset_type,           \
      cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type) {               \
    return sparse::create_matrix(matrix, CUSPARSE_FORMAT_CSC, rows, columns, count, offsets,       \
                                 indices, values, offset_type, index_type, base, type);            \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##Coo(                                                     \
      cusparse##Const##SpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,         \
      Q void* row_numbers, Q void* indices, Q void* values, cusparseIndexType_t index_type,        \
      cusparseIndexBase_t base, cudaDataType type) {                                               \
    return sparse::create_matrix(matrix, CUSPARSE_FORMAT_COO, rows, columns, count, row_numbers,   \
                                 indices, values, index_type, index_type, base, type);             \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##Bsr(                                                     \
      cusparse##Const##SpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t count,         \
      int64_t height, int64_t width, Q void* offsets, Q void* indices, Q void* values,             \
      cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,   \
      cudaDataType type, cusparseOrder_t order) {                                                  \
    return sparse::create_bsr(matrix, rows, columns, count, height, width, offsets, indices,       \
                              values, offset_type, index_type, base, type, order);                 \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##BlockedEll(                                              \
      cusparse##Const##SpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t block,         \
      int64_t length, Q void* indices, Q void* values, cusparseIndexType_t index_type,             \
      cusparseIndexBase_t base, cudaDataType type) {                                               \
    return sparse::create_blocked_ell(matrix, rows, columns, block, length, indices, values,       \
                                      index_type, base, type);                                     \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##SlicedEll(                                               \
      cusparse##Const##SpMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t,               \
      int64_t values_count, int64_t slice, Q void* offsets, Q void* indices, Q void* values,       \
      cusparseIndexType_t offset_type, cusparseIndexType_t index_type, cusparseIndexBase_t base,   \
      cudaDataType type) {                                                                         \
    return sparse::create_sliced_ell(matrix, rows, columns, values_count, slice, offsets, indices, \
                                     values, offset_type, index_type, base, type);                 \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##BlockedEllGet(                                                 \
      cusparse##Const##SpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* block,       \
      int64_t* length, Q void** indices, Q void** values, cusparseIndexType_t* index_type,         \
      cusparseIndexBase_t* base, cudaDataType* type) {                                             \
    return sparse::get_blocked_ell(matrix, rows, columns, block, length, indices, values,          \
                                   index_type, base, type);                                        \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##DnMat(                                                   \
      cusparse##Const##DnMatDescr_t* matrix, int64_t rows, int64_t columns, int64_t leading,       \
      Q void* values, cudaDataType type, cusparseOrder_t order) {                                  \
    const cusparseDnMatDescr made = {rows, columns, leading, const_cast<void*>(values),            \
                                     type, order,   1,       0};                                   \
    const bool by_columns = order == CUSPARSE_ORDER_COL;                                           \
    sparse::Check check(__func__);                                                                 \
    check.size(rows, "rows").size(columns, "cols").known(sparse::is_order(order), order, "order"); \
    check.at_least(leading, by_columns ? rows : columns, "ld", by_columns ? " rows" : " columns"); \
    return sparse::create(check, matrix, made);                                                    \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##SpVecGet(cusparse##Const##SpVecDescr_t vector, int64_t* size,  \
                                             int64_t* count, Q void** indices, Q void** values,    \
                                             cusparseIndexType_t* index_type,                      \
                                             cusparseIndexBase_t* base, cudaDataType* type) {      \
    if (const auto check = sparse::check_descriptor(vector); check.failed())                       \
      return check.status();                                                                       \
    sparse::put(size, vector->size);                                                               \
    sparse::put(count, vector->count);                                                             \
    sparse::put(indices, vector->indices);                                                         \
    sparse::put(values, vector->values);                                                           \
    sparse::put(index_type, vector->index_type);                                                   \
    sparse::put(base, vector->base);                                                               \
    sparse::put(type, vector->type);                                                               \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnVecGet(cusparse##Const##DnVecDescr_t vector, int64_t* size,  \
                                             Q void** values, cudaDataType* type) {                \
    if (const auto check = sparse::check_descriptor(vector); check.failed())                       \
      return check.status();                                                                       \
    sparse::put(size, vector->size);                                                               \
    sparse::put(values, vector->values);                                                           \
    sparse::put(type, vector->type);                                                               \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnMatGet(cusparse##Const##DnMatDescr_t matrix, int64_t* rows,  \
                                             int64_t* columns, int64_t* leading, Q void** values,  \
                                             cudaDataType* type, cusparseOrder_t* order) {         \
    if (const auto check = sparse::check_descriptor(matrix); check.failed())                       \
      return check.status();                                                                       \
    sparse::put(rows, matrix->rows);                                                               \
    sparse::put(columns, matrix->columns);                                                         \
    sparse::put(leading, matrix->leading);                                                         \
    sparse::put(values, matrix->values);                                                           \
    sparse::put(type, matrix->type);                                                               \
    sparse::put(order, matrix->order);                                                             \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##CsrGet(                                                        \
      cusparse##Const##SpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,       \
      Q void** offsets, Q void** indices, Q void** values, cusparseIndexType_t* offset_type,       \
      cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {            \
    return sparse::get_matrix(matrix, CUSPARSE_FORMAT_CSR, rows, columns, count, offsets, indices, \
                              values, offset_type, index_type, base, type);                        \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##CscGet(                                                        \
      cusparse##Const##SpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,       \
      Q void** offsets, Q void** indices, Q void** values, cusparseIndexType_t* offset_type,       \
      cusparseIndexType_t* index_type, cusparseIndexBase_t* base, cudaDataType* type) {            \
    return sparse::get_matrix(matrix, CUSPARSE_FORMAT_CSC, rows, columns, count, offsets, indices, \
                              values, offset_type, index_type, base, type);                        \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##CooGet(                                                        \
      cusparse##Const##SpMatDescr_t matrix, int64_t* rows, int64_t* columns, int64_t* count,       \
      Q void** row_numbers, Q void** indices, Q void** values, cusparseIndexType_t* index_type,    \
      cusparseIndexBase_t* base, cudaDataType* type) {                                             \
    return sparse::get_matrix(matrix, CUSPARSE_FORMAT_COO, rows, columns, count, row_numbers,      \
                              indices, values, index_type, index_type, base, type);                \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##SpVecGetValues(cusparse##Const##SpVecDescr_t vector,           \
                                                   Q void** values) {                              \
    return sparse::get_values(vector, values);                                                     \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnVecGetValues(cusparse##Const##DnVecDescr_t vector,           \
                                                   Q void** values) {                              \
    return sparse::get_values(vector, values);                                                     \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##SpMatGetValues(cusparse##Const##SpMatDescr_t matrix,           \
                                                   Q void** values) {                              \
    return sparse::get_values(matrix, values);                                                     \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnMatGetValues(cusparse##Const##DnMatDescr_t matrix,           \
                                                   Q void** values) {                              \
    return sparse::get_values(matrix, values);                                                     \
  }

extern "C" {

GRIDSPAN_DESCRIPTORS(, )
GRIDSPAN_DESCRIPTORS(Const, const)

cusparseStatus_t cusparseDestroySpVec(cusparseConstSpVecDescr_t vector) {
  return sparse::destroy(vector);
}
cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector) {
  return sparse::destroy(vector);
}
cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix) {
  return sparse::destroy(matrix);
}
cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix) {
  return sparse::destroy(matrix);
}

cusparseStatus_t cusparseSpVecGetIndexBase(cusparseConstSpVecDescr_t vector,
                                           cusparseIndexBase_t* base) {
  return sparse::get(vector, "idxBase", &cusparseSpVecDescr::base, base);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t* base) {
  return sparse::get(matrix, "idxBase", &cusparseSpMatDescr::base, base);
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t* format) {
  return sparse::get(matrix, "format", &cusparseSpMatDescr::format, format);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  return sparse::get(matrix, "batchCount", &cusparseSpMatDescr::batch_count, count);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                      int64_t* columns, int64_t* count) {
  if (const auto check = sparse::check_descriptor(matrix); check.failed()) return check.status();
  sparse::put(rows, matrix->rows);
  sparse::put(columns, matrix->columns);
  sparse::put(count, matrix->count);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpVecSetValues(cusparseSpVecDescr_t vector, void* values) {
  return sparse::set_values(vector, values);
}
cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void* values) {
  return sparse::set_values(vector, values);
}
cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void* values) {
  return sparse::set_values(matrix, values);
}
cusparseStatus_t cusparseDnMatSetValues(cusparseDnMatDescr_t matrix, void* values) {
  return sparse::set_values(matrix, values);
}

cusparseStatus_t cusparseCsrSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* indices,
                                        void* values) {
  return sparse::set_pointers(matrix, CUSPARSE_FORMAT_CSR, offsets, indices, values);
}
cusparseStatus_t cusparseCscSetPointers(cusparseSpMatDescr_t matrix, void* offsets, void* indices,
                                        void* values) {
  return sparse::set_pointers(matrix, CUSPARSE_FORMAT_CSC, offsets, indices, values);
}
cusparseStatus_t cusparseCooSetPointers(cusparseSpMatDescr_t matrix, void* rows, void* columns,
                                        void* values) {
  return sparse::set_pointers(matrix, CUSPARSE_FORMAT_COO, rows, columns, values);
}
cusparseStatus_t cusparseCsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offset_stride, int64_t value_stride) {
  return sparse::set_batch(matrix, CUSPARSE_FORMAT_CSR, count, offset_stride, value_stride,
                           value_stride);
}
cusparseStatus_t cusparseBsrSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t offset_stride, int64_t index_stride,
                                            int64_t value_stride) {
  return sparse::set_batch(matrix, CUSPARSE_FORMAT_BSR, count, offset_stride, index_stride,
                           value_stride);
}
cusparseStatus_t cusparseCooSetStridedBatch(cusparseSpMatDescr_t matrix, int count,
                                            int64_t stride) {
  return sparse::set_batch(matrix, CUSPARSE_FORMAT_COO, count, stride, stride, stride);
}

cusparseStatus_t cusparseDnMatSetStridedBatch(cusparseDnMatDescr_t matrix, int count,
                                              int64_t stride) {
  const auto check = sparse::check_descriptor(matrix).at_least(count, 1, "batchCount");
  if (check.failed()) return check.status();
  matrix->batch_count = count;
  matrix->batch_stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count,
                                              int64_t* stride) {
  if (const auto check = sparse::check_descriptor(matrix); check.failed()) return check.status();
  sparse::put(count, matrix->batch_count);
  sparse::put(stride, matrix->batch_stride);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  auto check = sparse::check_descriptor(matrix).given(data, "data");
  if (check.failed()) return check.status();
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && bytes == sizeof matrix->fill)
    matrix->fill = *static_cast<const cusparseFillMode_t*>(data);
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && bytes == sizeof matrix->diagonal)
    matrix->diagonal = *static_cast<const cusparseDiagType_t*>(data);
  else
    check
        .known(attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE,
               attribute, "attribute")
        .that(false, "dataSize", CUSPARSE_STATUS_INVALID_VALUE, "is not that of the attribute");
  return check.status();
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  auto check = sparse::check_descriptor(matrix).given(data, "data");
  if (check.failed()) return check.status();
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && bytes == sizeof matrix->fill)
    *static_cast<cusparseFillMode_t*>(data) = matrix->fill;
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && bytes == sizeof matrix->diagonal)
    *static_cast<cusparseDiagType_t*>(data) = matrix->diagonal;
  else
    check
        .known(attribute == CUSPARSE_SPMAT_FILL_MODE || attribute == CUSPARSE_SPMAT_DIAG_TYPE,
               attribute, "attribute")
        .that(false, "dataSize", CUSPARSE_STATUS_INVALID_VALUE, "is not that of the attribute");
  return check.status();
}

}  // extern "C"
