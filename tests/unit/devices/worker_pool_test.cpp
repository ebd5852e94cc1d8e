// A device's threads: who takes part, that all do at once, and where they run.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/worker_pool.h"

#include "devices/machine/topology.h"

#include <gtest/gtest.h>
#include <pthread.h>
#include <sched.h>

#include <cfenv>
#include <chrono>
#include <memory>
#include <mutex>
#include <set>

namespace gridspan::test {
namespace {

using devices::cpu::WorkerPool;
using namespace std::chrono_literals;

/// Calls `body(slot)` on the pool's threads.
template <class Body>
void run(WorkerPool& pool, Body body) {
  pool.run([](void* self, unsigned slot) { (*static_cast<Body*>(self))(slot); }, &body);
}

/// Waits until `wanted` threads are here, or long enough to call that failed.
class Meeting {
 public:
  explicit Meeting(unsigned wanted) : wanted_(wanted) {}
  bool join() {
    here_.fetch_add(1);
    while (here_.load() < wanted_) {
      if (std::chrono::steady_clock::now() > deadline_) return false;
      std::this_thread::sleep_for(200us);
    }
    return true;
  }

 private:
  unsigned wanted_;
  std::atomic<unsigned> here_ = 0;
  std::chrono::steady_clock::time_point deadline_ = std::chrono::steady_clock::now() + 20s;
};

class Pools : public testing::TestWithParam<bool> {};
INSTANTIATE_TEST_SUITE_P(Spinning, Pools, testing::Bool());

TEST_P(Pools, AllThreadsAreThereAtOnceEachWithItsSlot) {
  for (const unsigned threads : {1u, 2u, 3u, 9u}) {
    WorkerPool pool(threads, {}, GetParam());
    for (int repeat = 0; repeat < 3; ++repeat) {
      Meeting meeting(threads);
      std::mutex mutex;
      std::set<unsigned> slots;
      std::set<std::thread::id> ids;
      run(pool, [&](unsigned slot) {
        EXPECT_TRUE(meeting.join());
        const std::scoped_lock lock(mutex);
        EXPECT_TRUE(slots.insert(slot).second);
        EXPECT_TRUE(ids.insert(std::this_thread::get_id()).second);
      });
      EXPECT_EQ(slots.size(), threads);
      EXPECT_LT(*slots.rbegin(), threads);
    }
  }
}

TEST_P(Pools, SlotZeroIsTheCaller) {
  WorkerPool pool(3, {}, GetParam());
  const auto caller = std::this_thread::get_id();
  for (int repeat = 0; repeat < 100; ++repeat) {
    run(pool, [&](unsigned slot) { EXPECT_EQ(slot == 0, std::this_thread::get_id() == caller); });
  }
}

/// Nothing is lost or done twice, and nobody is still at it when run returns.
TEST_P(Pools, JobsFollowEachOther) {
  WorkerPool pool(4, {}, GetParam());
  for (int job = 0; job < 3000; ++job) {
    std::atomic<int> left = job % 7 * 5;
    std::atomic<int> inside = 0;
    int done[40] = {};
    run(pool, [&](unsigned) {
      inside.fetch_add(1);
      for (int i = left.fetch_sub(1); i > 0; i = left.fetch_sub(1)) ++done[i];
      inside.fetch_sub(1);
    });
    EXPECT_EQ(inside.load(), 0);
    for (int i = 1; i < 40; ++i) ASSERT_EQ(done[i], i <= job % 7 * 5 ? 1 : 0) << job;
  }
}

TEST(WorkerPool, SeveralPoolsRunAllTheirThreadsAtOnce) {
  constexpr unsigned pools = 5, threads = 3;
  Meeting meeting(pools * threads);
  std::vector<std::thread> callers;
  for (unsigned i = 0; i < pools; ++i) {
    callers.emplace_back([&] {
      WorkerPool pool(threads, {}, false);
      run(pool, [&](unsigned) { EXPECT_TRUE(meeting.join()); });
    });
  }
  for (std::thread& caller : callers) caller.join();
}

TEST(WorkerPool, ThreadsStayOnTheirCpus) {
  const unsigned cpu = devices::machine::usable_cpus().back();
  std::thread caller([cpu] {
    WorkerPool pool(3, {cpu}, false);
    pool.bind_caller();
    Meeting meeting(3);
    run(pool, [&](unsigned) {
      meeting.join();
      cpu_set_t set;
      ASSERT_EQ(sched_getaffinity(0, sizeof set, &set), 0);
      EXPECT_EQ(CPU_COUNT(&set), 1);
      EXPECT_TRUE(CPU_ISSET(cpu, &set));
    });
  });
  caller.join();
}

TEST(WorkerPool, CpusThatAreNotThereAreNoError) {
  WorkerPool pool(2, {100'000}, false);
  std::atomic<int> calls = 0;
  run(pool, [&](unsigned) { ++calls; });
  EXPECT_GE(calls.load(), 1);
}

/// Helpers are threads of ours: the program's signals and rounding modes are not for them.
TEST(WorkerPool, HelpersInheritNothingFromTheProgram) {
  std::thread program([] {
    std::fesetround(FE_UPWARD);
    WorkerPool pool(2, {}, false);
    Meeting meeting(2);
    run(pool, [&](unsigned slot) {
      meeting.join();
      if (slot == 0) return;
      EXPECT_EQ(std::fegetround(), FE_TONEAREST);
      sigset_t blocked;
      pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
      EXPECT_TRUE(sigismember(&blocked, SIGINT));
      EXPECT_TRUE(sigismember(&blocked, SIGCHLD));
      EXPECT_FALSE(sigismember(&blocked, SIGSEGV));
      EXPECT_FALSE(sigismember(&blocked, SIGPROF));
    });
    EXPECT_EQ(std::fegetround(), FE_UPWARD);
    sigset_t blocked;
    pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
    EXPECT_FALSE(sigismember(&blocked, SIGINT));
  });
  program.join();
}

TEST(WorkerPool, UnusedPoolsHaveNoThreads) {
  for (int i = 0; i < 1000; ++i) WorkerPool pool(64, {}, true);
}

}  // namespace
}  // namespace gridspan::test
