// Device printf: format and packed arguments to text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>

namespace gridspan::devices::cpu {

/// Appends the formatted text to `out`; returns the number of arguments used. `arguments` is the
/// buffer clang packs for vprintf: int 4, long/pointer/double 8 bytes, naturally aligned; long
/// double is double on the device. As on CUDA %n and wide characters are not supported: what is no
/// conversion is copied as it stands.
int format_packed(std::string& out, const char* format, const void* arguments);

}  // namespace gridspan::devices::cpu
