// Values of device variables that nvcc refuses, and clang does not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host function's address is a constant for clang, and would be called on a device. An inline
// variable is one for the host and, without a device link, one in each file for the device. One in
// a host function is nobody's.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Sema/Sema.h"

#include <vector>

namespace gridspan::clang_plugin {

class DeviceValues {
 public:
  /// Clang knows its attributes, not yet its initialiser.
  void declared(const clang::VarDecl& variable);

  /// At the source's end, in the device pass.
  void check(clang::Sema& sema) const;

 private:
  std::vector<const clang::VarDecl*> variables_;
};

}  // namespace gridspan::clang_plugin
