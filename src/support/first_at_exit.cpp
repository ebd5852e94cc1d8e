// Registering the same work again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/first_at_exit.h"

#include <unistd.h>
#include <atomic>
#include <cstdlib>

namespace gridspan::support {
namespace {

std::atomic<void (*)()> first_work{nullptr};

void do_first_work() {
  if (const auto work = first_work.load()) work();
}

struct WorkAtThreadEnd {
  ~WorkAtThreadEnd() { do_first_work(); }
};

/// Other threads end long before the process does. When the program is loaded, since it may start
/// the run time in another thread; when the work is set, if we were loaded by another one.
[[gnu::constructor]] void do_it_at_end_of_first_thread() {
  if (gettid() == getpid()) static thread_local const WorkAtThreadEnd at_end;
}

}  // namespace

void set_first_at_exit(void (*work)()) {
  first_work.store(work);
  do_it_at_end_of_first_thread();
}

void be_first_at_exit() { std::atexit(do_first_work); }

}  // namespace gridspan::support
