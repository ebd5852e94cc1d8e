// Large copies between a GPU and memory of the host that is not page-locked.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The driver copies such memory through a page-locked buffer with one thread, at a fraction of the
// bus's rate. Here several threads have two page-locked pieces each, which take turns:
//
//     thread 0   memcpy 0 · memcpy 3 · memcpy 6 ...          to the GPU; from it the other way
//                         └ bus 0    └ bus 3
//     thread 1   memcpy 1 · memcpy 4 ...
#pragma once

#include "devices/boxes.h"
#include "devices/cuda/gpu_context.h"
#include "devices/cuda/staging.h"
#include "devices/run_result.h"

#include <optional>
#include <vector>

namespace gridspan::devices::cuda {

/// Those of one device.
class PageableCopier {
 public:
  explicit PageableCopier(const GpuContext& gpu) : gpu_(gpu) {}

  /// It would be faster than the driver: the copy is large, rows are regular, the host's memory is
  /// not page-locked, and there was so much to copy already that pieces are worth making.
  bool takes(Way way, const Pitched& host, const Extent& extent) const;

  /// As soon as what the stream was given before is done. Returns when it is done; nothing is begun
  /// any more after a fault. Nothing, and nothing happens, if there is no memory for pieces. Thread
  /// safe: one copy of the process at a time to GPUs, and one from them.
  std::optional<RunResult> copy(Way way, Stream stream, const Pitched& gpu, const Pitched& host,
                                const Extent& extent);

 private:
  class Job;
  bool is_page_locked(const char* memory) const;
  bool prepare(Way way);
  std::vector<Event>& events(Way way) { return way == Way::write ? to_gpu_ : from_gpu_; }

  const GpuContext& gpu_;
  std::vector<Event> to_gpu_, from_gpu_;  // by piece; kept
};

}  // namespace gridspan::devices::cuda
