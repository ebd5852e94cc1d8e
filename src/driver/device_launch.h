// Launches in device code: clang refuses them, and gets them in another spelling.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which launches are in device code only clang knows: macros, templates and attributes say so. So
// it is asked first, and what it refuses is respelled. See cuda_headers/gridspan/device_launch.h
// for what becomes of it.
#pragma once

#include "driver/plan.h"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace gridspan::driver {

/// The lines of each file on which clang refuses a kernel's name in device code; of a macro those
/// of its definition, too.
std::map<std::string, std::set<unsigned>> refused_launches(std::string_view messages);

/// `source` with the launches respelled whose kernel is named on one of the lines; nothing if there
/// are none. Everything stays on its line.
std::optional<std::string> respell_device_launches(std::string_view source,
                                                   const std::set<unsigned>& lines);

/// Puts the files that `messages` complain about into the unit's overlay, respelled. False if
/// nothing has changed.
bool add_device_launches(CudaUnit& unit, std::string_view messages);

}  // namespace gridspan::driver
