// Communicators made of another one's ranks.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/api/clique.h"

namespace gridspan::libraries::nccl {

/// Each color's ranks get a communicator, in the order of their keys, then of their ranks. Who has
/// none gets NCCL_COMM_NULL. The calls are all of a clique, by rank.
ncclResult_t split(const std::vector<Call*>& calls);

}  // namespace gridspan::libraries::nccl
