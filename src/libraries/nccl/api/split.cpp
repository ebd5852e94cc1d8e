// Sorts ranks by color and key.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/split.h"

#include "libraries/nccl/api/ranks.h"

#include <algorithm>
#include <set>
#include <utility>

namespace gridspan::libraries::nccl {

std::vector<int> members_of(const std::vector<Asked>& all, int color) {
  std::vector<int> members;
  for (std::size_t rank = 0; rank < all.size(); ++rank)
    if (all[rank].color == color) members.push_back(static_cast<int>(rank));
  std::ranges::sort(members, {}, [&](int rank) {
    return std::pair(all[static_cast<std::size_t>(rank)].key, rank);
  });
  return members;
}

ncclResult_t split(const std::vector<Call*>& calls) {
  std::vector<Asked> all;
  std::set<int> colors;
  for (const Call* call : calls) {
    *call->made = NCCL_COMM_NULL;
    all.push_back(*call);
    if (call->color != NCCL_SPLIT_NOCOLOR) colors.insert(call->color);
  }
  for (const int color : colors) {
    const std::vector<int> members = members_of(all, color);
    const auto clique = std::make_shared<Clique>(static_cast<int>(members.size()));
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
      const Call& call = *calls[static_cast<std::size_t>(members[rank])];
      const ncclResult_t result =
          make_rank_of(call.name, call.made, clique, static_cast<int>(rank), call.device);
      if (result != ncclSuccess) return result;
    }
  }
  return ncclSuccess;
}

}  // namespace gridspan::libraries::nccl
