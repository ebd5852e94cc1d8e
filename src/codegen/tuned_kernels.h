// Which settings that a search found are used for a kernel.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/kernel_code.h"
#include "codegen/variants.h"

namespace gridspan::codegen {

/// Sets `tuned`, or `tuning_is_stale` if all there is was found for other code. `source`: of the
/// unit.
void find_tuning(KernelCode& kernel, const std::vector<TunedKernel>& tuned,
                 const std::string& source);

KernelSettings settings_of(const KernelCode& kernel);

/// What pays for one CPU's vectors need not for another's.
KernelSettings vector_settings_of(const KernelCode& kernel, const VariantCode& variant);

}  // namespace gridspan::codegen
