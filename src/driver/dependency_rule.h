// The make rule of a compilation: as without a precompiled header, and of several passes in one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// Clang lists the precompiled header's source and files before the source, and each file under one
/// name. `headers`: what it lists without one, behind the source. Nothing if the text is not a rule
/// of clang's.
std::optional<std::string> without_precompiled_header(std::string_view rule,
                                                      const std::string& header_source,
                                                      const std::vector<std::string>& headers);

/// The rule, with the files of the other passes' rules that it lacks behind its own: a header may
/// be read for one architecture, or on the host, only. Nothing if one of them is not a rule of
/// clang's.
std::optional<std::string> with_prerequisites_of(std::string_view rule,
                                                 const std::vector<std::string>& others);

}  // namespace gridspan::driver
