// Registration in any order, lookup by host address.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/registry.h"

#include "runtime/api/managed_variables.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>

namespace gridspan::runtime {

namespace {

std::optional<abi::ModuleId> read_reference(const void* bytes) {
  constexpr std::string_view magic = "GRIDSPAN";
  if (!bytes || std::memcmp(bytes, magic.data(), magic.size()) != 0) return std::nullopt;
  abi::ModuleReference reference;
  std::memcpy(&reference, bytes, sizeof reference);
  if (reference.version != abi::version) return std::nullopt;
  return reference.id;
}

const abi::Kernel* kernel_named(const abi::Module& module, std::string_view name) {
  for (std::uint32_t i = 0; i < module.kernel_count; ++i) {
    if (module.kernels[i].name == name) return &module.kernels[i];
  }
  return nullptr;
}

bool is_of(const FatBinary& handle, const abi::Module& module) {
  return handle.linked ? handle.linked == &module : handle.is_ours && module.id == handle.id;
}

/// It has kernels of the same source file.
bool is_beside(const abi::Module& own, const abi::Module& module) {
  return &own != &module && abi::numbered(module.id, 0) == own.id;
}

std::optional<std::uint32_t> symbol_named(const abi::Module& module, std::string_view name) {
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    if (module.symbols[i].name == name) return i;
  }
  return std::nullopt;
}

/// What `name` means to the host code behind `handle`: its own before what all share.
template <class Find>
auto find_named(const FatBinary& handle, const std::string& name, Find find) {
  auto own = find(name + handle.suffix);
  return own || handle.suffix.empty() ? own : find(name);
}

}  // namespace

Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

constinit thread_local const abi::Module* Registry::newest_ = nullptr;

void Registry::add_module(const abi::Module* module) {
  newest_ = module;
  auto loaded = std::make_shared<LoadedModule>();
  loaded->module = module;
  const std::unique_lock lock(mutex_);
  if (std::any_of(modules_.begin(), modules_.end(),
                  [&](const auto& known) { return known->module == module; }))
    return;
  modules_.push_back(std::move(loaded));
  for (auto& [host, bindings] : variables_) {
    for (auto& binding : bindings) place_managed(*binding.handle, host, binding.name);
  }
}

/// Managed variables are found before the program begins, which may use them at once: they
/// are the one reason to ask for a handle's module early.
void Registry::place_managed(FatBinary& handle, const void* shadow, const std::string& name) {
  const auto has_managed = [&](const auto& loaded) {
    const abi::Module& module = *loaded->module;
    return is_of(handle, module) &&
           std::any_of(module.symbols, module.symbols + module.symbol_count,
                       [](const auto& one) { return (one.flags & abi::symbol_managed) != 0; });
  };
  if (!std::any_of(modules_.begin(), modules_.end(), has_managed)) return;
  LoadedModule& loaded = *module_of(handle);
  const auto index = find_named(
      handle, name, [&](const std::string& known) { return symbol_named(*loaded.module, known); });
  if (!index || (loaded.module->symbols[*index].flags & abi::symbol_managed) == 0) return;
  loaded.managed.resize(loaded.module->symbol_count);
  if (loaded.managed[*index]) return;
  loaded.managed[*index] = const_cast<void*>(shadow);
  initialise_managed(loaded.module->symbols[*index], loaded.managed[*index]);
  note_managed_variables();
}

std::shared_ptr<LoadedModule> Registry::remove_module(const abi::Module* module) {
  const std::unique_lock lock(mutex_);
  const auto found = std::find_if(modules_.begin(), modules_.end(),
                                  [&](const auto& loaded) { return loaded->module == module; });
  if (found == modules_.end()) return nullptr;
  std::shared_ptr<LoadedModule> removed = std::move(*found);
  modules_.erase(found);
  std::vector<const FatBinary*> gone;  // the module's own code registered and ends with it
  for (auto& handle : fat_binaries_) {
    if (handle->loaded == removed) handle->loaded = nullptr;
    if (handle->linked == module) gone.push_back(handle.get());
  }
  for (const FatBinary* handle : gone) drop_handle(handle);
  forget(functions_, removed.get());
  forget(variables_, removed.get());
  return removed;
}

std::vector<std::shared_ptr<LoadedModule>> Registry::modules() const {
  const std::shared_lock lock(mutex_);
  return modules_;
}

bool Registry::has_grid_barriers() const {
  const std::shared_lock lock(mutex_);
  return std::ranges::any_of(modules_, [](const auto& loaded) {
    const std::span kernels(loaded->module->kernels, loaded->module->kernel_count);
    return std::ranges::any_of(kernels, [](const abi::Kernel& kernel) {
      return (kernel.flags & abi::kernel_has_grid_sync) != 0;
    });
  });
}

void Registry::drop_images(HomeMemory& memory, int device) {
  const std::unique_lock lock(mutex_);
  for (const auto& loaded : modules_) drop_image(*loaded, memory, device);
  note_managed_variables();
}

void Registry::keep(std::shared_ptr<LoadedModule> removed) {
  const std::unique_lock lock(mutex_);
  kept_.push_back(std::move(removed));
}

FatBinary* Registry::add_fat_binary(const void* reference) {
  auto handle = std::make_unique<FatBinary>();
  if (const auto id = read_reference(reference)) {
    handle->id = *id;
    handle->is_ours = true;
  }
  const std::unique_lock lock(mutex_);
  fat_binaries_.push_back(std::move(handle));
  return fat_binaries_.back().get();
}

FatBinary* Registry::add_linked(const abi::Module* module, const char* suffix) {
  auto handle = std::make_unique<FatBinary>();
  handle->linked = module;
  handle->suffix = suffix;
  const std::unique_lock lock(mutex_);
  fat_binaries_.push_back(std::move(handle));
  return fat_binaries_.back().get();
}

void Registry::remove_fat_binary(FatBinary* handle) {
  const std::unique_lock lock(mutex_);
  drop_handle(handle);
}

void Registry::drop_handle(const FatBinary* handle) {
  unbind(functions_, handle);
  unbind(variables_, handle);
  std::erase_if(fat_binaries_, [&](const auto& owned) { return owned.get() == handle; });
}

template <class Target>
void Registry::bind(Bindings<Target>& bindings, FatBinary* handle, const void* host,
                    const char* name) {
  bindings[host].push_back({handle, name, nullptr});
}

template <class Target>
void Registry::unbind(Bindings<Target>& bindings, const FatBinary* handle) {
  for (auto at = bindings.begin(); at != bindings.end();) {
    std::erase_if(at->second, [&](const auto& binding) { return binding.handle == handle; });
    at = at->second.empty() ? bindings.erase(at) : std::next(at);
  }
}

template <class Target>
void Registry::forget(Bindings<Target>& bindings, const LoadedModule* loaded) {
  for (auto& [host, list] : bindings) {
    for (auto& binding : list) {
      if (binding.target && binding.target->loaded.get() == loaded) binding.target = nullptr;
    }
  }
}

void Registry::add_function(FatBinary* handle, const void* stub, const char* name) {
  const std::unique_lock lock(mutex_);
  bind(functions_, handle, stub, name);
}

void Registry::add_variable(FatBinary* handle, const void* shadow, const char* name) {
  const std::unique_lock lock(mutex_);
  bind(variables_, handle, shadow, name);
  place_managed(*handle, shadow, name);
}

std::shared_ptr<LoadedModule> Registry::module_of(FatBinary& handle) {
  if (handle.loaded) return handle.loaded;
  // One archive member linked into two libraries gives two modules of one id and two handles: each
  // handle takes a module that no other has, if there is one.
  for (const auto& loaded : modules_) {
    if (!is_of(handle, *loaded->module)) continue;
    handle.loaded = loaded;
    if (!loaded->referenced) break;
  }
  if (handle.loaded) handle.loaded->referenced = true;
  return handle.loaded;
}

std::shared_ptr<LoadedModule> Registry::module_of_handle(FatBinary& handle) {
  const std::unique_lock lock(mutex_);
  return module_of(handle);
}

std::shared_ptr<Function> Registry::resolve(Binding<Function>& binding) {
  auto loaded = module_of(*binding.handle);
  if (!loaded) return nullptr;
  const abi::Kernel* kernel =
      find_named(*binding.handle, binding.name,
                 [&](const std::string& known) { return kernel_named(*loaded->module, known); });
  if (kernel) return function_of(loaded, *kernel);
  for (const auto& other : modules_) {
    if (!is_beside(*loaded->module, *other->module)) continue;
    kernel = kernel_named(*other->module, binding.name);
    if (kernel) return function_of(other, *kernel);
  }
  return nullptr;
}

std::shared_ptr<Function> Registry::function_of(const std::shared_ptr<LoadedModule>& loaded,
                                                const abi::Kernel& kernel) {
  std::weak_ptr<Function>& known = loaded->functions[&kernel];
  std::shared_ptr<Function> function = known.lock();
  if (!function) {
    function = std::make_shared<Function>(loaded, &kernel, 0u);
    known = function;
  }
  return function;
}

std::shared_ptr<Variable> Registry::resolve(Binding<Variable>& binding) {
  auto loaded = module_of(*binding.handle);
  if (!loaded) return nullptr;
  const auto index = find_named(*binding.handle, binding.name, [&](const std::string& known) {
    return symbol_named(*loaded->module, known);
  });
  if (!index) return nullptr;
  return std::make_shared<Variable>(std::move(loaded), *index);
}

template <class Target>
std::shared_ptr<Target> Registry::find(Bindings<Target>& bindings, const void* host) {
  {
    const std::shared_lock lock(mutex_);
    const auto found = bindings.find(host);
    if (found == bindings.end()) return nullptr;
    if (found->second.front().target) return found->second.front().target;
  }
  const std::unique_lock lock(mutex_);
  const auto found = bindings.find(host);
  if (found == bindings.end()) return nullptr;
  for (Binding<Target>& binding : found->second) {
    if (!binding.target) binding.target = resolve(binding);
    if (binding.target) return binding.target;
  }
  return nullptr;
}

std::shared_ptr<Function> Registry::find_function(const void* stub) {
  return find(functions_, stub);
}

std::shared_ptr<Variable> Registry::find_variable(const void* shadow) {
  return find(variables_, shadow);
}

}  // namespace gridspan::runtime
