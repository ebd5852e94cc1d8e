// Which device's memory an address is in.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/device.h"

#include <functional>
#include <memory>
#include <shared_mutex>
#include <vector>

namespace gridspan::devices::cuda {

class Timeline;

/// A device on a GPU.
struct Neighbour {
  DeviceId id;
  DeviceMemory& memory;
  const GpuContext& gpu;
  std::function<bool(const void*)> holds;   // thread safe
  std::function<Timeline&(Mark)> timeline;  // thread safe
  std::function<void(Gpu user)> admit;      // to all memory there is; thread safe
};

/// All devices on GPUs of the process. Thread safe.
class Neighbours {
 public:
  void add(Neighbour one);
  void remove(DeviceId id);
  /// Whose memory it is; null: the host's. Good until the device is removed.
  const Neighbour* holder(const void* address) const;
  /// `user` may use what memory there is on `owner`.
  void admit(Gpu user, Gpu owner) const;
  /// Null: it is none of them.
  const Neighbour* find(DeviceId id) const;

 private:
  mutable std::shared_mutex mutex_;
  std::vector<std::unique_ptr<const Neighbour>> all_;
};

Neighbours& neighbours();

/// Memory as a GPU sees it; `holder` is null for the host's.
inline bool is_own(const Neighbour* holder, const GpuContext& gpu) {
  return holder && holder->gpu.gpu == gpu.gpu;
}
/// On another GPU.
inline bool is_elsewhere(const Neighbour* holder, const GpuContext& gpu) {
  return holder && holder->gpu.gpu != gpu.gpu;
}
/// Out of the GPU's reach.
bool is_far(const Neighbour* holder, const GpuContext& gpu);

}  // namespace gridspan::devices::cuda
