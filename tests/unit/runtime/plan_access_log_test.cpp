// Which unfinished accesses later ones wait for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_fixture.h"
#include "runtime/plan/access_log.h"
#include "runtime/plan/outline.h"

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::Box;
using regions::byte_range;

namespace {

/// Two other queues whose work waits until the test is over.
class AccessLogTest : public testing::Test {
 protected:
  ~AccessLogTest() override {
    gate_.open();
    for (const DeviceQueue* queue : {&a, &b, &c}) queue->wait(queue->last());
  }
  Ticket unfinished(DeviceQueue& queue) { return queue.push(gate_.work(), {}); }

  using Edges = std::vector<std::pair<const WorkQueue*, Ticket>>;
  Edges before(const Box& box, Touch touch, const WorkQueue& queue) const {
    std::vector<Edge> edges;
    log.collect(box, touch, &queue, edges);
    Edges plain;
    for (const Edge& edge : edges) plain.emplace_back(edge.queue, edge.ticket);
    std::ranges::sort(plain);
    return plain;
  }

  DeviceQueue& a = new_queue();
  DeviceQueue& b = new_queue();
  DeviceQueue& c = new_queue();
  AccessLog log;

 private:
  Gate gate_;
};

TEST_F(AccessLogTest, AnEmptyLogHoldsNobodyUp) {
  EXPECT_TRUE(before(byte_range(0, 100), Touch::write, a).empty());
}

TEST_F(AccessLogTest, ConflictsAreThoseWithAWriter) {
  const Ticket write = unfinished(a);
  log.add(byte_range(0, 10), Touch::write, a, write);
  const Ticket read = unfinished(b);
  log.add(byte_range(20, 30), Touch::read, b, read);
  EXPECT_EQ(before(byte_range(5, 6), Touch::read, c), (Edges{{&a, write}}));
  EXPECT_EQ(before(byte_range(5, 6), Touch::write, c), (Edges{{&a, write}}));
  EXPECT_EQ(before(byte_range(25, 26), Touch::read, c), Edges{});
  EXPECT_EQ(before(byte_range(25, 26), Touch::write, c), (Edges{{&b, read}}));
}

TEST_F(AccessLogTest, BoxesThatOnlyTouchDoNotConflict) {
  log.add(byte_range(10, 20), Touch::write, a, unfinished(a));
  EXPECT_TRUE(before(byte_range(0, 10), Touch::write, c).empty());
  EXPECT_TRUE(before(byte_range(20, 30), Touch::write, c).empty());
}

TEST_F(AccessLogTest, AQueueDoesNotWaitForItself) {
  log.add(byte_range(0, 10), Touch::write, a, unfinished(a));
  EXPECT_TRUE(before(byte_range(0, 10), Touch::write, a).empty());
}

TEST_F(AccessLogTest, WhoIsNoQueueWaitsForAll) {
  const Ticket ticket = unfinished(a);
  log.add(byte_range(0, 10), Touch::read, a, ticket);
  std::vector<Edge> edges;
  log.collect(byte_range(0, 10), Touch::write, nullptr, edges);
  ASSERT_EQ(edges.size(), 1u);
  EXPECT_EQ(edges[0].queue, &a);
  EXPECT_EQ(edges[0].ticket, ticket);
}

TEST_F(AccessLogTest, OneEdgeToEachQueueTheLatest) {
  log.add(byte_range(0, 10), Touch::write, a, unfinished(a));
  const Ticket later = unfinished(a);
  log.add(byte_range(5, 15), Touch::read, a, later);
  const Ticket other = unfinished(b);
  log.add(byte_range(0, 99), Touch::write, b, other);
  Edges expected{{&a, later}, {&b, other}};
  std::ranges::sort(expected);
  EXPECT_EQ(before(byte_range(0, 99), Touch::write, c), expected);
}

TEST_F(AccessLogTest, FinishedWorkIsForgotten) {
  const Ticket done = b.push(work_of([] {}), {});
  log.add(byte_range(0, 10), Touch::write, b, done);
  b.wait(done);
  EXPECT_TRUE(before(byte_range(0, 10), Touch::write, c).empty());
}

TEST_F(AccessLogTest, SweepingKeepsWhatIsUnfinished) {
  const Ticket kept = unfinished(a);
  log.add(byte_range(0, 10), Touch::write, a, kept);
  for (int i = 0; i < 1000; ++i) {
    const Ticket done = b.push(work_of([] {}), {});
    b.wait(done);
    log.add(byte_range(0, 10), Touch::write, b, done);
  }
  EXPECT_EQ(before(byte_range(3, 4), Touch::read, c), (Edges{{&a, kept}}));
}

TEST_F(AccessLogTest, AfterAChangeOfViewAccessesMayBeAnywhere) {
  const Ticket ticket = unfinished(a);
  log.add(byte_range(0, 10), Touch::write, a, ticket);
  Box whole{2, {}};
  whole[0] = {0, 10};
  whole[1] = {0, 10};
  log.widen(whole);
  Box corner{2, {}};
  corner[0] = {9, 10};
  corner[1] = {9, 10};
  EXPECT_EQ(before(corner, Touch::read, c), (Edges{{&a, ticket}}));
}

TEST(AddEdge, KeepsTheLatestOfEachQueue) {
  DeviceQueue& a = new_queue();
  DeviceQueue& b = new_queue();
  std::vector<Edge> edges;
  add_edge(edges, {&a, 5});
  add_edge(edges, {&b, 1});
  add_edge(edges, {&a, 3});
  add_edge(edges, {&b, 4});
  ASSERT_EQ(edges.size(), 2u);
  EXPECT_EQ(edges[0].ticket, 5u);
  EXPECT_EQ(edges[1].ticket, 4u);
}

TEST(Outline, HoldsEverythingInFewBoxes) {
  std::vector<Box> boxes;
  EXPECT_TRUE(outline(boxes).empty());
  for (int i = 0; i < 100; ++i) {
    boxes.push_back(byte_range(10 * i + 3, 10 * i + 5));
    const auto few = outline(boxes);
    EXPECT_LE(few.size(), 8u);
    for (const Box& box : boxes) {
      EXPECT_TRUE(std::ranges::any_of(few, [&](const Box& one) { return one.contains(box); }));
    }
  }
  EXPECT_EQ(hull_of(boxes), byte_range(3, 995));
}

}  // namespace

}  // namespace gridspan::tests
