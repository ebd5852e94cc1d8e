// Libraries of a vendor's SDK whose place our run time takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <string_view>

namespace gridspan::driver {

/// "cudart", as in -lcudart?
bool is_vendor_library(std::string_view name);

/// The same named as a file: /usr/local/cuda/lib64/libcudart.so.12
bool is_vendor_library_file(const std::string& path);

}  // namespace gridspan::driver
