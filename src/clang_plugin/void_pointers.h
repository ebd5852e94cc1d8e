// `base + 16` of a void*, `(unsigned)pointer`, `sizeof(void)`: GNU C that nvcc takes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The words around the operands are functions of cuda_headers/gridspan/void_pointers.h. They leave
// operands of other types as they are, for templates that clang complains of for one type only.
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// p + n, p - n, p += n, p -= n with the pointer on the left. nvcc, too, refuses the rest.
std::optional<Edit> arithmetic_in_bytes(const Complaint& complaint);

/// A cast, of any form, of a pointer to a smaller integer.
std::optional<Edit> cast_of_address(const Complaint& complaint);

/// sizeof(void), alignof(void)
std::optional<Edit> size_of_void(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
