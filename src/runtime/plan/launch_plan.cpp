// Names of rungs; uses by buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/launch_plan.h"

#include <algorithm>
#include <array>

namespace gridspan::runtime {

const char* rung_name(Rung rung) {
  constexpr std::array<const char*, rung_count> names{"exact", "may_write", "reduction",
                                                      "scattered", "one_device"};
  return names[static_cast<std::size_t>(rung)];
}

BufferUse& PartPlan::use_of(VirtualBuffer* buffer, const regions::View& view) {
  const auto found =
      std::ranges::find_if(uses, [&](const BufferUse& use) { return use.buffer == buffer; });
  if (found != uses.end()) return *found;
  return uses.emplace_back(BufferUse{.buffer = buffer,
                                     .view = view,
                                     .reads = {},
                                     .writes = {},
                                     .merges = {},
                                     .merge_bytes = 0,
                                     .private_copies = {},
                                     .changed = {}});
}

}  // namespace gridspan::runtime
