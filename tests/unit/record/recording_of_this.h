// Where the recording of the test's own process is.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::tests {

const std::string& recording_of_this();

}  // namespace gridspan::tests
