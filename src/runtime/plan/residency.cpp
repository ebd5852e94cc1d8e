// Units are taken, used and evicted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/residency.h"

#include "runtime/plan/shared_writes.h"
#include "support/log.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace gridspan::runtime {

using regions::Box;

namespace {

/// Whatever a device's units are, a range of so much has some.
constexpr std::size_t large = std::size_t{1} << 40;

std::vector<Box> boxes_of(const VirtualBuffer& buffer,
                          const std::vector<regions::ByteRange>& runs) {
  std::vector<Box> boxes;
  for (const regions::ByteRange& run : runs) append_bytes(buffer.view(), run.begin, run.end, boxes);
  return boxes;
}

}  // namespace

Residency::Residency(Coherence& coherence, BufferTable& buffers)
    : coherence_(coherence),
      buffers_(buffers),
      room_(coherence.devices(), plenty),
      idle_(coherence.devices()),
      in_use_(coherence.devices()) {}

/// Asked of them when there is something to do: they may be lazy (devices/lazy_device.h).
const DeviceSet& Residency::limited() const {
  if (limited_) return *limited_;
  limited_.emplace();
  for (unsigned device = 1; device < coherence_.devices(); ++device) {
    if (coherence_.lane(device).device->memory().memory_unit(large) != 0)
      limited_ = limited_->with(device);
  }
  return *limited_;
}

bool Residency::is_ready(const LaunchPlan& plan) {
  if (!is_needed()) return true;
  if (!plan.demand || plan.demand->generation != generation_) return false;
  plan.demand->last_use = ++clock_;
  return true;
}

DeviceSet Residency::make_room(const LaunchPlan& plan) {
  if (is_ready(plan)) return {};
  if (!plan.demand) {
    plan.demand = std::make_shared<Demand>(demand_of(plan));
    if (plans_.size() == plans_.capacity())
      std::erase_if(plans_, [](const auto& known) { return known.expired(); });
    plans_.emplace_back(plan.demand);
  }
  return make_room(*plan.demand);
}

DeviceSet Residency::make_room(Demand& demand) {
  demand.last_use = ++clock_;
  note_use(demand);
  DeviceSet without = demand.impossible;
  const std::span<const Demand::Stretch> all(demand.stretches);
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    const unsigned device = all[begin].device;
    while (end < all.size() && all[end].device == device) ++end;
    if (!take(device, demand, all.subspan(begin, end - begin))) without = without.with(device);
  }
  if (without.is_empty()) demand.generation = generation_;
  return without;
}

Demand Residency::demand_of(const LaunchPlan& plan) {
  Demand demand;
  for (const PartPlan& part : plan.parts) {
    if (!is_limited(part.device)) continue;
    for (const PointerArgument& pointer : plan.pointers) {
      prepare(*pointer.buffer, part.device, demand);
      if (coherence_.policy().resolves) continue;
      const Box whole = pointer.buffer->whole();  // nobody knows what is touched
      demand.add(*pointer.buffer, part.device, pointer.buffer->view(), {&whole, 1});
    }
  }
  const auto add = [&](const BufferUse& use, unsigned device, const std::vector<Box>& boxes) {
    if (!is_limited(device) || boxes.empty() || use.buffer->is_shared) return;
    prepare(*use.buffer, device, demand);
    demand.add(*use.buffer, device, use.view, boxes);
  };
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      add(use, part.device, use.reads);
      add(use, part.device, use.writes);
      add(use, part.device, use.merges);
      if (!use.merges.empty()) add(use, merge_target(plan, use.buffer), use.merges);
      for (const PrivateCopy& copy : use.private_copies) {
        add(use, part.device, copy.boxes);
        add(use, copy.target, copy.boxes);
      }
    }
  }
  demand.tidy();
  return demand;
}

void Residency::prepare(VirtualBuffer& buffer, unsigned device, Demand& demand) {
  while (!coherence_.find_memory(buffer, device)) {
    if (drop_ranges(device) || evict(device, 1)) continue;
    demand.impossible = demand.impossible.with(device);
    return;
  }
}

std::uint64_t Residency::taken(unsigned device) const {
  std::uint64_t bytes = 0;
  for (const auto& [base, buffer] : buffers_.all()) {
    const MemoryUnits& units = buffer->units[device];
    for (std::size_t i = 0; i < units.last_use.size(); ++i) {
      if (units.has_memory(i)) bytes += units.bytes(i);
    }
  }
  return bytes;
}

void Residency::forget_plans() {
  note_uses();
  plans_.clear();
}

void Residency::note_use(const Demand& demand) {
  for (const Demand::Stretch& stretch : demand.stretches) {
    auto& last_use = stretch.buffer->units[stretch.device].last_use;
    for (std::size_t i = stretch.first; i < stretch.end; ++i) {
      if (last_use[i] != 0) last_use[i] = std::max(last_use[i], demand.last_use);
    }
  }
}

/// Launches that are done again only note when; what that means for units is asked here.
void Residency::note_uses() {
  for (const auto& known : plans_) {
    if (const auto demand = known.lock()) note_use(*demand);
  }
}

/// Memory for all of the demand's stretches on one device.
bool Residency::take(unsigned device, const Demand& demand,
                     std::span<const Demand::Stretch> stretches) {
  std::uint64_t& room = room_[device];
  while (demand.bytes(device) <= room) {
    std::uint64_t missing = 0;
    bool is_full = false;
    for (const Demand::Stretch& stretch : stretches) missing += commit(stretch, is_full);
    if (is_full && drop_ranges(device)) continue;
    if (is_full) room = taken(device) + in_use_[device];
    if (missing == 0) {
      if (room != plenty) room = std::max(room, taken(device));
      return true;
    }
    if (!evict(device, missing)) return false;
  }
  return false;
}

/// Bytes that still have no memory. Nothing is asked for once the device is full.
std::uint64_t Residency::commit(const Demand::Stretch& stretch, bool& is_full) {
  VirtualBuffer& buffer = *stretch.buffer;
  MemoryUnits& units = buffer.units[stretch.device];
  devices::Device& device = *coherence_.lane(stretch.device).device;
  std::uint64_t missing = 0;
  for (std::size_t i = stretch.first; i < stretch.end;) {
    if (units.has_memory(i)) {
      ++i;
      continue;
    }
    std::size_t end = i + 1;
    while (end < stretch.end && !units.has_memory(end)) ++end;
    const std::size_t bytes = units.end(end - 1) - units.begin(i);
    const std::size_t got =
        is_full ? 0 : device.memory().commit(buffer.memory[stretch.device] + units.begin(i), bytes);
    is_full |= got < bytes;
    missing += bytes - got;
    for (const std::size_t begin = units.begin(i); i < end; ++i) {
      if (units.end(i) - begin <= got) units.last_use[i] = clock_;
    }
  }
  return missing;
}

/// So many bytes that were not used longest, but for those of what is being made room for. False,
/// and nothing has changed, if that is more than there is.
bool Residency::evict(unsigned device, std::uint64_t bytes) {
  const std::vector<Victim> chosen = victims(device, bytes);
  if (chosen.empty()) return false;
  std::map<std::uint64_t, std::pair<VirtualBuffer*, Bytes>> by_buffer;  // by its number
  for (const Victim& victim : chosen) {
    const MemoryUnits& units = victim.buffer->units[device];
    auto& [buffer, runs] = by_buffer[victim.buffer->number];
    buffer = victim.buffer;
    runs.push_back({static_cast<std::int64_t>(units.begin(victim.index)),
                    static_cast<std::int64_t>(units.end(victim.index))});
  }
  std::uint64_t written = 0, gone = 0;
  for (auto& [number, evicted] : by_buffer) {
    written += write_back(*evicted.first, device, evicted.second);
  }
  for (const auto& [number, evicted] : by_buffer)
    wait_for_users(*evicted.first, device, evicted.second);
  for (const auto& [number, evicted] : by_buffer) {
    const auto& [buffer, runs] = evicted;
    MemoryUnits& units = buffer->units[device];
    for (const regions::ByteRange& run : runs) {
      const auto begin = static_cast<std::size_t>(run.begin);
      coherence_.lane(device).device->memory().discard(buffer->memory[device] + begin,
                                                       static_cast<std::size_t>(run.length()));
      units.last_use[begin / units.unit] = 0;
      gone += static_cast<std::uint64_t>(run.length());
    }
  }
  ++generation_;
  coherence_.traffic().evicted.add(gone);
  support::log(support::LogLevel::debug, "device %u gives up %llu bytes, %llu copied home", device,
               static_cast<unsigned long long>(gone), static_cast<unsigned long long>(written));
  return true;
}

std::vector<Residency::Victim> Residency::victims(unsigned device, std::uint64_t bytes) {
  note_uses();
  std::vector<Victim> all;
  for (const auto& [base, buffer] : buffers_.all()) {
    const MemoryUnits& units = buffer->units[device];
    for (std::size_t i = 0; i < units.last_use.size(); ++i) {
      if (units.has_memory(i) && units.last_use[i] < clock_)
        all.push_back({units.last_use[i], buffer.get(), i});
    }
  }
  std::ranges::sort(all, [](const Victim& a, const Victim& b) {
    return std::tuple(a.last_use, a.buffer->number, a.index) <
           std::tuple(b.last_use, b.buffer->number, b.index);
  });
  std::size_t count = 0;
  std::uint64_t freed = 0;
  for (; count < all.size() && freed < bytes; ++count)
    freed += all[count].buffer->units[device].bytes(all[count].index);
  all.resize(freed < bytes ? 0 : count);
  return all;
}

/// Returns the bytes that only the device had.
std::uint64_t Residency::write_back(VirtualBuffer& buffer, unsigned device, const Bytes& evicted) {
  const std::vector<Box> boxes = boxes_of(buffer, evicted);
  std::vector<Box> only_here;
  std::uint64_t bytes = 0;
  for (const Box& box : boxes) {
    buffer.holders.query(box, [&](const Box& piece, DeviceSet holders) {
      if (holders != DeviceSet::only(device)) return;
      only_here.push_back(piece);
      bytes += static_cast<std::uint64_t>(piece.volume());
    });
  }
  coherence_.make_current(buffer, 0, only_here, Cause::eviction);
  for (const Box& box : boxes) {
    buffer.holders.update(box, [device](DeviceSet holders) {
      return holders == DeviceSet::only(device) ? DeviceSet::only(0) : holders.without(device);
    });
  }
  if (bytes != 0) coherence_.traffic().written_back.add(bytes);
  return bytes;
}

/// Meanwhile the device may go on with what uses others.
void Residency::wait_for_users(const VirtualBuffer& buffer, unsigned device,
                               const Bytes& evicted) const {
  std::vector<Edge> users;
  coherence_.collect_users(buffer, device, boxes_of(buffer, evicted), users);
  for (const Edge& user : users) user.queue->wait(user.ticket);
}

}  // namespace gridspan::runtime
