// Finds entries in the container and unpacks them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/gpu_container.h"

#include <zstd.h>

#include <cstring>
#include <string_view>

namespace gridspan::devices::cuda {

std::span<const abi::ContainerEntry> container_entries(const abi::Module& module) {
  constexpr std::string_view magic{"GRIDSPC\0", 8};
  const auto* const begin = static_cast<const char*>(module.container);
  abi::ContainerHeader header;
  if (!begin || module.container_size < sizeof header) return {};
  std::memcpy(&header, begin, sizeof header);
  const std::uint64_t room = (module.container_size - sizeof header) / sizeof(abi::ContainerEntry);
  if (std::string_view(header.magic, sizeof header.magic) != magic || header.entry_count > room)
    return {};
  return {reinterpret_cast<const abi::ContainerEntry*>(begin + sizeof header), header.entry_count};
}

std::optional<std::string> unpack(const abi::Module& module, const abi::ContainerEntry& entry) {
  if (entry.offset > module.container_size || entry.size > module.container_size - entry.offset)
    return std::nullopt;
  const char* const packed = static_cast<const char*>(module.container) + entry.offset;
  constexpr unsigned long long most = 1ull << 32;
  const unsigned long long bytes = ZSTD_getFrameContentSize(packed, entry.size);
  if (bytes == 0 || bytes > most) return std::nullopt;
  std::string content(bytes, '\0');
  if (ZSTD_decompress(content.data(), content.size(), packed, entry.size) != content.size())
    return std::nullopt;
  return content;
}

static const abi::ContainerEntry* machine_code_entry(const abi::Module& module,
                                                     std::uint32_t capability) {
  const abi::ContainerEntry* best = nullptr;
  for (const abi::ContainerEntry& entry : container_entries(module)) {
    if (entry.kind != abi::ContainerKind::machine_code) continue;
    if (entry.version / 10 != capability / 10 || entry.version > capability) continue;
    if (!best || entry.version > best->version) best = &entry;
  }
  return best;
}

bool has_machine_code(const abi::Module& module, std::uint32_t capability) {
  return machine_code_entry(module, capability) != nullptr;
}

std::optional<std::string> machine_code_of(const abi::Module& module, std::uint32_t capability) {
  const abi::ContainerEntry* const best = machine_code_entry(module, capability);
  return best ? unpack(module, *best) : std::nullopt;
}

}  // namespace gridspan::devices::cuda
