// Which places are in Gridspan's or clang's own headers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/own_headers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace gridspan::clang_plugin {

namespace {

/// Programs reach our headers by several names.
std::string real_path(llvm::StringRef folder) {
  llvm::SmallString<256> path;
  if (llvm::sys::fs::real_path(folder, path)) return folder.str();
  return path.str().str();
}

}  // namespace

void OwnHeaders::add_folder(llvm::StringRef folder) { folders_.push_back(real_path(folder)); }

bool OwnHeaders::contain(const clang::SourceManager& sources, clang::SourceLocation place) {
  const clang::FileID file = sources.getFileID(sources.getExpansionLoc(place));
  const auto [found, is_new] = known_.try_emplace(file, false);
  if (!is_new) return found->second;
  const auto entry = sources.getFileEntryRefForID(file);
  if (!entry) return false;
  const std::string here = real_path(entry->getDir().getName()) + "/";
  found->second = llvm::any_of(
      folders_, [&](const std::string& folder) { return here.starts_with(folder + "/"); });
  return found->second;
}

}  // namespace gridspan::clang_plugin
