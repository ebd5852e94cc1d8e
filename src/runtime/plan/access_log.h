// Who still has to read or write a piece of memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/regions/box.h"
#include "runtime/schedule/work_queue.h"

#include <vector>

namespace gridspan::runtime {

enum class Touch : bool { read, write };

/// Accesses to one memory (one device's copy of a buffer, or the host's) that may be unfinished.
/// Boxes are those of one view; they may be wider than what is touched.
class AccessLog {
 public:
  /// Adds what work of `queue` must wait for before it touches `box`: unfinished work of other
  /// queues that touches the same, one of the two writing. A queue works in order, so there is at
  /// most one edge to each. `queue`: null if it is no queue's work that touches it.
  void collect(const regions::Box& box, Touch touch, const WorkQueue* queue,
               std::vector<Edge>& edges) const;

  /// `ticket` of `queue` will touch `box`.
  void add(const regions::Box& box, Touch touch, const WorkQueue& queue, Ticket ticket);

  /// The boxes no longer mean anything: from now on each entry may touch `whole`.
  void widen(const regions::Box& whole);

 private:
  struct Entry {
    regions::Box box;
    const WorkQueue* queue;
    Ticket ticket;
    Touch touch;
  };
  std::vector<Entry> entries_;  // unfinished ones, and finished ones not swept yet
  std::size_t sweep_at_ = 16;
};

/// Adds an edge unless there is a later one to the same queue.
void add_edge(std::vector<Edge>& edges, const Edge& edge);

}  // namespace gridspan::runtime
