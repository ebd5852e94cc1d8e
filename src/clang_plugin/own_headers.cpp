// Which places are in Gridspan's or clang's own headers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/own_headers.h"

#include "llvm/ADT/STLExtras.h"

namespace gridspan::clang_plugin {

bool OwnHeaders::contain(const clang::SourceManager& sources, clang::SourceLocation place) {
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(place));
  const auto [found, is_new] = known_.try_emplace(file, false);
  if (!is_new) return found->second;
  const auto entry = sources.getFileEntryRefForID(file);
  const llvm::StringRef name = entry ? entry->getName() : llvm::StringRef();
  found->second = llvm::any_of(
      folders_, [&](const std::string& folder) { return name.starts_with(folder + "/"); });
  return found->second;
}

}  // namespace gridspan::clang_plugin
