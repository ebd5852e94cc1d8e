// Topology: nodes with holes, offline threads, cpusets, machines that tell nothing.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/topology.h"

#include "sys_folder.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gridspan::test::topology {
namespace {

using namespace devices::machine;
using Cpus = std::vector<unsigned>;

constexpr std::uint64_t mega = 1 << 20;

TEST(CpuList, ReadsWhatLinuxWrites) {
  EXPECT_EQ(parse_cpu_list("0-3,8,10-11"), (Cpus{0, 1, 2, 3, 8, 10, 11}));
  EXPECT_EQ(parse_cpu_list("7"), Cpus{7});
  EXPECT_EQ(parse_cpu_list("4,2,2-4\n"), (Cpus{2, 3, 4}));
  EXPECT_EQ(parse_cpu_list(""), Cpus{});
  EXPECT_EQ(parse_cpu_list("\n"), Cpus{});
}

TEST(CpuList, EndsAtWhatItCantRead) {
  EXPECT_EQ(parse_cpu_list("1,x"), Cpus{1});
  EXPECT_EQ(parse_cpu_list("3-1"), Cpus{});
  EXPECT_EQ(parse_cpu_list("2,0-99999999999"), Cpus{2});
  EXPECT_EQ(parse_cpu_list("-4"), Cpus{});
}

TEST(CpuList, WritesWhatItReads) {
  for (const char* text : {"", "0", "0-1", "0-3,8,10-11", "5,7,9"}) {
    EXPECT_EQ(cpu_list_text(parse_cpu_list(text)), text);
  }
}

TEST(Topology, TwoNodesWithInterleavedThreads) {
  SysFolder sys;
  sys.write("cpu/online", "0-7").write("node/online", "0-1");
  sys.node(0, "0,2,4,6", 1000).node(1, "1,3,5,7", 2000);
  const Topology topology = read_topology(sys.root(), Cpus{0, 1, 2, 3, 4, 5, 6, 7});
  const std::vector<NumaNode> want{{0, {0, 2, 4, 6}, 1000 * mega}, {1, {1, 3, 5, 7}, 2000 * mega}};
  EXPECT_EQ(topology.nodes, want);
  EXPECT_EQ(topology.cpu_count(), 8u);
}

TEST(Topology, FourNodesWithHoles) {
  // Node 1 is memory without threads, node 3 is not there, threads 5 and 9 are offline, node 4's
  // threads are outside the cpuset.
  SysFolder sys;
  sys.write("cpu/online", "0-4,6-8,10-11").write("node/online", "0-2,4");
  sys.node(0, "0-3", 100).node(1, "", 5000).node(2, "4-7", 200).node(4, "8-11", 300);
  sys.node(3, "12-15", 300);
  const Topology topology = read_topology(sys.root(), Cpus{1, 2, 3, 4, 5, 6, 7});
  const std::vector<NumaNode> want{{0, {1, 2, 3}, 100 * mega}, {2, {4, 6, 7}, 200 * mega}};
  EXPECT_EQ(topology.nodes, want);
}

TEST(Topology, WithoutNodesThereIsOne) {
  SysFolder sys;
  const std::vector<NumaNode> want{{-1, {2, 3, 9}, 0}};
  EXPECT_EQ(read_topology(sys.root(), Cpus{2, 3, 9}).nodes, want);
  EXPECT_EQ(read_topology("/no/such/folder", Cpus{2, 3, 9}).nodes, want);
}

TEST(Topology, ThreadsNoNodeNamesMakeANodeOfTheirOwn) {
  SysFolder sys;
  sys.write("cpu/online", "0-5").write("node/online", "0");
  sys.node(0, "0-3", -1);
  const std::vector<NumaNode> want{{0, {0, 1, 2, 3}, 0}, {-1, {4, 5}, 0}};
  EXPECT_EQ(read_topology(sys.root(), Cpus{0, 1, 2, 3, 4, 5}).nodes, want);
}

TEST(Topology, AThreadInTwoNodesCountsOnce) {
  SysFolder sys;
  sys.write("node/online", "0-1");
  sys.node(0, "0-1", 10).node(1, "1-2", 10);
  const std::vector<NumaNode> want{{0, {0, 1}, 10 * mega}, {1, {2}, 10 * mega}};
  EXPECT_EQ(read_topology(sys.root(), Cpus{0, 1, 2}).nodes, want);
}

TEST(Topology, NonsenseAboutWhatIsOnlineIsPassedOver) {
  SysFolder sys;
  sys.write("cpu/online", "40-41");
  EXPECT_EQ(read_topology(sys.root(), Cpus{0, 1}).cpu_count(), 2u);
}

TEST(Topology, ThisMachineHasItsUsableThreadsOnce) {
  const Cpus usable = usable_cpus();
  ASSERT_FALSE(usable.empty());
  const Topology topology = read_topology("/sys", usable);
  Cpus all;
  for (const NumaNode& node : topology.nodes) {
    all.insert(all.end(), node.cpus.begin(), node.cpus.end());
  }
  std::sort(all.begin(), all.end());
  EXPECT_EQ(all, usable);
}

}  // namespace
}  // namespace gridspan::test::topology
