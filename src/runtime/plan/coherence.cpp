// Replicas, copies between devices, edges.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/coherence.h"

#include "runtime/memory/reach.h"
#include "runtime/plan/outline.h"
#include "runtime/plan/thin_out.h"
#include "support/log.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace gridspan::runtime {

using regions::Box;

namespace {

/// Where the device's own code has the variable that the buffer is; null: nowhere of its own.
char* own_variable(const VirtualBuffer& buffer, devices::Device& device) {
  const Allocation& allocation = buffer.allocation;
  if (!allocation.module) return nullptr;
  return static_cast<char*>(device.code().variable(*allocation.module, allocation.symbol));
}

/// Behind all of the box, in the device's copy.
bool has_memory_for(const VirtualBuffer& buffer, unsigned device, const Box& box) {
  const MemoryUnits& units = buffer.units[device];
  if (device == 0 || buffer.own_variables.contains(device)) return true;
  if (!buffer.memory[device]) return false;
  if (units.unit == 0) return true;
  std::vector<regions::ByteRange> runs;
  append_runs(buffer.view(), box, runs);
  return std::ranges::all_of(runs, [&units](const regions::ByteRange& run) {
    const auto begin = static_cast<std::size_t>(run.begin) / units.unit;
    const auto end = (static_cast<std::size_t>(run.end) + units.unit - 1) / units.unit;
    for (std::size_t i = begin; i < end; ++i)
      if (!units.has_memory(i)) return false;
    return true;
  });
}

}  // namespace

char* Coherence::memory(VirtualBuffer& buffer, unsigned device) {
  char* const memory = find_memory(buffer, device);
  if (!memory) {
    fault_.report({devices::Fault::out_of_memory,
                   "error: device " + std::to_string(device) + " has no room for a copy of " +
                       std::to_string(buffer.allocation.size) + " bytes"});
  }
  return memory;
}

char* Coherence::find_memory(VirtualBuffer& buffer, unsigned device) {
  if (buffer.is_shared) return buffer.home();
  char*& memory = buffer.memory[device];
  if (memory) return memory;
  devices::Device& on = *lanes_[device].device;
  memory = own_variable(buffer, on);
  if (memory) {
    buffer.own_variables = buffer.own_variables.with(device);
    return memory;
  }
  const std::size_t size = buffer.allocation.size;
  memory = static_cast<char*>(on.memory().reserve(size));
  if (memory) buffer.units[device] = MemoryUnits(size, on.memory().memory_unit(size));
  return memory;
}

void Coherence::discard(VirtualBuffer& buffer) {
  for (unsigned device = 1; device < lanes_.size(); ++device) {
    char*& memory = buffer.memory[device];
    if (memory && !buffer.own_variables.contains(device))
      lanes_[device].device->memory().release(memory, buffer.allocation.size);
    memory = nullptr;
    buffer.units[device] = {};
  }
}

void Coherence::make_current(VirtualBuffer& buffer, unsigned device, std::span<const Box> boxes,
                             Cause cause) {
  std::vector<CopyStep> copies;
  find_copies(buffer, device, boxes, cause, copies);
  for (const CopyStep& step : copies) push_copy(step);
  if (recorded_) recorded_->insert(recorded_->end(), copies.begin(), copies.end());
}

void Coherence::find_copies(VirtualBuffer& buffer, unsigned device, std::span<const Box> boxes,
                            Cause cause, std::vector<CopyStep>& found) {
  if (buffer.is_shared) return;
  lacking_.clear();
  for (const Box& wanted : boxes) {
    buffer.holders.query(wanted, [&](const Box& piece, DeviceSet holders) {
      if (holders.is_empty() || holders.contains(device)) return;
      const auto bytes = static_cast<double>(piece.volume());
      buffer.forgotten.note_lacking(piece);
      lacking_.push_back({machine_.nearest(holders, device, bytes), piece});
    });
  }
  if (lacking_.empty()) return;
  // A map that is shared is copied when it changes.
  std::optional<regions::RegionMap<DeviceSet>> owners;
  if (!policy_.keeps_replicas) owners = buffer.holders;
  std::ranges::sort(lacking_);
  std::vector<Box> pieces, parts;
  for (auto begin = lacking_.begin(), end = begin; begin != lacking_.end(); begin = end) {
    const unsigned from = begin->from;
    pieces.clear();
    for (; end != lacking_.end() && end->from == from; ++end) pieces.push_back(end->box);
    regions::join_all(pieces);  // the map is cut where anything ends, above and below it, too
    parts.clear();
    std::uint64_t bytes = 0;
    // Boxes that overlap ask for the same bytes twice; by then the device has them.
    for (const Box& piece : pieces) {
      buffer.holders.query(piece, [&](const Box& part, DeviceSet holders) {
        if (holders.contains(device)) return;
        parts.push_back(part);
        bytes += static_cast<std::uint64_t>(part.volume());
      });
      buffer.holders.update(piece, [device](DeviceSet holders) { return holders.with(device); });
    }
    regions::join_all(parts);
    auto copies = std::make_shared<std::vector<regions::BoxCopy>>();
    for (const Box& part : parts) append_copies(buffer.view(), part, *copies);
    found.push_back({&buffer, from, device, outline(pieces), std::move(copies), bytes, cause});
  }
  if (owners) buffer.holders = std::move(*owners);
}

void Coherence::push_copy(const CopyStep& step) {
  if (!policy_.moves) return;
  VirtualBuffer& buffer = *step.buffer;
  char* const target = memory(buffer, step.to);
  if (!target) return;
  if (support::logs(support::LogLevel::trace)) {
    support::log(support::LogLevel::trace,
                 "copy %llu bytes in %zu boxes of %p from device %u to %u: %s",
                 static_cast<unsigned long long>(step.bytes), step.boxes->size(),
                 static_cast<void*>(buffer.home()), step.from, step.to, cause_name(step.cause));
  }
  edges_.clear();
  const Engine engine = buffer.streamed.contains(step.to)
                            ? engine_between(step.from, step.to, step.bytes)
                            : Engine::compute;
  collect_before_foreign_read(buffer, step.from, step.to, step.touched, edges_, engine);
  collect_before(buffer, step.to, step.touched, Touch::write, edges_, engine);
  const Ticket ticket =
      push(step.to, works_.copy(step, target, memory(buffer, step.from)), edges_, engine);
  note_foreign_read(buffer, step.from, step.to, step.touched, ticket, engine);
  note_write(buffer, step.to, step.touched, ticket, engine);
}

Engine Coherence::engine_between(unsigned from, unsigned to, std::uint64_t bytes) const {
  constexpr std::uint64_t least = 256 << 10;
  const bool is_from_home = from == 0 || is_in_hosts_reach(*lanes_[from].device);
  const bool runs_beside = bytes >= least && lanes_[to].has_copiers() && is_from_home;
  return runs_beside ? Engine::copy_in : Engine::compute;
}

void Coherence::see_as(VirtualBuffer& buffer, const regions::View& view) {
  if (buffer.reshape(view)) return;
  gather(buffer);
  buffer.reshape(view);
}

void Coherence::gather(VirtualBuffer& buffer) {
  const Box whole = buffer.whole();
  make_current(buffer, 0, {&whole, 1}, Cause::gather);
  own(buffer, 0, {&whole, 1});
}

void Coherence::own(VirtualBuffer& buffer, unsigned device, std::span<const Box> boxes) {
  for (const Box& box : boxes) own_jointly(buffer, DeviceSet::only(device), box);
}

void Coherence::own_jointly(VirtualBuffer& buffer, DeviceSet devices, const Box& box) {
  if (!buffer.is_shared) buffer.holders.assign(box, devices);
}

void Coherence::own_unwritten(VirtualBuffer& buffer, unsigned device, std::span<const Box> boxes) {
  if (buffer.is_shared) return;
  for (const Box& box : boxes) {
    buffer.holders.update(box, [device](DeviceSet holders) {
      return holders.is_empty() ? DeviceSet::only(device) : holders;
    });
  }
}

bool Coherence::settle(VirtualBuffer& buffer) {
  if (buffer.is_shared) return false;
  const bool moved = thin_out_if_due(buffer);
  if (buffer.holders.is_within_limits()) return moved;
  gather(buffer);
  return true;
}

/// What is left after it may double: so each box that is made pays for being looked at twice. What
/// was forgotten and copied again is kept from then on. True if something moved.
bool Coherence::thin_out_if_due(VirtualBuffer& buffer) {
  if (!policy_.keeps_replicas) return false;
  constexpr std::size_t usual = 8, worth_moving = 16;  // boxes of each device
  const std::size_t count = buffer.holders.box_count();
  if (count <= std::max(usual * devices(), buffer.thin_out_at)) return false;
  if (buffer.forgotten.are_wanted()) {
    buffer.forgotten.clear();
    buffer.thin_out_at = 2 * count;
    return false;
  }
  auto [strays, forgotten] = thin_out(buffer.holders);
  buffer.forgotten.note(std::move(forgotten));
  // To forget costs nothing, to move does: until they are many, boxes stay where they are.
  if (buffer.holders.box_count() <= worth_moving * devices()) strays.clear();
  bool moved = false;
  for (const auto& [device, boxes] : strays) {
    std::vector<Box> fit;
    std::ranges::copy_if(boxes, std::back_inserter(fit), [&, on = device](const Box& box) {
      return has_memory_for(buffer, on, box);
    });
    moved |= !fit.empty();
    make_current(buffer, device, fit, Cause::gather);
    own(buffer, device, fit);
  }
  buffer.thin_out_at = 2 * buffer.holders.box_count();
  return moved;
}

void Coherence::collect_before(const VirtualBuffer& buffer, unsigned device,
                               std::span<const Box> boxes, Touch touch, std::vector<Edge>& edges,
                               Engine engine) const {
  for (const Box& box : boxes) {
    buffer.logs[device].collect(box, touch, &lanes_[device].of(engine), edges);
  }
}

void Coherence::collect_before_own_read(const VirtualBuffer& buffer, unsigned device,
                                        std::span<const Box> boxes,
                                        std::vector<Edge>& edges) const {
  if (!buffer.streamed.contains(device)) return;
  collect_before(buffer, device, outline(boxes), Touch::read, edges);
}

void Coherence::collect_before_foreign_read(const VirtualBuffer& buffer, unsigned device,
                                            unsigned reader, std::span<const Box> boxes,
                                            std::vector<Edge>& edges, Engine engine) const {
  for (const Box& box : boxes) {
    buffer.logs[device].collect(box, Touch::read, &lanes_[reader].of(engine), edges);
  }
}

void Coherence::collect_users(const VirtualBuffer& buffer, unsigned device,
                              std::span<const Box> boxes, std::vector<Edge>& edges) const {
  if (!buffer.streamed.contains(device)) {
    const WorkQueue& queue = *lanes_[device].queue;
    add_edge(edges, {&queue, queue.last()});
  }
  for (const Box& box : boxes) buffer.logs[device].collect(box, Touch::write, nullptr, edges);
}

void Coherence::note_write(VirtualBuffer& buffer, unsigned device, std::span<const Box> boxes,
                           Ticket ticket, Engine engine) {
  for (const Box& box : boxes) {
    buffer.logs[device].add(box, Touch::write, lanes_[device].of(engine), ticket);
  }
}

void Coherence::note_own_read(VirtualBuffer& buffer, unsigned device, std::span<const Box> boxes,
                              Ticket ticket, Engine engine) {
  if (!buffer.streamed.contains(device)) return;
  for (const Box& box : outline(boxes)) {
    buffer.logs[device].add(box, Touch::read, lanes_[device].of(engine), ticket);
  }
}

void Coherence::note_foreign_read(VirtualBuffer& buffer, unsigned device, unsigned reader,
                                  std::span<const Box> boxes, Ticket ticket, Engine engine) {
  for (const Box& box : boxes) {
    buffer.logs[device].add(box, Touch::read, lanes_[reader].of(engine), ticket);
  }
}

Ticket Coherence::push(unsigned device, std::unique_ptr<Work> work, std::vector<Edge>& edges,
                       Engine engine, bool is_awaited) {
  for (const Edge& edge : fence_) add_edge(edges, edge);
  const bool is_exact = engine != Engine::compute || is_awaited;
  return lanes_[device].of(engine).push(
      std::move(work), edges, is_exact ? devices::Marking::exact : devices::Marking::loose);
}

/// Not all was noted before: any of it may touch anything.
void Coherence::stream(VirtualBuffer& buffer, unsigned device) {
  if (buffer.streamed.contains(device)) return;
  buffer.streamed = buffer.streamed.with(device);
  has_streamed_ = true;
  const Box whole = buffer.whole();
  note_write(buffer, device, {&whole, 1}, lanes_[device].queue->last());
}

void Coherence::fence() {
  fence_.clear();
  const auto add = [this](const WorkQueue& queue) {
    if (queue.last() != 0) fence_.push_back({&queue, queue.last()});
  };
  for (const Lane& lane : lanes_) {
    add(*lane.queue);
    for (const WorkQueue* copier : lane.copiers)
      if (copier) add(*copier);
  }
}

}  // namespace gridspan::runtime
