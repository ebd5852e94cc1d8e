// Threads of ours in a process that is not ours: name, cores, floating-point mode.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/thread_setup.h"

#include "support/log.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <cerrno>
#include <cfenv>
#include <cstring>

namespace gridspan::devices::cpu {

void set_up_thread(const char* name) {
  pthread_setname_np(pthread_self(), name);
  std::fesetenv(FE_DFL_ENV);
}

void bind_thread(std::span<const unsigned> cpus) {
  if (cpus.empty()) return;
  const int count = static_cast<int>(*std::max_element(cpus.begin(), cpus.end())) + 1;
  cpu_set_t* set = CPU_ALLOC(count);
  if (set == nullptr) return;
  const std::size_t size = CPU_ALLOC_SIZE(count);
  CPU_ZERO_S(size, set);
  for (const unsigned cpu : cpus) CPU_SET_S(cpu, size, set);
  const bool bound = sched_setaffinity(0, size, set) == 0;
  CPU_FREE(set);
  if (bound) return;
  support::log(support::LogLevel::info, "a thread is not bound to its CPUs: %s",
               std::strerror(errno));
}

}  // namespace gridspan::devices::cpu
