// The threads that run blocks: the caller and TBB's workers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/worker_pool.h"

#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <atomic>
#include <optional>

namespace gridspan::devices::cpu {

struct WorkerPool::Threads {
  explicit Threads(unsigned threads) : arena(static_cast<int>(threads), 1) {
    // TBB makes no more threads than cores unless told; the smallest such setting would hold for
    // the user's own TBB code too, so it is touched only when we need more.
    using tbb::global_control;
    if (threads > global_control::active_value(global_control::max_allowed_parallelism)) {
      more.emplace(global_control::max_allowed_parallelism, threads);
    }
  }
  std::optional<tbb::global_control> more;
  tbb::task_arena arena;

  void work_once() {
    started.load(std::memory_order_acquire);
    work(self, static_cast<unsigned>(tbb::this_task_arena::current_thread_index()));
    finished.fetch_add(1, std::memory_order_acq_rel);
  }
  void (*work)(void*, unsigned) = nullptr;
  void* self = nullptr;
  // TBB orders what happens before, in and after the tasks. So do these, where ThreadSanitizer can
  // see it: it knows nothing of what happens inside libtbb.
  std::atomic<unsigned> started = 0;
  std::atomic<unsigned> finished = 0;
};

WorkerPool::WorkerPool(unsigned threads)
    : threads_(threads), pool_(threads > 1 ? std::make_unique<Threads>(threads) : nullptr) {}

WorkerPool::~WorkerPool() = default;

void WorkerPool::run(void (*work)(void*, unsigned), void* self) {
  if (threads_ == 1) return work(self, 0);
  Threads* const pool = pool_.get();
  pool->work = work;
  pool->self = self;
  pool->started.fetch_add(1, std::memory_order_release);
  pool->arena.execute([pool, threads = threads_] {
    const auto once = [pool](unsigned)
                          __attribute__((no_sanitize("thread"))) { pool->work_once(); };
    tbb::parallel_for(0u, threads, once, tbb::simple_partitioner());
  });
  pool->finished.load(std::memory_order_acquire);
}

}  // namespace gridspan::devices::cpu
