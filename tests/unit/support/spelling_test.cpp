// Edit distance against the textbook recursion.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/spelling.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>
#include <string>

using namespace gridspan::support;

namespace {

unsigned distance_by_definition(std::string_view a, std::string_view b) {
  if (a.empty() || b.empty()) return static_cast<unsigned>(a.size() + b.size());
  const auto shorter = [](std::string_view s, std::size_t by = 1) {
    return s.substr(0, s.size() - by);
  };
  unsigned best = std::min(
      {distance_by_definition(shorter(a), b) + 1, distance_by_definition(a, shorter(b)) + 1,
       distance_by_definition(shorter(a), shorter(b)) + (a.back() == b.back() ? 0u : 1u)});
  if (a.size() > 1 && b.size() > 1 && a.back() == b[b.size() - 2] && a[a.size() - 2] == b.back()) {
    best = std::min(best, distance_by_definition(shorter(a, 2), shorter(b, 2)) + 1);
  }
  return best;
}

TEST(Spelling, DistanceAgreesWithItsDefinition) {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    std::string a, b;
    for (unsigned i = random() % 7; i > 0; --i) a += static_cast<char>('a' + random() % 3);
    for (unsigned i = random() % 7; i > 0; --i) b += static_cast<char>('a' + random() % 3);
    ASSERT_EQ(edit_distance(a, b), distance_by_definition(a, b)) << a << " " << b;
  }
}

TEST(Spelling, NearestNamesSlipsOnly) {
  constexpr std::array<std::string_view, 3> words{"alpha", "beta", "gamma"};
  EXPECT_EQ(nearest("alhpa", words), "alpha");
  EXPECT_EQ(nearest("betta", words), "beta");
  EXPECT_EQ(nearest("zzzzz", words), "");
  EXPECT_EQ(nearest("", words), "");
}

}  // namespace
