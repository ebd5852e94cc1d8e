// Expansion of option files, with LLVM's tokenizer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/response_files.h"

#include "driver/files.h"
#include "driver/invocation.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/Allocator.h>
#include <llvm/Support/CommandLine.h>
#include <llvm/Support/StringSaver.h>

namespace gridspan::driver {
namespace {

constexpr unsigned deepest = 20;  // a file that names itself ends here

std::vector<std::string> words_of(const std::string& text) {
  llvm::BumpPtrAllocator memory;
  llvm::StringSaver saver(memory);
  llvm::SmallVector<const char*, 64> words;
  llvm::cl::TokenizeGNUCommandLine(text, saver, words);
  return {words.begin(), words.end()};
}

support::Result<void> expand(const std::vector<std::string>& words, unsigned depth,
                             std::vector<std::string>& into);

support::Result<void> expand_files(const std::vector<std::string>& names, unsigned depth,
                                   std::vector<std::string>& into) {
  for (const std::string& name : names) {
    if (depth == deepest) return support::fail("option file '" + name + "' includes itself");
    auto text = read_file(name);
    if (!text) return support::fail("option file " + text.error().message);
    if (auto done = expand(words_of(*text), depth + 1, into); !done) return done;
  }
  return {};
}

support::Result<void> expand(const std::vector<std::string>& words, unsigned depth,
                             std::vector<std::string>& into) {
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    std::vector<std::string> files;
    bool named_next = word == "-optf" || word == "--options-file";
    if (word.size() > 1 && word[0] == '@')
      files = {word.substr(1)};
    else if (word.starts_with("-optf=") || word.starts_with("--options-file="))
      files = split_list(word.substr(word.find('=') + 1));
    else if (named_next && i + 1 < words.size())
      files = split_list(words[++i]);
    else
      into.push_back(word);
    if (auto done = expand_files(files, depth, into); !done) return done;
  }
  return {};
}

}  // namespace

support::Result<std::vector<std::string>> expand_response_files(
    const std::vector<std::string>& words) {
  std::vector<std::string> expanded;
  if (auto done = expand(words, 0, expanded); !done) return support::fail(done.error());
  return expanded;
}

}  // namespace gridspan::driver
