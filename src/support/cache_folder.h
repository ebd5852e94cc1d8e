// The user's folder for what can be made again: specialised kernels, measurements.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::support {

/// $XDG_CACHE_HOME/gridspan or ~/.cache/gridspan; empty if there is no home.
std::string cache_folder();

/// It is there, and nobody else can write there.
bool is_ours_alone(const std::string& path);

/// Makes `folder`, which is `root` or in it, if it is not there. Fails where others could write.
Result<void> make_cache_folder(const std::string& root, const std::string& folder);

/// A file under a name that nobody else uses, in `root`, which is there. Whoever asked removes or
/// renames it.
Result<std::string> make_temporary_file(const std::string& root);

/// What such files' names begin with.
inline constexpr std::string_view temporary_prefix = ".new-";

}  // namespace gridspan::support
