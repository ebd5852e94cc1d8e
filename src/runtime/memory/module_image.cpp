// Lays out, fills and relocates symbol images.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/memory/module_image.h"

#include "runtime/memory/reach.h"

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

bool is_managed(const abi::Symbol& symbol) { return (symbol.flags & abi::symbol_managed) != 0; }

/// The host reaches `address`.
void initialise_here(const abi::Symbol& symbol, void* address,
                     const std::vector<void*>& addresses) {
  write_initial(symbol, address);
  relocate(symbol, address, addresses);
}

bool write(devices::Device& device, void* to, const void* from, std::size_t size) {
  const auto pitched = [size](const void* base) {
    return devices::Pitched{static_cast<char*>(const_cast<void*>(base)), size, size};
  };
  return device.memory().copy(pitched(to), pitched(from), {size}).fault == devices::Fault::none;
}

bool initialise(const abi::Symbol& symbol, void* address, const std::vector<void*>& addresses,
                devices::Device& device) {
  if (symbol.size == 0) return true;
  if (is_in_hosts_reach(device)) {
    initialise_here(symbol, address, addresses);
    return true;
  }
  std::vector<char> image(symbol.size);
  initialise_here(symbol, image.data(), addresses);
  return write(device, address, image.data(), symbol.size);
}

/// Of a variable of the device's code, which does not know where managed variables are.
bool point_at_managed(const abi::Module& module, std::uint32_t index,
                      const std::vector<void*>& addresses, devices::Device& device) {
  const abi::Symbol& symbol = module.symbols[index];
  for (std::uint32_t i = 0; i < symbol.relocation_count; ++i) {
    const abi::SymbolRelocation& relocation = symbol.relocations[i];
    if (!is_managed(module.symbols[relocation.target])) continue;
    const char* target = static_cast<char*>(addresses[relocation.target]) + relocation.addend;
    if (!write(device, static_cast<char*>(addresses[index]) + relocation.offset, &target,
               sizeof target))
      return false;
  }
  return true;
}

}  // namespace

void initialise_managed(const abi::Symbol& symbol, void* variable) {
  write_initial(symbol, variable);
}

void initialise_symbols(const abi::Module& module, const std::vector<void*>& addresses) {
  for (std::uint32_t i = 0; i < module.symbol_count; ++i) {
    if (!is_managed(module.symbols[i]) && module.symbols[i].size != 0)
      initialise_here(module.symbols[i], addresses[i], addresses);
  }
}

bool ModuleImage::place(const abi::Module& module, std::uint32_t index, void* managed, char* usual,
                        HomeMemory& memory, int device) {
  const std::size_t size = module.symbols[index].size;
  if (managed) {
    if (!memory.pin(managed, size)) return false;
    pinned_.emplace_back(managed, size);
  } else if (is_managed(module.symbols[index]) && memory.has_pinning()) {
    managed = memory.allocate(std::max<std::size_t>(size, 1), MemoryKind::host);
    if (!managed) return false;
    loaded_.push_back(*memory.table().forget(managed, MemoryKind::host));
  }
  void* const own = managed ? nullptr : memory.device().code().variable(module, index);
  void* const address = managed ? managed : own ? own : usual;
  const MemoryKind kind = managed ? MemoryKind::managed_variable : MemoryKind::symbol;
  addresses_.push_back(address);
  memory.table().insert({reinterpret_cast<std::uintptr_t>(address), size, kind, 0, device,
                         managed ? nullptr : &module, index});
  return true;
}

std::optional<ModuleImage> ModuleImage::create(const abi::Module& module,
                                               const ManagedVariables& managed, HomeMemory& memory,
                                               int device) {
  ModuleImage image;
  if (module.symbol_count == 0) return image;
  const std::vector<std::size_t> offsets = lay_out(module);
  void* made = memory.allocate(offsets.back(), MemoryKind::symbol, 0, device);
  if (!made) made = memory.allocate_beyond(offsets.back(), MemoryKind::symbol, device);
  char* const base = static_cast<char*>(made);
  if (!base) return std::nullopt;
  // The storage was entered as one range; the symbols take its place.
  image.storage_ = memory.table().forget(base, MemoryKind::symbol);
  devices::Device& home = memory.device();
  bool is_made = true;
  for (std::uint32_t i = 0; i < module.symbol_count && is_made; ++i)
    is_made = image.place(module, i, i < managed.size() ? managed[i] : nullptr, base + offsets[i],
                          memory, device);
  for (std::uint32_t i = 0; i < module.symbol_count && is_made; ++i) {
    const bool is_hosts = i < managed.size() && managed[i];
    void* const address = image.addresses_[i];
    const bool is_ours =
        address == base + offsets[i] || (is_managed(module.symbols[i]) && !is_hosts);
    // Managed ones may be in use, and those of the device's code are as that has them: addresses of
    // functions are others there.
    if (is_ours)
      is_made = initialise(module.symbols[i], address, image.addresses_, home);
    else if (!is_hosts)
      is_made = point_at_managed(module, i, image.addresses_, home);
  }
  if (is_made) return image;
  image.destroy(memory, Managed::stay);
  return std::nullopt;
}

void ModuleImage::destroy(HomeMemory& memory, Managed managed) {
  const auto is_loaded = [this](void* address) {
    return std::ranges::any_of(loaded_, [address](const Allocation& one) {
      return one.base == reinterpret_cast<std::uintptr_t>(address);
    });
  };
  for (void* address : addresses_) {
    bool is_gone = memory.table().forget(address, MemoryKind::symbol).has_value();
    if (!is_gone && (managed == Managed::go || is_loaded(address))) {
      is_gone = memory.table().forget(address, MemoryKind::managed_variable).has_value();
    }
    if (is_gone) memory.note_released(reinterpret_cast<std::uintptr_t>(address));
  }
  for (const auto& [variable, size] : pinned_) memory.unpin(variable, size);
  for (const Allocation& allocation : loaded_) memory.release(allocation);
  if (storage_) memory.release(*storage_);
  addresses_.clear();
  pinned_.clear();
  loaded_.clear();
  storage_.reset();
}

}  // namespace gridspan::runtime
