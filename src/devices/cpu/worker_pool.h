// The threads that run blocks: the caller and TBB's workers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

namespace gridspan::devices::cpu {

class WorkerPool {
 public:
  /// `threads` > 0, the calling thread of `run` among them.
  explicit WorkerPool(unsigned threads);
  ~WorkerPool();
  unsigned size() const { return threads_; }

  /// Calls `work(self, slot)` on every thread that has time, the caller among them; slots are
  /// below size() and differ between calls that overlap. Some slots may never be called, some
  /// twice in a row: `work` takes from a shared supply until that is empty.
  void run(void (*work)(void* self, unsigned slot), void* self);

 private:
  struct Threads;
  unsigned threads_;
  std::unique_ptr<Threads> pool_;
};

}  // namespace gridspan::devices::cpu
