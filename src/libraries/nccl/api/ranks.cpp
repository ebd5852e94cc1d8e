// Keeps cliques whose ranks have not all come, by their identifier.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/ranks.h"

#include "libraries/support/live_objects.h"

#include <utility>

namespace gridspan::libraries::nccl {
namespace {

class Waiting {
 public:
  /// The clique of so many ranks; null: others of that identifier are of another size.
  std::shared_ptr<Clique> find(const ncclUniqueId& id, int ranks) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<Clique>& place = cliques_[key(id)];
    if (!place) place = std::make_shared<Clique>(ranks, id);
    return place->size() == ranks ? place : nullptr;
  }
  /// The identifier may serve again.
  void forget(const Clique& clique) {
    if (!clique.id()) return;
    const std::scoped_lock lock(mutex_);
    const auto found = cliques_.find(key(*clique.id()));
    if (found != cliques_.end() && found->second.get() == &clique) cliques_.erase(found);
  }

 private:
  static std::string key(const ncclUniqueId& id) { return {id.internal, sizeof id.internal}; }
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Clique>> cliques_;
};

Waiting& waiting() {
  static auto& all = *new Waiting;
  return all;
}

}  // namespace

ncclResult_t make_rank_of(const char* name, ncclComm** comm, std::shared_ptr<Clique> clique,
                          int rank, int device) {
  ncclComm* made = nullptr;
  if (!create_live(&made)) return ncclSystemError;
  made->clique = std::move(clique);
  made->rank = rank;
  made->device = device;
  if (!made->clique->join(*made)) {
    live<ncclComm>().destroy(made);
    complain(name, "another communicator has that rank");
    return ncclInvalidUsage;
  }
  *comm = made;
  return ncclSuccess;
}

ncclResult_t make_rank(const char* name, ncclComm** comm, int ranks, const ncclUniqueId& id,
                       int rank, int device) {
  const std::shared_ptr<Clique> clique = waiting().find(id, ranks);
  if (clique) return make_rank_of(name, comm, clique, rank, device);
  complain(name, "other ranks of this identifier expect another number of ranks");
  return ncclInvalidArgument;
}

ncclResult_t meet(const char* name, Clique& clique, int rank, Deadline deadline) {
  const ncclResult_t result = clique.wait_for_all(name, rank, deadline);
  forget(clique);
  return result;
}

void forget(const Clique& clique) { waiting().forget(clique); }

void drop_rank(ncclComm** comm) {
  const std::shared_ptr<Clique> clique = (*comm)->clique;
  forget(*clique);
  clique->leave((*comm)->rank);
  live<ncclComm>().destroy(*comm);
  *comm = NCCL_COMM_NULL;
}

}  // namespace gridspan::libraries::nccl
