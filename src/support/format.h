// Texts made as by printf.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdarg>
#include <string>

namespace gridspan::support {

/// Of any length.
std::string formatted(const char* pattern, ...) __attribute__((format(printf, 1, 2)));
std::string formatted_list(const char* pattern, std::va_list arguments)
    __attribute__((format(printf, 1, 0)));

}  // namespace gridspan::support
