// Works from the one place that makes them: who does them, what they do, what is counted.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fake_device.h"
#include "runtime/plan/work_maker.h"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>

namespace gridspan::tests {

using namespace gridspan::runtime;
using regions::BoxCopy;

namespace {

/// Counts the copies that it makes itself, and may be out of the host's reach.
class Copying final : public FakeDevice {
 public:
  explicit Copying(bool is_in_reach) { facts_.host_reaches_memory = is_in_reach; }
  const devices::DeviceFacts& facts() const override { return facts_; }
  devices::RunResult copy_all(std::span<const devices::BoxMove> moves) override {
    made += moves.size();
    return FakeDevice::copy_all(moves);
  }

  std::size_t made = 0;

 private:
  devices::DeviceFacts facts_;
};

struct WorkMakerTest : testing::Test {
  WorkMakerTest() { std::iota(from.begin(), from.end(), 'A'); }
  CopyStep step(unsigned target, unsigned source, std::vector<BoxCopy> boxes, std::uint64_t bytes) {
    return {nullptr,
            source,
            target,
            {},
            std::make_shared<const std::vector<BoxCopy>>(boxes),
            bytes,
            Cause::change_over};
  }

  Copying near{true}, far{false};
  std::vector<Lane> lanes{{&near, nullptr}, {&far, nullptr}};
  FirstFault fault;
  Traffic traffic;
  WorkMaker works{lanes, fault, traffic};
  std::string from = std::string(21, 'x'), to = std::string(21, '.');
};

/// A device that can't read the other's memory has the other one make the copy, which then is not
/// begun in the order of its own queue.
TEST_F(WorkMakerTest, TheMakerOfACopyReadsBothSides) {
  const auto out = works.copy(step(0, 1, {{3, {5}}, {11, {2}}}, 7), to.data(), from.data());
  EXPECT_FALSE(out->only_begins());
  out->run();
  EXPECT_EQ(far.made, 2u);
  EXPECT_EQ(near.made, 0u);
  EXPECT_EQ(to, "...DEFGH...LM........");
  const auto in = works.copy(step(1, 0, {{0, {1}}}, 1), to.data(), from.data());
  EXPECT_TRUE(in->only_begins());
  in->run();
  EXPECT_EQ(far.made, 3u);
  EXPECT_EQ(near.made, 0u);
  EXPECT_EQ(to, "A..DEFGH...LM........");
  EXPECT_EQ(traffic.of(Cause::change_over).bytes.get(), 8u);
  EXPECT_EQ(traffic.between.bytes.get(), 8u);
}

TEST_F(WorkMakerTest, CausesDecideWhatIsCounted) {
  const auto stretches = [this](std::size_t bytes) {
    Stretches all;
    all.add({to.data(), from.data(), bytes});
    return all;
  };
  works.stretches(1, stretches(3), Cause::upload)->run();
  EXPECT_EQ(to.substr(0, 4), "ABC.");
  works.stretches(1, stretches(5), Cause::download);
  works.stretches(1, stretches(7), Cause::copy);
  works.between_hosts(stretches(11));
  EXPECT_EQ(traffic.from_host.bytes.get(), 3u);
  EXPECT_EQ(traffic.to_host.bytes.get(), 5u);
  EXPECT_EQ(traffic.within.bytes.get(), 7u);
  EXPECT_EQ(traffic.of(Cause::copy).bytes.get(), 18u);
  works.moves(1, 1, {{{to.data(), 2, 4}, {from.data(), 3, 6}, {2, 2, 3}}}, Cause::read)->run();
  EXPECT_EQ(to.substr(0, 13), "ABDEGHJKMNPQ.");
  works.moves(0, 1, {{{to.data(), 1, 1}, {from.data(), 1, 1}, {1}}}, Cause::gather);
  EXPECT_EQ(traffic.within.bytes.get(), 19u);
  EXPECT_EQ(traffic.of(Cause::read).bytes.get(), 12u);
  EXPECT_EQ(traffic.between.bytes.get(), 1u);
  EXPECT_EQ(traffic.of(Cause::gather).bytes.get(), 1u);
}

TEST_F(WorkMakerTest, EveryCauseHasAName) {
  std::set<std::string> names;
  for (std::size_t i = 0; i < cause_count; ++i) names.insert(cause_name(static_cast<Cause>(i)));
  EXPECT_EQ(names.size(), cause_count);
  EXPECT_FALSE(names.contains(""));
}

}  // namespace

}  // namespace gridspan::tests
