// Counts that grow: who waits for them is woken in time, and not before.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/progress.h"

#include <gtest/gtest.h>

#include <atomic>
#include <random>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace gridspan::tests {

using runtime::Progress;

namespace {

/// A thread that sleeps until the count reaches `target`, or it is told to give up.
class Sleeper {
 public:
  Sleeper(const Progress& progress, Progress::Count target)
      : thread_([this, &progress, target] {
          progress.sleep(target, [this] {
            ++looks;
            return give_up.load();
          });
          up = true;
        }) {
    while (looks == 0) std::this_thread::yield();
    std::this_thread::sleep_for(10ms);  // until it sleeps
  }
  ~Sleeper() { thread_.join(); }

  std::atomic<int> looks{0};  // how often it found that it must wait on
  std::atomic<bool> give_up{false}, up{false};

 private:
  std::thread thread_;
};

TEST(Progress, SleepersAreNotDisturbedBeforeTheirTime) {
  Progress progress;
  Sleeper sleeper(progress, 100);
  for (Progress::Count count = 1; count < 100; ++count) progress.advance(count);
  std::this_thread::sleep_for(10ms);
  EXPECT_LT(sleeper.looks, 10);  // once, but for wake-ups of the system's own
  EXPECT_FALSE(sleeper.up);
  progress.advance(100);
}

TEST(Progress, EachSleeperHasATargetOfItsOwn) {
  Progress progress;
  Sleeper late(progress, 30);
  Sleeper early(progress, 10);
  progress.advance(12);
  while (!early.up) std::this_thread::yield();
  EXPECT_FALSE(late.up);
  progress.advance(29);
  std::this_thread::sleep_for(10ms);
  EXPECT_FALSE(late.up);
  progress.advance(31);
}

TEST(Progress, SleepersLookUpWhenTold) {
  Progress progress;
  Sleeper sleeper(progress, 5);
  progress.wake_sleepers();
  while (sleeper.looks < 2) std::this_thread::yield();
  EXPECT_FALSE(sleeper.up);
  sleeper.give_up = true;
  progress.wake_sleepers();
}

TEST(Progress, SleepEndsAfterAWhile) {
  const Progress progress;
  progress.sleep_at_most(5ms, 1, [] { return false; });
  EXPECT_EQ(progress.count(), 0u);
}

/// No wake-up is lost, whatever meets.
TEST(Progress, ManySleepersAndAHurry) {
  constexpr Progress::Count most = 20000;
  Progress progress;
  std::vector<std::thread> threads;
  std::atomic<int> early{0};
  for (unsigned seed = 0; seed < 4; ++seed) {
    threads.emplace_back([&, seed] {
      std::mt19937 random(seed);
      for (Progress::Count target = 0; target < most;) {
        target = std::min<Progress::Count>(most, target + 1 + random() % 20);
        if (random() % 2 == 0)
          progress.sleep(target);
        else
          progress.wait(target, 1us);
        early += progress.count() < target;
      }
    });
  }
  for (Progress::Count count = 1; count <= most; ++count) progress.advance(count);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(early, 0);
}

}  // namespace

}  // namespace gridspan::tests
