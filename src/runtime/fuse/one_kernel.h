// May two steps be one kernel, in which a block does what blocks of both did?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// They may if no byte ties blocks of different index together: whatever the earlier step writes and
// the later one touches, or the other way round, is touched by blocks of one index only. Blocks of
// unequal size: some blocks of one step, neighbours along x, do what one block of the other does. A
// copy or fill has no blocks: each byte goes to the block that touches it, if there is only one.
// (src/fusion answers it for all launches at once, from models; here numbers stand for them.)
#pragma once

#include "runtime/fuse/steps.h"

#include <string>

namespace gridspan::runtime::fuse {

struct OneKernel {
  bool is_legal = false;
  std::string reason;  // why not
  bool gave_up = false;
};

/// `earlier` and `later` are steps of `steps`. At most O(blocks) footprints of parts as a rule; it
/// gives up after `most_looks` of them.
OneKernel one_kernel(const Steps& steps, std::size_t earlier, std::size_t later,
                     std::size_t most_looks = 1 << 19);

/// Whether what both read is read by blocks of one index, for the most part: else one kernel reads
/// it twice, as rows and as columns for instance. From a sample of blocks. They are legal as one.
bool shares_reads(const Steps& steps, std::size_t earlier, std::size_t later);

}  // namespace gridspan::runtime::fuse
