// Compiling a module of device code in parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"
#include "driver/side_by_side.h"

#include <functional>
#include <string>

namespace gridspan::driver {

/// Compiles one part; false on errors, which it has said.
using CompilePart = std::function<bool(const codegen::DeviceRequest&)>;

struct PartsUse {
  std::string linker;  // joins the parts' objects; empty: there are no parts
  AtATime at_a_time;
};

/// Has kernels of libraries compiled by themselves (codegen/library_kernels.h), the rest as one
/// part, and joins the objects to the one that is asked for. Where times are asked for, one part
/// after the other. A request for more than an object, or that depends on settings by kernel, is
/// compiled as it is.
bool compile_in_parts(const codegen::DeviceRequest& request, const PartsUse& use,
                      const CompilePart& compile);

}  // namespace gridspan::driver
