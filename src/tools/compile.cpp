// Running gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/compile.h"

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

extern char** environ;

namespace gridspan::tools {
namespace {

namespace fs = std::filesystem;

support::Result<std::string> gridcc_path() {
  std::error_code error;
  fs::path self = fs::read_symlink("/proc/self/exe", error);
  fs::path gridcc = self.parent_path() / "gridcc";
  if (error || access(gridcc.c_str(), X_OK) != 0)
    return support::fail("no gridcc next to this program, at " + gridcc.string() +
                         "; give an object instead of a source file");
  return gridcc.string();
}

/// Exit status, or an error when it was not an ordinary exit.
support::Result<int> run(std::vector<std::string> command) {
  std::vector<char*> arguments;
  for (std::string& word : command) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  pid_t child = 0;
  int problem = posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ);
  if (problem) return support::fail(command[0] + ": " + std::strerror(problem));
  int status = 0;
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return support::fail(command[0] + ": " + std::strerror(errno));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

bool is_source(const std::string& file) {
  return fs::path(file).extension() == ".cu" || fs::path(file).extension() == ".cuh";
}

TemporaryObject::~TemporaryObject() {
  std::error_code ignored;
  if (!folder_.empty()) fs::remove_all(folder_, ignored);
}

support::Result<std::string> TemporaryObject::compile(const std::string& source,
                                                      const std::vector<std::string>& options) {
  if (access(source.c_str(), R_OK) != 0) return support::fail(source + ": " + std::strerror(errno));
  auto gridcc = gridcc_path();
  if (!gridcc) return gridcc;
  std::string pattern = (fs::temp_directory_path() / "gridspan-explain-XXXXXX").string();
  if (!mkdtemp(pattern.data())) return support::fail(pattern + ": " + std::strerror(errno));
  folder_ = pattern;
  std::string object = folder_ + "/" + fs::path(source).stem().string() + ".o";
  std::vector<std::string> command = {*gridcc, "-c", source, "-o", object};
  command.insert(command.end(), options.begin(), options.end());
  auto status = run(command);
  if (!status) return support::fail(status.error());
  if (*status != 0) return support::fail(source + ": gridcc could not compile it");
  return object;
}

support::Result<std::string> object_of(const std::string& file,
                                       const std::vector<std::string>& options,
                                       TemporaryObject& object) {
  if (is_source(file)) return object.compile(file, options);
  if (options.empty()) return file;
  return support::fail("compile options (" + options.front() + ") need a CUDA source file; " +
                       file + " is none");
}

}  // namespace gridspan::tools
