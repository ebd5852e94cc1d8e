// Passing on clang's messages, and writing down the cures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/watch_errors.h"

#include "clang_plugin/cures.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

class Watcher : public DiagnosticConsumer {
 public:
  Watcher(std::unique_ptr<DiagnosticConsumer> next, std::string file, Sema* const& sema,
          Specifiers& specifiers, OtherSideCalls& calls, BorrowedFunctions& borrowed,
          NarrowedConstants& constants)
      : next_(std::move(next)),
        file_(std::move(file)),
        sema_(sema),
        specifiers_(specifiers),
        calls_(calls),
        borrowed_(borrowed),
        constants_(constants) {}

  void BeginSourceFile(const LangOptions& language, const Preprocessor* preprocessor) override {
    next_->BeginSourceFile(language, preprocessor);
  }
  void EndSourceFile() override { next_->EndSourceFile(); }
  void finish() override { next_->finish(); }
  void clear() override {
    DiagnosticConsumer::clear();
    next_->clear();
  }
  bool IncludeInDiagnosticCounts() const override { return next_->IncludeInDiagnosticCounts(); }

  void HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) override {
    if (level != DiagnosticsEngine::Note)
      is_told_otherwise_ = sema_ && level == DiagnosticsEngine::Warning &&
                           constants_.heard_warning(*sema_, diagnostic);
    if (is_told_otherwise_) return;
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    pass_on(level, diagnostic);
    if (level >= DiagnosticsEngine::Error) {
      error_ = diagnostic.getID();
      place_ = diagnostic.getLocation();
      if (sema_) calls_.heard_error(*sema_, diagnostic);
      if (sema_) borrowed_.heard_error(*sema_, diagnostic);
    }
    if (sema_ && names_a_candidate(diagnostic.getID()))
      borrowed_.heard_candidate(*sema_, diagnostic);
    if (sema_ && is_about_a_conversion(diagnostic.getID())) borrowed_.heard_conversion(diagnostic);
    if (sema_ && diagnostic.getID() == diag::note_ovl_candidate_bad_target) {
      note_wrong_side(diagnostic);
      calls_.heard_candidate(*sema_, diagnostic);
    }
    if (sema_ && diagnostic.getID() == diag::err_typecheck_unary_expr) note_operand(diagnostic);
    if (sema_ && diagnostic.getID() == diag::err_ref_bad_target)
      specifiers_.refused_call(*sema_, diagnostic.getLocation());
    if (Cure cure = sema_ ? cure_of(diagnostic.getID()) : nullptr) try_cure(cure, diagnostic);
  }

 private:
  /// Clang has no word for the side of a member that nobody wrote, of a class whose parts are for
  /// different sides, and crashes over it.
  void pass_on(DiagnosticsEngine::Level level, const Diagnostic& diagnostic) {
    if (diagnostic.getID() != diag::err_ref_bad_target ||
        static_cast<CUDAFunctionTarget>(diagnostic.getRawArg(0)) !=
            CUDAFunctionTarget::InvalidTarget)
      return next_->HandleDiagnostic(level, diagnostic);
    const auto* member = reinterpret_cast<const NamedDecl*>(diagnostic.getRawArg(2));
    const std::string text = "'" + member->getNameAsString() +
                             "', which nobody wrote, would call functions of the host and of the "
                             "device";
    next_->HandleDiagnostic(level, Diagnostic(diagnostic.getDiags(), text));
  }

  /// Of a call, or of a name that stands for several functions.
  bool names_a_candidate(unsigned note) const {
    return note == diag::note_ovl_candidate_bad_target ||
           (note == diag::note_ovl_candidate &&
            (error_ == diag::err_addr_ovl_ambiguous || error_ == diag::err_addr_ovl_no_viable ||
             error_ == diag::err_ovl_unresolvable));
  }

  static bool is_about_a_conversion(unsigned message) {
    return message == diag::note_ovl_candidate_bad_conv ||
           message == diag::note_ovl_candidate_bad_list_argument ||
           message == diag::err_reference_bind_failed ||
           message == diag::err_typecheck_cond_incompatible_operands;
  }

  /// "candidate function not viable: call to __host__ function from __global__ function"
  void note_wrong_side(const Diagnostic& note) {
    const auto target = [&](unsigned argument) {
      return static_cast<CUDAFunctionTarget>(note.getRawArg(argument));
    };
    specifiers_.refused_candidate(*sema_, note.getLocation(), target(3), target(4));
  }

  /// "invalid argument type 'V' to unary expression", without candidates
  void note_operand(const Diagnostic& error) {
    if (error.getArgKind(0) == DiagnosticsEngine::ak_qualtype)
      specifiers_.refused_operand(
          *sema_, QualType::getFromOpaquePtr(reinterpret_cast<void*>(error.getRawArg(0))));
  }

  void try_cure(Cure cure, const Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager()) return;
    const auto text = written_at(diagnostic.getSourceManager(), place_);
    if (!text) return;
    const auto edit = cure({diagnostic, sema_->Context, sema_->PP, error_,
                            sema_->CurContext->isDependentContext(), *text});
    if (!edit) return;
    // All at once, not twenty at a time: gridcc does not show this run's messages.
    sema_->getDiagnostics().setErrorLimit(0);
    std::error_code error;
    llvm::raw_fd_ostream file(file_, error, llvm::sys::fs::OF_Append);
    if (error) return;
    file << llvm::json::Value(
                llvm::json::Object{{"file", edit->file},
                                   {"offset", static_cast<std::int64_t>(edit->offset)},
                                   {"length", static_cast<std::int64_t>(edit->length)},
                                   {"text", edit->text}})
         << '\n';
  }

  std::unique_ptr<DiagnosticConsumer> next_;
  std::string file_;
  Sema* const& sema_;
  Specifiers& specifiers_;
  OtherSideCalls& calls_;
  BorrowedFunctions& borrowed_;
  NarrowedConstants& constants_;
  bool is_told_otherwise_ = false;  // the last warning
  unsigned error_ = 0;              // the last one
  SourceLocation place_;
};

}  // namespace

void watch_errors(CompilerInstance& compiler, const std::string& file, Sema* const& sema,
                  Specifiers& specifiers, OtherSideCalls& calls, BorrowedFunctions& borrowed,
                  NarrowedConstants& constants) {
  DiagnosticsEngine& engine = compiler.getDiagnostics();
  engine.setClient(
      new Watcher(engine.takeClient(), file, sema, specifiers, calls, borrowed, constants),
      /*ShouldOwnClient=*/true);
}

}  // namespace gridspan::clang_plugin
