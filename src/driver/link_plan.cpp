// Planning of the link: the platform's linker through a compiler driver, our run time at the end.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/configuration.h"
#include "driver/planner.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

namespace gridspan::driver {
namespace {

/// CUDA's names, as jumps inside the product to names that only our libraries have: whatever other
/// library defines cudaMalloc, this product's calls are ours (src/names). Without these archives
/// calls are told apart by their version only.
std::vector<std::string> own_names(const Planner& planner) {
  const Invocation& in = planner.invocation;
  // Of an archive, a program shows all that libraries may call: there is one run time then.
  const bool shows = in.runtime == RuntimeLinkage::archive && in.goal != Goal::shared_library;
  Words words;
  auto add = [&](const std::string& name) {
    const std::string path = planner.installation.library_directory + name;
    if (std::error_code error; std::filesystem::exists(path, error)) words.add(path);
  };
  if (in.runtime != RuntimeLinkage::none) add(shows ? "/libgridspan.a" : "/libgridspan_names.a");
  for (const std::string& library : in.libraries) add("/lib" + library + "_names.a");
  return words.take();
}

/// Our libraries, found again when the program runs: RUNPATH names their directory. A library or
/// program that uses nothing of them does not depend on them.
std::vector<std::string> runtime_words(const Planner& planner) {
  const Invocation& in = planner.invocation;
  const std::string& directory = planner.installation.library_directory;
  const bool is_shared = in.runtime == RuntimeLinkage::shared;
  Words words;
  if (is_shared || !in.libraries.empty()) {
    words.add("-L" + directory).add(own_names(planner));
    words.add(
        {"-Wl,-rpath," + directory, "-Wl,--enable-new-dtags", "-Wl,--push-state,--as-needed"});
    for (const std::string& library : in.libraries) words.add("-l" + library);
    words.add(is_shared ? "-lgridspan" : "").add("-Wl,--pop-state");
  }
  if (in.runtime == RuntimeLinkage::archive) {
    words.add(own_names(planner)).add(directory + "/libgridspan.a");
    words.add(split_list(configuration::archive_dependencies));
  }
  return words.take();
}

/// A library that any program links, which knows nothing of CUDA.
bool is_of_system(std::string_view name) {
  static constexpr std::array<std::string_view, 9> names = {"c",  "dl",     "gcc_s", "m", "pthread",
                                                            "rt", "stdc++", "util",  "z"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// May it be a shared library with CUDA's names, which would take the place of what comes later?
bool may_define_cuda(const std::string& word) {
  if (word.starts_with("-l")) return !is_of_system(std::string_view(word).substr(2));
  const std::string name = std::filesystem::path(word).filename();
  return !name.starts_with("-") && (name.ends_with(".so") || name.find(".so.") != name.npos);
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
  const bool whole = !links_partially(in);
  const auto names = whole ? own_names(planner) : std::vector<std::string>{};
  for (const LinkItem& item : in.link_line) {
    const auto& added = item.input ? std::vector{objects[*item.input]} : item.words;
    if (!added.empty() && may_define_cuda(added.front())) words.add(names);
    words.add(added);
  }
  if (whole) words.add(runtime_words(planner));
  if (clang) words.add(planner.host_compiler_words.libraries);
  return {clang ? planner.installation.clang : host_compiler(in), words.take()};
}

}  // namespace gridspan::driver
