// Reading one container (abi/container.h) inside gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/container.h"
#include "support/result.h"

#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// A kernel whose vectors call math functions of vectors where it is compiled for `cpu` (empty:
/// the baseline, or the CPU that the user named).
struct VectorMath {
  std::string kernel, cpu;
};

/// What a container holds for later stages, and how its source was compiled.
struct DeviceSource {
  abi::ModuleId id;
  std::string bitcode;  // canonical
  std::string source;   // as the user named it
  std::string cpu;
  std::string ptx;  // options (ptx_options.h); empty: it was compiled without
  bool debug_info = false;
  bool optimised = true;
  std::vector<VectorMath> vector_math;
  std::vector<std::string> scalar_kernels;  // whose threads run one by one
  std::string sequences;                    // as they are carried
  std::string models;                       // likewise
  std::size_t size = 0;                     // bytes of the whole container
};

/// Reads the container at the start of `bytes`, which came from `origin`. Fails with one line that
/// names the origin: not a container, of another version, cut short, damaged.
support::Result<DeviceSource> read_container(std::string_view bytes, const std::string& origin);

}  // namespace gridspan::driver
