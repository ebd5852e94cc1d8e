// Parsing of gridcc's command line against the option table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/options.h"
#include "support/spelling.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace gridspan::driver {
namespace {

struct Match {
  const Option* option = nullptr;
  std::string_view spelling;
  std::optional<std::string> value;  // empty: take the next word, if the form wants a value
};

bool takes_next_word(Form form) {
  return form == Form::separate || form == Form::joined_or_separate ||
         form == Form::equals_or_separate || form == Form::any_way;
}

/// `-t4`, `-t=4`, but not `-total`.
bool is_number(std::string_view text) {
  return text.find_first_not_of("=0123456789") == std::string_view::npos;
}

/// Does `word` spell the option this way? Sets the value that is part of the word.
std::optional<Match> match_spelling(const Option& option, std::string_view spelling,
                                    std::string_view word) {
  if (!word.starts_with(spelling)) return std::nullopt;
  std::string_view rest = word.substr(spelling.size());
  Match match{&option, spelling, std::nullopt};
  if (rest.empty()) {
    if (option.form == Form::equals) return std::nullopt;
    if (option.form == Form::joined) match.value = "";
    return match;
  }
  switch (option.form) {
    case Form::flag:
    case Form::separate:
      return std::nullopt;
    case Form::joined:
    case Form::joined_or_separate:
      if (option.value_name == "N" && !is_number(rest)) return std::nullopt;
      match.value = rest;
      return match;
    case Form::any_way:
      if (option.value_name == "N" && !is_number(rest)) return std::nullopt;
      match.value = rest.front() == '=' ? rest.substr(1) : rest;
      return match;
    case Form::equals:
    case Form::equals_or_separate:
      if (rest.front() != '=') return std::nullopt;
      match.value = rest.substr(1);
      return match;
  }
  return std::nullopt;
}

/// The longest spelling wins: `-lineinfo` is not the library "ineinfo".
std::optional<Match> find_option(std::string_view word) {
  std::optional<Match> best;
  for (const Option& option : option_table()) {
    for (std::string_view spelling : option.spellings) {
      if (spelling.empty()) break;
      auto match = match_spelling(option, spelling, word);
      if (match && (!best || best->spelling.size() < spelling.size())) best = std::move(match);
    }
  }
  return best;
}

/// Every spelling a person may have meant.
std::vector<std::string_view> known_spellings() {
  std::vector<std::string_view> known;
  for (const Option& option : option_table())
    if (option.group != Group::hidden)
      for (std::string_view spelling : option.spellings)
        if (spelling.size() > 2) known.push_back(spelling);
  return known;
}

std::string unknown_option(const std::string& word) {
  std::string text = "unknown option '" + word + "'";
  std::string_view name = std::string_view(word).substr(0, word.find('='));
  std::string_view meant = support::nearest(name, known_spellings());
  if (!meant.empty()) text += "; did you mean '" + std::string(meant) + "'?";
  return text;
}

/// nvcc's `-Werror KIND,…` takes a value, clang's `-Werror` does not: these words tell them apart.
bool is_nvcc_warning_list(std::string_view word) {
  static constexpr std::array<std::string_view, 8> kinds = {"all-warnings",
                                                            "cross-execution-space-call",
                                                            "reorder",
                                                            "default-stream-launch",
                                                            "missing-launch-bounds",
                                                            "ext-lambda-captures-this",
                                                            "deprecated-declarations",
                                                            "deprecated-gpu-targets"};
  std::string_view first = word.substr(0, word.find(','));
  return std::find(kinds.begin(), kinds.end(), first) != kinds.end();
}

/// nvcc's `-O 3` and `-m 64`; clang's `-O` stands alone.
bool is_value_of_its_own(const Option& option, std::string_view value, std::string_view next) {
  if (option.form != Form::joined || !value.empty()) return false;
  if (option.meaning == Meaning::optimise) return next.size() == 1 && next >= "0" && next <= "3";
  return option.spellings[0] == "-m" && next == "64";
}

/// One argument for each item of nvcc's lists. Commas in quotes, behind a backslash and in
/// brackets, as macros have them, separate nothing.
void append_items(const Argument& argument, std::vector<Argument>& arguments) {
  std::string item;
  int depth = 0;
  char quote = 0;
  auto finish = [&] {
    Argument one = argument;
    one.value = std::exchange(item, {});
    one.words = {argument.spelling, one.value};
    arguments.push_back(std::move(one));
  };
  const std::string& text = argument.value;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\' && i + 1 < text.size() && text[i + 1] == ',') {
      item += text[++i];
      continue;
    }
    if (quote != 0) {
      if (c == quote) quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '(') {
      ++depth;
    } else if (c == ')') {
      --depth;
    } else if (c == ',' && depth <= 0) {
      finish();
      continue;
    }
    item += c;
  }
  finish();
}

}  // namespace

Result<std::vector<Argument>> parse_arguments(std::span<const std::string> words) {
  std::vector<Argument> arguments;
  bool forward_unknown = false;
  std::vector<std::string> unknown;
  bool only_inputs = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    if (only_inputs || word.size() < 2 || word[0] != '-') {
      arguments.push_back({nullptr, "", word, {word}});
      continue;
    }
    if (word == "--") {
      only_inputs = true;
      continue;
    }
    auto match = find_option(word);
    if (!match) {
      unknown.push_back(word);
      static const Option host_flag{{""}, Form::flag, Meaning::forward, to_host, Group::hidden,
                                    "",   ""};
      arguments.push_back({&host_flag, word, "", {word}});
      continue;
    }
    const Option& option = *match->option;
    Argument argument{&option, std::string(match->spelling), "", {word}};
    bool wants_next = !match->value && takes_next_word(option.form);
    if (option.meaning == Meaning::warnings_as_errors && option.form == Form::flag)
      wants_next = i + 1 < words.size() && is_nvcc_warning_list(words[i + 1]);
    if (match->value && i + 1 < words.size())
      wants_next |= is_value_of_its_own(option, *match->value, words[i + 1]);
    if (wants_next) {
      if (++i == words.size())
        return support::fail(
            "option '" + word + "' needs a value" +
            (option.value_name.empty() ? std::string() : ": " + std::string(option.value_name)));
      match->value = words[i];
      if (option.form == Form::joined)
        argument.words.front() += words[i];
      else
        argument.words.push_back(words[i]);
    }
    argument.value = match->value.value_or("");
    forward_unknown |= option.meaning == Meaning::forward_unknown;
    if (option.is_list && argument.value.find(',') != std::string::npos)
      append_items(argument, arguments);
    else
      arguments.push_back(std::move(argument));
  }
  if (!unknown.empty() && !forward_unknown) return support::fail(unknown_option(unknown.front()));
  return arguments;
}

std::vector<std::string> clang_words(const Argument& argument) {
  std::string_view spelling = argument.option->clang_spelling;
  if (spelling.empty()) return argument.words;
  if (argument.option->form == Form::flag) return {std::string(spelling)};
  if (spelling.ends_with(' '))
    return {std::string(spelling.substr(0, spelling.size() - 1)), argument.value};
  return {std::string(spelling) + argument.value};
}

}  // namespace gridspan::driver
