// The executor over many queues.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/many_devices.h"

#include "runtime/memory/reach.h"
#include "runtime/plan/plan_cost.h"
#include "runtime/plan/rounds.h"
#include "runtime/plan/work_profile.h"
#include "runtime/schedule/device_queue.h"
#include "support/log.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <string>

namespace gridspan::runtime {

namespace {

using Devices = std::span<const std::unique_ptr<devices::Device>>;

/// Of all blocks: what they touch, or bytes that take as long as what they execute.
double work_bytes(const BoundLaunch& launch, const abi::Dim& grid) {
  constexpr double bytes_of_an_instruction = 0.25;  // as split.cpp has it
  const double blocks = 1.0 * grid.x * grid.y * grid.z;
  return blocks * std::max(bytes_of_middle_block(launch, grid),
                           bytes_of_an_instruction * launch.instructions_of_block());
}

/// Runs parts one at a time, and makes a fault of every access to another device's memory.
std::function<void(Work&)> in_isolation(Devices devices, std::size_t own) {
  static std::mutex one_at_a_time;
  return [devices, own](Work& work) {
    const std::scoped_lock lock(one_at_a_time);
    const auto protect_others = [&](bool on) {
      for (std::size_t i = 0; i < devices.size(); ++i) {
        if (i != own && work.stays_on_device()) devices[i]->memory().protect(on);
      }
    };
    protect_others(true);
    work.run();
    protect_others(false);
  };
}

/// A device that only begins work can be told of it by several queues, one at a time.
Lane make_lane(devices::Device& device, const std::string& name, QueueManner manner) {
  if (!manner.device) return {&device, new DeviceQueue(name.c_str(), std::move(manner))};
  manner.turn = new std::mutex;  // like the queues, never destroyed
  const auto make = [&](const char* engine) {
    auto* const queue = new DeviceQueue((name + engine).c_str(), manner);
    ++manner.line;
    return queue;
  };
  Lane lane{&device, make("")};
  lane.copiers = {make("-in"), make("-out")};
  return lane;
}

std::vector<Lane> make_lanes(Devices devices, FirstFault& fault, bool isolated, bool runs) {
  std::vector<Lane> lanes;
  for (std::size_t i = 0; i < devices.size(); ++i) {
    QueueManner manner;
    manner.begin = [device = devices[i].get()] { device->queue().adopt_thread(); };
    if (devices[i]->facts().has_own_cpus) manner.patience = patient;
    if (isolated) manner.run = in_isolation(devices, i);
    if (!runs) manner.run = [](Work&) {};
    if (runs && devices[i]->facts().only_begins) {
      manner.device = devices[i].get();
      manner.fault = &fault;
      manner.begins_in_place = devices.size() == 1   ? InPlace::always
                               : devices.size() == 2 ? InPlace::if_idle
                                                     : InPlace::never;
    }
    lanes.push_back(make_lane(*devices[i], "gridspan-dev" + std::to_string(i), manner));
  }
  return lanes;
}

/// Guessed from what the devices say of themselves where nothing was measured.
Machine machine_of(Devices devices, const devices::Measured& measured) {
  std::vector<std::uint32_t> speeds;
  for (const auto& device : devices) {
    const devices::DeviceFacts& facts = device->facts();
    speeds.push_back(facts.speed != 0 ? facts.speed : facts.workers);
  }
  Machine machine = measured.is_known() ? Machine(measured) : Machine(std::move(speeds));
  if (!updates_meet(devices)) machine.keeps_host_updates_apart();
  return machine;
}

std::vector<std::string> kinds_of(Devices devices) {
  std::vector<std::string> kinds;
  for (const auto& device : devices) kinds.emplace_back(device->facts().kind);
  return kinds;
}

/// Where nothing was measured, those of usual GPUs.
SpreadMachine rates_of(std::size_t devices, const devices::Measured& measured) {
  SpreadMachine rates{.devices = static_cast<unsigned>(devices)};
  if (!measured.is_known() || devices < 2) return rates;
  rates.memory = measured.memory.front();
  rates.link = measured.links[0][1].bytes_per_second;
  rates.begin = std::max(rates.begin, measured.begin_seconds);
  return rates;
}

/// Of the fastest device; where nothing was measured, that of a usual GPU.
double memory_rate_of(const devices::Measured& measured) {
  constexpr double usual = 2e12;
  return measured.is_known() ? std::ranges::max(measured.memory) : usual;
}

/// Bytes per second from home to all other devices: each has a link of its own.
double bus_of(std::size_t devices, const devices::Measured& measured) {
  constexpr double usual = 25e9;
  if (devices < 2) return usual;
  if (!measured.is_known()) return usual * static_cast<double>(devices - 1);
  double bus = 0;
  for (std::size_t i = 1; i < devices; ++i) bus += measured.links[0][i].bytes_per_second;
  return bus;
}

/// Why one of the devices cannot run parts of the kernel's grids of such blocks.
std::string refusal_of(std::span<const Lane> lanes, const abi::Kernel& kernel,
                       const abi::Dim& block) {
  const std::uint32_t threads = block.x * block.y * block.z;
  for (std::size_t i = 0; i < lanes.size(); ++i) {
    const std::string why = lanes[i].device->code().refusal(kernel, false);
    if (!why.empty()) return "device " + std::to_string(i) + " cannot run it: " + why;
    if (const std::uint32_t most = lanes[i].device->code().most_threads(kernel, false);
        threads > most)
      return "device " + std::to_string(i) + " has registers for " + std::to_string(most) +
             " threads a block";
  }
  return {};
}

/// Calls `body`; no room for plans is an error of the launch.
template <class Body>
void within_memory(FirstFault& fault, Body body) {
  if (fault.is_set()) return;
  try {
    body();
  } catch (const std::bad_alloc&) {
    fault.report({devices::Fault::out_of_memory, "error: out of memory for planning"});
  }
}

class MarkedMoment final : public Moment {
 public:
  explicit MarkedMoment(std::shared_ptr<EventMarks> marks) : marks_(std::move(marks)) {}
  bool is_reached() const override { return EventTimes::is_reached(*marks_); }
  std::int64_t time() const override { return EventTimes::time_of(*marks_); }

 private:
  const std::shared_ptr<EventMarks> marks_;
};

Pitched all_of(char* base, std::size_t bytes) { return {base, bytes, bytes}; }

}  // namespace

ManyDevices::ManyDevices(Devices devices, const AllocationTable& allocations, bool isolated,
                         const Policy& policy, const devices::Measured& measured)
    : rates_(rates_of(devices.size(), measured)),
      is_measured_(measured.is_known()),
      memory_rate_(memory_rate_of(measured)),
      lanes_(make_lanes(devices, fault_, isolated, policy.runs)),
      queues_(queues_of(lanes_)),
      buffers_(allocations, devices.size()),
      coherence_(lanes_, fault_, traffic_, machine_of(devices, measured), policy),
      residency_(coherence_, buffers_),
      part_times_(kinds_of(devices), coherence_.machine(), policy.times_parts),
      planner_(buffers_, coherence_.machine(), policy, part_times()),
      launcher_(coherence_, residency_, buffers_, planner_, part_times()),
      transfers_(coherence_, residency_, buffers_),
      bus_bound_(traffic_, bus_of(devices.size(), measured)),
      tickets_(remembered * queues_.size()) {
  planner_.ask_first([this](const abi::Kernel& kernel, const abi::Dim& block) {
    return refusal_of(lanes_, kernel, block);
  });
}

void ManyDevices::run(KernelCommand& command) {
  within_memory(fault_, [&] {
    forget_released();
    const auto plans = planner_.plan(command);
    if (watcher_ && part_times_.is_used())
      if (const auto shares = part_times_.take_news(*command.kernel))
        watcher_->shares_changed(*shares);
    bus_bound_.begin();
    launcher_.launch(plans, command);
    const std::string line = bus_bound_.end(*command.kernel, [&] { return work_seconds(command); });
    if (!line.empty()) support::log(support::LogLevel::info, "%s", line.c_str());
  });
}

void ManyDevices::run(CopyCommand& command) {
  within_memory(fault_, [&] {
    forget_released();
    transfers_.copy(command);
  });
}

void ManyDevices::run(FillCommand& command) {
  within_memory(fault_, [&] {
    forget_released();
    transfers_.fill(command);
  });
}

/// One device is told in less time than another thread is.
bool ManyDevices::is_quick() const {
  return lanes_.size() == 1 && lanes_.front().device->facts().only_begins;
}

void ManyDevices::run(PrefetchCommand& command) {
  within_memory(fault_, [&] {
    forget_released();
    transfers_.prefetch(command);
  });
}

std::vector<ManyDevices::QueueOf> ManyDevices::queues_of(std::span<const Lane> lanes) {
  std::vector<QueueOf> queues;
  for (const Lane& lane : lanes) {
    queues.push_back({lane.device, lane.queue});
    for (WorkQueue* copier : lane.copiers)
      if (copier) queues.push_back({lane.device, copier});
  }
  return queues;
}

/// What no queue was ever given is no longer on its way.
std::shared_ptr<EventMarks> ManyDevices::mark(std::shared_ptr<EventRecord> event) {
  std::vector<QueueOf> used;
  std::ranges::copy_if(queues_, std::back_inserter(used), [this](const QueueOf& one) {
    return one.queue->last() != 0 || one.queue == lanes_.front().queue;
  });
  auto marks = std::make_shared<EventMarks>(std::move(event), used.size());
  for (std::size_t i = 0; i < used.size(); ++i)
    used[i].queue->push(WorkMaker::mark(*used[i].device, marks, i), {});
  return marks;
}

void ManyDevices::run(RecordCommand& command) { marked_ = mark(command.event); }

GroupRun ManyDevices::run_group(std::span<KernelCommand* const> window, const WindowState& state) {
  if (fault_.is_set()) return {};
  if (groups_->waits(window, state)) return {.waits = true};
  WindowState now = state;
  if (groups_->compares()) wait_for_everything();
  return {groups_->run(window, now).launches};
}

/// While devices have something to do, a launch that waits costs nothing.
std::chrono::nanoseconds ManyDevices::longest_hold() const {
  if (!groups_) return {};
  return groups_->compares() || !has_finished_all() ? groups_->longest_hold()
                                                    : std::chrono::nanoseconds();
}

/// What goes wrong is told later.
devices::RunResult ManyDevices::run_launch(KernelCommand& launch) {
  run(launch);
  return {};
}

std::optional<devices::RunResult> ManyDevices::run_chain(std::span<KernelCommand* const> launches,
                                                         const Chain& chain) {
  bool runs = false;
  within_memory(fault_, [&] {
    forget_released();
    std::vector<std::shared_ptr<LaunchPlans>> plans;
    plans.reserve(launches.size());
    for (const KernelCommand* launch : launches) plans.push_back(planner_.plan(*launch));
    runs = launcher_.launch_chain(plans, launches, chain);
  });
  if (!runs) return std::nullopt;
  return devices::RunResult{};
}

devices::RunResult ManyDevices::finish_all() {
  wait_for_everything();
  return {fault_.get(), {}};
}

bool ManyDevices::is_idle() { return has_finished_all(); }

bool ManyDevices::has_finished_all() const {
  return std::ranges::all_of(
      queues_, [](const QueueOf& one) { return one.queue->is_finished(one.queue->last()); });
}

std::unique_ptr<Moment> ManyDevices::mark_moment() {
  return std::make_unique<MarkedMoment>(mark(nullptr));
}

void ManyDevices::read(const Allocation& memory, char* bytes) {
  CopyCommand copy{all_of(bytes, memory.size),
                   all_of(reinterpret_cast<char*>(memory.base), memory.size),
                   {memory.size, 1, 1},
                   nullptr};
  run(copy);
  wait_for_everything();
}

void ManyDevices::write(const Allocation& memory, char* bytes) {
  CopyCommand copy{all_of(reinterpret_cast<char*>(memory.base), memory.size),
                   all_of(bytes, memory.size),
                   {memory.size, 1, 1},
                   nullptr};
  run(copy);
  wait_for_everything();
}

/// By what its blocks touch and execute, as if they worked on memory at its rate.
double ManyDevices::work_seconds(const KernelCommand& command) {
  if (!command.kernel->model) return 0;
  const BoundLaunch launch(command, buffers_);
  return work_bytes(launch, command.shape.grid) / memory_rate_;
}

/// The cheapest of the ways in which each part writes places of its own.
SpreadChoice::Forecast ManyDevices::forecast(const KernelCommand& command) {
  SpreadChoice::Forecast forecast;
  if (fault_.is_set()) return forecast;
  try {
    forget_released();
    const std::vector<LaunchPlan> ways = planner_.likely_ways(command);
    if (ways.front().touches_everything) return forecast;
    const BoundLaunch launch(command, buffers_);
    const abi::Dim& grid = command.shape.grid;
    forecast.seconds = work_bytes(launch, grid) / rates_.memory;
    const Machine& machine = coherence_.machine();
    // Counted bytes are those of memory, or, where nothing was measured, of a link.
    const double second = is_measured_ ? rates_.memory : rates_.link;
    for (const LaunchPlan& way : ways) {
      if (way.parts.size() < 2 || (way.rung != Rung::exact && way.rung != Rung::may_write))
        continue;
      const double moved = repeated_cost(way, machine) / second;
      if (!forecast.divides || moved < forecast.moved) forecast.moved = moved;
      forecast.divides = true;
    }
  } catch (const std::bad_alloc&) {
    return {};  // it may do without
  }
  return forecast;
}

std::vector<devices::Device*> ManyDevices::devices() const {
  std::vector<devices::Device*> devices;
  for (const Lane& lane : lanes_) devices.push_back(lane.device);
  return devices;
}

ManyDevices::Reuse ManyDevices::reuse(const KernelCommand& command) {
  Reuse reuse;
  if (fault_.is_set()) return reuse;
  try {
    forget_released();
    const std::vector<LaunchPlan> ways = planner_.likely_ways(command);
    const LaunchPlan& plan = ways.front();
    const bool is_proved = plan.rung == Rung::exact || plan.rung == Rung::may_write;
    if (plan.touches_everything || !is_proved) return reuse;
    const abi::Dim& grid = command.shape.grid;
    const BoundLaunch launch(command, buffers_);
    const auto is_at_home = [](const PartPlan& part) { return part.device == 0; };
    reuse.is_elsewhere = has_free_blocks(launch) && std::ranges::none_of(plan.parts, is_at_home);
    for (const BoundArray& bound : launch.arrays()) {
      if (!bound.buffer || bound.buffer->is_shared) continue;
      const Allocation& memory = bound.buffer->allocation;
      const auto range = launch.touched_bytes(bound, grid);
      const double bytes =
          static_cast<double>(range ? static_cast<std::size_t>(range->length()) : memory.size);
      reuse.touched += bytes;
      reuse.beyond += bytes * static_cast<double>(memory.beyond) / static_cast<double>(memory.size);
    }
    const double blocks = 1.0 * grid.x * grid.y * grid.z;
    reuse.worked = blocks * bytes_of_middle_block(launch, grid);
  } catch (const std::bad_alloc&) {
    return {};  // the home device can do without
  }
  return reuse;
}

void ManyDevices::take_from_home(bool distributes) {
  const std::scoped_lock lock(change_mutex_);
  within_memory(fault_, [&] {
    forget_released();
    buffers_.meet_all();
    for (const auto& [base, buffer] : buffers_.all()) {
      if (buffer->is_shared) continue;
      const regions::Box whole = buffer->whole();
      coherence_.own(*buffer, 0, {&whole, 1});
      if (distributes) transfers_.distribute(*buffer);
    }
  });
  wait_for_everything();
}

void ManyDevices::bring_home() {
  const std::scoped_lock lock(change_mutex_);
  within_memory(fault_, [&] {
    forget_released();
    launcher_.gather_everything();
  });
  wait_for_everything();
  event_times_.settle();
}

/// What buffers were is forgotten with their copies.
void ManyDevices::drop_copies() {
  const std::scoped_lock lock(change_mutex_);
  within_memory(fault_, [&] {
    for (const auto& [base, buffer] : buffers_.all()) buffers_.released(base);
    forget_released();
    residency_.forget_room();
  });
}

/// Memory that a change moves is there until all has moved.
void ManyDevices::released(std::uintptr_t base) {
  const std::scoped_lock lock(change_mutex_);
  buffers_.released(base);
}

double ManyDevices::link_seconds(std::uint64_t bytes) const {
  return static_cast<double>(bytes) / rates_.link;
}

void ManyDevices::forget_kernels() {
  planner_.forget_plans();
  residency_.forget_plans();
  part_times_.forget();
  bus_bound_.forget();
}

void ManyDevices::passed(Sequence sequence) {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    tickets_[slot(sequence) + i].store(queues_[i].queue->last(), std::memory_order_relaxed);
  }
  if (marked_) event_times_.add(sequence, std::move(marked_));
  marked_.reset();
}

bool ManyDevices::is_finished(Sequence sequence) const {
  if (sequence <= finished_.load(std::memory_order_acquire)) return true;
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    const Ticket ticket = tickets_[slot(sequence) + i].load(std::memory_order_relaxed);
    if (!queues_[i].queue->is_finished(ticket)) return false;
  }
  wait_for_queues(sequence);  // no longer: to be told of faults
  note_finished(sequence);
  return true;
}

void ManyDevices::finish(Sequence sequence) {
  if (sequence <= finished_.load(std::memory_order_acquire)) return;
  wait_for_queues(sequence);
  note_finished(sequence);
}

void ManyDevices::wait_for_queues(Sequence sequence) const {
  for (std::size_t i = 0; i < queues_.size(); ++i) {
    queues_[i].queue->wait(tickets_[slot(sequence) + i].load(std::memory_order_relaxed));
  }
}

void ManyDevices::note_finished(Sequence sequence) const {
  event_times_.settle();
  Sequence known = finished_.load(std::memory_order_relaxed);
  while (known < sequence && !finished_.compare_exchange_weak(known, sequence)) {
  }
}

void ManyDevices::wait_for_everything() {
  for (const QueueOf& one : queues_) one.queue->wait(one.queue->last());
}

void ManyDevices::forget_released() {
  const auto gone = buffers_.take_released();
  if (gone.empty()) return;
  planner_.forget_plans();
  residency_.forget_plans();
  for (const auto& buffer : gone) {
    if (buffer->allocation.kind == MemoryKind::symbol) {
      wait_for_everything();  // parts on their way may still use the tables
      launcher_.forget_symbols();
    }
    coherence_.discard(*buffer);
  }
}

}  // namespace gridspan::runtime
