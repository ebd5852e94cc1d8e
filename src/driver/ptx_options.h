// What the command line asks of PTX.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "codegen/editions.h"
#include "codegen/ptx/ptx.h"
#include "driver/invocation.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

codegen::PtxOptions ptx_options(const Invocation& invocation);

/// "75,fused,registers=32,libdevice=FILE": one word for containers and for commands that -###
/// prints. Empty if no PTX is wanted; what cannot be read means the same.
std::string to_text(const codegen::PtxOptions& options);
codegen::PtxOptions parse_ptx_options(std::string_view text);

/// "75,80,FILE"
std::string to_text(const codegen::SourceEdition& edition);
codegen::SourceEdition parse_edition(std::string_view text);

/// Of a device link: the link line's options and how its units were compiled. PTX is for the
/// highest level of all, and for none if some unit was compiled without.
codegen::PtxOptions linked_ptx_options(codegen::PtxOptions line,
                                       const std::vector<codegen::PtxOptions>& units);

}  // namespace gridspan::driver
