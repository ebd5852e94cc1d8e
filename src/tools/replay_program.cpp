// Finds the kernels of a recording and runs the program that holds them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/replay_program.h"

#include "abi/relocatable.h"
#include "support/options.h"
#include "tools/child.h"
#include "tools/containers.h"
#include "tools/elf_sections.h"
#include "tools/replay_libraries.h"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <set>
#include <string_view>
#include <vector>

namespace gridspan::tools {
namespace {

namespace fs = std::filesystem;
using namespace runtime::record;

/// Modules whose kernels are launched.
std::set<std::uint32_t> modules_used(const Recording& recording) {
  std::set<std::uint32_t> used;
  for (const auto& [number, command] : recording.commands) {
    if (command.launch && command.launch->module < recording.modules.size()) {
      used.insert(command.launch->module);
    }
  }
  return used;
}

support::Result<bool> holds_module(const std::string& file, const ModuleNote& module) {
  auto sections = read_sections(file, abi::kernel_section);
  if (!sections) return support::fail(sections.error());
  for (const SectionContent& section : *sections) {
    auto containers = parse_containers(section.bytes);
    if (!containers) return support::fail(section.origin + ": " + containers.error().message);
    for (const ContainerView& container : *containers) {
      if (container.id == abi::ModuleId{{module.id[0], module.id[1]}}) return true;
    }
  }
  return false;
}

support::Result<void> check_kernels(const ReplayRequest& request, const Recording& recording,
                                    const std::vector<std::string>& files) {
  for (const std::uint32_t used : modules_used(recording)) {
    auto found = holds_module(files[used], recording.modules[used]);
    if (!found) return support::fail(found.error());
    if (*found) continue;
    return support::fail(request.file + ": was recorded with another build of '" + files[used] +
                         "': the kernels of one of its modules are not there" +
                         (request.program.empty() ? "; --program names the right one" : ""));
  }
  return {};
}

/// Plugins that the program would load by itself, later.
std::string libraries(const Recording& recording, const std::vector<std::string>& files) {
  std::string list;
  for (const std::uint32_t used : modules_used(recording)) {
    if (recording.modules[used].file == recording.header.program) continue;
    list += (list.empty() ? "" : ":") + files[used];
  }
  return list;
}

/// The settings of the recording count, not those around this process: but for the log.
Variables variables(const ReplayRequest& request, const Recording& recording,
                    const std::vector<std::string>& files, const std::string& into) {
  constexpr std::string_view kept[] = {"GRIDSPAN_DEVICES", "GRIDSPAN_THREADS", "GRIDSPAN_CPU",
                                       "GRIDSPAN_POLICY", "GRIDSPAN_ISOLATE"};
  std::map<std::string, std::string> values;
  for (const support::Option& option : support::option_table()) {
    if (option.name != "log") values[std::string(option.variable)] = "";
  }
  for (const NamedText& variable : recording.header.variables) {
    if (std::ranges::count(kept, variable.name) > 0) values[variable.name] = variable.value;
  }
  if (!request.devices.empty()) values["GRIDSPAN_DEVICES"] = request.devices;
  const std::string mode = request.run ? "run:" : request.fuse ? "fuse:" : "plan:";
  values["GRIDSPAN_REPLAY"] = mode + fs::absolute(request.file).string();
  values["GRIDSPAN_RECORD"] = into;
  if (request.run) values["GRIDSPAN_RECORD_DATA"] = "1";
  if (const std::string preload = libraries(recording, files); !preload.empty()) {
    values["LD_PRELOAD"] = preload;
  }
  return {values.begin(), values.end()};
}

}  // namespace

support::Result<void> run_replay(const ReplayRequest& request, const Recording& recording,
                                 const std::string& into) {
  const std::string program =
      fs::absolute(request.program.empty() ? recording.header.program : request.program).string();
  if (access(program.c_str(), X_OK) != 0) {
    return support::fail(request.file + ": the program '" + program +
                         "' cannot be run: " + std::strerror(errno) +
                         (request.program.empty() ? "; --program names it elsewhere" : ""));
  }
  const auto files = kernel_files(request.file, recording, program);
  if (!files) return support::fail(files.error());
  if (auto checked = check_kernels(request, recording, *files); !checked) return checked;
  auto ended = run_child({program}, variables(request, recording, *files, into));
  if (!ended) return support::fail(ended.error());
  if (ended->signal != 0) {
    return support::fail(request.file + ": the replay was ended by signal " +
                         std::to_string(ended->signal) + " (" + strsignal(ended->signal) + ")");
  }
  if (ended->status != 0) {
    return support::fail(request.file + ": the replay did not succeed (exit status " +
                         std::to_string(ended->status) + ")");
  }
  return {};
}

}  // namespace gridspan::tools
