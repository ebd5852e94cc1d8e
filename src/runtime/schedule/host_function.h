// The program's own functions, in the order of a stream.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/command.h"

namespace gridspan::runtime {

/// True while this thread runs one of them, which must not call CUDA.
bool in_host_function();

/// Runs it on this thread, unless it is dropped after a fault.
void run_host_function(const HostCommand& command, bool after_fault);

}  // namespace gridspan::runtime
