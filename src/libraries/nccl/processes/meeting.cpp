// Two places for what a rank asks are enough: the next but one is written after all have posted the
// next one, and who has posted that one is through with this one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/processes/meeting.h"

namespace gridspan::libraries::nccl::processes {

void Meeting::post(const Asked& asked) {
  RankState& state = peers_.segment().rank(rank_);
  state.asked[ticket_ % 2] = asked;
  state.posted = ticket_ + 1;
  peers_.ring();
}

std::vector<int> Meeting::missing() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < peers_.size(); ++rank)
    if (!posted(rank)) ranks.push_back(rank);
  return ranks;
}

std::string Meeting::disagreement() const {
  for (int rank = 1; rank < peers_.size(); ++rank)
    if (const std::string what = difference(asked(0), asked(rank)); !what.empty())
      return "rank 0 and rank " + std::to_string(rank) + " do not agree: " + what + " differs";
  return "";
}

void Meeting::end(std::uint64_t pieces) {
  order_.pieces += pieces;
  order_.now = ticket_ + 1;
}

}  // namespace gridspan::libraries::nccl::processes
