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
#include <llvm/Support/StringSaver.h>
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

}  // namespace

std::string header_list_in(std::string_view answer) {
  constexpr StringRef first = "#include \"...\"", last = "End of search list.\n";
  const StringRef text(answer);
  const std::size_t begin = text.find(first), end = text.find(last);
  if (begin == StringRef::npos || end == StringRef::npos || end < begin) return {};
  return text.slice(begin, end + last.size()).str();
}

std::string library_words_in(std::string_view answer) {
  // Commands begin with a blank; the last is the linker's, before it the compiler's.
  StringRef command;
  for (const StringRef line : llvm::split(answer, '\n'))
    if (line.starts_with(" ")) command = line;
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(command, saver, words);
  std::string found;
  for (const StringRef word : words)
    if (word.starts_with("-L/") || (word.starts_with("-l") && word != "-lto_library"))
      found += (" \"" + word + "\"").str();
  return found;
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
