// Where gridcc's own files and the tools it starts are.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::driver {

/// Everything is found relative to the running executable, so that an installation can be moved:
///
///     PREFIX/bin/gridcc
///     PREFIX/include/gridspan/cuda/     headers of user programs
///     PREFIX/lib/libgridspan.{so,a}
///     PREFIX/lib/gridspan/              the device library, clang's plug-ins
struct Installation {
  std::string gridcc;             // this executable
  std::string include_directory;  // of cuda_runtime.h
  std::string library_directory;
  std::string clang;   // $GRIDSPAN_CLANG, else the one known at build time, else clang++-19 in PATH
  std::string linker;  // for partial links
  std::string archiver;  // ar
  // clang's plug-ins; empty: they may not fit this clang
  std::string host_plugin, clang_plugin;
};

/// `program` is argv[0]. Fails when no clang or linker can be found; whether the headers and
/// library are there shows when they are used.
support::Result<Installation> find_installation(const char* program);

}  // namespace gridspan::driver
