// Names of files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/cache.h"

#include "abi/module.h"
#include "support/cache_folder.h"

#include <unistd.h>

#include <filesystem>

namespace gridspan::specialise {
namespace {

namespace fs = std::filesystem;
using support::fail;
using support::LaunchCondition;
using support::Result;

constexpr std::string_view suffix = ".so";

/// Of an entry, from the cache's folder on.
std::string name_of(const std::string& module, const std::string& kernel,
                    const LaunchCondition& condition) {
  const std::string launches = condition.is_empty() ? "all" : to_text(condition);
  return module + "/" + kernel + "/" + launches + std::string(suffix);
}

}  // namespace

Cache::Cache(std::string root, std::uint64_t limit)
    : files_(std::move(root), abi::version, limit) {}

std::vector<LaunchCondition> Cache::find(const std::string& module,
                                         const std::string& kernel) const {
  std::vector<LaunchCondition> found;
  if (!support::is_ours_alone(files_.root())) return found;
  std::error_code error;
  for (fs::directory_iterator at(files_.path(module + "/" + kernel), error), end;
       !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename();
    if (!name.ends_with(suffix) || name.starts_with('.')) continue;
    const auto condition = support::parse_condition(name.substr(0, name.size() - suffix.size()));
    if (condition && !condition->is_empty()) found.push_back(*condition);
  }
  return found;
}

bool Cache::has(const std::string& module, const std::string& kernel,
                const LaunchCondition& condition) const {
  return ::access(files_.path(name_of(module, kernel, condition)).c_str(), R_OK) == 0;
}

bool Cache::has_any(const std::string& module) const {
  return ::access(files_.path(module).c_str(), X_OK) == 0;
}

Result<Cache::Entry> Cache::open(const std::string& module, const std::string& kernel,
                                 const LaunchCondition& condition) const {
  const std::string name = name_of(module, kernel, condition);
  const auto content = files_.read(name);
  if (!content) return fail(content.error());
  if (content->starts_with(refusal_mark)) return Entry{{}, content->substr(refusal_mark.size())};
  return Entry{files_.path(name), {}};
}

Result<std::string> Cache::make_temporary() const { return files_.make_temporary(); }

Result<void> Cache::store(const std::string& module, const std::string& kernel,
                          const LaunchCondition& condition, const std::string& content) {
  return files_.store(name_of(module, kernel, condition), content);
}

}  // namespace gridspan::specialise
