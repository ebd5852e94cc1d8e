// Hashing and spelling of module ids.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/module_id.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/xxhash.h>
#include <charconv>
#include <cstring>

namespace gridspan::driver {

abi::ModuleId make_module_id(std::span<const std::string> texts) {
  std::string all;  // each text with its length, so that no two lists look alike
  for (const std::string& text : texts) all += std::to_string(text.size()) + ":" + text;
  auto bytes = llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(all.data()), all.size());
  llvm::XXH128_hash_t hash = llvm::xxh3_128bits(bytes);
  return abi::numbered({{hash.low64, hash.high64}}, 0);
}

std::string to_text(abi::ModuleId id) {
  return llvm::formatv("{0:x-16}{1:x-16}", id.words[0], id.words[1]).str();
}

support::Result<abi::ModuleId> parse_module_id(std::string_view text) {
  abi::ModuleId id{};
  bool good = text.size() == 32;
  for (std::size_t i = 0; good && i < 2; ++i) {
    const char* begin = text.data() + i * 16;
    auto [end, error] = std::from_chars(begin, begin + 16, id.words[i], 16);
    good = error == std::errc() && end == begin + 16;
  }
  if (!good)
    return support::fail("'" + std::string(text) + "' is not a module id (32 hexadecimal digits)");
  return id;
}

std::string module_reference_bytes(abi::ModuleId id) {
  abi::ModuleReference reference{};
  std::memcpy(reference.magic, "GRIDSPAN", sizeof reference.magic);
  reference.version = abi::version;
  reference.id = id;
  return {reinterpret_cast<const char*>(&reference), sizeof reference};
}

}  // namespace gridspan::driver
