// What one device still has to do, in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A device does its work in the order in which it was pushed. A piece of work may name *edges*:
// work of other devices that must be finished first. Edges only lead to work that was pushed
// before, so the order of pushing is an order in which everything could run, and nothing can wait
// in a circle.
#pragma once

#include "devices/device.h"

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace gridspan::runtime {

/// Place in a device's queue; the first is 1.
using Ticket = std::uint64_t;

/// One piece of work of a device. Does not throw.
class Work {
 public:
  virtual ~Work() = default;
  virtual void run() = 0;
  /// True if it touches no other device's memory.
  virtual bool stays_on_device() const { return false; }
};

class DeviceQueue;

/// "After this work of another device."
struct Edge {
  const DeviceQueue* queue;
  Ticket ticket;
};

/// How a queue's thread begins, and how it does a piece of work where that is more than running it.
struct QueueManner {
  std::function<void()> begin = {};
  std::function<void(Work&)> run = {};
};

class DeviceQueue {
 public:
  static constexpr std::size_t capacity = 512;

  /// Starts the thread that does the work; `name` shows in debuggers. Never destroyed, like Queue.
  explicit DeviceQueue(const char* name, QueueManner manner = {});
  DeviceQueue(const DeviceQueue&) = delete;
  DeviceQueue& operator=(const DeviceQueue&) = delete;
  ~DeviceQueue() = delete;

  /// Appends work. One thread at a time. Waits while the queue is full.
  Ticket push(std::unique_ptr<Work> work, const std::vector<Edge>& edges);

  /// The last ticket given out. For the thread that pushes.
  Ticket last() const { return pushed_.load(std::memory_order_relaxed); }

  bool is_finished(Ticket ticket) const {
    return finished_.load(std::memory_order_acquire) >= ticket;
  }
  void wait(Ticket ticket) const;

 private:
  struct Slot {
    std::unique_ptr<Work> work;
    std::vector<Edge> edges;
  };
  void serve();
  void sleep_until_pushed(Ticket ticket) const;

  const QueueManner manner_;
  std::vector<Slot> slots_;
  alignas(64) std::atomic<Ticket> pushed_{0};
  alignas(64) std::atomic<Ticket> finished_{0};
  mutable std::atomic<unsigned> sleepers_{0};
  mutable std::mutex mutex_;
  mutable std::condition_variable change_;
};

}  // namespace gridspan::runtime
