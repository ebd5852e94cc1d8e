// Listening to the preprocessor.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/header_facts.h"

#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"

#include <fstream>

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// Names of files that are looked for, whether they are found or not.
class Includes : public PPCallbacks {
 public:
  explicit Includes(std::shared_ptr<std::set<std::string>> names) : names_(std::move(names)) {}

  void InclusionDirective(SourceLocation, const Token&, StringRef name, bool, CharSourceRange,
                          OptionalFileEntryRef, StringRef, StringRef, const Module*, bool,
                          SrcMgr::CharacteristicKind) override {
    names_->insert(name.str());
  }
  void HasInclude(SourceLocation, StringRef name, bool, OptionalFileEntryRef,
                  SrcMgr::CharacteristicKind) override {
    names_->insert(name.str());
  }

 private:
  std::shared_ptr<std::set<std::string>> names_;
};

}  // namespace

void HeaderFacts::begin(CompilerInstance& compiler) {
  if (are_wanted())
    compiler.getPreprocessor().addPPCallbacks(std::make_unique<Includes>(includes_));
}

/// Every name that a condition, a macro or a declaration has is in the table of identifiers.
void HeaderFacts::write(const Preprocessor& preprocessor) const {
  std::ofstream file(file_);
  for (const std::string& name : *includes_) file << "include " << name << '\n';
  for (const auto& entry : preprocessor.getIdentifierTable())
    if (!entry.getKey().starts_with("__")) file << "name " << entry.getKey().str() << '\n';
}

}  // namespace gridspan::clang_plugin
