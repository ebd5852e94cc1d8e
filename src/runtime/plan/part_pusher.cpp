// Parts become work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/part_pusher.h"

#include <algorithm>
#include <cstring>
#include <span>
#include <utility>

namespace gridspan::runtime {

using regions::Box;

namespace {

/// What pieces of the device's parts use is no more than this.
template <class Take>
void for_each_use(const LaunchPlan& plan, unsigned device, Take take) {
  for (const PartPlan& part : plan.parts) {
    if (part.device == device) std::ranges::for_each(part.uses, take);
  }
}

/// Of what is no buffer of the plan's nothing is known.
AboutArguments about_arguments(const LaunchPlan& plan, const KernelCommand& command) {
  AboutArguments about;
  const abi::Kernel& kernel = *command.kernel;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    const abi::Parameter& parameter = kernel.parameters[i];
    if (parameter.is_pointer == 0) continue;
    const void* pointer = nullptr;
    std::memcpy(&pointer, command.arguments.bytes() + parameter.offset, sizeof pointer);
    if (!pointer) continue;
    const auto known = std::ranges::find(plan.pointers, parameter.offset, &PointerArgument::offset);
    if (known != plan.pointers.end())
      about.add(known->buffer->allocation);
    else
      about.add_unknown();
  }
  return about;
}

bool uses_streamed(const PartPlan& part) {
  return std::ranges::any_of(
      part.uses, [&](const BufferUse& use) { return use.buffer->streamed.contains(part.device); });
}

/// Calls `take` with boxes of the use, or with all of the buffer while another launch's view of it
/// holds.
template <class Take>
void as_seen(const BufferUse& use, const std::vector<Box>& boxes, Take take) {
  if (use.buffer->view() == use.view) return take(std::span(boxes));
  const Box whole = use.buffer->whole();
  if (!boxes.empty()) take(std::span(&whole, 1));
}

double blocks_of(const PartPlan& part) {
  const abi::Dim& count = part.block_count;
  return 1.0 * count.x * count.y * count.z;
}

/// To hand the part to a thread takes about as long as the part: of a launch that no other device
/// could help with, that is done before another has begun, or that was short before.
bool is_small(const LaunchPlan& plan, const PartPlan& part, const KernelCommand& command,
              const BlockTime& time) {
  constexpr double nanoseconds_to_hand_over = 20e3;
  // It may wait for what is behind it in the program.
  constexpr std::uint32_t waiting = abi::kernel_needs_fibers | abi::kernel_waits_in_loops |
                                    abi::kernel_has_grid_sync | abi::kernel_waits_for_children;
  if ((command.kernel->flags & waiting) != 0) return false;
  const double blocks = blocks_of(part);
  return (plan.parts.size() == 1 && (plan.is_little || blocks == 1)) ||
         time.expect(blocks) <= nanoseconds_to_hand_over;
}

}  // namespace

void PartPusher::push(const LaunchPlan& plan, const Piece& piece, const KernelCommand& command) {
  edges_.clear();
  for (const auto& [buffer, boxes] : piece.changes) {
    coherence_.collect_before(*buffer, piece.device, boxes, Touch::write, edges_);
  }
  for_each_use(plan, piece.device, [&](const BufferUse& use) {
    coherence_.collect_before_own_read(*use.buffer, piece.device, use.reads, edges_);
  });
  auto work = work_for(plan, piece.device, command);
  for (const BlockBox& blocks : piece.blocks) work->add_blocks(blocks);
  const Ticket ticket = coherence_.push(piece.device, std::move(work), edges_);
  for (const auto& [buffer, boxes] : piece.changes) {
    coherence_.note_write(*buffer, piece.device, boxes, ticket);
  }
  for_each_use(plan, piece.device, [&](const BufferUse& use) {
    coherence_.note_own_read(*use.buffer, piece.device, use.reads, ticket);
  });
}

void PartPusher::push_step(const LaunchPlan& plan, const PartPlan& part, const BlockBox& blocks,
                           Place place, const KernelCommand& command) {
  edges_.clear();
  auto work = work_for(plan, part.device, command);
  work->add_blocks(blocks);
  const bool is_awaited =
      place == Place::only || place == Place::first ? collect_before(part) : uses_streamed(part);
  const Ticket ticket =
      coherence_.push(part.device, std::move(work), edges_, Engine::compute, is_awaited);
  if (place == Place::only || place == Place::last) note(part, ticket);
}

/// What the part must wait for. Whether something of it is streamed.
bool PartPusher::collect_before(const PartPlan& part) {
  for (const BufferUse& use : part.uses) {
    as_seen(use, use.changed, [&](std::span<const Box> boxes) {
      coherence_.collect_before(*use.buffer, part.device, boxes, Touch::write, edges_);
    });
    as_seen(use, use.reads, [&](std::span<const Box> boxes) {
      coherence_.collect_before_own_read(*use.buffer, part.device, boxes, edges_);
    });
  }
  return uses_streamed(part);
}

void PartPusher::note(const PartPlan& part, Ticket ticket) {
  for (const BufferUse& use : part.uses) {
    as_seen(use, use.changed, [&](std::span<const Box> boxes) {
      coherence_.note_write(*use.buffer, part.device, boxes, ticket);
    });
    as_seen(use, use.reads, [&](std::span<const Box> boxes) {
      coherence_.note_own_read(*use.buffer, part.device, boxes, ticket);
    });
  }
}

Ticket PartPusher::push(const LaunchPlan& plan, const PartPlan& part, const KernelCommand& command,
                        Packed packed) {
  const unsigned device = part.device;
  edges_.assign(packed.filled.begin(), packed.filled.end());
  auto work = work_for(plan, device, command);
  work->add_blocks({part.first_block, part.block_count});
  const bool is_cpu = !coherence_.lane(device).device->facts().only_begins;
  if (is_cpu) {
    auto time = block_times_.of(*command.kernel);
    if (is_small(plan, part, command, *time)) work->set_brief();
    work->set_block_time(std::move(time));
  }
  if (times_ && packed.arrays.empty() && part.bytes > 0)
    work->set_clock(times_->clock_for(*command.kernel, device, work->queue(), part.bytes));
  work->set_packed(std::move(packed.arrays));
  if (!coherence_.keeps_logs()) return coherence_.push(device, std::move(work), edges_);
  const bool is_awaited = collect_before(part);
  const Ticket ticket =
      coherence_.push(device, std::move(work), edges_, Engine::compute, is_awaited);
  if (plan.touches_everything) {
    for (const auto& [base, buffer] : buffers_.all()) {
      const Box whole = buffer->whole();
      coherence_.note_write(*buffer, device, {&whole, 1}, ticket);
    }
  }
  note(part, ticket);
  return ticket;
}

/// The launch as the device sees it; blocks are still to be added.
std::unique_ptr<PartWork> PartPusher::work_for(const LaunchPlan& plan, unsigned device,
                                               const KernelCommand& command) {
  auto work = coherence_.works().part(device, command);
  work->set_symbols(symbols_on(device, command.symbols));
  const bool is_cpu = !coherence_.lane(device).device->facts().only_begins;
  if (is_cpu && asks_about_arguments(*command.kernel))
    work->set_about(about_arguments(plan, command));
  for (const PointerArgument& pointer : plan.pointers) {
    VirtualBuffer& buffer = *pointer.buffer;
    work->move_pointer(pointer.offset, coherence_.memory(buffer, device) - buffer.home());
  }
  return work;
}

void* const* PartPusher::symbols_on(unsigned device, const SymbolTable& symbols) {
  if (device == 0 || symbols.count == 0) return symbols.addresses;
  auto& made = symbols_[device][symbols.addresses];
  if (made) return made.get();
  made = std::make_unique<void*[]>(symbols.count);
  for (std::uint32_t i = 0; i < symbols.count; ++i) {
    const auto home = reinterpret_cast<std::uintptr_t>(symbols.addresses[i]);
    VirtualBuffer* const buffer = buffers_.find(home);
    made[i] = symbols.addresses[i];
    if (!buffer || buffer->is_shared) continue;
    if (char* memory = coherence_.memory(*buffer, device)) {
      made[i] = memory + (home - buffer->allocation.base);
    }
  }
  return made.get();
}

void PartPusher::forget_symbols() {
  for (SymbolTables& tables : symbols_) tables.clear();
}

}  // namespace gridspan::runtime
