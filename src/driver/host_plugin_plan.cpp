// Planning what our plug-in does in clang's host pass.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_plugin_plan.h"

#include <algorithm>

namespace gridspan::driver {

/// Images have no host pass.
static bool is_wanted(const Planner& planner, const char* stage) {
  const Invocation& in = planner.invocation;
  return !planner.installation.host_plugin.empty() && in.goal != Goal::device_image &&
         std::ranges::find(in.without, stage) == in.without.end();
}

std::string launch_shapes_file(const Planner& planner, const std::string& stem) {
  const Invocation& in = planner.invocation;
  // Of no use in code that is not optimised, nor before a device link.
  const bool is_useful = !in.device_debug && !in.relocatable && is_wanted(planner, "launch-shapes");
  return is_useful ? planner.temporary(stem + ".launches") : "";
}

std::string launch_sequences_file(const Planner& planner, const std::string& stem) {
  return is_wanted(planner, "fusion") ? planner.temporary(stem + ".sequences") : "";
}

/// -g in any form: then all lines stay.
static bool asks_for_lines(const Invocation& in) {
  return std::ranges::any_of(in.host_flags, [](const std::string& flag) {
    return flag.starts_with("-g") && flag != "-g0";
  });
}

std::vector<std::string> host_plugin_words(const Planner& planner, const HostFindings& files) {
  const std::string& plugin = planner.installation.host_plugin;
  if (plugin.empty()) return {};
  std::vector<std::string> words = {"-fpass-plugin=" + plugin};
  const bool few_lines = !asks_for_lines(planner.invocation);
  const bool finds = !files.shapes.empty() || !files.sequences.empty();
  // Loaded early enough for its options.
  if (finds || few_lines) words.push_back("-fplugin=" + plugin);
  const auto ask_for = [&](const char* option, const std::string& file) {
    if (!file.empty()) words.insert(words.end(), {"-mllvm", option + file});
  };
  ask_for("-gridspan-launch-shapes=", files.shapes);
  ask_for("-gridspan-sequences=", files.sequences);
  if (few_lines) words.insert(words.end(), {"-mllvm", "-gridspan-few-lines"});
  return words;
}

}  // namespace gridspan::driver
