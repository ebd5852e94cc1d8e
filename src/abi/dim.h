// Three-dimensional extents and indices as generated code and the run time exchange them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace gridspan::abi {

/// Extent or index in CUDA's order: x varies fastest.
struct Dim {
  std::uint32_t x, y, z;
};

}  // namespace gridspan::abi
