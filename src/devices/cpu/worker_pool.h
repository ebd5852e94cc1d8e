// The threads of one device that run blocks: the caller and helpers of the pool's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Devices share no threads, so that none waits for another's kernel and each thread stays where its
// device's memory is. That, and that no setting of the program's reaches our threads, is why this
// is not an arena of a library the program may use too (docs/decisions/0012-own-threads.md).
#pragma once

#include <atomic>
#include <cstdint>
#include <thread>
#include <vector>

namespace gridspan::devices::cpu {

class WorkerPool {
 public:
  /// `threads` > 0, the calling thread of `run` among them. They are kept on `cpus`, unless that is
  /// empty. `spins`: cores are not wanted by other devices, so a helper may look out for the next
  /// job for a moment before it sleeps.
  WorkerPool(unsigned threads, std::vector<unsigned> cpus, bool spins);
  ~WorkerPool();
  WorkerPool(const WorkerPool&) = delete;
  WorkerPool& operator=(const WorkerPool&) = delete;
  unsigned size() const { return threads_; }

  /// Calls `work(self, slot)` on every thread that has time: with slot 0 on the caller, and on each
  /// helper that comes before that call returns, with a slot of its own below size(). `work` takes
  /// from a shared supply until that is empty, and throws nothing. One caller at a time.
  void run(void (*work)(void* self, unsigned slot), void* self);

  /// Keeps the calling thread on the pool's CPUs, if it has such.
  void bind_caller() const;

 private:
  void start_helpers();
  void serve(unsigned slot);
  std::uint32_t wait_for_job(std::uint32_t seen);
  void wake_some();
  bool enter();
  void leave();
  void close();

  const unsigned threads_;
  const std::vector<unsigned> cpus_;
  const bool spins_;
  std::vector<std::thread> helpers_;  // started by the first job

  // The job. Written while nobody is inside.
  void (*work_)(void*, unsigned) = nullptr;
  void* self_ = nullptr;

  // Grows by one for each job, and once at the end; helpers sleep on it.
  alignas(64) std::atomic<std::uint32_t> jobs_ = 0;
  std::atomic<bool> stopping_ = false;
  // Helpers inside the job, and whether it is closed: then none comes in any more.
  static constexpr std::uint32_t closed = 1u << 31;
  alignas(64) std::atomic<std::uint32_t> gate_ = closed;
};

}  // namespace gridspan::devices::cpu
