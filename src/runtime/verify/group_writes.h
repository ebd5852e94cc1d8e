// Writes of blocks that a cut separates: do any contradict what the model claims of them?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/recording.h"
#include "runtime/verify/stored_values.h"

#include <optional>
#include <vector>

namespace gridspan::runtime::verify {

/// Bytes that one block writes at one place in the code, through one array.
struct Written {
  enum class Claim : std::uint8_t {
    alone,
    same
  };  // no other block writes them; all store the same

  Interval bytes;
  abi::Dim block;
  const abi::AccessSite* site;
  Claim claim = Claim::alone;
  const StoredValue* value = nullptr;  // null: not known
};

/// Blocks along an axis, so many at a time, that a cut does not separate.
struct Groups {
  unsigned axis;
  std::uint32_t granularity;
  std::uint32_t of(const abi::Dim& block) const;
};

/// Two writes of different groups, and the first byte at which they contradict their claims.
struct Contradiction {
  const Written *first, *second;
  std::uintptr_t address;
  bool is_about_values() const {
    return first->claim == Written::Claim::same && second->claim == Written::Claim::same;
  }
};

/// The first contradiction among `writes`, which are sorted by their first byte.
std::optional<Contradiction> find_contradiction(const std::vector<Written>& writes, Groups groups);

}  // namespace gridspan::runtime::verify
