// A device's queue: order, edges, bounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "plan_fixture.h"

#include <array>
#include <mutex>
#include <random>

namespace gridspan::tests {

using namespace gridspan::runtime;

namespace {

TEST(DeviceQueue, DoesItsWorkInOrder) {
  DeviceQueue& queue = new_queue();
  std::vector<int> seen;
  constexpr int count = 3000;  // more than fit
  static_assert(count > 2 * DeviceQueue::capacity);
  for (int i = 0; i < count; ++i) {
    EXPECT_EQ(queue.push(work_of([&seen, i] { seen.push_back(i); }), {}),
              static_cast<Ticket>(i + 1));
  }
  queue.wait(queue.last());
  ASSERT_EQ(seen.size(), static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) ASSERT_EQ(seen[static_cast<std::size_t>(i)], i);
}

/// Who fills the queue does not compete with the device for a core at each piece of work.
TEST(DeviceQueue, AFullQueueIsFilledAgainWhenHalfIsDone) {
  DeviceQueue& queue = new_queue();
  constexpr Ticket half = DeviceQueue::capacity / 2;
  std::atomic<Ticket> allowed{0};
  const auto push = [&] {
    const Ticket ticket = queue.last() + 1;
    queue.push(work_of([&allowed, ticket] {
                 while (allowed.load() < ticket) std::this_thread::yield();
               }),
               {});
  };
  for (Ticket ticket = 1; ticket <= DeviceQueue::capacity; ++ticket) push();
  std::atomic<bool> starts{false}, pushed{false};
  std::thread pusher([&] {
    starts = true;
    push();
    pushed = true;
  });
  while (!starts) std::this_thread::yield();
  std::this_thread::sleep_for(std::chrono::milliseconds(50));  // until it sleeps
  allowed = half;
  queue.wait(half);
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(pushed);
  allowed = half + 1;
  pusher.join();
  allowed = queue.last();
  queue.wait(queue.last());
}

TEST(DeviceQueue, NothingIsFinishedBeforeItRan) {
  DeviceQueue& queue = new_queue();
  Gate gate;
  EXPECT_TRUE(queue.is_finished(0));
  const Ticket first = queue.push(gate.work(), {});
  const Ticket second = queue.push(work_of([] {}), {});
  EXPECT_FALSE(queue.is_finished(first));
  EXPECT_FALSE(queue.is_finished(second));
  gate.open();
  queue.wait(second);
  EXPECT_TRUE(queue.is_finished(first));
  EXPECT_TRUE(queue.is_finished(second));
}

TEST(DeviceQueue, WorkWaitsForItsEdges) {
  DeviceQueue& a = new_queue();
  DeviceQueue& b = new_queue();
  Gate gate;
  std::atomic<bool> first_done{false}, was_done{false}, other_ran{false};
  a.push(gate.work(), {});
  const Ticket first = a.push(work_of([&] { first_done = true; }), {});
  const Ticket free = b.push(work_of([&] { other_ran = true; }), {});
  const Ticket second = b.push(work_of([&] { was_done = first_done.load(); }), {{&a, first}});
  b.wait(free);  // what has no edges does not wait
  EXPECT_TRUE(other_ran);
  EXPECT_FALSE(b.is_finished(second));
  gate.open();
  b.wait(second);
  EXPECT_TRUE(was_done);
}

TEST(DeviceQueue, EdgesToItselfAndToFinishedWorkMeanNothing) {
  DeviceQueue& queue = new_queue();
  int runs = 0;
  const Ticket first = queue.push(work_of([&] { ++runs; }), {});
  queue.wait(first);
  const Ticket second =
      queue.push(work_of([&] { ++runs; }), {{&queue, first}, {&queue, first + 1}});
  queue.wait(second);
  EXPECT_EQ(runs, 2);
}

TEST(DeviceQueue, WorkIsDestroyedWhenItIsDone) {
  DeviceQueue& queue = new_queue();
  const auto held = std::make_shared<int>(7);
  queue.wait(queue.push(work_of([held] {}), {}));
  EXPECT_EQ(held.use_count(), 1);
}

/// In place where its turn has come; else in its turn.
TEST(DeviceQueue, BriefWorkIsDoneByWhoPushesIt) {
  DeviceQueue& a = new_queue();
  DeviceQueue& b = new_queue();
  std::vector<std::thread::id> ran;
  const auto note = [&ran] { ran.push_back(std::this_thread::get_id()); };
  for (Ticket ticket = 1; ticket <= 3 * DeviceQueue::capacity; ++ticket) {
    ASSERT_EQ(a.push(brief_work_of(note), {}), ticket);
    ASSERT_TRUE(a.is_finished(ticket));
  }
  EXPECT_EQ(static_cast<std::size_t>(std::ranges::count(ran, std::this_thread::get_id())),
            3 * DeviceQueue::capacity);
  ran.clear();
  Gate gate;
  const Ticket closed = a.push(gate.work(), {});
  const Ticket behind = a.push(brief_work_of(note), {});               // not its turn
  const Ticket waiting = b.push(brief_work_of(note), {{&a, behind}});  // nor this one's
  EXPECT_FALSE(a.is_finished(closed));
  EXPECT_FALSE(a.is_finished(behind));
  EXPECT_FALSE(b.is_finished(waiting));
  gate.open();
  b.wait(waiting);
  EXPECT_EQ(ran.size(), 2u);
  EXPECT_EQ(std::ranges::count(ran, std::this_thread::get_id()), 0);
  a.wait(a.push(brief_work_of(note), {{&b, waiting}}));
  EXPECT_EQ(ran.back(), std::this_thread::get_id());
}

TEST(DeviceQueue, AMannerOfItsOwnKeepsBriefWorkOnTheQueuesThread) {
  std::thread::id ran;
  QueueManner manner;
  manner.run = [](Work& work) { work.run(); };
  DeviceQueue& queue = new_queue(std::move(manner));
  queue.wait(queue.push(brief_work_of([&] { ran = std::this_thread::get_id(); }), {}));
  EXPECT_NE(ran, std::this_thread::get_id());
}

TEST(DeviceQueue, MannerSurroundsTheWork) {
  std::vector<std::string> log;
  QueueManner manner;
  manner.begin = [&] { log.push_back("begin"); };
  manner.run = [&](Work& work) {
    log.push_back("before");
    work.run();
    log.push_back("after");
  };
  DeviceQueue& queue = new_queue(std::move(manner));
  queue.wait(queue.push(work_of([&] { log.push_back("work"); }), {}));
  EXPECT_EQ(log, (std::vector<std::string>{"begin", "before", "work", "after"}));
}

/// One thread pushes, as the runtime does, but each push may come from another thread.
TEST(DeviceQueue, PushesFromManyThreadsInTurn) {
  DeviceQueue& queue = new_queue();
  std::mutex one_at_a_time;
  std::vector<Ticket> ran;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < 500; ++i) {
        const std::scoped_lock lock(one_at_a_time);
        const Ticket next = queue.last() + 1;
        queue.push(work_of([&ran, next] { ran.push_back(next); }), {});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  queue.wait(queue.last());
  ASSERT_EQ(ran.size(), 2000u);
  for (std::size_t i = 0; i < ran.size(); ++i) ASSERT_EQ(ran[i], i + 1);
}

/// Random edges to earlier work of other queues: everything runs, and never before what it waits
/// for.
TEST(DeviceQueue, RandomEdgesNeverWaitInACircle) {
  constexpr std::size_t devices = 5, count = 20000;
  std::array<DeviceQueue*, devices> queues{};
  for (DeviceQueue*& queue : queues) queue = &new_queue();
  std::mt19937 random(3);
  std::atomic<int> early{0};
  std::atomic<std::size_t> ran{0};
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<Edge> edges;
    for (std::size_t e = random() % 4; e > 0; --e) {
      const DeviceQueue* const other = queues[random() % devices];
      if (other->last() == 0) continue;
      const Ticket most = std::min<Ticket>(other->last(), 2 * DeviceQueue::capacity);
      edges.push_back({other, other->last() - random() % most});
    }
    DeviceQueue& queue = *queues[random() % devices];
    const Ticket own_ticket = queue.last() + 1;
    const auto work = [&early, &ran, edges, own = &queue, own_ticket] {
      for (const Edge& edge : edges) {
        early += edge.queue != own && !edge.queue->is_finished(edge.ticket);
      }
      early += !own->is_finished(own_ticket - 1);
      ++ran;
    };
    queue.push(random() % 2 ? work_of(work) : brief_work_of(work), edges);
  }
  for (const DeviceQueue* queue : queues) queue->wait(queue->last());
  EXPECT_EQ(early, 0);
  EXPECT_EQ(ran, count);
}

TEST(DeviceQueue, WaitersOfManyThreadsAreWoken) {
  DeviceQueue& queue = new_queue();
  Gate gate;
  const Ticket last = queue.push(gate.work(), {});
  std::atomic<int> woken{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 6; ++t) {
    threads.emplace_back([&] {
      queue.wait(last);
      ++woken;
    });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(20));  // until they sleep
  EXPECT_EQ(woken, 0);
  gate.open();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(woken, 6);
}

}  // namespace

}  // namespace gridspan::tests
