// Looks kernels up by name, source, code and CPU.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/tuned_kernels.h"

namespace gridspan::codegen {

void find_tuning(KernelCode& kernel, const std::vector<TunedKernel>& tuned,
                 const std::string& source) {
  for (const TunedKernel& one : tuned) {
    if (one.kernel != kernel.name || (!one.source.empty() && one.source != source)) continue;
    if (one.code.empty() || one.code == kernel.code_hash)
      kernel.tuned = one;
    else
      kernel.tuning_is_stale = true;
  }
  if (kernel.tuned) kernel.tuning_is_stale = false;
}

KernelSettings settings_of(const KernelCode& kernel) {
  return kernel.tuned ? kernel.tuned->settings : KernelSettings{};
}

KernelSettings vector_settings_of(const KernelCode& kernel, const VariantCode& variant) {
  const char* cpu = abi::cpu_name(variant.set);
  const bool is_meant = kernel.tuned && kernel.tuned->cpu == (cpu ? cpu : "");
  return is_meant ? kernel.tuned->settings : KernelSettings{};
}

}  // namespace gridspan::codegen
