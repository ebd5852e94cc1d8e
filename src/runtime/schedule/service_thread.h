// Threads of ours in a process that is not ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/program_signals.h"

#include <pthread.h>

#include <thread>

namespace gridspan::runtime {

/// A detached thread that leaves the program's signals to the program's threads. `name`: at most 15
/// characters.
void start_service_thread(const char* name, auto body) {
  const support::ProgramSignals blocked;
  std::thread thread(body);
  pthread_setname_np(thread.native_handle(), name);
  thread.detach();
}

}  // namespace gridspan::runtime
