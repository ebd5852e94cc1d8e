// cuSPARSE: descriptors of vectors and matrices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/sparse/api/descriptors.h"

#include "libraries/support/live_objects.h"

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

/// A descriptor of these fields, into *result, which may point to a const one.
template <typename Descriptor, typename Result>
cusparseStatus_t create(Result* result, const Descriptor& fields, bool is_right) {
  if (!result || !is_right) return CUSPARSE_STATUS_INVALID_VALUE;
  Descriptor* made = nullptr;
  if (!create_live(&made)) return CUSPARSE_STATUS_ALLOC_FAILED;
  *made = fields;
  *result = made;
  return CUSPARSE_STATUS_SUCCESS;
}

/// Documented: null is nothing to destroy.
template <typename Descriptor>
cusparseStatus_t destroy(const Descriptor* descriptor) {
  if (!descriptor) return CUSPARSE_STATUS_SUCCESS;
  return live<Descriptor>().destroy(descriptor) ? CUSPARSE_STATUS_SUCCESS
                                                : CUSPARSE_STATUS_INVALID_VALUE;
}

/// A value into *to, if there is somewhere to put it.
template <typename To, typename From>
void put(To* to, From from) {
  if (to) *to = from;
}

template <typename Descriptor, typename Value>
cusparseStatus_t get(const Descriptor* descriptor, Value Descriptor::* field, Value* result) {
  if (!is_live(descriptor) || !result) return CUSPARSE_STATUS_INVALID_VALUE;
  *result = descriptor->*field;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Descriptor>
cusparseStatus_t set_values(Descriptor* descriptor, void* values) {
  if (!is_live(descriptor)) return CUSPARSE_STATUS_INVALID_VALUE;
  descriptor->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

/// As the const functions and the others give pointers.
template <typename Pointer>
cusparseStatus_t get_values(void* values, Pointer** result, bool is_right) {
  if (!is_right || !result) return CUSPARSE_STATUS_INVALID_VALUE;
  *result = values;
  return CUSPARSE_STATUS_SUCCESS;
}

template <typename Result>
cusparseStatus_t create_matrix(Result* result, cusparseFormat_t format, std::int64_t rows,
                               std::int64_t columns, std::int64_t count, const void* offsets,
                               const void* indices, const void* values,
                               cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                               cusparseIndexBase_t base, cudaDataType type) {
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
  const bool is_right = rows >= 0 && columns >= 0 && count >= 0 && is_index_type(offset_type) &&
                        is_index_type(index_type) && is_base(base);
  return create(result, made, is_right);
}

/// A matrix in blocks of `rows` x `columns` of them.
template <typename Result>
cusparseStatus_t create_packed(Result* result, cusparseSpMatDescr made, const void* offsets,
                               const void* indices, const void* values) {
  made.offsets = const_cast<void*>(offsets);
  made.indices = const_cast<void*>(indices);
  made.values = const_cast<void*>(values);
  const bool is_right = made.rows >= 0 && made.columns >= 0 && made.count >= 0 && made.height > 0 &&
                        made.width > 0 && made.blocks >= 0 && is_index_type(made.offset_type) &&
                        is_index_type(made.index_type) && is_base(made.base) &&
                        is_order(made.block_order);
  return create(result, made, is_right);
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
                            cusparseIndexBase_t base, cudaDataType type, cusparseOrder_t order) {
  cusparseSpMatDescr made =
      packed(CUSPARSE_FORMAT_BSR, rows * height, columns * width, count * height * width, height,
             width, offset_type, index_type, base, type);
  made.block_order = order;
  return create_packed(result, made, offsets, indices, values);
}

/// Documented: whole blocks.
template <typename Result>
cusparseStatus_t create_blocked_ell(Result* result, std::int64_t rows, std::int64_t columns,
                                    std::int64_t block, std::int64_t length, const void* indices,
                                    const void* values, cusparseIndexType_t index_type,
                                    cusparseIndexBase_t base, cudaDataType type) {
  if (block <= 0 || length < 0 || rows % block != 0 || length % block != 0)
    return CUSPARSE_STATUS_INVALID_VALUE;
  cusparseSpMatDescr made = packed(CUSPARSE_FORMAT_BLOCKED_ELL, rows, columns, rows * length, block,
                                   block, index_type, index_type, base, type);
  made.blocks = length / block;
  return create_packed(result, made, nullptr, indices, values);
}

template <typename Result>
cusparseStatus_t create_sliced_ell(Result* result, std::int64_t rows, std::int64_t columns,
                                   std::int64_t values_count, std::int64_t slice,
                                   const void* offsets, const void* indices, const void* values,
                                   cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type) {
  return create_packed(result,
                       packed(CUSPARSE_FORMAT_SLICED_ELLPACK, rows, columns, values_count, slice, 1,
                              offset_type, index_type, base, type),
                       offsets, indices, values);
}

template <typename Pointer>
cusparseStatus_t get_blocked_ell(const cusparseSpMatDescr* matrix, std::int64_t* rows,
                                 std::int64_t* columns, std::int64_t* block, std::int64_t* length,
                                 Pointer** indices, Pointer** values,
                                 cusparseIndexType_t* index_type, cusparseIndexBase_t* base,
                                 cudaDataType* type) {
  if (!is_live(matrix) || matrix->format != CUSPARSE_FORMAT_BLOCKED_ELL)
    return CUSPARSE_STATUS_INVALID_VALUE;
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
                            cusparseIndexBase_t* base, cudaDataType* type) {
  if (!is_live(matrix) || matrix->format != format) return CUSPARSE_STATUS_INVALID_VALUE;
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
                              void* indices, void* values) {
  if (!is_live(matrix) || matrix->format != format || !offsets)
    return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->offsets = offsets;
  matrix->indices = indices;
  matrix->values = values;
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t set_batch(cusparseSpMatDescr* matrix, cusparseFormat_t format, int count,
                           std::int64_t offset_stride, std::int64_t index_stride,
                           std::int64_t value_stride) {
  if (!is_live(matrix) || matrix->format != format || count < 1)
    return CUSPARSE_STATUS_INVALID_VALUE;
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
    return sparse::create(vector, made,                                                            \
                          size >= 0 && count >= 0 && count <= size &&                              \
                              sparse::is_index_type(index_type) && sparse::is_base(base));         \
  }                                                                                                \
  cusparseStatus_t cusparseCreate##Const##DnVec(cusparse##Const##DnVecDescr_t* vector,             \
                                                int64_t size, Q void* values, cudaDataType type) { \
    const cusparseDnVecDescr made = {size, const_cast<void*>(values), type};                       \
    return sparse::create(vector, made, size >= 0);                                                \
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
    return sparse::create(matrix, made,                                                            \
                          rows >= 0 && columns >= 0 && sparse::is_order(order) &&                  \
                              leading >= (order == CUSPARSE_ORDER_COL ? rows : columns));          \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##SpVecGet(cusparse##Const##SpVecDescr_t vector, int64_t* size,  \
                                             int64_t* count, Q void** indices, Q void** values,    \
                                             cusparseIndexType_t* index_type,                      \
                                             cusparseIndexBase_t* base, cudaDataType* type) {      \
    if (!is_live(vector)) return CUSPARSE_STATUS_INVALID_VALUE;                                    \
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
    if (!is_live(vector)) return CUSPARSE_STATUS_INVALID_VALUE;                                    \
    sparse::put(size, vector->size);                                                               \
    sparse::put(values, vector->values);                                                           \
    sparse::put(type, vector->type);                                                               \
    return CUSPARSE_STATUS_SUCCESS;                                                                \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnMatGet(cusparse##Const##DnMatDescr_t matrix, int64_t* rows,  \
                                             int64_t* columns, int64_t* leading, Q void** values,  \
                                             cudaDataType* type, cusparseOrder_t* order) {         \
    if (!is_live(matrix)) return CUSPARSE_STATUS_INVALID_VALUE;                                    \
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
    const bool is_right = is_live(vector);                                                         \
    return sparse::get_values(is_right ? vector->values : nullptr, values, is_right);              \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnVecGetValues(cusparse##Const##DnVecDescr_t vector,           \
                                                   Q void** values) {                              \
    const bool is_right = is_live(vector);                                                         \
    return sparse::get_values(is_right ? vector->values : nullptr, values, is_right);              \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##SpMatGetValues(cusparse##Const##SpMatDescr_t matrix,           \
                                                   Q void** values) {                              \
    const bool is_right = is_live(matrix);                                                         \
    return sparse::get_values(is_right ? matrix->values : nullptr, values, is_right);              \
  }                                                                                                \
  cusparseStatus_t cusparse##Const##DnMatGetValues(cusparse##Const##DnMatDescr_t matrix,           \
                                                   Q void** values) {                              \
    const bool is_right = is_live(matrix);                                                         \
    return sparse::get_values(is_right ? matrix->values : nullptr, values, is_right);              \
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
  return sparse::get(vector, &cusparseSpVecDescr::base, base);
}
cusparseStatus_t cusparseSpMatGetIndexBase(cusparseConstSpMatDescr_t matrix,
                                           cusparseIndexBase_t* base) {
  return sparse::get(matrix, &cusparseSpMatDescr::base, base);
}
cusparseStatus_t cusparseSpMatGetFormat(cusparseConstSpMatDescr_t matrix,
                                        cusparseFormat_t* format) {
  return sparse::get(matrix, &cusparseSpMatDescr::format, format);
}
cusparseStatus_t cusparseSpMatGetStridedBatch(cusparseConstSpMatDescr_t matrix, int* count) {
  return sparse::get(matrix, &cusparseSpMatDescr::batch_count, count);
}
cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t* rows,
                                      int64_t* columns, int64_t* count) {
  if (!is_live(matrix)) return CUSPARSE_STATUS_INVALID_VALUE;
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
  if (!is_live(matrix) || count < 1) return CUSPARSE_STATUS_INVALID_VALUE;
  matrix->batch_count = count;
  matrix->batch_stride = stride;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseDnMatGetStridedBatch(cusparseConstDnMatDescr_t matrix, int* count,
                                              int64_t* stride) {
  if (!is_live(matrix)) return CUSPARSE_STATUS_INVALID_VALUE;
  sparse::put(count, matrix->batch_count);
  sparse::put(stride, matrix->batch_stride);
  return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetAttribute(cusparseSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  if (!is_live(matrix) || !data) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && bytes == sizeof matrix->fill)
    matrix->fill = *static_cast<const cusparseFillMode_t*>(data);
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && bytes == sizeof matrix->diagonal)
    matrix->diagonal = *static_cast<const cusparseDiagType_t*>(data);
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  return CUSPARSE_STATUS_SUCCESS;
}
cusparseStatus_t cusparseSpMatGetAttribute(cusparseConstSpMatDescr_t matrix,
                                           cusparseSpMatAttribute_t attribute, void* data,
                                           size_t bytes) {
  if (!is_live(matrix) || !data) return CUSPARSE_STATUS_INVALID_VALUE;
  if (attribute == CUSPARSE_SPMAT_FILL_MODE && bytes == sizeof matrix->fill)
    *static_cast<cusparseFillMode_t*>(data) = matrix->fill;
  else if (attribute == CUSPARSE_SPMAT_DIAG_TYPE && bytes == sizeof matrix->diagonal)
    *static_cast<cusparseDiagType_t*>(data) = matrix->diagonal;
  else
    return CUSPARSE_STATUS_INVALID_VALUE;
  return CUSPARSE_STATUS_SUCCESS;
}

}  // extern "C"
