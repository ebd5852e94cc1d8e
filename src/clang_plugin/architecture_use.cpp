// Reading what stands beside the macro.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/architecture_use.h"

#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringSet.h"

#include <fstream>
#include <optional>
#include <set>
#include <vector>

namespace gridspan::clang_plugin {

using namespace clang;
using llvm::StringRef;

struct ArchitectureUse::Found {
  std::set<unsigned> values;
  bool is_any = false;
};

namespace {

constexpr StringRef macro = "__CUDA_ARCH__";

/// The tokens of a line, also one that goes on behind a backslash, with the one at `place`.
struct Line {
  std::vector<Token> tokens;
  std::vector<std::string> texts;
  std::size_t at = 0;
  bool is_condition = false;  // of #if or #elif: it ends with the line
};

std::size_t begin_of_line(StringRef text, std::size_t offset) {
  for (;;) {
    const std::size_t end = text.take_front(offset).rfind('\n');
    if (end == StringRef::npos) return 0;
    if (!text.take_front(end).rtrim("\r").ends_with("\\")) return end + 1;
    offset = end;
  }
}

/// Nothing if the line is none, or begins in the midst of something.
std::optional<Line> line_around(const SourceManager& sources, const LangOptions& language,
                                SourceLocation place) {
  const auto [file, offset] = sources.getDecomposedLoc(place);
  bool is_invalid = false;
  const StringRef text = sources.getBufferData(file, &is_invalid);
  if (is_invalid) return std::nullopt;
  const std::size_t begin = begin_of_line(text, offset);
  const SourceLocation start = sources.getLocForStartOfFile(file);
  Lexer lexer(start, language, text.begin(), text.begin() + begin, text.end());
  Line line;
  bool has_place = false;
  for (Token token;;) {
    lexer.LexFromRawLexer(token);
    if (line.tokens.empty() && token.is(tok::eof)) return std::nullopt;
    if (token.is(tok::eof) || (!line.tokens.empty() && token.isAtStartOfLine())) {
      // A comment that ends on another line takes that along.
      const std::size_t behind = sources.getFileOffset(line.tokens.back().getEndLoc());
      const StringRef between = text.slice(behind, sources.getFileOffset(token.getLocation()));
      if (between.contains("/*")) return std::nullopt;
      break;
    }
    if (token.getLocation() == place) {
      has_place = true;
      line.at = line.tokens.size();
    }
    line.tokens.push_back(token);
    line.texts.push_back(Lexer::getSpelling(token, sources, language));
  }
  if (!has_place) return std::nullopt;
  line.is_condition = line.texts.size() > 1 && line.texts[0] == "#" &&
                      (line.texts[1] == "if" || line.texts[1] == "elif");
  return line;
}

/// Turns the use of a value into the values from which on something may be different. What is not a
/// comparison with a decimal number, by itself between operators that ask no more than whether it
/// is true, may be anything.
class Comparison {
 public:
  explicit Comparison(const Line& line) : line_(line), left_(line.at), right_(line.at + 1) {
    while (text_before() == "(" && text_behind() == ")" && !is_call()) {
      --left_;
      ++right_;
    }
  }

  /// False if it is none.
  bool add_to(std::set<unsigned>& values) {
    if (is_comparison(text_behind())) {
      const auto number = decimal(right_ + 1);
      return number && begins(left_) && ends(right_ + 2) && add(text_behind(), *number, values);
    }
    if (is_comparison(text_before())) {
      const auto number = left_ >= 2 ? decimal(left_ - 2) : std::nullopt;
      return number && begins(left_ - 2) && ends(right_) &&
             add(mirrored(text_before()), *number, values);
    }
    return line_.is_condition && is_truth();
  }

 private:
  /// Those of a token in front, and of one behind; empty: none.
  StringRef text_at(std::size_t index) const {
    return index < line_.texts.size() ? StringRef(line_.texts[index]) : StringRef();
  }
  StringRef text_before() const { return left_ == 0 ? StringRef() : text_at(left_ - 1); }
  StringRef text_behind() const { return text_at(right_); }

  /// The parenthesis in front is one of a call, of a cast or of the like.
  bool is_call() const {
    if (left_ < 2) return true;                          // on another line
    if (line_.is_condition && left_ == 3) return false;  // #if (
    const Token& before = line_.tokens[left_ - 2];
    return before.isOneOf(tok::raw_identifier, tok::r_paren, tok::r_square, tok::greater);
  }

  static bool is_comparison(StringRef text) {
    return text == ">=" || text == "<=" || text == "==" || text == "!=" || text == ">" ||
           text == "<";
  }

  static StringRef mirrored(StringRef comparison) {
    if (comparison == ">=") return "<=";
    if (comparison == "<=") return ">=";
    if (comparison == ">") return "<";
    return comparison == "<" ? ">" : comparison;
  }

  std::optional<unsigned> decimal(std::size_t index) const {
    const StringRef text = text_at(index).rtrim("uUlL");
    unsigned value = 0;
    const bool is_decimal = index < line_.tokens.size() &&
                            line_.tokens[index].is(tok::numeric_constant) &&
                            !text.starts_with("0") && !text.getAsInteger(10, value);
    return is_decimal ? std::optional(value) : std::nullopt;
  }

  /// What stands in front of the comparison asks for no more than its truth.
  bool begins(std::size_t index) const {
    if (index == 0) return false;
    if (line_.is_condition && index == 2) return true;
    const StringRef text = text_at(index - 1);
    return text == "(" || text == "&&" || text == "||" || text == "?" || text == ":" ||
           text == "=" || text == "return";
  }
  bool ends(std::size_t index) const {
    if (index >= line_.texts.size()) return line_.is_condition;
    const StringRef text = text_at(index);
    return text == ")" || text == "&&" || text == "||" || text == "?" || text == ":" || text == ";";
  }

  static bool add(StringRef comparison, unsigned number, std::set<unsigned>& values) {
    const bool is_equality = comparison == "==" || comparison == "!=";
    if (is_equality || comparison == ">=" || comparison == "<") values.insert(number);
    if (is_equality || comparison == ">" || comparison == "<=") values.insert(number + 1);
    return true;
  }

  /// `#if defined X && __CUDA_ARCH__`: it is never 0.
  bool is_truth() const {
    const StringRef before = text_before(), behind = text_behind();
    const bool begins = left_ == 2 || before == "&&" || before == "||" || before == "!" ||
                        (before == "(" && behind != ")");
    return begins && (right_ >= line_.texts.size() || behind == "&&" || behind == "||" ||
                      (behind == ")" && before != "("));
  }

  const Line& line_;
  std::size_t left_, right_;  // the value with its parentheses: [left_, right_)
};

/// Looks at each use of the value, also under names that stand for it and nothing else:
/// `#define ARCH __CUDA_ARCH__`.
class Watcher : public PPCallbacks {
 public:
  Watcher(const SourceManager& sources, const LangOptions& language, OwnHeaders& own,
          std::set<unsigned>& values, bool& is_any)
      : sources_(sources), language_(language), own_(own), values_(values), is_any_(is_any) {
    names_.insert(macro);
  }

  void MacroDefined(const Token& name, const MacroDirective* directive) override {
    const StringRef text = name.getIdentifierInfo()->getName();
    const MacroInfo* info = directive->getMacroInfo();
    if (names_.contains(text)) return note_change(name.getLocation());
    if (!info || info->isFunctionLike()) return;
    llvm::ArrayRef<Token> body = info->tokens();
    while (body.size() >= 3 && body.front().is(tok::l_paren) && body.back().is(tok::r_paren))
      body = body.drop_front().drop_back();
    if (body.size() != 1 || !body.front().getIdentifierInfo()) return;
    if (!names_.contains(body.front().getIdentifierInfo()->getName())) return;
    names_.insert(text);
    inside_.insert(body.front().getLocation());
  }

  void MacroUndefined(const Token& name, const MacroDefinition&, const MacroDirective*) override {
    if (names_.contains(name.getIdentifierInfo()->getName())) note_change(name.getLocation());
  }

  void MacroExpands(const Token& name, const MacroDefinition&, SourceRange range,
                    const MacroArgs*) override {
    const StringRef text = name.getIdentifierInfo()->getName();
    if (is_any_ || !names_.contains(text)) return;
    const SourceLocation place = sources_.getSpellingLoc(name.getLocation());
    if (inside_.contains(place)) return;  // what it stands for is looked at where it is used
    const SourceLocation used = sources_.getExpansionLoc(range.getBegin());
    if (own_.contain(sources_, place) || own_.contain(sources_, used)) return;
    const auto line = line_around(sources_, language_, place);
    is_any_ = !line || !Comparison(*line).add_to(values_);
  }

 private:
  /// By the source, not by the command line: what a name stands for is not followed.
  void note_change(SourceLocation place) {
    is_any_ |= !sources_.isWrittenInBuiltinFile(place) &&
               !sources_.isWrittenInCommandLineFile(place) && !own_.contain(sources_, place);
  }

  const SourceManager& sources_;
  const LangOptions& language_;
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
  compiler.getPreprocessor().addPPCallbacks(std::make_unique<Watcher>(
      compiler.getSourceManager(), compiler.getLangOpts(), own, found_->values, found_->is_any));
}

void ArchitectureUse::write() const {
  if (!found_) return;
  std::ofstream file(file_);
  if (found_->is_any) file << "any\n";
  for (const unsigned value : found_->values) file << value << '\n';
}

}  // namespace gridspan::clang_plugin
