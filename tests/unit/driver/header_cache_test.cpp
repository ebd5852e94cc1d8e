// Entries of precompiled headers: when they are made, found, and no longer there.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/header_cache.h"

#include "driver/files.h"

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

namespace gridspan::driver {
namespace {

namespace fs = std::filesystem;

class HeaderCacheTest : public testing::Test {
 protected:
  HeaderCacheTest() {
    folder_ = testing::TempDir() + "header_cache_" + std::to_string(getpid());
    fs::remove_all(folder_);
    fs::create_directories(folder_ + "/made");
    write("a.h", "one");
    write("b c.h", "two");
    write("made/pch", "clang's own bytes");
    write("made/facts", "include a.h\ninclude vector\nname NDEBUG\nname n\n");
    write("made/rule", "x: " + file("a.h") + " \\\n  " + folder_ + "/b\\ c.h " + cache_.source());
    settle();
  }
  ~HeaderCacheTest() override { fs::remove_all(folder_); }

  std::string file(const std::string& name) const { return folder_ + "/" + name; }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(write_file(file(name), text));
  }
  /// Files as old as they are when somebody compiles.
  void settle() const {
    for (const char* name : {"a.h", "b c.h"})
      fs::last_write_time(file(name), fs::file_time_type::clock::now() - std::chrono::seconds(10));
  }
  NewHeaders made() const { return {file("made/pch"), file("made/rule"), file("made/facts")}; }

  /// How often an entry was made.
  int ask(const HeaderCache& cache, const std::string& key) {
    int count = 0;
    cache.make(key, [&] {
      ++count;
      return std::optional(made());
    });
    return count;
  }
  void ask_twice(const HeaderCache& cache, const std::string& key) {
    EXPECT_EQ(ask(cache, key), 0);
    EXPECT_EQ(ask(cache, key), 1);
  }

  std::string folder_;
  HeaderCache cache_{testing::TempDir() + "header_cache_" + std::to_string(getpid()) +
                     "/user/headers"};
};

TEST_F(HeaderCacheTest, IsMadeTheSecondTime) {
  EXPECT_FALSE(cache_.find("k"));
  EXPECT_EQ(ask(cache_, "k"), 0);
  EXPECT_FALSE(cache_.find("k"));
  EXPECT_EQ(ask(cache_, "k"), 1);
  const auto entry = cache_.find("k");
  ASSERT_TRUE(entry);
  EXPECT_EQ(*read_file(entry->pch), "clang's own bytes");
  EXPECT_EQ(entry->files, (std::vector{file("a.h"), file("b c.h"), cache_.source()}));
  EXPECT_EQ(entry->includes, (std::set<std::string>{"a.h", "vector"}));
  EXPECT_TRUE(entry->names.contains("NDEBUG"));
  EXPECT_FALSE(entry->names.contains("TILE"));
  EXPECT_FALSE(cache_.find("other"));
  EXPECT_EQ(ask(cache_, "k"), 0);
}

TEST_F(HeaderCacheTest, IsGoneWhenAFileHasChanged) {
  for (const bool is_longer : {true, false}) {
    ask_twice(cache_, is_longer ? "longer" : "later");
    const std::string key = is_longer ? "longer" : "later";
    ASSERT_TRUE(cache_.find(key));
    write("b c.h", is_longer ? "three" : "eerht");
    EXPECT_FALSE(cache_.find(key));
    EXPECT_FALSE(cache_.find(key));
    settle();
    EXPECT_EQ(ask(cache_, key), 1) << "it is known that there is more than one source";
    EXPECT_TRUE(cache_.find(key));
  }
  fs::remove(file("a.h"));
  EXPECT_FALSE(cache_.find("longer"));
}

TEST_F(HeaderCacheTest, IsNotMadeOfFilesThatChangeMeanwhile) {
  EXPECT_EQ(ask(cache_, "k"), 0);
  cache_.make("k", [&] {
    write("a.h", "new");
    return std::optional(made());
  });
  EXPECT_FALSE(cache_.find("k"));
}

TEST_F(HeaderCacheTest, IsGoneWhenItIsDamaged) {
  int number = 0;
  for (const char* suffix : {".pch", ".facts"})
    for (const char* damage : {"shorter", "other", "empty", "gone", "others'"}) {
      const std::string key = "k" + std::to_string(++number);
      ask_twice(cache_, key);
      ASSERT_TRUE(cache_.find(key));
      const std::string path = "user/headers/" + key + suffix;
      std::string text = *read_file(file(path));
      if (*damage == 's') text.pop_back();
      if (damage == std::string("other")) text[text.size() / 2] ^= 1;
      if (*damage == 'e') text.clear();
      write(path, text);
      if (*damage == 'g') fs::remove(file(path));
      if (damage == std::string("others'")) chmod(file(path).c_str(), 0666);
      EXPECT_FALSE(cache_.find(key)) << suffix << " " << damage;
    }
}

TEST_F(HeaderCacheTest, WhatFailedOrWasDroppedIsLeftAlone) {
  EXPECT_EQ(ask(cache_, "fails"), 0);
  cache_.make("fails", [] { return std::nullopt; });
  EXPECT_EQ(ask(cache_, "fails"), 0);
  ask_twice(cache_, "dropped");
  cache_.drop("dropped");
  EXPECT_FALSE(cache_.find("dropped"));
  EXPECT_EQ(ask(cache_, "dropped"), 0);
  const auto yesterday = fs::file_time_type::clock::now() - std::chrono::hours(25);
  fs::last_write_time(file("user/headers/dropped.seen"), yesterday);
  EXPECT_EQ(ask(cache_, "dropped"), 1);
}

TEST_F(HeaderCacheTest, OneAtATimeMakesIt) {
  EXPECT_EQ(ask(cache_, "k"), 0);
  const int other = open(file("user/headers/k.seen").c_str(), O_RDWR);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  EXPECT_EQ(ask(cache_, "k"), 0);
  close(other);
  EXPECT_EQ(ask(cache_, "k"), 1);
}

TEST_F(HeaderCacheTest, NeedsAFolderOfItsOwn) {
  for (const char* root : {"", "/dev/null/gridspan/headers", "/proc/gridspan/headers"}) {
    const HeaderCache none(root);
    EXPECT_EQ(ask(none, "k") + ask(none, "k"), 0);
    EXPECT_FALSE(none.find("k"));
  }
  ask_twice(cache_, "k");
  chmod(file("user/headers").c_str(), 0777);
  EXPECT_FALSE(cache_.find("k"));
  EXPECT_EQ(ask(cache_, "other") + ask(cache_, "other"), 0);
}

TEST_F(HeaderCacheTest, TheLeastUsedMakeRoom) {
  const HeaderCache small(file("user/headers"), 1500);
  std::vector<std::string> keys;
  for (int i = 0; i < 6; ++i) {
    keys.push_back("k" + std::to_string(i));
    ask_twice(small, keys.back());
    usleep(20'000);
    EXPECT_TRUE(small.find(keys.front())) << "it is used all the time";
    usleep(20'000);
  }
  EXPECT_FALSE(small.find("k1"));
  EXPECT_TRUE(small.find("k5"));
  std::uint64_t size = 0;
  for (const auto& entry : fs::directory_iterator(file("user/headers"))) size += entry.file_size();
  EXPECT_LE(size, 1500u + fs::file_size(small.source()));
}

}  // namespace
}  // namespace gridspan::driver
