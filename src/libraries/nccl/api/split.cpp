// Sorts ranks by color and key.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/split.h"

#include "libraries/support/live_objects.h"

#include <algorithm>
#include <map>
#include <utility>

namespace gridspan::libraries::nccl {

ncclResult_t split(const std::vector<Call*>& calls) {
  std::map<int, std::vector<Call*>> colors;
  for (Call* call : calls) {
    *call->made = NCCL_COMM_NULL;
    if (call->color != NCCL_SPLIT_NOCOLOR) colors[call->color].push_back(call);
  }
  for (auto& [color, members] : colors) {
    std::ranges::sort(members, {},
                      [](const Call* call) { return std::pair(call->key, call->rank); });
    const auto clique = std::make_shared<Clique>(static_cast<int>(members.size()));
    for (std::size_t rank = 0; rank < members.size(); ++rank) {
      ncclComm* comm = nullptr;
      if (!create_live(&comm)) return ncclSystemError;
      comm->clique = clique;
      comm->rank = static_cast<int>(rank);
      comm->device = members[rank]->device;
      clique->join(*comm);
      *members[rank]->made = comm;
    }
  }
  return ncclSuccess;
}

}  // namespace gridspan::libraries::nccl
