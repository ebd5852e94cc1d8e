// Threads of ours in a process that is not ours leave its signals to its threads.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

#include <csignal>

namespace gridspan::support {

/// While it lives, threads that are started by this one get no signals but faults and the clock of
/// profilers.
class ProgramSignals {
 public:
  ProgramSignals() {
    sigset_t most;
    sigfillset(&most);
    for (const int kept : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGSYS, SIGPROF})
      sigdelset(&most, kept);
    pthread_sigmask(SIG_SETMASK, &most, &before_);
  }
  ~ProgramSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  ProgramSignals(const ProgramSignals&) = delete;
  ProgramSignals& operator=(const ProgramSignals&) = delete;

 private:
  sigset_t before_;
};

}  // namespace gridspan::support
