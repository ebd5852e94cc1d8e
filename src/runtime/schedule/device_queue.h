// What one device still has to do, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device does its work in the order in which it was pushed. A piece of work may name *edges*:
// work of other devices that must be finished first. Edges only lead to work that was pushed
// before, so the order of pushing is an order in which everything could run, and nothing can wait
// in a circle.
//
// Brief work whose turn has come at once is done by the thread that pushes it: waking the device's
// thread takes longer than a small copy.
//
// A device that only begins work has the queue's thread far ahead of it. Between two such devices
// edges are waited for by the devices themselves.
//
// Since queues work in order, an edge says the same of all that was pushed to the other queue
// before, and for all that will be pushed to this one: most edges of a program that repeats itself
// are known to hold without being waited for, and few tickets are waited for at all.
#pragma once

#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/work_queue.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace gridspan::runtime {

/// When who pushes work for a device that only begins it begins it: beginning takes about as long
/// as handing over, but several devices' threads can do it at a time.
enum class InPlace : std::uint8_t { never, if_idle, always };

/// How a queue's thread begins, how it does a piece of work where that is more than running it, and
/// how long it spins for work of other devices before it sleeps. With a `run` of its own the
/// queue's thread does all work.
struct QueueManner {
  std::function<void()> begin = {};
  std::function<void(Work&)> run = {};
  std::chrono::microseconds patience = brief;
  devices::Device* device = nullptr;  // if it only begins work ...
  FirstFault* fault = nullptr;        // ... and who is told what goes wrong then
  unsigned line = 0;                  // of the device ...
  std::mutex* turn = nullptr;         // ... whom one of several queues tells at a time
  InPlace begins_in_place = InPlace::never;
};

/// A ring of work with a thread that serves it.
class DeviceQueue final : public WorkQueue {
 public:
  static constexpr std::size_t capacity = 512;

  /// Starts the thread that does the work; `name` shows in debuggers. Never destroyed, like Queue.
  explicit DeviceQueue(const char* name, QueueManner manner = {});
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  ~DeviceQueue() = delete;

  /// If the queue is full, waits until half of it is done, so that who fills it does not compete
  /// with the device for a core at each piece of work.
  Ticket push(std::unique_ptr<Work> work, const std::vector<Edge>& edges,
              devices::Marking how) override;
  using WorkQueue::push, WorkQueue::wait;

  Ticket last() const override { return last_.load(); }

  bool is_finished(Ticket ticket) const override {
    if (is_known_finished(ticket)) return true;
    if (!manner_.device || !has_begun(ticket) || !manner_.device->queue().is_done(mark_of(ticket)))
      return false;
    note_finished(ticket);
    return true;
  }
  bool is_known_finished(Ticket ticket) const override {
    return manner_.device ? finished_.load() >= ticket : begun_.has_reached(ticket);
  }
  void wait(Ticket ticket, std::chrono::microseconds spinning) const override;

  devices::Device* begins_on() const override { return manner_.device; }
  bool has_begun(Ticket ticket) const override { return begun_.has_reached(ticket); }
  void wait_until_begun(Ticket ticket, std::chrono::microseconds spinning) const override {
    begun_.wait(ticket, spinning);
  }
  devices::Mark mark_of(Ticket ticket) const override { return marks_[ticket % capacity].load(); }
  /// One that was begun already has no mark of its own: what was begun after it is waited for, too.
  void expect(Ticket ticket) const override;

 private:
  struct Slot {
    std::unique_ptr<Work> work;
    std::vector<Edge> edges;
  };
  void serve();
  bool is_open(const Edge& edge) const;
  bool is_for_pusher(const Work& work) const;
  bool can_begin(const std::vector<Edge>& edges) const;
  bool waits_on_device(const Edge& edge) const { return manner_.device && edge.queue->begins_on(); }
  void await(const Edge& edge);
  void wait_for(const Edge& edge, bool on_host) const;
  std::unique_lock<std::mutex> take_turn() const;
  void run(Work& work, Ticket ticket, devices::Marking how);
  void note_finished(Ticket ticket) const;

  const QueueManner manner_;
  std::vector<Slot> slots_;
  // Of tickets, if the device only begins work.
  std::vector<std::atomic<devices::Mark>> marks_;
  mutable std::vector<std::atomic<bool>> expected_;  // by other queues
  mutable std::atomic<Ticket> finished_{0};          // all up to it are known to be
  std::vector<Edge> awaited_;  // of each other queue what was waited for last; of who pushes
  std::atomic<Ticket> last_{0};
  Progress pushed_;  // the last ticket in a slot; those before it that are not are begun
  Progress begun_;   // finished, too, unless the device only begins work
};

}  // namespace gridspan::runtime
