// Folders under names that stand for what is in them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace gridspan::support {
namespace {

namespace fs = std::filesystem;

struct ScratchFolders : testing::Test {
  ScratchFolders() { setenv("TMPDIR", outer.path("").c_str(), 1); }
  ~ScratchFolders() override { unsetenv("TMPDIR"); }
  ScratchFolder outer = *ScratchFolder::make();
};

std::string path_of(const ScratchFolder& folder) {
  return fs::path(folder.path("x")).parent_path();
}

TEST_F(ScratchFolders, HaveTheSameNamesNextTime) {
  std::string first, second;
  {
    const auto one = ScratchFolder::make_for("a text"), two = ScratchFolder::make_for("a text"),
               other = ScratchFolder::make_for("another");
    ASSERT_TRUE(one && two && other);
    first = path_of(*one);
    second = path_of(*two);
    EXPECT_NE(first, second);
    EXPECT_NE(first, path_of(*other));
    ASSERT_TRUE(one->write("folder", "file", "content"));
    EXPECT_EQ(read_file(one->path("folder/file")), "content");
  }
  EXPECT_FALSE(fs::exists(first));
  const auto one = ScratchFolder::make_for("a text"), two = ScratchFolder::make_for("a text");
  EXPECT_EQ(path_of(*one), first);
  EXPECT_EQ(path_of(*two), second);
}

TEST_F(ScratchFolders, StepOverWhatAKilledProcessLeft) {
  const std::string name = path_of(*ScratchFolder::make_for("a text"));
  fs::create_directory(name);
  std::ofstream(name + "/file") << "left";
  EXPECT_NE(path_of(*ScratchFolder::make_for("a text")), name);
  EXPECT_TRUE(fs::exists(name + "/file"));
  fs::last_write_time(name, fs::file_time_type::clock::now() - std::chrono::hours(2));
  const auto again = ScratchFolder::make_for("a text");
  EXPECT_EQ(path_of(*again), name);
  EXPECT_FALSE(fs::exists(name + "/file"));
}

TEST_F(ScratchFolders, ReadWholeFiles) {
  const std::string name = outer.path("file"), content(100'000, 'x');
  EXPECT_EQ(read_file(name), "");
  std::ofstream(name) << content << '\0' << content;
  EXPECT_EQ(read_file(name), content + '\0' + content);
  EXPECT_NE(read_file("/proc/self/status"), "");  // whose size is 0
}

}  // namespace
}  // namespace gridspan::support
