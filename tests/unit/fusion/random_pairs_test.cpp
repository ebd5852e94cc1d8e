// Random pairs of launches: where gluing is said to be legal, no two blocks of other index meet.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/glue.h"
#include "sequence.h"

#include <gtest/gtest.h>

#include <random>

namespace gridspan::fusion::test {
namespace {

using model::test::Index;
using Shape = model::test::Launch;

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  long number(long low, long high) {
    return std::uniform_int_distribution<long>(low, high)(engine_);
  }
  template <class Value>
  Value one_of(std::initializer_list<Value> values) {
    return values.begin()[number(0, static_cast<long>(values.size()) - 1)];
  }

 private:
  std::mt19937 engine_;
};

void add_access(Random& random, TestLaunch& launch, bool is_plane) {
  const std::string name = random.one_of<std::string>({"A", "B"});
  const AccessKind kind = random.one_of({AccessKind::read, AccessKind::write});
  const long shift = random.one_of({0L, 0L, 0L, 1L, -1L});
  if (is_plane) {
    launch.plane(name, kind, shift, random.one_of({0L, 0L, 1L}), 1);
  } else if (random.number(0, 7) == 0) {
    random.number(0, 1) == 0 ? launch.of_block(name, kind) : launch.all(name, kind);
  } else if (random.number(0, 7) == 0) {
    launch.mirrored(name, kind);
  } else {
    launch.linear(name, kind,
                  {random.one_of({1L, 1L, 1L, 2L}), shift, random.one_of({0L, 0L, 1L}),
                   random.one_of({0L, 0L, 1L}), random.number(0, 5) == 0});
  }
}

Shape random_shape(Random& random, bool is_plane) {
  Shape shape;
  shape.grid = {random.number(1, 4), is_plane ? random.number(1, 3) : 1, 1};
  shape.block = {random.number(1, 5), is_plane ? random.number(1, 4) : 1, 1};
  shape.arguments = {{"n", random.number(1, 20)}, {"m", random.number(1, 20)}};
  return shape;
}

bool meet(const Elements& one, const Elements& other) {
  for (const Element& element : one)
    if (other.contains(element)) return true;
  return false;
}

/// Whether blocks of other index touch an element, one of them writing.
bool conflict(const TestLaunch& earlier, const TestLaunch& later, const Shape& shape) {
  bool found = false;
  for_each_block(shape, [&](const Index& one) {
    for_each_block(shape, [&](const Index& other) {
      if (one == other || found) return;
      for (const char array : {'A', 'B'}) {
        const auto touched = [&](const TestLaunch& launch, const Index& block, AccessKind kind) {
          return launch.touched(array, kind, shape, block);
        };
        const Elements written = touched(earlier, one, AccessKind::write);
        found |=
            meet(written, touched(later, other, AccessKind::read)) ||
            meet(written, touched(later, other, AccessKind::write)) ||
            meet(touched(earlier, one, AccessKind::read), touched(later, other, AccessKind::write));
      }
    });
  });
  return found;
}

/// Whether threads of one block touch an element, one of them writing.
bool threads_conflict(const TestLaunch& earlier, const TestLaunch& later, const Shape& shape) {
  bool found = false;
  for_each_block(shape, [&](const Index& block) {
    for_each_thread(shape, [&](const Index& one) {
      for_each_thread(shape, [&](const Index& other) {
        if (one == other || found) return;
        for (const char array : {'A', 'B'}) {
          const auto touched = [&](const TestLaunch& launch, const Index& thread, AccessKind kind) {
            return launch.touched(array, kind, shape, block, thread);
          };
          const Elements written = touched(earlier, one, AccessKind::write);
          found |= meet(written, touched(later, other, AccessKind::read)) ||
                   meet(written, touched(later, other, AccessKind::write)) ||
                   meet(touched(earlier, one, AccessKind::read),
                        touched(later, other, AccessKind::write));
        }
      });
    });
  });
  return found;
}

struct Counts {
  int always = 0, sometimes = 0, never = 0;
  int registers = 0, barriers = 0;
  int illegal_launches = 0, refused_launches = 0;  // of those that brute force allows
};

void try_pair(Random& random, Counts& counts) {
  const model::IslContext context;
  const bool is_plane = random.number(0, 3) == 0;
  Sequence pair;
  for (int i = 0; i < 2; ++i) {
    TestLaunch& launch = pair.emplace_back(context.get());
    for (long count = random.number(1, 3); count > 0; --count) add_access(random, launch, is_plane);
  }
  const std::vector<Launch> both = launches(pair);
  const Joined joined = join(both);
  model::ProofLimits limits;
  model::Instances instances(joined.kernel);
  const Footprints footprints(joined, instances, limits);
  Conflicts conflicts(joined, instances, footprints, limits);
  const Glue verdict = glue(joined, both, conflicts, 0, 1);
  (verdict.answer == Glue::Answer::always      ? counts.always
   : verdict.answer == Glue::Answer::sometimes ? counts.sometimes
                                               : counts.never)++;
  const bool may_be = verdict.answer == Glue::Answer::always;
  if (may_be) (verdict.needs_barrier ? counts.barriers : counts.registers)++;
  EXPECT_EQ(verdict.reason.empty(), verdict.answer == Glue::Answer::always);
  for (int i = 0; i < 12; ++i) {
    const Shape shape = random_shape(random, is_plane);
    const bool is_legal = verdict.answer == Glue::Answer::always;
    const bool conflicts_here = conflict(pair.front(), pair.back(), shape);
    EXPECT_FALSE(is_legal && conflicts_here) << verdict.reason;
    EXPECT_FALSE(may_be && !verdict.needs_barrier &&
                 threads_conflict(pair.front(), pair.back(), shape));
    counts.illegal_launches += conflicts_here;
    counts.refused_launches += !conflicts_here && !is_legal;
    if (testing::Test::HasFailure()) return;
  }
}

TEST(RandomPairs, LegalMeansThatNoBlocksMeet) {
  Random random(20261126);
  Counts counts;
  constexpr int pairs = 300;
  for (int i = 0; i < pairs; ++i) {
    SCOPED_TRACE(i);
    try_pair(random, counts);
    if (HasFailure()) return;
  }
  // All answers are given, and launches of both kinds were tried.
  EXPECT_GT(counts.always, pairs / 10);
  EXPECT_GT(counts.never, pairs / 10);
  EXPECT_GT(counts.registers, pairs / 20);
  EXPECT_GT(counts.barriers, 0);
  EXPECT_GT(counts.illegal_launches, pairs);
}

}  // namespace
}  // namespace gridspan::fusion::test
