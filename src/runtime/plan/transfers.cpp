// Rows of copies, cut where the owner changes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/transfers.h"

#include "runtime/plan/copy_rows.h"
#include "runtime/plan/outline.h"
#include "runtime/plan/placement.h"
#include "runtime/regions/box_copies.h"

#include <algorithm>

namespace gridspan::runtime {

using regions::Box;
using regions::ByteRange;

namespace {

/// Where the first byte of the side lies in its buffer.
std::int64_t start_in(const VirtualBuffer& buffer, const Pitched& memory) {
  return memory.base - buffer.home();
}

/// Calls take(piece, value) for each piece of the buffer's bytes [begin, begin + bytes).
template <class Value, class Take>
void for_each_piece(const regions::RegionMap<Value>& map, std::int64_t begin, std::size_t bytes,
                    Take take) {
  std::vector<Box> boxes;
  append_bytes(map.view(), begin, begin + static_cast<std::int64_t>(bytes), boxes);
  for (const Box& box : boxes) map.query(box, take);
}

template <class Take>
void for_each_run(const regions::View& view, const Box& box, Take take) {
  std::vector<ByteRange> runs;
  append_runs(view, box, runs);
  for (const ByteRange& run : runs) take(run.begin, static_cast<std::size_t>(run.length()));
}

/// Who has a piece; what nobody wrote is taken from home.
unsigned holder_of(DeviceSet holders) { return holders.is_empty() ? 0 : holders.first(); }

}  // namespace

Transfers::Side Transfers::side(const Pitched& memory) {
  VirtualBuffer* buffer = buffers_.find(reinterpret_cast<std::uintptr_t>(memory.base));
  return {buffer && !buffer->is_shared ? buffer : nullptr, memory};
}

/// Devices that launches leave out get nothing.
regions::RegionMap<DeviceSet> Transfers::placement_of(const VirtualBuffer& buffer) const {
  const Machine& machine = coherence_.machine();
  const Policy& policy = coherence_.policy();
  const auto fast = policy.weighs_work ? machine.speeds_of_fast() : std::vector<std::uint32_t>();
  return placement(buffer, fast.empty() ? machine.speeds() : fast, policy.follows_patterns);
}

void Transfers::copy(CopyCommand& command) {
  const Side to = side(command.to), from = side(command.from);
  if (to.buffer && from.buffer) {
    between_buffers(to, from, command.extent);
  } else if (to.buffer) {
    from_host(to, from, command);
  } else if (from.buffer) {
    to_host(to, from, command);
  } else {
    between_hosts(command);
  }
}

/// Copies that are over before another queue's line has been told to wait are not worth it.
Engine Transfers::engine_for(const CopyCommand& command, unsigned device, const Batch& batch,
                             Engine copier) const {
  constexpr std::uint64_t least = 256 << 10;
  const bool is_worth_it = command.runs_beside && batch.stretches.bytes() >= least;
  return is_worth_it && coherence_.lane(device).has_copiers() ? copier : Engine::compute;
}

void Transfers::stream(VirtualBuffer& buffer, unsigned device, const Batch& batch) {
  coherence_.stream(buffer, device);
  coherence_.traffic().beside.add(batch.stretches.bytes());
}

void Transfers::from_host(const Side& to, const Side& from, CopyCommand& command) {
  VirtualBuffer& buffer = *to.buffer;
  const std::shared_ptr<char[]> staged = std::move(command.staged);
  const auto places = placement_of(buffer);
  const std::int64_t start = start_in(buffer, to.memory);
  Batches batches;
  std::vector<Placed> placed;
  for (const Row& row : rows_of(to.memory, from.memory, command.extent)) {
    const std::int64_t begin = start + static_cast<std::int64_t>(row.to);
    for_each_piece(places, begin, row.bytes, [&](const Box& piece, DeviceSet wanted) {
      placed.push_back({piece, wanted, from.memory.base + row.from - begin});
    });
  }
  make_room(buffer, placed);
  for (const Placed& one : placed) {
    for (unsigned device = 0; device < coherence_.devices(); ++device) {
      if (!one.devices.contains(device)) continue;
      char* const memory = coherence_.memory(buffer, device);
      if (!memory) return;
      Batch& target = batches[device];
      target.touched.push_back(one.piece);
      for_each_run(buffer.view(), one.piece, [&](std::int64_t offset, std::size_t bytes) {
        target.stretches.add({memory + offset, one.from + offset, bytes});
      });
    }
  }
  for (auto& [device, target] : batches) {
    const Engine engine = engine_for(command, device, target, Engine::copy_in);
    const WorkQueue& queue = coherence_.lane(device).of(engine);
    if (engine != Engine::compute) stream(buffer, device, target);
    const std::vector<Box> touched = outline(target.touched);
    std::vector<Edge> edges;
    coherence_.collect_before(buffer, device, touched, Touch::write, edges, engine);
    if (!staged) host_.collect(from.memory, command.extent, Touch::read, queue, edges);
    auto work = coherence_.works().stretches(device, std::move(target.stretches), Cause::upload);
    if (staged) work->keep(staged, sources_[device]);
    const Ticket ticket = coherence_.push(device, std::move(work), edges, engine);
    coherence_.note_write(buffer, device, touched, ticket, engine);
    if (!staged) host_.add(from.memory, command.extent, Touch::read, queue, ticket);
  }
  for (const Placed& one : placed) coherence_.own_jointly(buffer, one.devices, one.piece);
  coherence_.settle(buffer);
}

void Transfers::to_host(const Side& to, const Side& from, const CopyCommand& command) {
  VirtualBuffer& buffer = *from.buffer;
  const std::int64_t start = start_in(buffer, from.memory);
  Batches batches;
  for (const Row& row : rows_of(to.memory, from.memory, command.extent)) {
    const std::int64_t begin = start + static_cast<std::int64_t>(row.from);
    for_each_piece(buffer.holders, begin, row.bytes, [&](const Box& piece, DeviceSet holders) {
      const unsigned device = holder_of(holders);
      const char* const memory = coherence_.memory(buffer, device);
      Batch& source = batches[device];
      source.touched.push_back(piece);
      for_each_run(buffer.view(), piece, [&](std::int64_t offset, std::size_t bytes) {
        source.stretches.add({to.memory.base + row.to + (offset - begin), memory + offset, bytes});
      });
    });
  }
  for (auto& [device, source] : batches) {
    source.engine = engine_for(command, device, source, Engine::copy_out);
    if (source.engine != Engine::compute) stream(buffer, device, source);
    const std::vector<Box> touched = outline(source.touched);
    std::vector<Edge> edges;
    if (buffer.streamed.contains(device))
      coherence_.collect_before(buffer, device, touched, Touch::read, edges, source.engine);
    // Parts of one copy never write the same bytes: only earlier copies are waited for.
    host_.collect(to.memory, command.extent, Touch::write,
                  coherence_.lane(device).of(source.engine), edges);
    auto work = coherence_.works().stretches(device, std::move(source.stretches), Cause::download);
    source.ticket = coherence_.push(device, std::move(work), edges, source.engine);
    coherence_.note_own_read(buffer, device, touched, source.ticket, source.engine);
  }
  for (const auto& [device, source] : batches) {
    host_.add(to.memory, command.extent, Touch::write, coherence_.lane(device).of(source.engine),
              source.ticket);
  }
}

void Transfers::between_buffers(const Side& to, const Side& from, const Extent& extent) {
  VirtualBuffer& source = *from.buffer;
  VirtualBuffer& target = *to.buffer;
  const std::int64_t start = start_in(source, from.memory);
  const std::int64_t target_start = start_in(target, to.memory);
  make_room(to, from, extent);
  Batches batches;
  for (const Row& row : rows_of(to.memory, from.memory, extent)) {
    const std::int64_t begin = start + static_cast<std::int64_t>(row.from);
    const std::int64_t target_begin = target_start + static_cast<std::int64_t>(row.to);
    for_each_piece(source.holders, begin, row.bytes, [&](const Box& piece, DeviceSet holders) {
      const unsigned device = holder_of(holders);
      const char* const read = coherence_.memory(source, device);
      char* const written = coherence_.memory(target, device);
      if (!read || !written) return;
      Batch& local = batches[device];
      for_each_run(source.view(), piece, [&](std::int64_t offset, std::size_t bytes) {
        const std::int64_t target_offset = target_begin + (offset - begin);
        local.stretches.add({written + target_offset, read + offset, bytes});
        append_bytes(target.view(), target_offset, target_offset + static_cast<std::int64_t>(bytes),
                     local.touched);
      });
      local.read.push_back(piece);
    });
  }
  for (auto& [device, local] : batches) {
    // Upwards inside one buffer: what is still to be read lies below.
    if (&source == &target && target_start > start) local.stretches.reverse();
    const std::vector<Box> touched = outline(local.touched), read = outline(local.read);
    std::vector<Edge> edges;
    coherence_.collect_before_own_read(source, device, read, edges);
    coherence_.collect_before(target, device, touched, Touch::write, edges);
    auto work = coherence_.works().stretches(device, std::move(local.stretches), Cause::copy);
    const Ticket ticket = coherence_.push(device, std::move(work), edges);
    coherence_.note_own_read(source, device, read, ticket);
    coherence_.note_write(target, device, touched, ticket);
  }
  for (const auto& [device, local] : batches) coherence_.own(target, device, local.touched);
  coherence_.settle(target);
}

void Transfers::between_hosts(CopyCommand& command) {
  Stretches stretches;
  for (const Row& row : rows_of(command.to, command.from, command.extent)) {
    stretches.add({command.to.base + row.to, command.from.base + row.from, row.bytes});
  }
  auto work = coherence_.works().between_hosts(std::move(stretches));
  if (command.staged) work->keep(std::move(command.staged), sources_.front());
  std::vector<Edge> edges;
  host_.collect(command.from, command.extent, Touch::read, *coherence_.lane(0).queue, edges);
  host_.collect(command.to, command.extent, Touch::write, *coherence_.lane(0).queue, edges);
  const Ticket ticket = coherence_.push(0, std::move(work), edges);
  host_.add(command.from, command.extent, Touch::read, *coherence_.lane(0).queue, ticket);
  host_.add(command.to, command.extent, Touch::write, *coherence_.lane(0).queue, ticket);
}

void Transfers::fill_host(const FillCommand& command) {
  auto work = coherence_.works().fill(0, command.to.base, command.value);
  for (const Row& row : rows_of(command.to, command.to, command.extent)) {
    work->add_row(static_cast<std::int64_t>(row.to), row.bytes);
  }
  std::vector<Edge> edges;
  host_.collect(command.to, command.extent, Touch::write, *coherence_.lane(0).queue, edges);
  const Ticket ticket = coherence_.push(0, std::move(work), edges);
  host_.add(command.to, command.extent, Touch::write, *coherence_.lane(0).queue, ticket);
}

void Transfers::fill(const FillCommand& command) {
  const Side to = side(command.to);
  if (!to.buffer) return fill_host(command);
  VirtualBuffer& buffer = *to.buffer;
  const auto places = placement_of(buffer);
  const std::int64_t start = start_in(buffer, to.memory);
  std::vector<Placed> placed;
  for (const Row& row : rows_of(command.to, command.to, command.extent)) {
    for_each_piece(places, start + static_cast<std::int64_t>(row.to), row.bytes,
                   [&](const Box& piece, DeviceSet wanted) { placed.push_back({piece, wanted}); });
  }
  make_room(buffer, placed);
  for (unsigned device = 0; device < coherence_.devices(); ++device) {
    std::vector<Box> written;
    for (const Placed& one : placed) {
      if (one.devices.contains(device)) written.push_back(one.piece);
    }
    if (written.empty()) continue;
    char* const memory = coherence_.memory(buffer, device);
    if (!memory) return;
    auto work = coherence_.works().fill(device, memory, command.value);
    for (const Box& piece : written) work->add(buffer.view(), piece);
    const std::vector<Box> touched = outline(written);
    std::vector<Edge> edges;
    coherence_.collect_before(buffer, device, touched, Touch::write, edges);
    const Ticket ticket = coherence_.push(device, std::move(work), edges);
    coherence_.note_write(buffer, device, touched, ticket);
  }
  for (const Placed& one : placed) coherence_.own_jointly(buffer, one.devices, one.piece);
  coherence_.settle(buffer);
}

void Transfers::distribute(VirtualBuffer& buffer) {
  std::vector<Placed> placed;
  placement_of(buffer).query(buffer.whole(), [&](const Box& piece, DeviceSet wanted) {
    placed.push_back({piece, wanted});
  });
  make_room(buffer, placed);
  for (unsigned device = 1; device < coherence_.devices(); ++device) {
    std::vector<Box> boxes;
    for (const Placed& one : placed)
      if (one.devices.contains(device)) boxes.push_back(one.piece);
    if (!boxes.empty()) coherence_.make_current(buffer, device, boxes, Cause::change_over);
  }
  for (const Placed& one : placed) coherence_.own_jointly(buffer, one.devices, one.piece);
}

void Transfers::prefetch(const PrefetchCommand& command) {
  VirtualBuffer* const buffer = buffers_.find(reinterpret_cast<std::uintptr_t>(command.memory));
  if (!buffer) return;
  std::map<unsigned, std::unique_ptr<PrefetchWork>> works;
  const auto tell = [&](unsigned device, char* memory, std::size_t bytes) {
    auto& work = works[device];
    if (!work) work = coherence_.works().prefetch(device, command.to_host);
    work->add(memory, bytes);
  };
  if (command.to_host) {
    tell(0, command.memory, command.bytes);
  } else {
    const std::int64_t begin = command.memory - buffer->home();
    for_each_piece(placement_of(*buffer), begin, command.bytes,
                   [&](const Box& piece, DeviceSet wanted) {
                     for_each_run(buffer->view(), piece, [&](std::int64_t at, std::size_t bytes) {
                       tell(holder_of(wanted), buffer->home() + at, bytes);
                     });
                   });
  }
  for (auto& [device, work] : works) {
    std::vector<Edge> edges;
    coherence_.push(device, std::move(work), edges);
  }
}

}  // namespace gridspan::runtime
