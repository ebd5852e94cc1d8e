// Reading what stands beside the macro.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/architecture_use.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"

#include <fstream>
#include <optional>
#include <set>

namespace gridspan::clang_plugin {

using namespace clang;
using llvm::StringRef;

struct ArchitectureUse::Found {
  std::set<unsigned> values;
  bool is_any = false;
};

namespace {

/// "800u" of "800u && x"; nothing if something is computed of the number.
std::optional<unsigned> number_at_front(StringRef text) {
  unsigned value = 0;
  if (text.consumeInteger(10, value)) return std::nullopt;
  text = text.ltrim("uUlL");
  if (!text.empty() && isAsciiIdentifierContinue(text.front())) return std::nullopt;
  text = text.ltrim();
  if (text.empty() || !StringRef("+-*/%.<>").contains(text.front())) return value;
  return std::nullopt;
}

/// "x || 800" gives 800.
std::optional<unsigned> number_at_back(StringRef text) {
  const StringRef digits = text.take_back(text.size() - (text.find_last_not_of("0123456789") + 1));
  unsigned value = 0;
  if (digits.empty() || digits.getAsInteger(10, value)) return std::nullopt;
  text = text.drop_back(digits.size());
  if (!text.empty() && isAsciiIdentifierContinue(text.back())) return std::nullopt;
  text = text.rtrim();
  if (text.empty() || !StringRef("+-*/%.<>").contains(text.back())) return value;
  return std::nullopt;
}

/// Turns `before MACRO after`, of one line, into the values from which on it may be different.
class Comparison {
 public:
  Comparison(StringRef before, StringRef after, bool is_directive)
      : before_(before.rtrim()), after_(after.ltrim()), is_directive_(is_directive) {}

  /// False if it is none with a number.
  bool add_to(std::set<unsigned>& values) {
    while (before_.ends_with("(") && after_.starts_with(")")) {
      before_ = before_.drop_back().rtrim();
      after_ = after_.drop_front().ltrim();
    }
    static constexpr StringRef operators[] = {">=", "<=", "==", "!=", ">", "<"};
    for (const StringRef one : operators)
      if (after_.starts_with(one) && !after_.starts_with("<<") && !after_.starts_with(">>"))
        return add(one, number_at_front(after_.drop_front(one.size()).ltrim()), values);
    for (const StringRef one : operators)
      if (before_.ends_with(one) && !before_.ends_with("<<") && !before_.ends_with(">>"))
        return add(mirrored(one), number_at_back(before_.drop_back(one.size()).rtrim()), values);
    return is_directive_ && is_truth();
  }

 private:
  static StringRef mirrored(StringRef comparison) {
    if (comparison == ">=") return "<=";
    if (comparison == "<=") return ">=";
    if (comparison == ">") return "<";
    return comparison == "<" ? ">" : comparison;
  }

  static bool add(StringRef comparison, std::optional<unsigned> number,
                  std::set<unsigned>& values) {
    if (!number) return false;
    const bool is_equality = comparison == "==" || comparison == "!=";
    if (is_equality || comparison == ">=" || comparison == "<") values.insert(*number);
    if (is_equality || comparison == ">" || comparison == "<=") values.insert(*number + 1);
    return true;
  }

  /// `#if defined X && __CUDA_ARCH__`: it is never 0.
  bool is_truth() const {
    const bool ends = after_.empty() || after_.starts_with("&&") || after_.starts_with("||") ||
                      after_.starts_with(")") || after_.starts_with("//") ||
                      after_.starts_with("/*");
    const bool begins = before_.ends_with("if") || before_.ends_with("&&") ||
                        before_.ends_with("||") || before_.ends_with("(") || before_.ends_with("!");
    return ends && begins;
  }

  StringRef before_, after_;
  bool is_directive_;
};

}  // namespace

namespace {

constexpr StringRef macro = "__CUDA_ARCH__";

/// The line that a place is in, which is none of a macro's expansion, before and behind it.
struct Line {
  StringRef before, after;
};

std::optional<Line> line_around(const SourceManager& sources, SourceLocation place,
                                std::size_t length) {
  const auto [file, offset] = sources.getDecomposedLoc(place);
  bool is_invalid = false;
  const StringRef text = sources.getBufferData(file, &is_invalid);
  if (is_invalid) return std::nullopt;
  const StringRef head = text.take_front(offset), tail = text.drop_front(offset + length);
  return Line{head.drop_front(head.rfind('\n') + 1), tail.take_front(tail.find('\n'))};
}

/// Names that stand for the value and nothing else: `#define ARCH __CUDA_ARCH__`.
class Watcher : public PPCallbacks {
 public:
  Watcher(const SourceManager& sources, OwnHeaders& own, std::set<unsigned>& values, bool& is_any)
      : sources_(sources), own_(own), values_(values), is_any_(is_any) {
    names_.insert(macro);
  }

  void MacroDefined(const Token& name, const MacroDirective* directive) override {
    const StringRef text = name.getIdentifierInfo()->getName();
    if (text == macro) return;
    names_.erase(text);
    const MacroInfo* info = directive->getMacroInfo();
    if (!info || info->isFunctionLike()) return;
    llvm::ArrayRef<Token> body = info->tokens();
    while (body.size() >= 3 && body.front().is(tok::l_paren) && body.back().is(tok::r_paren))
      body = body.drop_front().drop_back();
    if (body.size() != 1 || !body.front().getIdentifierInfo()) return;
    if (!names_.contains(body.front().getIdentifierInfo()->getName())) return;
    names_.insert(text);
    inside_.insert(body.front().getLocation());
  }

  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange range,
                    const MacroArgs*) override {
    const StringRef text = name.getIdentifierInfo()->getName();
    if (is_any_ || !names_.contains(text)) return;
    const SourceLocation place = sources_.getSpellingLoc(name.getLocation());
    if (inside_.contains(place)) return;  // what it stands for is looked at where it is used
    const SourceLocation used = sources_.getExpansionLoc(range.getBegin());
    if (own_.contain(sources_, place) || own_.contain(sources_, used)) return;
    const auto line = line_around(sources_, place, text.size());
    is_any_ = !line || !Comparison(line->before, line->after, line->before.ltrim().starts_with("#"))
                            .add_to(values_);
  }

 private:
  const SourceManager& sources_;
  OwnHeaders& own_;
  std::set<unsigned>& values_;
  bool& is_any_;
  llvm::StringSet<> names_;
  std::set<SourceLocation> inside_;
};

}  // namespace

void ArchitectureUse::begin(CompilerInstance& compiler, OwnHeaders& own) {
  if (file_.empty()) return;
  found_ = std::make_shared<Found>();
  compiler.getPreprocessor().addPPCallbacks(
      std::make_unique<Watcher>(compiler.getSourceManager(), own, found_->values, found_->is_any));
}

void ArchitectureUse::write() const {
  if (!found_) return;
  std::ofstream file(file_);
  if (found_->is_any) file << "any\n";
  for (const unsigned value : found_->values) file << value << '\n';
}

}  // namespace gridspan::clang_plugin
