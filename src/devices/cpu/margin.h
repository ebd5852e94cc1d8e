// How far beside an array kernels may read without a fault.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace gridspan::devices::cpu {

/// Before and after the ranges of a mapping. Public programs read a little beside their arrays
/// (Rodinia's srad a row before); on GPUs, which map 2 MiB at a time, they get away with it.
inline constexpr std::size_t margin = std::size_t{2} << 20;

}  // namespace gridspan::devices::cpu
