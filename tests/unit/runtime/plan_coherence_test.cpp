// Copies of buffers stay coherent over devices without a machine.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_fixture.h"
#include "runtime/plan/coherence.h"

#include <random>

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::Box;
using regions::byte_range;

namespace {

class CoherenceTest : public testing::Test {
 protected:
  static constexpr std::int64_t size = 1000;
  static constexpr unsigned devices = 4;

  CoherenceTest() {
    std::vector<Lane> lanes;
    for (FakeDevice& device : fakes) lanes.push_back({&device, &new_queue()});
    coherence = std::make_unique<Coherence>(lanes, fault, traffic, Machine({1, 1, 1, 1}), Policy{});
    for (auto& byte : home) byte = 'h';
  }
  ~CoherenceTest() override {
    wait();
    coherence->discard(buffer);
  }

  void wait() {
    for (unsigned d = 0; d < devices; ++d) {
      const WorkQueue* queue = coherence->lane(d).queue;
      queue->wait(queue->last());
    }
  }
  void need(unsigned device, std::vector<Box> boxes) {
    coherence->make_current(buffer, device, boxes, Cause::read);
  }
  /// The device writes its name; as a launch does it, in the order of its queue.
  Ticket write(unsigned device, std::int64_t begin, std::int64_t end, char value) {
    const std::vector<Box> boxes{byte_range(begin, end)};
    char* const memory = coherence->memory(buffer, device);
    std::vector<Edge> edges;
    coherence->collect_before(buffer, device, boxes, Touch::write, edges);
    const Ticket ticket = coherence->push(
        device, work_of([=] { std::fill(memory + begin, memory + end, value); }), edges);
    coherence->note_write(buffer, device, boxes, ticket);
    coherence->own(buffer, device, boxes);
    return ticket;
  }
  std::string seen_by(unsigned device, std::int64_t begin, std::int64_t end) {
    need(device, {byte_range(begin, end)});
    wait();
    const char* const memory = coherence->memory(buffer, device);
    return {memory + begin, memory + end};
  }

  FakeDevice fakes[devices];
  FirstFault fault;
  Traffic traffic;
  std::unique_ptr<Coherence> coherence;
  char home[size];
  VirtualBuffer buffer{{reinterpret_cast<std::uintptr_t>(home), size, MemoryKind::device, 0},
                       devices,
                       DeviceSet::only(0)};
};

TEST_F(CoherenceTest, MemoryIsMadeWhenItIsNeeded) {
  EXPECT_EQ(fakes[2].reserved, 0);
  char* const memory = coherence->memory(buffer, 2);
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(coherence->memory(buffer, 2), memory);
  EXPECT_EQ(fakes[2].reserved, 1);
  EXPECT_EQ(coherence->memory(buffer, 0), home);
  coherence->discard(buffer);
  EXPECT_EQ(fakes[2].reserved, 0);
  EXPECT_EQ(coherence->memory(buffer, 0), home);
}

TEST_F(CoherenceTest, OnlyWhatIsMissingMoves) {
  EXPECT_EQ(seen_by(1, 100, 110), std::string(10, 'h'));
  EXPECT_EQ(traffic.between.bytes.get(), 10u);
  EXPECT_EQ(seen_by(1, 95, 115), std::string(20, 'h'));
  EXPECT_EQ(traffic.between.bytes.get(), 20u);
  EXPECT_EQ(seen_by(1, 95, 115), std::string(20, 'h'));
  EXPECT_EQ(traffic.between.bytes.get(), 20u);
}

TEST_F(CoherenceTest, WhatMovesHasItsCause) {
  need(1, {byte_range(0, 10)});
  write(2, 20, 33, 'x');
  const std::vector<Box> evicted{byte_range(20, 27)}, whole{buffer.whole()};
  coherence->make_current(buffer, 0, evicted, Cause::eviction);
  coherence->make_current(buffer, 0, whole, Cause::gather);
  wait();
  EXPECT_EQ(traffic.of(Cause::read).bytes.get(), 10u);
  EXPECT_EQ(traffic.of(Cause::eviction).bytes.get(), 7u);
  EXPECT_EQ(traffic.of(Cause::gather).bytes.get(), 6u);
  EXPECT_EQ(traffic.between.bytes.get(), 23u);
}

TEST_F(CoherenceTest, BoxesThatOverlapMoveOnce) {
  need(3, {byte_range(0, 50), byte_range(25, 75), byte_range(30, 40)});
  wait();
  EXPECT_EQ(traffic.between.bytes.get(), 75u);
}

/// The map is cut above and below each box that has a holder of its own.
TEST_F(CoherenceTest, PiecesAboveEachOtherMoveAsOne) {
  const regions::View rows = regions::array_view(size, {0, 1, std::array<std::int64_t, 1>{100}});
  coherence->see_as(buffer, rows);
  const auto box = [](std::int64_t top, std::int64_t bottom, std::int64_t left,
                      std::int64_t right) {
    Box box;
    box.rank = 2;
    box[0] = {top, bottom};
    box[1] = {left, right};
    return box;
  };
  for (const std::int64_t row : {1, 3, 6}) {
    const std::vector<Box> written{box(row, row + 1, 80, 100)};
    coherence->own(buffer, 2, written);
  }
  std::vector<CopyStep> copies;
  const std::vector<Box> wanted{box(0, 10, 0, 80)};
  coherence->find_copies(buffer, 1, wanted, Cause::read, copies);
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].boxes->size(), 1u);
  EXPECT_EQ(copies[0].bytes, 800u);
}

TEST_F(CoherenceTest, WhatWasWrittenIsSeenByAll) {
  write(1, 10, 20, 'a');
  write(2, 15, 30, 'b');
  for (unsigned device = 0; device < devices; ++device) {
    EXPECT_EQ(seen_by(device, 8, 32), "hhaaaaabbbbbbbbbbbbbbbhh") << device;
  }
}

TEST_F(CoherenceTest, ReplicasAreReadFromTheNearest) {
  need(1, {byte_range(0, 100)});
  need(3, {byte_range(0, 100)});
  wait();
  std::vector<CopyStep> copies;
  coherence->record_copies(&copies);
  need(2, {byte_range(0, 100)});
  coherence->record_copies(nullptr);
  wait();
  ASSERT_EQ(copies.size(), 1u);
  EXPECT_EQ(copies[0].to, 2u);
  EXPECT_TRUE(copies[0].from == 1 || copies[0].from == 3);
}

TEST_F(CoherenceTest, AWriterTakesTheReplicasAway) {
  need(1, {byte_range(0, 100)});
  write(2, 0, 100, 'x');
  EXPECT_EQ(seen_by(1, 0, 3), "xxx");
  EXPECT_EQ(seen_by(0, 97, 102), "xxxhh");
}

TEST_F(CoherenceTest, BytesNobodyWroteDoNotMove) {
  buffer.holders.assign(buffer.whole(), DeviceSet{});
  need(2, {byte_range(0, size)});
  EXPECT_EQ(traffic.between.bytes.get(), 0u);
  write(1, 5, 7, 'y');
  EXPECT_EQ(seen_by(2, 0, size).substr(5, 2), "yy");
  EXPECT_EQ(traffic.between.bytes.get(), 2u);
}

TEST_F(CoherenceTest, AWriterWaitsForReadersOfItsCopy) {
  // Device 1 reads from home, late; home then overwrites what is being read.
  Gate gate;
  std::vector<Edge> none;
  coherence->push(1, gate.work(), none);
  need(1, {byte_range(0, 100)});
  const Ticket written = write(0, 50, 60, 'n');
  EXPECT_FALSE(coherence->lane(0).queue->is_finished(written));
  const Ticket elsewhere = write(2, 200, 210, 'o');  // nobody reads that
  coherence->lane(2).queue->wait(elsewhere);
  gate.open();
  wait();
  EXPECT_EQ(std::string(coherence->memory(buffer, 1), 100), std::string(100, 'h'));
  EXPECT_EQ(std::string(home + 48, 4), "hhnn");
}

TEST_F(CoherenceTest, AReaderWaitsForTheWriter) {
  Gate gate;
  std::vector<Edge> none;
  coherence->push(1, gate.work(), none);
  write(1, 0, 10, 'w');  // behind the gate
  need(2, {byte_range(0, 10)});
  const WorkQueue* reader = coherence->lane(2).queue;
  EXPECT_FALSE(reader->is_finished(reader->last()));
  gate.open();
  wait();
  EXPECT_EQ(std::string(coherence->memory(buffer, 2), 10), std::string(10, 'w'));
}

TEST_F(CoherenceTest, AfterAFenceAllWaitsForAll) {
  Gate gate;
  std::vector<Edge> none;
  coherence->push(3, gate.work(), none);
  coherence->fence();
  std::atomic<bool> ran{false};
  const Ticket ticket = coherence->push(1, work_of([&] { ran = true; }), none);
  EXPECT_FALSE(coherence->lane(1).queue->is_finished(ticket));
  gate.open();
  wait();
  EXPECT_TRUE(ran);
}

TEST_F(CoherenceTest, NoRoomIsAFault) {
  fakes[2].fails = true;
  need(2, {byte_range(0, 10)});
  EXPECT_EQ(fault.get(), devices::Fault::out_of_memory);
  EXPECT_EQ(coherence->memory(buffer, 2), nullptr);
}

TEST_F(CoherenceTest, OtherViewsSeeTheSameBytes) {
  write(1, 100, 200, 'a');
  write(2, 150, 333, 'b');
  const std::int64_t inner[] = {10};
  coherence->see_as(buffer, regions::array_view(size, {3, 1, inner}));
  EXPECT_EQ(buffer.view().rank, 2);
  EXPECT_EQ(buffer.holders.check(), nullptr);
  need(3, {buffer.whole()});
  wait();
  const char* const memory = coherence->memory(buffer, 3);
  for (int i = 0; i < size; ++i) {
    EXPECT_EQ(memory[i], i < 100 || i >= 333 ? 'h' : i < 150 ? 'a' : 'b') << i;
  }
}

/// Beyond the limits of a region map.
TEST_F(CoherenceTest, TooManyPiecesAreGatheredWhenAllAreOwned) {
  constexpr std::int64_t many = 200000;
  std::vector<char> memory(many, 'h');
  VirtualBuffer large(
      {reinterpret_cast<std::uintptr_t>(memory.data()), many, MemoryKind::device, 0}, devices,
      DeviceSet::only(0));
  char* const copy = coherence->memory(large, 2);
  std::vector<Box> boxes;
  for (std::int64_t at = 0; at < many; at += 2) boxes.push_back(byte_range(at, at + 1));
  std::vector<Edge> none;
  const Ticket ticket = coherence->push(2, work_of([copy] {
                                          for (std::int64_t at = 0; at < many; at += 2)
                                            copy[at] = 'n';
                                        }),
                                        none);
  const Box whole = large.whole();
  coherence->note_write(large, 2, {&whole, 1}, ticket);
  coherence->own(large, 2, boxes);
  EXPECT_FALSE(large.holders.is_within_limits());
  EXPECT_EQ(traffic.between.bytes.get(), 0u);  // nothing moves before it is asked for
  EXPECT_TRUE(coherence->settle(large));
  EXPECT_EQ(large.holders.box_count(), 1u);
  EXPECT_EQ(large.holders.at(0), DeviceSet::only(0));
  EXPECT_FALSE(coherence->settle(large));
  wait();
  for (std::int64_t at = 0; at < many; ++at)
    ASSERT_EQ(memory[std::size_t(at)], at % 2 == 0 ? 'n' : 'h') << at;
  coherence->discard(large);
}

/// Random writes and reads of all devices against one array.
TEST_F(CoherenceTest, RandomWork) {
  std::mt19937 random(9);
  std::string truth(size, 'h');
  for (int turn = 0; turn < 3000; ++turn) {
    const auto begin = static_cast<std::int64_t>(random() % size);
    const auto end = begin + 1 + static_cast<std::int64_t>(random() % (size - begin));
    const auto device = static_cast<unsigned>(random() % devices);
    if (random() % 2 == 0) {
      const char value = static_cast<char>('A' + random() % 50);
      write(device, begin, end, value);
      std::fill(truth.begin() + begin, truth.begin() + end, value);
    } else if (random() % 8 == 0) {
      ASSERT_EQ(seen_by(device, begin, end),
                truth.substr(std::size_t(begin), std::size_t(end - begin)));
    } else {
      need(device, {byte_range(begin, end)});
    }
    if (turn % 500 == 499) {
      const std::int64_t inner[] = {static_cast<std::int64_t>(random() % 50 + 2)};
      coherence->see_as(buffer, turn % 1000 == 999 ? regions::linear_view(size)
                                                   : regions::array_view(size, {0, 1, inner}));
      if (buffer.view().rank > 1) coherence->see_as(buffer, regions::linear_view(size));
    }
  }
  for (unsigned device = 0; device < devices; ++device) EXPECT_EQ(seen_by(device, 0, size), truth);
}

}  // namespace

}  // namespace gridspan::tests
