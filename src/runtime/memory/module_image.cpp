// Lays out, fills and relocates symbol images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/module_image.h"

#include <algorithm>
#include <cstring>

namespace gridspan::runtime {

namespace {

std::size_t align_up(std::size_t offset, std::size_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Offset of each symbol in the image; the last entry is the image's size. A symbol never shares an
/// address with its neighbour, even when it is empty.
std::vector<std::size_t> lay_out(const abi::Module& module) {
  std::vector<std::size_t> offsets;
  std::size_t end = 0;
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    const abi::Symbol& symbol = module.symbols[i];
    // 16: generated code may load any symbol with vector instructions.
    const std::size_t alignment =
        std::clamp<std::size_t>(symbol.align, 16, HomeMemory::granularity);
    offsets.push_back(align_up(end, alignment));
    end = offsets.back() + std::max<std::size_t>(symbol.size, 1);
  }
  offsets.push_back(end);
  return offsets;
}

void write_initial(const abi::Symbol& symbol, void* address) {
  if (symbol.initial)
    std::memcpy(address, symbol.initial, symbol.size);
  else
    std::memset(address, 0, symbol.size);
}

void initialise(const abi::Symbol& symbol, void* address, const std::vector<void*>& addresses) {
  if ((symbol.flags & abi::symbol_managed) != 0) return;
  write_initial(symbol, address);
  for (std::uint32_t i = 0; i < symbol.relocation_count; ++i) {
    const abi::SymbolRelocation& relocation = symbol.relocations[i];
    const char* target = static_cast<char*>(addresses[relocation.target]) + relocation.addend;
    std::memcpy(static_cast<char*>(address) + relocation.offset, &target, sizeof target);
  }
}

}  // namespace

void initialise_managed(const abi::Symbol& symbol, void* variable) {
  write_initial(symbol, variable);
}

void initialise_symbols(const abi::Module& module, const std::vector<void*>& addresses) {
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    initialise(module.symbols[i], addresses[i], addresses);
  }
}

std::optional<ModuleImage> ModuleImage::create(const abi::Module& module,
                                               const ManagedVariables& managed, HomeMemory& memory,
                                               int device) {
  ModuleImage image;
  if (module.symbol_count == 0) return image;
  const std::vector<std::size_t> offsets = lay_out(module);
  char* base = static_cast<char*>(memory.allocate(offsets.back(), MemoryKind::symbol, 0, device));
  if (!base) return std::nullopt;
  // The storage was entered as one range; the symbols take its place.
  image.storage_ = memory.table().forget(base, MemoryKind::symbol);
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    void* const variable = i < managed.size() ? managed[i] : nullptr;
    void* const address = variable ? variable : base + offsets[i];
    const MemoryKind kind = variable ? MemoryKind::managed_variable : MemoryKind::symbol;
    image.addresses_.push_back(address);
    if (!variable) write_initial(module.symbols[i], address);  // a managed one, perhaps
    memory.table().insert(
        {reinterpret_cast<std::uintptr_t>(address), module.symbols[i].size, kind, 0, device});
  }
  initialise_symbols(module, image.addresses_);
  return image;
}

void ModuleImage::destroy(HomeMemory& memory, Managed managed) {
  for (void* address : addresses_) {
    bool is_gone = memory.table().forget(address, MemoryKind::symbol).has_value();
    if (!is_gone && managed == Managed::go) {
      is_gone = memory.table().forget(address, MemoryKind::managed_variable).has_value();
    }
    if (is_gone) memory.note_released(reinterpret_cast<std::uintptr_t>(address));
  }
  if (storage_) memory.release(*storage_);
  addresses_.clear();
  storage_.reset();
}

}  // namespace gridspan::runtime
