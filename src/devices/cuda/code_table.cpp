// Loads once, answers often.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/code_table.h"

#include "devices/cuda/gpu_container.h"
#include "support/program_signals.h"

#include <algorithm>
#include <new>
#include <system_error>
#include <utility>

namespace gridspan::devices::cuda {

support::Result<ModuleCode*> CodeTable::find(const abi::Module& module) {
  if (ModuleCode* const code = find_again(module)) return code;
  const std::shared_ptr<Entry> entry = entry_of(module);
  std::call_once(entry->once, [&] {
    entry->code.emplace(ModuleCode::load(gpu_, module, capability_));
    if (*entry->code) entry->ready.store((*entry->code)->get(), std::memory_order_release);
  });
  if (!*entry->code) return support::fail(entry->code->error());
  latest_.store((*entry->code)->get(), std::memory_order_release);
  return (*entry->code)->get();
}

std::shared_ptr<CodeTable::Entry> CodeTable::entry_of(const abi::Module& module) {
  {
    const std::shared_lock lock(mutex_);
    if (const auto known = loaded_.find(&module); known != loaded_.end()) return known->second;
  }
  const std::unique_lock lock(mutex_);
  std::shared_ptr<Entry>& entry = loaded_[&module];
  if (!entry) entry = std::make_shared<Entry>();
  return entry;
}

void CodeTable::expect(std::vector<const abi::Module*> modules) {
  const bool compiles = std::ranges::any_of(modules, [this](const abi::Module* module) {
    return !has_machine_code(*module, capability_);
  });
  if (compiles) gpu_.driver.load_compiler();
  const std::scoped_lock lock(ahead_mutex_);
  is_ahead_wanted_ = false;
  if (ahead_.joinable()) ahead_.join();
  if (modules.empty()) return;
  is_ahead_wanted_ = true;
  const support::ProgramSignals blocked;
  try {
    ahead_ = std::thread([this, modules = std::move(modules)] {
      try {
        for (const abi::Module* module : modules)
          if (is_ahead_wanted_) static_cast<void>(find(*module));
      } catch (const std::bad_alloc&) {
        // The module is loaded when it is asked for, or fails then.
      }
    });
  } catch (const std::system_error&) {
    // Without a thread for it they are loaded when they are asked for.
  }
}

void CodeTable::forget(const abi::Module& module) {
  expect({});
  const std::unique_lock lock(mutex_);
  const auto known = loaded_.find(&module);
  if (known == loaded_.end()) return;
  ++generation_;
  Entry& entry = *known->second;
  if (entry.ready.load() != nullptr) {
    if (find_again(module)) latest_.store(nullptr);
    (*entry.code)->get()->unload();
    forgotten_.push_back(std::move(**entry.code));
  }
  loaded_.erase(known);
}

bool CodeTable::has_variable_at(const void* address) const {
  const auto at = reinterpret_cast<Address>(address);
  const std::shared_lock lock(mutex_);
  return std::ranges::any_of(loaded_, [at](const auto& known) {
    const ModuleCode* const code = known.second->ready.load(std::memory_order_acquire);
    return code && std::ranges::any_of(code->variables(), [at](const auto& one) {
             return at - one.address < one.bytes;
           });
  });
}

}  // namespace gridspan::devices::cuda
