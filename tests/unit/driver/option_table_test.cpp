// The option table is consistent, and parsing obeys it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/invocation.h"
#include "driver/options.h"

#include <gtest/gtest.h>

#include <set>

namespace gridspan::driver {
namespace {

/// The words with which a user would give this option.
std::vector<std::string> example(const Option& option, std::string_view spelling) {
  std::string word(spelling);
  std::string value = option.value_name == "N" ? "1" : "value";
  switch (option.form) {
    case Form::flag:
      return {word};
    case Form::joined:
      return {word + value};
    case Form::equals:
      return {word + "=" + value};
    default:
      return {word, value};
  }
}

TEST(OptionTable, EverySpellingLeadsToItsRow) {
  for (const Option& option : option_table())
    for (std::string_view spelling : option.spellings) {
      if (spelling.empty()) break;
      auto arguments = parse_arguments(example(option, spelling));
      ASSERT_TRUE(arguments) << spelling << ": " << arguments.error().message;
      ASSERT_EQ(arguments->size(), 1u) << spelling;
      EXPECT_EQ(arguments->front().option, &option) << spelling;
    }
}

TEST(OptionTable, RowsSayWhatTheirMeaningNeeds) {
  for (const Option& option : option_table()) {
    if (option.meaning == Meaning::forward) EXPECT_NE(option.to, to_nothing) << option.spellings[0];
    if (option.meaning == Meaning::unsupported)
      EXPECT_FALSE(option.help.empty()) << option.spellings[0];
    for (std::string_view spelling : option.spellings)
      EXPECT_TRUE(spelling.empty() || spelling.starts_with("-")) << spelling;
  }
}

/// Every meaning has an effect: no row may reach the end of Reader::read.
TEST(OptionTable, EveryOptionHasAnEffect) {
  for (const Option& option : option_table()) {
    std::vector<std::string> words = example(option, option.spellings[0]);
    words.push_back("x.cu");
    auto arguments = parse_arguments(words);
    ASSERT_TRUE(arguments) << option.spellings[0];
    (void)understand(*arguments);  // some values are refused; none may crash
  }
}

TEST(OptionTable, TheLongestSpellingWins) {
  auto meaning = [](std::string word) {
    return parse_arguments({&word, 1})->front().option->meaning;
  };
  EXPECT_EQ(meaning("-lineinfo"), Meaning::ignored);
  EXPECT_EQ(meaning("-lineinfos"), Meaning::library);
  EXPECT_EQ(meaning("-fmad=false"), Meaning::contraction);
  EXPECT_EQ(meaning("-fmadness"), Meaning::forward);
  EXPECT_EQ(meaning("-gencode=arch=compute_80"), Meaning::generate_code);
  EXPECT_EQ(meaning("-g3"), Meaning::debug);
}

TEST(OptionTable, NvccsWerrorTakesAValueClangsDoesNot) {
  std::vector<std::string> nvcc = {"-Werror", "all-warnings", "x.cu"};
  EXPECT_EQ(parse_arguments(nvcc)->size(), 2u);
  std::vector<std::string> clang = {"-Werror", "x.cu"};
  EXPECT_EQ(parse_arguments(clang)->size(), 2u);
  std::vector<std::string> several = {"-Werror", "reorder,cross-execution-space-call", "x.cu"};
  EXPECT_EQ(parse_arguments(several)->size(), 2u);
}

TEST(OptionTable, AfterTwoDashesComeFiles) {
  std::vector<std::string> words = {"-c", "--", "-c"};
  auto arguments = parse_arguments(words);
  ASSERT_TRUE(arguments);
  EXPECT_EQ(arguments->back().option, nullptr);
  EXPECT_EQ(arguments->back().value, "-c");
}

}  // namespace
}  // namespace gridspan::driver
