// Threads of ours in a process that is not ours: signals, name, cores, floating-point mode.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <csignal>
#include <span>

namespace gridspan::devices::cpu {

/// While it lives, threads that are started leave the program's signals to the program's threads.
/// Faults, and the clock of profilers, reach them.
class ProgramSignals {
 public:
  ProgramSignals();
  ~ProgramSignals();
  ProgramSignals(const ProgramSignals&) = delete;
  ProgramSignals& operator=(const ProgramSignals&) = delete;

 private:
  sigset_t before_;
};

/// Names the calling thread (at most 15 characters) and gives it the floating-point mode of
/// kernels: it has inherited that of whichever thread of the program started it.
void set_up_thread(const char* name);

/// Keeps the calling thread on these CPUs; does nothing if there are none. Failing is no error.
void bind_thread(std::span<const unsigned> cpus);

}  // namespace gridspan::devices::cpu
