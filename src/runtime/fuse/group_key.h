// What the plan of a group of launches depends on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/allocation_table.h"
#include "runtime/schedule/command.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::runtime::fuse {

/// One of the model's scalars that only move reads.
bool moves_reads(const abi::KernelModel& model, const abi::ModelScalar& scalar);

/// Launches of equal keys have the same kernels and shapes, use the same addresses, and have equal
/// scalars where footprints ask for them: they have the same boxes, as long as the memory there is
/// the same. Kernels have models.
class GroupKey {
 public:
  explicit GroupKey(std::span<KernelCommand* const> launches) : GroupKey(launches, false) {}
  /// Without scalars that only move reads of memory that none of the launches writes: boxes of such
  /// reads differ, but no order of blocks depends on them.
  GroupKey(std::span<KernelCommand* const> launches, const AllocationTable& allocations);

  /// Of the first `launches` launches.
  std::string_view prefix(std::size_t launches) const {
    return std::string_view(bytes_).substr(0, ends_[launches - 1]);
  }
  std::string_view launch(std::size_t index) const;
  /// Launches after which the same ones come again, as far as can be seen; 0: they do not.
  std::size_t period() const;

 private:
  GroupKey(std::span<KernelCommand* const> launches, bool leaves_out_movers);
  void append(const KernelCommand& command, bool leaves_out_movers);

  std::string bytes_;
  std::vector<std::size_t> ends_;  // by launch
};

}  // namespace gridspan::runtime::fuse
