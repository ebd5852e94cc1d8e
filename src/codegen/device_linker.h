// The device link: the device code of several relocatable units becomes one canonical module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The units' nvptx64 modules are linked by name, as nvlink would link GPU code, and before anything
// is lowered. So what follows (models, inlining, barriers cut into regions) sees calls between
// files like calls within one.
#pragma once

#include "codegen/device_compiler.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::codegen {

struct RelocatableUnit {
  std::string origin;   // the object, for messages: "a.o", "libx.a(b.o)"
  std::string bitcode;  // as clang wrote it
  bool required;        // see unit_choice.h
};

struct LinkedDeviceCode {
  std::string bitcode;
  struct Unit {
    unsigned index;      // in the list of units
    std::string suffix;  // of names that are private to it
  };
  std::vector<Unit> linked;
  std::vector<std::string> left_out;  // why the others are not, one line each
};

/// Nothing, and diagnostics, if a name is undefined or defined twice or a unit cannot be read.
std::optional<LinkedDeviceCode> link_device_code(const std::vector<RelocatableUnit>& units,
                                                 std::vector<Diagnostic>& diagnostics);

}  // namespace gridspan::codegen
