// The text of launch sequences: what is read, and what is refused.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/launch_sequences.h"

#include <gtest/gtest.h>

namespace gridspan::support {
namespace {

const std::string whole = R"(gridspan-sequences 1
sequence 12 _Z3runPfS_i my app.cu
loop -1 30 my app.cu
loop 0 31 my app.cu
step launch 1 always 32 my app.cu
from 44 other.h
from 45 my app.cu
kernel _Z1kPfi
grid v5 #1 #1
block #256 #1 #1
shared #0
stream v9
arguments v1 v2 ?
step copy -1 sometimes 40 my app.cu
stream v9
arguments v1 v18446744073709551615 #64
step launch -1 always 0 
kernel ?
grid ? ? ?
block ? ? ?
shared ?
stream ?
fresh v1
fresh v2
derived v3 v1 v2
derived v4
apart v3 v4
pair 0 0 1 always open
equal 0 1
equal 1 0
same grid block shared stream
pair 0 1 -1 sometimes closed
same stream
between wait 32 cudaDeviceSynchronize my app.cu
between call 0 ? 
end 3
)";

std::string replaced(const std::string& from, const std::string& to) {
  std::string text = whole;
  const auto at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return text.replace(at, from.size(), to);
}

std::string problem(const std::string& text) {
  auto read = parse_sequences(text);
  return read ? "" : read.error().message;
}

TEST(LaunchSequences, AreReadWithAllTheirParts) {
  auto read = parse_sequences(whole);
  ASSERT_TRUE(read) << read.error().message;
  ASSERT_EQ(read->size(), 1u);
  const LaunchSequence& one = read->front();
  EXPECT_EQ(one.function, "_Z3runPfS_i");
  EXPECT_EQ(one.place, (SourcePlace{"my app.cu", 12}));
  ASSERT_EQ(one.loops.size(), 2u);
  EXPECT_EQ(one.loops[0].outer, -1);
  EXPECT_EQ(one.loops[1].outer, 0);
  EXPECT_EQ(one.loops[1].place.line, 31u);
  ASSERT_EQ(one.steps.size(), 3u);
  const LaunchStep& launch = one.steps[0];
  EXPECT_EQ(launch.kind, LaunchStep::Kind::launch);
  EXPECT_EQ(launch.loop, 1);
  EXPECT_TRUE(launch.always);
  EXPECT_EQ(launch.kernel, "_Z1kPfi");
  EXPECT_EQ(launch.from, (std::vector<SourcePlace>{{"other.h", 44}, {"my app.cu", 45}}));
  const SequenceValue v5{SequenceValue::Kind::value, 5},
      one_block{SequenceValue::Kind::constant, 1};
  EXPECT_EQ(launch.grid, (std::array{v5, one_block, one_block}));
  EXPECT_EQ(launch.block[0].number, 256u);
  ASSERT_EQ(launch.arguments.size(), 3u);
  EXPECT_EQ(launch.arguments[2].kind, SequenceValue::Kind::unknown);
  EXPECT_FALSE(one.steps[1].always);
  EXPECT_EQ(one.steps[1].arguments[1].number, ~std::uint64_t{0});
  EXPECT_TRUE(one.steps[2].kernel.empty());
  EXPECT_EQ(one.steps[2].place, SourcePlace{});
  EXPECT_EQ(one.fresh, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(one.derived, (std::vector<LaunchSequence::Derived>{{3, {1, 2}}, {4, {}}}));
  ASSERT_EQ(one.neighbours.size(), 2u);
  const Neighbours &turn = one.neighbours[0], &next = one.neighbours[1];
  EXPECT_EQ(turn.turn, 1);
  EXPECT_TRUE(turn.open && !next.open);
  EXPECT_TRUE(turn.always && turn.same_grid && turn.same_block && turn.same_shared &&
              turn.same_stream);
  EXPECT_EQ(turn.equal_arguments, (std::vector<std::pair<unsigned, unsigned>>{{0, 1}, {1, 0}}));
  EXPECT_TRUE(turn.between.empty());
  EXPECT_FALSE(next.always || next.same_grid || next.same_block || next.same_shared);
  EXPECT_TRUE(next.same_stream);
  ASSERT_EQ(next.between.size(), 2u);
  EXPECT_EQ(next.between[0].kind, Between::Kind::wait);
  EXPECT_EQ(next.between[0].name, "cudaDeviceSynchronize");
  EXPECT_EQ(next.between[0].place, (SourcePlace{"my app.cu", 32}));
  EXPECT_EQ(next.between[1].kind, Between::Kind::call);
  EXPECT_EQ(next.between[1].name, "");
}

TEST(LaunchSequences, OfSeveralObjectsMayFollowOneAnother) {
  auto read = parse_sequences(whole + whole);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->size(), 2u);
  EXPECT_TRUE(parse_sequences("")->empty());
  EXPECT_TRUE(parse_sequences("gridspan-sequences 1\n")->empty());
}

TEST(LaunchSequences, UnknownValuesAreNeverTheSame) {
  const SequenceValue unknown, seven{SequenceValue::Kind::value, 7},
      constant{SequenceValue::Kind::constant, 7};
  EXPECT_FALSE(unknown.is_same(unknown));
  EXPECT_FALSE(seven.is_same(constant));
  EXPECT_TRUE(seven.is_same(seven));
}

TEST(LaunchSequences, OfAnotherKindAreRefused) {
  EXPECT_EQ(problem("hello\n"), "line 1 of the sequences is not what gridcc writes");
  EXPECT_EQ(problem("sequence 1 f a.cu\n"), "line 1 of the sequences is not what gridcc writes");
  EXPECT_EQ(problem("gridspan-sequences 2\n"), "line 1 of the sequences is of another version");
  EXPECT_EQ(problem(std::string(100, '\0')), "line 1 of the sequences is cut short");
}

/// At every byte: a line's end is an end only where no sequence is open.
TEST(LaunchSequences, ThatAreCutShortAreRefused) {
  for (std::size_t size = 1; size < whole.size(); ++size) {
    const std::string cut = whole.substr(0, size);
    if (cut != "gridspan-sequences 1\n") EXPECT_NE(problem(cut), "") << size;
  }
}

TEST(LaunchSequences, ThatAreDamagedAreRefusedWithTheLine) {
  const std::pair<const char*, const char*> changes[] = {
      {"loop 0 31", "loop 1 31"},          // its own outer loop
      {"loop -1 30", "loop -2 30"},        //
      {"step launch 1", "step launch 2"},  // no such loop
      {"step launch 1", "step lunch 1"},
      {"always 32", "ever 32"},
      {"block #256 #1 #1", "block #256 #1"},
      {"block #256 #1 #1", "block #256 #1 #1 #1"},
      {"grid v5", "grid w5"},
      {"grid v5", "grid v"},
      {"grid v5", "grid v-5"},
      {"v18446744073709551615", "v18446744073709551616"},
      {"fresh v1", "fresh #1"},
      {"derived v3 v1 v2", "derived v3 v1 #2"},
      {"apart v3 v4", "apart v3"},
      {"pair 0 0 1", "pair 0 3 1"},
      {"pair 0 0 1", "pair 0 0 2"},
      {"pair 0 0 1", "pair -1 0 1"},
      {"always open", "always ajar"},
      {"always open", "always"},
      {"equal 0 1", "equal 0 3"},
      {"equal 0 1", "equal 3 0"},
      {"same grid", "same greed"},
      {"between wait", "between weight"},
      {"end 3", "end 2"},
      {"step copy", "same grid\nstep copy"},                 // before any pair
      {"sequence 12", "loop -1 30 my app.cu\nsequence 12"},  // before any sequence
      {"fresh v1", "sequence 1 f a.cu"},                     // inside another
      {"end 3", "step fill -1 always 1 a.cu\nend 4"},        // pairs are there already
      {"kernel ?", "\nkernel ?"},
  };
  for (const auto& [from, to] : changes)
    EXPECT_TRUE(problem(replaced(from, to)).ends_with(" of the sequences is damaged"))
        << from << " -> " << to << ": " << problem(replaced(from, to));
  EXPECT_EQ(problem(replaced("grid v5", "grid w5")), "line 9 of the sequences is damaged");
}

}  // namespace
}  // namespace gridspan::support
