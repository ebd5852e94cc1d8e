// Notes and tells them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/narrowed_constants.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Lex/Lexer.h"
#include "clang/Sema/SemaCUDA.h"
#include "llvm/ADT/SmallString.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// Of a `double` that becomes an `int` clang does not say whether it is a constant.
bool is_number(const Sema& sema, const Diagnostic& warning) {
  if (warning.getRanges().empty()) return false;
  const llvm::StringRef text =
      Lexer::getSourceText(warning.getRange(0), sema.getSourceManager(), sema.getLangOpts());
  return !text.empty() && text.find_first_not_of("0123456789.eEfFlL+-*/() '") == text.npos;
}

}  // namespace

bool NarrowedConstants::heard_warning(Sema& sema, const Diagnostic& warning) {
  if (sema.getLangOpts().CUDAIsDevice || sema.inTemplateInstantiation()) return false;
  if (warning.getID() != diag::ext_init_list_constant_narrowing &&
      !(warning.getID() == diag::ext_init_list_type_narrowing && is_number(sema, warning)))
    return false;
  const CUDAFunctionTarget target = sema.CUDA().CurrentTarget();
  if (target != CUDAFunctionTarget::Host && target != CUDAFunctionTarget::HostDevice) return false;
  llvm::SmallString<128> text;
  warning.FormatDiagnostic(text);
  noted_.emplace_back(warning.getLocation(), text.str());
  return true;
}

void NarrowedConstants::tell(Sema& sema) {
  if (noted_.empty()) return;
  DiagnosticsEngine& engine = sema.getDiagnostics();
  const unsigned error = engine.getCustomDiagID(DiagnosticsEngine::Error, "%0");
  for (const auto& [place, text] : std::exchange(noted_, {})) engine.Report(place, error) << text;
}

}  // namespace gridspan::clang_plugin
