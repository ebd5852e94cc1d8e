// The command queue over a device that records what it is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/queue.h"

#include "fake_device.h"
#include "runtime/schedule/host_function.h"
#include "runtime/schedule/one_device.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

using namespace std::chrono_literals;

namespace gridspan::tests {

using namespace gridspan::runtime;

namespace {

/// Remembers the first argument of each kernel it runs; a kernel named "trap" faults.
class RecordingDevice final : public FakeDevice {
 public:
  devices::RunResult run_part(const abi::Kernel& kernel,
                              const abi::LaunchContext& launch) override {
    EXPECT_EQ(running_.fetch_add(1), 0) << "two kernels at once";
    seen.push_back(*static_cast<const int*>(launch.arguments[0]));
    if (delay > 0us) std::this_thread::sleep_for(delay);
    running_.fetch_sub(1);
    if (std::string_view(kernel.name) == "trap") return {devices::Fault::trap, "error: trapped"};
    return {};
  }

  std::vector<int> seen;
  std::chrono::microseconds delay{0};

 private:
  std::atomic<int> running_{0};
};

constexpr abi::Parameter one_int[] = {{4, 4, 0, 0}};

abi::Kernel kernel_named(const char* name) {
  abi::Kernel kernel{};
  kernel.name = name;
  kernel.parameters = one_int;
  kernel.parameter_count = 1;
  return kernel;
}

const abi::Kernel plain = kernel_named("plain");
const abi::Kernel trap = kernel_named("trap");

/// Queues are never destroyed, so every test leaks one on purpose.
struct Bench {
  RecordingDevice& device = *new RecordingDevice;
  AllocationTable& allocations = *new AllocationTable;
  OneDevice& executor = *new OneDevice(device, allocations);
  Queue& queue = *new Queue(executor);

  Queue::Sequence submit(int value, const abi::Kernel& kernel = plain) {
    void* arguments[] = {&value};
    return queue.submit<KernelCommand>(
        joining_line, [](Queue::Sequence) {}, kernel, SymbolTable{},
        LaunchShape{{1, 1, 1}, {1, 1, 1}, 0}, arguments);
  }
};

TEST(Queue, RunsCommandsInOrderOfSubmission) {
  Bench setup;
  for (int i = 0; i < 5000; ++i) setup.submit(i);  // more than fit: submit must wait its turn
  setup.queue.wait(setup.queue.last_submitted());
  ASSERT_EQ(setup.device.seen.size(), 5000u);
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(setup.device.seen[i], i);
}

TEST(Queue, RunsCommandsWithoutAnyoneWaiting) {
  Bench setup;
  for (int round = 0; round < 20; ++round) {
    const auto sequence = setup.submit(round);
    const auto deadline = std::chrono::steady_clock::now() + 5s;
    while (!setup.queue.is_done(sequence) && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(1ms);
    }
    ASSERT_TRUE(setup.queue.is_done(sequence)) << round;
  }
}

// Launch + wait teaches the dispatcher to doze; work that nobody waits for must still start soon.
TEST(Queue, StartsUnattendedWorkAfterManyRoundTrips) {
  Bench setup;
  for (int episode = 0; episode < 10; ++episode) {
    for (int i = 0; i < 2000; ++i) setup.queue.wait(setup.submit(i));
    const auto start = std::chrono::steady_clock::now();
    const auto sequence = setup.submit(-1);
    while (!setup.queue.is_done(sequence)) {
      ASSERT_LT(std::chrono::steady_clock::now() - start, 2s);
      std::this_thread::sleep_for(100us);
    }
  }
}

TEST(Queue, ManyThreadsSubmitAndWait) {
  Bench setup;
  constexpr int threads = 8, each = 500;
  std::vector<std::thread> hosts;
  for (int t = 0; t < threads; ++t) {
    hosts.emplace_back([&, t] {
      for (int i = 0; i < each; ++i) {
        const auto sequence = setup.submit(t * each + i);
        if (i % 7 == t % 7) {
          setup.queue.wait(sequence);
          EXPECT_TRUE(setup.queue.is_done(sequence));
        }
      }
    });
  }
  for (auto& host : hosts) host.join();
  setup.queue.wait(setup.queue.last_submitted());
  std::vector<int> next(threads, 0);
  for (const int value : setup.device.seen) ASSERT_EQ(value % each, next[value / each]++);
  for (const int count : next) EXPECT_EQ(count, each);
}

TEST(Queue, WaitersReturnWhenTheirCommandIsDoneNotLater) {
  Bench setup;
  setup.device.delay = 20ms;
  const auto first = setup.submit(1);
  for (int i = 0; i < 20; ++i) setup.submit(2);
  setup.queue.wait(first);
  EXPECT_FALSE(setup.queue.is_done(setup.queue.last_submitted()));
  setup.queue.wait(setup.queue.last_submitted());
}

TEST(Queue, FirstFaultStopsEverythingAfterIt) {
  Bench setup;
  setup.submit(1);
  setup.submit(2, trap);
  setup.submit(3);
  setup.queue.wait(setup.queue.last_submitted());
  EXPECT_EQ(setup.device.seen, (std::vector<int>{1, 2}));
  EXPECT_EQ(setup.queue.fault(), devices::Fault::trap);
}

TEST(Queue, HostFunctionsKnowThatTheyAre) {
  Bench setup;
  bool inside = false;
  setup.queue.wait(setup.queue.submit<HostCommand>(
      joining_line, [](Queue::Sequence) {},
      HostCommand{[](void* data, bool) { *static_cast<bool*>(data) = in_host_function(); }, &inside,
                  false}));
  EXPECT_TRUE(inside);
  EXPECT_FALSE(in_host_function());
}

TEST(Queue, StoppedQueuesStillServeWaiters) {
  Bench setup;
  setup.queue.stop_dispatching();
  const auto sequence = setup.submit(1);
  std::this_thread::sleep_for(5ms);
  EXPECT_FALSE(setup.queue.is_done(sequence));
  setup.queue.wait(sequence);
  EXPECT_EQ(setup.device.seen, std::vector<int>{1});
}

}  // namespace

}  // namespace gridspan::tests
