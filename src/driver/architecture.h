// GPU architectures as the user names them: what __CUDA_ARCH__ becomes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace gridspan::driver {

/// 75 for sm_75. Kernels run on CPUs, so this is only the language level a source sees.
struct GpuArchitecture {
  unsigned number = 75;
  friend auto operator<=>(const GpuArchitecture&, const GpuArchitecture&) = default;

  /// Value of __CUDA_ARCH__.
  unsigned macro() const { return number * 10; }
};

/// The level without -arch. Also nvcc 13's default; code for sm_80 and later often turns to inline
/// PTX, which older paths of the same source do not need.
inline constexpr GpuArchitecture default_architecture{75};

/// The architecture clang is told to compile for: the newest one clang 19 knows, so that every
/// builtin exists whatever the user's -arch. __CUDA_ARCH__ is set apart from it.
inline constexpr std::string_view clang_architecture = "sm_90";

/// The architectures `--list-gpu-arch` prints.
std::span<const GpuArchitecture> listed_architectures();

/// sm_80, compute_80, sm_90a, native, all, all-major. Several, as "sm_80,sm_90", give several.
support::Result<std::vector<GpuArchitecture>> parse_architecture(std::string_view text);

/// arch=compute_80,code=[sm_80,compute_80]
support::Result<std::vector<GpuArchitecture>> parse_generate_code(std::string_view text);

/// Those of a value of -arch, -code or -gencode that GPUs are to find machine code for: sm_80.
std::vector<GpuArchitecture> real_architectures(std::string_view text);

}  // namespace gridspan::driver
