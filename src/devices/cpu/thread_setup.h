// Threads of ours in a process that is not ours: name, cores, floating-point mode.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <span>

namespace gridspan::devices::cpu {

/// Names the calling thread (at most 15 characters) and gives it the floating-point mode of
/// kernels: it has inherited that of whichever thread of the program started it.
void set_up_thread(const char* name);

/// Keeps the calling thread on these CPUs; does nothing if there are none. Failing is no error.
void bind_thread(std::span<const unsigned> cpus);

}  // namespace gridspan::devices::cpu
