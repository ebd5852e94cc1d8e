// Planning of the link: the platform's linker through a compiler driver, our run time at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/configuration.h"
#include "driver/planner.h"

#include <algorithm>

namespace gridspan::driver {
namespace {

/// The run time, found again when the program runs: RUNPATH names its directory. A library or
/// program that uses nothing of it does not depend on it.
std::vector<std::string> runtime_words(const Planner& planner) {
  if (links_partially(planner.invocation)) return {};
  const std::string& directory = planner.installation.library_directory;
  switch (planner.invocation.runtime) {
    case RuntimeLinkage::shared:
      return {"-L" + directory,
              "-Wl,-rpath," + directory,
              "-Wl,--enable-new-dtags",
              "-Wl,--push-state,--as-needed",
              "-lgridspan",
              "-Wl,--pop-state"};
    case RuntimeLinkage::archive: {
      Words words;
      words.add(directory + "/libgridspan.a");
      return words.add(split_list(configuration::archive_dependencies)).take();
    }
    case RuntimeLinkage::none:
      break;
  }
  return {};
}

}  // namespace

bool links_with_clang(const Invocation& invocation) {
  return invocation.host_compiler.empty() || invocation.openmp;
}

bool links_partially(const Invocation& invocation) {
  const std::vector<std::string>& flags = invocation.link_flags;
  return std::find(flags.begin(), flags.end(), "-r") != flags.end();
}

Command plan_link(const Planner& planner, const std::vector<std::string>& objects,
                  const std::string& device_code, const std::string& product) {
  const Invocation& in = planner.invocation;
  Words words;
  bool clang = links_with_clang(in);
  if (clang) words.add("-Qunused-arguments");
  if (clang && !in.target.empty()) words.add("--target=" + in.target);
  words.add(in.goal == Goal::shared_library ? "-shared" : "");
  words.add(in.link_flags).add({"-o", product}).add(device_code);
  for (const LinkItem& item : in.link_line) {
    if (item.input)
      words.add(objects[*item.input]);
    else
      words.add(item.words);
  }
  words.add(runtime_words(planner));
  return {clang ? planner.installation.clang : host_compiler(in), words.take()};
}

}  // namespace gridspan::driver
