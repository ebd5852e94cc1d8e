// Container layout.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/container_writer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Compression.h"
#include "llvm/Support/MathExtras.h"

#include <cstring>

namespace gridspan::codegen {

std::string write_container(abi::ModuleId id, const std::vector<ContainerPart>& parts) {
  abi::ContainerHeader header{};
  std::memcpy(header.magic, "GRIDSPC", 8);
  header.version = abi::version;
  header.entry_count = static_cast<std::uint32_t>(parts.size());
  header.id = id;
  std::vector<abi::ContainerEntry> entries;
  std::uint64_t offset = sizeof header + parts.size() * sizeof(abi::ContainerEntry);
  for (const ContainerPart& part : parts) {
    offset = llvm::alignTo(offset, 8);
    entries.push_back({part.kind, part.version, offset, part.bytes.size()});
    offset += part.bytes.size();
  }
  header.total_size = llvm::alignTo(offset, 16);
  std::string bytes(header.total_size, '\0');
  std::memcpy(bytes.data(), &header, sizeof header);
  if (!entries.empty())
    std::memcpy(bytes.data() + sizeof header, entries.data(),
                entries.size() * sizeof(abi::ContainerEntry));
  for (std::size_t i = 0; i < parts.size(); ++i)
    std::memcpy(bytes.data() + entries[i].offset, parts[i].bytes.data(), parts[i].bytes.size());
  return bytes;
}

std::string compress(llvm::StringRef bytes) {
  llvm::SmallVector<std::uint8_t> packed;
  llvm::compression::zstd::compress(llvm::arrayRefFromStringRef(bytes), packed, 3);
  return std::string(packed.begin(), packed.end());
}

}  // namespace gridspan::codegen
