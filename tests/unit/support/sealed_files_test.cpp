// Folders of files that can be made again (tests/unit/specialise/cache_test.cpp has more).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "support/sealed_files.h"
#include "support/build_id.h"
#include "support/scratch_folder.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

namespace gridspan::support {
namespace {

TEST(SealedFiles, AreReadAsTheyWereStored) {
  const ScratchFolder folder = *ScratchFolder::make();
  const SealedFiles files(folder.path("files"), 1, 10'000), newer(folder.path("files"), 2, 10'000);
  EXPECT_FALSE(files.read("a/b"));
  ASSERT_TRUE(files.store("a/b", std::string("x\0y", 3)));
  EXPECT_EQ(files.read("a/b").value_or(""), std::string("x\0y", 3));
  EXPECT_FALSE(newer.read("a/b"));
  ASSERT_TRUE(files.store("a/b", ""));
  EXPECT_EQ(files.read("a/b").value_or("none"), "");
}

/// Else it would take the place of all others, and go then.
TEST(SealedFiles, RefuseWhatIsLarge) {
  const ScratchFolder folder = *ScratchFolder::make();
  const SealedFiles files(folder.path("files"), 1, 10'000);
  EXPECT_TRUE(files.store("small", std::string(2'500, 'x')));
  EXPECT_FALSE(files.store("large", std::string(2'501, 'x')));
  EXPECT_TRUE(files.read("small"));
  EXPECT_FALSE(files.read("large"));
}

const int an_own_object = 1;

TEST(BuildId, IsOfTheFileThatTheAddressIsIn) {
  const std::string own = build_id(&an_own_object),
                    library = build_id(reinterpret_cast<const void*>(stdout));
  EXPECT_FALSE(library.empty());
  EXPECT_NE(own, library);
  EXPECT_EQ(library.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(build_id(nullptr), "");
}

}  // namespace
}  // namespace gridspan::support
