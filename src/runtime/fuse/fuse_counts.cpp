// Counts as lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/fuse/fuse_counts.h"

namespace gridspan::runtime::fuse {

namespace {

const char* text_of(WindowEnd end) {
  switch (end) {
    case WindowEnd::event:
      return "an event";
    case WindowEnd::copy:
      return "a copy";
    case WindowEnd::fill:
      return "a fill";
    case WindowEnd::host_function:
      return "a host function";
    case WindowEnd::other_stream:
      return "work on another stream";
    case WindowEnd::stream_wait:
      return "a stream's wait for an event";
    case WindowEnd::graph:
      return "a graph";
    case WindowEnd::prefetch:
      return "a prefetch of managed memory";
    case WindowEnd::mark:
      return "cudaFreeAsync, or an event of several processes";
    case WindowEnd::apart:
      return "a launch that stays apart";
    case WindowEnd::full:
      return "being full";
    case WindowEnd::wait:
      return "a wait";
    case WindowEnd::nothing:
      break;
  }
  return "the end of the queue";
}

}  // namespace

std::string FuseCounts::text() const {
  std::string lines;
  const auto add = [&](const char* name, const Counter& counter) {
    lines += std::string(name) + ' ' + std::to_string(counter.get()) + '\n';
  };
  add("windows", windows);
  add("groups", groups);
  add("chains", chains);
  add("chained_launches", chained);
  add("chain_steps", steps);
  add("fused_kernels", kernels);
  add("fused_launches", fused);
  add("ordered_launches", in_order);
  if (held.get() != 0) add("held_launches", held);
  if (unchecked.get() != 0) add("unchecked_launches", unchecked);
  add("saved_bytes", saved);
  for (std::size_t i = 0; i < ends.size(); ++i)
    if (const std::uint64_t count = ends[i].get(); count != 0)
      lines += std::string("windows ended by ") + text_of(static_cast<WindowEnd>(i)) + ": " +
               std::to_string(count) + '\n';
  for (const auto& [reason, groups_of_it] : refusals.get())
    lines += "not chained: " + std::to_string(groups_of_it) + ": " + reason + '\n';
  for (const auto& [reason, groups_of_it] : not_kernels.get())
    lines += "not one kernel: " + std::to_string(groups_of_it) + ": " + reason + '\n';
  return lines;
}

}  // namespace gridspan::runtime::fuse
