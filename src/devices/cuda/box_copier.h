// Copies and fills of one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/device.h"

#include <mutex>

namespace gridspan::devices::cuda {

/// Works on a stream of its own, beside kernels. Thread safe: one copy at a time.
class BoxCopier {
 public:
  BoxCopier(const GpuContext& gpu, Stream stream) : gpu_(gpu), stream_(stream) {}

  /// Between memories of this GPU, of GPUs whose memory it reaches (peers.h), and of the host.
  RunResult copy(const Pitched& to, const Pitched& from, const Extent& extent);
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value);

 private:
  RunResult copy_slice(const Pitched& to, const Pitched& from, const Extent& extent);
  RunResult fill_slice(const Pitched& to, const Extent& extent, unsigned char value);
  RunResult finish(RunResult begun);

  const GpuContext& gpu_;
  const Stream stream_;
  std::mutex mutex_;
};

}  // namespace gridspan::devices::cuda
