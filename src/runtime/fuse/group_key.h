// What the plan of a group of launches depends on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/command.h"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::runtime::fuse {

/// Launches of equal keys have the same kernels and shapes, use the same addresses, and have equal
/// scalars where footprints ask for them: they have the same boxes, as long as the memory there is
/// the same. Kernels have models.
class GroupKey {
 public:
  explicit GroupKey(std::span<KernelCommand* const> launches);

  /// Of the first `launches` launches.
  std::string_view prefix(std::size_t launches) const {
    return std::string_view(bytes_).substr(0, ends_[launches - 1]);
  }
  std::string_view launch(std::size_t index) const;
  /// Launches after which the same ones come again, as far as can be seen; 0: they do not.
  std::size_t period() const;

 private:
  void append(const KernelCommand& command);

  std::string bytes_;
  std::vector<std::size_t> ends_;  // by launch
};

}  // namespace gridspan::runtime::fuse
