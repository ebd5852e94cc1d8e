// May two launches be one kernel, in which a block does what both blocks of its index did?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They may if no element ties blocks of different index together: whatever the earlier launch
// writes and the later one touches, or the other way round, is touched by blocks of one index only
// (Filipovic et al.: the block that consumes is the block that produced).
#pragma once

#include "fusion/conflict.h"

#include <span>

namespace gridspan::fusion {

struct Glue {
  /// sometimes: not at all launches; nothing is made of such.
  enum class Answer { always, sometimes, never };
  Answer answer = Answer::never;
  std::string reason;                // why not, or not always
  std::string condition;             // always: of launches of which it holds; empty: of all
  std::string hint;                  // what to change; may be empty
  model::SourcePoint first, second;  // the places that it speaks of; one may be unknown
  std::optional<Meeting> meeting;
  /// If it may be: threads of a block need what others did, so a barrier goes between the two; else
  /// values may stay in registers. Blocks have one thread along axes that neither depends on.
  bool needs_barrier = true;
};

/// Of launches `earlier` and `later` of `launches`, which `conflicts` was made of.
Glue glue(const Joined& joined, std::span<const Launch> launches, Conflicts& conflicts,
          unsigned earlier, unsigned later);

/// "scale" of "void scale<float>(float*, int)": what a sentence calls it.
std::string short_name(const model::Kernel& kernel);

/// The remark that keeps a kernel out of any group, and what it says: blocks that wait for each
/// other, print, launch, look at clocks, ... Null: none.
const model::Remark* keeps_apart(const model::Kernel& kernel);

}  // namespace gridspan::fusion
