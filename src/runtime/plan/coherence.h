// Keeps the copies of buffers coherent: who has what, who must wait for whom.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that touches a device's memory is work on that device's queue, with two exceptions.
// Work of another device may read it: so the edges needed are those of a reader to the last writer,
// and those of a writer to readers from outside. And copies between a *streamed* copy of a buffer
// and the host are the work of queues of their own, beside the rest: from the first of them on the
// device's own readers, too, have edges and are noted.
#pragma once

#include "devices/device.h"
#include "runtime/plan/lane.h"
#include "runtime/plan/launch_plan.h"
#include "runtime/plan/machine.h"
#include "runtime/plan/policy.h"
#include "runtime/plan/traffic.h"
#include "runtime/plan/virtual_buffer.h"
#include "runtime/plan/work_maker.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace gridspan::runtime {

class Coherence {
 public:
  Coherence(std::vector<Lane> lanes, FirstFault& fault, Traffic& traffic, Machine machine,
            const Policy& policy = {})
      : lanes_(std::move(lanes)),
        fault_(fault),
        traffic_(traffic),
        machine_(std::move(machine)),
        policy_(policy),
        works_(lanes_, fault, traffic) {}
  Coherence(const Coherence&) = delete;

  std::size_t devices() const { return lanes_.size(); }
  const Lane& lane(unsigned device) const { return lanes_[device]; }
  FirstFault& fault() { return fault_; }
  Traffic& traffic() { return traffic_; }
  const Machine& machine() const { return machine_; }
  const Policy& policy() const { return policy_; }
  WorkMaker& works() { return works_; }

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
  void make_current(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes,
                    Cause cause);

  /// The same, but the copies are added to `copies`, and are still to be pushed, in this order;
  /// from now on the bytes count as being there.
  void find_copies(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes,
                   Cause cause, std::vector<CopyStep>& copies);
  void push_copy(const CopyStep& step);
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

  /// Where the buffer lies in many pieces, small ones become part of others (thin_out.h); where in
  /// too many to keep track of, it is gathered at home. True if bytes moved. Not
  /// in the middle of an operation: for bytes that are written but not owned yet, the copies would
  /// come from those who had them before.
  bool settle(VirtualBuffer& buffer);

  /// What work of the device must wait for before it touches its copy, or before work of `reader`
  /// may read it. To read (`collect_before_own_read`, of `Engine::compute`) costs nothing where
  /// nothing but the device's one queue writes.
  void collect_before(const VirtualBuffer& buffer, unsigned device,
                      std::span<const regions::Box> boxes, Touch touch, std::vector<Edge>& edges,
                      Engine engine = Engine::compute) const;
  void collect_before_own_read(const VirtualBuffer& buffer, unsigned device,
                               std::span<const regions::Box> boxes, std::vector<Edge>& edges) const;
  void collect_before_foreign_read(const VirtualBuffer& buffer, unsigned device, unsigned reader,
                                   std::span<const regions::Box> boxes, std::vector<Edge>& edges,
                                   Engine engine = Engine::compute) const;
  /// What has to end before nothing uses these boxes of the device's copy.
  void collect_users(const VirtualBuffer& buffer, unsigned device,
                     std::span<const regions::Box> boxes, std::vector<Edge>& edges) const;
  void note_write(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes,
                  Ticket ticket, Engine engine = Engine::compute);
  /// Does nothing where nobody needs to know.
  void note_own_read(VirtualBuffer& buffer, unsigned device, std::span<const regions::Box> boxes,
                     Ticket ticket, Engine engine = Engine::compute);
  void note_foreign_read(VirtualBuffer& buffer, unsigned device, unsigned reader,
                         std::span<const regions::Box> boxes, Ticket ticket,
                         Engine engine = Engine::compute);

  /// What copies so much into a streamed copy of a buffer. Copies that are over before another
  /// queue's line has been told to wait are not worth it.
  Engine engine_between(unsigned from, unsigned to, std::uint64_t bytes) const;

  /// `is_awaited`: what it touches is streamed.
  Ticket push(unsigned device, std::unique_ptr<Work> work, std::vector<Edge>& edges,
              Engine engine = Engine::compute, bool is_awaited = false);

  /// From now on the device's copy is streamed.
  void stream(VirtualBuffer& buffer, unsigned device);
  /// One queue does everything, in order: nobody asks who touches what.
  bool keeps_logs() const { return lanes_.size() > 1 || has_streamed_; }

  /// Later work of every device waits for all work pushed so far.
  void fence();

 private:
  void gather(VirtualBuffer& buffer);
  bool thin_out_if_due(VirtualBuffer& buffer);

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
  WorkMaker works_;
  bool has_streamed_ = false;  // a buffer
  std::vector<Edge> fence_;
  std::vector<Edge> edges_;       // of the copy that is being pushed
  std::vector<Lacking> lacking_;  // while copies are looked for
  std::vector<CopyStep>* recorded_ = nullptr;
};

}  // namespace gridspan::runtime
