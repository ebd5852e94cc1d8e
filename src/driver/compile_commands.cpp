// Compilation databases are made entry by entry: gridcc's words are read as gridcc reads its own
// command line, and planned as for -fsyntax-only.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/compile_commands.h"

#include "driver/files.h"
#include "driver/invocation.h"
#include "driver/messages.h"
#include "driver/plan.h"
#include "driver/response_files.h"

#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FormatVariadic.h>
#include <llvm/Support/JSON.h>
#include <llvm/Support/StringSaver.h>
#include <llvm/Support/raw_ostream.h>
#include <algorithm>
#include <filesystem>
#include <optional>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;
using Strings = std::vector<std::string>;

/// The entry's command line: a list, or one string quoted as for a shell.
Strings command_line(const llvm::json::Object& entry) {
  Strings words;
  if (const llvm::json::Array* list = entry.getArray("arguments")) {
    for (const llvm::json::Value& word : *list)
      if (auto text = word.getAsString()) words.push_back(text->str());
  } else if (auto text = entry.getString("command")) {
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver(memory);
    llvm::SmallVector<const char*, 64> split;
    llvm::cl::TokenizeGNUCommandLine(*text, saver, split);
    words.assign(split.begin(), split.end());
  }
  return words;
}

/// What follows the compiler's name, which may have a launcher such as ccache before it; nothing
/// if the compiler is another one.
std::optional<Strings> words_for_gridcc(const Strings& words) {
  const auto options = std::find_if(words.begin(), words.end(),
                                    [](const std::string& word) { return word.starts_with('-'); });
  const auto compiler = std::find_if(words.begin(), options, [](const std::string& word) {
    const fs::path name = fs::path(word).filename();
    return name == "gridcc" || name == "nvcc";
  });
  if (compiler == options) return std::nullopt;
  return Strings(compiler + 1, words.end());
}

/// clang's words for the entry; nothing if it does not compile a CUDA source.
support::Result<std::optional<Strings>> clang_words_of(const Strings& words,
                                                       const Installation& installation) {
  auto expanded = expand_response_files(words);
  if (!expanded) return support::fail(expanded.error());
  auto arguments = parse_arguments(*expanded);
  if (!arguments) return support::fail(arguments.error());
  auto task = understand(*arguments);
  if (!task) return support::fail(task.error());
  auto* invocation = std::get_if<Invocation>(&*task);
  if (!invocation) return std::nullopt;
  const auto source =
      std::find_if(invocation->inputs.begin(), invocation->inputs.end(),
                   [](const Input& input) { return input.language == Language::cuda; });
  if (source == invocation->inputs.end()) return std::nullopt;
  invocation->inputs = {Input(*source)};
  invocation->goal = Goal::nothing;
  invocation->side = Side::host;
  auto plan = make_plan(*invocation, installation, "", false);
  if (!plan) return support::fail(plan.error());
  const Command& command = std::get<PlainUnit>(plan->units.front()).command;
  Strings result{command.program};
  result.insert(result.end(), command.arguments.begin(), command.arguments.end());
  return result;
}

/// Paths of an entry, those of option files among them, count from its directory.
class InDirectory {
 public:
  explicit InDirectory(const std::string& directory) {
    if (!directory.empty()) fs::current_path(directory, error_);
  }
  ~InDirectory() { fs::current_path(before_, error_); }
  InDirectory(const InDirectory&) = delete;
  InDirectory& operator=(const InDirectory&) = delete;

 private:
  fs::path before_ = fs::current_path();
  std::error_code error_;
};

void rewrite_entry(llvm::json::Object& entry, const Installation& installation) {
  const auto words = words_for_gridcc(command_line(entry));
  if (!words) return;
  const InDirectory directory(entry.getString("directory").value_or("").str());
  auto clang = clang_words_of(*words, installation);
  if (!clang) {
    print_warning("'" + entry.getString("file").value_or("?").str() +
                  "' stays as it is: " + clang.error().message);
    return;
  }
  if (!*clang) return;
  entry.erase("command");
  entry["arguments"] = llvm::json::Array(**clang);
}

}  // namespace

support::Result<void> rewrite(const CompileCommands& request, const Installation& installation) {
  auto text = read_file(request.file);
  if (!text) return support::fail(text.error());
  auto database = llvm::json::parse(*text);
  if (!database)
    return support::fail("'" + request.file + "': " + llvm::toString(database.takeError()));
  llvm::json::Array* entries = database->getAsArray();
  if (!entries) return support::fail("'" + request.file + "' is no compilation database");
  for (llvm::json::Value& entry : *entries) {
    llvm::json::Object* object = entry.getAsObject();
    if (!object) return support::fail("'" + request.file + "' is no compilation database");
    rewrite_entry(*object, installation);
  }
  std::string written;
  llvm::raw_string_ostream(written) << llvm::formatv("{0:2}\n", *database);
  if (!request.output.empty()) return write_file(request.output, written);
  llvm::outs() << written;
  return {};
}

}  // namespace gridspan::driver
