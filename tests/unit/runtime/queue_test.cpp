// The command queue over a device that records what it is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/queue.h"

#include "fake_device.h"
#include "runtime/schedule/host_function.h"
#include "runtime/schedule/one_device.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>
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

/// Takes as many of each window as it is told; remembers what it was offered.
class TakingGroups final : public Executor {
 public:
  void run(KernelCommand& command) override { note(command); }
  void run(CopyCommand&) override {}
  void run(FillCommand&) override { seen.push_back(-1); }
  void run(RecordCommand&) override {}
  bool takes_groups() const override { return true; }
  bool is_quick() const override { return waits_for != 0; }
  std::chrono::nanoseconds longest_hold() const override { return hold; }
  GroupRun run_group(std::span<KernelCommand* const> window, const WindowState& state) override {
    if (state.may_wait && window.size() < waits_for) return {0, true};
    windows.push_back(window.size());
    ends.push_back(state.end);
    const std::size_t count = std::min(takes, window.size());
    for (std::size_t i = 0; i < count; ++i) note(*window[i]);
    return {count};
  }
  devices::Fault fault() const override { return devices::Fault::none; }

  std::size_t takes = 0;
  std::size_t waits_for = 0;  // launches; 0: it runs commands, else it only begins them
  std::chrono::nanoseconds hold{};
  std::atomic<std::size_t> runs{0};
  std::vector<int> seen;
  std::vector<std::size_t> windows;
  std::vector<WindowEnd> ends;

 private:
  void note(const KernelCommand& command) {
    int value = 0;
    std::memcpy(&value, command.arguments.bytes(), sizeof value);
    seen.push_back(value);
    ++runs;
  }
};

/// Submits launches, and a fill for each -1, while the queue can't run; then waits for all.
struct GroupBench {
  TakingGroups& executor = *new TakingGroups;
  Queue& queue = *new Queue(executor);

  void run(const std::vector<std::pair<int, unsigned>>& values_and_lines) {
    std::atomic<bool> open{false};
    queue.submit<HostCommand>(
        joining_line, [](Queue::Sequence) {},
        [](void* data, bool) {
          while (!static_cast<std::atomic<bool>*>(data)->load()) std::this_thread::yield();
        },
        static_cast<void*>(&open), true);
    for (auto [value, line] : values_and_lines) {
      void* arguments[] = {&value};
      const auto no_note = [](Queue::Sequence) {};
      if (value < 0) {
        queue.submit<FillCommand>(line, no_note);
      } else {
        queue.submit<KernelCommand>(line, no_note, plain, SymbolTable{},
                                    LaunchShape{{1, 1, 1}, {1, 1, 1}, 0}, arguments);
      }
    }
    open = true;
    queue.wait(queue.last_submitted());
  }
};

TEST(Queue, OffersLaunchesOfOneLineThatFollowOneAnother) {
  GroupBench bench;
  bench.executor.takes = 2;
  bench.run({{1, 0}, {2, 0}, {3, 0}, {-1, 0}, {4, 0}, {5, 1}, {6, 1}, {7, 1}, {8, 1}, {9, 0}});
  EXPECT_EQ(bench.executor.seen, (std::vector<int>{1, 2, 3, -1, 4, 5, 6, 7, 8, 9}));
  EXPECT_EQ(bench.executor.windows, (std::vector<std::size_t>{3, 1, 1, 4, 2, 1}));
  using enum WindowEnd;
  bench.executor.ends.pop_back();  // whoever came first, the dispatcher or who waits
  EXPECT_EQ(bench.executor.ends,
            (std::vector{fill, fill, other_stream, other_stream, other_stream}));
  EXPECT_TRUE(bench.queue.is_done(bench.queue.last_submitted()));
}

TEST(Queue, RunsLaunchesAloneThatNobodyTakes) {
  GroupBench bench;
  std::vector<std::pair<int, unsigned>> launches;
  std::vector<int> want;
  for (int i = 0; i < 14; ++i) {
    launches.emplace_back(i, 0);
    want.push_back(i);
  }
  bench.run(launches);
  EXPECT_EQ(bench.executor.seen, want);
  EXPECT_EQ(bench.executor.windows,
            (std::vector<std::size_t>{12, 12, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1}));
  EXPECT_EQ(std::ranges::count(bench.executor.ends, WindowEnd::full), 3);
}

/// Of an executor that only begins commands, and waits for three launches.
struct HoldBench {
  explicit HoldBench(std::chrono::nanoseconds hold) {
    executor.takes = executor.waits_for = 3;
    executor.hold = hold;
  }
  TakingGroups& executor = *new TakingGroups;
  Queue* queue = nullptr;

  void launch(int value, unsigned line = 0) {
    if (!queue) queue = new Queue(executor);
    void* arguments[] = {&value};
    queue->submit<KernelCommand>(
        line, [](Queue::Sequence) {}, plain, SymbolTable{}, LaunchShape{{1, 1, 1}, {1, 1, 1}, 0},
        arguments);
  }
  void fill() {
    queue->submit<FillCommand>(0, [](Queue::Sequence) {});
  }
};

using Values = std::vector<int>;
constexpr std::chrono::hours for_ever{1};

TEST(Queue, HoldsLaunchesUntilEnoughOfThemHaveCome) {
  HoldBench bench(for_ever);
  bench.launch(1);
  bench.launch(2);
  EXPECT_EQ(bench.executor.seen, Values{});
  EXPECT_FALSE(bench.queue->is_done(1));
  bench.launch(3);
  EXPECT_EQ(bench.executor.seen, (Values{1, 2, 3}));
  EXPECT_TRUE(bench.queue->is_done(3));
  bench.launch(4);
  EXPECT_EQ(bench.executor.seen, (Values{1, 2, 3}));
  EXPECT_EQ(bench.executor.windows, (std::vector<std::size_t>{3}));
  EXPECT_EQ(bench.executor.ends, std::vector{WindowEnd::nothing});
}

TEST(Queue, BeginsHeldLaunchesWhenSomebodyWaits) {
  HoldBench bench(for_ever);
  bench.launch(1);
  bench.launch(2);
  bench.queue->wait(1);
  EXPECT_EQ(bench.executor.seen, (Values{1, 2}));
  bench.launch(3);
  bench.queue->wait_alone(3);
  EXPECT_EQ(bench.executor.seen, (Values{1, 2, 3}));
  EXPECT_EQ(bench.executor.ends, (std::vector{WindowEnd::wait, WindowEnd::wait}));
}

TEST(Queue, BeginsHeldLaunchesBeforeWhatIsNone) {
  HoldBench bench(for_ever);
  bench.launch(1);
  bench.fill();
  EXPECT_EQ(bench.executor.seen, (Values{1, -1}));
  bench.launch(2);
  bench.launch(3, 1);
  EXPECT_EQ(bench.executor.seen, (Values{1, -1, 2}));
  bench.launch(4, 1);
  bench.launch(5, 1);
  EXPECT_EQ(bench.executor.seen, (Values{1, -1, 2, 3, 4, 5}));
  EXPECT_EQ(bench.executor.ends,
            (std::vector{WindowEnd::fill, WindowEnd::other_stream, WindowEnd::nothing}));
}

TEST(Queue, HeldLaunchesBeginByThemselves) {
  HoldBench bench(std::chrono::microseconds(40));
  for (int i = 1; i < 200; ++i) {
    bench.launch(i);
    const auto limit = std::chrono::steady_clock::now() + std::chrono::seconds(20);
    while (bench.executor.runs != static_cast<std::size_t>(i) &&
           std::chrono::steady_clock::now() < limit)
      std::this_thread::yield();
    ASSERT_EQ(bench.executor.runs, static_cast<std::size_t>(i));
    // The dispatcher may have come to rest meanwhile, in any of its ways.
    if (i % 50 == 0) std::this_thread::sleep_for(std::chrono::milliseconds(3));
  }
}

/// Begins commands in the thread of the program, and is held up by kernels that launch kernels.
class HeldUp final : public Executor {
 public:
  void run(KernelCommand& command) override {
    const bool launches = abi::launches_kernels(*command.kernel);
    for (unsigned i = 0; launches && !is_open && i < 20'000; ++i) std::this_thread::sleep_for(1ms);
    seen.emplace_back(launches, std::this_thread::get_id());
  }
  void run(CopyCommand&) override {}
  void run(FillCommand&) override {}
  void run(RecordCommand&) override {}
  bool is_quick() const override { return true; }
  devices::Fault fault() const override { return devices::Fault::none; }

  std::atomic<bool> is_open{false};
  std::vector<std::pair<bool, std::thread::id>> seen;
};

TEST(Queue, LeavesKernelsThatLaunchToTheDispatcher) {
  abi::Kernel launching = kernel_named("launching");
  launching.flags = abi::kernel_launches;
  HeldUp& executor = *new HeldUp;
  Queue& queue = *new Queue(executor);
  const auto launch = [&](const abi::Kernel& kernel) {
    int value = 0;
    void* arguments[] = {&value};
    queue.submit<KernelCommand>(
        0, [](Queue::Sequence) {}, kernel, SymbolTable{}, LaunchShape{{1, 1, 1}, {1, 1, 1}, 0},
        arguments);
  };
  launch(plain);
  ASSERT_EQ(executor.seen.size(), 1u);
  EXPECT_EQ(executor.seen.front().second, std::this_thread::get_id());
  launch(launching);
  launch(plain);
  launch(launching);
  EXPECT_FALSE(queue.is_done(2));
  const auto begin = std::chrono::steady_clock::now();
  std::jthread opener([&] {
    std::this_thread::sleep_for(50ms);
    executor.is_open = true;
  });
  queue.wait(queue.last_submitted());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  std::vector<bool> order;
  for (const auto& [launches, thread] : executor.seen) order.push_back(launches);
  EXPECT_EQ(order, (std::vector<bool>{false, true, false, true}));
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
