// Kernels for a part of the grid.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     K(a, n)             %ctaid.x, %nctaid.x
//     K$part(a, n, part)  %ctaid.x + part.first_block[0], part.grid[0]
//
// The parts of a launch are launches of K$part with as many blocks as they have. The two places
// come from the parameter space, which is as good as constants: they are read once, at entry, and
// LLVM knows their ranges. Runs on optimised code, because whatever was concluded from the ranges
// of %ctaid and %nctaid still holds.
#pragma once

#include "llvm/IR/Module.h"

#include <cstdint>
#include <optional>
#include <string>

namespace gridspan::codegen::ptx {

/// How the names of such kernels end.
inline constexpr char part_suffix[] = "$part";

/// Bytes that the place of a part adds to a kernel's parameters, with what aligns it.
inline constexpr std::uint64_t part_bytes = 48;

/// Bytes of a kernel's parameters.
std::uint64_t parameter_bytes(const llvm::Function& kernel);

/// Adds K$part, whose last parameter is 32 bytes, aligned to 16 and passed by value:
///     struct { uint32_t first_block[3], reserved, grid[3], reserved2; }
/// Returns why it does not, for instance if some function beside the kernel asks where in
/// the grid it is.
std::optional<std::string> add_part_kernel(llvm::Function& kernel);

/// Marks kernels of which a part alone would wait for ever: they meet at barriers of the grid.
void note_grid_barriers(llvm::Module& module);

/// Functions that ask where in the grid they are become part of their callers.
void inline_grid_positions(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
