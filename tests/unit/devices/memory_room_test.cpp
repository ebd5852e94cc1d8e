// Memory that a process may still take: machines, control groups of both generations.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/memory_room.h"

#include "sys_folder.h"

#include <gtest/gtest.h>

#include <limits>

namespace gridspan::test {
namespace {

using devices::machine::memory_room;

TEST(MemoryRoom, OfTheMachine) {
  SysFolder sys;
  EXPECT_EQ(memory_room(sys.root()), std::numeric_limits<std::uint64_t>::max());
  sys.write_file("proc/meminfo", "MemTotal:  100000 kB\nMemAvailable:   2000 kB\n");
  EXPECT_EQ(memory_room(sys.root()), 2000u * 1024);
}

TEST(MemoryRoom, OfAGroup) {
  SysFolder sys;
  sys.write_file("proc/meminfo", "MemAvailable:   2000 kB\n");
  sys.write_file("sys/fs/cgroup/memory.max", "max\n");
  sys.write_file("sys/fs/cgroup/memory.current", "5000\n");
  EXPECT_EQ(memory_room(sys.root()), 2000u * 1024);
  sys.write_file("sys/fs/cgroup/memory.max", "9000\n");
  EXPECT_EQ(memory_room(sys.root()), 4000u);
  sys.write_file("sys/fs/cgroup/memory.stat", "anon 4000\ninactive_file 1500\nactive_file 7\n");
  EXPECT_EQ(memory_room(sys.root()), 5500u);
  sys.write_file("sys/fs/cgroup/memory.max", "100\n");  // it was lowered
  EXPECT_EQ(memory_room(sys.root()), 0u);
}

TEST(MemoryRoom, OfAGroupOfBefore) {
  SysFolder sys;
  sys.write_file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  sys.write_file("sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n");
  EXPECT_EQ(memory_room(sys.root()), 9223372036854771712u - 5000);
  sys.write_file("sys/fs/cgroup/memory/memory.limit_in_bytes", "7000\n");
  sys.write_file("sys/fs/cgroup/memory/memory.stat", "inactive_file 9\ntotal_inactive_file 500\n");
  EXPECT_EQ(memory_room(sys.root()), 2500u);
}

}  // namespace
}  // namespace gridspan::test
