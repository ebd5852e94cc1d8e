// Planning how the device compiler learns the shapes of blocks in a source's launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/launch_shapes_plan.h"

#include <algorithm>

namespace gridspan::driver {

std::string launch_shapes_file(const Planner& planner, const std::string& stem) {
  const Invocation& in = planner.invocation;
  // Of no use in code that is not optimised, nor before a device link; images have no host pass.
  const bool is_useful = !planner.installation.launch_shapes.empty() && !in.device_debug &&
                         !in.relocatable && in.goal != Goal::device_image &&
                         std::ranges::find(in.without, "launch-shapes") == in.without.end();
  return is_useful ? planner.temporary(stem + ".launches") : "";
}

std::vector<std::string> launch_shapes_words(const Planner& planner, const std::string& stem) {
  const std::string file = launch_shapes_file(planner, stem);
  if (file.empty()) return {};
  const std::string& plugin = planner.installation.launch_shapes;
  // The first loads it early enough for its option, the second has its pass run.
  return {"-fplugin=" + plugin, "-fpass-plugin=" + plugin, "-mllvm",
          "-gridspan-launch-shapes=" + file};
}

}  // namespace gridspan::driver
