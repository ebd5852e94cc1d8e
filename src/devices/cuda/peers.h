// Which GPUs reach each other's memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Drivers say of some pairs that they do, and what arrives is something else (address translation
// of the host's bus in between). So each pair is tried before anything relies on it.
#pragma once

#include "devices/cuda/gpu_context.h"

#include <shared_mutex>
#include <utility>
#include <vector>

namespace gridspan::devices::cuda {

/// The GPUs of the process that have devices. Thread safe.
class Peers {
 public:
  /// Tries the GPU with each that came before. While the process has no memory on either: what was
  /// made earlier is not reached by later ones.
  void join(const GpuContext& gpu);

  /// Copies that `reader` makes may read memory of `owner`.
  bool reaches(Gpu reader, Gpu owner) const;

  /// Who may use memory of `owner`, as the driver wants to be told: the GPU itself, and who reaches
  /// it.
  std::vector<Access> users(Gpu owner) const;

 private:
  bool is_known(Gpu gpu) const;
  void connect(const GpuContext& reader, const GpuContext& owner);
  void note(Gpu reader, Gpu owner, bool reaches);

  mutable std::shared_mutex mutex_;
  std::vector<GpuContext> joined_;
  std::vector<std::pair<Gpu, Gpu>> pairs_;  // reader, owner
};

Peers& peers();

}  // namespace gridspan::devices::cuda
