// Sorting of options: for us, for gridcc, for nobody here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "nvrtc/options.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
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

/// A macro that headers ask about which every program has: such have names of the language's kind.
bool is_for_headers(std::string_view name) {
  return name.starts_with('_') || name == "NDEBUG" || name.starts_with("CUDA_");
}

/// "N=3" of -DN=3 as preprocessors' lines; empty: a macro for headers, too.
std::string defined(std::string_view definition) {
  const std::size_t equals = definition.find('=');
  const std::string_view left = definition.substr(0, equals), name = left.substr(0, left.find('('));
  if (is_for_headers(name)) return {};
  std::string value(equals == std::string_view::npos ? "1" : definition.substr(equals + 1));
  std::ranges::replace(value, '\n', ' ');
  return "#undef " + std::string(name) + "\n#define " + std::string(left) + " " + value + "\n";
}

std::string undefined(std::string_view name) {
  return is_for_headers(name) ? "" : "#undef " + std::string(name) + "\n";
}

/// "N=3", where an option is -DN=3, -D N=3 or --define-macro=N=3; `at` is then its last word.
std::optional<std::string> value_of(const std::vector<std::string>& words, std::size_t& at,
                                    std::string_view letter, std::string_view name) {
  const std::string_view word = words[at];
  if (word.starts_with(name) && word.substr(name.size()).starts_with('='))
    return std::string(word.substr(name.size() + 1));
  if (word != letter && word != name)
    return word.starts_with(letter) ? std::optional(words[at].substr(letter.size())) : std::nullopt;
  return at + 1 < words.size() ? std::optional(words[++at]) : std::nullopt;
}

/// nvrtc's own headers declare next to nothing, and programs compiled by it define what they like:
/// int32_t as int, T as float. In our cuda_runtime.h, with the host's standard library, such
/// macros would mean something else. So they come behind it.
void take_out_macros(Options& options) {
  const std::vector<std::string> words = std::move(options.words);
  options.words.clear();
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::size_t first = i;
    std::string lines;
    if (const auto definition = value_of(words, i, "-D", "--define-macro"))
      lines = defined(*definition);
    else if (const auto name = value_of(words, i, "-U", "--undefine-macro"))
      lines = undefined(*name);
    options.macros += lines;
    if (lines.empty())
      options.words.insert(options.words.end(), words.begin() + first, words.begin() + i + 1);
  }
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
  take_out_macros(result);
  return result;
}

}  // namespace gridspan::nvrtc
