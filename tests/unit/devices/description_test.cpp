// What devices say about themselves, and what several say together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/machine/description.h"
#include "devices/make_devices.h"
#include "devices/summary.h"

#include <gtest/gtest.h>

namespace gridspan::test {
namespace {

using namespace devices;
using namespace devices::machine;

constexpr std::uint64_t giga = std::uint64_t{1} << 30;
const Processor processor{"P", 48 * giga, 2'000'000, 32 << 20, 1 << 20};

std::vector<DeviceFacts> describe(const char* setting, const Topology& topology,
                                  unsigned threads = 0) {
  return describe_places(place_devices(*support::parse_devices(setting), topology, threads),
                         topology, processor);
}

std::uint64_t memory_of(const std::vector<DeviceFacts>& all) {
  std::uint64_t sum = 0;
  for (const DeviceFacts& facts : all) sum += facts.memory_bytes;
  return sum;
}

const Topology one_node{{{0, {0, 1, 2, 3}, 48 * giga}}};
const Topology two_nodes{{{0, {0, 1}, 16 * giga}, {3, {2, 3}, 32 * giga}}};

TEST(Description, OneDeviceIsTheMachine) {
  const auto all = describe("cpu", one_node);
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].name, "Gridspan CPU (P, 4 threads)");
  EXPECT_EQ(all[0].memory_bytes, 48 * giga);
  EXPECT_EQ(all[0].workers, 4u);
  EXPECT_EQ(all[0].cpus, (std::vector<unsigned>{0, 1, 2, 3}));
  EXPECT_EQ(all[0].numa_node, 0);
  EXPECT_TRUE(all[0].has_own_cpus);
  EXPECT_FALSE(all[0].is_pinned);
}

TEST(Description, SeveralDevicesHaveSharesOfTheMemory) {
  const auto all = describe("cpu:3", one_node);
  ASSERT_EQ(all.size(), 3u);
  EXPECT_EQ(all[0].workers, 2u);
  EXPECT_EQ(all[1].workers, 1u);
  EXPECT_EQ(all[0].memory_bytes, 24 * giga);
  EXPECT_EQ(all[1].memory_bytes, 12 * giga);
  EXPECT_EQ(all[2].memory_bytes, 12 * giga);
  for (const DeviceFacts& facts : all) EXPECT_TRUE(facts.is_pinned);
}

TEST(Description, NodesGiveTheirOwnMemory) {
  const auto all = describe("numa", two_nodes);
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].memory_bytes, 16 * giga);
  EXPECT_EQ(all[1].memory_bytes, 32 * giga);
  EXPECT_EQ(all[0].numa_node, 0);
  EXPECT_EQ(all[1].numa_node, 3);
  EXPECT_EQ(describe("cpu", two_nodes)[0].numa_node, -1);
}

TEST(Description, SharesNeverAddUpToMoreThanTheMachine) {
  Topology unknown = two_nodes;
  unknown.nodes[1].memory_bytes = 0;
  Topology limited = two_nodes;  // more on the nodes than the control group allows
  limited.nodes[0].memory_bytes = 900 * giga;
  for (const Topology& topology : {one_node, two_nodes, unknown, limited}) {
    for (const char* setting : {"cpu:7", "numa+cpu:5", "cpu:3x4+numa", "cpu:64"}) {
      const std::uint64_t sum = memory_of(describe(setting, topology));
      EXPECT_LE(sum, 48 * giga);
      EXPECT_GE(sum, 47 * giga);
    }
  }
}

TEST(Description, ThreadsArePinnedOnlyWhereEachHasACore) {
  EXPECT_TRUE(describe("cpu:4", one_node)[0].is_pinned);
  EXPECT_FALSE(describe("cpu:5", one_node)[0].is_pinned);
  EXPECT_FALSE(describe("cpu:2x3", one_node)[0].is_pinned);
  EXPECT_FALSE(describe("cpu:2", one_node, 6)[0].has_own_cpus);
  EXPECT_FALSE(describe("cpu", one_node, 6)[0].has_own_cpus);
}

TEST(Description, RefusesWhatIsNotThere) {
  const auto error_of = [](const char* setting) {
    support::Options options;
    options.devices = *support::parse_devices(setting);
    const auto devices = make_devices(options);
    return devices ? "no error" : devices.error().message;
  };
  EXPECT_EQ(error_of("cpu:4096x4096+cpu:10"),
            "GRIDSPAN_DEVICES: 4106 devices with 16777226 threads are too many; at most 64 "
            "devices, 4096 threads");
  EXPECT_EQ(error_of("cpu:65"),
            "GRIDSPAN_DEVICES: 65 devices with 65 threads are too many; at most 64 devices, 4096 "
            "threads");
}

TEST(Summary, OneDeviceIsItself) {
  const auto all = describe("cpu", one_node);
  const DeviceFacts sum = summarise(all);
  EXPECT_EQ(sum.name, all[0].name);
  EXPECT_EQ(sum.memory_bytes, all[0].memory_bytes);
  EXPECT_EQ(sum.numa_node, 0);
}

TEST(Summary, AddsWorkersAndMemory) {
  const auto all = describe("cpu:3", one_node);
  const DeviceFacts sum = summarise(all);
  EXPECT_EQ(sum.name, "Gridspan, 3 devices (P, 4 threads)");
  EXPECT_EQ(sum.workers, 4u);
  EXPECT_EQ(sum.memory_bytes, 48 * giga);
  EXPECT_EQ(sum.clock_khz, 2'000'000u);
  EXPECT_EQ(sum.l2_bytes, 32u << 20);
  EXPECT_EQ(sum.core_cache_bytes, 1u << 20);
  EXPECT_EQ(sum.max_shared_per_block, all[0].max_shared_per_block);
  EXPECT_EQ(sum.cpus, (std::vector<unsigned>{0, 1, 2, 3}));
}

TEST(Summary, TellsWhereTheFirstGpuIsAndWhatEachCanDo) {
  constexpr int bus = 33, copy_engines = 40, ecc = 32, preemption = 90;
  const auto gpu = [](GpuFacts facts) {
    DeviceFacts device;
    device.gpu = std::make_shared<const GpuFacts>(std::move(facts));
    return device;
  };
  const DeviceFacts cpu;
  const DeviceFacts first =
      gpu({{{bus, 9}, {copy_engines, 3}, {ecc, 1}, {preemption, 1}}, {7}, "nine"});
  const DeviceFacts second = gpu({{{bus, 2}, {copy_engines, 2}, {ecc, 1}}, {8}, "two"});
  const std::vector<DeviceFacts> all{first, second, cpu};
  const DeviceFacts sum = summarise(all);
  EXPECT_EQ(sum.gpu->attribute(bus), 9);
  EXPECT_EQ(sum.gpu->attribute(copy_engines), 2);
  EXPECT_EQ(sum.gpu->attribute(ecc), 1);
  EXPECT_EQ(sum.gpu->attribute(preemption), 0);
  EXPECT_EQ(sum.gpu->bus_id, "nine");
  EXPECT_EQ(sum.gpu->uuid[0], 7);
  EXPECT_EQ(summarise(std::vector<DeviceFacts>{cpu, first}).gpu, nullptr);
}

TEST(Summary, KeepsWhatEveryDeviceHas) {
  DeviceFacts slow, fast, silent;
  slow.processor = fast.processor = "A";
  slow.clock_khz = 1000;
  fast.clock_khz = 3000;
  silent.processor = "B";
  slow.max_shared_per_block = 64 << 10;
  fast.max_shared_per_block = 227 << 10;
  slow.workers = fast.workers = silent.workers = 5;
  slow.cpus = {0, 1};
  fast.cpus = {1, 2};
  const std::vector<DeviceFacts> all{fast, slow, silent};
  const DeviceFacts sum = summarise(all);
  EXPECT_EQ(sum.name, "Gridspan, 3 devices (A + B, 15 threads)");
  EXPECT_EQ(sum.clock_khz, 1000u);
  EXPECT_EQ(sum.max_shared_per_block, 64u << 10);
  EXPECT_EQ(sum.memory_clock_khz, 0u);
  EXPECT_EQ(sum.cpus, (std::vector<unsigned>{0, 1, 2}));
}

}  // namespace
}  // namespace gridspan::test
