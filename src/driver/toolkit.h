// What nvcc -v tells build systems, told of Gridspan.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// CMake learns from these lines where the toolkit is, which architectures are compiled for and how
// a program is linked (CMakeDetermineCUDACompiler.cmake). The toolkit is a folder of ours that
// looks like one (cmake/GridspanToolkit.cmake).
#pragma once

#include "driver/host_search.h"
#include "driver/installation.h"
#include "driver/invocation.h"

#include <string>

namespace gridspan::driver {

/// Before any step: the places, one `#$ NAME=value` a line; as a linker's line, the first of which
/// CMake reads, what other compilers must be told to link our run time and the host's libraries
/// (with these folders CMake knows where a Linux keeps libraries, too); the host's folders of
/// headers.
std::string toolkit_lines(const Invocation& invocation, const Installation& installation,
                          const HostSearch& host);

/// After the link of a program: the same for build systems to repeat, with the run time as the
/// toolkit's.
std::string link_line(const Installation& installation);

}  // namespace gridspan::driver
