// How long each phase took.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/stage_times.h"

namespace gridspan::codegen {

std::vector<std::pair<std::string_view, StageTimes::Time>> phase_times(const StageTimes& times) {
  std::vector<std::pair<std::string_view, StageTimes::Time>> phases;
  const Stages all = pipeline();
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (all[i].kind == Stage::Kind::phase)
      phases.emplace_back(all[i].name, 0);
    else if (depth(all, i) == 0)
      phases.back().second += times[all[i]];
  }
  std::erase_if(phases, [](const auto& phase) { return phase.second.count() == 0; });
  return phases;
}

}  // namespace gridspan::codegen
