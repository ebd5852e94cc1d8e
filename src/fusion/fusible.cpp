// Legality of a kernel without barriers between its parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/fusible.h"

#include "fusion/glue.h"
#include "model/proof.h"

namespace gridspan::fusion {
namespace {

std::string place(const model::SourcePoint& first, const model::SourcePoint& second) {
  std::string text;
  for (const model::SourcePoint& one : {first, second})
    if (one.line != 0)
      text += (text.empty() ? "" : ", ") + one.file + ":" + std::to_string(one.line);
  return text.empty() ? "" : " (" + text + ")";
}

/// Along an axis that neither kernel depends on, threads of one block do the same: the first would
/// do the later launch's part before others have done the earlier one's.
bool has_same_threads(const Conflicts::Axes& axes, const std::array<bool, 3>& one_thread) {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (!axes[axis] && !one_thread[axis]) return true;
  return false;
}

}  // namespace

std::string why_not_fusible(std::span<const Launch> launches, const std::array<bool, 3>& one_thread,
                            model::ProofLimits limits, Examples examples) {
  limits.kernel *= launches.size();
  const Joined joined = join(launches);
  model::Instances instances(joined.kernel);
  const Footprints footprints(joined, instances, limits, examples);
  Conflicts conflicts(joined, instances, footprints, limits);
  for (unsigned later = 1; later < launches.size(); ++later) {
    for (unsigned earlier = 0; earlier < later; ++earlier) {
      const Glue answer = glue(joined, launches, conflicts, earlier, later);
      const std::string first = short_name(*launches[earlier].kernel),
                        second = short_name(*launches[later].kernel);
      if (answer.answer != Glue::Answer::always)
        return answer.reason + place(answer.first, answer.second);
      if (!answer.condition.empty()) return "only if " + answer.condition;
      if (answer.needs_barrier)
        return "threads of " + second + " may need what other threads of " + first + " do" +
               place(launches[earlier].kernel->where, launches[later].kernel->where);
      if (has_same_threads(conflicts.thread_axes_of(earlier, later), one_thread))
        return "several threads of a block of " + first + " or " + second + " do the same" +
               place(launches[earlier].kernel->where, launches[later].kernel->where);
    }
  }
  return {};
}

}  // namespace gridspan::fusion
