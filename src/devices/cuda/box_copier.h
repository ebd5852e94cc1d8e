// Copies and fills of one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/device.h"

#include <cstddef>
#include <mutex>

namespace gridspan::devices::cuda {

/// Works on a stream of its own, beside kernels. Thread safe: one copy at a time.
class BoxCopier {
 public:
  BoxCopier(const GpuContext& gpu, Stream stream) : gpu_(gpu), stream_(stream) {}

  /// Between memories of this GPU, of GPUs whose memory it reaches (peers.h), and of the host.
  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent);
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value);

  /// From the memory of a device on any other GPU, through memory of the host, `staging_bytes` of
  /// it at a time.
  RunResult copy_staged(Device& owner, const Pitched& to, const Pitched& from,
                        const Extent& extent);

 private:
  static constexpr std::size_t staging_bytes = std::size_t{16} << 20;

  RunResult copy_slice(const Pitched& to, const Pitched& from, const Extent& extent);
  RunResult fill_slice(const Pitched& to, const Extent& extent, unsigned char value);
  RunResult finish(RunResult begun);

  const GpuContext& gpu_;
  const Stream stream_;
  std::mutex mutex_;
  std::mutex staging_mutex_;
  void* staging_ = nullptr;  // page-locked; kept
};

}  // namespace gridspan::devices::cuda
