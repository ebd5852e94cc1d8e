// Comes, leaves and fails, in the memory that all see.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/processes/peers.h"

#include "libraries/nccl/processes/bell.h"

#include <utility>

namespace gridspan::libraries::nccl::processes {
namespace {

constexpr unsigned rank_shift = 32;

Failure kind_of(std::uint64_t failure) {
  return static_cast<Failure>(static_cast<std::uint32_t>(failure));
}

}  // namespace

Peers::Peers(const ncclUniqueId& id, std::unique_ptr<Segment> segment)
    : id_(id), segment_(std::move(segment)), own_(static_cast<std::size_t>(segment_->ranks())) {}

std::shared_ptr<Peers> Peers::find(const ncclUniqueId& id, int ranks, std::string& why) {
  std::unique_ptr<Segment> segment = Segment::attach(id, ranks, why);
  if (!segment) return nullptr;
  return std::shared_ptr<Peers>(new Peers(id, std::move(segment)));
}

ncclResult_t Peers::announce(int rank, std::string& why) {
  Header& header = segment().header();
  std::uint32_t expected = 0;
  if (!header.ranks.compare_exchange_strong(expected, count()) && expected != count()) {
    why = "other ranks of this identifier expect another number of ranks";
    return ncclInvalidArgument;
  }
  RankState& state = segment().rank(rank);
  Presence nobody = Presence::none;
  if (!state.presence.compare_exchange_strong(nobody, Presence::comes)) {
    why = "another communicator has that rank";
    return ncclInvalidUsage;
  }
  if (!segment().make_room(rank, why)) {
    fail(Failure::broken, rank);
    return ncclSystemError;
  }
  own_[static_cast<std::size_t>(rank)] = std::make_unique<Own>(size());
  state.process = this_process();
  state.presence = Presence::there;
  if (header.came.fetch_add(1) + 1 == count()) segment().remove_name();
  ring();
  return ncclSuccess;
}

bool Peers::has_come(int rank) const {
  const Presence presence = segment().rank(rank).presence.load();
  return presence == Presence::there || presence == Presence::left;
}

void Peers::leave(int rank) {
  if (!own_[static_cast<std::size_t>(rank)]) return;
  segment().rank(rank).presence = Presence::left;
  ring();
}

void Peers::fail(Failure failure, int rank) {
  std::uint64_t none = 0;
  segment().header().failure.compare_exchange_strong(
      none, static_cast<std::uint64_t>(failure) | static_cast<std::uint64_t>(rank) << rank_shift);
  ring();
}

Failure Peers::failure() const { return kind_of(segment().header().failure.load()); }

ncclResult_t Peers::result() const {
  switch (failure()) {
    case Failure::none:
      return ncclSuccess;
    case Failure::aborted:  // as among ranks of one process
      return ncclInternalError;
    default:
      return ncclRemoteError;
  }
}

std::string Peers::report() const {
  const std::uint64_t failure = segment().header().failure.load();
  const int rank = static_cast<int>(failure >> rank_shift);
  const std::string who = "rank " + std::to_string(rank) + " of " + std::to_string(size());
  switch (kind_of(failure)) {
    case Failure::none:
      return "";
    case Failure::aborted:
      return who + " has aborted its communicator";
    case Failure::ended:
      return who + ": its process, " + std::to_string(segment().rank(rank).process.id) +
             ", has ended";
    case Failure::left:
      return who + " has destroyed its communicator, and others wait for it";
    case Failure::missing:
      return who + " did not call in time, and another rank gave up (GRIDSPAN_NCCL_TIMEOUT)";
    case Failure::broken:
      return who + " failed, and wrote why";
  }
  return "";
}

Failure Peers::ending_of(int rank) const {
  const RankState& state = segment().rank(rank);
  if (state.presence == Presence::left) return Failure::left;
  if (state.presence == Presence::there && has_ended(state.process)) return Failure::ended;
  return Failure::none;
}

bool Peers::has_ended_rank() const {
  for (int rank = 0; rank < size(); ++rank)
    if (ending_of(rank) == Failure::ended) return true;
  return false;
}

void Peers::look_for_ended() {
  for (int rank = 0; rank < size(); ++rank)
    if (ending_of(rank) == Failure::ended) return fail(Failure::ended, rank);
}

void Peers::ring() const { processes::ring(segment().header()); }

}  // namespace gridspan::libraries::nccl::processes
