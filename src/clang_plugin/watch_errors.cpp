// Passing on clang's messages, and writing down the cures.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/watch_errors.h"

#include "clang_plugin/cures.h"

#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

class Watcher : public DiagnosticConsumer {
 public:
  Watcher(std::unique_ptr<DiagnosticConsumer> next, std::string file, Sema* const& sema)
      : next_(std::move(next)), file_(std::move(file)), sema_(sema) {}

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
    DiagnosticConsumer::HandleDiagnostic(level, diagnostic);
    next_->HandleDiagnostic(level, diagnostic);
    if (level >= DiagnosticsEngine::Error) {
      error_ = diagnostic.getID();
      place_ = diagnostic.getLocation();
    }
    if (Cure cure = sema_ ? cure_of(diagnostic.getID()) : nullptr) try_cure(cure, diagnostic);
  }

 private:
  void try_cure(Cure cure, const Diagnostic& diagnostic) {
    if (!diagnostic.hasSourceManager()) return;
    const auto text = written_at(diagnostic.getSourceManager(), place_);
    if (!text) return;
    const auto edit = cure({diagnostic, sema_->Context, sema_->PP, error_, *text});
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
  unsigned error_ = 0;  // the last one
  SourceLocation place_;
};

}  // namespace

void watch_errors(CompilerInstance& compiler, const std::string& file, Sema* const& sema) {
  DiagnosticsEngine& engine = compiler.getDiagnostics();
  engine.setClient(new Watcher(engine.takeClient(), file, sema), /*ShouldOwnClient=*/true);
}

}  // namespace gridspan::clang_plugin
