// Communicators made of another one's ranks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/api/clique.h"

namespace gridspan::libraries::nccl {

/// The ranks of a color, in the order of their keys, then of their ranks: who is rank 0 of the new
/// communicator, rank 1 ... `all`: by rank.
std::vector<int> members_of(const std::vector<Asked>& all, int color);

/// Each color's ranks get a communicator. Who has none gets NCCL_COMM_NULL. The calls are all of a
/// clique, by rank.
ncclResult_t split(const std::vector<Call*>& calls);

}  // namespace gridspan::libraries::nccl
