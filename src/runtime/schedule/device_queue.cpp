// A ring of work, one thread that serves it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/device_queue.h"

#include "runtime/schedule/patience.h"
#include "runtime/schedule/service_thread.h"

namespace gridspan::runtime {

DeviceQueue::DeviceQueue(const char* name, QueueManner manner)
    : manner_(std::move(manner)), slots_(capacity) {
  start_service_thread(name, [this] { serve(); });
}

Ticket DeviceQueue::push(std::unique_ptr<Work> work, const std::vector<Edge>& edges) {
  const Ticket ticket = last() + 1;
  if (ticket > capacity) wait(ticket - capacity);
  Slot& slot = slots_[ticket % capacity];
  slot.work = std::move(work);
  for (const Edge& edge : edges) {
    if (edge.queue != this && !edge.queue->is_finished(edge.ticket)) slot.edges.push_back(edge);
  }
  pushed_.store(ticket);
  if (sleepers_.load() > 0) {
    {
      const std::scoped_lock lock(mutex_);
    }
    change_.notify_all();
  }
  return ticket;
}

void DeviceQueue::wait(Ticket ticket) const {
  const auto finished = [&] { return finished_.load() >= ticket; };
  if (finished() || spin_briefly(finished)) return;
  std::unique_lock lock(mutex_);
  sleepers_.fetch_add(1);
  change_.wait(lock, finished);
  sleepers_.fetch_sub(1);
}

void DeviceQueue::sleep_until_pushed(Ticket ticket) const {
  const auto pushed = [&] { return pushed_.load() >= ticket; };
  if (pushed() || spin_briefly(pushed)) return;
  std::unique_lock lock(mutex_);
  sleepers_.fetch_add(1);
  change_.wait(lock, pushed);
  sleepers_.fetch_sub(1);
}

void DeviceQueue::serve() {
  if (manner_.begin) manner_.begin();
  for (Ticket next = 1;; ++next) {
    sleep_until_pushed(next);
    Slot& slot = slots_[next % capacity];
    for (const Edge& edge : slot.edges) edge.queue->wait(edge.ticket);
    if (manner_.run)
      manner_.run(*slot.work);
    else
      slot.work->run();
    slot.work.reset();
    slot.edges.clear();
    finished_.store(next);
    if (sleepers_.load() > 0) {
      {
        const std::scoped_lock lock(mutex_);
      }
      change_.notify_all();
    }
  }
}

}  // namespace gridspan::runtime
