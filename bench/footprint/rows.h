// A footprint function as Mekong generated them: one call of the sink for each row.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/model.h"
#include "model/kernel.h"

#include "llvm/ExecutionEngine/Orc/LLJIT.h"

#include <memory>

namespace gridspan::bench {

struct Rows {
  std::unique_ptr<llvm::orc::LLJIT> jit;
  abi::FootprintFunction function;
};

/// Enumerates the rows of `image` (rank 2), with isl's loops and the compiler's own code for them.
Rows compile_rows(const model::Kernel& kernel, const isl::set& image);

}  // namespace gridspan::bench
