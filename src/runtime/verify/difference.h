// What the comparison of a launch with its model found.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/sync.h"

#include <cstdint>
#include <string>
#include <vector>

namespace gridspan::runtime::verify {

enum class DifferenceKind : std::uint8_t {
  missing_read,    // a block reads what no set of the model holds
  missing_write,   // likewise writes
  missing_atomic,  // likewise updates atomically
  unread,          // an exact read set holds bytes that are not read
  unwritten,       // a must-write or exact write set holds bytes that are not written
  not_updated,     // an exact set of atomics holds bytes that are not updated
  outside,         // an exact footprint leaves its allocation
  bad_footprint,   // the footprint function broke its contract
  stray,           // the program leaves the array that a place in its source is for
  not_injective,   // two blocks that may be separated write the same byte
  other_value,     // and a set that says that all blocks store the same holds it; they do not
};

struct Difference {
  DifferenceKind kind;
  abi::SourcePoint where;  // of the access or the set
  std::string array;       // as the model names it, or ""
  std::string text;        // the whole story on one line, without place and launch
};

/// What one launch came to.
struct Findings {
  std::uint64_t sets = 0;  // compared
  std::vector<std::uint32_t> failed_assumptions;
  std::vector<Difference> differences;
  std::vector<Difference> warnings;  // what the program does wrong
  std::uint64_t blocks = 0;          // compared
};

}  // namespace gridspan::runtime::verify
