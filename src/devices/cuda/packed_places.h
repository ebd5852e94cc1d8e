// What the clone of a kernel that works on packed boxes takes (codegen/ptx/packed_kernels.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/module.h"
#include "devices/packed_array.h"

#include <cstdint>
#include <span>
#include <vector>

namespace gridspan::devices::cuda {

/// One for each parameter of the kernel that is a pointer. The address p becomes
///     p + move + row * stretch,   row = ((p - origin) * magic >> 64) >> shift
/// in 64 bits, but for the product. All zeros: nothing is moved.
struct PackedPlace {
  std::uint64_t origin = 0, magic = 0, shift = 0;
  std::int64_t stretch = 0, move = 0;
};
static_assert(sizeof(PackedPlace) == 40);

/// `row` is exact up to 2^63 bytes behind the origin.
PackedPlace place_of(const PackedArray& array);

/// Of all pointers; those of other arrays stay where they are.
std::vector<PackedPlace> places_of(const abi::Kernel& kernel, std::span<const PackedArray> arrays);

/// What the clone does with an address.
inline std::uint64_t moved(const PackedPlace& place, std::uint64_t address) {
  const auto product = static_cast<unsigned __int128>(address - place.origin) * place.magic;
  const std::uint64_t row = static_cast<std::uint64_t>(product >> 64) >> place.shift;
  return address + static_cast<std::uint64_t>(place.move) +
         row * static_cast<std::uint64_t>(place.stretch);
}

}  // namespace gridspan::devices::cuda
