// Entries of the cache: whole, broken, too many.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "specialise/cache.h"

#include "support/scratch_folder.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>

using namespace gridspan;
using specialise::Cache;
using support::LaunchCondition;

namespace {

struct CacheOfOurs : testing::Test {
  support::ScratchFolder folder = *support::ScratchFolder::make();
  std::string root = folder.path("deep/cache");
  LaunchCondition condition{{{256, 1, 1}}, {{2, 0x400}}};

  std::string path() const { return root + "/module/kernel/block=256x1x1,arg2=400.so"; }
};

TEST_F(CacheOfOurs, FindsWhatWasStored) {
  Cache cache(root);
  EXPECT_TRUE(cache.find("module", "kernel").empty());
  EXPECT_FALSE(cache.open("module", "kernel", condition));
  ASSERT_TRUE(cache.store("module", "kernel", condition, "an object"));
  EXPECT_EQ(cache.find("module", "kernel"), std::vector{condition});
  EXPECT_TRUE(cache.find("module", "other").empty());
  EXPECT_EQ(cache.open("module", "kernel", condition)->path, path());
  EXPECT_TRUE(support::read_file(path()).starts_with("an object"));
}

TEST_F(CacheOfOurs, HasEntriesForAllLaunches) {
  Cache cache(root);
  EXPECT_FALSE(cache.has_any("module"));
  ASSERT_TRUE(cache.store("module", "kernel", {}, "an object"));
  EXPECT_TRUE(cache.has_any("module"));
  EXPECT_FALSE(cache.has_any("other"));
  EXPECT_EQ(cache.open("module", "kernel", {})->path, root + "/module/kernel/all.so");
  EXPECT_TRUE(cache.find("module", "kernel").empty());  // those with conditions
}

TEST_F(CacheOfOurs, RemembersRefusals) {
  Cache cache(root);
  ASSERT_TRUE(cache.store("module", "kernel", condition, "not specialised: it is what it is\n"));
  const auto entry = cache.open("module", "kernel", condition);
  EXPECT_EQ(entry->path, "");
  EXPECT_EQ(entry->refusal, "it is what it is\n");
}

TEST_F(CacheOfOurs, BrokenEntriesAreMissingAndAreReplaced) {
  Cache cache(root);
  const std::string content(1000, 'x');
  ASSERT_TRUE(cache.store("module", "kernel", condition, content));
  const std::string whole = support::read_file(path());
  for (std::string broken : {whole.substr(0, 500), std::string(), 'y' + whole.substr(1)}) {
    std::ofstream(path(), std::ios::binary) << broken;
    EXPECT_FALSE(cache.open("module", "kernel", condition));
    ASSERT_TRUE(cache.store("module", "kernel", condition, content));
    EXPECT_TRUE(cache.open("module", "kernel", condition));
  }
}

TEST_F(CacheOfOurs, EntriesUnderOtherNamesAreMissingAndAreReplaced) {
  Cache cache(root);
  ASSERT_TRUE(cache.store("module", "kernel", condition, "an object"));
  ASSERT_TRUE(cache.store("module", "other", condition, "another object"));
  ASSERT_TRUE(cache.store("other", "kernel", condition, "an object"));
  const std::string whole = support::read_file(path());
  for (const char* name : {"/module/other/", "/other/kernel/"}) {
    const std::string other = root + name + to_text(condition) + ".so";
    const std::string own = support::read_file(other);
    EXPECT_NE(own, whole);
    std::filesystem::copy_file(other, path(), std::filesystem::copy_options::overwrite_existing);
    EXPECT_FALSE(cache.open("module", "kernel", condition));
    ASSERT_TRUE(cache.store("module", "kernel", condition, "an object"));
    EXPECT_EQ(support::read_file(path()), whole);
    EXPECT_TRUE(cache.open("module", "kernel", condition));
  }
}

TEST_F(CacheOfOurs, OthersMustNotWriteThere) {
  Cache cache(root);
  ASSERT_TRUE(cache.store("module", "kernel", condition, "an object"));
  chmod(root.c_str(), 0777);
  EXPECT_FALSE(cache.open("module", "kernel", condition));
  EXPECT_TRUE(cache.find("module", "kernel").empty());
  EXPECT_FALSE(cache.store("module", "kernel", condition, "an object"));
}

TEST_F(CacheOfOurs, TheOldestMakeRoom) {
  Cache cache(root, 10'000);
  const std::string content(1000, 'x');
  for (std::uint64_t i = 0; i < 20; ++i) {
    const LaunchCondition one{{}, {{0, i}}};
    ASSERT_TRUE(cache.store("module", "kernel", one, content));
    const auto age = std::chrono::hours(20 - i);
    std::filesystem::last_write_time(root + "/module/kernel/" + to_text(one) + ".so",
                                     std::filesystem::file_time_type::clock::now() - age);
  }
  EXPECT_FALSE(cache.open("module", "kernel", {{}, {{0, 0}}}));
  EXPECT_TRUE(cache.open("module", "kernel", {{}, {{0, 19}}}));
  EXPECT_LE(cache.find("module", "kernel").size(), 9u);
  EXPECT_GE(cache.find("module", "kernel").size(), 7u);
}

}  // namespace
