// Work of a device, and the queue that it is pushed onto.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/device.h"
#include "runtime/schedule/progress.h"

#include <chrono>
#include <memory>
#include <vector>

namespace gridspan::runtime {

/// Place in a device's queue; the first is 1.
using Ticket = Progress::Count;

/// One piece of work of a device. Does not throw.
class Work {
 public:
  virtual ~Work() = default;
  virtual void run() = 0;
  /// True if it touches no other device's memory.
  virtual bool stays_on_device() const { return false; }
  /// True if any thread may do it, in about the time it takes to wake another.
  virtual bool is_brief() const { return false; }
  /// True if it only tells the queue's device what to begin. Else it may use memory at once, and
  /// when it returns all it did is done.
  virtual bool only_begins() const { return false; }
};

class WorkQueue;

/// "After this work of another device."
struct Edge {
  const WorkQueue* queue;
  Ticket ticket;
};

/// Does work in the order in which it was pushed. `push` and `last` are for the one thread that
/// pushes, everything else is for any.
class WorkQueue {
 public:
  /// Appends work. `how`: exactly, if another of the device's queues is likely to wait for it while
  /// there is more behind it.
  virtual Ticket push(std::unique_ptr<Work> work, const std::vector<Edge>& edges,
                      devices::Marking how) = 0;
  Ticket push(std::unique_ptr<Work> work, const std::vector<Edge>& edges) {
    return push(std::move(work), edges, devices::Marking::loose);
  }
  /// The last ticket given out.
  virtual Ticket last() const = 0;

  virtual bool is_finished(Ticket ticket) const = 0;
  /// The same without asking the device: false if it was not asked since.
  virtual bool is_known_finished(Ticket ticket) const = 0;
  virtual void wait(Ticket ticket, std::chrono::microseconds spinning) const = 0;
  void wait(Ticket ticket) const { wait(ticket, brief); }

  // What other queues ask for their edges.
  /// Null: work that has run is finished. Else it is begun on this device, which can wait for a
  /// mark of another.
  virtual devices::Device* begins_on() const = 0;
  virtual bool has_begun(Ticket ticket) const = 0;
  virtual void wait_until_begun(Ticket ticket, std::chrono::microseconds spinning) const = 0;
  /// Behind begun work: later work's once the place in the ring is taken again, which comes after.
  virtual devices::Mark mark_of(Ticket ticket) const = 0;
  /// Somebody will wait for this ticket.
  virtual void expect(Ticket ticket) const = 0;

 protected:
  ~WorkQueue() = default;
};

}  // namespace gridspan::runtime
