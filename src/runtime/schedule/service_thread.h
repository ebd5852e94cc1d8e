// Threads of ours in a process that is not ours.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <pthread.h>

#include <csignal>
#include <thread>

namespace gridspan::runtime {

/// A detached thread that leaves the program's signals to the program's threads. `name`: at most 15
/// characters.
void start_service_thread(const char* name, auto body) {
  sigset_t all, before;
  sigfillset(&all);
  for (const int fault : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) sigdelset(&all, fault);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  struct Restore {  // also if no thread is to be had
    const sigset_t& before;
    ~Restore() { pthread_sigmask(SIG_SETMASK, &before, nullptr); }
  };
  const Restore restore{before};
  std::thread thread(body);
  pthread_setname_np(thread.native_handle(), name);
  thread.detach();
}

}  // namespace gridspan::runtime
