// What a grid asked for, read from its list.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/child_list.h"
#include "abi/module.h"
#include "support/result.h"

#include <cstddef>
#include <span>
#include <vector>

namespace gridspan::devices::cuda {

/// In the order in which it is to be done: as the grid asked for it, tail launches last. `bytes`,
/// aligned to 16, are those behind the head of the list. The error says what is wrong with them:
/// any kernel may have overwritten the list.
support::Result<std::vector<const abi::ChildRecord*>> in_order(std::span<const std::byte> bytes);

/// Where the arguments of a launch are, by parameter; an error if they are not the kernel's.
support::Result<std::vector<const void*>> arguments_of(const abi::ChildRecord& record,
                                                       const abi::Kernel& kernel);

}  // namespace gridspan::devices::cuda
