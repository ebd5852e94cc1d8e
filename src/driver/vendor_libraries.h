// Libraries of a vendor's SDK whose place ours take.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// "cudart", as in -lcudart?
bool is_vendor_library(std::string_view name);

/// The same named as a file: /usr/local/cuda/lib64/libcudart.so.12
bool is_vendor_library_file(const std::string& path);

/// The library of ours that stands for one of the vendor's: "gridspan_blas" for "cublas", as in
/// -lcublas. Empty if there is none.
std::string library_of_ours(std::string_view name);

/// The same named as a file.
std::string library_file_of_ours(const std::string& path);

/// What is wrong with a link that asks for a library of CUDA's that Gridspan does not have (NPP,
/// CUPTI, ...): there is none, or it is an installed SDK's, and NVIDIA's own know nothing of our
/// run time. `words` are those of the link in order: -L, -l, files. Nothing if there is none; one
/// of the same name elsewhere is the user's own.
std::optional<std::string> library_that_lacks(const std::vector<std::string>& words);

}  // namespace gridspan::driver
