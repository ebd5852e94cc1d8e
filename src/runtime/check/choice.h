// What GRIDSPAN_CHECK means with the other options.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/check/known_allocations.h"
#include "support/options.h"

#include <memory>

namespace gridspan::runtime::check {

/// Kernels' accesses are checked: in interpret mode on one device, where all memory is where the
/// program has it.
bool checks_accesses(const support::Options& options);

/// It is noted which memory was written.
bool finds_unwritten(const support::Options& options);

/// Null if nothing is to be known.
std::unique_ptr<KnownAllocations> known_memory_for(const support::Options& options);

/// What of the user's wish is not done, and why; null: all is.
const char* remark_on(const support::Options& options);

}  // namespace gridspan::runtime::check
