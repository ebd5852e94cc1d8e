// cuBLASLt: algorithms. There is one, which takes every product that is there, needs no workspace
// and has nothing to choose; what a program sets is kept and handed back. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "libraries/blas/api/lt_matmul.h"

#include <cstddef>
#include <cstring>
#include <span>

namespace gridspan::libraries::blas {
namespace {

/// The contents of cublasLtMatmulAlgo_t.
struct Algorithm {
  static constexpr std::uint32_t ours = 0x67735f31;
  std::uint32_t mark = ours;
  std::int32_t id = 0;
  std::uint32_t tile = CUBLASLT_MATMUL_TILE_UNDEFINED;
  std::int32_t split_k = 1;
  std::uint32_t reduction_scheme = CUBLASLT_REDUCTION_SCHEME_NONE;
  std::uint32_t swizzling = 0, custom_option = 0;
  std::uint32_t stages = CUBLASLT_MATMUL_STAGES_UNDEFINED;
  std::uint16_t inner_shape = CUBLASLT_MATMUL_INNER_SHAPE_UNDEFINED;
  std::uint16_t cluster_shape = CUBLASLT_CLUSTER_SHAPE_AUTO;
};
static_assert(sizeof(Algorithm) <= sizeof(cublasLtMatmulAlgo_t));

struct Setting {
  int attribute;
  std::size_t offset, size;
};
#define GRIDSPAN_SETTING(attribute, member) \
  Setting { attribute, offsetof(Algorithm, member), sizeof(Algorithm::member) }
constexpr Setting settings[] = {
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_ID, id),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_TILE_ID, tile),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_SPLITK_NUM, split_k),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_REDUCTION_SCHEME, reduction_scheme),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_CTA_SWIZZLING, swizzling),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_CUSTOM_OPTION, custom_option),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_STAGES_ID, stages),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_INNER_SHAPE_ID, inner_shape),
    GRIDSPAN_SETTING(CUBLASLT_ALGO_CONFIG_CLUSTER_SHAPE_ID, cluster_shape),
};
#undef GRIDSPAN_SETTING

const Setting* find_setting(int attribute) {
  for (const Setting& setting : settings)
    if (setting.attribute == attribute) return &setting;
  return nullptr;
}

bool is_ours(const cublasLtMatmulAlgo_t* algorithm) {
  return algorithm && contents<Algorithm>(algorithm).mark == Algorithm::ours;
}

/// Programs have numbers of NVIDIA's algorithms written into them: all name this one.
void make(cublasLtMatmulAlgo_t* algorithm, int id = 0) {
  Algorithm made;
  made.id = id;
  std::memset(algorithm, 0, sizeof *algorithm);
  std::memcpy(algorithm, &made, sizeof made);
}

/// As attributes are read: `written` says how many bytes there are, a size of 0 only asks.
cublasStatus_t give_bytes(Check& check, const void* from, std::size_t bytes, void* to,
                          std::size_t size, std::size_t* written) {
  if (size == 0) check.given(written, "sizeWritten");
  if (size > 0)
    check.given(to, "buf").at_least(static_cast<std::int64_t>(size),
                                    static_cast<std::int64_t>(bytes), "sizeInBytes");
  if (check.failed()) return check.status();
  if (written) *written = bytes;
  if (size > 0 && bytes > 0) std::memcpy(to, from, bytes);
  return CUBLAS_STATUS_SUCCESS;
}
template <typename T>
cublasStatus_t give_number(Check& check, T value, void* to, std::size_t size,
                           std::size_t* written) {
  return give_bytes(check, &value, sizeof value, to, size, written);
}

/// Would a product of these types be there?
bool has_product(cublasComputeType_t compute, cudaDataType scale, cudaDataType a, cudaDataType b,
                 cudaDataType c, cudaDataType d) {
  LtProduct p = {Product(compute, scale), Layout(a, 1, 1, 2), Layout(b, 1, 1, 2),
                 Layout(c, 1, 1, 2), Layout(d, 1, 1, 2)};
  if (a == CUDA_R_4F_E2M1) {  // which always has factors
    p.product.scale_mode_a = p.product.scale_mode_b = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
    p.product.scale_a = p.product.scale_b = &p;
    if (d == CUDA_R_4F_E2M1) {
      p.product.scale_mode_out = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
      p.product.scale_out = &p;
    }
  }
  Check quiet(nullptr);
  return check(quiet, p) == CUBLAS_STATUS_SUCCESS;
}

LtProduct product_of(const cublasLtMatmulDescOpaque_t* product,
                     const cublasLtMatrixLayoutOpaque_t* a, const cublasLtMatrixLayoutOpaque_t* b,
                     const cublasLtMatrixLayoutOpaque_t* c, const cublasLtMatrixLayoutOpaque_t* d) {
  return {contents<Product>(product), contents<Layout>(a), contents<Layout>(b), contents<Layout>(c),
          contents<Layout>(d)};
}

/// The one algorithm, if it takes the product.
cublasStatus_t give_heuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                              cublasLtMatmulPreference_t preference, int requested,
                              cublasLtMatmulHeuristicResult_t results[], int* count,
                              const char* call = __builtin_FUNCTION()) {
  Check check = lt_check(handle, call);
  check.given(product, "operationDesc").given(a, "Adesc").given(b, "Bdesc").given(c, "Cdesc");
  check.given(d, "Ddesc")
      .given(preference, "preference")
      .at_least(requested, 1, "requestedAlgoCount");
  check.given(results, "heuristicResultsArray").given(count, "returnAlgoCount");
  if (check.failed()) return check.status();
  *count = 0;
  const cublasStatus_t status = libraries::blas::check(check, product_of(product, a, b, c, d));
  if (status != CUBLAS_STATUS_SUCCESS) {
    lt_log(LtLog::error, call, cublasGetStatusName(status));
    return status;
  }
  results[0] = {};
  make(&results[0].algo);
  results[0].state = CUBLAS_STATUS_SUCCESS;
  results[0].wavesCount = 1;
  *count = 1;
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace
}  // namespace gridspan::libraries::blas

using namespace gridspan::libraries;  // NOLINT(google-build-using-namespace): the C functions

extern "C" {

cublasStatus_t cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t results[],
                                              int* count) {
  return blas::give_heuristic(handle, product, a, b, c, d, preference, requested, results, count);
}

cublasStatus_t cublasLtMatmulAlgoGetHeuristicForStream(
    cublasLtHandle_t handle, cublasLtMatmulDesc_t product, cublasLtMatrixLayout_t a,
    cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
    cublasLtMatmulPreference_t preference, int requested, cublasLtMatmulHeuristicResult_t results[],
    int* count, cudaStream_t) {
  return blas::give_heuristic(handle, product, a, b, c, d, preference, requested, results, count);
}

cublasStatus_t cublasLtMatmulAlgoGetIds(cublasLtHandle_t handle, cublasComputeType_t compute,
                                        cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                        cudaDataType_t c, cudaDataType_t d, int requested,
                                        int ids[], int* count) {
  blas::Check check = blas::lt_check(handle);
  check.at_least(requested, 1, "requestedAlgoCount").given(ids, "algoIdsArray");
  check.given(count, "returnAlgoCount");
  if (check.failed()) return check.status();
  *count = blas::has_product(compute, scale, a, b, c, d) ? 1 : 0;
  if (*count) ids[0] = 0;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoInit(cublasLtHandle_t handle, cublasComputeType_t compute,
                                      cudaDataType_t scale, cudaDataType_t a, cudaDataType_t b,
                                      cudaDataType_t c, cudaDataType_t d, int id,
                                      cublasLtMatmulAlgo_t* algorithm) {
  blas::Check check = blas::lt_check(handle);
  check.given(algorithm, "algo").at_least(id, 0, "algoId");
  if (check.failed()) return check.status();
  if (!blas::has_product(compute, scale, a, b, c, d))
    return check.refuse("computeType", "is not there with these types",
                        CUBLAS_STATUS_NOT_SUPPORTED);
  blas::make(algorithm, id);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t product,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t* algorithm,
                                       cublasLtMatmulHeuristicResult_t* result) {
  blas::Check check = blas::lt_check(handle);
  check.given(product, "operationDesc").given(a, "Adesc").given(b, "Bdesc").given(c, "Cdesc");
  check.given(d, "Ddesc").that(blas::is_ours(algorithm), "algo").given(result, "result");
  if (check.failed()) return check.status();
  const auto& given = blas::contents<blas::Algorithm>(algorithm);
  const cublasStatus_t status = blas::check(check, blas::product_of(product, a, b, c, d));
  if (status != CUBLAS_STATUS_SUCCESS) return status;
  if (given.split_k > 1 || given.custom_option != 0)
    return check.refuse("algo", "has parts or an option that are not there",
                        CUBLAS_STATUS_NOT_SUPPORTED);
  *result = {};
  result->algo = *algorithm;
  result->state = CUBLAS_STATUS_SUCCESS;
  result->wavesCount = 1;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoCapGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                 cublasLtMatmulAlgoCapAttributes_t what, void* to,
                                                 size_t size, size_t* written) {
  blas::Check check(__func__);
  if (check.that(blas::is_ours(algorithm), "algo").failed()) return check.status();
  const auto number = [&](auto value) {
    return blas::give_number(check, value, to, size, written);
  };
  switch (what) {
    case CUBLASLT_ALGO_CAP_SPLITK_SUPPORT:
    case CUBLASLT_ALGO_CAP_UPLO_SUPPORT:
    case CUBLASLT_ALGO_CAP_CUSTOM_OPTION_MAX:
    case CUBLASLT_ALGO_CAP_LD_NEGATIVE:
      return number(std::int32_t{0});
    case CUBLASLT_ALGO_CAP_REDUCTION_SCHEME_MASK:
    case CUBLASLT_ALGO_CAP_CTA_SWIZZLING_SUPPORT:
      return number(std::uint32_t{0});
    case CUBLASLT_ALGO_CAP_STRIDED_BATCH_SUPPORT:
    case CUBLASLT_ALGO_CAP_OUT_OF_PLACE_RESULT_SUPPORT:
    case CUBLASLT_ALGO_CAP_CUSTOM_MEMORY_ORDER:
      return number(std::int32_t{1});
    case CUBLASLT_ALGO_CAP_TILE_IDS:
    case CUBLASLT_ALGO_CAP_STAGES_IDS:
      return blas::give_bytes(check, nullptr, 0, to, size, written);
    case CUBLASLT_ALGO_CAP_POINTER_MODE_MASK:
      return number(std::uint32_t{CUBLASLT_POINTER_MODE_MASK_HOST |
                                  CUBLASLT_POINTER_MODE_MASK_DEVICE |
                                  CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_ZERO |
                                  CUBLASLT_POINTER_MODE_MASK_ALPHA_DEVICE_VECTOR_BETA_HOST});
    case CUBLASLT_ALGO_CAP_EPILOGUE_MASK:
      return number(std::uint32_t{1023});
    case CUBLASLT_ALGO_CAP_NUMERICAL_IMPL_FLAGS:
      return number(std::uint64_t{CUBLASLT_NUMERICAL_IMPL_FLAGS_FMA |
                                  CUBLASLT_NUMERICAL_IMPL_FLAGS_ACCUMULATOR_32F});
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_A_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_B_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_C_BYTES:
    case CUBLASLT_ALGO_CAP_MIN_ALIGNMENT_D_BYTES:
      return number(std::uint32_t{1});
  }
  return check.known(false, what, "attr").status();
}

cublasStatus_t cublasLtMatmulAlgoConfigSetAttribute(cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t what,
                                                    const void* value, size_t size) {
  const blas::Setting* const setting = blas::find_setting(what);
  blas::Check check(__func__);
  check.that(blas::is_ours(algorithm), "algo").known(setting, what, "attr").given(value, "buf");
  if (check.failed()) return check.status();
  check.same(static_cast<std::int64_t>(size), static_cast<std::int64_t>(setting->size),
             "sizeInBytes", "the attribute has");
  if (what == CUBLASLT_ALGO_CONFIG_ID) check.refuse("attr", "may only be read");
  if (check.failed()) return check.status();
  std::memcpy(reinterpret_cast<char*>(algorithm) + setting->offset, value, size);
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasLtMatmulAlgoConfigGetAttribute(const cublasLtMatmulAlgo_t* algorithm,
                                                    cublasLtMatmulAlgoConfigAttributes_t what,
                                                    void* value, size_t size, size_t* written) {
  const blas::Setting* const setting = blas::find_setting(what);
  blas::Check check(__func__);
  check.that(blas::is_ours(algorithm), "algo").known(setting, what, "attr");
  if (check.failed()) return check.status();
  return blas::give_bytes(check, reinterpret_cast<const char*>(algorithm) + setting->offset,
                          setting->size, value, size, written);
}

}  // extern "C"
