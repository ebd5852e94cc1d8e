// Registering the same work again.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/first_at_exit.h"

#include <atomic>
#include <cstdlib>
#include <unistd.h>

namespace gridspan::support {
namespace {

std::atomic<void (*)()> first_work{nullptr};

void do_first_work() {
  if (const auto work = first_work.load()) work();
}

struct WorkAtThreadEnd {
  ~WorkAtThreadEnd() { do_first_work(); }
};

}  // namespace

void set_first_at_exit(void (*work)()) {
  first_work.store(work);
  // Other threads end long before the process does.
  if (gettid() == getpid()) static thread_local const WorkAtThreadEnd at_end;
}

void be_first_at_exit() { std::atexit(do_first_work); }

}  // namespace gridspan::support
