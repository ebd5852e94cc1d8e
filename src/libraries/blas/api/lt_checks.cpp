// cuBLASLt: which products there are, and how elements of a layout lie.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/lt_matmul.h"

#include "libraries/blas/api/arguments.h"

#include <algorithm>
#include <array>

namespace gridspan::libraries::blas {
namespace {

bool is_byte_float(std::uint32_t type) { return type == CUDA_R_8F_E4M3 || type == CUDA_R_8F_E5M2; }
bool is_real_float(std::uint32_t type) {
  return type == CUDA_R_32F || type == CUDA_R_16F || type == CUDA_R_16BF;
}
bool is_complex_float(std::uint32_t type) {
  return type == CUDA_C_32F || type == CUDA_C_16F || type == CUDA_C_16BF;
}

bool computes_in_float(std::int32_t compute) {
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32:
    case CUBLAS_COMPUTE_32F_EMULATED_16BFX9:
      return true;
    default:
      return false;
  }
}

/// Is there a product of these types?
bool has_types(const LtProduct& p) {
  const std::uint32_t a = p.a.type, b = p.b.type, c = p.c.type, d = p.d.type;
  const std::int32_t compute = p.product.compute_type, scale = p.product.scale_type;
  const auto all = [&](std::uint32_t type) {
    return a == type && b == type && c == type && d == type;
  };
  if (computes_in_float(compute)) {
    if (scale == CUDA_C_32F && has_planes(p.d))
      return a == b && is_complex_float(a) && c == d && (d == a || d == CUDA_C_32F);
    if (scale == CUDA_C_32F) return all(CUDA_C_32F);
    if (scale != CUDA_R_32F) return false;
    if (is_byte_float(a) && is_byte_float(b))
      return is_real_float(c) && (d == c || is_byte_float(d));
    if (a == CUDA_R_4F_E2M1 && b == CUDA_R_4F_E2M1)
      return is_real_float(c) && (d == c || d == CUDA_R_4F_E2M1);
    const bool has_inputs = a == b && (is_real_float(a) || a == CUDA_R_8I);
    return has_inputs && c == d && (d == CUDA_R_32F || (d == a && a != CUDA_R_8I));
  }
  switch (compute) {
    case CUBLAS_COMPUTE_16F:
    case CUBLAS_COMPUTE_16F_PEDANTIC:
      return scale == CUDA_R_16F && all(CUDA_R_16F);
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT:
    case CUBLAS_COMPUTE_64F_PEDANTIC:
      return scale == CUDA_C_64F ? all(CUDA_C_64F) : scale == CUDA_R_64F && all(CUDA_R_64F);
    case CUBLAS_COMPUTE_32I:
    case CUBLAS_COMPUTE_32I_PEDANTIC: {
      const std::uint32_t result = scale == CUDA_R_32I ? CUDA_R_32I : CUDA_R_8I;
      return (scale == CUDA_R_32I || scale == CUDA_R_32F) && a == CUDA_R_8I && b == CUDA_R_8I &&
             c == result && d == result;
    }
    default:
      return false;
  }
}

bool has_epilogue(const LtProduct& p) {
  const bool is_real = p.product.scale_type == CUDA_R_32F || p.product.scale_type == CUDA_R_16F ||
                       p.product.scale_type == CUDA_R_64F;
  switch (p.product.epilogue) {
    case CUBLASLT_EPILOGUE_DEFAULT:
      return true;
    case CUBLASLT_EPILOGUE_BIAS:
      return p.product.scale_type != CUDA_R_32I;
    case CUBLASLT_EPILOGUE_RELU:
    case CUBLASLT_EPILOGUE_RELU_AUX:
    case CUBLASLT_EPILOGUE_RELU_BIAS:
    case CUBLASLT_EPILOGUE_RELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DRELU:
    case CUBLASLT_EPILOGUE_DRELU_BGRAD:
    case CUBLASLT_EPILOGUE_GELU:
    case CUBLASLT_EPILOGUE_GELU_AUX:
    case CUBLASLT_EPILOGUE_GELU_BIAS:
    case CUBLASLT_EPILOGUE_GELU_AUX_BIAS:
    case CUBLASLT_EPILOGUE_DGELU:
    case CUBLASLT_EPILOGUE_DGELU_BGRAD:
    case CUBLASLT_EPILOGUE_BGRADA:
    case CUBLASLT_EPILOGUE_BGRADB:
      return is_real;
    default:
      return false;
  }
}

struct NamedLayout {
  const char* name;
  const Layout* layout;
};
std::array<NamedLayout, 4> named_layouts(const LtProduct& p) {
  return {{{"Adesc", &p.a}, {"Bdesc", &p.b}, {"Cdesc", &p.c}, {"Ddesc", &p.d}}};
}

/// Factors of a matrix that are more than one number: for types of 8 and 4 bits only.
cublasStatus_t check_factors(Check& check, const LtProduct& p) {
  const auto refuse = [&](const char* why, cublasStatus_t status = Answers::invalid) {
    return check.refuse("computeDesc", why, status);
  };
  constexpr const char* no_mode = "has modes of factors that are not there together";
  const Product& given = p.product;
  const auto is_documented = [](std::int32_t mode) {
    return mode >= CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F &&
           mode < CUBLASLT_MATMUL_MATRIX_SCALE_END;
  };
  for (const std::int32_t mode : {given.scale_mode_a, given.scale_mode_b, given.scale_mode_c,
                                  given.scale_mode_d, given.scale_mode_aux, given.scale_mode_out})
    if (!is_documented(mode)) return refuse("has a mode of factors that is none");
  const std::int32_t a = given.scale_mode_a, b = given.scale_mode_b;
  const auto is_one = [](std::int32_t mode) {
    return mode == CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F;
  };
  const auto has_mode = [](std::int32_t mode, std::uint32_t type, const void* factors) {
    switch (mode) {
      case CUBLASLT_MATMUL_MATRIX_SCALE_SCALAR_32F:
        return type != CUDA_R_4F_E2M1;
      case CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3:
        return type == CUDA_R_4F_E2M1 && factors;
      default:
        return is_byte_float(type) && factors;
    }
  };
  if (!has_mode(a, p.a.type, given.scale_a))
    return refuse("has factors of A that its type does not have, or a null pointer to them");
  if (!has_mode(b, p.b.type, given.scale_b))
    return refuse("has factors of B that its type does not have, or a null pointer to them");
  const bool has_per_batch = a == CUBLASLT_MATMUL_MATRIX_SCALE_PER_BATCH_SCALAR_32F;
  if (has_per_batch && !p.is_grouped()) return refuse(no_mode, Answers::unsupported);
  const bool has_large_blocks = (a == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F &&
                                 b == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F) ||
                                (a == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F &&
                                 b == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F);
  if (a != b && !has_large_blocks) return refuse(no_mode, Answers::unsupported);
  if (a == b && a == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F)
    return refuse(no_mode, Answers::unsupported);
  if (!is_one(given.scale_mode_c) || !is_one(given.scale_mode_d) || !is_one(given.scale_mode_aux))
    return refuse(no_mode, Answers::unsupported);
  // What comes out in vectors has factors that the product computes.
  const bool gives_vectors = !is_one(given.scale_mode_out);
  const std::int32_t of_result = p.d.type == CUDA_R_4F_E2M1
                                     ? CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3
                                     : CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
  const bool has_vectors =
      a == of_result && (p.d.type == CUDA_R_4F_E2M1 || is_byte_float(p.d.type));
  if (gives_vectors && (given.scale_mode_out != of_result || !has_vectors || !given.scale_out))
    return refuse("has factors of D that its type does not have, or a null pointer to them");
  if (p.d.type == CUDA_R_4F_E2M1 && !gives_vectors) return refuse("has no factors of D");
  if (!is_one(a) && !has_per_batch && is_byte_float(p.d.type) && !gives_vectors)
    return refuse("has no factors of D", Answers::unsupported);
  const bool has_orders = p.d.order == CUBLASLT_ORDER_COL && !p.is_grouped();
  if (gives_vectors && !has_orders)
    return refuse("has factors of D that its order does not have", Answers::unsupported);
  // How the factors of a batch's matrices lie is not documented.
  const bool is_batch = !p.is_grouped() && p.d.batch_count > 1;
  return is_batch && (!is_one(a) || gives_vectors)
             ? refuse("has factors for a batch", Answers::unsupported)
             : CUBLAS_STATUS_SUCCESS;
}

/// Types, epilogue, factors and modes that are there; sizes fit already.
cublasStatus_t check_kinds(Check& check, const LtProduct& p);

/// Sizes of groups are in device memory: what can be said without them.
cublasStatus_t check_groups(Check& check, const LtProduct& p) {
  const Product& given = p.product;
  for (const auto& [name, x] : named_layouts(p)) {
    if (x->batch_mode != CUBLASLT_BATCH_MODE_GROUPED || x->batch_count != p.d.batch_count)
      return check.refuse(name, "has other groups than Ddesc");
    if (x->order != CUBLASLT_ORDER_COL && x->order != CUBLASLT_ORDER_ROW)
      return check.refuse(name, "has an order that groups do not have", Answers::unsupported);
    for (const std::int32_t width : {x->size_width, x->lead_width})
      if (width != CUBLASLT_INTEGER_WIDTH_32 && width != CUBLASLT_INTEGER_WIDTH_64)
        return check.refuse(name, "has a width of integers that is none");
  }
  const bool has_modes = (given.pointer_mode == CUBLASLT_POINTER_MODE_HOST &&
                          given.alpha_stride == 0 && given.beta_stride == 0) ||
                         given.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE;
  const bool has_epilogue =
      given.epilogue == CUBLASLT_EPILOGUE_DEFAULT || given.epilogue == CUBLASLT_EPILOGUE_BIAS;
  if (!has_modes || !has_epilogue || given.scale_d || given.largest_d)
    return check.refuse("computeDesc", "has a pointer mode, an epilogue or factors of D for groups",
                        Answers::unsupported);
  return check_kinds(check, p);
}

bool is_number_type(std::int32_t type) {
  return is_real_float(static_cast<std::uint32_t>(type)) || type == CUDA_R_64F ||
         is_byte_float(static_cast<std::uint32_t>(type));
}

}  // namespace

bool has_planes(const Layout& layout) {
  return layout.plane_offset != 0 && is_complex_float(layout.type);
}

Factors factors_of(std::int32_t scale_mode) {
  switch (scale_mode) {
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3:
      return Factors::vectors_16;
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0:
      return Factors::vectors_32;
    case CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F:
      return Factors::lines;
    case CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F:
      return Factors::vectors_128;
    case CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F:
      return Factors::blocks_128;
    default:
      return Factors::none;
  }
}

std::int64_t element_size(cudaDataType type) {
  switch (type) {
    case CUDA_R_8I:
    case CUDA_R_8F_E4M3:
    case CUDA_R_8F_E5M2:
      return 1;
    case CUDA_R_16F:
    case CUDA_R_16BF:
      return 2;
    case CUDA_R_64F:
    case CUDA_C_32F:
      return 8;
    case CUDA_C_64F:
      return 16;
    default:
      return 4;
  }
}

cublasStatus_t check(Check& check, const Layout& layout, const char* argument, bool is_of_product) {
  const auto rows = static_cast<std::int64_t>(layout.rows),
             columns = static_cast<std::int64_t>(layout.columns);
  if (rows < 0 || columns < 0 || layout.batch_count < 0)
    return check.refuse(argument, "has a negative size");
  const bool is_plain = layout.batch_mode == CUBLASLT_BATCH_MODE_STRIDED;
  if (!is_plain && !(is_of_product && layout.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY))
    return check.refuse(argument, "has a batch mode that is not there",
                        is_of_product ? Answers::invalid : Answers::unsupported);
  if (layout.plane_offset != 0 &&
      !(is_of_product && has_planes(layout) && is_plain && layout.order <= CUBLASLT_ORDER_ROW))
    return check.refuse(argument, "has planes that are not there", Answers::unsupported);
  if (layout.type == CUDA_R_4F_E2M1 &&  // lines begin with a byte
      !(is_plain && layout.order <= CUBLASLT_ORDER_ROW && layout.lead % 2 == 0))
    return check.refuse(argument, "has numbers of 4 bits in lines that do not begin with a byte",
                        Answers::unsupported);
  const auto tile = [&](std::int64_t height) {
    return 32 * std::max<std::int64_t>(1, (rows + height - 1) / height * height);
  };
  std::int64_t least = 0;
  switch (layout.order) {
    case CUBLASLT_ORDER_COL:
      least = std::max<std::int64_t>(1, rows);
      break;
    case CUBLASLT_ORDER_ROW:
      least = std::max<std::int64_t>(1, columns);
      break;
    case CUBLASLT_ORDER_COL32:
      least = tile(1);
      break;
    case CUBLASLT_ORDER_COL4_4R2_8C:
      least = tile(8);
      break;
    case CUBLASLT_ORDER_COL32_2R_4R4:
      least = tile(32);
      break;
    default:
      return check.refuse(argument, "has an order that is none");
  }
  if (layout.lead >= least) return CUBLAS_STATUS_SUCCESS;
  return check.refuse(argument, "has a leading dimension that is too small");
}

Placement placement_of(const Layout& layout) {
  Placement result;
  result.batch = layout.batch_stride;
  result.column = layout.lead;
  switch (layout.order) {
    case CUBLASLT_ORDER_ROW:
      result.row = layout.lead;
      result.column = 1;
      break;
    case CUBLASLT_ORDER_COL32:
      result.order = ElementOrder::columns_32;
      break;
    case CUBLASLT_ORDER_COL4_4R2_8C:
      result.order = ElementOrder::turing_tiles;
      break;
    case CUBLASLT_ORDER_COL32_2R_4R4:
      result.order = ElementOrder::ampere_tiles;
      break;
    default:
      break;
  }
  return result;
}

cublasStatus_t check(Check& check, const LtProduct& p) {
  const Product& given = p.product;
  if (p.is_grouped()) return check_groups(check, p);
  const auto is_known = [](std::int32_t operation) {
    return is_operation(static_cast<cublasOperation_t>(operation));
  };
  if (!is_known(given.transpose_a) || !is_known(given.transpose_b))
    return check.refuse("computeDesc", "has a transposition that is none");
  for (const auto& [name, layout] : named_layouts(p))
    if (const cublasStatus_t status = libraries::blas::check(check, *layout, name, true);
        status != CUBLAS_STATUS_SUCCESS)
      return status;
  const bool a_is_whole = given.transpose_a == CUBLAS_OP_N,
             b_is_whole = given.transpose_b == CUBLAS_OP_N;
  const std::uint64_t k = static_cast<std::uint64_t>(p.k());
  if ((a_is_whole ? p.a.rows : p.a.columns) != p.d.rows)
    return check.refuse("Adesc", "has not the rows of Ddesc");
  if ((b_is_whole ? p.b.columns : p.b.rows) != p.d.columns)
    return check.refuse("Bdesc", "has not the columns of Ddesc");
  if ((b_is_whole ? p.b.rows : p.b.columns) != k)
    return check.refuse("Bdesc", "has not as many rows as Adesc has columns");
  if (p.c.rows != p.d.rows || p.c.columns != p.d.columns)
    return check.refuse("Cdesc", "has not the size of Ddesc");
  for (const auto& [name, x] : named_layouts(p))
    if (x->batch_count != p.d.batch_count || x->batch_mode != p.d.batch_mode ||
        has_planes(*x) != has_planes(p.d))
      return check.refuse(name, "has not the batch or the planes of Ddesc");
  if (p.d.batch_mode == CUBLASLT_BATCH_MODE_POINTER_ARRAY &&
      (given.epilogue != CUBLASLT_EPILOGUE_DEFAULT || given.scale_type == CUDA_C_32F ||
       given.scale_type == CUDA_C_64F))
    return check.refuse("computeDesc", "has an epilogue or a type that arrays of pointers have not",
                        Answers::unsupported);
  if (const cublasStatus_t status = check_kinds(check, p); status != CUBLAS_STATUS_SUCCESS)
    return status;
  if (p.has(with_aux)) {
    const bool has_bits = p.has(with_relu | with_relu_gradient);
    if (given.aux_lead < p.m() || (has_bits && given.aux_lead % 8 != 0))
      return check.refuse("computeDesc",
                          "has a leading dimension of the epilogue's matrix that is "
                          "too small, or no multiple of 8");
  }
  return CUBLAS_STATUS_SUCCESS;
}

namespace {

cublasStatus_t check_kinds(Check& check, const LtProduct& p) {
  const Product& given = p.product;
  if (!has_types(p))
    return check.refuse("computeDesc", "has types that are not there with those of the matrices",
                        Answers::unsupported);
  const bool is_there =
      has_epilogue(p) && given.transpose_c == CUBLAS_OP_N &&
      given.fill_mode == CUBLAS_FILL_MODE_FULL &&
      (given.pointer_mode == CUBLASLT_POINTER_MODE_HOST ||
       given.pointer_mode == CUBLASLT_POINTER_MODE_DEVICE ||
       (given.pointer_mode > CUBLASLT_POINTER_MODE_DEVICE_VECTOR &&
        given.pointer_mode <= CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST &&
        (given.scale_type == CUDA_R_32F || given.scale_type == CUDA_R_64F))) &&
      (given.bias_type == -1 || is_number_type(given.bias_type) ||
       given.bias_type == given.scale_type) &&
      (given.aux_type == -1 || is_number_type(given.aux_type));
  if (is_there) return check_factors(check, p);
  return check.refuse("computeDesc", "has an epilogue, a mode or a type that is not there",
                      Answers::unsupported);
}

}  // namespace
}  // namespace gridspan::libraries::blas
