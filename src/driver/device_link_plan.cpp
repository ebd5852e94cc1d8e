// Planning of the device link: which files of the link line may hold relocatable device code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/planner.h"
#include "driver/ptx_options.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

/// Directories in which the linker looks for `-lNAME`.
std::vector<std::string> library_directories(const Invocation& in) {
  std::vector<std::string> directories;
  for (const LinkItem& item : in.link_line) {
    const std::vector<std::string>& words = item.words;
    if (words.empty() || !words[0].starts_with("-L")) continue;
    if (words[0].size() > 2)
      directories.push_back(words[0].substr(2));
    else if (words.size() > 1)
      directories.push_back(words[1]);
  }
  if (const char* path = std::getenv("LIBRARY_PATH")) {
    std::string_view rest = path;
    while (!rest.empty()) {
      const std::size_t end = std::min(rest.find(':'), rest.size());
      directories.emplace_back(rest.substr(0, end));
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
  }
  return directories;
}

/// The archive that the linker will take for `name` of -l; empty if it takes a shared library, or
/// looks in its own directories.
std::string find_archive(const Invocation& in, const std::vector<std::string>& directories,
                         const std::string& name) {
  const bool only_static =
      std::find(in.link_flags.begin(), in.link_flags.end(), "-static") != in.link_flags.end();
  std::error_code error;
  for (const std::string& directory : directories) {
    const fs::path base = directory;
    if (name.starts_with(":")) {
      if (fs::exists(base / name.substr(1), error)) return base / name.substr(1);
      continue;
    }
    if (!only_static && fs::exists(base / ("lib" + name + ".so"), error)) return {};
    if (fs::exists(base / ("lib" + name + ".a"), error)) return base / ("lib" + name + ".a");
  }
  return {};
}

/// Objects and archives of the link line, in its order.
std::vector<std::string> files_of(const Invocation& in, const std::vector<std::string>& objects) {
  const std::vector<std::string> directories = library_directories(in);
  std::vector<std::string> files;
  auto add = [&](std::string file) {
    // A library may be named several times, for the sake of other libraries.
    if (!file.empty() && std::find(files.begin(), files.end(), file) == files.end())
      files.push_back(std::move(file));
  };
  for (const LinkItem& item : in.link_line) {
    if (item.input)
      add(objects[*item.input]);
    else if (item.words.size() == 1 && item.words[0].starts_with("-l"))
      add(find_archive(in, directories, item.words[0].substr(2)));
  }
  return files;
}

bool makes_relocatable_code(const Invocation& in) {
  return in.relocatable && std::any_of(in.inputs.begin(), in.inputs.end(), [](const Input& input) {
           return input.language == Language::cuda;
         });
}

}  // namespace

std::optional<DeviceLink> plan_device_link(const Planner& planner,
                                           const std::vector<std::string>& objects,
                                           const std::string& product) {
  const Invocation& in = planner.invocation;
  const bool makes_program = in.goal == Goal::program || in.goal == Goal::shared_library;
  if (links_partially(in) || (in.no_device_link && makes_program)) return std::nullopt;
  DeviceLink link;
  link.files = files_of(in, objects);
  link.product = product;
  link.makes_image = in.goal == Goal::device_image;
  if (in.goal != Goal::device_link && !link.makes_image && !makes_relocatable_code(in) &&
      !holds_relocatable_code(link.files))
    return std::nullopt;
  codegen::DeviceRequest& request = link.request;
  request.bitcode_path = planner.temporary("linked.device.bc");
  request.object_path =
      in.goal == Goal::device_link ? product : planner.temporary("linked.device.o");
  request.target_triple = in.target;
  request.target_cpu = cpu_name(in.cpu);
  request.opt_level = in.device_debug ? 0 : 3;
  request.without = in.without;
  request.ptx = ptx_options(in);
  request.tuned = planner.tuned;
  request.debug_info = in.debug || in.device_debug;
  request.position_independent = in.position_independent;
  return link;
}

}  // namespace gridspan::driver
