// One record of each kind, with something in every field.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/record/log_records.h"

#include <string>
#include <vector>

namespace gridspan::tests {

std::vector<runtime::record::Record> sample_records();

/// A record's kind and fields as bytes: equal only if everything is.
std::string bytes_of(runtime::record::Record record);

}  // namespace gridspan::tests
