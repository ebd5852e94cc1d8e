// Planning what our plug-in does in clang's host pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_plugin_plan.h"

#include <algorithm>

namespace gridspan::driver {

std::string launch_shapes_file(const Planner& planner, const std::string& stem) {
  const Invocation& in = planner.invocation;
  // Of no use in code that is not optimised, nor before a device link; images have no host pass.
  const bool is_useful = !planner.installation.host_plugin.empty() && !in.device_debug &&
                         !in.relocatable && in.goal != Goal::device_image &&
                         std::ranges::find(in.without, "launch-shapes") == in.without.end();
  return is_useful ? planner.temporary(stem + ".launches") : "";
}

/// -g in any form: then all lines stay.
static bool asks_for_lines(const Invocation& in) {
  return std::ranges::any_of(in.host_flags, [](const std::string& flag) {
    return flag.starts_with("-g") && flag != "-g0";
  });
}

std::vector<std::string> host_plugin_words(const Planner& planner, const std::string& shapes) {
  const std::string& plugin = planner.installation.host_plugin;
  if (plugin.empty()) return {};
  std::vector<std::string> words = {"-fpass-plugin=" + plugin};
  const bool few_lines = !asks_for_lines(planner.invocation);
  // Loaded early enough for its options.
  if (!shapes.empty() || few_lines) words.push_back("-fplugin=" + plugin);
  if (!shapes.empty()) words.insert(words.end(), {"-mllvm", "-gridspan-launch-shapes=" + shapes});
  if (few_lines) words.insert(words.end(), {"-mllvm", "-gridspan-few-lines"});
  return words;
}

}  // namespace gridspan::driver
