// How late launches begin that the queue holds for others that do not come.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The program's thread spins meanwhile, as one does that waits for what a kernel writes. Pauses
// between launches let the queue's thread come to rest in each of its ways.
#include "runtime/schedule/pause.h"
#include "runtime/schedule/queue.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <thread>
#include <vector>

using namespace gridspan;
using namespace gridspan::runtime;

namespace {

/// Waits for more launches as long as it may.
class Waiting final : public Executor {
 public:
  void run(KernelCommand&) override { began = devices::now_nanoseconds(); }
  void run(CopyCommand&) override {}
  void run(FillCommand&) override {}
  void run(RecordCommand&) override {}
  bool is_quick() const override { return true; }
  bool takes_groups() const override { return true; }
  std::chrono::nanoseconds longest_hold() const override { return std::chrono::microseconds(25); }
  GroupRun run_group(std::span<KernelCommand* const>, const WindowState& state) override {
    return {.waits = state.may_wait};
  }
  devices::Fault fault() const override { return devices::Fault::none; }

  std::atomic<std::int64_t> began{0};
};

constexpr abi::Kernel kernel{};

double microseconds_of_launch(Waiting& executor, Queue& queue) {
  executor.began = 0;
  const std::int64_t called = devices::now_nanoseconds();
  queue.submit<KernelCommand>(
      0u, [](Queue::Sequence) {}, kernel, SymbolTable{}, LaunchShape{{1, 1, 1}, {1, 1, 1}, 0},
      nullptr);
  while (executor.began == 0) pause_core();
  return 1e-3 * static_cast<double>(executor.began - called);
}

}  // namespace

int main() {
  constexpr int launches = 1000;
  auto& executor = *new Waiting;
  auto& queue = *new Queue(executor);  // never destroyed
  std::printf("pause, us   median   90 %%   99 %%   all (us from the call to the beginning)\n");
  for (const int pause : {0, 20, 100, 3000}) {
    std::vector<double> times;
    for (int i = 0; i < launches; ++i) {
      times.push_back(microseconds_of_launch(executor, queue));
      std::this_thread::sleep_for(std::chrono::microseconds(pause));
    }
    std::ranges::sort(times);
    std::printf("%9d %8.1f %6.1f %6.1f %6.1f\n", pause, times[launches / 2],
                times[launches * 9 / 10], times[launches * 99 / 100], times.back());
  }
}
