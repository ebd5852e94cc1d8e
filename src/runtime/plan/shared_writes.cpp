// Private copies and snapshots as work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/shared_writes.h"

#include "runtime/plan/outline.h"

namespace gridspan::runtime {

using regions::Box;

unsigned merge_target(const LaunchPlan& plan, const VirtualBuffer* buffer) {
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      if (use.buffer == buffer && !use.merges.empty()) return part.device;
    }
  }
  return 0;
}

void SharedWrites::before(const LaunchPlan& plan, const PartPlan& part) {
  for (const BufferUse& use : part.uses) {
    set_up(part, use);
    if (use.merges.empty() || merge_target(plan, use.buffer) == part.device) continue;
    auto twin = std::make_shared<Twin>();
    for (const Box& box : use.merges) append_copies(use.view, box, twin->boxes);
    std::vector<Edge> edges;
    coherence_.collect_before_own_read(*use.buffer, part.device, use.merges, edges);
    char* const memory = coherence_.memory(*use.buffer, part.device);
    coherence_.push(part.device, coherence_.works().twin(part.device, memory, twin), edges);
    snapshots_.push_back({&part, &use, std::move(twin)});
  }
}

void SharedWrites::set_up(const PartPlan& part, const BufferUse& use) {
  for (const PrivateCopy& copy : use.private_copies) {
    const std::vector<Box> touched = outline(copy.boxes);
    std::vector<Edge> edges;
    coherence_.collect_before(*use.buffer, part.device, touched, Touch::write, edges);
    char* const memory = coherence_.memory(*use.buffer, part.device);
    const Ticket ticket =
        coherence_.push(part.device, coherence_.works().identity(part.device, memory, copy), edges);
    coherence_.note_write(*use.buffer, part.device, touched, ticket);
  }
}

void SharedWrites::after(const LaunchPlan& plan) {
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) combine(part, use);
  }
  merge(plan);
}

void SharedWrites::combine(const PartPlan& part, const BufferUse& use) {
  VirtualBuffer& buffer = *use.buffer;
  const unsigned from = part.device;
  for (const PrivateCopy& copy : use.private_copies) {
    const std::vector<Box> touched = outline(copy.boxes);
    std::vector<Edge> edges;
    coherence_.collect_before_foreign_read(buffer, from, copy.target, touched, edges);
    coherence_.collect_before(buffer, copy.target, touched, Touch::write, edges);
    const Replica target = coherence_.replica(buffer, copy.target);
    const Ticket ticket = coherence_.push(
        copy.target, coherence_.works().combine(target, coherence_.replica(buffer, from), copy),
        edges);
    coherence_.note_foreign_read(buffer, from, copy.target, touched, ticket);
    coherence_.note_write(buffer, copy.target, touched, ticket);
  }
}

void SharedWrites::merge(const LaunchPlan& plan) {
  for (const Snapshot& snapshot : snapshots_) {
    const BufferUse& use = *snapshot.use;
    VirtualBuffer& buffer = *use.buffer;
    const unsigned from = snapshot.part->device;
    const unsigned target = merge_target(plan, &buffer);
    const std::vector<Box> touched = outline(use.merges);
    std::vector<Edge> edges;
    coherence_.collect_before_foreign_read(buffer, from, target, touched, edges);
    coherence_.collect_before(buffer, target, touched, Touch::write, edges);
    std::uint64_t bytes = 0;
    for (const Box& box : use.merges) bytes += static_cast<std::uint64_t>(box.volume());
    const Ticket ticket =
        coherence_.push(target,
                        coherence_.works().merge(coherence_.replica(buffer, target),
                                                 coherence_.replica(buffer, from), snapshot.twin,
                                                 use.merge_bytes, bytes),
                        edges);
    coherence_.note_foreign_read(buffer, from, target, touched, ticket);
    coherence_.note_write(buffer, target, touched, ticket);
  }
  snapshots_.clear();
  for (const PartPlan& part : plan.parts) {
    for (const BufferUse& use : part.uses) {
      if (use.merges.empty()) continue;
      coherence_.own(*use.buffer, merge_target(plan, use.buffer), use.merges);
    }
  }
}

}  // namespace gridspan::runtime
