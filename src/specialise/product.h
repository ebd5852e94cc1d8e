// Loading a specialised build.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "support/result.h"

#include <string>

namespace gridspan::specialise {

/// The kernel in the shared object, which stays loaded to the end of the process. It must be a form
/// of `kernel` and call the services of the run time that `run_time` is an address in.
support::Result<const abi::Kernel*> load_product(const std::string& path, const abi::Kernel& kernel,
                                                 const void* run_time);

/// The same of a kernel of that name and so many parameters.
support::Result<const abi::Kernel*> load_fused(const std::string& path, const std::string& name,
                                               std::uint32_t parameters, const void* run_time);

}  // namespace gridspan::specialise
