// Sorting of options: for us, for gridcc, for nobody here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace gridspan::nvrtc {
namespace {

/// About nvrtc's own parts, or GPU code; `--NAME=VALUE` or `--NAME`.
constexpr std::array<std::string_view, 22> without_effect = {"--builtin-move-forward",
                                                             "-builtin-move-forward",
                                                             "--builtin-initializer-list",
                                                             "-builtin-initializer-list",
                                                             "--device-int128",
                                                             "-device-int128",
                                                             "--optimization-info",
                                                             "-opt-info",
                                                             "--version-ident",
                                                             "-dQ",
                                                             "--no-cache",
                                                             "-no-cache",
                                                             "--gen-opt-lto",
                                                             "--extensible-whole-program",
                                                             "--device-stack-protector",
                                                             "-device-stack-protector",
                                                             "--fdevice-time-trace",
                                                             "--device-float128",
                                                             "--Ofast-compile",
                                                             "-Ofc",
                                                             "-pch",
                                                             "--pch"};

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::ranges::find(words, word) != words.end();
}

/// "-D NAME" in one string: an option and its value.
std::size_t space_behind_option(std::string_view text) {
  std::size_t end = 0;
  while (end < text.size() && (text[end] == '-' || text[end] == '_' ||
                               std::isalnum(static_cast<unsigned char>(text[end]))))
    ++end;
  return end > 1 && end < text.size() && text[end] == ' ' ? end : std::string_view::npos;
}

}  // namespace

Options translate(int count, const char* const* options) {
  Options result;
  for (int i = 0; i < count; ++i) {
    const std::string_view word = options[i] ? options[i] : "";
    if (is_one_of(word, {"-default-device", "--device-as-default-execution-space"})) {
      result.default_device = true;
    } else if (is_one_of(word, {"--no-source-include", "-no-source-include"})) {
      result.includes_own_folder = false;
    } else if (word.empty() || std::ranges::find(without_effect, word.substr(0, word.find('='))) !=
                                   without_effect.end()) {
      continue;
    } else if (const std::size_t space = space_behind_option(word);
               word.starts_with('-') && space != std::string_view::npos) {
      result.words.emplace_back(word.substr(0, space));
      result.words.emplace_back(word.substr(word.find_first_not_of(' ', space)));
    } else {
      result.words.emplace_back(word);
    }
  }
  return result;
}

}  // namespace gridspan::nvrtc
