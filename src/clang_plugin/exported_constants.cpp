// Takes an attribute back that clang made up.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "clang_plugin/exported_constants.h"

#include "clang/AST/Attr.h"

namespace gridspan::clang_plugin {

using namespace clang;

void ExportedConstants::declared(VarDecl& variable) {
  if (variable.hasAttr<CUDADeviceAttr>() && !variable.hasAttr<CUDAConstantAttr>())
    variables_.push_back(&variable);
}

void ExportedConstants::end_declaration() {
  for (VarDecl* variable : variables_) {
    const auto* constant = variable->getAttr<CUDAConstantAttr>();
    // An inline one has its value in all files.
    if (constant && constant->isImplicit() && variable->isExternallyVisible() &&
        !variable->isInline())
      variable->dropAttr<CUDAConstantAttr>();
  }
  variables_.clear();
}

}  // namespace gridspan::clang_plugin
