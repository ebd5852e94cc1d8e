// Wakes threads of all processes that wait for something in a segment.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/processes/layout.h"

#include <chrono>

namespace gridspan::libraries::nccl::processes {

/// How often it has rung. Read it before you look for what you wait for.
std::uint32_t heard(const Header& header);

/// Something has changed.
void ring(Header& header);

/// Until it rings again, or so long.
void sleep_until_ring(Header& header, std::uint32_t heard, std::chrono::milliseconds most);

}  // namespace gridspan::libraries::nccl::processes
