// The PTX that a module carries.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "support/result.h"

#include <cstdint>
#include <string>

namespace gridspan::devices::cuda {

/// The text for the largest architecture up to `capability` (90: sm_90). The error says in one line
/// why there is none.
support::Result<std::string> ptx_of(const abi::Module& module, std::uint32_t capability);

/// For some GPU.
bool has_ptx(const abi::Module& module);

/// Of a kernel that has no code for such GPUs, in one line, with its place; empty: all have. Takes
/// as long as unpacking the text.
std::string kernel_without_code(const abi::Module& module, std::uint32_t capability);

/// A text in three: the kernels, and their clones (part_name, packed_name). The driver compiles all
/// of what it loads, and most programs need no clones, or none that work on packed boxes. All are
/// empty if there are no clones, or if a text would have variables that it is to share with the
/// others; one without entries is empty, too.
struct DividedPtx {
  std::string kernels, parts, packed;
};
DividedPtx divide(const std::string& text);

/// Has the text ask for no newer version of PTX than a driver reads, of which `driver_version` is
/// cuDriverGetVersion's (12040: PTX 8.4). False, and the text stays, if it does not.
bool lower_version(std::string& text, int driver_version);

/// What the clone of a kernel that runs a part of a grid takes after the kernel's own parameters.
struct alignas(16) PartOfGrid {
  std::uint32_t first_block[3];
  std::uint32_t reserved;
  std::uint32_t grid[3];
  std::uint32_t reserved2;
};
static_assert(sizeof(PartOfGrid) == 32);

}  // namespace gridspan::devices::cuda
