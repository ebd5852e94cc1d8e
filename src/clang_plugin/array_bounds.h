// Array bounds that are constants of a class, named through an object.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     struct Bins { enum { number = 8 }; };
//     __device__ void add(Bins& bins) { float area[bins.number]; }
//
// As of P2280 that is a constant, whatever `bins` refers to. Clang 19 does not know it yet.
#pragma once

#include "clang_plugin/cures.h"

namespace gridspan::clang_plugin {

/// Names the class instead of the object: gridspan_class_of<decltype(bins)>::type::number.
std::optional<Edit> bound_of_class(const Complaint& complaint);

}  // namespace gridspan::clang_plugin
