// One source's device code on its way through the device link.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace gridspan::codegen {

/// A unit and the names by which it and others know each other.
struct LinkUnit {
  std::string origin;  // "a.o", "libx.a(b.o)"
  bool required;       // else it is taken if that works out
  std::unique_ptr<llvm::Module> module;
  llvm::StringSet<> strong;     // defined, by no other unit of the program
  llvm::StringSet<> weak;       // defined, perhaps by others, too (templates, inline functions)
  llvm::StringSet<> undefined;  // used and defined elsewhere
};

/// How names end that are private to unit number `number`.
std::string private_suffix(unsigned number);

/// Prepares `module`, unit number `number` of a link, such that linking by name is right: what is
/// private to the source gets a name of its own, and so does each `extern __shared__` array.
LinkUnit make_link_unit(std::string origin, bool required, std::unique_ptr<llvm::Module> module,
                        unsigned number);

}  // namespace gridspan::codegen
