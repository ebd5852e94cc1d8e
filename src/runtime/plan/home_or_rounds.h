// One GPU whose program has more memory than it: what would go over the bus again and again runs in
// rounds.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a program allocates beyond a GPU's memory is the host's, at the GPU's addresses
// (docs/decisions/0031-memory-beyond.md). A kernel that goes through its data once is as fast there
// as the bus. One whose blocks touch the same bytes many times moves them over the bus each time:
//
//     touched by all blocks, one by one, in bytes     2 n^3 / 16 * 8   (a product of matrices)
//     touched by the launch                           3 n^2 * 8
//
// Such a launch is carried out by the planner, as if there were two devices: the home device, which
// is said to be so slow that it gets no blocks, and a companion on the same GPU, which has a little
// memory of its own. All blocks are the companion's, in rounds of what it has room for (rounds.h).
// Before and after the launch everything is at home, and at rest.
#pragma once

#include "runtime/memory/home_memory.h"
#include "runtime/plan/many_devices.h"
#include "runtime/plan/policy.h"
#include "runtime/schedule/streamed_device.h"
#include "support/result.h"

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <unordered_map>
#include <vector>

namespace gridspan::runtime {

class HomeOrRounds final : public Executor {
 public:
  /// Makes the companion.
  using Make = std::function<support::Result<std::unique_ptr<devices::Device>>()>;

  /// All outlive this; `home` runs on `device`. `room`: bytes that the companion takes at most.
  /// `seed`: launches that may run in rounds do so at random, whatever memory there is, for tests.
  HomeOrRounds(StreamedDevice& home, devices::Device& device, const HomeMemory& memory,
               const AllocationTable& allocations, const Policy& policy, std::uint64_t room,
               Make make, std::optional<std::uint32_t> seed)
      : home_(home),
        device_(device),
        memory_(memory),
        allocations_(allocations),
        policy_(policy),
        room_(room),
        make_(std::move(make)),
        random_(seed ? std::optional(std::mt19937(*seed)) : std::nullopt) {}

  void run(KernelCommand& command) override;
  void run(CopyCommand& command) override { home_.run(command); }
  void run(FillCommand& command) override { home_.run(command); }
  void run(RecordCommand& command) override { home_.run(command); }
  void run(PrefetchCommand& command) override { home_.run(command); }
  void run(WaitCommand& command) override { home_.run(command); }
  bool takes_groups() const override { return home_.takes_groups(); }
  bool wants_group(const KernelCommand& first) override { return home_.wants_group(first); }
  std::optional<KernelCommand> as_launch(const Command& command) override {
    return home_.as_launch(command);
  }
  GroupRun run_group(std::span<KernelCommand* const> window, const WindowState& state) override;
  std::chrono::nanoseconds longest_hold() const override { return home_.longest_hold(); }
  bool takes_graphs() const override { return true; }
  void run(GraphCommand& command) override;
  bool calls(const HostCommand& command) const override { return home_.calls(command); }
  void run(HostCommand& command) override { home_.run(command); }
  void use_line(unsigned line) override { home_.use_line(line); }
  bool is_quick() const override { return true; }
  /// Rounds take their time.
  bool holds_back(const KernelCommand& launch) override { return pays(launch); }
  void passed(Sequence sequence) override;

  bool is_finished(Sequence sequence) const override { return home_.is_finished(sequence); }
  void finish(Sequence sequence) override { home_.finish(sequence); }
  bool is_finished_alone(Sequence sequence) const override {
    return home_.is_finished_alone(sequence);
  }
  void finish_alone(Sequence sequence) override { home_.finish_alone(sequence); }
  bool is_finished_joined(Sequence sequence) const override {
    return home_.is_finished_joined(sequence);
  }
  void finish_joined(Sequence sequence) override { home_.finish_joined(sequence); }

  devices::Fault fault() const override;
  devices::Fault take_refusal() override;

  /// Any thread: memory was given back; nothing uses it any more.
  void released(std::uintptr_t base);
  /// By the holder of the queue's role: nothing runs, and the module's kernels go.
  void forget(const abi::Module& module);
  /// The companion forgets the module's code, which nothing runs.
  void forget_code(const abi::Module& module);

  /// How many launches ran in rounds, and their Traffic, a line each.
  std::string text() const;

 private:
  /// Launches of a kernel with about as many threads.
  struct Kind {
    bool stays_home = false;
    unsigned undivided = 0;  // launches that could not run in rounds
    // That are not looked at yet, and will not be when the next one had better stay at home.
    unsigned unseen = 0, pause = 1;
    unsigned in_rounds = 0;  // launches
    double rounds = 0;       // seconds that the last one took, but the first, which loads code
  };

  /// Null: there is no companion.
  ManyDevices* all() const { return all_.load(std::memory_order_acquire); }
  bool has_companion();
  Kind& kind_of(const KernelCommand& command);
  bool may_pay();
  bool pays(const KernelCommand& command);
  bool pays_at_random(const ManyDevices::Reuse& reuse);
  void note_home(Kind& kind, const ManyDevices::Reuse& reuse);
  bool has_room();
  void pass_by(const KernelCommand& command);
  bool comes_to_rest();
  void run_in_rounds(KernelCommand& command);

  StreamedDevice& home_;
  devices::Device& device_;
  const HomeMemory& memory_;
  const AllocationTable& allocations_;
  const Policy policy_;
  const std::uint64_t room_;
  const Make make_;
  std::optional<std::mt19937> random_;
  std::vector<std::unique_ptr<devices::Device>> devices_;  // home, and the companion
  std::unique_ptr<ManyDevices> owned_;
  std::atomic<ManyDevices*> all_{nullptr};
  bool was_refused_ = false, lacks_room_ = false;
  std::int64_t rests_from_ = 0;  // nanoseconds: before, nobody waits for home's rest
  std::unordered_map<std::uint64_t, Kind> kinds_;
  std::optional<bool> answer_;  // to holds_back, at random, for the launch that comes
  Sequence passed_ = 0;
  std::vector<std::unique_ptr<Moment>> begun_;  // nobody waited until they were reached
  std::atomic<std::uint64_t> launches_{0};
};

}  // namespace gridspan::runtime
