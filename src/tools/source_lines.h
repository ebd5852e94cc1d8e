// Lines of source files, for carets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"
#include "tools/paint.h"
#include "tools/remarks.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::tools {

class SourceLines {
 public:
  /// The line, or nothing when the file cannot be read or is shorter.
  std::optional<std::string> line(const model::SourcePoint& where);

  /// file:41:9: remark: text, the line, a caret, and the hint.
  std::string show(const SourceRemark& remark, const Paint& paint);

 private:
  std::map<std::string, std::vector<std::string>> files_;
};

/// Blanks up to the column, tabs kept, so that what follows stands below its character.
std::string caret_blanks(const std::string& line, unsigned column);

/// "file.cu:41:9", "file.cu:41", or "" if nothing is known.
std::string place_text(const model::SourcePoint& where);

}  // namespace gridspan::tools
