// Modules and images as records.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/module_notes.h"

#include <dlfcn.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <functional>
#include <iterator>
#include <memory>
#include <string>

namespace gridspan::runtime::record {

namespace {

/// Files in memory have names for as long as they are open (driver/modules.cpp).
bool is_in_memory(const std::string& loaded) { return loaded.starts_with("/proc/self/fd/"); }

/// The program or library that holds the module, as it was loaded.
std::string loaded_file(const abi::Module& module) {
  Dl_info facts{};
  return dladdr(&module, &facts) != 0 && facts.dli_fname ? facts.dli_fname : "";
}

/// Its lasting path; none of what was loaded from memory.
std::string lasting_file(const std::string& loaded) {
  if (is_in_memory(loaded)) return "";
  const std::unique_ptr<char, decltype(&std::free)> path(realpath(loaded.c_str(), nullptr),
                                                         std::free);
  return path ? path.get() : loaded;
}

std::string content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

ModuleNote note_of(const abi::Module& module) {
  ModuleNote note;
  note.id = {module.id.words[0], module.id.words[1]};
  note.file = lasting_file(loaded_file(module));
  for (std::uint32_t i = 0; i < module.kernel_count; ++i) {
    const abi::Kernel& kernel = module.kernels[i];
    KernelNote& one = note.kernels.emplace_back(KernelNote{kernel.name, {}});
    for (std::uint32_t k = 0; k < kernel.parameter_count; ++k) {
      const abi::Parameter& parameter = kernel.parameters[k];
      one.parameters.push_back({parameter.offset, parameter.size, parameter.is_pointer != 0});
    }
  }
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    note.variables.push_back({module.symbols[i].name, module.symbols[i].size});
  }
  return note;
}

}  // namespace

void ModuleNotes::update(std::set<std::uintptr_t>& new_variables) {
  for (const auto& loaded : registry().modules()) {
    number(*loaded->module, 0);  // also without variables
    for (int device = 0; device < most_devices; ++device) {
      note_image(*loaded, device, new_variables);
    }
  }
}

std::uint32_t ModuleNotes::number(const abi::Module& module, int device) {
  for (std::uint32_t i = 0; i < known_.size(); ++i) {
    const Known& known = known_[i];
    if (known.module == &module && known.device == device && known.id == module.id) return i;
  }
  recorder_.write(note_of(module));
  if (const std::string loaded = loaded_file(module); is_in_memory(loaded)) {
    const std::string library = content_of(loaded);
    recorder_.write(LibraryNote{recorder_.keep(library.data(), library.size())});
  }
  known_.push_back({&module, device, module.id, module.kernels, module.kernel_count, {}});
  return static_cast<std::uint32_t>(known_.size() - 1);
}

/// An image may be made anew where it was before: its memory tells.
void ModuleNotes::note_image(const LoadedModule& loaded, int device,
                             std::set<std::uintptr_t>& new_variables) {
  const LoadedModule::Place& place = loaded.places[static_cast<std::size_t>(device)];
  void* const* addresses = place.addresses.load(std::memory_order_acquire);
  if (!addresses) return;
  const std::uint32_t module = number(*loaded.module, device);
  std::vector<void*> now(addresses, addresses + loaded.module->symbol_count);
  bool is_new = now != known_[module].addresses;
  ImageNote note{module, {}};
  for (void* address : now) {
    note.addresses.push_back(reinterpret_cast<std::uintptr_t>(address));
    is_new |= new_variables.erase(note.addresses.back()) > 0;
  }
  if (!is_new) return;
  recorder_.write(std::move(note));
  known_[module].addresses = std::move(now);
}

ModuleNotes::Place ModuleNotes::place_of(const abi::Kernel& kernel,
                                         const SymbolTable& symbols) const {
  const std::less<> before;
  // The youngest first: it may lie where another was, which is unloaded.
  for (auto i = static_cast<std::uint32_t>(known_.size()); i-- > 0;) {
    const Known& known = known_[i];
    const bool holds =
        !before(&kernel, known.kernels) && before(&kernel, known.kernels + known.kernel_count);
    const bool is_here = std::equal(known.addresses.begin(), known.addresses.end(),
                                    symbols.addresses, symbols.addresses + symbols.count);
    if (holds && is_here) return {i, static_cast<std::uint32_t>(&kernel - known.kernels)};
  }
  return {};
}

}  // namespace gridspan::runtime::record
