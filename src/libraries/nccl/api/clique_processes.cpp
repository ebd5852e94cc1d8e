// How the ranks of several processes come to a clique, and where their calls go.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "libraries/nccl/api/clique.h"
#include "libraries/nccl/api/on_device.h"
#include "libraries/nccl/processes/bell.h"
#include "libraries/nccl/processes/exchange.h"

#include <chrono>

namespace gridspan::libraries::nccl {

/// Ranks that one thread makes in a group have all joined by now: they need no segment.
ncclResult_t Clique::announce(const char* name, int rank) {
  const Lock lock(mutex_);
  if (all_came_ || !id_) return ncclSuccess;
  if (!peers_) {
    const bool is_first = no_peers_.empty();
    peers_ = processes::Peers::find(*id_, size(), no_peers_);
    if (!peers_ && is_first) complain(name, "ranks of other processes cannot come: " + no_peers_);
  }
  if (!peers_) return ncclSuccess;  // the others may come to this process
  std::string why;
  const ncclResult_t result = peers_->announce(rank, why);
  if (result != ncclSuccess) complain(name, "rank " + std::to_string(rank) + ": " + why);
  return result;
}

std::optional<ncclResult_t> Clique::met(const char* name, int rank) {
  const Lock lock(mutex_);
  if (is_aborted_) return ncclInternalError;
  if (all_came_) {
    peers_.reset();
    return ncclSuccess;
  }
  if (!peers_) return std::nullopt;
  if (peers_->have_all_come()) {
    peers_->segment().remove_name();  // who has it needs no file any more
    is_shared_ = true;
    return ncclSuccess;
  }
  peers_->look_for_ended();
  if (peers_->failure() == processes::Failure::none) return std::nullopt;
  if (peers_->is_first_report())
    complain(name, "rank " + std::to_string(rank) + ": " + peers_->report());
  return peers_->result();
}

/// Of a rank of this process, whose time is over.
ncclResult_t Clique::give_up_meeting(const char* name, int rank) {
  const std::vector<int> ranks = missing();
  const Lock lock(mutex_);
  complain(name, "rank " + std::to_string(rank) + " of " + std::to_string(size()) + " waited " +
                     std::to_string(static_cast<int>(longest_wait())) + " s for " +
                     names_of(ranks) + " (GRIDSPAN_NCCL_TIMEOUT)" +
                     (no_peers_.empty() ? "" : "; other processes cannot come: " + no_peers_));
  if (!peers_) return ncclRemoteError;
  static_cast<void>(peers_->is_first_report());
  if (!ranks.empty()) peers_->fail(processes::Failure::missing, ranks.front());
  peers_->segment().remove_name();
  return ncclRemoteError;
}

ncclResult_t Clique::wait_for_all(const char* name, int rank, Deadline deadline) {
  using std::chrono::milliseconds;
  constexpr milliseconds between_looks{100};
  while (true) {
    const std::shared_ptr<processes::Peers> others = peers();
    processes::Header* const header = others ? &others->segment().header() : nullptr;
    const std::uint32_t heard = header ? processes::heard(*header) : 0;
    if (const std::optional<ncclResult_t> result = met(name, rank)) return *result;
    if (std::chrono::steady_clock::now() > deadline) return give_up_meeting(name, rank);
    if (header) {
      processes::sleep_until_ring(*header, heard, between_looks);
    } else {
      Lock lock(mutex_);
      wait_until(lock, deadline, [&] { return all_came_ || peers_; });
    }
  }
}

/// What the stream has to do before is waited for later, by the thread that makes the call.
void Clique::post_to(const std::shared_ptr<processes::Peers>& peers, Call& call) {
  cudaStreamCaptureStatus capture = cudaStreamCaptureStatusNone;
  if (call.kind != Kind::split) {
    const OnDevice device(call.device);
    if (const cudaError_t error = cudaStreamIsCapturing(call.stream, &capture);
        error != cudaSuccess) {
      complain(call.name, cudaGetErrorString(error));
      return finish({&call}, ncclUnhandledCudaError);
    }
  }
  if (capture != cudaStreamCaptureStatusNone) {
    complain(call.name, "a graph cannot hold calls between ranks of several processes");
    return finish({&call}, ncclInvalidUsage);
  }
  if (peers->failure() != processes::Failure::none) {
    complain(call.name, "rank " + std::to_string(call.rank) + ": " + peers->report());
    return finish({&call}, peers->result());
  }
  call.exchange = processes::begin_exchange(call, peers);
}

}  // namespace gridspan::libraries::nccl
