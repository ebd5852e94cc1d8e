// How a rank gets its communicator, and meets the ranks with the same identifier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "libraries/nccl/api/clique.h"

namespace gridspan::libraries::nccl {

/// A rank of a clique that all its ranks know.
ncclResult_t make_rank_of(const char* name, ncclComm** comm, std::shared_ptr<Clique> clique,
                          int rank, int device);

/// One of so many ranks with this identifier. It has not met the others.
ncclResult_t make_rank(const char* name, ncclComm** comm, int ranks, const ncclUniqueId& id,
                       int rank, int device);

/// Waits for the others. Then the identifier serves no more, as NCCL has it.
ncclResult_t meet(const char* name, Clique& clique, int rank, Deadline deadline);
/// What `meet` does at its end.
void forget(const Clique& clique);

/// Destroys a communicator whose ranks did not meet.
void drop_rank(ncclComm** comm);

}  // namespace gridspan::libraries::nccl
