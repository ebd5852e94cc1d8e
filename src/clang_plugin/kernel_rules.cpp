// Refuses kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/kernel_rules.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// Device functions may take `...`, for overload sets that are only asked for a type; a kernel is
/// launched with what it names.
const char* fault_of(const FunctionDecl& kernel) {
  if (kernel.isVariadic()) return "a __global__ function cannot take '...'";
  // What it would refer to is the host's.
  if (llvm::any_of(kernel.parameters(), [](const ParmVarDecl* one) {
        return one->getType()->isRValueReferenceType() && !one->getType()->isDependentType();
      }))
    return "a __global__ function cannot take an rvalue reference";
  if (kernel.isConstexpr()) return "a __global__ function cannot be constexpr";
  if (kernel.getReturnType()->getContainedDeducedType())
    return "a __global__ function returns void; its type cannot be deduced";
  return nullptr;
}

}  // namespace

void check_kernel(Sema& sema, const FunctionDecl& kernel) {
  DiagnosticsEngine& engine = sema.getDiagnostics();
  if (const char* fault = fault_of(kernel))
    engine.Report(kernel.getLocation(),
                  engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, fault));
}

}  // namespace gridspan::clang_plugin
