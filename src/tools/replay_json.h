// Records of a recording as JSON.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"

#include <string>

namespace gridspan::tools {

/// One line: {"kind": ..., fields as in runtime/record/log_records.h}. Bytes are hexadecimal;
/// recorded contents of memory are left out, their size stays.
std::string json_line(runtime::record::Record record);

}  // namespace gridspan::tools
