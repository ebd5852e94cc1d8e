// The log: levels, files, whole lines.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/log.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <thread>
#include <vector>

using namespace gridspan::support;

namespace {

class Log : public testing::Test {
 protected:
  void SetUp() override {
    const int file = ::mkstemp(path_.data());
    ASSERT_GE(file, 0);
    ::close(file);
  }
  void TearDown() override {
    EXPECT_TRUE(set_log({LogLevel::error, ""}));
    ::unlink(path_.c_str());
  }
  std::string written() const {
    std::ifstream file(path_);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string path_ = "/tmp/gridspan_log_XXXXXX";
};

TEST_F(Log, WritesWhatIsAskedForAndNoMore) {
  ASSERT_TRUE(set_log({LogLevel::warn, path_}));
  EXPECT_TRUE(logs(LogLevel::error));
  EXPECT_TRUE(logs(LogLevel::warn));
  EXPECT_FALSE(logs(LogLevel::info));
  log(LogLevel::error, "one %d", 1);
  log(LogLevel::warn, "two");
  log(LogLevel::info, "three");
  log_text(LogLevel::error, "a.cu:1:2: error: four");
  EXPECT_EQ(written(),
            "gridspan: error: one 1\ngridspan: warning: two\ngridspan: a.cu:1:2: error: four\n");
}

TEST_F(Log, OffIsOff) {
  ASSERT_TRUE(set_log({LogLevel::off, path_}));
  log(LogLevel::error, "nothing");
  log_text(LogLevel::error, "nothing");
  EXPECT_EQ(written(), "");
}

TEST_F(Log, LongMessagesAreCutNotBroken) {
  ASSERT_TRUE(set_log({LogLevel::error, path_}));
  log(LogLevel::error, "%s", std::string(10000, 'x').c_str());
  const std::string text = written();
  EXPECT_GT(text.size(), 1000u);
  EXPECT_EQ(text.back(), '\n');
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST_F(Log, LinesOfThreadsDoNotMix) {
  ASSERT_TRUE(set_log({LogLevel::info, path_}));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([] {
      for (int i = 0; i < 200; ++i) log(LogLevel::info, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    });
  }
  for (auto& thread : threads) thread.join();
  std::ifstream file(path_);
  int lines = 0;
  for (std::string line; std::getline(file, line); ++lines) {
    ASSERT_EQ(line, "gridspan: info: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
  }
  EXPECT_EQ(lines, 800);
}

TEST_F(Log, FilesThatDoNotOpenAreReported) {
  EXPECT_FALSE(set_log({LogLevel::info, "/no/such/folder/file"}));
}

}  // namespace
