// The threads of one device that run blocks: the caller and helpers of the pool's own.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/worker_pool.h"

#include "devices/cpu/thread_setup.h"
#include "support/program_signals.h"

#include <chrono>
#include <system_error>
#include <utility>

namespace gridspan::devices::cpu {
namespace {

/// About what it costs to wake a thread. Spinning longer would take a core from the program.
constexpr std::chrono::microseconds brief{20};

void pause_core() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("isb" ::: "memory");
#endif
}

template <class Done>
void spin_briefly(Done done) {
  const auto end = std::chrono::steady_clock::now() + brief;
  do {
    for (int i = 0; i < 16; ++i) {
      if (done()) return;
      pause_core();
    }
  } while (std::chrono::steady_clock::now() < end);
}

}  // namespace

WorkerPool::WorkerPool(unsigned threads, std::vector<unsigned> cpus, bool spins)
    : threads_(threads), cpus_(std::move(cpus)), spins_(spins) {}

WorkerPool::~WorkerPool() {
  stopping_ = true;
  jobs_.fetch_add(1);
  jobs_.notify_all();
  for (std::thread& helper : helpers_) helper.join();
}

void WorkerPool::bind_caller() const { bind_thread(cpus_); }

void WorkerPool::run(void (*work)(void*, unsigned), void* self) {
  if (threads_ == 1) return work(self, 0);
  if (helpers_.empty()) start_helpers();
  work_ = work;
  self_ = self;
  gate_.store(0, std::memory_order_release);
  jobs_.fetch_add(1);
  wake_some();
  work(self, 0);
  close();
}

/// The program gets on with fewer helpers, or none, when the system has no more threads for us.
void WorkerPool::start_helpers() {
  const support::ProgramSignals blocked;
  try {
    for (unsigned slot = 1; slot < threads_; ++slot) {
      helpers_.emplace_back([this, slot] { serve(slot); });
    }
  } catch (const std::system_error&) {
  }
}

void WorkerPool::serve(unsigned slot) {
  set_up_thread("gridspan-worker");
  bind_thread(cpus_);
  for (std::uint32_t seen = 0;;) {
    seen = wait_for_job(seen);
    if (stopping_) return;
    wake_some();
    if (!enter()) continue;
    work_(self_, slot);
    leave();
  }
}

/// The number of the newest job, once that is not `seen`.
std::uint32_t WorkerPool::wait_for_job(std::uint32_t seen) {
  const auto is_new = [&] { return jobs_.load(std::memory_order_relaxed) != seen; };
  if (spins_) spin_briefly(is_new);
  jobs_.wait(seen, std::memory_order_acquire);
  return jobs_.load(std::memory_order_acquire);
}

/// Waking is slow, so the caller does not wake everybody: who wakes up wakes two others.
void WorkerPool::wake_some() {
  jobs_.notify_one();
  jobs_.notify_one();
}

bool WorkerPool::enter() {
  std::uint32_t inside = gate_.load(std::memory_order_relaxed);
  while ((inside & closed) == 0) {
    if (gate_.compare_exchange_weak(inside, inside + 1, std::memory_order_acquire)) return true;
  }
  return false;
}

void WorkerPool::leave() {
  if (gate_.fetch_sub(1, std::memory_order_acq_rel) == (closed | 1)) gate_.notify_one();
}

/// Returns when every helper that came in has left.
void WorkerPool::close() {
  if (gate_.fetch_or(closed, std::memory_order_acq_rel) == 0) return;
  if (spins_) spin_briefly([&] { return gate_.load(std::memory_order_relaxed) == closed; });
  for (;;) {
    const std::uint32_t inside = gate_.load(std::memory_order_acquire);
    if (inside == closed) return;
    gate_.wait(inside, std::memory_order_acquire);
  }
}

}  // namespace gridspan::devices::cpu
