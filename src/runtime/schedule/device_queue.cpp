// A ring of work, one thread that serves it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/device_queue.h"

#include "runtime/schedule/service_thread.h"

#include <algorithm>

namespace gridspan::runtime {

DeviceQueue::DeviceQueue(const char* name, QueueManner manner)
    : manner_(std::move(manner)), slots_(capacity) {
  start_service_thread(name, [this] { serve(); });
}

bool DeviceQueue::can_begin(const std::vector<Edge>& edges) const {
  return is_finished(last()) && std::ranges::all_of(edges, [this](const Edge& edge) {
           return edge.queue == this || edge.queue->is_finished(edge.ticket);
         });
}

Ticket DeviceQueue::push(std::unique_ptr<Work> work, const std::vector<Edge>& edges) {
  const Ticket ticket = last() + 1;
  if (!manner_.run && work->is_brief() && can_begin(edges)) {
    work->run();
    work.reset();
    finished_.advance(ticket);
    last_.store(ticket);
    return ticket;
  }
  if (ticket > capacity && !is_finished(ticket - capacity)) {
    finished_.sleep(ticket - capacity / 2);
  }
  Slot& slot = slots_[ticket % capacity];
  slot.work = std::move(work);
  for (const Edge& edge : edges) {
    if (edge.queue != this && !edge.queue->is_finished(edge.ticket)) slot.edges.push_back(edge);
  }
  pushed_.advance(ticket);
  last_.store(ticket);
  return ticket;
}

void DeviceQueue::serve() {
  if (manner_.begin) manner_.begin();
  for (Ticket next = 1;; ++next) {
    pushed_.wait(next);
    if (is_finished(next)) continue;  // by who pushed it
    Slot& slot = slots_[next % capacity];
    for (const Edge& edge : slot.edges) edge.queue->wait(edge.ticket, manner_.patience);
    if (manner_.run)
      manner_.run(*slot.work);
    else
      slot.work->run();
    slot.work.reset();
    slot.edges.clear();
    finished_.advance(next);
  }
}

}  // namespace gridspan::runtime
