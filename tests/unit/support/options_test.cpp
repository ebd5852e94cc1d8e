// The option table: parsing, refusals, suggestions, help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/options.h"
#include "support/device_words.h"

#include <gtest/gtest.h>

#include <initializer_list>

using namespace gridspan::support;

namespace {

Result<Options> parse(std::initializer_list<std::string_view> environment,
                      std::vector<std::string>* remarks = nullptr) {
  const std::vector<std::string_view> variables(environment);
  return parse_options(variables, remarks);
}

std::string error_of(std::initializer_list<std::string_view> environment) {
  const auto options = parse(environment);
  return options ? "no error" : options.error().message;
}

TEST(Options, DefaultsWithoutVariables) {
  const auto options = parse({"PATH=/bin", "HOME=/root"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->devices, std::vector<DeviceTerm>{DeviceTerm{}});
  EXPECT_EQ(options->threads, 0u);
  EXPECT_EQ(options->log.level, LogLevel::error);
  EXPECT_EQ(options->cpu, CpuMode::regions);
  EXPECT_FALSE(options->verify);
  EXPECT_FALSE(options->isolate);
  EXPECT_EQ(options->policy, PlanPolicy::usual);
  EXPECT_EQ(options->ablation, Ablation::none);
  EXPECT_EQ(options->measure, Measure::once);
  EXPECT_EQ(options->failure.kind, InjectedFailure::Kind::none);
}

TEST(Options, ReadsEveryVariable) {
  const auto options =
      parse({"GRIDSPAN_DEVICES=cpu:1", "GRIDSPAN_THREADS=12", "GRIDSPAN_LOG=debug:/tmp/a:b",
             "GRIDSPAN_CPU=interpret", "GRIDSPAN_VERIFY=1:77", "GRIDSPAN_ISOLATE=1",
             "GRIDSPAN_FAULT=3:copy:250", "GRIDSPAN_COPY_MEMORY=48M", "GRIDSPAN_POLICY=mekong",
             "GRIDSPAN_ABLATE=patterns", "GRIDSPAN_VIRTUAL_GPUS=16", "GRIDSPAN_MEASURE=again"});
  ASSERT_TRUE(options);
  EXPECT_EQ(options->threads, 12u);
  EXPECT_EQ(options->copy_memory, 48u << 20);
  EXPECT_EQ(options->log.level, LogLevel::debug);
  EXPECT_EQ(options->log.file, "/tmp/a:b");
  EXPECT_EQ(options->cpu, CpuMode::interpret);
  EXPECT_TRUE(options->verify);
  EXPECT_EQ(options->verify_seed, 77u);
  EXPECT_TRUE(options->isolate);
  EXPECT_EQ(options->failure.kind, InjectedFailure::Kind::copy);
  EXPECT_EQ(options->failure.device, 3u);
  EXPECT_EQ(options->failure.after, 250u);
  EXPECT_EQ(options->policy, PlanPolicy::mekong);
  EXPECT_EQ(options->ablation, Ablation::patterns);
  EXPECT_EQ(options->virtual_gpus, 16u);
  EXPECT_EQ(options->measure, Measure::again);
}

TEST(Options, RefusesWrongValuesNamingVariableAndGrammar) {
  for (const char* value : {"0", "-1", "4097", "x", "3x", " 3", "99999999999999999999"}) {
    const std::string entry = std::string("GRIDSPAN_THREADS=") + value;
    const std::string message = error_of({entry});
    EXPECT_NE(message.find("GRIDSPAN_THREADS='" + std::string(value) + "'"), std::string::npos);
    EXPECT_NE(message.find("expected N, from 1 to 4096"), std::string::npos) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos);
  }
  for (const char* value : {"0", "17", "-1", "two", "2x", "all"})
    EXPECT_NE(
        error_of({std::string("GRIDSPAN_VIRTUAL_GPUS=") + value}).find("expected N, from 1 to 16"),
        std::string::npos)
        << value;
  for (const char* wrong : {"never", "random", "random:", "random:x", "random:-1"})
    EXPECT_NE(error_of({std::string("GRIDSPAN_POLICY=") + wrong})
                  .find("usual | fixed | random:SEED | always | mekong"),
              std::string::npos)
        << wrong;
  EXPECT_NE(error_of({"GRIDSPAN_MEASURE=1"}).find("once | again | off"), std::string::npos);
  EXPECT_NE(error_of({"GRIDSPAN_ABLATE=1"}).find("none | transfers"), std::string::npos);
  EXPECT_NE(error_of({"GRIDSPAN_LOG=verbose"}).find("off | error"), std::string::npos);
  EXPECT_NE(error_of({"GRIDSPAN_LOG=info:"}).find("off | error"), std::string::npos);
  for (const char* value : {"2", "yes", "1:", "1:x", ":1"})
    EXPECT_NE(error_of({std::string("GRIDSPAN_VERIFY=") + value}).find("0 | 1, then"),
              std::string::npos);
  for (const char* value : {"copy", "1:copy", "1::5", "1:copy:", ":copy:5", "1:nap:5", "64:copy:5"})
    EXPECT_NE(error_of({std::string("GRIDSPAN_FAULT=") + value}).find("expected DEVICE:reserve"),
              std::string::npos)
        << value;
  EXPECT_NE(error_of({"GRIDSPAN_ISOLATE=2"}).find("expected 0 | 1"), std::string::npos);
  EXPECT_NE(error_of({"GRIDSPAN_CPU=Regions"}).find("regions | interpret"), std::string::npos);
}

TEST(Options, ReadsSeveralDevices) {
  const auto options = parse({"GRIDSPAN_DEVICES=cpu:4x2+numa+cuda:1"});
  ASSERT_TRUE(options);
  const std::vector<DeviceTerm> want{{"cpu", 4, 2, {}}, {"numa", 1, 0, {}}, {"cuda", 1, 0, {1}}};
  EXPECT_EQ(options->devices, want);
}

TEST(Options, ReadsThatThereIsNoDevice) {
  const auto options = parse({"GRIDSPAN_DEVICES=none"});
  ASSERT_TRUE(options);
  EXPECT_TRUE(options->no_device);
  EXPECT_FALSE(parse({"GRIDSPAN_DEVICES=cpu"})->no_device);
  EXPECT_NE(error_of({"GRIDSPAN_DEVICES=cpu+none"}).find("'none' is not a device"),
            std::string::npos);
}

TEST(Options, WrongDevicesAreAnsweredWithTheGrammar) {
  const std::pair<const char*, const char*> wrong[] = {
      {"gpu", "'gpu'"}, {"cpu:2+", "''"}, {"cpu:2x", "'cpu:2x'"}, {"cpu+numa:3", "'numa:3'"}};
  for (const auto& [value, term] : wrong) {
    EXPECT_EQ(error_of({std::string("GRIDSPAN_DEVICES=") + value}),
              std::string("GRIDSPAN_DEVICES='") + value + "': " + term +
                  " is not a device; expected " + std::string(device_usage));
  }
}

TEST(Options, Checks) {
  EXPECT_FALSE(parse({})->checks);
  EXPECT_EQ(parse({"GRIDSPAN_CHECK=none"})->checks, Checks());
  EXPECT_EQ(parse({"GRIDSPAN_CHECK=leaks,memory"})->checks,
            (Checks{.memory = true, .leaks = true}));
  EXPECT_EQ(parse({"GRIDSPAN_CHECK=all"})->checks,
            parse({"GRIDSPAN_CHECK=memory,init,race,sync,leaks"})->checks);
  const std::string expected =
      "; expected all | none | memory, init, race, sync, leaks, joined by ','";
  EXPECT_EQ(
      error_of({"GRIDSPAN_CHECK=memory,races"}),
      "GRIDSPAN_CHECK='memory,races': there is no check 'races', did you mean 'race'?" + expected);
  for (const char* wrong : {"GRIDSPAN_CHECK=1", "GRIDSPAN_CHECK=,", "GRIDSPAN_CHECK=all,memory"})
    EXPECT_NE(error_of({wrong}).find(expected), std::string::npos) << wrong;
}

TEST(Options, DeviceGrammar) {
  const auto terms = parse_devices("cpu+cpu:3+cpu:4x16+numa+cuda+cuda:0,2+cuda:1x3,0");
  ASSERT_TRUE(terms);
  const std::vector<DeviceTerm> want{
      {"cpu", 1, 0, {}},  {"cpu", 3, 0, {}},      {"cpu", 4, 16, {}},          {"numa", 1, 0, {}},
      {"cuda", 1, 0, {}}, {"cuda", 1, 0, {0, 2}}, {"cuda", 1, 0, {1, 1, 1, 0}}};
  EXPECT_EQ(*terms, want);
  for (const char* wrong :
       {"",        "+",        "cpu+",      "+cpu",   "cpu:",  "cpu:0",   "cpu:x",
        "cpu:2x",  "cpu:2x0",  "cpu:2x3x4", "numa:2", "cuda:", "cuda:1,", "cuda:a",
        "cuda:0x", "cuda:0x0", "cuda:x2",   "CPU",    "gpu",   "cpu cpu", "cpu:1 "}) {
    EXPECT_FALSE(parse_devices(wrong)) << wrong;
  }
}

TEST(Options, AnswersMistypedNames) {
  std::vector<std::string> remarks;
  ASSERT_TRUE(parse(
      {"GRIDSPAN_THREAD=2", "GRIDSPAN_LGO=info", "GRIDSPAN_=1", "GRIDSPAN_QUITE_ANOTHER_THING=1"},
      &remarks));
  ASSERT_EQ(remarks.size(), 4u);
  EXPECT_NE(remarks[0].find("did you mean GRIDSPAN_THREADS?"), std::string::npos) << remarks[0];
  EXPECT_NE(remarks[1].find("did you mean GRIDSPAN_LOG?"), std::string::npos) << remarks[1];
  EXPECT_NE(remarks[3].find("known are GRIDSPAN_DEVICES GRIDSPAN_THREADS"), std::string::npos);
}

TEST(Options, HelpShowsEveryRow) {
  const std::string help = options_help();
  for (const Option& option : option_table()) {
    EXPECT_NE(help.find(option.variable), std::string::npos);
    EXPECT_NE(help.find(option.grammar), std::string::npos);
    EXPECT_NE(help.find(option.fallback), std::string::npos);
  }
  for (std::size_t start = 0; start < help.size();) {
    const std::size_t end = help.find('\n', start);
    EXPECT_LE(end - start, 100u) << help.substr(start, end - start);
    start = end + 1;
  }
}

TEST(Options, OfMemoryBeyondTheGpus) {
  EXPECT_TRUE(parse({})->oversubscribe.spills);
  EXPECT_EQ(parse({})->oversubscribe.most_on_gpu, 0u);
  EXPECT_FALSE(parse({"GRIDSPAN_OVERSUBSCRIBE=strict"})->oversubscribe.spills);
  const auto limited = parse({"GRIDSPAN_OVERSUBSCRIBE=spill:3G"});
  ASSERT_TRUE(limited);
  EXPECT_TRUE(limited->oversubscribe.spills);
  EXPECT_EQ(limited->oversubscribe.most_on_gpu, std::uint64_t{3} << 30);
  const auto both = parse({"GRIDSPAN_OVERSUBSCRIBE=strict:512K"});
  ASSERT_TRUE(both);
  EXPECT_FALSE(both->oversubscribe.spills);
  EXPECT_EQ(both->oversubscribe.most_on_gpu, 512u << 10);
  for (const char* const wrong : {"spill:", "spills", "strict:3", "spill:0M", "spill:1M:2M", "3G"})
    EXPECT_FALSE(parse({std::string("GRIDSPAN_OVERSUBSCRIBE=") + wrong})) << wrong;
}

}  // namespace
