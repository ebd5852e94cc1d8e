// The first step of a collective: each rank says what it calls, and waits until all have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/processes/peers.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::libraries::nccl::processes {

class Meeting {
 public:
  /// Of a rank of this process. Takes its ticket: a rank's collectives meet in this order.
  Meeting(const Peers& peers, int rank)
      : peers_(peers),
        rank_(rank),
        order_(peers.own(rank).collectives),
        ticket_(order_.tickets.fetch_add(1)) {}

  bool is_next() const { return order_.now.load() == ticket_; }
  bool is_posted() const { return posted(rank_); }
  /// After it is next, once. The call may not change any more.
  void post(const Asked& asked);
  bool is_complete() const { return missing().empty(); }
  std::vector<int> missing() const;
  /// Of a rank; when the meeting is complete, until the collective ends.
  const Asked& asked(int rank) const { return peers_.segment().rank(rank).asked[ticket_ % 2]; }
  /// In words, if ranks do not agree; the same for all ranks.
  std::string disagreement() const;
  /// The collectives before this one, and their pieces.
  std::uint64_t number() const { return ticket_; }
  std::uint64_t first_piece() const { return order_.pieces; }
  /// The next one may begin.
  void end(std::uint64_t pieces);

 private:
  bool posted(int rank) const { return peers_.segment().rank(rank).posted.load() > ticket_; }

  const Peers& peers_;
  const int rank_;
  Order& order_;
  const std::uint64_t ticket_;
};

}  // namespace gridspan::libraries::nccl::processes
