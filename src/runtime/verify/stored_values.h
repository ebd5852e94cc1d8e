// What was stored where, for sets that claim that all writers store the same value.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/verify/interval_set.h"

#include <cstdint>
#include <vector>

namespace gridspan::runtime::verify {

/// A value of up to 16 bytes, stored at addresses that are `phase` modulo its size.
struct StoredValue {
  std::uint64_t low = 0, high = 0;  // little endian
  std::uint32_t bytes = 0;
  std::uint32_t phase = 0;

  /// The byte that such a store puts at `address`.
  std::uint8_t byte_at(std::uintptr_t address) const;
  friend bool operator==(const StoredValue&, const StoredValue&) = default;
};

struct ValueRecord {
  StoredValue value;
  IntervalSet where;
};

/// Values stored by one block at one place in the code. Only the first few different ones are kept:
/// a place that claims to store always the same has one, or a few after loops were unrolled.
class StoredValues {
 public:
  static constexpr std::size_t most = 16;

  void add(std::uint64_t low, std::uint64_t high, std::uintptr_t address, std::uint64_t bytes);
  /// Those in `memory`, in normal form; forgets all.
  std::vector<ValueRecord> take(const IntervalSet& memory);

 private:
  std::vector<ValueRecord> values_;
};

/// The first address in `bytes` at which the values differ; 0 if there is none.
std::uintptr_t first_difference(const StoredValue& one, const StoredValue& other, Interval bytes);

}  // namespace gridspan::runtime::verify
