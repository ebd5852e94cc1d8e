// Loads once, answers often.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/code_table.h"

#include <algorithm>

namespace gridspan::devices::cuda {

support::Result<ModuleCode*> CodeTable::answer(const Code& code) {
  if (!code) return support::fail(code.error());
  return code->get();
}

support::Result<ModuleCode*> CodeTable::find(const abi::Module& module) {
  if (ModuleCode* const code = find_again(module)) return code;
  {
    const std::shared_lock lock(mutex_);
    const auto known = loaded_.find(&module);
    if (known != loaded_.end()) {
      if (known->second) latest_.store(known->second->get(), std::memory_order_release);
      return answer(known->second);
    }
  }
  const std::unique_lock lock(mutex_);
  const auto known = loaded_.find(&module);
  if (known != loaded_.end()) return answer(known->second);
  return answer(
      loaded_.emplace(&module, ModuleCode::load(gpu_, module, capability_)).first->second);
}

void CodeTable::forget(const abi::Module& module) {
  const std::unique_lock lock(mutex_);
  const auto known = loaded_.find(&module);
  if (known == loaded_.end()) return;
  ++generation_;
  if (known->second) {
    if (find_again(module)) latest_.store(nullptr);
    (*known->second)->unload();
    forgotten_.push_back(std::move(*known->second));
  }
  loaded_.erase(known);
}

bool CodeTable::has_variable_at(const void* address) const {
  const auto at = reinterpret_cast<Address>(address);
  const std::shared_lock lock(mutex_);
  return std::ranges::any_of(loaded_, [at](const auto& entry) {
    return entry.second && std::ranges::any_of((*entry.second)->variables(), [at](const auto& one) {
             return at - one.address < one.bytes;
           });
  });
}

}  // namespace gridspan::devices::cuda
