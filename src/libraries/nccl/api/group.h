// Calls between ncclGroupStart and ncclGroupEnd, of one thread.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/api/clique.h"

namespace gridspan::libraries::nccl {

/// A call of the communicator's rank; without a clique if there is no such communicator.
Call call_of_rank(Kind kind, const char* name, const ncclComm* comm);

/// Makes the call now, or at the end of the thread's group.
ncclResult_t make_call(const Call& call);

/// Waits for the other ranks of a communicator that was just made, now or at the end of the group.
ncclResult_t meet_others(const ncclComm& comm);

/// A call fails: so does the group that it is in, and none of its calls are made. Returns the
/// result.
ncclResult_t note_failure(ncclResult_t result);

}  // namespace gridspan::libraries::nccl
