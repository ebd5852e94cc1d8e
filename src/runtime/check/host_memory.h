// Memory of the host program that kernels must not touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

namespace gridspan::runtime::check {

/// "host memory (the stack)" and the like; empty: nothing of the host's is there.
std::string host_memory_at(std::uintptr_t address);

}  // namespace gridspan::runtime::check
