// Copies between GPUs that do not reach each other's memory.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They go through page-locked memory of the host, whose two halves take turns: while one is written
// to the device, the next bytes are read into the other.
//
//     owner's GPU    read 0   read 1    read 2
//     own GPU                 write 0   write 1   write 2
#pragma once

#include "devices/boxes.h"
#include "devices/cuda/gpu_context.h"
#include "devices/cuda/staging.h"

#include <map>
#include <mutex>
#include <span>

namespace gridspan::devices::cuda {

/// Those into memory of one device. On streams of its own; thread safe: one copy at a time.
class StagedCopier {
 public:
  explicit StagedCopier(const GpuContext& gpu) : gpu_(gpu) {}

  /// From memory of a device on `owner`, which nobody writes meanwhile. Returns when it is done.
  RunResult copy(const GpuContext& owner, const Pitched& to, const Pitched& from,
                 const Extent& extent);
  /// The same of several boxes of the same two memories: of small ones, many between two waits.
  RunResult copy_all(const GpuContext& owner, std::span<const BoxMove> moves);

 private:
  /// A GPU with the stream on which this device's copies read or write its memory.
  struct Side {
    const GpuContext& gpu;
    Stream stream;
  };

  RunResult prepare(const GpuContext& owner);
  RunResult make_stream(const GpuContext& gpu);
  /// Between a half and memory of the side's GPU.
  RunResult begin(Way way, const Side& side, const Stage& stage, char* half,
                  const Pitched& memory) const;
  RunResult finish(const Side& side) const;
  RunResult copy_together(const Side& source, const Side& target, std::span<const BoxMove> moves);

  const GpuContext& gpu_;
  std::mutex mutex_;
  std::map<Gpu, Stream> streams_;  // kept
  void* halves_ = nullptr;         // page-locked; kept
};

}  // namespace gridspan::devices::cuda
