// Room for what copies and fills write; without it they go home.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/copy_rows.h"
#include "runtime/plan/transfers.h"

namespace gridspan::runtime {

using regions::Box;

/// Where data is likely wanted is a wish.
void Transfers::make_room(VirtualBuffer& buffer, std::vector<Placed>& placed) {
  if (!residency_.is_needed()) return;
  for (unsigned device = 1; device < coherence_.devices(); ++device) {
    if (!residency_.is_limited(device)) continue;
    std::vector<Box> wanted;
    for (const Placed& one : placed) {
      if (one.devices.contains(device)) wanted.push_back(one.piece);
    }
    if (wanted.empty()) continue;
    Demand demand;
    residency_.prepare(buffer, device, demand);
    demand.add(buffer, device, buffer.view(), wanted);
    demand.tidy();
    if (residency_.make_room(demand).is_empty()) continue;
    for (Placed& one : placed) {
      one.devices = one.devices.without(device);
      if (one.devices.is_empty()) one.devices = DeviceSet::only(0);
    }
  }
}

/// A copy from buffer to buffer is done by who has the source. Who has no room for the target gives
/// it home.
void Transfers::make_room(const Side& to, const Side& from, const Extent& extent) {
  if (!residency_.is_needed()) return;
  VirtualBuffer &source = *from.buffer, &target = *to.buffer;
  const std::int64_t start = from.memory.base - source.home();
  const std::int64_t target_start = to.memory.base - target.home();
  struct Read {
    Box piece;
    std::int64_t shift;  // from bytes of the source to those of the target
  };
  std::map<unsigned, std::vector<Read>> by_device;
  for (const Row& row : rows_of(to.memory, from.memory, extent)) {
    const std::int64_t begin = start + static_cast<std::int64_t>(row.from);
    const std::int64_t shift = target_start + static_cast<std::int64_t>(row.to) - begin;
    std::vector<Box> boxes;
    append_bytes(source.view(), begin, begin + static_cast<std::int64_t>(row.bytes), boxes);
    for (const Box& box : boxes) {
      source.holders.query(box, [&](const Box& piece, DeviceSet holders) {
        const unsigned device = holders.is_empty() ? 0 : holders.first();
        if (residency_.is_limited(device)) by_device[device].push_back({piece, shift});
      });
    }
  }
  for (const auto& [device, reads] : by_device) {
    Demand demand;
    residency_.prepare(target, device, demand);
    std::vector<Box> read, written;
    for (const Read& one : reads) {
      std::vector<regions::ByteRange> runs;
      append_runs(source.view(), one.piece, runs);
      for (const regions::ByteRange& run : runs)
        append_bytes(target.view(), run.begin + one.shift, run.end + one.shift, written);
      read.push_back(one.piece);
    }
    demand.add(source, device, source.view(), read);
    demand.add(target, device, target.view(), written);
    demand.tidy();
    if (residency_.make_room(demand).is_empty()) continue;
    coherence_.make_current(source, 0, read, Cause::read);
    for (const Box& piece : read)
      source.holders.update(piece, [](DeviceSet holders) { return holders.with(0); });
  }
}

}  // namespace gridspan::runtime
