// Events that several processes have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two counts in shared memory: records that were submitted, and records that have been passed. A
// wait is for as many as were submitted when it was asked for. Whoever waits cannot be waited for
// in turn: the record was in its process's queue before, and nothing in that queue waits for what
// comes later.
#pragma once

#include "runtime/api/shared_memory.h"

#include <atomic>
#include <memory>

namespace gridspan::runtime {

class SharedEvent {
 public:
  /// A new one, or null if the system has no memory for it.
  static std::shared_ptr<SharedEvent> make();
  /// That of another process.
  static Status open(const ForeignFile& handle, std::shared_ptr<SharedEvent>& event);

  SharedEvent(const SharedEvent&) = delete;
  SharedEvent& operator=(const SharedEvent&) = delete;
  ~SharedEvent();

  Status describe(ForeignFile& handle) const;

  /// A record was submitted; its number.
  std::uint64_t begin_record() { return counts_->submitted.fetch_add(1) + 1; }
  void end_record(std::uint64_t number);
  /// How many have been submitted.
  std::uint64_t last() const { return counts_->submitted.load(); }
  bool has_passed(std::uint64_t number) const { return counts_->passed.load() >= number; }
  /// Returns when that is so, or when it cannot become so any more since the process has ended.
  void wait(std::uint64_t number) const;

 private:
  struct Counts {
    std::atomic<std::uint64_t> submitted, passed;
    std::atomic<std::int64_t> recorder;  // the process of the last record
  };
  static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

  SharedEvent(int file, Counts* counts) : file_(file), counts_(counts) {}
  static std::shared_ptr<SharedEvent> map(int file);

  int file_;
  Counts* counts_;
};

}  // namespace gridspan::runtime
