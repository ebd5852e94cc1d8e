// cuBLASLt of CUDA 12.8 to 13: factors of vectors and blocks, 4-bit numbers, factors that a product
// computes, batches behind pointers, groups, complex numbers in planes. SPDX-License-Identifier:
// Apache-2.0 WITH LLVM-exception
#include "blas_check.h"

#include <cublasLt.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace {

#define CUDA(call) EXPECT((call) == cudaSuccess)

cublasLtHandle_t handle;

// ---- numbers, from their definitions

double number_of(int fraction, int bias, int sign_bit, unsigned code) {
  const unsigned size = code & ((1u << sign_bit) - 1);
  const int exponent = static_cast<int>(size >> fraction);
  const double part = std::ldexp(size & ((1u << fraction) - 1), -fraction);
  const double value =
      exponent == 0 ? std::ldexp(part, 1 - bias) : std::ldexp(1 + part, exponent - bias);
  return code >> sign_bit & 1 ? -value : value;
}
double e4m3(unsigned code) { return number_of(3, 7, 7, code); }
double e2m1(unsigned code) { return number_of(1, 1, 3, code); }
double e8m0(unsigned code) { return std::ldexp(1.0, static_cast<int>(code) - 127); }
/// To nearest, ties to the even code.
unsigned nearest(double x, double (*meaning)(unsigned), unsigned largest, unsigned sign) {
  unsigned best = 0;
  for (unsigned code = 0; code <= largest; ++code) {
    const double now = std::fabs(std::fabs(x) - meaning(code)),
                 then = std::fabs(std::fabs(x) - meaning(best));
    if (now < then || (now == then && code % 2 == 0)) best = code;
  }
  return best | (std::signbit(x) ? sign : 0);
}

unsigned any(unsigned below) { return static_cast<unsigned>(std::rand()) % below; }

/// Factors of vectors lie in tiles of 128 lines and 4 vectors.
std::size_t place_of_factor(std::size_t line, std::size_t vector, std::size_t vectors) {
  const std::size_t in_line = (vectors + 3) / 4 * 4;
  return (vector / 4 * 4 + line / 128 * in_line) * 128 + line % 32 * 16 + line % 128 / 32 * 4 +
         vector % 4;
}
std::size_t factor_bytes(std::size_t lines, std::size_t vectors) {
  return (lines + 127) / 128 * 128 * ((vectors + 3) / 4 * 4);
}

template <typename T>
T* on_device(const std::vector<T>& host) {
  void* place = nullptr;
  CUDA(cudaMalloc(&place, std::max<std::size_t>(1, host.size()) * sizeof(T)));
  CUDA(cudaMemcpy(place, host.data(), host.size() * sizeof(T), cudaMemcpyHostToDevice));
  return static_cast<T*>(place);
}
template <typename T>
std::vector<T> from_device(const T* place, std::size_t count) {
  std::vector<T> host(count);
  CUDA(cudaMemcpy(host.data(), place, count * sizeof(T), cudaMemcpyDeviceToHost));
  return host;
}

cublasLtMatmulDesc_t product(cublasOperation_t a, cublasOperation_t b,
                             cudaDataType scale = CUDA_R_32F) {
  cublasLtMatmulDesc_t result;
  EXPECT(cublasLtMatmulDescCreate(&result, CUBLAS_COMPUTE_32F, scale) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulDescSetAttribute(result, CUBLASLT_MATMUL_DESC_TRANSA, &a, sizeof a) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulDescSetAttribute(result, CUBLASLT_MATMUL_DESC_TRANSB, &b, sizeof b) ==
         CUBLAS_STATUS_SUCCESS);
  return result;
}
template <typename T>
void set(cublasLtMatmulDesc_t product, cublasLtMatmulDescAttributes_t what, T value) {
  EXPECT(cublasLtMatmulDescSetAttribute(product, what, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS);
}
cublasLtMatrixLayout_t layout(cudaDataType type, std::size_t rows, std::size_t columns,
                              std::size_t lead) {
  cublasLtMatrixLayout_t result;
  EXPECT(cublasLtMatrixLayoutCreate(&result, type, rows, columns,
                                    static_cast<std::int64_t>(lead)) == CUBLAS_STATUS_SUCCESS);
  return result;
}
template <typename T>
void set(cublasLtMatrixLayout_t layout, cublasLtMatrixLayoutAttribute_t what, T value) {
  EXPECT(cublasLtMatrixLayoutSetAttribute(layout, what, &value, sizeof value) ==
         CUBLAS_STATUS_SUCCESS);
}

// ---- A is k by m and transposed, B k by n: elements of a vector are neighbours

struct Operand {
  std::vector<unsigned char> elements;
  std::vector<double> values;  // [line * k + i], times their factors
  std::vector<unsigned char> small_factors;
  std::vector<float> factors;
};

Operand make(std::size_t lines, std::size_t k, std::size_t lead, bool is_four,
             cublasLtMatmulMatrixScale_t mode) {
  Operand o;
  o.elements.resize(is_four ? lines * lead / 2 : lines * lead, 0x5a);
  const std::size_t length = mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3   ? 16
                             : mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0 ? 32
                                                                                : 128;
  const std::size_t vectors = (k + length - 1) / length, blocks = (vectors + 3) / 4 * 4;
  if (length < 128) {
    o.small_factors.resize(factor_bytes(lines, vectors), 0xff);
    for (std::size_t l = 0; l < lines; ++l)
      for (std::size_t v = 0; v < vectors; ++v)
        o.small_factors[place_of_factor(l, v, vectors)] =
            static_cast<unsigned char>(length == 16 ? 0x30 + any(24) : 120 + any(14));
  } else {
    o.factors.resize(mode == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F
                         ? blocks * ((lines + 127) / 128)
                         : lines * vectors);
    for (float& x : o.factors) x = 0.25f * static_cast<float>(1 + any(7));
  }
  o.values.resize(lines * k);
  for (std::size_t l = 0; l < lines; ++l)
    for (std::size_t i = 0; i < k; ++i) {
      const unsigned code = is_four ? any(16) : any(2) * 128 + 0x20 + any(0x28);
      unsigned char& byte = o.elements[is_four ? (l * lead + i) / 2 : l * lead + i];
      if (is_four)
        byte = static_cast<unsigned char>(i % 2 ? (byte & 15) | code << 4 : (byte & 0xf0) | code);
      else
        byte = static_cast<unsigned char>(code);
      double factor = 1;
      if (length == 16) factor = e4m3(o.small_factors[place_of_factor(l, i / 16, vectors)]);
      if (length == 32) factor = e8m0(o.small_factors[place_of_factor(l, i / 32, vectors)]);
      if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F) factor = o.factors[l];
      if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F) factor = o.factors[l + i / 128 * lines];
      if (mode == CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F)
        factor = o.factors[i / 128 + l / 128 * blocks];
      o.values[l * k + i] = (is_four ? e2m1(code) : e4m3(code)) * factor;
    }
  return o;
}

/// D in float; or in vectors of 8 or 4 bits, with factors that the product computes.
void check_factors(std::size_t m, std::size_t n, std::size_t k, cublasLtMatmulMatrixScale_t mode_a,
                   cublasLtMatmulMatrixScale_t mode_b, bool gives_vectors) {
  const bool is_four = mode_a == CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3;
  const std::size_t lead = k + (is_four ? 2 + k % 2 : 3), d_lead = m + 2 + m % 2;
  const Operand a = make(m, k, lead, is_four, mode_a), b = make(n, k, lead, is_four, mode_b);
  const cudaDataType in = is_four ? CUDA_R_4F_E2M1 : CUDA_R_8F_E4M3;
  const cudaDataType out = gives_vectors ? in : CUDA_R_32F;
  const std::size_t length = is_four ? 16 : 32, vectors = (m + length - 1) / length;
  const float alpha = 0.5f, beta = 2, d_scale = is_four ? 1.5f : 1.0f;
  std::vector<float> c(d_lead * n);
  for (float& x : c) x = static_cast<float>(any(9)) - 4;
  unsigned char *const a_place = on_device(a.elements), *const b_place = on_device(b.elements);
  float* const c_place = on_device(c);
  const std::size_t bytes =
      d_lead * n * (gives_vectors ? 1 : 4) / (gives_vectors && is_four ? 2 : 1);
  unsigned char* const d_place = on_device(std::vector<unsigned char>(bytes, 0xff));
  unsigned char* const out_factors =
      on_device(std::vector<unsigned char>(factor_bytes(n, vectors), 0xff));
  float* const scale_place = on_device(std::vector<float>{d_scale});
  const auto factors = [](const Operand& o) {
    return o.factors.empty() ? static_cast<void*>(on_device(o.small_factors))
                             : static_cast<void*>(on_device(o.factors));
  };
  void *const a_factors = factors(a), *const b_factors = factors(b);

  const cublasLtMatmulDesc_t p = product(CUBLAS_OP_T, CUBLAS_OP_N);
  set(p, CUBLASLT_MATMUL_DESC_A_SCALE_MODE, static_cast<std::int32_t>(mode_a));
  set(p, CUBLASLT_MATMUL_DESC_B_SCALE_MODE, static_cast<std::int32_t>(mode_b));
  const cublasLtMatrixLayout_t la = layout(in, k, m, lead), lb = layout(in, k, n, lead),
                               lc = layout(CUDA_R_32F, m, n, d_lead),
                               ld = layout(out, m, n, d_lead);
  const auto run = [&] {
    return cublasLtMatmul(handle, p, &alpha, a_place, la, b_place, lb, &beta, c_place, lc, d_place,
                          ld, nullptr, nullptr, 0, nullptr);
  };
  EXPECT(run() == CUBLAS_STATUS_INVALID_VALUE);  // no factors
  set(p, CUBLASLT_MATMUL_DESC_A_SCALE_POINTER, a_factors);
  set(p, CUBLASLT_MATMUL_DESC_B_SCALE_POINTER, b_factors);
  if (gives_vectors) {
    EXPECT(run() != CUBLAS_STATUS_SUCCESS);
    set(p, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_MODE, static_cast<std::int32_t>(mode_a));
    set(p, CUBLASLT_MATMUL_DESC_D_OUT_SCALE_POINTER, out_factors);
    if (is_four) set(p, CUBLASLT_MATMUL_DESC_D_SCALE_POINTER, scale_place);
  }
  EXPECT(run() == CUBLAS_STATUS_SUCCESS);
  CUDA(cudaDeviceSynchronize());

  std::vector<double> want(m * n);
  for (std::size_t j = 0; j < n; ++j)
    for (std::size_t i = 0; i < m; ++i) {
      double sum = 0;
      for (std::size_t l = 0; l < k; ++l) sum += a.values[i * k + l] * b.values[j * k + l];
      want[i + j * m] = alpha * sum + beta * static_cast<double>(c[i + j * d_lead]);
    }
  const std::vector<unsigned char> raw = from_device(d_place, bytes);
  if (!gives_vectors) {
    const auto* const d = reinterpret_cast<const float*>(raw.data());
    double most = 0;
    for (const double x : want) most = std::max(most, std::fabs(x));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < d_lead; ++i)
        EXPECT(i < m ? std::fabs(d[i + j * d_lead] - want[i + j * m]) <= 2e-6 * most + 1e-30
                     : std::isnan(d[i + j * d_lead]));
  } else {
    const std::vector<unsigned char> got = from_device(out_factors, factor_bytes(n, vectors));
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t v = 0; v < vectors; ++v) {
        const std::size_t begin = v * length, end = std::min(m, begin + length);
        double most = 0;
        for (std::size_t i = begin; i < end; ++i)
          most = std::max(most, std::fabs(want[i + j * m] * d_scale));
        const unsigned factor = got[place_of_factor(j, v, vectors)];
        double unit;
        if (is_four) {
          const unsigned expected = nearest(most / 6, e4m3, 0x7e, 0);
          EXPECT(factor + 1 >= expected && factor <= expected + 1);  // a sum may round otherwise
          unit = e4m3(factor);
        } else {
          EXPECT(most <= 448 * e8m0(factor) * (1 + 1e-6) && most > 224 * e8m0(factor) * (1 - 1e-6));
          unit = e8m0(factor);
        }
        for (std::size_t i = begin; i < end; ++i) {
          const std::size_t at = i + j * d_lead;
          const unsigned code = is_four ? raw[at / 2] >> (at % 2 ? 4 : 0) & 15 : raw[at];
          const double value = (is_four ? e2m1(code) : e4m3(code)) * unit;
          const double exact = want[i + j * m] * d_scale;
          // Half a step of the format at its place.
          const double step = is_four ? std::max(0.5, std::fabs(exact / unit) / 2)
                                      : std::max(0x1p-9, std::fabs(exact / unit) / 8);
          EXPECT(std::fabs(value - exact) <= (step / 2 * unit) * 1.0001 + 2e-6 * most);
        }
      }
  }
  for (void* const place :
       {static_cast<void*>(a_place), static_cast<void*>(b_place), static_cast<void*>(c_place),
        static_cast<void*>(d_place), static_cast<void*>(out_factors),
        static_cast<void*>(scale_place), a_factors, b_factors})
    CUDA(cudaFree(place));
  for (const cublasLtMatrixLayout_t x : {la, lb, lc, ld})
    EXPECT(cublasLtMatrixLayoutDestroy(x) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulDescDestroy(p) == CUBLAS_STATUS_SUCCESS);
}

// ---- batches behind pointers, and groups

struct One {
  std::size_t m, n, k;
  std::vector<__half> a, b, d;
  std::vector<float> c, bias;
  __half *a_place, *b_place;
  float *c_place, *d_place, *alpha, *beta, *bias_place;
};

/// A is m by k, B n by k and transposed; C and D are of float.
One one(std::size_t m, std::size_t n, std::size_t k) {
  One x = {m,       n,       k,       {},      {},      {},      {},     {},
           nullptr, nullptr, nullptr, nullptr, nullptr, nullptr, nullptr};
  x.a.resize(m * k);
  x.b.resize(n * k);
  x.c.resize(m * n);
  x.bias.resize(m);
  for (__half& y : x.a) y = random_number<__half>();
  for (__half& y : x.b) y = random_number<__half>();
  for (float& y : x.c) y = random_number<float>();
  for (float& y : x.bias) y = random_number<float>();
  x.a_place = on_device(x.a);
  x.b_place = on_device(x.b);
  x.c_place = on_device(x.c);
  x.bias_place = on_device(x.bias);
  x.d_place = on_device(std::vector<float>(m * n, poison<float>()));
  x.alpha = on_device(std::vector<float>{static_cast<float>(m % 3) - 1});
  x.beta = on_device(std::vector<float>{static_cast<float>(n % 3)});
  return x;
}
void check_one(const One& x, double alpha, double beta, bool has_bias) {
  const std::vector<float> d = from_device(x.d_place, x.m * x.n);
  for (std::size_t j = 0; j < x.n; ++j)
    for (std::size_t i = 0; i < x.m; ++i) {
      double sum = 0;
      for (std::size_t l = 0; l < x.k; ++l)
        sum += wide(x.a[i + l * x.m]).real() * wide(x.b[j + l * x.n]).real();
      sum = alpha * sum + beta * static_cast<double>(x.c[i + j * x.m]);
      if (has_bias) sum += static_cast<double>(x.bias[i]);
      EXPECT(static_cast<double>(d[i + j * x.m]) == sum);
    }
}
void free_one(const One& x) {
  for (void* const place :
       {static_cast<void*>(x.a_place), static_cast<void*>(x.b_place), static_cast<void*>(x.c_place),
        static_cast<void*>(x.d_place), static_cast<void*>(x.alpha), static_cast<void*>(x.beta),
        static_cast<void*>(x.bias_place)})
    CUDA(cudaFree(place));
}
template <typename T, typename Member>
T* pointers(const std::vector<One>& all, Member member) {
  std::vector<void*> host;
  for (const One& x : all) host.push_back(x.*member);
  return reinterpret_cast<T*>(on_device(host));
}

void check_pointers() {
  const std::size_t m = 37, n = 29, k = 41;
  std::vector<One> all;
  for (int z = 0; z < 3; ++z) all.push_back(one(m, n, k));
  const cublasLtMatmulDesc_t p = product(CUBLAS_OP_N, CUBLAS_OP_T);
  const cublasLtMatrixLayout_t la = layout(CUDA_R_16F, m, k, m), lb = layout(CUDA_R_16F, n, k, n),
                               lc = layout(CUDA_R_32F, m, n, m), ld = layout(CUDA_R_32F, m, n, m);
  for (const cublasLtMatrixLayout_t x : {la, lb, lc, ld}) {
    set(x, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, std::int32_t{3});
    set(x, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, std::int32_t{CUBLASLT_BATCH_MODE_POINTER_ARRAY});
  }
  const float alpha = 3, beta = -2;
  void *const a = pointers<void>(all, &One::a_place), *const b = pointers<void>(all, &One::b_place),
              *const c = pointers<void>(all, &One::c_place),
              *const d = pointers<void>(all, &One::d_place);
  EXPECT(cublasLtMatmul(handle, p, &alpha, a, la, b, lb, &beta, c, lc, d, ld, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  for (const One& x : all) {
    check_one(x, alpha, beta, false);
    free_one(x);
  }
  set(ld, CUBLASLT_MATRIX_LAYOUT_BATCH_MODE, std::int32_t{CUBLASLT_BATCH_MODE_STRIDED});
  EXPECT(cublasLtMatmul(handle, p, &alpha, a, la, b, lb, &beta, c, lc, d, ld, nullptr, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_INVALID_VALUE);
  for (void* const place : {a, b, c, d}) CUDA(cudaFree(place));
  for (const cublasLtMatrixLayout_t x : {la, lb, lc, ld})
    EXPECT(cublasLtMatrixLayoutDestroy(x) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulDescDestroy(p) == CUBLAS_STATUS_SUCCESS);
}

template <typename Size>
void check_groups(bool has_own_scalars) {
  const std::size_t shapes[][3] = {{17, 23, 31}, {64, 5, 9}, {0, 7, 3}, {33, 1, 0}, {8, 8, 8}};
  std::vector<One> all;
  std::vector<Size> m, n, k;
  for (const auto& shape : shapes) {
    all.push_back(one(shape[0], shape[1], shape[2]));
    m.push_back(static_cast<Size>(shape[0]));
    n.push_back(static_cast<Size>(shape[1]));
    k.push_back(static_cast<Size>(shape[2]));
  }
  Size *const ms = on_device(m), *const ns = on_device(n), *const ks = on_device(k);
  const auto grouped = [&](cudaDataType type, const Size* rows, const Size* columns) {
    cublasLtMatrixLayout_t result;
    EXPECT(cublasLtGroupedMatrixLayoutCreate(&result, type, 5, rows, columns, rows) ==
           CUBLAS_STATUS_SUCCESS);
    if (sizeof(Size) == 8) {
      set(result, CUBLASLT_MATRIX_LAYOUT_ROWS_COLS_ARRAY_INTEGER_WIDTH,
          std::int32_t{CUBLASLT_INTEGER_WIDTH_64});
      set(result, CUBLASLT_MATRIX_LAYOUT_LD_ARRAY_INTEGER_WIDTH,
          std::int32_t{CUBLASLT_INTEGER_WIDTH_64});
    }
    return result;
  };
  const cublasLtMatrixLayout_t la = grouped(CUDA_R_16F, ms, ks), lb = grouped(CUDA_R_16F, ns, ks),
                               lc = grouped(CUDA_R_32F, ms, ns), ld = grouped(CUDA_R_32F, ms, ns);
  const cublasLtMatmulDesc_t p = product(CUBLAS_OP_N, CUBLAS_OP_T);
  void *const a = pointers<void>(all, &One::a_place), *const b = pointers<void>(all, &One::b_place),
              *const c = pointers<void>(all, &One::c_place),
              *const d = pointers<void>(all, &One::d_place),
              *const biases = pointers<void>(all, &One::bias_place),
              *const alphas = pointers<void>(all, &One::alpha),
              *const betas = pointers<void>(all, &One::beta);
  const float alpha = 2, beta = -1;
  if (has_own_scalars) {
    set(p, CUBLASLT_MATMUL_DESC_POINTER_MODE, std::int32_t{CUBLASLT_POINTER_MODE_DEVICE});
    set(p, CUBLASLT_MATMUL_DESC_ALPHA_BATCH_STRIDE, std::int64_t{1});
    set(p, CUBLASLT_MATMUL_DESC_BETA_BATCH_STRIDE, std::int64_t{1});
    set(p, CUBLASLT_MATMUL_DESC_EPILOGUE, static_cast<std::uint32_t>(CUBLASLT_EPILOGUE_BIAS));
    set(p, CUBLASLT_MATMUL_DESC_BIAS_POINTER, biases);
    set(p, CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE, std::int64_t{1});
  }
  cublasLtMatmulPreference_t preference;
  cublasLtMatmulHeuristicResult_t found = {};
  int count = 0;
  const std::int64_t average = 17;
  EXPECT(cublasLtMatmulPreferenceCreate(&preference) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulPreferenceSetAttribute(preference,
                                              CUBLASLT_MATMUL_PREF_GROUPED_DESC_D_AVERAGE_ROWS,
                                              &average, sizeof average) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulAlgoGetHeuristicForStream(handle, p, la, lb, lc, ld, preference, 1, &found,
                                                 &count, nullptr) == CUBLAS_STATUS_SUCCESS);
  EXPECT(count == 1);
  EXPECT(cublasLtMatmul(handle, p, has_own_scalars ? alphas : &alpha, a, la, b, lb,
                        has_own_scalars ? betas : &beta, c, lc, d, ld, &found.algo, nullptr, 0,
                        nullptr) == CUBLAS_STATUS_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  for (const One& x : all) {
    check_one(x, has_own_scalars ? static_cast<double>(x.m % 3) - 1 : alpha,
              has_own_scalars ? static_cast<double>(x.n % 3) : beta, has_own_scalars);
    free_one(x);
  }
  for (void* const place : {a, b, c, d, biases, alphas, betas, static_cast<void*>(ms),
                            static_cast<void*>(ns), static_cast<void*>(ks)})
    CUDA(cudaFree(place));
  for (const cublasLtMatrixLayout_t x : {la, lb, lc, ld})
    EXPECT(cublasLtMatrixLayoutDestroy(x) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulPreferenceDestroy(preference) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulDescDestroy(p) == CUBLAS_STATUS_SUCCESS);
}

// ---- complex numbers in planes

template <typename In, typename Out>
void check_planes(cudaDataType in, cudaDataType out, cublasOperation_t operation_a,
                  cublasOperation_t operation_b) {
  const std::size_t m = 19, n = 27, k = 33, batches = 2;
  const bool whole_a = operation_a == CUBLAS_OP_N, whole_b = operation_b == CUBLAS_OP_N;
  const auto make_planes = [](std::size_t count, auto example) {
    std::vector<decltype(example)> result(2 * count);
    for (auto& x : result) x = random_number<decltype(example)>();
    return result;
  };
  const auto a = make_planes(batches * m * k, In{}), b = make_planes(batches * k * n, In{});
  const auto c = make_planes(batches * m * n, Out{});
  In *const a_place = on_device(a), *const b_place = on_device(b);
  Out *const c_place = on_device(c), *const d_place = on_device(
                                         std::vector<Out>(2 * batches * m * n, poison<Out>()));
  const cublasLtMatmulDesc_t p = product(operation_a, operation_b, CUDA_C_32F);
  const auto planar = [&](cudaDataType type, std::size_t rows, std::size_t columns,
                          std::size_t size) {
    const cublasLtMatrixLayout_t result = layout(type, rows, columns, rows);
    set(result, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, static_cast<std::int32_t>(batches));
    set(result, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET,
        static_cast<std::int64_t>(rows * columns));
    set(result, CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET,
        static_cast<std::int64_t>(batches * rows * columns * size));
    return result;
  };
  const cublasLtMatrixLayout_t la = planar(in, whole_a ? m : k, whole_a ? k : m, sizeof(In)),
                               lb = planar(in, whole_b ? k : n, whole_b ? n : k, sizeof(In)),
                               lc = planar(out, m, n, sizeof(Out)),
                               ld = planar(out, m, n, sizeof(Out));
  const cuComplex alpha = make_cuComplex(2, 1), beta = make_cuComplex(-1, 3);
  EXPECT(cublasLtMatmul(handle, p, &alpha, a_place, la, b_place, lb, &beta, c_place, lc, d_place,
                        ld, nullptr, nullptr, 0, nullptr) == CUBLAS_STATUS_SUCCESS);
  CUDA(cudaDeviceSynchronize());
  const std::vector<Out> d = from_device(d_place, 2 * batches * m * n);
  const auto at = [](const auto& x, std::size_t count, std::size_t i, cublasOperation_t operation) {
    const Number value(wide(x[i]).real(), wide(x[i + count]).real());
    return operation == CUBLAS_OP_C ? std::conj(value) : value;
  };
  for (std::size_t z = 0; z < batches; ++z)
    for (std::size_t j = 0; j < n; ++j)
      for (std::size_t i = 0; i < m; ++i) {
        Number sum = 0;
        for (std::size_t l = 0; l < k; ++l)
          sum +=
              at(a, batches * m * k, z * m * k + (whole_a ? i + l * m : l + i * k), operation_a) *
              at(b, batches * k * n, z * k * n + (whole_b ? l + j * k : j + l * n), operation_b);
        const std::size_t place = z * m * n + i + j * m;
        sum = wide(alpha) * sum + wide(beta) * at(c, batches * m * n, place, CUBLAS_OP_N);
        EXPECT(at(d, batches * m * n, place, CUBLAS_OP_N) == sum);
      }
  for (void* const x : {static_cast<void*>(a_place), static_cast<void*>(b_place),
                        static_cast<void*>(c_place), static_cast<void*>(d_place)})
    CUDA(cudaFree(x));
  for (const cublasLtMatrixLayout_t x : {la, lb, lc, ld})
    EXPECT(cublasLtMatrixLayoutDestroy(x) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtMatmulDescDestroy(p) == CUBLAS_STATUS_SUCCESS);
}

/// Settings of products that are not emulated.
void check_emulation() {
  cublasLtEmulationDesc_t emulation;
  EXPECT(cublasLtEmulationDescCreate(&emulation) == CUBLAS_STATUS_SUCCESS);
  std::int32_t bits = 40, got = 0;
  std::size_t written = 0;
  const auto what = CUBLASLT_EMULATION_DESC_FIXEDPOINT_MAX_MANTISSA_BIT_COUNT;
  EXPECT(cublasLtEmulationDescSetAttribute(emulation, what, &bits, sizeof bits) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasLtEmulationDescGetAttribute(emulation, what, &got, sizeof got, &written) ==
         CUBLAS_STATUS_SUCCESS);
  EXPECT(got == 40 && written == 4);
  EXPECT(cublasLtEmulationDescDestroy(emulation) == CUBLAS_STATUS_SUCCESS);

  cublasHandle_t blas;
  EXPECT(cublasCreate(&blas) == CUBLAS_STATUS_SUCCESS);
  cublasEmulationStrategy_t strategy = CUBLAS_EMULATION_STRATEGY_EAGER;
  EXPECT(cublasGetEmulationStrategy(blas, &strategy) == CUBLAS_STATUS_SUCCESS);
  EXPECT(strategy == CUBLAS_EMULATION_STRATEGY_DEFAULT);
  const cudaEmulationStrategy_t eager = CUDA_EMULATION_STRATEGY_EAGER;  // the same type
  EXPECT(cublasSetEmulationStrategy(blas, eager) == CUBLAS_STATUS_SUCCESS);
  EXPECT(cublasSetMathMode(blas, CUBLAS_FP64_EMULATED_FIXEDPOINT_MATH) == CUBLAS_STATUS_SUCCESS);
  int* const used = on_device(std::vector<int>{7});
  EXPECT(cublasSetFixedPointEmulationMantissaBitCountPointer(blas, used) == CUBLAS_STATUS_SUCCESS);
  const std::vector<double> a = {1, 2, 3, 4}, b = {5, 6, 7, 8};
  double *const x = on_device(a), *const y = on_device(b), *const z = on_device(a);
  const double alpha = 1, beta = 0;
  EXPECT(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &alpha, x, CUDA_R_64F, 2, y,
                      CUDA_R_64F, 2, &beta, z, CUDA_R_64F, 2,
                      CUBLAS_COMPUTE_64F_EMULATED_FIXEDPOINT,
                      CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS);
  const std::vector<double> product = from_device(z, 4);
  EXPECT(product == (std::vector<double>{23, 34, 31, 46}));
  EXPECT(from_device(used, 1)[0] == -1);
  for (void* const place : {static_cast<void*>(used), static_cast<void*>(x), static_cast<void*>(y),
                            static_cast<void*>(z)})
    CUDA(cudaFree(place));
  EXPECT(cublasDestroy(blas) == CUBLAS_STATUS_SUCCESS);
}

}  // namespace

int main() {
  EXPECT(cublasLtCreate(&handle) == CUBLAS_STATUS_SUCCESS);
  const auto four = CUBLASLT_MATMUL_MATRIX_SCALE_VEC16_UE4M3,
             eight = CUBLASLT_MATMUL_MATRIX_SCALE_VEC32_UE8M0;
  for (const bool gives_vectors : {false, true}) {
    check_factors(41, 37, 75, eight, eight, gives_vectors);
    check_factors(131, 7, 300, eight, eight, gives_vectors);
    check_factors(41, 37, 74, four, four, gives_vectors);
    check_factors(35, 130, 150, four, four, gives_vectors);
  }
  const auto lines = CUBLASLT_MATMUL_MATRIX_SCALE_OUTER_VEC_32F,
             vectors = CUBLASLT_MATMUL_MATRIX_SCALE_VEC128_32F,
             blocks = CUBLASLT_MATMUL_MATRIX_SCALE_BLK128x128_32F;
  check_factors(41, 37, 75, lines, lines, false);
  check_factors(140, 20, 270, vectors, vectors, false);
  check_factors(140, 20, 270, vectors, blocks, false);
  check_factors(140, 132, 270, blocks, vectors, false);
  check_pointers();
  check_groups<std::int32_t>(false);
  check_groups<std::int64_t>(true);
  check_planes<__half, __half>(CUDA_C_16F, CUDA_C_16F, CUBLAS_OP_N, CUBLAS_OP_N);
  check_planes<__half, float>(CUDA_C_16F, CUDA_C_32F, CUBLAS_OP_C, CUBLAS_OP_T);
  check_planes<__nv_bfloat16, float>(CUDA_C_16BF, CUDA_C_32F, CUBLAS_OP_N, CUBLAS_OP_C);
  check_planes<float, float>(CUDA_C_32F, CUDA_C_32F, CUBLAS_OP_T, CUBLAS_OP_N);
  check_emulation();
  EXPECT(cublasLtDestroy(handle) == CUBLAS_STATUS_SUCCESS);
  return finish();
}
