// A futex. Whoever rings asks first whether somebody sleeps: a call of the system costs more than
// all the rest. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/processes/bell.h"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <climits>
#include <ctime>

namespace gridspan::libraries::nccl::processes {

std::uint32_t heard(const Header& header) { return header.bell.load(); }

void ring(Header& header) {
  header.bell.fetch_add(1);
  if (header.sleepers.load() != 0)
    syscall(SYS_futex, &header.bell, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void sleep_until_ring(Header& header, std::uint32_t heard, std::chrono::milliseconds most) {
  constexpr long nanoseconds = 1'000'000;
  const timespec time = {.tv_sec = most.count() / 1000,
                         .tv_nsec = (most.count() % 1000) * nanoseconds};
  header.sleepers.fetch_add(1);
  syscall(SYS_futex, &header.bell, FUTEX_WAIT, heard, &time, nullptr, 0);
  header.sleepers.fetch_sub(1);
}

}  // namespace gridspan::libraries::nccl::processes
