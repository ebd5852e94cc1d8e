// Compiling a module of device code in parts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/device_compiler.h"

#include <functional>
#include <string>

namespace gridspan::driver {

/// Compiles one part; false on errors, which it has said.
using CompilePart = std::function<bool(const codegen::DeviceRequest&)>;

/// Has kernels of libraries compiled by themselves (codegen/library_kernels.h), the rest after
/// them, and joins the objects with `linker` to the one that is asked for. A request for more than
/// an object, or that depends on settings by kernel, is compiled as it is.
bool compile_in_parts(const codegen::DeviceRequest& request, const std::string& linker,
                      const CompilePart& compile);

}  // namespace gridspan::driver
