// Where clang's places are in files.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/edit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

namespace gridspan::clang_plugin {

std::optional<SourceText> written_at(const clang::SourceManager& sources,
                                     clang::SourceLocation place) {
  if (place.isInvalid()) return std::nullopt;
  const auto [id, offset] = sources.getDecomposedLoc(sources.getSpellingLoc(place));
  const auto entry = sources.getFileEntryRefForID(id);
  const auto text = sources.getBufferDataOrNone(id);
  if (!entry || !text) return std::nullopt;
  llvm::SmallString<128> path(entry->getName());
  if (llvm::sys::fs::make_absolute(path)) return std::nullopt;
  return SourceText{path.str().str(), std::string_view(*text), offset};
}

}  // namespace gridspan::clang_plugin
