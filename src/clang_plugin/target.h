// The execution specifiers that are written on a function.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "clang/AST/Decl.h"

namespace gridspan::clang_plugin {

/// What is written on a declaration.
struct Target {
  bool host = false, device = false, global = false;

  bool any() const { return host || device || global; }
  bool is_host_only() const { return !device && !global; }
  bool is_device_only() const { return device && !host; }
  bool operator==(const Target&) const = default;
  Target operator|(const Target& other) const {
    return {host || other.host, device || other.device, global || other.global};
  }
};

/// What clang adds by itself, as to constexpr functions, does not count.
Target written_on(const clang::FunctionDecl& function);

/// Of __host__ and __device__.
void set_one(clang::FunctionDecl& function, Target target);
void set_all(clang::FunctionDecl& function, Target target);

}  // namespace gridspan::clang_plugin
