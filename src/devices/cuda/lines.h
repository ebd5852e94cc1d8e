// The lines on which a device begins things, each a stream of the driver's.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/suspects.h"
#include "devices/cuda/timeline.h"

#include <array>
#include <atomic>
#include <memory>
#include <vector>

namespace gridspan::devices::cuda {

/// Made when they are used first.
class Lines {
 public:
  /// `stream` is line 0's.
  Lines(const GpuContext& gpu, Suspects& suspects, Stream stream);
  ~Lines();
  Lines(const Lines&) = delete;
  Lines& operator=(const Lines&) = delete;

  /// As of Device.
  void use(unsigned line);
  Timeline& current() const { return *current_; }
  /// Of a mark that one of them made. Any thread.
  Timeline& of(Mark mark) const { return *lines_[Timeline::line_of(mark)].load(); }

 private:
  Timeline* add(Stream stream, unsigned line);

  const GpuContext& gpu_;
  Suspects& suspects_;
  std::vector<std::unique_ptr<Timeline>> made_;
  std::array<std::atomic<Timeline*>, max_lines> lines_{};
  Timeline* current_;
};

}  // namespace gridspan::devices::cuda
