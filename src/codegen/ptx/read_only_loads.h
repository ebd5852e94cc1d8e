// __ldg: what it loads does not change while the kernel runs.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Its loads are marked as invariant: they may go before stores, and become ld.global.nc. For CPUs
// it is a plain load (cuda_headers/gridspan/device_load_store.h), known here by its name; before it
// is inlined.
#pragma once

#include "llvm/IR/Module.h"

namespace gridspan::codegen::ptx {

void mark_read_only_loads(llvm::Module& module);

}  // namespace gridspan::codegen::ptx
