// Keeps the copies of buffers coherent: who has what, who must wait for whom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that touches a device's memory is work on that device's queue, with one exception:
// work of another queue may read it. So the only edges ever needed are those of a reader to the
// last writer, and those of a writer to readers from outside.
#pragma once

#include "devices/device.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"
#include "runtime/plan/policy.h"
#include "runtime/plan/traffic.h"
#include "runtime/plan/virtual_buffer.h"
#include "runtime/plan/works.h"

#include <memory>
#include <span>
#include <vector>

namespace gridspan::runtime {

/// A device with its queue.
struct Lane {
  devices::Device* device;
  DeviceQueue* queue;
};

class Coherence {
 public:
  Coherence(std::vector<Lane> lanes, FirstFault& fault, Traffic& traffic, Machine machine,
            const Policy& policy = {})
      : lanes_(std::move(lanes)),
        fault_(fault),
        traffic_(traffic),
        machine_(std::move(machine)),
        policy_(policy) {}

  std::size_t devices() const { return lanes_.size(); }
  const Lane& lane(unsigned device) const { return lanes_[device]; }
  FirstFault& fault() { return fault_; }
  Traffic& traffic() { return traffic_; }
  const Machine& machine() const { return machine_; }
  const Policy& policy() const { return policy_; }

  /// The device's copy of the buffer, made at the first call; null (and a fault) if there is no
  /// room. Whether there is memory behind it is the residency's business.
  char* memory(VirtualBuffer& buffer, unsigned device);
  /// The same without a fault.
  char* find_memory(VirtualBuffer& buffer, unsigned device);

  Replica replica(VirtualBuffer& buffer, unsigned device) {
    return {lanes_[device].device, memory(buffer, device)};
  }

  /// Gives back the copies of a buffer that nothing uses any more.
  void discard(VirtualBuffer& buffer);

  /// Copies to the device what it lacks of `boxes`. Bytes that nobody wrote are left as they are.
  void make_current(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes);

  /// The same, but the copies are added to `copies`, and are still to be pushed, in this order;
  /// from now on the bytes count as being there.
  void find_copies(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes,
                   std::vector<CopyStep>& copies);
  void push_copy(const CopyStep& step);
  /// Who makes a copy: who has it made, unless that can't read where it comes from.
  devices::Device& mover(unsigned to, unsigned from) const;
  /// From now on (null: no longer) make_current notes here what it copies.
  void record_copies(std::vector<CopyStep>* copies) { recorded_ = copies; }

  /// Sees the buffer as `view`; if it lies in too many pieces for that, it is gathered at home.
  void see_as(VirtualBuffer& buffer, const regions::View& view);

  /// From now on only `device` has the current bytes. When all that an operation writes is owned,
  /// the buffer must be settled.
  void own(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes);

  /// The same for several, which all have them.
  void own_jointly(VirtualBuffer& buffer, DeviceSet devices, const regions::Box& box);

  /// Bytes that nobody wrote are the device's from now on, so that others get what stands there.
  static void own_unwritten(VirtualBuffer& buffer, unsigned device,
                            std::span<const regions::Box> boxes);

  /// Gathers the buffer at home if it lies in too many pieces to keep track of; true if it did. Not
  /// in the middle of an operation: for bytes that are written but not owned yet, the copies would
  /// come from those who had them before.
  bool settle(VirtualBuffer& buffer);

  /// What work of the device must wait for before it touches its copy, or (`reads_from_outside`)
  /// before work of `reader` may read it.
  void collect_before(const VirtualBuffer& buffer, unsigned device,
                      std::span<const regions::Box> boxes, Touch touch,
                      std::vector<Edge>& edges) const;
  void collect_before_foreign_read(const VirtualBuffer& buffer, unsigned device, unsigned reader,
                                   std::span<const regions::Box> boxes,
                                   std::vector<Edge>& edges) const;
  void note_write(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes,
                  Ticket ticket);
  void note_foreign_read(VirtualBuffer& buffer, unsigned device, unsigned reader,
                         std::span<const regions::Box> boxes, Ticket ticket);

  Ticket push(unsigned device, std::unique_ptr<Work> work, std::vector<Edge>& edges);

  /// Later work of every device waits for all work pushed so far.
  void fence();

 private:
  void gather(VirtualBuffer& buffer);

  struct Lacking {
    unsigned from;  // the device that has it
    regions::Box box;
    friend auto operator<=>(const Lacking&, const Lacking&) = default;
  };

  std::vector<Lane> lanes_;
  FirstFault& fault_;
  Traffic& traffic_;
  const Machine machine_;
  const Policy policy_;
  std::vector<Edge> fence_;
  std::vector<Edge> edges_;       // of the copy that is being pushed
  std::vector<Lacking> lacking_;  // while copies are looked for
  std::vector<CopyStep>* recorded_ = nullptr;
};

}  // namespace gridspan::runtime
