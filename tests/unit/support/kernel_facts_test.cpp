// What is said of a kernel follows from what was recorded of it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/kernel_facts.h"

#include <gtest/gtest.h>

#include <set>

namespace gridspan::support {
namespace {

using Lines = std::vector<std::string>;

KernelFacts on_regions() {
  KernelFacts facts;
  facts.set("executor", "regions");
  facts.set("regions", std::uint64_t{2});
  facts.set("block_barriers", std::uint64_t{1});
  facts.set("warp_operations", std::uint64_t{0});
  facts.set("parameters", std::uint64_t{3});
  return facts;
}

TEST(KernelFacts, NamesAreUnique) {
  std::set<std::string_view> keys, shown;
  for (const Fact& fact : known_facts) {
    EXPECT_TRUE(keys.insert(fact.key).second) << fact.key;
    EXPECT_TRUE(fact.shown.empty() || shown.insert(fact.shown).second) << fact.shown;
  }
  EXPECT_EQ(FactKey::named("gpu.packed")->fact().shown, "packed");
  EXPECT_FALSE(FactKey::named("packed"));
}

TEST(KernelFacts, AreSaidInTheOrderOfTheTable) {
  KernelFacts facts = on_regions();
  EXPECT_EQ(said_of(facts),
            (Lines{"runs as 2 regions; 1 block barrier, no warp operations", "3 parameters"}));
  facts.set("tuned", "rows 4");
  facts.set("joins_blocks", true);
  facts.set("joins_rows", true);
  facts.set("row_length", std::uint64_t{32});
  facts.set("scalar_reasons", Lines{"a.cu:1: one", "a.cu:2: two"});
  facts.set("gpu.packed", Lines{"in", "out"});
  EXPECT_EQ(said_of(facts),
            (Lines{"runs as 2 regions; 1 block barrier, no warp operations",
                   "neighbouring blocks along x and y run as one",
                   "faster where blockDim.x is 32, as the kernel's own numbers have it",
                   "threads run one by one (slower): a.cu:1: one",
                   "threads run one by one (slower): a.cu:2: two", "tuned: rows 4", "3 parameters",
                   "on GPUs short of memory in packed boxes of in, out"}));
}

TEST(KernelFacts, OfFibersAreOthers) {
  KernelFacts facts = on_regions();
  facts.set("executor", "fibers");
  facts.set("tuned", "rows 4");  // of code that does not run
  EXPECT_EQ(said_of(facts).front(), "runs on fibers, one a thread (slow): ?");
  facts.set("reason", "a.cu:9: recursion");
  facts.set("gpu.reason", "a.cu:9: recursion");
  EXPECT_EQ(said_of(facts), (Lines{"runs on fibers, one a thread (slow): a.cu:9: recursion",
                                   "1 block barrier, no warp operations", "3 parameters",
                                   "not for GPUs: a.cu:9: recursion"}));
}

TEST(KernelFacts, OneShapeOfNarrowBlocksOrAny) {
  KernelFacts facts = on_regions();
  facts.set("linear_threads", "any");
  EXPECT_EQ(said_of(facts)[1], "as one region, threads numbered through, in blocks of narrow rows");
  facts.set("linear_threads", "4 x 16");
  EXPECT_EQ(said_of(facts)[1],
            "with threads numbered through in blocks of 4 x 16, as its launches "
            "in this source have it");
}

/// As a damaged container has them.
TEST(KernelFacts, OfAnotherTypeAreNotThere) {
  KernelFacts facts = on_regions();
  facts.set("parameters", "many");
  facts.set("joins_rows", std::uint64_t{1});
  facts.set("whole_warps", false);
  facts.set("cut_reason", "");
  facts.set("steps", Lines{});
  EXPECT_EQ(facts.number("parameters"), 0u);
  EXPECT_FALSE(facts.flag("joins_rows"));
  EXPECT_EQ(said_of(facts),
            (Lines{"runs as 2 regions; 1 block barrier, no warp operations", "no parameters"}));
}

TEST(KernelFacts, LaterOnesComeOverEarlier) {
  KernelFacts facts = on_regions(), more;
  more.set("regions", std::uint64_t{1});
  more.set("short_of_work", "a.cu:3");
  facts.add(more);
  EXPECT_EQ(facts.number("regions"), 1u);
  EXPECT_EQ(facts.number("block_barriers"), 1u);
  EXPECT_EQ(said_of(facts)[1],
            "its model may be coarse, since the large kernels of a source share a limit: a.cu:3");
}

}  // namespace
}  // namespace gridspan::support
