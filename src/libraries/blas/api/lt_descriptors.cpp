// cuBLASLt: descriptors of matrices, products, transformations and preferences, and their
// attributes. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A descriptor's opaque words hold one of the structs below, in memory of ours or of the program.
#include "libraries/blas/api/lt_descriptors.h"

#include "libraries/blas/api/checks.h"

#include <cublasLt.h>

#include <cstring>
#include <span>

namespace gridspan::libraries::blas {
namespace {

/// An attribute lies so many bytes from the beginning of the struct.
struct Field {
  int attribute;
  std::size_t offset, size;
};
#define GRIDSPAN_FIELD(attribute, type, member) \
  Field { attribute, offsetof(type, member), sizeof(type::member) }

constexpr Field layout_fields[] = {
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_TYPE, Layout, type),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_ORDER, Layout, order),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS, Layout, rows),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_COLS, Layout, columns),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_LD, Layout, lead),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, Layout, batch_count),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, Layout, batch_stride),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET, Layout, plane_offset),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, Layout, batch_mode),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_ROWS_COLS_ARRAY_INTEGER_WIDTH, Layout, size_width),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH, Layout, lead_width),
};
constexpr Field product_fields[] = {
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_COMPUTE_TYPE, Product, compute_type),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_SCALE_TYPE, Product, scale_type),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_POINTER_MODE, Product, pointer_mode),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_TRANSA, Product, transpose_a),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_TRANSB, Product, transpose_b),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_TRANSC, Product, transpose_c),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_FILL_MODE, Product, fill_mode),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE, Product, epilogue),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_BIAS_POINTER, Product, bias),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, Product, bias_batch_stride),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, Product, aux),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, Product, aux_lead),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE, Product, aux_batch_stride),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE, Product, alpha_batch_stride),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET, Product, sm_count_target),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, Product, scale_a),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, Product, scale_b),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, Product, scale_c),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, Product, scale_d),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, Product, largest_d),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE, Product, aux_type),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER, Product, scale_aux),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER, Product, largest_aux),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_FAST_ACCUM, Product, fast_accumulation),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, Product, bias_type),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_A_SCALE_MODE, Product, scale_mode_a),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_B_SCALE_MODE, Product, scale_mode_b),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_C_SCALE_MODE, Product, scale_mode_c),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_D_SCALE_MODE, Product, scale_mode_d),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_MODE, Product, scale_mode_aux),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, Product, scale_out),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, Product, scale_mode_out),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_EMULATION_DESCRIPTOR, Product, emulation),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE, Product, alpha_stride),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_DESC_BETA_BATCH_STRIDE, Product, beta_stride),
};
constexpr Field transform_fields[] = {
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_SCALE_TYPE, Transform, scale_type),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_POINTER_MODE, Transform, pointer_mode),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA, Transform, transpose_a),
    GRIDSPAN_FIELD(CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSB, Transform, transpose_b),
};
constexpr Field preference_fields[] = {
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_SEARCH_MODE, Preference, search_mode),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, Preference, most_workspace),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK, Preference, reduction_schemes),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, Preference, alignment_a),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, Preference, alignment_b),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, Preference, alignment_c),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, Preference, alignment_d),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT, Preference, most_waves),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_IMPL_MASK, Preference, implementations),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS, Preference, average_rows),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_COLS, Preference, average_columns),
    GRIDSPAN_FIELD(CUBLASLT_MATMUL_PREF_GROUPED_AVERAGE_REDUCTION_DIM, Preference, average_depth),
};
constexpr Field emulation_fields[] = {
    GRIDSPAN_FIELD(CUBLASLT_EMULATION_DESC_STRATEGY, Emulation, strategy),
    GRIDSPAN_FIELD(CUBLASLT_EMULATION_DESC_SPECIAL_VALUES_SUPPORT, Emulation, special_values),
    GRIDSPAN_FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_CONTROL, Emulation,
                   mantissa_control),
    GRIDSPAN_FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT, Emulation,
                   most_mantissa_bits),
    GRIDSPAN_FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_OFFSET, Emulation,
                   mantissa_bit_offset),
    GRIDSPAN_FIELD(CUBLASLT_EMULATION_DESC_FIXEDPOINT_MANTISSA_BIT_COUNT_POINTER, Emulation,
                   mantissa_bits),
};
#undef GRIDSPAN_FIELD

const Field* find(std::span<const Field> fields, int attribute) {
  for (const Field& field : fields)
    if (field.attribute == attribute) return &field;
  return nullptr;
}

/// Average sizes of groups have 32 bits in the documentation, and 64 in programs.
bool has_size(const Field& field, std::size_t size) {
  return size == field.size ||
         (field.attribute >= CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS &&
          field.attribute <= CUBLASLT_MATMUL_PREF_GROUPED_AVERAGE_REDUCTION_DIM &&
          size == sizeof(std::int64_t));
}

// What the functions call the descriptors.
const char* name_of(const cublasLtMatrixLayoutOpaque_t*) { return "matLayout"; }
const char* name_of(const cublasLtMatmulDescOpaque_t*) { return "matmulDesc"; }
const char* name_of(const cublasLtMatrixTransformDescOpaque_t*) { return "transformDesc"; }
const char* name_of(const cublasLtMatmulPreferenceOpaque_t*) { return "pref"; }
const char* name_of(const cublasLtEmulationDescOpaque_t*) { return "emulationDesc"; }

template <typename Opaque>
cublasStatus_t set(Opaque* descriptor, std::span<const Field> fields, int attribute,
                   const void* value, std::size_t size, const char* call = __builtin_FUNCTION()) {
  const Field* const field = find(fields, attribute);
  const bool widens = fields.data() == preference_fields;
  Check check(call);
  check.given(descriptor, name_of(descriptor)).known(field, attribute, "attr").given(value, "buf");
  if (check.failed()) return check.status();
  if (!(widens && has_size(*field, size)))
    check.same(static_cast<std::int64_t>(size), static_cast<std::int64_t>(field->size),
               "sizeInBytes", "the attribute has");
  if (check.failed()) return check.status();
  size = field->size;
  std::memcpy(reinterpret_cast<char*>(descriptor) + field->offset, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Opaque>
cublasStatus_t get(const Opaque* descriptor, std::span<const Field> fields, int attribute,
                   void* value, std::size_t size, std::size_t* written,
                   const char* call = __builtin_FUNCTION()) {
  const Field* const field = find(fields, attribute);
  Check check(call);
  check.given(descriptor, name_of(descriptor)).known(field, attribute, "attr");
  if (size == 0) check.given(written, "sizeWritten");
  if (size > 0) check.given(value, "buf");
  if (size > 0 && !check.failed())
    check.at_least(static_cast<std::int64_t>(size), static_cast<std::int64_t>(field->size),
                   "sizeInBytes");
  if (check.failed()) return check.status();
  if (written) *written = field->size;
  if (size > 0)
    std::memcpy(value, reinterpret_cast<const char*>(descriptor) + field->offset, field->size);
  return CUBLAS_STATUS_SUCCESS;
}

/// `bytes` is what the program's header says: an older one may have less, never more.
template <typename Contents, typename Opaque>
cublasStatus_t initialise(Opaque* descriptor, std::size_t bytes, const Contents& contents,
                          const char* call = __builtin_FUNCTION()) {
  static_assert(sizeof(Contents) <= sizeof(Opaque));
  Check check(call);
  check.given(descriptor, name_of(descriptor))
      .at_least(static_cast<std::int64_t>(bytes), sizeof(Contents), "size");
  if (check.failed()) return check.status();
  std::memset(descriptor, 0, bytes);
  std::memcpy(descriptor, &contents, sizeof contents);
  return CUBLAS_STATUS_SUCCESS;
}

template <typename Contents, typename Opaque>
cublasStatus_t create(Opaque** descriptor, const Contents& contents,
                      const char* call = __builtin_FUNCTION()) {
  if (const Check check = Check(call).given(descriptor, name_of(static_cast<Opaque*>(nullptr)));
      check.failed())
    return check.status();
  if (!create_live(descriptor)) return CUBLAS_STATUS_ALLOC_FAILED;
  return initialise(*descriptor, sizeof **descriptor, contents);
}

}  // namespace
}  // namespace gridspan::libraries::blas

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

#define GRIDSPAN_DESCRIPTOR(Name, attribute_type, fields)                                         \
  cublasStatus_t cublasLt##Name##Destroy(cublasLt##Name##_t descriptor) {                         \
    return live<cublasLt##Name##Opaque_t>().destroy(descriptor)                                   \
               ? CUBLAS_STATUS_SUCCESS                                                            \
               : blas::Check(__func__).no_object(descriptor, blas::name_of(descriptor));          \
  }                                                                                               \
  cublasStatus_t cublasLt##Name##SetAttribute(cublasLt##Name##_t descriptor, attribute_type what, \
                                              const void* value, size_t size) {                   \
    return blas::set(descriptor, blas::fields, what, value, size);                                \
  }                                                                                               \
  cublasStatus_t cublasLt##Name##GetAttribute(cublasLt##Name##_t descriptor, attribute_type what, \
                                              void* value, size_t size, size_t* written) {        \
    return blas::get(descriptor, blas::fields, what, value, size, written);                       \
  }

extern "C" {

GRIDSPAN_DESCRIPTOR(MatrixLayout, cublasLtMatrixLayoutAttribute_t, layout_fields)
GRIDSPAN_DESCRIPTOR(MatmulDesc, cublasLtMatmulDescAttributes_t, product_fields)
GRIDSPAN_DESCRIPTOR(MatrixTransformDesc, cublasLtMatrixTransformDescAttributes_t, transform_fields)
GRIDSPAN_DESCRIPTOR(MatmulPreference, cublasLtMatmulPreferenceAttributes_t, preference_fields)
GRIDSPAN_DESCRIPTOR(EmulationDesc, cublasLtEmulationDescAttributes_t, emulation_fields)

cublasStatus_t cublasLtMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size,
                                                 cudaDataType type, uint64_t rows, uint64_t columns,
                                                 int64_t lead) {
  return blas::initialise(layout, size, blas::Layout(type, rows, columns, lead));
}
cublasStatus_t cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                          uint64_t rows, uint64_t columns, int64_t lead) {
  return blas::create(layout, blas::Layout(type, rows, columns, lead));
}

cublasStatus_t cublasLtGroupedMatrixLayoutInit_internal(cublasLtMatrixLayout_t layout, size_t size,
                                                        cudaDataType type, int groups,
                                                        const void* rows, const void* columns,
                                                        const void* leads) {
  blas::Check check(__func__);
  check.at_least(groups, 1, "groupCount").given(rows, "rowsArray").given(columns, "colsArray");
  if (check.given(leads, "ldArray").failed()) return check.status();
  return blas::initialise(layout, size, blas::Layout(type, groups, rows, columns, leads));
}
cublasStatus_t cublasLtGroupedMatrixLayoutCreate(cublasLtMatrixLayout_t* layout, cudaDataType type,
                                                 int groups, const void* rows, const void* columns,
                                                 const void* leads) {
  blas::Check check(__func__);
  check.at_least(groups, 1, "groupCount").given(rows, "rowsArray").given(columns, "colsArray");
  if (check.given(leads, "ldArray").failed()) return check.status();
  return blas::create(layout, blas::Layout(type, groups, rows, columns, leads));
}

cublasStatus_t cublasLtEmulationDescInit_internal(cublasLtEmulationDesc_t emulation, size_t size) {
  return blas::initialise(emulation, size, blas::Emulation());
}
cublasStatus_t cublasLtEmulationDescCreate(cublasLtEmulationDesc_t* emulation) {
  return blas::create(emulation, blas::Emulation());
}

cublasStatus_t cublasLtMatmulDescInit_internal(cublasLtMatmulDesc_t product, size_t size,
                                               cublasComputeType_t compute, cudaDataType_t scale) {
  return blas::initialise(product, size, blas::Product(compute, scale));
}
cublasStatus_t cublasLtMatmulDescCreate(cublasLtMatmulDesc_t* product, cublasComputeType_t compute,
                                        cudaDataType_t scale) {
  return blas::create(product, blas::Product(compute, scale));
}

cublasStatus_t cublasLtMatrixTransformDescInit_internal(cublasLtMatrixTransformDesc_t transform,
                                                        size_t size, cudaDataType scale) {
  return blas::initialise(transform, size, blas::Transform(scale));
}
cublasStatus_t cublasLtMatrixTransformDescCreate(cublasLtMatrixTransformDesc_t* transform,
                                                 cudaDataType scale) {
  return blas::create(transform, blas::Transform(scale));
}

cublasStatus_t cublasLtMatmulPreferenceInit_internal(cublasLtMatmulPreference_t preference,
                                                     size_t size) {
  return blas::initialise(preference, size, blas::Preference());
}
cublasStatus_t cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t* preference) {
  return blas::create(preference, blas::Preference());
}

}  // extern "C"
