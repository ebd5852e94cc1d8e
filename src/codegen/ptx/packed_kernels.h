// Kernels for a part of the grid of which arrays are packed boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     K$part(a, n, part)             *p                          p: any pointer made from a
//     K$packed(a, n, part, places)   *(p + place.move + row(p) * place.stretch)
//
// The kernel computes addresses as if the whole array was there. Where it accesses memory the
// address becomes one in the box that the device holds instead (BBMM, section 9.2, asks each
// access the same). Which row an address is in is found by division: the clone is right whatever
// the subscripts, as long as no access spans two rows and the box holds what the part touches.
//
//     as computed    origin -> [..............][.....####.....][.....####.....]   rows as the
//                                                                                 program has them
//     in the box                                     [####][####]
//
// The row's length is known at the launch only: a number of 64 bits is divided by the high half of
// a product and a shift (`magic`, `shift`; devices/cuda/packed_places.h).
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/IR/Function.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace gridspan::codegen::ptx {

/// How the names of such kernels end.
inline constexpr char packed_suffix[] = "$packed";

/// An argument of a kernel that is a pointer to an array with rows.
struct PackableArray {
  unsigned argument;
  unsigned element_bytes;  // rows are whole elements
  std::string name;        // for a person
};

/// Those of a kernel, by its name; none if a clone would be of no use. May wait for an answer.
using PackableArrays = std::function<std::vector<PackableArray>(const std::string& kernel)>;

/// Adds K$packed to K and K$part. Its last parameter has one record for each of K's arguments that
/// is a pointer, passed by value:
///     struct { uint64_t origin, magic, shift; int64_t stretch, move; }
/// of which those of `arrays` are used; an array whose pointer is in a struct stays where it is.
/// Returns why it does not.
std::optional<std::string> add_packed_kernel(llvm::Function& kernel,
                                             llvm::ArrayRef<PackableArray> arrays);

}  // namespace gridspan::codegen::ptx
