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

#include "devices/device.h"
#include "runtime/schedule/first_fault.h"
#include "runtime/schedule/progress.h"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
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

class DeviceQueue;

/// "After this work of another device."
struct Edge {
  const DeviceQueue* queue;
  Ticket ticket;
};

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

class DeviceQueue {
 public:
  static constexpr std::size_t capacity = 512;

  /// Starts the thread that does the work; `name` shows in debuggers. Never destroyed, like Queue.
  explicit DeviceQueue(const char* name, QueueManner manner = {});
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  ~DeviceQueue() = delete;

  /// Appends work. One thread at a time. If the queue is full, waits until half of it is done, so
  /// that who fills it does not compete with the device for a core at each piece of work.
  /// `how`: exactly, if another of the device's queues is likely to wait for it while there is more
  /// behind it.
  Ticket push(std::unique_ptr<Work> work, const std::vector<Edge>& edges,
              devices::Marking how = devices::Marking::loose);

  /// The last ticket given out. For the thread that pushes.
  Ticket last() const { return last_.load(); }

  bool is_finished(Ticket ticket) const {
    if (is_known_finished(ticket)) return true;
    if (!manner_.device || !begun_.has_reached(ticket) ||
        !manner_.device->queue().is_done(mark_of(ticket)))
      return false;
    note_finished(ticket);
    return true;
  }
  /// The same without asking the device: false if it was not asked since.
  bool is_known_finished(Ticket ticket) const {
    return manner_.device ? finished_.load() >= ticket : begun_.has_reached(ticket);
  }
  void wait(Ticket ticket, std::chrono::microseconds spinning = brief) const;

 private:
  struct Slot {
    std::unique_ptr<Work> work;
    std::vector<Edge> edges;
  };
  void serve();
  bool is_open(const Edge& edge) const;
  bool is_for_pusher(const Work& work) const;
  bool can_begin(const std::vector<Edge>& edges) const;
  bool waits_on_device(const Edge& edge) const {
    return manner_.device && edge.queue->manner_.device;
  }
  void await(const Edge& edge);
  void wait_for(const Edge& edge, bool on_host) const;
  std::unique_lock<std::mutex> take_turn() const;
  void run(Work& work, Ticket ticket, devices::Marking how);
  void note_finished(Ticket ticket) const;
  void expect(Ticket ticket) const;
  /// Of begun work: later work's once the place in the ring is taken again, which comes after it.
  devices::Mark mark_of(Ticket ticket) const { return marks_[ticket % capacity].load(); }

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
