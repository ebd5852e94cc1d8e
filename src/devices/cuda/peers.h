// Which GPUs reach each other's memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers say of some pairs that they do, and what arrives is something else (address translation
// of the host's bus in between). So each pair is tried before anything relies on it.
#pragma once

#include "devices/cuda/gpu_context.h"

#include <mutex>
#include <shared_mutex>
#include <utility>
#include <vector>

namespace gridspan::devices::cuda {

/// The GPUs of the process that have devices. Thread safe.
class Peers {
 public:
  /// Tries the GPU with each that came before, and returns those whose memory it reaches from now
  /// on: it has to be admitted to what was made there earlier.
  std::vector<Gpu> join(const GpuContext& gpu);

  /// Copies that `reader` makes may read memory of `owner`.
  bool reaches(Gpu reader, Gpu owner) const;

  /// Who may use memory of `owner`, as the driver wants to be told: the GPU itself, and who reaches
  /// it.
  std::vector<Access> users(Gpu owner) const;

 private:
  void connect(const GpuContext& reader, const GpuContext& owner);
  void note(Gpu reader, Gpu owner, bool reaches);

  std::mutex joining_;  // of `joined_`: one after the other
  std::vector<GpuContext> joined_;
  mutable std::shared_mutex mutex_;
  std::vector<std::pair<Gpu, Gpu>> pairs_;  // reader, owner
};

Peers& peers();

}  // namespace gridspan::devices::cuda
