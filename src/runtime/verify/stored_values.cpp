// What was stored where.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/verify/stored_values.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace gridspan::runtime::verify {

std::uint8_t StoredValue::byte_at(std::uintptr_t address) const {
  const std::uintptr_t offset = (address % bytes + bytes - phase) % bytes;
  const std::uint64_t word = offset < 8 ? low : high;
  return static_cast<std::uint8_t>(word >> (8 * (offset % 8)));
}

void StoredValues::add(std::uint64_t low, std::uint64_t high, std::uintptr_t address,
                       std::uint64_t bytes) {
  const auto size = static_cast<std::uint32_t>(bytes);
  const StoredValue value{low, high, size, static_cast<std::uint32_t>(address % size)};
  auto known = std::ranges::find(values_, value, &ValueRecord::value);
  if (known == values_.end()) {
    if (values_.size() == most) return;
    known = values_.insert(values_.end(), {value, {}});
  }
  known->where.add(address, address + bytes);
}

std::vector<ValueRecord> StoredValues::take(const IntervalSet& memory) {
  for (ValueRecord& record : values_) {
    record.where.normalise();
    record.where = record.where.intersection(memory);
    record.where.shrink_to_fit();
  }
  std::erase_if(values_, [](const ValueRecord& record) { return record.where.empty(); });
  return std::exchange(values_, {});
}

std::uintptr_t first_difference(const StoredValue& one, const StoredValue& other, Interval bytes) {
  if (one == other) return 0;
  const std::uintptr_t period = std::lcm(one.bytes, other.bytes);
  const std::uintptr_t end = std::min(bytes.end, bytes.begin + period);
  for (std::uintptr_t at = bytes.begin; at < end; ++at)
    if (one.byte_at(at) != other.byte_at(at)) return at;
  return 0;
}

}  // namespace gridspan::runtime::verify
