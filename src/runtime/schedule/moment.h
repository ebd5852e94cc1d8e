// When devices had done all that they had been told by then.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/command_queue.h"

#include <cstdint>

namespace gridspan::runtime {

class Moment {
 public:
  virtual ~Moment() = default;
  virtual bool is_reached() const = 0;
  /// As now_nanoseconds() has it, once it is reached; asked once.
  virtual std::int64_t time() const = 0;
};

/// Of one device, behind what it has begun on the line that it uses.
class DeviceMoment final : public Moment {
 public:
  explicit DeviceMoment(devices::CommandQueue& queue) : queue_(queue), mark_(queue.mark_time()) {}
  bool is_reached() const override { return queue_.is_done(mark_); }
  std::int64_t time() const override { return queue_.time_of(mark_); }

 private:
  devices::CommandQueue& queue_;
  const devices::Mark mark_;
};

}  // namespace gridspan::runtime
