// A home device and one that has little memory, and takes it in units.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan_fixture.h"
#include "runtime/plan/residency.h"

#include <gtest/gtest.h>

#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::Box;
using regions::byte_range;

inline constexpr std::size_t unit = 100;

/// Has memory for some units of ranges, and counts what it is asked.
class DeviceOfUnits final : public FakeDevice {
 public:
  std::size_t memory_unit(std::size_t size) const override { return size < unit ? 0 : unit; }
  std::size_t commit(void*, std::size_t size) override {
    size = std::min(size, left / unit * unit);
    left -= size;
    return size;
  }
  void discard(void* memory, std::size_t size) override {
    std::memset(memory, '?', size);
    left += size;
  }
  void release(void* memory, std::size_t bytes) override {
    if (gives_back) left += bytes;
    FakeDevice::release(memory, bytes);
  }
  std::size_t left = 1000;
  bool gives_back = false;  // what is released has memory behind all of it
};

class ResidencyTest : public testing::Test {
 protected:
  static constexpr std::int64_t size = 750;  // the last unit is half of one

  ResidencyTest() {
    coherence = std::make_unique<Coherence>(
        std::vector<Lane>{{&home, &new_queue()}, {&small, &new_queue()}}, fault, traffic,
        Machine({1, 1}));
    residency = std::make_unique<Residency>(*coherence, buffers);
  }
  ~ResidencyTest() override {
    wait();
    for (VirtualBuffer* buffer : made) coherence->discard(*buffer);
  }
  void wait() {
    for (unsigned d = 0; d < 2; ++d)
      coherence->lane(d).queue->wait(coherence->lane(d).queue->last());
  }
  VirtualBuffer& buffer(char content) {
    contents.push_back(std::make_unique<std::string>(size, content));
    const auto base = reinterpret_cast<std::uintptr_t>(contents.back()->data());
    EXPECT_TRUE(table.insert({base, size, MemoryKind::device, 0}));
    VirtualBuffer& found = *buffers.find(base);
    found.holders.assign(found.whole(), DeviceSet::only(0));
    made.push_back(&found);
    return found;
  }
  /// The small device is about to touch bytes of the buffer.
  bool use(VirtualBuffer& buffer, std::int64_t begin, std::int64_t end) {
    Demand demand;
    residency->prepare(buffer, 1, demand);
    const Box box = byte_range(begin, end);
    demand.add(buffer, 1, buffer.view(), {&box, 1});
    demand.tidy();
    return residency->make_room(demand).is_empty();
  }
  void write(VirtualBuffer& buffer, std::int64_t begin, std::int64_t end, char value) {
    ASSERT_TRUE(use(buffer, begin, end));
    char* const memory = coherence->memory(buffer, 1);
    const Box box = byte_range(begin, end);
    std::vector<Edge> edges;
    coherence->collect_before(buffer, 1, {&box, 1}, Touch::write, edges);
    const Ticket ticket =
        coherence->push(1, work_of([=] { std::fill(memory + begin, memory + end, value); }), edges);
    coherence->note_write(buffer, 1, {&box, 1}, ticket);
    coherence->own(buffer, 1, {&box, 1});
  }
  /// Which units of the buffer have memory, as x and -.
  static std::string memory_of(const VirtualBuffer& buffer) {
    std::string text;
    for (const std::uint64_t last_use : buffer.units[1].last_use) text += last_use ? 'x' : '-';
    return text;
  }

  FakeDevice home;
  DeviceOfUnits small;
  FirstFault fault;
  Traffic traffic;
  AllocationTable table;
  BufferTable buffers{table, 2};
  std::unique_ptr<Coherence> coherence;
  std::unique_ptr<Residency> residency;
  std::vector<std::unique_ptr<std::string>> contents;
  std::vector<VirtualBuffer*> made;
};

}  // namespace gridspan::tests
