// The block's shape, where all of a module is for one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/IR/Module.h"

#include <array>
#include <cstdint>
#include <optional>

namespace gridspan::transforms {

using BlockShape = std::array<std::uint32_t, 3>;

/// All launches of the module's kernels have blocks of this shape.
void set_known_shape(llvm::Module& module, const BlockShape& shape);

std::optional<BlockShape> known_shape(const llvm::Module& module);

}  // namespace gridspan::transforms
