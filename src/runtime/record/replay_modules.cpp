// Modules by id, kernels by number.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/replay_modules.h"

#include "runtime/api/registry.h"
#include "runtime/memory/module_image.h"

#include <algorithm>

namespace gridspan::runtime::record {

/// Several modules may have one id (registry.h): the second of the recording is the second here.
void ReplayModules::add(const ModuleNote& note) {
  auto earlier = std::ranges::count_if(
      modules_, [&](const Module& other) { return other.note.id == note.id; });
  Module& added = modules_.emplace_back(Module{note, nullptr});
  for (const auto& loaded : registry().modules()) {
    if (loaded->module->id != abi::ModuleId{{note.id[0], note.id[1]}}) continue;
    added.module = loaded->module;
    if (earlier-- == 0) break;
  }
}

support::Result<void> ReplayModules::place(const ImageNote& note, bool initialise) {
  if (note.module >= modules_.size()) return support::fail("variables of no module");
  Module& owner = modules_[note.module];
  if (!owner.module) return {};  // none of its kernels is launched
  if (owner.module->symbol_count != note.addresses.size()) {
    return support::fail("variables of another module");
  }
  std::vector<void*>& image = *new std::vector<void*>;
  for (const std::uint64_t address : note.addresses) {
    image.push_back(reinterpret_cast<void*>(address));
  }
  owner.image = &image;
  if (initialise) initialise_symbols(*owner.module, image);
  return {};
}

support::Result<ReplayModules::Kernel> ReplayModules::find(const LaunchNote& note) const {
  const Module* owner = note.module < modules_.size() ? &modules_[note.module] : nullptr;
  if (!owner || !owner->module || note.kernel >= owner->module->kernel_count ||
      note.kernel >= owner->note.kernels.size() ||
      owner->note.kernels[note.kernel].name != owner->module->kernels[note.kernel].name) {
    return support::fail("a kernel that is not in this program");
  }
  const abi::Module& module = *owner->module;
  if (module.symbol_count > 0 && !owner->image) return support::fail("a launch without variables");
  void* const* const addresses = owner->image ? owner->image->data() : nullptr;
  return Kernel{&module.kernels[note.kernel], {addresses, module.symbol_count}};
}

}  // namespace gridspan::runtime::record
