// What a precompiled header depends on besides the files that it was made of.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A macro matters if the headers have its name (one that begins with `__` is taken to matter), an
// include folder if it holds a file that they ask for. gridcc decides by these names whether a
// precompiled header stands for the headers in another compilation (driver/precompiled_headers.h).
//
//     include gridspan/standard_library.h
//     name size_t
#pragma once

#include "clang/Frontend/CompilerInstance.h"

#include <memory>
#include <set>
#include <string>

namespace gridspan::clang_plugin {

class HeaderFacts {
 public:
  /// Where to leave them.
  void use_file(std::string file) { file_ = std::move(file); }

  bool are_wanted() const { return !file_.empty(); }

  /// Before the first header is read.
  void begin(clang::CompilerInstance& compiler);

  /// At the source's end.
  void write(const clang::Preprocessor& preprocessor) const;

 private:
  std::string file_;
  std::shared_ptr<std::set<std::string>> includes_ = std::make_shared<std::set<std::string>>();
};

}  // namespace gridspan::clang_plugin
