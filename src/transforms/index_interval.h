// Which threads of a row pass a comparison, as an interval of the loop's index.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/counted_loop.h"

#include "llvm/IR/IRBuilder.h"

namespace gridspan::transforms {

/// From `begin` to before `end`, both i64 and far from its ends; null: no bound on that side.
struct IndexInterval {
  llvm::Value* begin = nullptr;
  llvm::Value* end = nullptr;
};

/// The threads for which `condition` is `holds`, among those for which it is not poison. Writes
/// code for the ends where `builder` stands, before the loop. Nothing if they are not an interval
/// with ends known there.
std::optional<IndexInterval> interval_of(llvm::Value* condition, bool holds,
                                         const CountedLoop& counted, llvm::IRBuilder<>& builder);

}  // namespace gridspan::transforms
