// Members of structures in an array: loads and stores of neighbouring lanes that leave gaps, which
// others fill.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     x = a[i].x; y = a[i].y          xyxyxyxy = a[i ... i + 3]; x, y = its even, odd elements
#pragma once

#include "transforms/vectorise/shapes.h"

namespace gridspan::transforms {

/// Loads, or stores, of one block that may all happen where the first (of stores: the last) does.
struct MemberGroup {
  struct Member {
    llvm::Instruction* access;
    unsigned place;  // in elements behind `low`
  };
  llvm::SmallVector<Member, 4> members;  // in the order of the block
  unsigned distance;                     // from lane to lane, in elements; 2 to 4
  std::int64_t low;                      // the lowest member's bytes behind the first in the block
  unsigned extent;                       // elements from the lowest member to the highest

  bool is_complete() const { return members.size() == distance; }
};

/// An address as a constant number of bytes behind what other addresses may have, too.
struct Place {
  const llvm::Value *base, *index;  // index: of elements behind base; null: none
  std::uint64_t element = 0;        // bytes
  std::int64_t offset = 0;
  bool is_beside(const Place& other) const {
    return base == other.base && index == other.index && element == other.element;
  }
};
Place place_of(const llvm::Value& address, const llvm::DataLayout& layout);

/// The group that begins with `first`, a load or store; nothing if lanes are not 2 to 4 elements
/// apart. Bytes between what lanes touch may be read: they lie on the same pages.
std::optional<MemberGroup> find_members(const Shapes& shapes, llvm::Instruction& first);

}  // namespace gridspan::transforms
