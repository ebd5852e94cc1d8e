// Which entry stands for the headers of a pass, and making it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/precompiled_headers.h"

#include "driver/configuration.h"
#include "driver/dependency_rule.h"
#include "driver/files.h"
#include "driver/header_words.h"
#include "driver/module_id.h"
#include "driver/planner.h"
#include "driver/process.h"
#include "support/file_identity.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/raw_ostream.h>
#include <sys/stat.h>
#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <future>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

constexpr char switch_name[] = "GRIDSPAN_HEADER_CACHE";
constexpr char first_header[] = "cuda_runtime.h";
constexpr std::array<const char*, 2> searched_variables = {"CPATH", "CPLUS_INCLUDE_PATH"};

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

/// Folders that clang searches because the environment names them.
std::vector<std::string> folders_of_environment() {
  std::vector<std::string> folders;
  for (const char* name : searched_variables) {
    const std::string value = environment(name);
    if (value.empty()) continue;
    for (const llvm::StringRef folder : llvm::split(llvm::StringRef(value), ':'))
      folders.push_back(folder.empty() ? "." : folder.str());
  }
  return folders;
}

bool exists(const std::string& path) {
  struct stat status{};
  return stat(path.c_str(), &status) == 0;
}

std::string word_after(const std::vector<std::string>& words, const char* word) {
  const auto at = std::ranges::find(words, word);
  return at == words.end() || at + 1 == words.end() ? "" : *(at + 1);
}

/// In place of `-include cuda_runtime.h`.
bool read_precompiled(std::vector<std::string>& words, const std::string& pch) {
  const auto at = std::ranges::find(words, "-include");
  if (at == words.end() || at + 1 == words.end() || *(at + 1) != first_header) return false;
  const auto behind = words.erase(at, at + 2);
  words.insert(behind, {"-Xclang", "-include-pch", "-Xclang", pch, "-fplugin-arg-gridspan-seen=yes",
                        "-fno-crash-diagnostics"});
  return true;
}

}  // namespace

support::Result<bool> wants_precompiled_headers() {
  const std::string value = environment(switch_name);
  if (value.empty() || value == "on") return true;
  if (value == "off") return false;
  return support::fail(std::string(switch_name) + "='" + value + "': expected on | off");
}

std::optional<CudaUnit> PrecompiledHeaders::apply(const CudaUnit& unit) {
  uses_.clear();
  if (unit.object.empty() || plan_.installation.clang_plugin.empty()) return std::nullopt;
  const std::set<std::string> overlays = {plan_.header_overlay, unit.overlay.description_path()};
  auto device = std::async(std::launch::async,
                           [&] { return find(unit.device_pass, overlays, "headers.device"); });
  std::optional<Use> host;
  if (unit.host_pass) host = find(*unit.host_pass, overlays, "headers.host");

  CudaUnit result = unit;
  const auto use = [&](Command& pass, std::optional<Use> found) {
    if (found && read_precompiled(pass.arguments, found->entry.pch))
      uses_.push_back(std::move(*found));
  };
  use(result.device_pass, device.get());
  if (result.host_pass) use(*result.host_pass, std::move(host));
  if (uses_.empty()) return std::nullopt;
  return result;
}

/// Names of macros that matter are known only of an entry, so one leads to the next.
std::optional<PrecompiledHeaders::Use> PrecompiledHeaders::find(
    const Command& pass, const std::set<std::string>& overlays, const std::string& stem) const {
  auto parts = header_words(pass.arguments, plan_.installation, overlays);
  const std::string rule = word_after(pass.arguments, "-MF");
  if (!parts || rule == "-" || rule.starts_with("/dev/")) return std::nullopt;
  const auto of_environment = folders_of_environment();
  parts->folders.insert(parts->folders.end(), of_environment.begin(), of_environment.end());

  std::set<std::string, std::less<>> names;
  for (std::size_t known = 0;; known = names.size()) {
    std::vector<std::string> words = parts->language;
    for (const MacroWord& macro : macros_that_matter(*parts, names)) words.push_back(macro.word);
    const std::string key = key_of(pass, words);
    auto entry = cache_.find(key);
    if (!entry) {
      cache_.make(key, [&] { return make(pass, words, stem); });
      entry = cache_.find(key);
    }
    if (!entry) return std::nullopt;
    for (const MacroWord& macro : parts->macros)
      if (entry->names.contains(macro.name)) names.insert(macro.name);
    if (names.size() > known) continue;
    if (hides_a_header(parts->folders, *entry)) return std::nullopt;
    return Use{key, std::move(*entry), rule};
  }
}

std::string PrecompiledHeaders::key_of(const Command& pass,
                                       const std::vector<std::string>& words) const {
  std::vector<std::string> texts = {configuration::version, support::file_identity(pass.program),
                                    support::file_identity(plan_.installation.clang_plugin),
                                    plan_.installation.include_directory, cache_.source()};
  for (const char* name : searched_variables) texts.push_back(environment(name));
  texts.insert(texts.end(), plan_.hidden_headers.begin(), plan_.hidden_headers.end());
  texts.emplace_back();
  texts.insert(texts.end(), words.begin(), words.end());
  return to_text(make_module_id(texts));
}

/// Where clang has something to say of the headers there is no entry, or it would be said but once.
std::optional<NewHeaders> PrecompiledHeaders::make(const Command& pass,
                                                   const std::vector<std::string>& words,
                                                   const std::string& stem) const {
  const std::string base = plan_.workspace + "/" + stem;
  NewHeaders made{base + ".pch", base + ".d", base + ".facts"};
  Words all;
  all.add(words);
  if (!plan_.header_overlay.empty()) all.add({"-ivfsoverlay", plan_.header_overlay});
  all.add({"-isystem", plan_.installation.include_directory, "-include", first_header});
  all.add({"-fplugin-arg-gridspan-facts=" + made.facts, "-fpch-instantiate-templates"});
  all.add({"-Xclang", "-emit-pch", "-MD", "-MF", made.rule, "-o", made.pch, cache_.source()});
  const Command command{pass.program, all.take()};
  if (is_verbose_) llvm::errs() << " " + to_line(command) + "\n";
  const std::string messages = base + ".txt";
  const bool is_made = Process(command, "/dev/null", messages).wait().ok();
  if (!is_made || !read_file(messages).value_or("?").empty()) return std::nullopt;
  return made;
}

/// A file in one of the folders would be read in place of one of the entry's.
bool PrecompiledHeaders::hides_a_header(const std::vector<std::string>& folders,
                                        const HeaderEntry& entry) const {
  const std::string& ours = plan_.installation.include_directory;
  for (const std::string& name : entry.includes) {
    for (const std::string& folder : folders)
      if (exists(folder + "/" + name)) return true;
    // The first of the folders that are searched unasked: something may have come there since.
    const std::string local = "/usr/local/include/" + name;
    if (!exists(ours + "/" + name) && exists(local) &&
        std::ranges::find(entry.files, local) == entry.files.end())
      return true;
  }
  return false;
}

bool PrecompiledHeaders::mend_dependencies() const {
  for (const Use& use : uses_) {
    if (use.rule.empty()) continue;
    const auto rule = read_file(use.rule);
    if (!rule) return false;
    std::vector<std::string> headers = use.entry.files;
    std::erase(headers, cache_.source());
    const auto mended = without_precompiled_header(*rule, cache_.source(), headers);
    if (!mended || !write_file(use.rule, *mended)) return false;
  }
  return true;
}

void PrecompiledHeaders::drop() const {
  for (const Use& use : uses_) cache_.drop(use.key);
}

}  // namespace gridspan::driver
