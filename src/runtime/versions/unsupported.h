// What answers in place of functions that we do not have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::runtime {

/// Notes it as the last error and in the log; "not supported" in both APIs.
int refuse_unsupported(const char* name);

}  // namespace gridspan::runtime
