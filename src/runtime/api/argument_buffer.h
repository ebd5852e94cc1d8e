// A kernel's arguments as one buffer.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "runtime/api/status.h"

#include <cstddef>
#include <vector>

namespace gridspan::runtime {

/// Pointers to the arguments that lie one after the other in `bytes`.
Status unpack(const abi::Kernel& kernel, void* bytes, std::size_t size,
              std::vector<void*>& arguments);

/// Launches take arguments as pointers or, with CU_LAUNCH_PARAM_BUFFER_POINTER and _SIZE in
/// `extra`, as one buffer. `parameters` becomes what is meant; it may point into `arguments`.
Status choose_arguments(const abi::Kernel& kernel, void**& parameters, void** extra,
                        std::vector<void*>& arguments);

}  // namespace gridspan::runtime
