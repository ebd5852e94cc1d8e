// Stretches of a sequence: each pair that nothing keeps apart is in exactly one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/stretch.h"

#include "fusion/partition.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gridspan::fusion {
namespace {

/// Launches one behind the other; something of unknown effect stands behind the launch `apart`.
support::LaunchSequence row_of(unsigned count, unsigned apart) {
  support::LaunchSequence sequence;
  sequence.steps.resize(count);
  for (unsigned second = 1; second < count; ++second) {
    support::Neighbours& pair = sequence.neighbours.emplace_back();
    pair.first = second - 1;
    pair.second = second;
    pair.always = pair.open = pair.same_stream = true;
    if (pair.first == apart) pair.between.push_back({support::Between::Kind::call, {}, {}});
  }
  return sequence;
}

TEST(Stretches, HaveEachPairOnce) {
  for (const unsigned count : {2u, 15u, 16u, 17u, 18u, 31u, 32u, 33u, 47u, 100u}) {
    for (const unsigned apart : {0u, 15u, 16u, count / 2, count}) {
      std::vector<unsigned> times(count, 0);  // the pair of this step and the next
      for (const Stretch& one : stretches(row_of(count, apart))) {
        EXPECT_GE(one.steps.size(), 2u);
        EXPECT_LE(one.steps.size(), most_launches);
        for (std::size_t i = 1; i < one.steps.size(); ++i) {
          EXPECT_EQ(one.steps[i], one.steps[i - 1] + 1);
          ++times[one.steps[i - 1]];
        }
      }
      for (unsigned step = 0; step + 1 < count; ++step)
        EXPECT_EQ(times[step], step == apart ? 0 : 1) << count << " steps, pair " << step;
    }
  }
}

}  // namespace
}  // namespace gridspan::fusion
