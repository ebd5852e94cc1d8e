// What the compiler understood of each kernel, as JSON for `gridspan explain`.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"
#include "codegen/ptx/ptx.h"
#include "support/kernel_facts.h"

#include <map>

namespace gridspan::codegen {

/// {"source": ..., "kernels": [facts of support/kernel_facts.h]}. "gpu" is there where PTX was
/// asked for. `findings`: what stages found out besides, by the kernels' mangled names.
std::string facts_json(llvm::StringRef source, const std::vector<KernelCode>& kernels,
                       const PtxCode* ptx,
                       const std::map<std::string, support::KernelFacts>& findings);

}  // namespace gridspan::codegen
