// One record after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/child_records.h"

namespace gridspan::devices::cuda {

support::Result<std::vector<const abi::ChildRecord*>> in_order(std::span<const std::byte> bytes) {
  std::vector<const abi::ChildRecord*> first, last;
  for (std::size_t at = 0; at < bytes.size();) {
    const std::size_t left = bytes.size() - at;
    const auto* const record = reinterpret_cast<const abi::ChildRecord*>(bytes.data() + at);
    const bool is_whole = left >= sizeof *record && record->bytes <= left &&
                          record->argument_bytes < left &&
                          record->bytes == abi::record_bytes(record->argument_bytes) &&
                          record->kind <= abi::ChildKind::fill;
    if (!is_whole) return support::fail("the list of what it launched is damaged");
    (record->is_tail ? last : first).push_back(record);
    at += record->bytes;
  }
  first.insert(first.end(), last.begin(), last.end());
  return first;
}

support::Result<std::vector<const void*>> arguments_of(const abi::ChildRecord& record,
                                                       const abi::Kernel& kernel) {
  const auto* const packed = reinterpret_cast<const std::byte*>(&record + 1);
  std::vector<const void*> arguments;
  std::size_t bytes = 0;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    arguments.push_back(packed + kernel.parameters[i].offset);
    bytes = kernel.parameters[i].offset + kernel.parameters[i].size;
  }
  if (bytes != record.argument_bytes)
    return support::fail("the list of what it launched is damaged");
  return arguments;
}

}  // namespace gridspan::devices::cuda
