// Ranks of several processes: who is there, and whether one of them has failed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A failure is for good and for all ranks: of calls that one rank gave up others may have seen a
// part. The first failure is the one that all report.
#pragma once

#include "libraries/nccl/processes/segment.h"
#include "libraries/support/device_array.h"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <vector>

namespace gridspan::libraries::nccl::processes {

/// The order of a rank's calls of one kind, which wait for each other. Counts pieces.
struct Order {
  std::atomic<std::uint64_t> tickets{0}, now{0};
  std::uint64_t pieces = 0;  // of the calls before; belongs to the call whose ticket is `now`
};

/// What a rank keeps in its own process.
struct Own {
  explicit Own(int ranks)
      : sends(static_cast<std::size_t>(ranks)), receives(static_cast<std::size_t>(ranks)) {}
  Order collectives;
  std::vector<Order> sends, receives;  // by the other rank
  DeviceArray scratch;                 // of reductions
};

class Peers {
 public:
  /// Those of an identifier, in a process that has one or several of them.
  static std::shared_ptr<Peers> find(const ncclUniqueId& id, int ranks, std::string& why);

  /// A rank of this process is there. Or not, and `why` says why.
  ncclResult_t announce(int rank, std::string& why);
  bool have_all_come() const { return segment().header().came.load() == count(); }
  bool has_come(int rank) const;
  /// It calls no more.
  void leave(int rank);

  /// Tells all. Without effect after the first failure.
  void fail(Failure failure, int rank);
  Failure failure() const;
  /// Of calls, by the failure.
  ncclResult_t result() const;
  /// In words: who, and what happened.
  std::string report() const;
  /// True for the first who asks in this process: one line is enough.
  bool is_first_report() { return !reported_.exchange(true); }
  /// Whether the rank will never call again, as far as one can see.
  Failure ending_of(int rank) const;
  /// Whether a process that has a rank has ended.
  bool has_ended_rank() const;
  /// Fails if one has.
  void look_for_ended();

  int size() const { return segment().ranks(); }
  Segment& segment() const { return *segment_; }
  const ncclUniqueId& id() const { return id_; }
  /// Of a rank of this process.
  Own& own(int rank) const { return *own_[static_cast<std::size_t>(rank)]; }
  void ring() const;

 private:
  Peers(const ncclUniqueId& id, std::unique_ptr<Segment> segment);
  std::uint32_t count() const { return static_cast<std::uint32_t>(size()); }

  const ncclUniqueId id_;
  const std::unique_ptr<Segment> segment_;
  std::vector<std::unique_ptr<Own>> own_;  // by rank; null: another process's
  std::atomic<bool> reported_{false};
};

}  // namespace gridspan::libraries::nccl::processes
