// Products of elements of fewer bits than their sums: operands are converted first, and the product
// is the one of the sums' type. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/blas/api/work.h"
#include "libraries/blas/kernels/elements.h"
#include "libraries/blas/kernels/gemm.h"

#include <algorithm>
#include <cstdint>
#include <type_traits>

namespace gridspan::libraries::blas {

template <typename T>
constexpr cudaDataType type_of = CUDA_R_32F;
template <>
constexpr cudaDataType type_of<int> = CUDA_R_32I;
template <>
constexpr cudaDataType type_of<__half> = CUDA_R_16F;
template <>
constexpr cudaDataType type_of<__nv_bfloat16> = CUDA_R_16BF;
template <>
constexpr cudaDataType type_of<signed char> = CUDA_R_8I;

/// Elements of fewer bits than their sums, and so many products that it pays to convert them first.
template <typename Sum, typename Scale, typename In, typename Out>
bool is_converted(const Gemm<Sum, Scale, In, Out>& g) {
  constexpr std::int64_t least = 1 << 18, least_lines = 4;
  const bool has_scalars = std::is_same_v<Scale, Sum> || (!g.alpha.place && !g.beta.place);
  return has_scalars && g.c.base && g.k > 0 && g.m >= least_lines && g.n >= least_lines &&
         g.m * g.n >= least / g.k && (g.alpha.place || !is_zero(g.alpha.value));
}

template <typename Sum, typename Scale>
Scalar<Sum> as_sum(const Scalar<Scale>& x) {
  if constexpr (std::is_same_v<Scale, Sum>)
    return x;
  else
    return {Conversion<Sum, Scale>::of(x.value), nullptr};
}

/// The product of converted matrices, one of a batch after the other; the same sums, rounded once.
template <typename Sum, typename Scale, typename In, typename Out>
cublasStatus_t run_converted(const Gemm<Sum, Scale, In, Out>& g) {
  Work work(g.stream);
  constexpr bool gives_sums = std::is_same_v<Sum, Out>;
  Sum* const a = work.take<Sum>(g.m * g.k);
  Sum* const b = work.take<Sum>(g.k * g.n);
  Sum* const c = gives_sums ? nullptr : work.take<Sum>(g.m * g.n);
  Gemm<Sum, Sum, Sum, Sum> product;
  product.m = g.m;
  product.n = g.n;
  product.k = g.k;
  product.alpha = as_sum<Sum>(g.alpha);
  product.beta = as_sum<Sum>(g.beta);
  product.a.base = a;
  product.a.column = g.m;
  product.b.base = b;
  product.b.column = g.k;
  product.c.column = gives_sums ? g.c.column : g.m;
  product.stream = g.stream;
  const bool reads_c = product.beta.place || !is_zero(product.beta.value);
  for (std::int64_t z = 0; z < g.batch_count; ++z) {
    const auto place = [](const auto& x) {
      return Placement{ElementOrder::steps, x.row, x.column, 0};
    };
    Out* const result = g.c.base + z * g.c.batch;
    const TypedMatrix typed_c = {result, type_of<Out>, place(g.c), false};
    work.step([&] {
      return launch_load<Sum>(g.m, g.k, 1,
                              {g.a.base + z * g.a.batch, type_of<In>, place(g.a), false}, a,
                              work.stream());
    });
    work.step([&] {
      return launch_load<Sum>(g.k, g.n, 1,
                              {g.b.base + z * g.b.batch, type_of<In>, place(g.b), false}, b,
                              work.stream());
    });
    if constexpr (gives_sums) {
      product.c.base = result;
      work.step([&] { return launch(product); });
    } else {
      product.c.base = c;
      if (reads_c)
        work.step([&] { return launch_load<Sum>(g.m, g.n, 1, typed_c, c, work.stream()); });
      work.step([&] { return launch(product); });
      work.step([&] { return launch_store<Sum>(g.m, g.n, 1, c, nullptr, typed_c, work.stream()); });
    }
  }
  return work.finish();
}

/// Matrices of a batch that follow each other: one matrix with the columns of all.
struct JoinedMatrices {
  std::int64_t rows = 0, columns = 0, lead = 0;  // of one, as it is stored
  bool is_one = false;

  template <typename T>
  JoinedMatrices(const Matrices<T>& x, std::int64_t row_count, std::int64_t column_count) {
    const bool by_rows = x.row != 1;
    rows = by_rows ? column_count : row_count;
    columns = by_rows ? row_count : column_count;
    lead = by_rows ? x.row : x.column;
    is_one = x.base && (x.row == 1 || x.column == 1) && x.batch == lead * columns;
  }
  Placement placement() const { return {ElementOrder::steps, 1, lead, 0}; }
};

/// A batch of products in float, too small to be split, whose matrices are converted together.
template <typename Sum, typename Scale, typename In, typename Out>
bool is_converted_batch(const Gemm<Sum, Scale, In, Out>& g) {
  constexpr std::int64_t least = 1 << 18, most = 1 << 20;
  const bool has_scalars = std::is_same_v<Scale, Sum> || (!g.alpha.place && !g.beta.place);
  return std::is_same_v<Sum, float> && has_scalars && g.batch_count > 1 && g.k > 0 &&
         (g.alpha.place || !is_zero(g.alpha.value)) && g.m * g.n <= most / g.k &&
         g.m * g.n * g.k >= least / g.batch_count && JoinedMatrices(g.a, g.m, g.k).is_one &&
         JoinedMatrices(g.b, g.k, g.n).is_one && JoinedMatrices(g.c, g.m, g.n).is_one;
}

/// As many products at a time as a cache holds the matrices of.
template <typename Sum, typename Scale, typename In, typename Out>
cublasStatus_t run_converted_batch(const Gemm<Sum, Scale, In, Out>& g) {
  constexpr bool gives_sums = std::is_same_v<Sum, Out>;
  constexpr std::int64_t cached = 1 << 17;
  const JoinedMatrices a(g.a, g.m, g.k), b(g.b, g.k, g.n), c(g.c, g.m, g.n);
  const std::int64_t size = std::max({g.m * g.k, g.k * g.n, g.m * g.n});
  const std::int64_t most = std::min(g.batch_count, std::max<std::int64_t>(16, cached / size));
  Work work(g.stream);
  Sum* const to_a = work.take<Sum>(most * g.m * g.k);
  Sum* const to_b = work.take<Sum>(most * g.k * g.n);
  Sum* const to_c = gives_sums ? nullptr : work.take<Sum>(most * g.m * g.n);
  Gemm<Sum, Sum, Sum, Sum> product;
  product.m = g.m, product.n = g.n, product.k = g.k;
  product.alpha = as_sum<Sum>(g.alpha), product.beta = as_sum<Sum>(g.beta);
  product.stream = g.stream;
  const auto packed = [](auto& matrices, auto* base, bool by_rows, const JoinedMatrices& one) {
    matrices.base = base;
    matrices.row = by_rows ? one.rows : 1;
    matrices.column = by_rows ? 1 : one.rows;
    matrices.batch = one.rows * one.columns;
  };
  packed(product.a, to_a, g.a.row != 1, a);
  packed(product.b, to_b, g.b.row != 1, b);
  const bool reads_c = product.beta.place || !is_zero(product.beta.value);
  for (std::int64_t z = 0; z < g.batch_count; z += most) {
    const std::int64_t count = std::min(most, g.batch_count - z);
    product.batch_count = count;
    const auto load = [&](const JoinedMatrices& one, const TypedMatrix& from, Sum* to) {
      work.step([&] {
        return launch_load<Sum>(one.rows, one.columns * count, 1, from, to, work.stream());
      });
    };
    Out* const result = g.c.base + z * g.c.batch;
    const TypedMatrix typed_c = {result, type_of<Out>, c.placement(), false};
    load(a, {g.a.base + z * g.a.batch, type_of<In>, a.placement(), false}, to_a);
    load(b, {g.b.base + z * g.b.batch, type_of<In>, b.placement(), false}, to_b);
    if constexpr (gives_sums) {
      product.c = g.c;
      product.c.base = result;
      work.step([&] { return launch(product); });
    } else {
      packed(product.c, to_c, false, c);
      if (reads_c) load(c, typed_c, to_c);
      work.step([&] { return launch(product); });
      work.step([&] {
        return launch_store<Sum>(g.m, g.n * count, 1, to_c, nullptr, typed_c, work.stream());
      });
    }
  }
  return work.finish();
}

}  // namespace gridspan::libraries::blas
