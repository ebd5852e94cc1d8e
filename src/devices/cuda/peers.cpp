// Asks the driver, then looks whether it is so.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/peers.h"

#include "devices/cuda/peer_trial.h"
#include "support/log.h"

#include <algorithm>
#include <string>

namespace gridspan::devices::cuda {
namespace {

using support::LogLevel;

/// Empty if the driver lets `reader` use memory of `owner` from now on.
std::string refusal(const GpuContext& reader, const GpuContext& owner) {
  const Driver& api = reader.driver;
  int can = 0;
  if (const Result error = api.cuDeviceCanAccessPeer(&can, reader.gpu, owner.gpu); error != success)
    return api.describe(error, "cuDeviceCanAccessPeer");
  if (can == 0) return "they are no peers";
  if (const Result error = reader.make_current(); error != success)
    return api.describe(error, "cuCtxSetCurrent");
  const Result error = api.cuCtxEnablePeerAccess(owner.context, 0);
  if (error == success || error == error_peer_access_enabled) return {};
  return api.describe(error, "cuCtxEnablePeerAccess");
}

}  // namespace

std::vector<Gpu> Peers::join(const GpuContext& gpu) {
  const std::scoped_lock lock(joining_);
  std::vector<Gpu> reached;
  if (std::ranges::find(joined_, gpu.gpu, &GpuContext::gpu) != joined_.end()) return reached;
  for (const GpuContext& other : joined_) {
    connect(gpu, other);
    connect(other, gpu);
    if (reaches(gpu.gpu, other.gpu)) reached.push_back(other.gpu);
  }
  joined_.push_back(gpu);
  return reached;
}

void Peers::connect(const GpuContext& reader, const GpuContext& owner) {
  if (const std::string why = refusal(reader, owner); !why.empty()) {
    support::log(LogLevel::info, "GPU %d does not reach memory of GPU %d: %s", reader.gpu,
                 owner.gpu, why.c_str());
    return;
  }
  note(reader.gpu, owner.gpu, true);  // so that what the trial makes is made for both
  if (const std::string wrong = try_peers(reader, owner); !wrong.empty()) {
    note(reader.gpu, owner.gpu, false);
    support::log(LogLevel::warn,
                 "GPU %d reaches memory of GPU %d, the driver says, but does not: %s; copies go "
                 "through the host",
                 reader.gpu, owner.gpu, wrong.c_str());
    return;
  }
  support::log(LogLevel::info, "GPU %d reaches memory of GPU %d", reader.gpu, owner.gpu);
}

void Peers::note(Gpu reader, Gpu owner, bool reaches) {
  const std::unique_lock lock(mutex_);
  const std::pair pair{reader, owner};
  if (reaches) {
    pairs_.push_back(pair);
  } else {
    std::erase(pairs_, pair);
  }
}

bool Peers::reaches(Gpu reader, Gpu owner) const {
  const std::shared_lock lock(mutex_);
  return std::ranges::count(pairs_, std::pair{reader, owner}) != 0;
}

std::vector<Access> Peers::users(Gpu owner) const {
  std::vector<Access> users{{{location_device, owner}, access_read_write}};
  const std::shared_lock lock(mutex_);
  for (const auto& [reader, memory_of] : pairs_) {
    if (memory_of == owner) users.push_back({{location_device, reader}, access_read_write});
  }
  return users;
}

Peers& peers() {
  static Peers& instance = *new Peers;
  return instance;
}

}  // namespace gridspan::devices::cuda
