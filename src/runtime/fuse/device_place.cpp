// The device does, or begins, what it is told.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/device_place.h"

namespace gridspan::runtime::fuse {

using devices::Marking;

namespace {

class Now final : public Moment {
 public:
  bool is_reached() const override { return true; }
  std::int64_t time() const override { return time_; }

 private:
  const std::int64_t time_ = devices::now_nanoseconds();
};

Pitched all_of(char* base, std::size_t bytes) { return {base, bytes, bytes}; }

}  // namespace

devices::RunResult DevicePlace::run_launch(KernelCommand& launch) {
  devices::CommandQueue& queue = device_.queue();
  const abi::LaunchContext context = frame_.of(launch);
  if (!only_begins()) return queue.run_part(*launch.kernel, context);
  devices::RunResult result = queue.begin_part(*launch.kernel, context);
  // What is behind it is not all there is.
  if (result.fault == devices::Fault::none) queue.mark(Marking::loose);
  return result;
}

std::optional<devices::RunResult> DevicePlace::run_chain(std::span<KernelCommand* const> launches,
                                                         const Chain& chain) {
  while (frames_.size() < launches.size()) frames_.emplace_back(&allocations_);
  std::vector<devices::ListedPart> whole;
  whole.reserve(launches.size());
  for (std::size_t i = 0; i < launches.size(); ++i)
    whole.push_back({launches[i]->kernel, frames_[i].of(*launches[i])});
  for (const Phase& phase : chain) {
    devices::RunResult result = run_phase(whole, phase);
    if (result.fault != devices::Fault::none) return result;
  }
  return devices::RunResult{};
}

/// `launches`: whole ones, of which the phase has parts.
devices::RunResult DevicePlace::run_phase(std::span<const devices::ListedPart> launches,
                                          const Phase& phase) {
  if (lists_.size() < phase.size()) lists_.resize(phase.size());
  for (std::size_t i = 0; i < phase.size(); ++i) {
    lists_[i].clear();
    for (const Step& step : phase[i]) {
      devices::ListedPart& part = lists_[i].emplace_back(launches[step.launch]);
      part.launch.first_block = step.blocks.first;
      part.launch.block_count = step.blocks.count;
    }
  }
  return run_lists(std::span(lists_).first(phase.size()));
}

/// CommandQueue::run_lists, or begins that: one list after the other then.
devices::RunResult DevicePlace::run_lists(std::span<const devices::PartList> lists) {
  devices::CommandQueue& queue = device_.queue();
  if (!only_begins()) return queue.run_lists(lists);
  for (const devices::PartList& list : lists)
    for (const devices::ListedPart& part : list) {
      devices::RunResult result = queue.begin_part(*part.kernel, part.launch);
      if (result.fault != devices::Fault::none) return result;
    }
  queue.mark(Marking::loose);
  return {};
}

devices::RunResult DevicePlace::finish_all() {
  if (!only_begins()) return {};
  return device_.queue().finish(device_.queue().mark(Marking::loose));
}

bool DevicePlace::is_idle() {
  return !only_begins() || device_.queue().is_done(device_.queue().mark(Marking::loose));
}

std::unique_ptr<Moment> DevicePlace::mark_moment() {
  if (!only_begins()) return std::make_unique<Now>();
  return std::make_unique<DeviceMoment>(device_.queue());
}

void DevicePlace::read(const Allocation& memory, char* bytes) {
  device_.memory().copy(all_of(bytes, memory.size),
                        all_of(reinterpret_cast<char*>(memory.base), memory.size),
                        {memory.size, 1, 1});
}

void DevicePlace::write(const Allocation& memory, char* bytes) {
  device_.memory().copy(all_of(reinterpret_cast<char*>(memory.base), memory.size),
                        all_of(bytes, memory.size), {memory.size, 1, 1});
}

}  // namespace gridspan::runtime::fuse
