// What queues do in terms of their other functions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/command_queue.h"

namespace gridspan::devices {

RunResult run_one_by_one(CommandQueue& queue, std::span<const PartList> lists) {
  for (const PartList& list : lists) {
    for (const ListedPart& part : list) {
      RunResult result = queue.run_part(*part.kernel, part.launch);
      if (result.fault != Fault::none) return result;
    }
  }
  return {};
}

}  // namespace gridspan::devices
