// When a replay begins, and how it ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/replay.h"

#include "runtime/api/registry.h"
#include "runtime/api/runtime_state.h"
#include "runtime/record/replayer.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

namespace gridspan::runtime::record {

namespace {

using Id = std::array<std::uint64_t, 2>;

support::Options requested() {
  auto options = support::options_from_environment(nullptr);
  return options ? *options : support::Options();  // what is wrong is told at the first API call
}

/// Modules whose kernels the recording launches. Errors are told when the replay begins.
std::set<Id> modules_needed(const std::string& file) {
  std::set<Id> needed;
  auto reader = LogReader::open(file);
  if (!reader) return needed;
  std::vector<Id> modules;
  for (auto record = reader->next(); record && *record; record = reader->next()) {
    if (const auto* module = std::get_if<ModuleNote>(&**record)) modules.push_back(module->id);
    const auto* launch = std::get_if<LaunchNote>(&**record);
    if (launch && launch->module < modules.size()) needed.insert(modules[launch->module]);
  }
  return needed;
}

bool are_registered(const std::set<Id>& ids) {
  const auto modules = registry().modules();
  return std::ranges::all_of(ids, [&](const Id& id) {
    return std::ranges::any_of(modules, [&](const auto& loaded) {
      return loaded->module->id == abi::ModuleId{{id[0], id[1]}};
    });
  });
}

}  // namespace

void replay_if_ready() {
  static const support::Options& options = *new support::Options(requested());
  if (options.replay.mode == support::Replay::Mode::none) return;
  static const std::set<Id>& needed = *new std::set<Id>(modules_needed(options.replay.file));
  if (are_registered(needed)) replay(options);
}

void replay(const support::Options& options) {
  if (auto done = replay_recording(options); !done) give_up(done.error().message);
  std::fflush(nullptr);
  std::_Exit(EXIT_SUCCESS);
}

}  // namespace gridspan::runtime::record
