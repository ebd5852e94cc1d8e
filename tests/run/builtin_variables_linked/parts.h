// What main.cu uses of other.cu.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include "../check.h"

template <class V>
__host__ __device__ unsigned code(const V& v) {
  return v.x + 1000 * v.y + 1000000 * v.z;
}

__device__ const uint3& where();
__device__ const dim3* shape(bool of_grid);
__device__ unsigned taken(const uint3& a, const dim3& b);
__device__ int own_lanes();
const int& host_lanes();

/// Refers to two of the variables from its constructor on, which is in another file.
struct View {
  const uint3& index;
  const dim3& size;
  __device__ View();
  __device__ unsigned value() const;
};
