// Decides whether a kernel can be cut into regions or must run on fibers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Regions run the threads of a block one after the other between sync points. That is wrong for
// code in which a thread reads what another one writes meanwhile, and impossible where a sync
// point sits in a function that cannot be inlined. Such kernels get one fiber per thread, which
// yields at volatile and atomic accesses.
#pragma once

#include "transforms/waiting_loops.h"

#include <optional>

namespace gridspan::transforms {

/// Nothing when regions are right for `kernel` and everything it may call.
///
/// Fibers are needed for: a sync point outside the kernel after inlining (recursion, indirect
/// call); a volatile load of memory other threads can see, unless a loop looks there that lets
/// others run; a loop that waits and does not let others run (waiting_loops.h).
std::optional<FiberReason> choose_fibers(llvm::Function& kernel);

/// Whether memory that others can see is read by volatile loads, though in ways that need no
/// fibers.
std::optional<FiberReason> find_volatile_load(llvm::Function& kernel);

}  // namespace gridspan::transforms
