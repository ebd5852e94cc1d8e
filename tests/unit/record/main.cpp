// The tests of the recorder record this very process.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "recording_of_this.h"
#include "temporary_file.h"

#include <gtest/gtest.h>

namespace gridspan::tests {

const std::string& recording_of_this() {
  static const TemporaryFile& file = *new TemporaryFile;
  return file.name();
}

}  // namespace gridspan::tests

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  setenv("GRIDSPAN_RECORD", gridspan::tests::recording_of_this().c_str(), 1);
  setenv("GRIDSPAN_RECORD_DATA", "1", 1);
  const int status = RUN_ALL_TESTS();
  std::filesystem::remove(gridspan::tests::recording_of_this());
  return status;
}
