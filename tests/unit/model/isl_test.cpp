// isl as we use it: the right copy, errors as exceptions, limits, names between spaces.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/isl.h"
#include "model/launch_values.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

using namespace gridspan::model;

namespace {

using Names = std::vector<std::string>;

TEST(Isl, CallsReachTheStaticLibrary) {
  EXPECT_EQ(std::string(isl_version()).find("IMath"), std::string::npos) << isl_version();
  check_isl_version();
}

TEST(Isl, ErrorsThrow) {
  IslContext context;
  EXPECT_THROW(isl::set(context.get(), "{ [i] : not isl }"), isl::exception);
  EXPECT_TRUE(isl::set(context.get(), "{ [i] : i < 0 and i > 0 }").is_empty());
}

// A question that takes many operations.
void hard_work(isl::ctx context) {
  const isl::map step(context,
                      "[n] -> { [i, j] -> [k, l] : 0 <= i < n and (exists a: k = 3a + j and 2l + "
                      "a = i) }");
  isl::map power = step;
  for (int i = 0; i < 4; ++i) power = power.apply_range(step).unite(step);
  power.is_subset(step);
}

TEST(Isl, LimitTurnsIntoFalse) {
  IslContext context;
  EXPECT_FALSE(within_limit(context.get(), 50, [&] { hard_work(context.get()); }));
  bool done = false;
  EXPECT_TRUE(within_limit(context.get(), 1'000'000, [&] {
    hard_work(context.get());
    done = true;
  }));
  EXPECT_TRUE(done);
  EXPECT_EQ(isl_ctx_get_max_operations(context.get().get()), 0UL);
  hard_work(context.get());  // no limit is left behind
}

constexpr const char* three_constraints = "[n] -> { [i] : i >= 0 and i < n and n < 100 }";

TEST(Isl, EveryConstraintIsShown) {
  IslContext context;
  const isl::basic_set set(context.get(), three_constraints);
  isl::set together = isl::set(context.get(), "[n] -> { [i] }");
  int shown = 0;
  for_each_constraint(set, [&](isl_constraint* constraint) {
    ++shown;
    isl_basic_set* alone = isl_basic_set_from_constraint(isl_constraint_copy(constraint));
    together = together.intersect(isl::manage(isl_set_from_basic_set(alone)));
  });
  EXPECT_EQ(shown, 3);
  EXPECT_TRUE(together.is_equal(set.to_set()));
}

// What a caller's own exception leaves behind: nothing (leaks fail the sanitized build).
TEST(Isl, WhatIsThrownAmongConstraintsComesOut) {
  IslContext context;
  const isl::basic_set set(context.get(), three_constraints);
  int shown = 0;
  const auto visit = [&](isl_constraint*) {
    if (++shown == 2) throw std::runtime_error("second");
  };
  EXPECT_THROW(for_each_constraint(set, visit), std::runtime_error);
  EXPECT_EQ(shown, 2);
}

// However few operations are left: all constraints are shown, or it is said that they were not.
TEST(Isl, LimitAmongConstraintsIsNotPassedOver) {
  IslContext context;
  const isl::basic_set set(context.get(), three_constraints);
  int cut_between = 0, finished = 0;
  for (unsigned long operations = 0; operations < 200; ++operations) {
    int shown = 0;
    const bool done = within_limit(context.get(), operations, [&] {
      for_each_constraint(set, [&](isl_constraint* constraint) {
        ++shown;
        for (int i = 0; i < 10; ++i) isl::manage(isl_constraint_get_constant_val(constraint));
      });
    });
    if (done) EXPECT_EQ(shown, 3) << operations;
    cut_between += !done && shown > 0;
    finished += done;
  }
  EXPECT_GT(cut_between, 0);
  EXPECT_GT(finished, 0);
  std::size_t seen = 0;  // isl's own error, with nothing thrown by what is called
  isl_ctx_set_max_operations(context.get().get(), 1);
  EXPECT_THROW(for_each_constraint(set, [&](isl_constraint*) { ++seen; }), isl::exception);
  isl_ctx_set_max_operations(context.get().get(), 0);
  isl_ctx_reset_error(context.get().get());
  EXPECT_LT(seen, 3u);
}

TEST(Isl, OperationsAreCounted) {
  IslContext context;
  unsigned long done = 0, again = 0, none = 1, cut = 0;
  within_limit(context.get(), 1'000'000, [&] { hard_work(context.get()); }, &done);
  within_limit(context.get(), 2'000'000, [&] { hard_work(context.get()); }, &again);
  within_limit(context.get(), 1'000'000, [] {}, &none);
  within_limit(context.get(), 50, [&] { hard_work(context.get()); }, &cut);
  EXPECT_GT(done, 50UL);
  EXPECT_NEAR(static_cast<double>(done), static_cast<double>(again), 100);  // counting counts
  EXPECT_LT(none, 100UL);
  EXPECT_NEAR(static_cast<double>(cut), 50, 40);
}

TEST(Isl, LimitsNest) {
  IslContext context;
  EXPECT_FALSE(within_limit(context.get(), 50, [&] {
    EXPECT_FALSE(within_limit(context.get(), 1'000'000, [&] { hard_work(context.get()); }));
    hard_work(context.get());
  }));
}

TEST(Isl, OtherExceptionsPassTheLimit) {
  IslContext context;
  EXPECT_THROW(within_limit(context.get(), 1000, [] { throw std::runtime_error("other"); }),
               std::runtime_error);
  EXPECT_THROW(within_limit(context.get(), 1000, [&] { isl::set(context.get(), "{"); }),
               isl::exception);
  EXPECT_EQ(isl_ctx_get_max_operations(context.get().get()), 0UL);
}

TEST(Isl, ParametersBecomeDimensionsInOrder) {
  IslContext context;
  const isl::set set(context.get(), "[a, b, n] -> { : 0 <= a < n and b = 2a }");
  const isl::set moved = parameters_to_dimensions(set, Names{"b", "c", "a"});
  EXPECT_TRUE(
      moved.is_equal(isl::set(context.get(), "[n] -> { [b, c, a] : 0 <= a < n and b = 2a }")));
}

TEST(Isl, MapInputsThereAndBack) {
  IslContext context;
  const isl::map map(context.get(), "[a, n] -> { [k] -> A[a + k] : 0 <= a < n }");
  const isl::map moved = parameters_to_dimensions(map, Names{"a"});
  EXPECT_TRUE(
      moved.is_equal(isl::map(context.get(), "[n] -> { [k, a] -> A[a + k] : 0 <= a < n }")));
  EXPECT_TRUE(dimensions_to_parameters(moved).is_equal(
      isl::set(context.get(), "[a, k, n] -> { A[a + k] : 0 <= a < n }")));
}

TEST(Isl, ProjectionIsExistential) {
  IslContext context;
  const isl::set set(context.get(), "[a, n] -> { : 0 <= a < n and a >= 5 }");
  EXPECT_TRUE(project_out_parameters(set, Names{"a", "unknown"})
                  .is_equal(isl::set(context.get(), "[n] -> { : n >= 6 }")));
}

TEST(Isl, InvolvedParameters) {
  IslContext context;
  EXPECT_EQ(involved_parameters(isl::set(context.get(), "[a, b, c] -> { A[i] : a <= i < c }")),
            (Names{"a", "c"}));
  EXPECT_EQ(involved_parameters(isl::pw_aff(context.get(), "[a, b] -> { [(b + 1)] }")),
            (Names{"b"}));
}

TEST(Isl, Values) {
  IslContext context;
  const isl::pw_aff sum = parameter_value(context.get(), "n").add(constant_value(context.get(), 3));
  EXPECT_TRUE(sum.ge_set(constant_value(context.get(), 5))
                  .is_equal(isl::set(context.get(), "[n] -> { : n >= 2 }")));
}

// Wherever within the work the limit is reached, it is nothing but a limit.
TEST(Isl, LimitsEndSampleLaunchesAnywhere) {
  IslContext context;
  const isl::set set(context.get(),
                     "[a, b, c] -> { A[i] : exists q : a <= 3q <= i and b <= i < c + 2q }");
  const Values values{{"a", 1}, {"b", 2}, {"c", 40}};
  bool reached = false, finished = false;
  for (unsigned long limit = 1; !finished && limit < 100'000; limit += 1 + limit / 8) {
    ASSERT_NO_THROW(finished =
                        within_limit(context.get(), limit, [&] { with_values(set, values); }));
    reached |= !finished;
  }
  EXPECT_TRUE(reached);
  EXPECT_TRUE(finished);
  EXPECT_FALSE(with_values(set, values).is_empty());
}

}  // namespace
