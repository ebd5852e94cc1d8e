// Makes the images of modules with managed variables.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/managed_variables.h"

#include "runtime/api/registry.h"
#include "runtime/api/runtime_state.h"

#include <mutex>

namespace gridspan::runtime {

namespace {

/// Files that were linked as one register one after the other, and programs call between: nothing
/// is placed before all have told where the host keeps their variables.
bool are_all_there(const LoadedModule& loaded) {
  bool any = false;
  for (std::uint32_t i = 0; i < loaded.managed.size(); ++i) {
    if ((loaded.module->symbols[i].flags & abi::symbol_managed) == 0) continue;
    if (!loaded.managed[i]) return false;
    any = true;
  }
  return any;
}

}  // namespace

void place_managed_variables(Runtime& state) {
  static std::mutex& mutex = *new std::mutex;
  const std::scoped_lock lock(mutex);  // who comes meanwhile needs the places, too
  const unsigned notes = managed_notes.made.load();
  if (notes == managed_notes.done.load()) return;
  for (const auto& loaded : registry().modules()) {
    // Where there is no memory, the first launch says so.
    if (are_all_there(*loaded)) symbol_addresses(*loaded, state.memory, current_device());
  }
  managed_notes.done.store(notes);
}

}  // namespace gridspan::runtime
