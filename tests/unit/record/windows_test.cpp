// Windows of made-up happenings, and of a recording by hand.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/record/windows.h"

#include "runtime/record/happenings.h"
#include "runtime/record/log_file.h"
#include "temporary_file.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace gridspan::tests {
namespace {

using namespace runtime::record;
using Kind = Happening::Kind;

Happening launch(std::uint64_t command, std::uint64_t stream = 0, std::uint64_t graph = 0) {
  return {Kind::launch, command, stream, graph, {}, 0, 0};
}
Happening inside(std::uint64_t command) { return {Kind::inside, command, 0, 0, {}, 0, 0}; }
Happening end(std::string reason) { return {Kind::end, 0, 0, 0, std::move(reason), 0, 0}; }
Happening memory(Kind kind, std::uint64_t address, std::uint64_t size = 0) {
  return {kind, 0, 0, 0, {}, address, size};
}

/// "1 2 3 | wait" for each window.
std::vector<std::string> texts(const std::vector<Window>& windows) {
  std::vector<std::string> all;
  for (const Window& window : windows) {
    std::string text = window.is_graph ? "graph " : "";
    for (const std::uint64_t command : window.commands) text += std::to_string(command) + " ";
    text += "| " + window.end;
    for (const std::uintptr_t base : window.freed) text += ", freed " + std::to_string(base);
    all.push_back(text);
  }
  return all;
}

using Texts = std::vector<std::string>;

TEST(Windows, EndAtWaitsAndOtherStreams) {
  EXPECT_EQ(texts(windows_of(std::vector{launch(1), launch(2), end("wait"), launch(3, 7),
                                         launch(4, 8), launch(5, 8)})),
            (Texts{"1 2 | wait", "3 | work on another stream", "4 5 | the end of the recording"}));
  EXPECT_EQ(texts(windows_of({})), Texts{});
}

TEST(Windows, CopiesAndFillsJoinLaunches) {
  EXPECT_EQ(texts(windows_of(std::vector{inside(1), end("wait"), inside(2), launch(3), inside(4),
                                         end("wait"), end("wait")})),
            Texts{"2 3 4 | wait"});
}

TEST(Windows, WhatIsGivenBackIsDead) {
  EXPECT_EQ(
      texts(windows_of(std::vector{launch(1), memory(Kind::freed, 100), memory(Kind::freed, 200),
                                   launch(2), end("wait"), memory(Kind::freed, 300), launch(3)})),
      (Texts{"1 | memory is given back, freed 100, freed 200", "2 | wait",
             "3 | the end of the recording"}));
}

TEST(Windows, StreamOrderGoesOnUntilMemoryComesAgain) {
  const auto with = [](std::uint64_t came) {
    return std::vector{
        launch(1), memory(Kind::retired, 100),   launch(2), memory(Kind::gone, 100, 50),
        launch(3), memory(Kind::came, came, 50), launch(4)};
  };
  EXPECT_EQ(texts(windows_of(with(150))), Texts{"1 2 3 4 | the end of the recording, freed 100"});
  EXPECT_EQ(texts(windows_of(with(149))),
            (Texts{"1 2 3 | memory that was given back is allocated again, freed 100",
                   "4 | the end of the recording"}));
}

TEST(Windows, AGraphIsAWindow) {
  EXPECT_EQ(
      texts(windows_of(std::vector{launch(1), launch(2, 0, 4), launch(3, 5, 4), launch(4, 0, 4),
                                   launch(5, 0, 6), launch(6, 0, 6), launch(7)})),
      (Texts{"1 | a graph launch begins", "graph 2 3 4 | a graph launch ends",
             "graph 5 6 | a graph launch ends", "7 | the end of the recording"}));
}

TEST(Windows, HaveALimit) {
  std::vector<Happening> all;
  for (std::uint64_t i = 1; i <= 130; ++i) all.push_back(launch(i));
  const auto windows = windows_of(all);
  ASSERT_EQ(windows.size(), 3u);
  EXPECT_EQ(windows[0].launches, 64u);
  EXPECT_EQ(windows[0].end, "64 launches");
  EXPECT_EQ(windows[2].launches, 2u);
}

CallNote call(std::string name, std::uint64_t command, std::vector<NamedText> arguments = {},
              std::string result = "cudaSuccess") {
  return {0, 1, std::move(name), std::move(arguments), std::move(result), command};
}

LaunchNote launched(std::uint64_t command) { return {command, 0, 0, {}, {}, 0, {}}; }

/// Calls may return, and be noted, long before or after their commands run.
TEST(Happenings, CallsStandBehindTheirCommands) {
  const NamedText stream{"stream", "0x70"}, timed{"event", "0x1"}, untimed{"event", "0x2"};
  const std::vector<Record> records{
      Header{},
      call("cudaEventCreate", 0, {{"event", "[0x1]"}}),
      call("cudaEventCreateWithFlags", 0, {{"event", "[0x2]"}, {"flags", "2"}}),
      call("cudaLaunchKernel", 1, {stream}),
      call("cudaEventRecord", 2, {untimed, stream}),
      call("cudaLaunchKernel", 3, {stream}),
      call("cudaGetLastError", 0),
      call("cudaEventRecord", 4, {timed, stream}),
      call("cudaLaunchKernel", 5, {stream}),
      call("cudaEventQuery", 0, {}, "cudaErrorNotReady"),
      call("cudaLaunchKernel", 6, {stream}),
      launched(1),
      EventNote{2, 9},
      launched(3),
      EventNote{4, 8},
      launched(5),
      launched(6),
      call("cudaStreamSynchronize", 0),
      call("cudaLaunchKernel", 7, {stream}),
      call("cudaLaunchHostFunc", 8, {{"handle", "0x70"}}),
      call("cudaLaunchKernel", 9, {stream}),
      call("cudaFreeAsync", 10, {{"pointer", "0x500"}, {"handle", "0x70"}}),
      call("cudaLaunchKernel", 11, {stream}),
      launched(7),
      launched(9),
      launched(11),
      call("cudaFree", 0, {{"pointer", "0x600"}}),
      call("cudaGraphLaunch", 14, {{"handle", "0x3"}, {"stream_handle", "0x70"}}),
      launched(12),
      FillNote{13, {0x600, 0, 0, false}, {}, 0},
      launched(14),
      CopyNote{15, {0x600, 0, 0, false}, {0x700, 0, 0, true}, {}, {}},
      call("cudaLaunchKernel", 16, {stream}),
      launched(16),
      call("cudaLaunchKernelExC", 17, {{"config", "{grid=(4, 1, 1), shared=0, stream=0x70}"}}),
      call("cudaLaunchKernel", 18, {{"stream", "null"}}),
      launched(17),
      launched(18),
  };
  const TemporaryFile file;
  {
    auto writer = LogWriter::open(file.name());
    for (const Record& record : records) writer->write(record);
  }
  const auto happenings = happenings_of(file.name());
  ASSERT_TRUE(happenings);
  EXPECT_EQ(
      texts(windows_of(*happenings)),
      (Texts{"1 3 | an event that takes a time", "5 | cudaEventQuery", "6 | cudaStreamSynchronize",
             "7 | cudaLaunchHostFunc", "9 11 | memory is given back, freed 1280, freed 1536",
             "graph 12 13 14 | a copy from the host", "16 17 | work on another stream",
             "18 | the end of the recording"}));
}

/// Numbers may be anything: a hostile file must not keep anybody busy.
TEST(Happenings, NumbersMayBeLarge) {
  const TemporaryFile file;
  {
    auto writer = LogWriter::open(file.name());
    writer->write(Header{});
    writer->write(call("cudaLaunchKernel", ~0ull - 1));
    writer->write(call("cudaStreamSynchronize", 0, {}, "cudaErrorLaunchFailure"));
    writer->write(launched(1));
    writer->write(launched(1ull << 62));
    writer->write(launched(~0ull - 1));
  }
  const auto happenings = happenings_of(file.name());
  ASSERT_TRUE(happenings);
  EXPECT_EQ(texts(windows_of(*happenings)).back(), "18446744073709551614 | cudaStreamSynchronize");
}

TEST(Happenings, DamageIsTold) { EXPECT_FALSE(happenings_of("/nowhere/at.all")); }

}  // namespace
}  // namespace gridspan::tests
