// Kernels of libraries that are compiled by themselves, so that what was made of them serves
// every file that has them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gridspan::codegen {

/// A kernel, with all that it calls, as a module whose bytes do not depend on the file that it is
/// taken from.
struct LibraryKernel {
  std::string name;
  std::string source;  // the file that defines it
  std::string bitcode;
};

struct LibraryKernels {
  std::vector<LibraryKernel> kernels;
  std::size_t instructions = 0;  // of all kernels of the module, with all that they call
};

/// Takes them out of a module as clang wrote it; the rest of it is written, if there are any. They
/// are instances of templates in other files than the one compiled, have shared memory, and name no
/// variable, no other kernel and no function but to call it. So they lose nothing: kernels without
/// shared memory stay, since those may become one kernel with others (docs/fusion.md). None if the
/// module cannot be read. O(kernels * functions of the module).
LibraryKernels take_library_kernels(const std::string& bitcode_path, const std::string& rest_path);

}  // namespace gridspan::codegen
