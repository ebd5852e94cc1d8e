// Parsing of containers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/containers.h"

#include <cstring>
#include <optional>

namespace gridspan::tools {
namespace {

constexpr std::string_view magic("GRIDSPC\0", 8);
constexpr std::size_t alignment = 16;  // of a container within its section

template <class T>
std::optional<T> read(std::string_view bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(T)) return std::nullopt;
  T value;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

support::Result<ContainerView> parse_one(std::string_view bytes,
                                         const abi::ContainerHeader& header) {
  if (header.version != abi::version)
    return support::fail("container of version " + std::to_string(header.version) +
                         "; this tool reads version " + std::to_string(abi::version));
  if (header.total_size < sizeof header || header.total_size > bytes.size())
    return support::fail("a container is cut short");
  std::string_view whole = bytes.substr(0, header.total_size);
  ContainerView view{header.id, {}};
  for (std::uint32_t i = 0; i < header.entry_count; ++i) {
    auto entry = read<abi::ContainerEntry>(whole, sizeof header + i * sizeof(abi::ContainerEntry));
    if (!entry || entry->offset > whole.size() || entry->size > whole.size() - entry->offset)
      return support::fail("a container's entry leads outside of it");
    view.entries.push_back({entry->kind, entry->version, whole.substr(entry->offset, entry->size)});
  }
  return view;
}

}  // namespace

std::string_view ContainerView::payload(abi::ContainerKind kind) const {
  for (const Entry& entry : entries)
    if (entry.kind == kind) return entry.payload;
  return {};
}

support::Result<std::vector<ContainerView>> parse_containers(std::string_view bytes) {
  std::vector<ContainerView> views;
  while (!bytes.empty()) {
    auto header = read<abi::ContainerHeader>(bytes, 0);
    bool is_container = header && std::string_view(header->magic, magic.size()) == magic;
    if (!is_container) {
      std::string_view padding = bytes.substr(0, alignment);
      if (padding.find_first_not_of('\0') != std::string_view::npos)
        return support::fail("no container where one should begin");
      bytes.remove_prefix(padding.size());
      continue;
    }
    auto view = parse_one(bytes, *header);
    if (!view) return support::fail(view.error());
    views.push_back(std::move(*view));
    bytes.remove_prefix(header->total_size);
  }
  return views;
}

}  // namespace gridspan::tools
