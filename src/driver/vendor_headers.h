// Keeps the headers of an installed vendor SDK out of the way.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Makefiles written for nvcc say -I$(CUDA_PATH)/include, and some users set CPATH. On a machine
// that has an SDK its cuda_runtime.h would then hide ours, and every source would fail to compile;
// on one that has none nothing would happen. So such directories are left out. And what programs
// find of an SDK without asking (/usr/local/include may be full of it) would only show on that
// machine: headers of libraries that Gridspan does not have, which do not fit ours.
#pragma once

#include <string>
#include <vector>

namespace gridspan::driver {

/// Is this the include directory of a vendor's CUDA SDK?
bool has_vendor_headers(const std::string& directory);

/// Removes -I, -isystem and -idirafter of such directories; those removed are appended to `dropped`
/// unless they are there already.
std::vector<std::string> without_vendor_headers(const std::vector<std::string>& flags,
                                                std::vector<std::string>& dropped);

/// Removes such directories from this process's CPATH and its kin, which the compilers we start
/// inherit.
void clean_include_environment();

/// The folders that compilers look through unasked.
std::vector<std::string> searched_unasked();

/// Compilers look through some folders unasked; an SDK's headers may lie there among others' that
/// are needed. Of each such folder what is the SDK's, as links into it or under its names.
std::vector<std::string> vendor_headers_among_others(const std::vector<std::string>& directories);

/// An overlay for clang in which these files and folders do not exist.
std::string hiding_overlay(const std::vector<std::string>& paths);

}  // namespace gridspan::driver
