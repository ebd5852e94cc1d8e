// What a program has not freed when it ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/check/known_allocations.h"

namespace gridspan::runtime::check {

/// Writes a line for each place that made what is left, and one for all, to stderr; nothing if
/// nothing is left.
void tell_leaks(const KnownAllocations& known);

}  // namespace gridspan::runtime::check
