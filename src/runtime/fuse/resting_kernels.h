// Kernels whose groups did not pay lately. They are left alone for a while: to look at groups again
// and again costs launches that take some microseconds more than they would gain.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/schedule/command.h"

#include <unordered_map>

namespace gridspan::runtime::fuse {

class RestingKernels {
 public:
  static constexpr unsigned longest = 4096;  // launches
  /// Whether no group is to begin with the launch. Asked for each launch: it counts them.
  bool rests(const KernelCommand& first);
  /// What became of a group that begins with it. Launches of other shapes are not meant. After 32
  /// launches a group is looked for again; if that does not pay either after 64 more, 128, ...
  /// 4096.
  void note(const KernelCommand& first, bool pays) { note(*first.kernel, first.shape, pays); }
  void note(const abi::Kernel& kernel, const LaunchShape& shape, bool pays);
  /// A window that begins with it was not known: 16 of them in a row count as a group that did not
  /// pay.
  void note_unknown(const KernelCommand& first) { note_vain(first, 16); }
  /// It was held, and no other launch came: so do 2 of these.
  void note_alone(const KernelCommand& first) { note_vain(first, 2); }
  /// So many launches of it are left alone, and what became of its groups so far is no matter.
  void rest(const KernelCommand& first, unsigned launches) {
    known_[first.kernel] = {first.shape, launches};
  }
  /// Kernels went.
  void forget() { known_.clear(); }

 private:
  struct Rest {
    LaunchShape shape;
    unsigned left = 0, last = 0;
    unsigned vain = 0;  // windows since then that led to nothing
  };
  void note_vain(const KernelCommand& first, unsigned most);
  std::unordered_map<const abi::Kernel*, Rest> known_;
};

}  // namespace gridspan::runtime::fuse
