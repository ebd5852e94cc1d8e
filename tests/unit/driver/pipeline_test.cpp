// The table of stages holds together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/pipeline.h"
#include "codegen/stage_text.h"
#include "driver/invocation.h"
#include "driver/options.h"

#include <gtest/gtest.h>

#include <bit>
#include <set>

namespace gridspan::codegen {
namespace {

bool is_stage(const Stage& stage) { return stage.kind == Stage::Kind::stage; }

TEST(Pipeline, NamesAreUnique) {
  std::set<std::string_view> stages, phases;
  for (const Stage& stage : pipeline()) {
    auto& names = stage.kind == Stage::Kind::phase ? phases : stages;
    EXPECT_TRUE(names.insert(stage.name).second) << stage.name;
    EXPECT_FALSE(stage.does.empty()) << stage.name;
  }
}

TEST(Pipeline, StagesDoSomethingForSomeForm) {
  for (const Stage& stage : pipeline()) {
    EXPECT_EQ(is_stage(stage), !std::holds_alternative<std::monostate>(stage.run)) << stage.name;
    EXPECT_EQ(stage.kind != Stage::Kind::phase, stage.of != 0) << stage.name;
  }
}

/// In each build by itself: what runs in no other may not give anything.
TEST(Pipeline, NeedsAreGivenByEarlierStages) {
  constexpr unsigned ordinary = Stage::cpu | Stage::footprints | Stage::ptx;
  for (const unsigned build :
       {ordinary, unsigned(Stage::recording), unsigned(Stage::specialised)}) {
    std::uint32_t given = 0;
    for (const Stage& stage : pipeline()) {
      if ((stage.of & build) == 0) continue;
      EXPECT_EQ(stage.needs & ~given, 0u) << stage.name << " in build " << build;
      given |= stage.gives;
    }
    EXPECT_TRUE(given & Stage::object);
  }
}

TEST(Pipeline, AllDataHasNamesAndIsGiven) {
  std::uint32_t given = 0, named = 0;
  for (const Stage& stage : pipeline()) given |= stage.gives;
  for (const DataName& one : data_names()) {
    EXPECT_EQ(std::popcount(+one.data), 1);
    named |= one.data;
  }
  EXPECT_EQ(given, named);
}

TEST(Pipeline, LoopsHaveStagesInside) {
  const Stages all = pipeline();
  unsigned loops = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!is_stage(all[i])) continue;
    const Stages inner = inner_stages(all, i);
    for (std::size_t j = 0; j < inner.size(); ++j) EXPECT_GT(depth(inner, j), depth(all, i));
    loops += !inner.empty() && inner.front().kind == Stage::Kind::stage;
  }
  EXPECT_EQ(loops, 6u);
}

TEST(Pipeline, WithoutTakesWhatIsMarked) {
  std::set<std::string_view> marked;
  for (const Stage& stage : pipeline())
    if (!stage.without.empty()) marked.insert(stage.without);
  const auto& names = optional_stages();
  EXPECT_EQ(marked, std::set<std::string_view>(names.begin(), names.end()));
  EXPECT_EQ(marked.size(), names.size());
  for (const Stage& stage : pipeline()) {
    const std::vector<std::string> words = {"--without=" + std::string(stage.name), "x.cu"};
    auto arguments = driver::parse_arguments(words);
    ASSERT_TRUE(arguments);
    const auto task = driver::understand(*arguments);
    EXPECT_EQ(task.has_value(), marked.contains(stage.name)) << stage.name;
    if (task) continue;
    for (std::string_view name : names)
      EXPECT_NE(task.error().message.find(name), std::string::npos) << task.error().message;
  }
}

/// What `explain` can say, some stage says; that a stage names no other fact, the compiler checks.
TEST(Pipeline, EveryFactIsSomeStages) {
  std::uint64_t recorded = 0;
  for (const Stage& stage : pipeline()) recorded |= stage.records;
  for (std::size_t i = 0; i < support::fact_count; ++i) {
    const support::FactKey key(i);
    EXPECT_TRUE(recorded & key.bit()) << key.fact().key;
  }
  EXPECT_EQ(std::bit_width(recorded), static_cast<int>(support::fact_count));
}

TEST(Pipeline, SentencesArePrintedWithTheirStages) {
  const std::string text = stages_text(nullptr);
  EXPECT_NE(text.find("explain: 'tuned: ...', 'was tuned before it changed; ...'"),
            std::string::npos);
  for (const support::Sentence& sentence : support::sentences)
    if (!sentence.begins.empty())
      EXPECT_NE(text.find("'" + std::string(sentence.begins) + "...'"), std::string::npos)
          << sentence.begins;
}

TEST(Pipeline, IsPrintedInOrder) {
  const std::string text = stages_text(nullptr);
  std::size_t at = 0;
  for (const Stage& stage : pipeline()) {
    const bool is_phase = stage.kind == Stage::Kind::phase;
    const std::string name = std::string(stage.name) + (is_phase ? ":" : " ");
    at = text.find(name, at);
    ASSERT_NE(at, std::string::npos) << stage.name;
  }
}

TEST(Pipeline, TimesAreThoseOfStagesAndPhases) {
  StageTimes times;
  times.add(*stage_named("read"), std::chrono::milliseconds(2));
  times.add(*stage_named("language"), std::chrono::milliseconds(3));
  times.add(*stage_named("joins"), std::chrono::milliseconds(100));  // inside another
  const auto phases = phase_times(times);
  ASSERT_EQ(phases.size(), 1u);
  EXPECT_EQ(phases[0].first, "reading device code");
  EXPECT_EQ(phases[0].second / std::chrono::milliseconds(1), 5);
  EXPECT_NE(stages_text(&times).find("   100.00       joins "), std::string::npos);
}

}  // namespace
}  // namespace gridspan::codegen
