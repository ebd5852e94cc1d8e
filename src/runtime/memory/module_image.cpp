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

/// `to`: where the host can write what the symbol at its address is to be.
void relocate(const abi::Symbol& symbol, void* to, const std::vector<void*>& addresses) {
  for (std::uint32_t i = 0; i < symbol.relocation_count; ++i) {
    const abi::SymbolRelocation& relocation = symbol.relocations[i];
    const char* target = static_cast<char*>(addresses[relocation.target]) + relocation.addend;
    std::memcpy(static_cast<char*>(to) + relocation.offset, &target, sizeof target);
  }
}

devices::RunResult initialise(const abi::Symbol& symbol, void* address,
                              const std::vector<void*>& addresses, devices::Device* device) {
  if (symbol.size == 0) return {};
  const bool is_reached = !device || device->facts().host_reaches_memory;
  std::vector<char> image(is_reached ? 0 : symbol.size);
  void* const to = is_reached ? address : image.data();
  write_initial(symbol, to);
  relocate(symbol, to, addresses);
  if (is_reached) return {};
  const std::size_t size = symbol.size;
  return device->copy({static_cast<char*>(address), size, size}, {image.data(), size, size},
                      {size});
}

}  // namespace

void initialise_managed(const abi::Symbol& symbol, void* variable) {
  write_initial(symbol, variable);
}

void initialise_symbols(const abi::Module& module, const std::vector<void*>& addresses) {
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    if ((module.symbols[i].flags & abi::symbol_managed) != 0) continue;
    initialise(module.symbols[i], addresses[i], addresses, nullptr);
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
  devices::Device& home = memory.device();
  std::vector<std::uint32_t> ours;
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    void* const variable = i < managed.size() ? managed[i] : nullptr;
    void* const own = variable ? nullptr : home.variable(module, i);
    void* const address = variable ? variable : own ? own : base + offsets[i];
    const MemoryKind kind = variable ? MemoryKind::managed_variable : MemoryKind::symbol;
    image.addresses_.push_back(address);
    memory.table().insert({reinterpret_cast<std::uintptr_t>(address), module.symbols[i].size, kind,
                           0, device, variable ? nullptr : &module, i});
    if (address == base + offsets[i]) ours.push_back(i);
  }
  // Managed ones may be in use, and those of the device's code are as that has them: addresses of
  // functions are others there.
  for (const std::uint32_t i : ours) {
    const auto made = initialise(module.symbols[i], image.addresses_[i], image.addresses_, &home);
    if (made.fault == devices::Fault::none) continue;
    image.destroy(memory, Managed::stay);
    return std::nullopt;
  }
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
