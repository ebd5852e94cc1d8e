// When objects register.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace gridspan::abi {

/// Of the constructors in which host and device objects register, and of the destructors: the first
/// that programs may have themselves. Constructors of the program's objects may launch kernels.
inline constexpr int registration_priority = 101;

}  // namespace gridspan::abi
