// References for tests of NCCL: elements combined by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <nccl.h>

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include "library_check.h"

#include <random>
#include <vector>

/// What elements are combined as by hand: whole numbers wrap, small real ones are rounded once for
/// each eight ranks.
template <typename T>
struct By {
  using Wide = T;
};
#define BY(type, wide) \
  template <>          \
  struct By<type> {    \
    using Wide = wide; \
  };
BY(__half, float)
BY(__nv_bfloat16, float)
BY(__nv_fp8_e4m3, float)
BY(__nv_fp8_e5m2, float)
#undef BY

template <typename T>
constexpr bool is_real = std::is_floating_point_v<typename By<T>::Wide>;

template <typename T>
T random_element(std::mt19937_64& engine) {
  if constexpr (is_real<T>)
    return static_cast<T>(std::uniform_real_distribution<float>(-2, 2)(engine));
  else
    return static_cast<T>(engine());
}

template <typename T>
typename By<T>::Wide applied(ncclRedOp_t op, typename By<T>::Wide a, typename By<T>::Wide b) {
  using W = typename By<T>::Wide;
  if constexpr (!is_real<T>) {
    const auto wide = [](W x) { return static_cast<unsigned long long>(x); };
    if (op == ncclSum || op == ncclAvg) return static_cast<W>(wide(a) + wide(b));
    if (op == ncclProd) return static_cast<W>(wide(a) * wide(b));
  } else {
    if (op == ncclSum || op == ncclAvg) return a + b;
    if (op == ncclProd) return a * b;
  }
  return op == ncclMax ? (a > b ? a : b) : (a < b ? a : b);
}

template <typename T>
T combined(const std::vector<std::vector<T>>& of, std::size_t i, ncclRedOp_t op) {
  using W = typename By<T>::Wide;
  W value = static_cast<W>(of[0][i]);
  for (std::size_t rank = 1; rank < of.size(); ++rank) {
    // From the second launch on, what is there so far is one of the eight.
    if (rank % 7 == 1 && rank > 1) value = static_cast<W>(static_cast<T>(value));
    value = applied<T>(op, value, static_cast<W>(of[rank][i]));
  }
  if (op == ncclAvg) value = static_cast<W>(value / static_cast<W>(static_cast<int>(of.size())));
  return static_cast<T>(value);
}
