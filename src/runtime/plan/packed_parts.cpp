// Boxes are taken, filled, used, copied home and given back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/packed_parts.h"

#include "runtime/plan/outline.h"
#include "support/log.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gridspan::runtime {

using regions::Box;

namespace {

bool is_plain(const BufferUse& use) { return use.merges.empty() && use.private_copies.empty(); }

}  // namespace

PackedParts::PackedParts(Coherence& coherence, Residency& residency, const Packer& packer,
                         const LaunchPlan& plan)
    : coherence_(coherence), residency_(residency), packer_(packer), rest_(plan) {
  rest_.demand.reset();
  if (plan.touches_everything || plan.keeps_order) return;
  for (std::size_t i = 0; i < rest_.parts.size(); ++i) {
    PartPlan& part = rest_.parts[i];
    std::erase_if(part.uses, [&](const BufferUse& use) {
      if (!residency_.is_limited(part.device) || !is_plain(use)) return false;
      std::vector<Box> touched = use.reads;
      touched.insert(touched.end(), use.writes.begin(), use.writes.end());
      const auto box = packer_.box_for(*use.buffer, part.device, use.view, touched);
      if (!box) return false;
      boxes_.push_back({i, part.device, use, *box, packer_.memory_for(*box, part.device)});
      return true;
    });
  }
}

PackedParts::~PackedParts() {
  for (const Held& held : boxes_) {
    for (const Edge& copy : held.filled) copy.queue->wait(copy.ticket);
    coherence_.lane(held.device).queue->wait(held.last);
  }
  coherence_.lane(0).queue->wait(written_);
  give_back();
}

bool PackedParts::take_memory() {
  for (Held& held : boxes_) {
    held.memory = residency_.take_range(held.device, held.size);
    if (held.memory) continue;
    give_back();
    return false;
  }
  for (const Held& held : boxes_) {
    coherence_.traffic().packed.add(held.size);
    support::log(support::LogLevel::debug,
                 "device %u has a packed box of %llu bytes: %lld rows of %lld bytes of %lld",
                 held.device, static_cast<unsigned long long>(held.size),
                 static_cast<long long>(held.box.rows), static_cast<long long>(held.box.width),
                 static_cast<long long>(held.box.row_bytes));
  }
  return true;
}

void PackedParts::give_back() {
  for (Held& held : boxes_) {
    if (held.memory) residency_.give_back_range(held.device, held.memory, held.size);
    held.memory = nullptr;
  }
}

/// Before any part changes anything.
void PackedParts::fill() {
  for (Held& held : boxes_) coherence_.see_as(*held.use.buffer, held.use.view);
  for (Held& held : boxes_) {
    std::map<unsigned, std::vector<Box>> by_source;
    for (const Box& wanted : held.use.reads) {
      held.use.buffer->holders.query(wanted, [&](const Box& piece, DeviceSet holders) {
        if (holders.is_empty()) return;
        const auto bytes = static_cast<double>(piece.volume());
        const unsigned source = holders.contains(held.device)
                                    ? held.device
                                    : coherence_.machine().nearest(holders, held.device, bytes);
        by_source[source].push_back(piece);
      });
    }
    for (const auto& [source, pieces] : by_source) fill(held, source, pieces);
  }
}

void PackedParts::fill(Held& held, unsigned source, std::span<const Box> pieces) {
  if (!coherence_.policy().moves) return;
  VirtualBuffer& buffer = *held.use.buffer;
  char* const from = coherence_.memory(buffer, source);
  if (!from) return;
  auto copied = moves(held, from, pieces, false);
  const bool is_within = source == held.device;  // its queue keeps the order
  std::vector<Edge> edges;
  const std::vector<Box> touched = outline(pieces);
  // Nobody else uses the box.
  const Engine engine = coherence_.engine_between(source, held.device, held.size);
  if (is_within)
    coherence_.collect_before_own_read(buffer, source, touched, edges);
  else
    coherence_.collect_before_foreign_read(buffer, source, held.device, touched, edges, engine);
  const Ticket ticket = coherence_.push(
      held.device, coherence_.works().moves(held.device, source, std::move(copied), Cause::read),
      edges, engine);
  add_edge(held.filled, {&coherence_.lane(held.device).of(engine), ticket});
  if (is_within)
    coherence_.note_own_read(buffer, source, touched, ticket);
  else
    coherence_.note_foreign_read(buffer, source, held.device, touched, ticket, engine);
}

void PackedParts::push(PartPusher& pusher, const KernelCommand& command) {
  for (std::size_t i = 0; i < rest_.parts.size(); ++i) {
    std::vector<Edge> filled;
    for (const Held& held : boxes_) {
      if (held.part != i) continue;
      for (const Edge& copy : held.filled) add_edge(filled, copy);
    }
    const Ticket ticket = pusher.push(rest_, rest_.parts[i], command, {arrays(i), filled});
    for (Held& held : boxes_) {
      if (held.part == i) held.last = ticket;
    }
  }
}

void PackedParts::write_back() {
  for (const Held& held : boxes_) {
    VirtualBuffer& buffer = *held.use.buffer;
    if (held.use.writes.empty()) continue;
    if (coherence_.policy().moves) {
      auto copied = moves(held, buffer.home(), held.use.writes, true);
      const std::vector<Box> touched = outline(held.use.writes);
      std::vector<Edge> edges;
      add_edge(edges, {coherence_.lane(held.device).queue, held.last});
      coherence_.collect_before(buffer, 0, touched, Touch::write, edges);
      written_ = coherence_.push(
          0, coherence_.works().moves(0, held.device, std::move(copied), Cause::gather), edges);
      coherence_.note_write(buffer, 0, touched, written_);
    }
    coherence_.own(buffer, 0, held.use.writes);
  }
}

/// Between the box and a copy of its buffer.
std::vector<devices::BoxMove> PackedParts::moves(const Held& held, char* buffer,
                                                 std::span<const Box> boxes, bool out) const {
  std::vector<regions::BoxCopy> copies;
  for (const Box& box : boxes) append_copies(held.use.view, box, copies);
  std::vector<PackedMove> packed;
  for (const regions::BoxCopy& copy : copies) append_moves(held.box, copy, packed);
  std::vector<devices::BoxMove> moves;
  moves.reserve(packed.size());
  for (const PackedMove& move : packed) {
    const devices::Pitched in_box{held.memory + move.in_box, move.box_pitch,
                                  move.box_pitch * move.height};
    const devices::Pitched in_buffer{buffer + move.in_buffer, move.buffer_pitch,
                                     move.buffer_pitch * move.height};
    moves.push_back(
        {out ? in_buffer : in_box, out ? in_box : in_buffer, {move.width, move.height}});
  }
  return moves;
}

/// Of all arguments that are pointers into the part's packed buffers.
std::vector<devices::PackedArray> PackedParts::arrays(std::size_t part) {
  std::vector<devices::PackedArray> found;
  for (const Held& held : boxes_) {
    if (held.part != part) continue;
    char* const memory = coherence_.memory(*held.use.buffer, held.device);
    const PackedBox& box = held.box;
    for (const BoundArray& bound : packer_.launch().arrays()) {
      if (bound.buffer != held.use.buffer) continue;
      found.push_back({.parameter = static_cast<std::uint32_t>(bound.array->argument),
                       .origin = memory - box.phase,
                       .row_bytes = static_cast<std::size_t>(box.row_bytes),
                       .first_row = static_cast<std::size_t>(box.first_row),
                       .rows = static_cast<std::size_t>(box.rows),
                       .first_byte = static_cast<std::size_t>(box.first_byte),
                       .width = static_cast<std::size_t>(box.width),
                       .memory = held.memory,
                       .pitch = static_cast<std::size_t>(box.pitch)});
    }
  }
  return found;
}

}  // namespace gridspan::runtime
