// The device link: compiling the device code of objects that were compiled with -rdc=true.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/device_step.h"

#include <string>
#include <vector>

namespace gridspan::driver {

struct DeviceLink {
  std::vector<std::string> files;  // objects and archives in the order of the link line
  /// Where to leave the linked bitcode and the object, and what the link line says about code
  /// generation. The ids of the units and the CPU they were compiled for come from the files.
  codegen::DeviceRequest request;
  /// The product is a module: whole modules may be linked, too, and no host code calls it.
  bool makes_image = false;
  std::string product;  // of the whole link: two products of the same objects have different ids
};

/// Writes the object. `left_out` says, one line each, which members of libraries have no part in it
/// and why: their host code will not link. False after printing errors.
bool run_device_link(const DeviceLink& link, MessagePolicy policy, CacheUse use,
                     std::vector<std::string>& left_out);

}  // namespace gridspan::driver
