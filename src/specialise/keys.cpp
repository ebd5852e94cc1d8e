// Hashes in hexadecimal.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/keys.h"

#include "support/file_identity.h"
#include "support/hash.h"

#include <algorithm>
#include <cstdio>

namespace gridspan::specialise {
namespace {

/// 128 bits, so that nobody needs to think of accidents.
std::string hash_text(const void* bytes, std::size_t size, std::uint64_t seed = 0) {
  char text[33];
  std::snprintf(text, sizeof text, "%016llx%016llx",
                static_cast<unsigned long long>(support::hash_bytes(bytes, size, seed)),
                static_cast<unsigned long long>(support::hash_bytes(bytes, size, ~seed)));
  return text;
}

}  // namespace

abi::InstructionSet wider_than(const abi::Module& module, abi::InstructionSet best) {
  if (module.instruction_set == abi::InstructionSet::baseline) return module.instruction_set;
  return std::max(module.instruction_set, best);
}

std::string module_key(const abi::Module& module, abi::InstructionSet wider,
                       const std::string& gridcc) {
  const std::string text =
      hash_text(module.container, module.container_size) + std::to_string(abi::version) + ":" +
      std::to_string(static_cast<unsigned>(module.instruction_set)) + ":" +
      std::to_string(static_cast<unsigned>(wider)) + ":" + support::file_identity(gridcc);
  return hash_text(text.data(), text.size());
}

std::string name_key(std::string_view name) { return hash_text(name.data(), name.size()); }

}  // namespace gridspan::specialise
