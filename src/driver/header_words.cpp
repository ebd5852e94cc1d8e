// Which words matter to headers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/header_words.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>
#include <algorithm>
#include <array>

namespace gridspan::driver {
namespace {

using llvm::StringRef;

/// About what follows the headers, with a value in the next word. LLVM's own options (-mllvm) are
/// about code.
constexpr std::array<StringRef, 6> unneeded_with_value = {"-o",  "-MF",      "-MT",
                                                          "-MQ", "-include", "-mllvm"};
constexpr std::array<StringRef, 7> unneeded = {
    "-MD",
    "-MMD",
    "-MP",
    "-fcolor-diagnostics",
    "-fplugin-arg-gridspan-late=",
    "-fplugin-arg-gridspan-cures=",
    "-fpass-plugin=",
};
constexpr std::array<StringRef, 4> folder_options = {"-isystem", "-iquote", "-idirafter", "-I"};

/// They read files, say more than messages, or make other things than code.
constexpr std::array<StringRef, 12> unknown = {
    "-fbuild-session", "-fcrash",     "-fmodule", "-fno-pch",      "-fpch",   "-fplugin=",
    "-fprebuilt",      "-fsanitize-", "-fsave",   "-fsyntax-only", "-ftime-", "-fxray-"};
/// -Wp, and its kin hand words to other tools.
bool is_warning(StringRef word) { return word.starts_with("-W") && !word.contains(','); }

/// With -g clang describes what headers merely declare, unless they are precompiled.
bool is_debug(StringRef word) {
  return word.starts_with("-g") && word != "-g0" && word != "-gline-tables-only";
}

constexpr std::array<StringRef, 8> known_starts = {"-std=", "--target=", "--cuda-", "-nocuda",
                                                   "-O",    "-f",        "-m",      "-g"};
constexpr std::array<StringRef, 8> known_whole = {
    "-Qunused-arguments", "-c",  "-emit-llvm", "-pedantic",
    "-pedantic-errors",   "-pg", "-pthread",   "-w"};

/// Of clang's inner options, ours.
constexpr std::array<StringRef, 4> known_inner = {
    "-target-sdk-version=", "-fcuda-allow-variadic-functions", "-disable-llvm-passes",
    "-fgpu-default-stream="};

bool begins_with_one_of(StringRef word, llvm::ArrayRef<StringRef> beginnings) {
  return llvm::any_of(beginnings, [&](StringRef one) { return word.starts_with(one); });
}

StringRef macro_name(StringRef definition) {
  return definition.take_until([](char c) { return c == '=' || c == '('; });
}

class WordReader {
 public:
  WordReader(const std::vector<std::string>& pass, const Installation& installation,
             const std::set<std::string>& overlays)
      : pass_(pass), installation_(installation), overlays_(overlays) {}

  std::optional<HeaderWords> read() {
    while (at_ < pass_.size())
      if (!read_one()) return std::nullopt;
    return std::move(found_);
  }

 private:
  bool read_one() {
    const StringRef word = pass_[at_++];
    if (llvm::is_contained(unneeded_with_value, word)) return next().has_value();
    if (word == "-Xclang") return read_inner();
    if (word == "-x") return keep_pair(word);
    if (word == "-ivfsoverlay") {
      const auto file = next();
      return file && overlays_.contains(*file);
    }
    if (word.starts_with("-fplugin=")) return read_plugin(word);
    for (const StringRef option : folder_options)
      if (word.starts_with(option)) return read_folder(word.substr(option.size()));
    if (word.starts_with("-D") || word.starts_with("-U")) return read_macro(word);
    if (begins_with_one_of(word, unneeded)) return true;
    if (!word.starts_with("-")) return true;  // the source
    if (is_debug(word)) return false;
    const bool is_known =
        is_warning(word) || llvm::is_contained(known_whole, word) ||
        (begins_with_one_of(word, known_starts) && !begins_with_one_of(word, unknown));
    if (is_known) found_.language.push_back(word.str());
    return is_known;
  }

  std::optional<std::string> next() {
    if (at_ == pass_.size()) return std::nullopt;
    return pass_[at_++];
  }

  bool keep_pair(StringRef word) {
    const auto value = next();
    if (value) found_.language.insert(found_.language.end(), {word.str(), *value});
    return value.has_value();
  }

  bool read_folder(StringRef joined) {
    const auto folder = joined.empty() ? next() : joined.str();
    if (folder && *folder != installation_.include_directory) found_.folders.push_back(*folder);
    return folder.has_value();
  }

  bool read_macro(StringRef word) {
    std::string definition = word.substr(2).str();
    if (definition.empty()) {
      const auto value = next();
      if (!value) return false;
      definition = *value;
    }
    found_.macros.push_back({macro_name(definition).str(), word.take_front(2).str() + definition});
    return true;
  }

  bool read_plugin(StringRef word) {
    const StringRef path = word.substr(StringRef("-fplugin=").size());
    if (path == installation_.clang_plugin) found_.language.push_back(word.str());
    return path == installation_.clang_plugin || path == installation_.host_plugin;
  }

  bool read_inner() {
    const auto word = next();
    if (!word) return false;
    if (StringRef(*word).starts_with("-cuid=")) return true;
    if (*word == "-fcuda-include-gpubinary") return next() == "-Xclang" && next().has_value();
    if (!begins_with_one_of(*word, known_inner) && *word != "-target-feature") return false;
    found_.language.insert(found_.language.end(), {"-Xclang", *word});
    if (*word == "-target-feature") return next() == "-Xclang" && keep_pair("-Xclang");
    return true;
  }

  const std::vector<std::string>& pass_;
  const Installation& installation_;
  const std::set<std::string>& overlays_;
  std::size_t at_ = 0;
  HeaderWords found_;
};

}  // namespace

std::optional<HeaderWords> header_words(const std::vector<std::string>& pass,
                                        const Installation& installation,
                                        const std::set<std::string>& overlays) {
  return WordReader(pass, installation, overlays).read();
}

std::vector<MacroWord> macros_that_matter(const HeaderWords& words,
                                          const std::set<std::string, std::less<>>& names) {
  std::vector<MacroWord> found;
  for (const MacroWord& macro : words.macros)
    if (macro.name.starts_with("__") || names.contains(macro.name)) found.push_back(macro);
  return found;
}

}  // namespace gridspan::driver
