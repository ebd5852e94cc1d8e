// Result<T>: a value or one line that says what went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace gridspan::support {

/// What the person at the terminal reads: one line, no prefix, no full stop.
struct Error {
  std::string message;
};

/// Use: `auto value = parse(text); if (!value) return fail(value.error());`
template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(Error error) { return tl::unexpected<Error>(std::move(error)); }
inline tl::unexpected<Error> fail(std::string message) {
  return tl::unexpected<Error>(Error{std::move(message)});
}

}  // namespace gridspan::support
