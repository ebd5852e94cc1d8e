// Which devices: a set.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstdint>
#include <functional>

namespace gridspan::runtime {

/// A set of up to 64 devices, by index.
class DeviceSet {
 public:
  static constexpr unsigned most = 64;

  constexpr DeviceSet() = default;
  static constexpr DeviceSet only(unsigned device) { return DeviceSet(std::uint64_t{1} << device); }

  constexpr bool is_empty() const { return bits_ == 0; }
  constexpr bool contains(unsigned device) const { return ((bits_ >> device) & 1) != 0; }
  constexpr DeviceSet with(unsigned device) const { return DeviceSet(bits_ | only(device).bits_); }
  constexpr DeviceSet without(unsigned device) const {
    return DeviceSet(bits_ & ~only(device).bits_);
  }
  constexpr DeviceSet intersection(DeviceSet other) const { return DeviceSet(bits_ & other.bits_); }
  /// The lowest index; the set must not be empty.
  constexpr unsigned first() const { return static_cast<unsigned>(std::countr_zero(bits_)); }
  constexpr std::uint64_t bits() const { return bits_; }

  friend constexpr bool operator==(const DeviceSet&, const DeviceSet&) = default;

 private:
  explicit constexpr DeviceSet(std::uint64_t bits) : bits_(bits) {}
  std::uint64_t bits_ = 0;
};

}  // namespace gridspan::runtime

template <>
struct std::hash<gridspan::runtime::DeviceSet> {
  std::size_t operator()(gridspan::runtime::DeviceSet set) const noexcept {
    return std::hash<std::uint64_t>{}(set.bits());
  }
};
