// A change of what clang sees of a file, and a file's text around a place.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/SourceManager.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gridspan::clang_plugin {

/// `text` in place of `length` bytes.
struct Edit {
  std::string file;  // absolute
  std::size_t offset = 0, length = 0;
  std::string text;
};

/// A file, and a place in it.
struct SourceText {
  std::string file;
  std::string_view text;
  std::size_t at = 0;

  Edit replace(std::size_t begin, std::size_t end, std::string by) const {
    return {file, begin, end - begin, std::move(by)};
  }
};

/// Where the token at `place` is written. Nothing for what is in no file.
std::optional<SourceText> written_at(const clang::SourceManager& sources,
                                     clang::SourceLocation place);

}  // namespace gridspan::clang_plugin
