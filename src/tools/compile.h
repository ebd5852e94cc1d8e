// Compiling a CUDA source so that it can be explained.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>
#include <vector>

namespace gridspan::tools {

/// Whether the name is that of a CUDA source file.
bool is_source(const std::string& file);

/// An object in a folder of its own, which goes away with this.
class TemporaryObject {
 public:
  TemporaryObject() = default;
  TemporaryObject(const TemporaryObject&) = delete;
  TemporaryObject& operator=(const TemporaryObject&) = delete;
  ~TemporaryObject();

  /// Compiles `source` with the gridcc next to this program and the options given. The compiler's
  /// messages go to standard error. Error: it could not be started, or did not succeed.
  support::Result<std::string> compile(const std::string& source,
                                       const std::vector<std::string>& options);

 private:
  std::string folder_;
};

/// The object to read: the file itself, or what a source compiles to. Error: options for a file
/// that is no source.
support::Result<std::string> object_of(const std::string& file,
                                       const std::vector<std::string>& options,
                                       TemporaryObject& object);

}  // namespace gridspan::tools
