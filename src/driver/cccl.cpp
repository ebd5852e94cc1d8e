// Looks where it may be.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/cccl.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <algorithm>
#include <cstdlib>
#include <system_error>

namespace gridspan::driver {

using llvm::StringRef;

namespace {

std::string inside(StringRef folder, StringRef path) {
  llvm::SmallString<256> result(folder);
  llvm::sys::path::append(result, path);
  return result.str().str();
}

bool has_file(StringRef folder, StringRef path) {
  return llvm::sys::fs::exists(inside(folder, path));
}

/// As headers, or as sources. Empty: it is not there.
std::vector<std::string> folders_in(StringRef folder) {
  for (const char* below : {"", "include", "include/cccl", "cccl", "cuda/cccl/headers/include"}) {
    const std::string all = *below ? inside(folder, below) : folder.str();
    if (has_file(all, "thrust/version.h") && has_file(all, "cub/version.cuh")) return {all};
  }
  if (has_file(folder, "thrust/thrust/version.h") && has_file(folder, "cub/cub/version.cuh"))
    return {inside(folder, "thrust"), inside(folder, "cub"), inside(folder, "libcudacxx/include")};
  return {};
}

/// Of the Python environment that a shell has activated; the newest Python's.
std::vector<std::string> folders_of_python() {
  for (const char* variable : {"VIRTUAL_ENV", "CONDA_PREFIX"}) {
    const char* const environment = std::getenv(variable);
    if (!environment || !*environment) continue;
    std::vector<std::string> pythons;
    std::error_code error;
    for (llvm::sys::fs::directory_iterator it(inside(environment, "lib"), error), end;
         it != end && !error; it.increment(error))
      if (llvm::sys::path::filename(it->path()).starts_with("python3"))
        pythons.push_back(it->path());
    std::sort(pythons.rbegin(), pythons.rend());
    for (const std::string& python : pythons)
      if (auto found = folders_in(inside(python, "site-packages")); !found.empty()) return found;
  }
  return {};
}

/// The number that a header defines the name as, 0 if it does not.
long defined_in(const std::string& file, StringRef name) {
  auto text = llvm::MemoryBuffer::getFile(file);
  if (!text) return 0;
  for (StringRef rest = (*text)->getBuffer(); !rest.empty();) {
    auto [line, others] = rest.split('\n');
    rest = others;
    long number = 0;
    if (line.consume_front("#define ") && line.consume_front(name) && line.consume_front(" ") &&
        !line.ltrim().split(' ').first.rtrim().getAsInteger(10, number))
      return number;
  }
  return 0;
}

/// Thrust's own until 2.x, then CCCL's, whose parts have three digits.
std::string version_of(const std::vector<std::string>& folders) {
  for (const std::string& folder : folders) {
    const auto parts = [](long number, long of_major, long of_minor) {
      return std::to_string(number / of_major) + "." +
             std::to_string(number % of_major / of_minor) + "." + std::to_string(number % of_minor);
    };
    if (const long all = defined_in(inside(folder, "cuda/std/__cccl/version.h"), "CCCL_VERSION"))
      return parts(all, 1000000, 1000);
    if (const long thrust = defined_in(inside(folder, "thrust/version.h"), "THRUST_VERSION"))
      return parts(thrust, 100000, 100);
  }
  return "unknown";
}

}  // namespace

support::Result<Cccl> find_cccl(const std::string& choice, const std::string& include_directory) {
  const char* const variable = std::getenv("GRIDSPAN_CCCL");
  const bool has_variable = variable && *variable;
  if (!choice.empty() || has_variable) {
    const std::string folder = choice.empty() ? variable : choice;
    const std::string name = choice.empty() ? "GRIDSPAN_CCCL" : "--cccl";
    Cccl found = {folders_in(folder), name};
    if (found.folders.empty())
      return support::fail(name + "=" + folder + ": there is no CCCL (no thrust/version.h)");
    return found;
  }
  if (auto folders = folders_in(inside(include_directory, "cccl")); !folders.empty())
    return Cccl{folders, "the toolkit's folder"};
  if (auto folders = folders_of_python(); !folders.empty())
    return Cccl{folders, "the Python package cuda-cccl"};
  return Cccl{};
}

std::vector<std::string> cccl_words(const Cccl& cccl) {
  std::vector<std::string> words;
  for (const std::string& folder : cccl.folders) words.push_back("-I" + folder);
  return words;
}

std::string cccl_text(const Cccl& cccl) {
  const std::vector<std::string> folders =
      cccl.folders.empty() ? folders_in("/usr/include") : cccl.folders;
  if (folders.empty()) return "none\n";
  std::string text;
  for (const std::string& folder : folders) text += folder + "\n";
  text += "version " + version_of(folders) + ", by " +
          (cccl.found_by.empty() ? "the compilers' own folders" : cccl.found_by) + "\n";
  return text;
}

}  // namespace gridspan::driver
