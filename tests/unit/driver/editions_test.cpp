// For which architectures a source is compiled once more.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/editions.h"

#include <gtest/gtest.h>

namespace gridspan::driver {
namespace {

using Parts = std::vector<Levels>;

TEST(Editions, ValuesThatLieBetweenTellArchitecturesApart) {
  const Levels levels = {70, 75, 80, 86, 90};
  EXPECT_EQ(parts_of(levels, ""), Parts{levels});
  EXPECT_EQ(parts_of(levels, "350\n700\n1000\n"), Parts{levels});
  EXPECT_EQ(parts_of(levels, "800\n"), (Parts{{70, 75}, {80, 86, 90}}));
  EXPECT_EQ(parts_of(levels, "701\n900\n"), (Parts{{70}, {75, 80, 86}, {90}}));
  EXPECT_EQ(parts_of({80}, "any\n"), Parts{{80}});
}

TEST(Editions, ASourceThatComputesWithItIsAnotherForEach) {
  EXPECT_EQ(parts_of({70, 75, 80}, "any\n800\n"), (Parts{{70}, {75}, {80}}));
}

TEST(Editions, ArchitecturesThatNoPtxIsForAreLeftOut) {
  EXPECT_EQ(with_code({50, 60, 70, 80}), (Levels{70, 80}));
  EXPECT_EQ(with_code({50, 60, 80}), (Levels{60, 80}));  // sm_70 has what sm_60 has
  EXPECT_EQ(with_code({50, 60}), Levels{60});
  EXPECT_EQ(with_code({90}), Levels{90});
}

TEST(Editions, EachIsForGpusBeforeTheNext) {
  CudaUnit unit;
  unit.device.bitcode_path = "x.bc";
  unit.device.ptx.level = 100;
  unit.device.options_json = R"({"ptx":"100","gridcc":"1"})";
  unit.device_step.arguments = {"--ptx-for=100", "-g"};
  use_editions(unit, 90, {edition_for(unit, 80), edition_for(unit, 75)});
  ASSERT_EQ(unit.device.editions.size(), 2u);
  EXPECT_EQ(unit.device.editions[0].level, 75u);
  EXPECT_EQ(unit.device.editions[0].below, 80u);
  EXPECT_EQ(unit.device.editions[1].level, 80u);
  EXPECT_EQ(unit.device.editions[1].below, 90u);
  EXPECT_EQ(unit.device.ptx.level, 90u);
  EXPECT_TRUE(unit.device.ptx.follows_others);
  EXPECT_EQ(unit.device.options_json, R"({"gridcc":"1","ptx":"90,follows,fused"})");
  EXPECT_EQ(unit.device_step.arguments,
            (std::vector<std::string>{"--ptx-for=90,follows,fused", "-g",
                                      "--edition=75,80,x.bc.sm_75", "--edition=80,90,x.bc.sm_80"}));
}

TEST(Editions, ThePassHasItsOwnLevelAndFiles) {
  CudaUnit unit;
  unit.overlay.directory = "w/overlay";
  unit.rule = "x.d";
  unit.host_pass = Command{"clang", {}};
  unit.device_pass = {"clang",
                      {"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=900", "-MD", "-MF", "x.d",
                       "-ivfsoverlay", unit.overlay.description_path(),
                       "-fplugin-arg-gridspan-cures=x", "-fplugin-arg-gridspan-late=y",
                       "-fplugin-arg-gridspan-architectures=z", "-c", "-o", "x.bc", "x.cu"}};
  const CudaUnit made = unit_of(unit, {"e.bc", 75, 80});
  EXPECT_FALSE(made.host_pass);
  EXPECT_EQ(made.device_pass.program, "clang");
  EXPECT_NE(made.overlay.description_path(), unit.overlay.description_path());
  EXPECT_EQ(made.device_pass.arguments,
            (std::vector<std::string>{"-U__CUDA_ARCH__", "-D__CUDA_ARCH__=750", "-MD",
                                      "-ivfsoverlay", made.overlay.description_path(),
                                      "-fplugin-arg-gridspan-cures=e.bc.cures",
                                      "-fplugin-arg-gridspan-late=e.bc.late",
                                      "-fplugin-arg-gridspan-architectures=e.bc.architectures",
                                      "-c", "x.cu", "-MF", "e.bc.d", "-o", "e.bc"}));
  EXPECT_EQ(made.device_rules, std::vector<std::string>{"e.bc.d"});
}

}  // namespace
}  // namespace gridspan::driver
