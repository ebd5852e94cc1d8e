// What tests of proofs share: a kernel to build up, and the usual subscripts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "reference.h"

#include <gtest/gtest.h>

namespace gridspan::model::test {

class Prove : public testing::Test {
 protected:
  Prove() : kernel(context.get()) {}

  // o = blockDim_x * blockIdx_x, and the same along y.
  TestKernel& with_offsets(bool two_dimensional = false) {
    kernel.product("o_x", "blockDim_x", "blockIdx_x");
    if (two_dimensional) kernel.product("o_y", "blockDim_y", "blockIdx_y");
    return kernel;
  }
  bool always(const isl::set& set) {
    return kernel.kernel.context.intersect(launches("[gridDim_x] -> { : gridDim_x >= 1 }"))
        .is_subset(set);
  }
  isl::set launches(const std::string& text) { return isl::set(context.get(), text); }

  IslContext context;
  TestKernel kernel;
};

inline long global_x(const Launch& l, const Index& b, const Index& t) {
  return l.block[0] * b[0] + t[0];
}
inline long global_y(const Launch& l, const Index& b, const Index& t) {
  return l.block[1] * b[1] + t[1];
}

}  // namespace gridspan::model::test
