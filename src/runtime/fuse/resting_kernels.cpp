// Rests that grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/resting_kernels.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

constexpr unsigned first_rest = 32, longest_rest = 4096, most_unknown = 16;

bool is_same(const LaunchShape& one, const LaunchShape& other) {
  const auto dim = [](const abi::Dim& a, const abi::Dim& b) {
    return a.x == b.x && a.y == b.y && a.z == b.z;
  };
  return dim(one.grid, other.grid) && dim(one.block, other.block);
}

}  // namespace

bool RestingKernels::rests(const KernelCommand& first) {
  const auto found = known_.find(first.kernel);
  if (found == known_.end() || found->second.left == 0) return false;
  if (!is_same(found->second.shape, first.shape)) return false;
  --found->second.left;
  return true;
}

void RestingKernels::note(const KernelCommand& first, bool pays) {
  if (pays) {
    known_.erase(first.kernel);
    return;
  }
  Rest& rest = known_[first.kernel];
  if (!is_same(rest.shape, first.shape)) rest = {first.shape};
  rest.last = std::clamp(2 * rest.last, first_rest, longest_rest);
  rest.left = rest.last;
  rest.unknown = 0;
}

void RestingKernels::note_unknown(const KernelCommand& first) {
  Rest& rest = known_[first.kernel];
  if (!is_same(rest.shape, first.shape)) rest = {first.shape};
  if (++rest.unknown == most_unknown) note(first, false);
}

}  // namespace gridspan::runtime::fuse
