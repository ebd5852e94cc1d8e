// Names in joined models.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/joined.h"

#include "fusion/renaming.h"
#include "model/factors.h"
#include "sequence.h"

#include <gtest/gtest.h>

#include <sstream>

namespace gridspan::fusion::test {
namespace {

std::string text(const isl::set& set) {
  std::ostringstream out;
  out << set;
  return out.str();
}

TEST(Renaming, NamesMayChangePlaces) {
  const model::IslContext context;
  const isl::set set(context.get(), "[a, b] -> { A[i] : a <= i < b }");
  EXPECT_TRUE(renamed(set, {{"a", "b"}, {"b", "a"}})
                  .is_equal(isl::set(context.get(), "[a, b] -> { A[i] : b <= i < a }")))
      << text(renamed(set, {{"a", "b"}, {"b", "a"}}));
  const isl::map map(context.get(), "[a] -> { [k, o] -> A[k + 2o + 3a] }");
  EXPECT_TRUE(renamed(map, {{"a", "n"}})
                  .is_equal(isl::map(context.get(), "[n] -> { [k, o] -> A[k + 2o + 3n] }")));
  const isl::pw_aff value(context.get(), "[a, b] -> { [(a - b)] }");
  EXPECT_TRUE(renamed(value, {{"a", "b"}, {"b", "a"}})
                  .plain_is_equal(isl::pw_aff(context.get(), "[b, a] -> { [(b - a)] }")));
}

TEST(Joined, EqualValuesHaveOneNameOthersTheirOwn) {
  const model::IslContext context;
  Sequence sequence;
  for (int i = 0; i < 2; ++i) {
    TestLaunch& launch = sequence.emplace_back(context.get());
    launch.linear("A", AccessKind::read, {}).linear("B", AccessKind::write, {.of_m = true});
  }
  sequence.back().m_value = 'q';
  const std::vector<Launch> both = launches(sequence);
  const Joined joined = join(both);
  const auto arguments = std::ranges::count(
      joined.kernel.parameters, model::Parameter::Kind::argument, &model::Parameter::kind);
  EXPECT_EQ(arguments, 3);  // n, m, and the second launch's m
  ASSERT_NE(model::find_parameter(joined.kernel, "m_2"), nullptr);
  ASSERT_EQ(joined.kernel.arrays.size(), 2u);
  EXPECT_EQ(joined.launch_of[0], (std::vector<unsigned>{0, 1}));
  EXPECT_EQ(joined.names[1].at(1), "B");
  const isl::set guard = joined.kernel.arrays[1].accesses[1].relation.domain().params();
  EXPECT_FALSE(guard.intersect(isl::set(context.get(), "[m_2] -> { : m_2 >= 1 }")).is_empty());
  EXPECT_TRUE(guard.intersect(isl::set(context.get(), "[m_2] -> { : m_2 < 1 }")).is_empty());
}

TEST(Joined, TwoArgumentsOfOneValueKeepTwoNames) {
  const model::IslContext context;
  Sequence sequence;
  for (int i = 0; i < 2; ++i) {
    TestLaunch& launch = sequence.emplace_back(context.get());
    launch.plane("A", AccessKind::read, 0, 0, 0).plane("B", AccessKind::write, 0, 0, 0);
    launch.m_value = 'n';
  }
  const std::vector<Launch> both = launches(sequence);
  const Joined joined = join(both);
  EXPECT_NE(model::find_parameter(joined.kernel, "n"), nullptr);
  EXPECT_NE(model::find_parameter(joined.kernel, "m"), nullptr);
  EXPECT_EQ(model::find_parameter(joined.kernel, "m_2"), nullptr);
  const auto& accesses = joined.kernel.arrays[0].accesses;
  EXPECT_TRUE(accesses[0].relation.is_equal(accesses[1].relation));
}

TEST(Joined, OneShapeOneArray) {
  const model::IslContext context;
  Sequence sequence;
  sequence.emplace_back(context.get()).plane("A", AccessKind::write, 0, 0, 0);
  sequence.emplace_back(context.get()).linear("A", AccessKind::read, {});
  const std::vector<Launch> both = launches(sequence);
  const Joined joined = join(both);
  ASSERT_EQ(joined.kernel.arrays.size(), 2u);
  EXPECT_EQ(joined.kernel.arrays[0].argument, joined.kernel.arrays[1].argument);
}

}  // namespace
}  // namespace gridspan::fusion::test
