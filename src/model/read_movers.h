// Arguments that change what a kernel reads, and nothing else.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     if (i == 0) y[i] = input[t]; else y[i] -= ...;
//
// `t`, a time step, moves a read of `input`. Plans for sequences of launches that do not write
// `input` hold for every t.
#pragma once

#include "model/kernel.h"

#include <set>
#include <string>

namespace gridspan::model {

/// Names of arguments of which footprints of arrays that the kernel only reads by a pointer of
/// its own may depend, but nothing else: no other footprint, no extent of an array, no assumption,
/// no axis. O(constraints).
std::set<std::string> read_movers(const Kernel& kernel);

/// The footprint of the set depends on one of them.
bool is_moved_by(const std::set<std::string>& movers, const Kernel& kernel, const AccessSet& set);

}  // namespace gridspan::model
