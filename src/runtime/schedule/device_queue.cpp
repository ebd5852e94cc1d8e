// A ring of work, one thread that serves it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/schedule/device_queue.h"

#include "runtime/schedule/service_thread.h"

#include <algorithm>

namespace gridspan::runtime {

DeviceQueue::DeviceQueue(const char* name, QueueManner manner)
    : manner_(std::move(manner)),
      slots_(capacity),
      marks_(manner_.device ? capacity : 0),
      expected_(marks_.size()) {
  start_service_thread(name, [this] { serve(); });
}

/// Work pushed now has to be told of it.
bool DeviceQueue::is_open(const Edge& edge) const {
  if (edge.queue == this || edge.queue->is_known_finished(edge.ticket)) return false;
  const auto known = std::ranges::find(awaited_, edge.queue, &Edge::queue);
  return known == awaited_.end() || known->ticket < edge.ticket;
}

/// Work pushed from now on is after it, too.
void DeviceQueue::await(const Edge& edge) {
  const auto known = std::ranges::find(awaited_, edge.queue, &Edge::queue);
  if (known == awaited_.end())
    awaited_.push_back(edge);
  else
    known->ticket = edge.ticket;
}

bool DeviceQueue::is_for_pusher(const Work& work) const {
  if (manner_.run || (manner_.device && !work.only_begins())) return false;
  return work.is_brief() || manner_.begins_in_place == InPlace::always ||
         (manner_.begins_in_place == InPlace::if_idle && is_known_finished(last()));
}

/// Nothing has to be waited for on the host.
bool DeviceQueue::can_begin(const std::vector<Edge>& edges) const {
  return begun_.has_reached(last()) && std::ranges::all_of(edges, [this](const Edge& edge) {
           return !is_open(edge) || (waits_on_device(edge) ? edge.queue->has_begun(edge.ticket)
                                                           : edge.queue->is_finished(edge.ticket));
         });
}

void DeviceQueue::expect(Ticket ticket) const {
  if (manner_.device && !begun_.has_reached(ticket)) expected_[ticket % capacity].store(true);
}

Ticket DeviceQueue::push(std::unique_ptr<Work> work, const std::vector<Edge>& edges,
                         devices::Marking how) {
  const Ticket ticket = last() + 1;
  if (is_for_pusher(*work) && can_begin(edges)) {
    for (const Edge& edge : edges) {
      if (!is_open(edge) || !waits_on_device(edge)) continue;
      await(edge);
      wait_for(edge, false);
    }
    run(*work, ticket, how);
    work.reset();
    begun_.advance(ticket);
    last_.store(ticket);
    return ticket;
  }
  if (ticket > capacity && !begun_.has_reached(ticket - capacity)) {
    begun_.sleep(ticket - capacity / 2);
  }
  Slot& slot = slots_[ticket % capacity];
  slot.work = std::move(work);
  for (const Edge& edge : edges) {
    if (!is_open(edge)) continue;
    await(edge);
    edge.queue->expect(edge.ticket);
    slot.edges.push_back(edge);
  }
  if (how == devices::Marking::exact) expect(ticket);
  pushed_.advance(ticket);
  last_.store(ticket);
  return ticket;
}

void DeviceQueue::wait(Ticket ticket, std::chrono::microseconds spinning) const {
  if (ticket == 0) return;
  begun_.wait(ticket, spinning);
  if (!manner_.device) return;
  manner_.fault->report(manner_.device->queue().finish(mark_of(ticket)));
  note_finished(ticket);
}

void DeviceQueue::note_finished(Ticket ticket) const {
  Ticket known = finished_.load();
  while (known < ticket && !finished_.compare_exchange_weak(known, ticket)) {
  }
}

/// Two devices that only begin work wait for each other by themselves.
void DeviceQueue::wait_for(const Edge& edge, bool on_host) const {
  const WorkQueue& other = *edge.queue;
  if (on_host || !waits_on_device(edge)) return other.wait(edge.ticket, manner_.patience);
  other.wait_until_begun(edge.ticket, manner_.patience);
  const auto turn = take_turn();
  manner_.fault->report(
      manner_.device->queue().begin_after(*other.begins_on(), other.mark_of(edge.ticket)));
}

/// What the device is told until the lock goes is for the queue's line.
std::unique_lock<std::mutex> DeviceQueue::take_turn() const {
  if (!manner_.turn) return {};
  std::unique_lock turn(*manner_.turn);
  manner_.device->queue().use_line(manner_.line);
  return turn;
}

void DeviceQueue::run(Work& work, Ticket ticket, devices::Marking how) {
  const auto turn = take_turn();
  if (manner_.run)
    manner_.run(work);
  else
    work.run();
  if (!manner_.device) return;
  const bool is_expected = expected_[ticket % capacity].exchange(false);
  marks_[ticket % capacity].store(
      manner_.device->queue().mark(is_expected ? devices::Marking::exact : how));
}

void DeviceQueue::serve() {
  for (Ticket next = 1;; ++next) {
    pushed_.wait(next);
    if (next == 1 && manner_.begin) manner_.begin();
    if (begun_.has_reached(next)) continue;  // by who pushed it
    Slot& slot = slots_[next % capacity];
    // What is not only begun finds all that comes before it done.
    const bool on_host = !slot.work->only_begins();
    for (const Edge& edge : slot.edges) wait_for(edge, on_host);
    if (on_host && manner_.device) wait(next - 1);
    run(*slot.work, next, devices::Marking::loose);
    slot.work.reset();
    slot.edges.clear();
    begun_.advance(next);
  }
}

}  // namespace gridspan::runtime
