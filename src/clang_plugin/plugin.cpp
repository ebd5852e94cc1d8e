// A plug-in of clang's front end, for both passes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `#pragma clang attribute push` puts an attribute of ours on every function, and clang hands each
// declaration to whoever defines the attribute: early enough to change it.
#include "clang_plugin/architecture_use.h"
#include "clang_plugin/borrowed_bodies.h"
#include "clang_plugin/borrowed_calls.h"
#include "clang_plugin/borrowed_functions.h"
#include "clang_plugin/device_templates.h"
#include "clang_plugin/device_values.h"
#include "clang_plugin/device_variables.h"
#include "clang_plugin/exported_constants.h"
#include "clang_plugin/header_facts.h"
#include "clang_plugin/host_destructors.h"
#include "clang_plugin/leniency.h"
#include "clang_plugin/narrowed_constants.h"
#include "clang_plugin/other_side_calls.h"
#include "clang_plugin/own_headers.h"
#include "clang_plugin/shared_variables.h"
#include "clang_plugin/specifiers.h"
#include "clang_plugin/time_stamp.h"
#include "clang_plugin/watch_errors.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendPluginRegistry.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/SemaConsumer.h"

namespace gridspan::clang_plugin {
namespace {

using namespace clang;

/// Clang compiles one source a process.
struct Job {
  OwnHeaders own;
  OtherSideCalls calls;
  BorrowedFunctions borrowed;
  Specifiers specifiers{own, calls, borrowed};
  SharedVariables shared;
  DeviceValues values;
  ExportedConstants exported;
  NarrowedConstants constants;
  HeaderFacts header_facts;
  HostDestructors host_destructors;
  ArchitectureUse architecture_use;
  std::string cures_file;
  bool empties_device_templates = false;  // in the host pass
  Sema* sema = nullptr;
};

Job& job() {
  static Job one;
  return one;
}

class DeclaredAttribute : public ParsedAttrInfo {
 public:
  DeclaredAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "gridspan_declared"}};
    Spellings = spellings;
    IsSupportedByPragmaAttribute = 1;
  }

  void getPragmaAttributeMatchRules(
      llvm::SmallVectorImpl<std::pair<attr::SubjectMatchRule, bool>>& rules,
      const LangOptions&) const override {
    rules.emplace_back(attr::SubjectMatchRule_function, true);
    rules.emplace_back(attr::SubjectMatchRule_variable_is_global, true);
  }

  AttrHandling handleDeclAttribute(Sema& sema, Decl* declaration,
                                   const ParsedAttr&) const override {
    if (auto* function = dyn_cast<FunctionDecl>(declaration))
      job().specifiers.declared(sema, *function);
    if (auto* variable = dyn_cast<VarDecl>(declaration)) {
      job().values.declared(*variable);
      job().exported.declared(*variable);
    }
    return AttributeNotApplied;
  }
};

/// What our headers spell __shared__.
class SharedAttribute : public ParsedAttrInfo {
 public:
  SharedAttribute() {
    static constexpr Spelling spellings[] = {{ParsedAttr::AS_GNU, "gridspan_shared"}};
    Spellings = spellings;
  }

  AttrHandling handleDeclAttribute(Sema& sema, Decl* declaration,
                                   const ParsedAttr& attribute) const override {
    job().shared.declared(sema, *declaration, attribute.getRange());
    return AttributeApplied;
  }
};

/// Begins the pragma when clang enters the source, and reads the predefines next: a precompiled
/// header replaces those that there were before.
class BeginPragma : public PPCallbacks {
 public:
  explicit BeginPragma(Preprocessor& preprocessor) : preprocessor_(preprocessor) {}

  void FileChanged(SourceLocation, FileChangeReason, SrcMgr::CharacteristicKind, FileID) override {
    if (has_begun_) return;
    has_begun_ = true;
    // Something must follow, or a source without declarations has ended before the pragma begins.
    preprocessor_.setPredefines(preprocessor_.getPredefines() +
                                "\n#pragma clang attribute gridspan.push("
                                "__attribute__((gridspan_declared)), "
                                "apply_to = any(function, variable(is_global)))\n"
                                "namespace gridspan {}\n");
  }

 private:
  Preprocessor& preprocessor_;
  bool has_begun_ = false;
};

/// Ends the pragma with the source, as clang demands.
void end_pragma(Sema& sema) {
  llvm::erase_if(sema.PragmaAttributeStack, [](const Sema::PragmaAttributeGroup& group) {
    return group.Namespace && group.Namespace->isStr("gridspan");
  });
}

class Consumer : public SemaConsumer {
 public:
  void InitializeSema(Sema& sema) override {
    job().sema = sema_ = &sema;
    free_time_stamp(sema.PP);
    sema.PP.setTokenWatcher([&sema](const Token& token) {
      job().specifiers.give_back();
      job().shared.give_back();
      job().constants.tell(sema);
      const SourceManager& sources = sema.getSourceManager();
      if (token.is(tok::eof) && !token.getEofData() &&
          sources.getFileID(token.getLocation()) == sources.getMainFileID())
        end_pragma(sema);
    });
  }
  bool HandleTopLevelDecl(DeclGroupRef group) override {
    for (Decl* one : group) job().calls.name_in(*one);
    job().shared.end_declaration(*sema_, group);
    job().exported.end_declaration();
    if (job().borrowed.any() && !sema_->getLangOpts().CUDAIsDevice) leave_bodies_out(*sema_, group);
    if (job().empties_device_templates) empty_device_templates(*sema_, group);
    return true;
  }
  void HandleTagDeclDefinition(TagDecl* tag) override {
    if (auto* record = dyn_cast<CXXRecordDecl>(tag); record && sema_->getLangOpts().CUDAIsDevice)
      job().host_destructors.defined(*record);
  }
  bool shouldSkipFunctionBody(Decl* declaration) override {
    return BorrowedFunctions::is_borrowed(*declaration) &&
           (sema_->getLangOpts().CUDAIsDevice || !keeps_initialisers(*declaration));
  }
  void HandleTranslationUnit(ASTContext& context) override {
    if (job().borrowed.any()) check_borrowed_calls(*sema_);
    check_device_variables(*sema_);
    if (sema_->getLangOpts().CUDAIsDevice) {
      job().values.check(*sema_);
      job().host_destructors.end(context);
    }
    job().calls.warn(*sema_);
    if (job().header_facts.are_wanted()) {
      job().specifiers.see_first_headers(*sema_);
      job().header_facts.write(sema_->PP);
    }
    job().architecture_use.write();
    job().specifiers.write_late();
  }

 private:
  Sema* sema_ = nullptr;  // from InitializeSema, the first call, on
};

class Action : public PluginASTAction {
  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance& compiler,
                                                 llvm::StringRef) override {
    job().own.add_folder(compiler.getHeaderSearchOpts().ResourceDir);
    if (!job().cures_file.empty())
      watch_errors(compiler, job().cures_file, job().sema, job().specifiers, job().calls,
                   job().borrowed, job().constants);
    job().calls.begin(compiler.getDiagnostics());
    // Those that our consumer names.
    compiler.getFrontendOpts().SkipFunctionBodies = job().borrowed.any();
    warn_only(compiler.getDiagnostics());
    // An emptied function returns nothing.
    if (job().empties_device_templates)
      compiler.getDiagnostics().setSeverity(diag::warn_falloff_nonvoid_function,
                                            diag::Severity::Ignored, SourceLocation());
    Preprocessor& preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(std::make_unique<BeginPragma>(preprocessor));
    job().header_facts.begin(compiler);
    job().architecture_use.begin(compiler, job().own);
    return std::make_unique<Consumer>();
  }

  /// headers=FOLDER: of ours; late=FILE: see specifiers.h; cures=FILE: see cures.h; facts=FILE: see
  /// header_facts.h, of the precompiled header that clang makes; seen=yes: it reads such a one;
  /// architectures=FILE: see architecture_use.h; device-templates=empty: see device_templates.h.
  bool ParseArgs(const CompilerInstance&, const std::vector<std::string>& words) override {
    for (const std::string& word : words) {
      const auto [name, value] = llvm::StringRef(word).split('=');
      if (name == "headers") job().own.add_folder(value);
      if (name == "late") job().specifiers.use_file(value.str());
      if (name == "cures") job().cures_file = value.str();
      if (name == "facts") job().header_facts.use_file(value.str());
      if (name == "architectures") job().architecture_use.use_file(value.str());
      if (name == "device-templates") job().empties_device_templates = true;
      if (name == "seen") job().specifiers.have_seen_headers();
    }
    return true;
  }

  ActionType getActionType() override { return AddBeforeMainAction; }
};

const ParsedAttrInfoRegistry::Add<DeclaredAttribute> attribute("gridspan_declared", "");
const ParsedAttrInfoRegistry::Add<SharedAttribute> shared_attribute("gridspan_shared", "");
const FrontendPluginRegistry::Add<Action> action("gridspan", "");

}  // namespace
}  // namespace gridspan::clang_plugin
