// What a range of tokens says in its file.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang_plugin/cures.h"

#include "clang/AST/ASTContext.h"
#include "clang/Lex/Lexer.h"

namespace gridspan::clang_plugin {

/// Bytes [at, end) of a file.
struct WrittenRange : SourceText {
  std::size_t end = 0;

  std::string_view words() const { return text.substr(at, end - at); }
};

/// Nothing if it begins and ends in different files, or in different macros.
inline std::optional<WrittenRange> written_range(const Complaint& complaint, unsigned index) {
  const clang::SourceManager& sources = complaint.diagnostic.getSourceManager();
  if (complaint.diagnostic.getNumRanges() <= index) return std::nullopt;
  const clang::CharSourceRange range = complaint.diagnostic.getRange(index);
  const auto begin = written_at(sources, range.getBegin());
  const auto last = written_at(sources, range.getEnd());
  if (!begin || !last || begin->file != last->file || last->at < begin->at) return std::nullopt;
  WrittenRange written{*begin};
  written.end = last->at;
  if (range.isTokenRange())
    written.end += clang::Lexer::MeasureTokenLength(sources.getSpellingLoc(range.getEnd()), sources,
                                                    complaint.context.getLangOpts());
  if (written.end > written.text.size()) return std::nullopt;
  return written;
}

}  // namespace gridspan::clang_plugin
