// Reading a compiler's -v and -###.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/host_search.h"

#include "driver/files.h"
#include "driver/planner.h"
#include "driver/process.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/StringSaver.h>
#include <array>
#include <cstdio>

namespace gridspan::driver {
namespace {

using llvm::StringRef;

std::string answer_to(const std::string& compiler, const std::vector<std::string>& question,
                      const std::string& workspace) {
  const std::string file = workspace + "/host_search.txt";
  Process({compiler, question}, "/dev/null", file).wait();
  std::string answer = read_file(file).value_or("");
  std::remove(file.c_str());
  return answer;
}

using WordList = std::vector<std::string>;

/// The commands that a compiler shows for -###: lines that begin with a blank. The first is the
/// compiler's, the last the linker's.
std::vector<WordList> commands_in(std::string_view answer) {
  std::vector<WordList> commands;
  for (const StringRef line : llvm::split(StringRef(answer), '\n')) {
    if (!line.starts_with(" ")) continue;
    llvm::BumpPtrAllocator memory;
    llvm::StringSaver saver(memory);
    llvm::SmallVector<const char*, 64> words;
    llvm::cl::TokenizeGNUCommandLine(line, saver, words);
    commands.emplace_back(words.begin(), words.end());
  }
  return commands;
}

/// An option that takes a value, joined to it or as the next word.
struct ValueOption {
  StringRef name;
  StringRef driver_name;  // what a compiler driver calls it
  bool is_joined;         // there
};

constexpr std::array<ValueOption, 7> header_options = {{{"-isystem", "-isystem", false},
                                                        {"-idirafter", "-idirafter", false},
                                                        {"-iquote", "-iquote", false},
                                                        {"-include", "-include", false},
                                                        {"-I", "-I", true},
                                                        {"-D", "-D", true},
                                                        {"-U", "-U", true}}};
constexpr std::array<ValueOption, 3> library_options = {
    {{"-L", "-L", true}, {"-l", "-l", true}, {"-rpath", "-Wl,-rpath,", true}}};

/// What every link has of itself.
bool is_of_every_link(StringRef word) {
  static constexpr std::array<StringRef, 7> names = {
      "-lc", "-lm", "-lgcc", "-lgcc_s", "-lstdc++", "-lgcc_eh", "-lto_library"};
  return llvm::is_contained(names, word);
}

template <std::size_t count>
WordList options_in(const WordList& command, const std::array<ValueOption, count>& options) {
  WordList found;
  for (std::size_t i = 0; i < command.size(); ++i) {
    StringRef word = command[i];
    const auto* option =
        llvm::find_if(options, [&](const ValueOption& one) { return word.starts_with(one.name); });
    if (option == options.end() || is_of_every_link(word)) continue;
    if (option->name.size() > 2 && word.substr(option->name.size()).starts_with("-")) continue;
    const bool was_joined = word.consume_front(option->name) && !word.empty();
    if (!was_joined && i + 1 == command.size()) break;
    if (was_joined) word.consume_front("=");
    const std::string value = was_joined ? word.str() : command[++i];
    if (!option->is_joined) found.push_back(option->driver_name.str());
    found.push_back((option->is_joined ? option->driver_name.str() : "") + value);
  }
  return found;
}

}  // namespace

std::string header_list_in(std::string_view answer) {
  constexpr StringRef first = "#include \"...\"", last = "End of search list.\n";
  const StringRef text(answer);
  const std::size_t begin = text.find(first), end = text.find(last);
  if (begin == StringRef::npos || end == StringRef::npos || end < begin) return {};
  return text.slice(begin, end + last.size()).str();
}

std::string library_words_in(std::string_view answer) {
  std::string found;
  const auto commands = commands_in(answer);
  for (const StringRef word : commands.empty() ? WordList{} : commands.back())
    if (word.starts_with("-L/") || (word.starts_with("-l") && word != "-lto_library"))
      found += (" \"" + word + "\"").str();
  return found;
}

HostCompilerWords added_words_in(std::string_view answer) {
  const auto commands = commands_in(answer);
  if (commands.size() < 2) return {};
  return {options_in(commands.front(), header_options),
          options_in(commands.back(), library_options)};
}

HostCompilerWords words_of_host_compiler(const Invocation& invocation) {
  llvm::SmallString<128> file;
  if (llvm::sys::fs::createTemporaryFile("gridcc", "txt", file)) return {};
  Process({host_compiler(invocation), {"-x", "c++", "/dev/null", "-o", "a.out", "-###"}},
          "/dev/null", file.str().str())
      .wait();  // NOLINT(bugprone-unused-return-value): what it wrote tells
  const std::string answer = read_file(file.str().str()).value_or("");
  llvm::sys::fs::remove(file);
  return added_words_in(answer);
}

HostSearch ask_host_compiler(const Invocation& invocation, const Installation& installation,
                             const std::string& workspace) {
  const bool is_clang = links_with_clang(invocation);
  const std::string compiler = is_clang ? installation.clang : host_compiler(invocation);
  Words empty_source;
  if (is_clang && !invocation.target.empty()) empty_source.add("--target=" + invocation.target);
  empty_source.add({"-x", "c++", "/dev/null"});
  return {
      header_list_in(answer_to(compiler, Words(empty_source).add({"-E", "-v"}).take(), workspace)),
      library_words_in(
          answer_to(compiler, Words(empty_source).add({"-o", "a.out", "-###"}).take(), workspace))};
}

}  // namespace gridspan::driver
