// What the compiler understood of each kernel, as JSON for `gridspan explain`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"
#include "codegen/ptx/ptx.h"

namespace gridspan::codegen {

/// {"source": ..., "kernels": [{"name", "file", "line", "executor": "regions"|"fibers", "reason",
/// "regions", "block_barriers", "warp_operations", "static_shared", "frame_bytes", "parameters",
/// "gpu"}]}; "gpu" is {"ptx", "reason", "part_reason", "packed": [arrays], "packed_reason"}, where
/// PTX was asked for
std::string facts_json(llvm::StringRef source, const std::vector<KernelCode>& kernels,
                       const PtxCode* ptx);

}  // namespace gridspan::codegen
