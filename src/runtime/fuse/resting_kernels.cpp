// Rests that grow.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/resting_kernels.h"

#include <algorithm>

namespace gridspan::runtime::fuse {

namespace {

constexpr unsigned first_rest = 32;

}  // namespace

bool RestingKernels::rests(const KernelCommand& first) {
  const auto found = known_.find(first.kernel);
  if (found == known_.end() || found->second.left == 0) return false;
  if (found->second.shape != first.shape) return false;
  --found->second.left;
  return true;
}

void RestingKernels::note(const abi::Kernel& kernel, const LaunchShape& shape, bool pays) {
  if (pays) {
    known_.erase(&kernel);
    return;
  }
  Rest& rest = known_[&kernel];
  if (rest.shape != shape) rest = {shape};
  rest.last = std::clamp(2 * rest.last, first_rest, longest);
  rest.left = rest.last;
  rest.vain = 0;
}

void RestingKernels::note_vain(const KernelCommand& first, unsigned most) {
  Rest& rest = known_[first.kernel];
  if (rest.shape != first.shape) rest = {first.shape};
  if (++rest.vain >= most) note(first, false);
}

}  // namespace gridspan::runtime::fuse
