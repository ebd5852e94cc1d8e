// Refuses values that devices cannot have.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/device_values.h"

#include "clang/AST/APValue.h"
#include "clang/AST/Attr.h"
#include "clang/Sema/SemaCUDA.h"

namespace gridspan::clang_plugin {

using namespace clang;

namespace {

/// A function of the host whose address is in the value.
const FunctionDecl* host_function_in(Sema& sema, const APValue& value) {
  const auto first_of = [&](unsigned count, auto element) -> const FunctionDecl* {
    for (unsigned i = 0; i < count; ++i)
      if (const FunctionDecl* found = host_function_in(sema, element(i))) return found;
    return nullptr;
  };
  if (value.isLValue()) {
    const auto* function =
        dyn_cast_or_null<FunctionDecl>(value.getLValueBase().dyn_cast<const ValueDecl*>());
    return function && sema.CUDA().IdentifyTarget(function) == CUDAFunctionTarget::Host ? function
                                                                                        : nullptr;
  }
  if (value.isArray())
    return first_of(value.getArrayInitializedElts(),
                    [&](unsigned i) -> const APValue& { return value.getArrayInitializedElt(i); });
  if (!value.isStruct()) return nullptr;
  if (const FunctionDecl* found =
          first_of(value.getStructNumBases(),
                   [&](unsigned i) -> const APValue& { return value.getStructBase(i); }))
    return found;
  return first_of(value.getStructNumFields(),
                  [&](unsigned i) -> const APValue& { return value.getStructField(i); });
}

void check_one(Sema& sema, const VarDecl& variable) {
  DiagnosticsEngine& engine = sema.getDiagnostics();
  const auto refuse = [&](const char* text) {
    return engine.Report(variable.getLocation(),
                         engine.getDiagnosticIDs()->getCustomDiagID(DiagnosticIDs::Error, text));
  };
  if (variable.isInline() && !variable.isStaticDataMember() && variable.isExternallyVisible() &&
      !variable.getType().isConstQualified() && !sema.getLangOpts().GPURelocatableDeviceCode) {
    refuse("without -rdc=true each file has an inline device variable %0 of its own") << &variable;
    return;
  }
  const auto* around = dyn_cast<FunctionDecl>(variable.getDeclContext());
  if (around && sema.CUDA().IdentifyTarget(around) == CUDAFunctionTarget::Host) {
    refuse("a static device variable %0 cannot be in a host function") << &variable;
    return;
  }
  const Expr* initial = variable.getInit();
  if (!initial || initial->isValueDependent() || initial->containsErrors() ||
      variable.getType()->isDependentType())
    return;
  const APValue* value = variable.evaluateValue();
  if (const FunctionDecl* function = value ? host_function_in(sema, *value) : nullptr)
    refuse("the device variable %0 cannot have the address of %1, a function of the host")
        << &variable << function;
}

}  // namespace

void DeviceValues::declared(const VarDecl& variable) {
  if (variable.hasAttr<CUDADeviceAttr>() || variable.hasAttr<CUDAConstantAttr>())
    variables_.push_back(&variable);
}

void DeviceValues::check(Sema& sema) const {
  for (const VarDecl* variable : variables_)
    if (!variable->isInvalidDecl()) check_one(sema, *variable);
}

}  // namespace gridspan::clang_plugin
