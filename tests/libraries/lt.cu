// cuBLASLt: products with layouts, types, scales and epilogues against a plain reference, element
// by element; transformations; algorithms; bad arguments. SPDX-License-Identifier: Apache-2.0 WITH
// LLVM-exception
#include "blas_check.h"

#include <cublasLt.h>
#include <cuda_fp8.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>

inline Number wide(__nv_fp8_e4m3 x) { return Number(static_cast<float>(x), 0); }
inline Number wide(__nv_fp8_e5m2 x) { return Number(static_cast<float>(x), 0); }
template <>
struct Of<__nv_fp8_e4m3> {
  static constexpr bool is_complex = false;
  static __nv_fp8_e4m3 number(Number x) { return __nv_fp8_e4m3(static_cast<float>(x.real())); }
};
template <>
struct Of<__nv_fp8_e5m2> {
  static constexpr bool is_complex = false;
  static __nv_fp8_e5m2 number(Number x) { return __nv_fp8_e5m2(static_cast<float>(x.real())); }
};

namespace {

#define GRIDSPAN_TYPE(T, value)                 \
  template <>                                   \
  struct TypeOf<T> {                            \
    static constexpr cudaDataType type = value; \
  };
template <typename T>
struct TypeOf;
GRIDSPAN_TYPE(float, CUDA_R_32F)
GRIDSPAN_TYPE(double, CUDA_R_64F)
GRIDSPAN_TYPE(__half, CUDA_R_16F)
GRIDSPAN_TYPE(__nv_bfloat16, CUDA_R_16BF)
GRIDSPAN_TYPE(signed char, CUDA_R_8I)
GRIDSPAN_TYPE(int, CUDA_R_32I)
GRIDSPAN_TYPE(cuComplex, CUDA_C_32F)
GRIDSPAN_TYPE(cuDoubleComplex, CUDA_C_64F)
GRIDSPAN_TYPE(__nv_fp8_e4m3, CUDA_R_8F_E4M3)
GRIDSPAN_TYPE(__nv_fp8_e5m2, CUDA_R_8F_E5M2)

cublasLtHandle_t handle;

/// Element (i, j) of an order.
std::size_t place(cublasLtOrder_t order, std::size_t lead, std::size_t i, std::size_t j) {
  switch (order) {
    case CUBLASLT_ORDER_COL:
      return i + j * lead;
    case CUBLASLT_ORDER_ROW:
      return i * lead + j;
    case CUBLASLT_ORDER_COL32:
      return j / 32 * lead + i * 32 + j % 32;
    case CUBLASLT_ORDER_COL4_4R2_8C: {
      // Tiles of 8 x 32; in them pieces of 8 columns: rows 0 2 4 6 before 1 3 5 7; in those, four
      // columns of each row before the other four.
      const std::size_t tile = j / 32 * lead + i / 8 * 256, c = j % 32, r = i % 8;
      return tile + (r % 2) * 128 + c / 8 * 32 + (c % 8 / 4) * 16 + r / 2 * 4 + c % 4;
    }
    default: {
      const std::size_t tile = j / 32 * lead + i / 32 * 1024, c = j % 32, r = i % 32;
      return tile + (r % 8 / 2 * 8 + r / 8 * 2 + r % 2) * 32 + c;
    }
  }
}

/// Matrices of a batch, with poison where there is no element.
template <typename T>
struct Matrix : Array<T> {
  Matrix(int rows, int columns, cublasLtOrder_t order, int gap = 3, int batch_count = 1)
      : Array<T>(static_cast<std::size_t>(stride_of(rows, columns, order, gap)) * batch_count),
        rows(rows),
        columns(columns),
        batch_count(batch_count),
        stride(stride_of(rows, columns, order, gap)),
        lead(lead_of(rows, columns, order, gap)),
        order(order) {
    EXPECT(cublasLtMatrixLayoutCreate(&layout, TypeOf<T>::type, rows, columns, lead) ==
           CUBLAS_STATUS_SUCCESS);
    const int given = order;
    EXPECT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_ORDER, &given,
                                            sizeof given) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT,
                                            &batch_count,
                                            sizeof batch_count) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasLtMatrixLayoutSetAttribute(layout, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
                                            &stride, sizeof stride) == CUBLAS_STATUS_SUCCESS);
    set([](int, int, int) { return wide(random_number<T>()); });
  }
  ~Matrix() { EXPECT(cublasLtMatrixLayoutDestroy(layout) == CUBLAS_STATUS_SUCCESS); }

  static std::int64_t lead_of(int rows, int columns, cublasLtOrder_t order, int gap) {
    switch (order) {
      case CUBLASLT_ORDER_COL:
        return rows + gap;
      case CUBLASLT_ORDER_ROW:
        return columns + gap;
      case CUBLASLT_ORDER_COL32:
        return 32 * (rows + gap);
      case CUBLASLT_ORDER_COL4_4R2_8C:
        return 32 * ((rows + 7) / 8 * 8);
      default:
        return 32 * ((rows + 31) / 32 * 32);
    }
  }
  static std::int64_t stride_of(int rows, int columns, cublasLtOrder_t order, int gap) {
    const std::int64_t lead = lead_of(rows, columns, order, gap);
    if (order == CUBLASLT_ORDER_COL) return lead * columns + 5;
    if (order == CUBLASLT_ORDER_ROW) return lead * rows + 5;
    return lead * ((columns + 31) / 32);
  }
  std::size_t at(int i, int j, int z) const { return place(order, lead, i, j) + z * stride; }
  template <typename Value>
  void set(Value value) {
    this->fill(poison<T>());
    for (int z = 0; z < batch_count; ++z)
      for (int j = 0; j < columns; ++j)
        for (int i = 0; i < rows; ++i) this->host[at(i, j, z)] = Of<T>::number(value(i, j, z));
    this->to_device();
  }
  void poison_all() {
    this->fill(poison<T>());
    this->to_device();
  }
  Number operator()(int i, int j, int z = 0) const { return wide(this->host[at(i, j, z)]); }
  Number operator()(cublasOperation_t op, int i, int j, int z) const {
    const Number x = op == CUBLAS_OP_N ? (*this)(i, j, z) : (*this)(j, i, z);
    return op == CUBLAS_OP_C ? std::conj(x) : x;
  }

  int rows, columns, batch_count;
  std::int64_t stride, lead;
  cublasLtOrder_t order;
  cublasLtMatrixLayout_t layout = nullptr;
};

/// Elements as expected, of the type's precision; all else as it was.
template <typename T, typename Expected>
void expect_matrix(const Matrix<T>& m, double tolerance, Expected expected, int line) {
  std::vector<T> got = m.from_device();
  int different = 0;
  for (int z = 0; z < m.batch_count; ++z)
    for (int j = 0; j < m.columns; ++j)
      for (int i = 0; i < m.rows; ++i) {
        const Number wanted = expected(i, j, z), x = wide(got[m.at(i, j, z)]);
        if (!(std::abs(x - wanted) <= tolerance * std::max(1.0, std::abs(wanted)))) {
          if (++different == 1)
            std::printf("  (%d, %d, %d): %g, not %g\n", i, j, z, x.real(), wanted.real());
        }
        got[m.at(i, j, z)] = m.host[m.at(i, j, z)];
      }
  for (std::size_t i = 0; i < got.size(); ++i) different += !same_bits(got[i], m.host[i]);
  if (!expect(different == 0, "elements of a matrix", line))
    std::printf("  %d different of %d x %d x %d\n", different, m.rows, m.columns, m.batch_count);
}
#define EXPECT_MATRIX(matrix, tolerance, ...) \
  expect_matrix(matrix, tolerance, __VA_ARGS__, __LINE__)

class Description {
 public:
  Description(cublasComputeType_t compute, cudaDataType scale) {
    EXPECT(cublasLtMatmulDescCreate(&description_, compute, scale) == CUBLAS_STATUS_SUCCESS);
  }
  ~Description() { EXPECT(cublasLtMatmulDescDestroy(description_) == CUBLAS_STATUS_SUCCESS); }
  template <typename Value>
  void set(cublasLtMatmulDescAttributes_t what, Value value) {
    EXPECT(cublasLtMatmulDescSetAttribute(description_, what, &value, sizeof value) ==
           CUBLAS_STATUS_SUCCESS);
  }
  operator cublasLtMatmulDesc_t() const { return description_; }

 private:
  cublasLtMatmulDesc_t description_ = nullptr;
};

/// With the algorithm that the heuristic names.
template <typename A, typename B, typename C, typename D>
cublasStatus_t multiply(const Description& description, const void* alpha, const Matrix<A>& a,
                        const Matrix<B>& b, const void* beta, const void* c_place,
                        const Matrix<C>& c, Matrix<D>& d, cudaStream_t stream = nullptr) {
  cublasLtMatmulPreference_t preference = nullptr;
  EXPECT(cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
  cublasLtMatmulHeuristicResult_t results[3];
  int count = 0;
  const cublasStatus_t found = cublasLtMatmulAlgoGetHeuristic(
      handle, description, a.layout, b.layout, c.layout, d.layout, preference, 3, results, &count);
  EXPECT(cublasLtMatmulPreferenceDestroy(preference) == CUBLAS_STATUS_SUCCESS);
  if (found != CUBLAS_STATUS_SUCCESS) return found;
  EXPECT(count == 1 && results[0].state == CUBLAS_STATUS_SUCCESS && results[0].workspaceSize == 0);
  return cublasLtMatmul(handle, description, alpha, a.device, a.layout, b.device, b.layout, beta,
                        c_place, c.layout, d.device, d.layout, &results[0].algo, nullptr, 0,
                        stream);
}

const cublasOperation_t operations[] = {CUBLAS_OP_N, CUBLAS_OP_T, CUBLAS_OP_C};
const cublasLtOrder_t orders[] = {CUBLASLT_ORDER_COL, CUBLASLT_ORDER_ROW};

template <typename A, typename B>
Number dot_of(const Matrix<A>& a, cublasOperation_t ta, const Matrix<B>& b, cublasOperation_t tb,
              int k, int i, int j, int z) {
  Number sum = 0;
  for (int l = 0; l < k; ++l) sum += a(ta, i, l, z) * b(tb, l, j, z);
  return sum;
}

/// All operations, orders and scalars: whole numbers, which are exact.
template <typename A, typename B, typename C, typename D, typename Scale>
void check_products(cublasComputeType_t compute, cudaDataType scale_type, double tolerance = 0) {
  int round = 0;
  for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {37, 19, 23}, {8, 67, 5}, {5, 3, 0}})
    for (const cublasOperation_t ta : operations)
      for (const cublasOperation_t tb : operations) {
        const cublasLtOrder_t order_a = orders[++round % 2], order_b = orders[round / 2 % 2],
                              order_c = orders[round / 4 % 2], order_d = orders[round / 3 % 2];
        const int batch_count = round % 3 ? 1 : 3;
        const bool on_device = round % 5 == 0,
                   in_place = round % 7 < 2 && order_c == order_d && std::is_same_v<C, D>;
        Matrix<A> a(ta == CUBLAS_OP_N ? m : k, ta == CUBLAS_OP_N ? k : m, order_a, 2, batch_count);
        Matrix<B> b(tb == CUBLAS_OP_N ? k : n, tb == CUBLAS_OP_N ? n : k, order_b, 1, batch_count);
        Matrix<C> c(m, n, order_c, 4, batch_count);
        Matrix<D> d(m, n, order_d, 4, batch_count);
        Array<Scale> factors(2);
        const double alpha = round % 4 - 1, beta = round % 3;
        factors.host = {Of<Scale>::number(alpha), Of<Scale>::number(beta)};
        factors.to_device();
        Description description(compute, scale_type);
        description.set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
        description.set(CUBLASLT_MATMUL_DESC_TRANSB, tb);
        if (on_device)
          description.set(CUBLASLT_MATMUL_DESC_POINTER_MODE, int(CUBLASLT_POINTER_MODE_DEVICE));
        const Scale* const scalars = on_device ? factors.device : factors.host.data();
        if (beta == 0) c.poison_all();
        d.poison_all();
        if constexpr (std::is_same_v<C, D>)
          if (in_place) d.host = c.host, d.to_device();
        const void* const c_place = in_place                  ? static_cast<void*>(d.device)
                                    : beta == 0 && !on_device ? nullptr
                                                              : static_cast<void*>(c.device);
        EXPECT(multiply(description, scalars, a, b, scalars + 1, c_place, c, d) ==
               CUBLAS_STATUS_SUCCESS);
        EXPECT_MATRIX(d, tolerance, [&](int i, int j, int z) {
          return wide(Of<D>::number(alpha * dot_of(a, ta, b, tb, k, i, j, z) +
                                    (beta == 0 ? 0 : beta * c(i, j, z))));
        });
      }
}

// --- epilogues

double gelu(double x) {
  return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}
double gelu_gradient(double x) {
  const double h = 1e-5;
  return (gelu(x + h) - gelu(x - h)) / (2 * h);
}

template <typename T, typename Scale>
void check_epilogues(cublasComputeType_t compute, cudaDataType scale_type, double tolerance) {
  const Scale one = Of<Scale>::number(1), half = Of<Scale>::number(0.5);
  int round = 0;
  for (const int epilogue :
       {CUBLASLT_EPILOGUE_RELU, CUBLASLT_EPILOGUE_RELU_AUX, CUBLASLT_EPILOGUE_BIAS,
        CUBLASLT_EPILOGUE_RELU_BIAS, CUBLASLT_EPILOGUE_RELU_AUX_BIAS, CUBLASLT_EPILOGUE_DRELU,
        CUBLASLT_EPILOGUE_DRELU_BGRAD, CUBLASLT_EPILOGUE_GELU, CUBLASLT_EPILOGUE_GELU_AUX,
        CUBLASLT_EPILOGUE_GELU_BIAS, CUBLASLT_EPILOGUE_GELU_AUX_BIAS, CUBLASLT_EPILOGUE_DGELU,
        CUBLASLT_EPILOGUE_DGELU_BGRAD, CUBLASLT_EPILOGUE_BGRADA, CUBLASLT_EPILOGUE_BGRADB})
    for (const auto& [m, n, k] : {std::tuple{1, 1, 1}, {37, 19, 23}, {130, 7, 11}}) {
      const cublasLtOrder_t order = orders[++round % 2];
      const int batch_count = round % 3 ? 1 : 2;
      const cublasOperation_t ta = operations[round % 2], tb = operations[round / 2 % 2];
      Matrix<T> a(ta == CUBLAS_OP_N ? m : k, ta == CUBLAS_OP_N ? k : m, CUBLASLT_ORDER_COL, 2,
                  batch_count);
      Matrix<T> b(tb == CUBLAS_OP_N ? k : n, tb == CUBLAS_OP_N ? n : k, orders[round / 4 % 2], 1,
                  batch_count);
      Matrix<T> c(m, n, CUBLASLT_ORDER_COL, 4, batch_count), d(m, n, order, 1, batch_count);
      d.poison_all();
      const bool of_columns = epilogue == CUBLASLT_EPILOGUE_BGRADB;
      const bool writes_bias = (epilogue & (16 | 256 | 512)) != 0;
      Matrix<T> bias(of_columns ? n : m, 1, CUBLASLT_ORDER_COL, 0, batch_count);
      if (writes_bias) bias.poison_all();
      // Bits, or numbers.
      const bool has_bits = (epilogue & (2 | 8)) != 0;
      const std::int64_t bits_lead = (m + 127) / 128 * 128;
      Array<unsigned char> bits(bits_lead / 8 * n * batch_count);
      for (auto& x : bits.host) x = static_cast<unsigned char>(std::rand());
      bits.to_device();
      Matrix<T> numbers(m, n, CUBLASLT_ORDER_COL, 3, batch_count);
      if ((epilogue & 64) == 0) numbers.poison_all();
      Description description(compute, scale_type);
      description.set(CUBLASLT_MATMUL_DESC_TRANSA, ta);
      description.set(CUBLASLT_MATMUL_DESC_TRANSB, tb);
      description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue);
      description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.device));
      description.set(CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, bias.stride);
      description.set(
          CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER,
          has_bits ? static_cast<void*>(bits.device) : static_cast<void*>(numbers.device));
      description.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, has_bits ? bits_lead : numbers.lead);
      description.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE,
                      has_bits ? bits_lead * n : numbers.stride);
      EXPECT(multiply(description, &half, a, b, &one, c.device, c, d) == CUBLAS_STATUS_SUCCESS);
      const auto linear = [&](int i, int j, int z) {
        return 0.5 * dot_of(a, ta, b, tb, k, i, j, z).real() + c(i, j, z).real() +
               (epilogue & 4 ? bias(i, 0, z).real() : 0.0);
      };
      const std::vector<unsigned char> got_bits = bits.from_device();
      const auto bit = [&](int i, int j, int z) {
        const std::int64_t at = i + (j + z * n) * bits_lead;
        return (got_bits[at / 8] >> (at % 8) & 1) != 0;
      };
      const auto expected = [&](int i, int j, int z) {
        const double x = linear(i, j, z);
        if (epilogue & 2) return x > 0 ? x : 0;
        if (epilogue & 8) return bit(i, j, z) ? x : 0;
        if (epilogue & 32) return gelu(x);
        if (epilogue & 64) return x * gelu_gradient(numbers(i, j, z).real());
        return x;
      };
      EXPECT_MATRIX(d, tolerance, expected);
      if ((epilogue & 2) && (epilogue & 128)) {
        int wrong_bits = 0;
        for (int z = 0; z < batch_count; ++z)
          for (int j = 0; j < n; ++j)
            for (int i = 0; i < m; ++i) wrong_bits += bit(i, j, z) != (linear(i, j, z) > 0);
        EXPECT(wrong_bits == 0);
      }
      if ((epilogue & 32) && (epilogue & 128)) EXPECT_MATRIX(numbers, tolerance, linear);
      if (writes_bias)
        EXPECT_MATRIX(bias, tolerance * 8, [&](int i, int, int z) {
          double sum = 0;
          if (epilogue & 16)
            for (int j = 0; j < n; ++j) sum += expected(i, j, z);
          else
            for (int l = 0; l < k; ++l)
              sum += of_columns ? b(tb, l, i, z).real() : a(ta, i, l, z).real();
          return sum;
        });
    }
}

// --- types of 8 bits

void check_bytes() {
  // Sums of int, results of 8 bits, which are rounded and end at 127.
  for (const float alpha : {0.5f, 20.0f}) {
    Matrix<signed char> a(33, 17, CUBLASLT_ORDER_COL), b(17, 29, CUBLASLT_ORDER_COL),
        c(33, 29, CUBLASLT_ORDER_COL), d(33, 29, CUBLASLT_ORDER_COL);
    Matrix<float> bias(33, 1, CUBLASLT_ORDER_COL, 0);
    Description description(CUBLAS_COMPUTE_32I, CUDA_R_32F);
    const float beta = 3;
    description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_RELU_BIAS));
    description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.device));
    d.poison_all();
    EXPECT(multiply(description, &alpha, a, b, &beta, c.device, c, d) == CUBLAS_STATUS_SUCCESS);
    EXPECT_MATRIX(d, 0, [&](int i, int j, int z) {
      const double x = alpha * dot_of(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 17, i, j, z).real() +
                       3 * c(i, j, z).real() + bias(i, 0).real();
      return std::min(127.0, std::nearbyint(std::max(0.0, x)));
    });
  }
  // A factor for each row.
  Matrix<signed char> a(33, 17, CUBLASLT_ORDER_COL), b(17, 29, CUBLASLT_ORDER_COL),
      d(33, 29, CUBLASLT_ORDER_COL);
  Matrix<float> alphas(33, 1, CUBLASLT_ORDER_COL, 0);
  Description description(CUBLAS_COMPUTE_32I, CUDA_R_32F);
  description.set(CUBLASLT_MATMUL_DESC_POINTER_MODE,
                  int(CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO));
  EXPECT(multiply(description, alphas.device, a, b, nullptr, nullptr, d, d) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT_MATRIX(d, 0, [&](int i, int j, int z) {
    const double x =
        alphas(i, 0).real() * dot_of(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 17, i, j, z).real();
    return std::max(-128.0, std::min(127.0, x));
  });

  // Tiles, as samples of tensor cores lay them out: from columns by a transformation, and back.
  for (const cublasLtOrder_t tiles : {CUBLASLT_ORDER_COL4_4R2_8C, CUBLASLT_ORDER_COL32_2R_4R4}) {
    const int m = 45, n = 37, k = 70;
    Matrix<signed char> plain_a(m, k, CUBLASLT_ORDER_COL), plain_b(k, n, CUBLASLT_ORDER_COL),
        tiled_a(m, k, CUBLASLT_ORDER_COL32, 0), tiled_b(n, k, tiles, 0);
    Matrix<int> tiled_c(m, n, CUBLASLT_ORDER_COL32, 0), plain_c(m, n, CUBLASLT_ORDER_COL);
    tiled_a.poison_all(), tiled_b.poison_all(), tiled_c.poison_all(), plain_c.poison_all();
    const float factor = 1;
    cublasLtMatrixTransformDesc_t transform = nullptr;
    EXPECT(cublasLtMatrixTransformDescCreate(&transform, CUDA_R_32F) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasLtMatrixTransform(handle, transform, &factor, plain_a.device, plain_a.layout,
                                   nullptr, nullptr, nullptr, tiled_a.device, tiled_a.layout,
                                   nullptr) == CUBLAS_STATUS_SUCCESS);
    EXPECT_MATRIX(tiled_a, 0, [&](int i, int j, int) { return plain_a(i, j); });
    const int transposed = CUBLAS_OP_T;
    EXPECT(cublasLtMatrixTransformDescSetAttribute(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
                                                   &transposed,
                                                   sizeof transposed) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasLtMatrixTransform(handle, transform, &factor, plain_b.device, plain_b.layout,
                                   nullptr, nullptr, nullptr, tiled_b.device, tiled_b.layout,
                                   nullptr) == CUBLAS_STATUS_SUCCESS);
    EXPECT_MATRIX(tiled_b, 0, [&](int i, int j, int) { return plain_b(j, i); });
    Description product(CUBLAS_COMPUTE_32I, CUDA_R_32I);
    product.set(CUBLASLT_MATMUL_DESC_TRANSB, CUBLAS_OP_T);
    const int one = 1, none = 0;
    EXPECT(multiply(product, &one, tiled_a, tiled_b, &none, tiled_c.device, tiled_c, tiled_c) ==
           CUBLAS_STATUS_SUCCESS);
    const int whole = CUBLAS_OP_N;
    EXPECT(cublasLtMatrixTransformDescSetAttribute(transform, CUBLASLT_MATRIX_TRANSFORM_DESC_TRANSA,
                                                   &whole, sizeof whole) == CUBLAS_STATUS_SUCCESS);
    EXPECT(cublasLtMatrixTransform(handle, transform, &factor, tiled_c.device, tiled_c.layout,
                                   nullptr, nullptr, nullptr, plain_c.device, plain_c.layout,
                                   nullptr) == CUBLAS_STATUS_SUCCESS);
    EXPECT_MATRIX(plain_c, 0, [&](int i, int j, int) {
      return dot_of(plain_a, CUBLAS_OP_N, plain_b, CUBLAS_OP_N, k, i, j, 0);
    });
    EXPECT(cublasLtMatrixTransformDescDestroy(transform) == CUBLAS_STATUS_SUCCESS);
  }
}

/// Scales of A, B, C, D, and the largest elements.
template <typename A, typename B, typename C, typename D>
void check_scales() {
  Matrix<A> a(31, 16, CUBLASLT_ORDER_COL), b(31, 16, CUBLASLT_ORDER_COL);
  Matrix<B> bb(31, 22, CUBLASLT_ORDER_COL);
  Matrix<C> c(16, 22, CUBLASLT_ORDER_COL), bias(16, 1, CUBLASLT_ORDER_COL, 0);
  Matrix<D> d(16, 22, CUBLASLT_ORDER_COL);
  d.poison_all();
  Array<float> scales(5);
  scales.host = {0.5f, 2.0f, 4.0f, 0.25f, -1.0f};
  scales.to_device();
  const float alpha = 2, beta = 1;
  Description description(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  description.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  description.set(CUBLASLT_MATMUL_DESC_FAST_ACCUM, static_cast<signed char>(1));
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_BIAS));
  description.set(CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE, int(TypeOf<C>::type));
  description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.device));
  description.set(CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, static_cast<void*>(scales.device));
  description.set(CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, static_cast<void*>(scales.device + 1));
  description.set(CUBLASLT_MATMUL_DESC_C_SCALE_POINTER, static_cast<void*>(scales.device + 2));
  description.set(CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, static_cast<void*>(scales.device + 3));
  description.set(CUBLASLT_MATMUL_DESC_AMAX_D_POINTER, static_cast<void*>(scales.device + 4));
  EXPECT(multiply(description, &alpha, a, bb, &beta, c.device, c, d) == CUBLAS_STATUS_SUCCESS);
  double largest = 0;
  const auto unscaled = [&](int i, int j) {
    return 2.0 * dot_of(a, CUBLAS_OP_T, bb, CUBLAS_OP_N, 31, i, j, 0).real() +
           4.0 * c(i, j).real() + bias(i, 0).real();
  };
  EXPECT_MATRIX(d, 0, [&](int i, int j, int) {
    largest = std::max(largest, std::abs(unscaled(i, j)));
    return wide(Of<D>::number(0.25 * unscaled(i, j)));
  });
  EXPECT(scales.from_device()[4] == largest);
}

// --- algorithms, bad arguments

int lines = 0;
void count_lines(int, const char*, const char*) { ++lines; }

void check_calls() {
  Matrix<float> a(4, 5, CUBLASLT_ORDER_COL), b(5, 3, CUBLASLT_ORDER_COL),
      d(4, 3, CUBLASLT_ORDER_COL);
  Description description(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  const float one = 1;
  int ids[4] = {-1, -1, -1, -1}, count = 0;
  EXPECT(cublasLtMatmulAlgoGetIds(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                  CUDA_R_32F, CUDA_R_32F, 4, ids, &count) == CUBLAS_STATUS_SUCCESS);
  EXPECT(count == 1 && ids[0] >= 0 && ids[1] == -1);
  cublasLtMatmulAlgo_t algorithm;
  EXPECT(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_32F, CUDA_R_32F,
                                CUDA_R_32F, CUDA_R_32F, ids[0],
                                &algorithm) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulAlgoInit(handle, CUBLAS_COMPUTE_32F, CUDA_R_32F, CUDA_R_8U, CUDA_R_32F,
                                CUDA_R_32F, CUDA_R_32F, ids[0],
                                &algorithm) == CUBLAS_STATUS_NOT_SUPPORTED);
  std::size_t written = 99;
  EXPECT(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_TILE_IDS, nullptr, 0,
                                           &written) == CUBLAS_STATUS_SUCCESS &&
         written == 0);
  int support = -1, split = 1;
  EXPECT(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, &support,
                                           sizeof support, &written) == CUBLAS_STATUS_SUCCESS &&
         support == 0 && written == sizeof support);
  EXPECT(cublasLtMatmulAlgoCapGetAttribute(&algorithm, CUBLASLT_ALGO_CAP_SPLITK_SUPPORT, &support,
                                           1, &written) == CUBLAS_STATUS_INVALID_VALUE);
  cublasLtMatmulHeuristicResult_t result;
  EXPECT(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &split,
                                              sizeof split) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulAlgoCheck(handle, description, a.layout, b.layout, d.layout, d.layout,
                                 &algorithm, &result) == CUBLAS_STATUS_SUCCESS &&
         result.state == CUBLAS_STATUS_SUCCESS);
  split = 4;
  EXPECT(cublasLtMatmulAlgoConfigSetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &split,
                                              sizeof split) == CUBLAS_STATUS_SUCCESS);
  split = 0;
  EXPECT(cublasLtMatmulAlgoConfigGetAttribute(&algorithm, CUBLASLT_ALGO_CONFIG_SPLITK_NUM, &split,
                                              sizeof split, &written) == CUBLAS_STATUS_SUCCESS &&
         split == 4);
  EXPECT(cublasLtMatmulAlgoCheck(handle, description, a.layout, b.layout, d.layout, d.layout,
                                 &algorithm, &result) == CUBLAS_STATUS_NOT_SUPPORTED);
  algorithm = {};
  EXPECT(cublasLtMatmulAlgoCheck(handle, description, a.layout, b.layout, d.layout, d.layout,
                                 &algorithm, &result) == CUBLAS_STATUS_INVALID_VALUE);

  EXPECT(cublasLtLoggerSetCallback(count_lines) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtLoggerSetLevel(1) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtLoggerSetLevel(9) == CUBLAS_STATUS_INVALID_VALUE);
  // Sizes that do not belong together, no matrix, an unknown handle.
  EXPECT(multiply(description, &one, a, a, &one, d.device, d, d) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(lines == 1);
  EXPECT(cublasLtMatmul(handle, description, &one, a.device, a.layout, b.device, b.layout, &one,
                        nullptr, d.layout, d.device, d.layout, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(lines == 2);
  EXPECT(cublasLtLoggerForceDisable() == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmul(handle, nullptr, &one, a.device, a.layout, b.device, b.layout, &one,
                        d.device, d.layout, d.device, d.layout, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  EXPECT(cublasLtMatmul(nullptr, description, &one, a.device, a.layout, b.device, b.layout, &one,
                        d.device, d.layout, d.device, d.layout, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_NOT_INITIALIZED);
  EXPECT(cublasLtMatmul(handle, description, &one, a.device, a.layout, b.device, b.layout, nullptr,
                        d.device, d.layout, d.device, d.layout, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_BIAS));
  EXPECT(multiply(description, &one, a, b, &one, d.device, d, d) == CUBLAS_STATUS_INVALID_VALUE);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_GELU_AUX));
  EXPECT(multiply(description, &one, a, b, &one, d.device, d, d) == CUBLAS_STATUS_INVALID_VALUE);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, 77);
  EXPECT(multiply(description, &one, a, b, &one, d.device, d, d) == CUBLAS_STATUS_NOT_SUPPORTED);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_DEFAULT));

  // A handle of cuBLAS is one of cuBLASLt.
  cublasHandle_t blas = nullptr;
  EXPECT(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS);
  const float none = 0;
  EXPECT(cublasLtMatmul(reinterpret_cast<cublasLtHandle_t>(blas), description, &one, a.device,
                        a.layout, b.device, b.layout, &none, nullptr, d.layout, d.device, d.layout,
                        nullptr, nullptr, 0, nullptr) == CUBLAS_STATUS_SUCCESS);
  EXPECT_MATRIX(
      d, 0, [&](int i, int j, int) { return dot_of(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 5, i, j, 0); });
  EXPECT(cublasDestroy(blas) == CUBLAS_STATUS_SUCCESS);
}

/// In a graph: what is between the steps is taken and given back in it, too.
void check_graph() {
  Matrix<__half> a(20, 30, CUBLASLT_ORDER_COL), b(30, 10, CUBLASLT_ORDER_COL),
      d(20, 10, CUBLASLT_ORDER_COL), bias(20, 1, CUBLASLT_ORDER_COL, 0);
  d.poison_all();
  const float one = 1, none = 0;
  Description description(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_RELU_BIAS));
  description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.device));
  cudaStream_t stream;
  cudaGraph_t graph;
  cudaGraphExec_t ready;
  EXPECT(cudaStreamCreate(&stream) == cudaSuccess);
  EXPECT(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal) == cudaSuccess);
  EXPECT(multiply(description, &one, a, b, &none, nullptr, d, d, stream) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cudaStreamEndCapture(stream, &graph) == cudaSuccess);
  EXPECT(cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess);
  for (int i = 0; i < 2; ++i) EXPECT(cudaGraphLaunch(ready, stream) == cudaSuccess);
  EXPECT(cudaStreamSynchronize(stream) == cudaSuccess);
  EXPECT_MATRIX(d, 0, [&](int i, int j, int) {
    return std::max(0.0,
                    dot_of(a, CUBLAS_OP_N, b, CUBLAS_OP_N, 30, i, j, 0).real() + bias(i, 0).real());
  });
  cudaGraphExecDestroy(ready), cudaGraphDestroy(graph), cudaStreamDestroy(stream);
}

/// Fractions: the same bits on any number of devices.
template <typename T>
void print_fractions(const char* name) {
  const auto fraction = [](int, int, int) { return wide(random_fraction<T>()); };
  Matrix<T> a(149, 211, CUBLASLT_ORDER_COL), b(149, 127, CUBLASLT_ORDER_COL),
      d(211, 127, CUBLASLT_ORDER_COL, 0), aux(211, 127, CUBLASLT_ORDER_COL, 0),
      bias(211, 1, CUBLASLT_ORDER_COL, 0);
  a.set(fraction), b.set(fraction), bias.set(fraction);
  const float one = 1, none = 0;
  Description description(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  description.set(CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE, int(CUBLASLT_EPILOGUE_GELU_AUX_BIAS));
  description.set(CUBLASLT_MATMUL_DESC_BIAS_POINTER, static_cast<void*>(bias.device));
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER, static_cast<void*>(aux.device));
  description.set(CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD, aux.lead);
  EXPECT(multiply(description, &one, a, b, &none, nullptr, d, d) == CUBLAS_STATUS_SUCCESS);
  print_bits(name, d.from_device());
  print_bits(name, aux.from_device());
}

}  // namespace

int main() {
  EXPECT(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  check_products<float, float, float, float, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check_products<double, double, double, double, double>(CUBLAS_COMPUTE_64F, CUDA_R_64F);
  check_products<cuComplex, cuComplex, cuComplex, cuComplex, cuComplex>(CUBLAS_COMPUTE_32F,
                                                                        CUDA_C_32F);
  check_products<cuDoubleComplex, cuDoubleComplex, cuDoubleComplex, cuDoubleComplex,
                 cuDoubleComplex>(CUBLAS_COMPUTE_64F, CUDA_C_64F);
  check_products<__half, __half, __half, __half, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check_products<__half, __half, float, float, float>(CUBLAS_COMPUTE_32F_FAST_16F, CUDA_R_32F);
  check_products<__half, __half, __half, __half, __half>(CUBLAS_COMPUTE_16F, CUDA_R_16F);
  check_products<__nv_bfloat16, __nv_bfloat16, __nv_bfloat16, __nv_bfloat16, float>(
      CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check_products<__nv_bfloat16, __nv_bfloat16, float, float, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check_products<signed char, signed char, int, int, int>(CUBLAS_COMPUTE_32I, CUDA_R_32I);
  check_products<signed char, signed char, float, float, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check_products<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_bfloat16, float>(
      CUBLAS_COMPUTE_32F, CUDA_R_32F);
  check_products<__nv_fp8_e4m3, __nv_fp8_e5m2, __half, __nv_fp8_e4m3, float>(CUBLAS_COMPUTE_32F,
                                                                             CUDA_R_32F);
  check_epilogues<float, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-5);
  check_epilogues<double, double>(CUBLAS_COMPUTE_64F, CUDA_R_64F, 1e-9);
  check_epilogues<__half, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F, 1e-3);
  check_epilogues<__nv_bfloat16, float>(CUBLAS_COMPUTE_32F, CUDA_R_32F, 8e-3);
  check_bytes();
  check_scales<__nv_fp8_e4m3, __nv_fp8_e4m3, __nv_bfloat16, __nv_fp8_e4m3>();
  check_scales<__nv_fp8_e5m2, __nv_fp8_e4m3, __half, __half>();
  check_scales<__half, __half, __half, __half>();
  check_calls();
  check_graph();
  print_fractions<float>("float");
  print_fractions<__nv_bfloat16>("bfloat16");
  EXPECT(cublasLtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
