// Arrays of which a GPU may hold a packed box, as a kernel's model knows them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/ptx/packed_kernels.h"
#include "model/kernel.h"

#include <vector>

namespace gridspan::codegen {

/// Arrays that have rows, of kernels whose parts are known to touch nothing else. None where blocks
/// walk through no such array: each then touches few rows, and parts of these are whole rows.
std::vector<ptx::PackableArray> packable_arrays(const model::Kernel& kernel);

}  // namespace gridspan::codegen
