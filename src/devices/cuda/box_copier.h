// Copies and fills of one device.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/gpu_context.h"
#include "devices/cuda/pageable_copier.h"
#include "devices/device.h"

#include <mutex>
#include <span>

namespace gridspan::devices::cuda {

inline Address address(const char* memory) { return reinterpret_cast<Address>(memory); }
/// The driver knows rows that do not overlap and whose pitch is an int.
bool is_regular(const Pitched& memory, const Extent& extent);

/// Thread safe.
class BoxCopier {
 public:
  /// `stream` is its own, beside kernels.
  BoxCopier(const GpuContext& gpu, Stream stream) : gpu_(gpu), stream_(stream) {}

  /// Between memories of this GPU, of GPUs whose memory it reaches (peers.h), and of the host. One
  /// at a time.
  RunResult copy(std::span<const BoxMove> moves);
  RunResult fill(const Pitched& to, const Extent& extent, unsigned char value);

  /// The same, begun on some stream.
  /// `may_wait`: else the stream is one that is captured.
  RunResult begin_copy(Stream stream, const Pitched& to, const Pitched& from, const Extent& extent,
                       bool may_wait = true);
  RunResult begin_fill(Stream stream, const Pitched& to, const Extent& extent, unsigned char value);

 private:
  RunResult copy_slice(Stream stream, const Pitched& to, const Pitched& from,
                       const Extent& extent) const;
  RunResult fill_slice(Stream stream, const Pitched& to, const Extent& extent,
                       unsigned char value) const;
  RunResult finish(const RunResult& begun) const;

  const GpuContext& gpu_;
  PageableCopier pageable_{gpu_};
  const Stream stream_;
  std::mutex mutex_;
};

}  // namespace gridspan::devices::cuda
