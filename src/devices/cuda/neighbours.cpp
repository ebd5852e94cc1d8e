// A list that is searched: there are few devices.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/neighbours.h"

#include "devices/cuda/peers.h"

#include <algorithm>
#include <mutex>
#include <utility>

namespace gridspan::devices::cuda {

void Neighbours::add(Neighbour one) {
  const std::unique_lock lock(mutex_);
  all_.push_back(std::make_unique<const Neighbour>(std::move(one)));
}

void Neighbours::remove(DeviceId id) {
  const std::unique_lock lock(mutex_);
  std::erase_if(all_, [id](const auto& one) { return one->id == id; });
}

const Neighbour* Neighbours::holder(const void* address) const {
  const std::shared_lock lock(mutex_);
  const auto found =
      std::ranges::find_if(all_, [address](const auto& one) { return one->holds(address); });
  return found == all_.end() ? nullptr : found->get();
}

void Neighbours::admit(Gpu user, Gpu owner) const {
  const std::shared_lock lock(mutex_);
  for (const auto& one : all_)
    if (one->gpu.gpu == owner) one->admit(user);
}

const Neighbour* Neighbours::find(DeviceId id) const {
  const std::shared_lock lock(mutex_);
  const auto found = std::ranges::find_if(all_, [id](const auto& one) { return one->id == id; });
  return found == all_.end() ? nullptr : found->get();
}

Neighbours& neighbours() {
  static Neighbours& instance = *new Neighbours;
  return instance;
}

bool is_far(const Neighbour* holder, const GpuContext& gpu) {
  return is_elsewhere(holder, gpu) && !peers().reaches(gpu.gpu, holder->gpu.gpu);
}

}  // namespace gridspan::devices::cuda
