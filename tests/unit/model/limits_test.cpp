// Steps within limits, and sets made of constraints.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/limits.h"
#include "model/allowance.h"
#include "model/inequalities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

namespace gridspan::model {
namespace {

// A few hundred operations each.
void work(isl::ctx context, int times) {
  for (int i = 0; i < times; ++i)
    isl::set(context, "[n, m] -> { [i, j] : 0 <= i < n and i <= 2j < m + i }")
        .project_out_all_params();
}

unsigned long cost(isl::ctx context, int times) {
  unsigned long done = 0;
  within_limit(context, 100'000'000, [&] { work(context, times); }, &done);
  return done;
}

TEST(Steps, GiveUpTheOneThatTakesTooLong) {
  IslContext context;
  const unsigned long one = cost(context.get(), 4);
  Steps steps(context.get(), 3 * one);
  std::vector<bool> inner;
  const bool outer = steps.run([&] {
    for (int times : {4, 4, 40, 4, 4, 4}) {
      inner.push_back(steps.run([&] { work(context.get(), times); }));
      work(context.get(), 1);
    }
  });
  EXPECT_TRUE(outer);  // its steps do not count for it
  EXPECT_EQ(inner, (std::vector{true, true, false, true, true, true}));
  EXPECT_FALSE(steps.run([&] { work(context.get(), 40); }));
}

TEST(Steps, EndWithTheLimitAroundThem) {
  IslContext context;
  const unsigned long one = cost(context.get(), 4);
  Steps steps(context.get(), 100 * one);
  int begun = 0;
  const bool done = within_limit(context.get(), 5 * one, [&] {
    steps.run([&] {
      for (int i = 0; i < 100; ++i) {
        ++begun;
        steps.run([&] { work(context.get(), 4); });
      }
    });
  });
  EXPECT_FALSE(done);
  EXPECT_LT(begun, 20);
  EXPECT_TRUE(steps.run([&] { work(context.get(), 4); }));  // nothing is left of the limit
}

// 40 kernels that take all that they get.
TEST(Allowance, GivesKernelsLessOnceHalfIsGone) {
  constexpr unsigned long one = 1'000'000;
  Allowance allowance(10 * one);
  std::vector<unsigned long> shares;
  unsigned long together = 0;
  for (int kernel = 0; kernel < 40; ++kernel) {
    shares.push_back(allowance.share(one));
    together += shares.back();
    allowance.spend(shares.back());
  }
  EXPECT_TRUE(allowance.has_given_less());
  EXPECT_FALSE(allowance.has_given_less());       // since it was asked
  EXPECT_EQ(std::ranges::count(shares, one), 6);  // the sixth finds half of it
  EXPECT_TRUE(std::ranges::is_sorted(shares, std::greater()));
  EXPECT_LE(together, 10 * one + 40 * (one / 256));  // none gets nothing
  EXPECT_GT(shares.back(), 0u);
}

TEST(Allowance, GrowsWithTheNumberOfKernels) {
  EXPECT_EQ(module_work(1), module_work(100));
  EXPECT_EQ(module_work(1000), 1000 * (module_work(100) / 100));
}

TEST(Allowance, LeavesEachKernelALittleHoweverMuchOneTook) {
  Allowance allowance(1000);
  EXPECT_EQ(allowance.share(2560), 2560u);
  EXPECT_FALSE(allowance.has_given_less());
  allowance.spend(1'000'000);
  EXPECT_EQ(allowance.share(2560), 10u);
}

// isl hands back nothing and names no error: an object that a limit left incomplete.
TEST(Limits, AnErrorWithoutAWordCountsAsReached) {
  IslContext context;
  const auto fail = [&] { isl::exception::throw_last_error(context.get()); };
  EXPECT_FALSE(within_limit(context.get(), 1'000'000, fail));
  Steps steps(context.get(), 1'000'000);
  EXPECT_FALSE(steps.run(fail));
  EXPECT_THROW(
      within_limit(context.get(), 1'000'000, [&] { isl::set(context.get(), "{ [i] : not isl }"); }),
      isl::exception);
}

TEST(Constraints, AreTheSetTheyDescribe) {
  IslContext context;
  Constraints constraints;
  const Sum a(std::string("a")), b(std::string("b'"));
  constraints.add(a >= 2);
  constraints.add_cases({{b == a + 1}, {b <= a - 3, a <= 9}});
  isl::set made = constraints.set(context.get());
  made = isl::manage(isl_set_set_dim_name(made.release(), isl_dim_param, 1, "b"));
  EXPECT_TRUE(made.is_equal(isl::set(
      context.get(), "[a, b] -> { : a >= 2 and (b = a + 1 or (b <= a - 3 and a <= 9)) }")));
}

}  // namespace
}  // namespace gridspan::model
