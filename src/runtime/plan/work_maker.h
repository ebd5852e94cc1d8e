// Makes every piece of work that a device is given, and counts what moves by its cause.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/plan/cause.h"
#include "runtime/plan/lane.h"
#include "runtime/plan/traffic.h"
#include "runtime/plan/works.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace gridspan::runtime {

/// Devices go by number. Work is still to be pushed, onto the queue of the device that is named
/// first.
class WorkMaker {
 public:
  /// The lanes outlive this, and stay as many.
  WorkMaker(const std::vector<Lane>& lanes, FirstFault& fault, Traffic& traffic)
      : lanes_(lanes), fault_(fault), traffic_(traffic) {}

  /// Blocks are added to it.
  std::unique_ptr<PartWork> part(unsigned device, const KernelCommand& command) const;

  /// From one device's copy of a buffer to another's.
  std::unique_ptr<Work> copy(const CopyStep& step, char* to, char* from);
  /// Between memories of two devices, or of one.
  std::unique_ptr<Work> moves(unsigned to, unsigned from, std::vector<devices::BoxMove> moves,
                              Cause cause);
  /// Between a device's memory and the host's, or inside the device's.
  std::unique_ptr<StretchWork> stretches(unsigned device, Stretches stretches, Cause cause);
  /// Inside the host's memory, by the home device.
  std::unique_ptr<StretchWork> between_hosts(Stretches stretches);

  /// Boxes are added to it.
  std::unique_ptr<FillWork> fill(unsigned device, char* memory, unsigned char value) const;
  std::unique_ptr<PrefetchWork> prefetch(unsigned device, bool to_host) const;
  std::unique_ptr<Work> twin(unsigned device, char* memory, std::shared_ptr<Twin> twin) const;
  std::unique_ptr<Work> identity(unsigned device, char* memory, const PrivateCopy& copy) const;
  /// `bytes`: looked through for changes.
  std::unique_ptr<Work> merge(const Replica& to, const Replica& from, std::shared_ptr<Twin> twin,
                              std::uint32_t unit, std::uint64_t bytes);
  std::unique_ptr<Work> combine(const Replica& to, const Replica& from, const PrivateCopy& copy);
  /// Of a lane's device, on whichever of its queues.
  static std::unique_ptr<Work> mark(devices::Device& device, std::shared_ptr<EventMarks> marks,
                                    std::size_t place);

 private:
  devices::Device& device(unsigned number) const { return *lanes_[number].device; }
  void count(Cause cause, CopyCount& way, std::uint64_t bytes);

  const std::vector<Lane>& lanes_;
  FirstFault& fault_;
  Traffic& traffic_;
};

}  // namespace gridspan::runtime
