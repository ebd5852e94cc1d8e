// Division by a row's length, as a product.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cuda/packed_places.h"

#include <bit>
#include <cstddef>

namespace gridspan::devices::cuda {
namespace {

struct Divisor {
  std::uint64_t magic, shift;
};

/// With 2^s the largest power of two up to d, and m = 2^(64+s)/d rounded up, o * m / 2^(64+s) is
/// o / d and less than o / 2^63 / d more: the same when both are rounded down, if o < 2^63. For a
/// power of two m would be 2^64, and half of that will do.
Divisor divisor(std::uint64_t number) {
  const auto power = static_cast<std::uint64_t>(std::bit_width(number) - 1);
  if (std::has_single_bit(number)) return {std::uint64_t{1} << 63, power - 1};
  const auto dividend = static_cast<unsigned __int128>(1) << (64 + power);
  return {static_cast<std::uint64_t>(dividend / number) + 1, power};
}

}  // namespace

PackedPlace place_of(const PackedArray& array) {
  const auto [magic, shift] = divisor(array.row_bytes);
  const auto origin = reinterpret_cast<std::uintptr_t>(array.origin);
  const auto memory = reinterpret_cast<std::uintptr_t>(array.memory);
  const std::uint64_t start = array.first_row * array.pitch + array.first_byte;
  return {.origin = origin,
          .magic = magic,
          .shift = shift,
          .stretch = static_cast<std::int64_t>(array.pitch - array.row_bytes),
          .move = static_cast<std::int64_t>(memory - origin - start)};
}

std::vector<PackedPlace> places_of(const abi::Kernel& kernel, std::span<const PackedArray> arrays) {
  std::vector<PackedPlace> places;
  for (std::uint32_t i = 0; i < kernel.parameter_count; ++i) {
    if (kernel.parameters[i].is_pointer == 0) continue;
    places.emplace_back();
    for (const PackedArray& array : arrays) {
      if (array.parameter == i) places.back() = place_of(array);
    }
  }
  return places;
}

}  // namespace gridspan::devices::cuda
