// Calls between ncclGroupStart and ncclGroupEnd, of one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/api/clique.h"

namespace gridspan::libraries::nccl {

/// Makes the call now, or at the end of the thread's group.
ncclResult_t make_call(const Call& call);

/// Waits for the other ranks of a communicator that was just made, now or at the end of the group.
ncclResult_t meet_others(ncclComm& comm);

}  // namespace gridspan::libraries::nccl
