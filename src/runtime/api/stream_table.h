// Streams and events behind their handles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One queue keeps everything in order, so a stream is little more than "the last command submitted
// through it", and an event "the command that records it".
#pragma once

#include "runtime/api/cuda_api.h"
#include "runtime/api/current_device.h"
#include "runtime/schedule/queue.h"

#include <array>
#include <atomic>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <unordered_map>

namespace gridspan::runtime {

class SharedEvent;

}  // namespace gridspan::runtime

/// What a cudaStream_t points to.
struct CUstream_st {
  int device = 0;
  unsigned flags = 0;
  int priority = 0;
  unsigned long long id = 0;
  /// Of the queue's: the legacy stream waits for all blocking streams, and they for it.
  unsigned line = gridspan::runtime::joining_line;
  cudaAccessPolicyWindow access_policy{};
  cudaSynchronizationPolicy synchronization_policy = cudaSyncPolicyAuto;
  std::atomic<gridspan::runtime::Queue::Sequence> last{0};
  /// The last capture it took part in, which may be over; 0 for none (graph::CaptureTable).
  std::atomic<unsigned long long> capture{0};

  bool is_blocking() const { return (flags & cudaStreamNonBlocking) == 0; }
};

/// What a cudaEvent_t points to.
struct CUevent_st {
  int device = 0;
  unsigned flags = 0;
  std::shared_ptr<gridspan::runtime::EventRecord> record =
      std::make_shared<gridspan::runtime::EventRecord>();
  /// Of an event that other processes may have, else null.
  std::shared_ptr<gridspan::runtime::SharedEvent> shared = nullptr;
  /// The capture in which it was recorded last, else 0 (graph::CaptureTable).
  std::atomic<unsigned long long> capture{0};
};

namespace gridspan::runtime {

using Stream = CUstream_st;
using Event = CUevent_st;

/// Live handles of one kind. Thread safe; objects stay alive while somebody holds the shared_ptr.
template <class Object>
class HandleTable {
 public:
  Object* add(std::shared_ptr<Object> object) {
    const std::unique_lock lock(mutex_);
    Object* handle = object.get();
    live_.emplace(handle, std::move(object));
    return handle;
  }

  /// Null for a handle that was never given out or is destroyed.
  std::shared_ptr<Object> find(const Object* handle) const {
    const std::shared_lock lock(mutex_);
    const auto found = live_.find(handle);
    return found == live_.end() ? nullptr : found->second;
  }

  bool remove(const Object* handle) {
    const std::unique_lock lock(mutex_);
    return live_.erase(handle) > 0;
  }

  void clear() {
    const std::unique_lock lock(mutex_);
    live_.clear();
  }

  /// Destroys those on the program's `device`.
  void clear(int device) {
    const std::unique_lock lock(mutex_);
    std::erase_if(live_, [&](const auto& entry) { return entry.second->device == device; });
  }

 private:
  mutable std::shared_mutex mutex_;
  std::unordered_map<const Object*, std::shared_ptr<Object>> live_;
};

using EventTable = HandleTable<Event>;

/// Streams of all of the program's devices, among them each device's legacy default stream and its
/// default stream of each thread.
class StreamTable {
 public:
  StreamTable();

  Stream* create(int device, unsigned flags, int priority);
  bool destroy(Stream* stream) { return created_.remove(stream); }
  /// Destroys every created stream of the device.
  void clear(int device) { created_.clear(device); }

  /// The stream of a handle as calls take it: null, cudaStreamLegacy and cudaStreamPerThread, those
  /// of this thread's device, or one that was created. Null if there is no such stream.
  std::shared_ptr<Stream> find(cudaStream_t handle);

  /// A plain copy returned before it was done, which a stream that does not wait for the legacy
  /// stream must not see.
  void note_early_return(Queue::Sequence copy) { early_return_.store(copy); }
  /// The last one, once; 0: none.
  Queue::Sequence take_early_return() { return early_return_.exchange(0); }

  /// A stream was created that does not wait for the legacy stream.
  bool has_free_streams() const { return has_free_streams_.load(); }
  bool is_legacy(const Stream& stream) const { return &stream == &legacy(stream.device); }

  /// Remembers that `sequence` went through `stream`. Called before any later submit.
  void note(Stream& stream, Queue::Sequence sequence);

  /// The device's last command.
  Queue::Sequence last_of(int device) const {
    return last_[static_cast<std::size_t>(device)].load(std::memory_order_acquire);
  }

 private:
  Stream& legacy(int device) const { return *legacy_[static_cast<std::size_t>(device)]; }

  // A legacy stream waits for every blocking stream of its device: its `last` covers all of them.
  std::array<std::shared_ptr<Stream>, most_devices> legacy_;
  std::array<std::atomic<Queue::Sequence>, most_devices> last_{};
  HandleTable<Stream> created_;
  std::atomic<bool> has_free_streams_{false};
  std::atomic<Queue::Sequence> early_return_{0};
  std::atomic<unsigned long long> next_id_{2 * most_devices + 1};  // after the default streams'
};

}  // namespace gridspan::runtime
