// Runs stages of the pipeline on one piece of work.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/pipeline.h"
#include "codegen/stage_times.h"

namespace gridspan::codegen {

/// In order, those that are for this kind of work and that the work wants, until it is done.
/// Deeper ones are left to the loops among them. Work has does(stage), is_done(), times().
template <class Work>
void run_stages(Stages stages, Work& work) {
  for (std::size_t i = 0; i < stages.size(); ++i) {
    const Stage& stage = stages[i];
    const auto* step = std::get_if<Step<Work>>(&stage.run);
    const auto* loop = std::get_if<LoopOver<Work>>(&stage.run);
    if ((!step && !loop) || !work.does(stage)) continue;
    {
      const StageTimer timer(work.times(), stage);
      if (step)
        (*step)(work);
      else
        (*loop)(work, inner_stages(stages, i));
    }
    if (work.is_done()) return;
  }
}

}  // namespace gridspan::codegen
