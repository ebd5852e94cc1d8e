// A module as text: what `gridcc -ptx` and nvrtcGetPTX give, where CUDA has PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs treat PTX as a C string: they print it, write it to files, search it. So the module, a
// shared library, goes into comment lines in base64:
//
//     // Gridspan module
//     // (for CPUs; cuModuleLoadData takes it as it is)
//     //:f0VMRgIBAQAAAAAAAAAAAAMAPgABAAAA…
//     //.
#pragma once

#include "support/result.h"

#include <string>
#include <string_view>

namespace gridspan::support {

/// Does text that starts so hold a module?
bool is_module_text(std::string_view start);

std::string to_module_text(std::string_view bytes);

/// The bytes of the module. `text` ends with a null; what stands behind the module is not read.
Result<std::string> from_module_text(const char* text);

}  // namespace gridspan::support
