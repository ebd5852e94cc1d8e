// Objects whose device code is compiled at link time (abi/relocatable.h): making and reading them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/container_reader.h"

#include <string>
#include <vector>

namespace gridspan::driver {

/// What such an object is made of.
struct RelocatableParts {
  std::string host_object;  // of clang with -fgpu-rdc
  std::string bitcode_path;
  std::string source;  // as the user named it
  abi::ModuleId id;
  std::string options_json;
  std::string lowered_names_path;  // see codegen::DeviceRequest
  std::string sequences_path;      // the same
};

/// Writes the object: the host object with a container beside its code, and with a name of its own
/// for what clang names after a hash of the source's path.
support::Result<void> make_relocatable_object(const RelocatableParts& parts,
                                              const std::string& output);

/// One container found in an object or in a member of an archive.
struct RelocatableCode {
  std::string origin;  // "a.o", "libx.a(b.o)"
  bool is_member;
  DeviceSource device;
  std::string registration;  // the function that its host code calls
};

/// A quick look: does any of these files hold device code for a device link? Files that are not
/// there, and files of other kinds, hold none: they are the linker's business.
bool holds_relocatable_code(const std::vector<std::string>& files);

/// All of it, in order, without what a device link among the files has done already. `modules`:
/// also the code of modules for cuModuleLoad.
support::Result<std::vector<RelocatableCode>> read_relocatable_code(
    const std::vector<std::string>& files, bool modules);

}  // namespace gridspan::driver
