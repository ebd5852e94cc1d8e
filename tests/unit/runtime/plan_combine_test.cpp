// Identities and combinations of every operation and type.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/combine.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace gridspan::tests {

using abi::ReductionOp;
using runtime::Combiner;
using runtime::combiner;

namespace {

template <class T>
std::vector<T> combined(ReductionOp op, std::vector<T> to, const std::vector<T>& from) {
  const Combiner with = combiner(op, sizeof(T));
  with.combine(reinterpret_cast<char*>(to.data()), reinterpret_cast<const char*>(from.data()),
               from.size());
  return to;
}

/// Numbers of all kinds, and every pair of them.
template <class T>
std::vector<T> edges() {
  using Limits = std::numeric_limits<T>;
  std::vector<T> values{T(0), T(1), T(2), T(-1), T(77), Limits::max(), Limits::lowest()};
  if constexpr (!Limits::is_integer) {
    values.insert(values.end(), {T(-0.0), Limits::infinity(), -Limits::infinity(), T(0.1),
                                 Limits::denorm_min(), -Limits::min()});
  }
  return values;
}

template <class T, class Reference>
void expect(ReductionOp op, Reference reference) {
  std::vector<T> to, from, want;
  for (const T a : edges<T>()) {
    for (const T b : edges<T>()) {
      const T both = reference(a, b);
      if (both != both) continue;  // inf - inf
      to.push_back(a), from.push_back(b), want.push_back(both);
    }
  }
  EXPECT_EQ(combined(op, to, from), want);

  std::vector<T> identity(to.size());
  combiner(op, sizeof(T)).fill(reinterpret_cast<char*>(identity.data()), identity.size());
  const std::vector<T> same = combined(op, to, identity);
  EXPECT_EQ(std::memcmp(same.data(), to.data(), to.size() * sizeof(T)), 0);
  EXPECT_EQ(combined(op, identity, from), from);
}

template <class Signed, class Unsigned>
void expect_integers() {
  const auto sum = [](Unsigned a, Unsigned b) { return static_cast<Unsigned>(a + b); };
  expect<Unsigned>(ReductionOp::add, sum);
  expect<Signed>(ReductionOp::add, [&](Signed a, Signed b) {
    return static_cast<Signed>(sum(static_cast<Unsigned>(a), static_cast<Unsigned>(b)));
  });
  expect<Signed>(ReductionOp::min, [](Signed a, Signed b) { return b < a ? b : a; });
  expect<Signed>(ReductionOp::max, [](Signed a, Signed b) { return b > a ? b : a; });
  expect<Unsigned>(ReductionOp::unsigned_min, [](Unsigned a, Unsigned b) { return b < a ? b : a; });
  expect<Unsigned>(ReductionOp::unsigned_max, [](Unsigned a, Unsigned b) { return b > a ? b : a; });
  expect<Unsigned>(ReductionOp::bit_and, [](Unsigned a, Unsigned b) { return Unsigned(a & b); });
  expect<Unsigned>(ReductionOp::bit_or, [](Unsigned a, Unsigned b) { return Unsigned(a | b); });
  expect<Unsigned>(ReductionOp::bit_xor, [](Unsigned a, Unsigned b) { return Unsigned(a ^ b); });
}

TEST(Combine, Integers) {
  expect_integers<std::int8_t, std::uint8_t>();
  expect_integers<std::int16_t, std::uint16_t>();
  expect_integers<std::int32_t, std::uint32_t>();
  expect_integers<std::int64_t, std::uint64_t>();
}

template <class T>
void expect_floats() {
  expect<T>(ReductionOp::float_add, [](T a, T b) { return a + b; });
  expect<T>(ReductionOp::float_min, [](T a, T b) { return b < a ? b : a; });
  expect<T>(ReductionOp::float_max, [](T a, T b) { return b > a ? b : a; });
  // Whoever was never updated keeps its NaN; who was updated forgets it.
  const T nan = std::numeric_limits<T>::quiet_NaN();
  EXPECT_TRUE(std::isnan(combined<T>(ReductionOp::float_min, {nan}, {nan})[0]));
  EXPECT_EQ(combined<T>(ReductionOp::float_max, {nan}, {T(3)})[0], T(3));
  // Its very bits, whatever they mean.
  const std::vector<T> signalling = {std::numeric_limits<T>::signaling_NaN()};
  for (const ReductionOp op :
       {ReductionOp::float_add, ReductionOp::float_min, ReductionOp::float_max}) {
    std::vector<T> identity(1);
    combiner(op, sizeof(T)).fill(reinterpret_cast<char*>(identity.data()), 1);
    const std::vector<T> kept = combined(op, signalling, identity);
    EXPECT_EQ(std::memcmp(kept.data(), signalling.data(), sizeof(T)), 0);
  }
}

TEST(Combine, Floats) {
  expect_floats<float>();
  expect_floats<double>();
}

TEST(Combine, OnlyWhatIsKnown) {
  EXPECT_TRUE(runtime::can_combine(ReductionOp::add, 8));
  for (const ReductionOp op : {ReductionOp::none, ReductionOp::increment, ReductionOp::decrement}) {
    EXPECT_FALSE(runtime::can_combine(op, 4));
  }
  EXPECT_FALSE(runtime::can_combine(ReductionOp::add, 0));
  EXPECT_FALSE(runtime::can_combine(ReductionOp::add, 3));
  EXPECT_FALSE(runtime::can_combine(ReductionOp::float_add, 2));
  EXPECT_FALSE(runtime::can_combine(ReductionOp::float_max, 16));
}

}  // namespace

}  // namespace gridspan::tests
