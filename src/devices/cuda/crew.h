// Threads that help a caller with the host's side of large copies: to touch, to clear, to copy.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

namespace gridspan::devices::cuda {

/// Its threads are started when they are first needed, sleep between jobs, and live as long as the
/// process.
class Crew {
 public:
  /// The caller and its helpers, at most: as many as the process has processors, but 8.
  static constexpr unsigned most = 8;
  unsigned size() const { return size_; }

  /// `job(i)` for i from 0 on, each in a thread of its own, 0 in the caller's: of what is to be
  /// done each takes the next. Returns when all have, or throws
  /// what one of them has thrown. One caller at a time: others wait.
  void run(const std::function<void(unsigned index)>& job);

 private:
  friend Crew& crew();
  friend Crew& second_crew();
  Crew();
  void start();
  void work(const std::function<void(unsigned)>& job, unsigned index);
  void help(unsigned index);

  const unsigned size_;
  std::mutex callers_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  const std::function<void(unsigned)>* job_ = nullptr;
  std::uint64_t jobs_ = 0;  // so far
  unsigned working_ = 0;
  unsigned helpers_ = 0;  // that could be started
  bool has_started_ = false;
  std::exception_ptr thrown_;
};

Crew& crew();
/// For copies from GPUs, which run beside those to them.
Crew& second_crew();

}  // namespace gridspan::devices::cuda
