// Which places are in Gridspan's or clang's own headers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include <string>
#include <vector>

namespace gridspan::clang_plugin {

/// These headers are written for clang: they declare a host and a device function of one signature.
class OwnHeaders {
 public:
  void add_folder(llvm::StringRef folder);
  bool contain(const clang::SourceManager& sources, clang::SourceLocation place);

 private:
  std::vector<std::string> folders_;
  llvm::DenseMap<clang::FileID, bool> known_;
};

}  // namespace gridspan::clang_plugin
