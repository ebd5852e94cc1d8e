// Boxes to rows and back.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "packed_boxes.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstdio>
#include <cstring>

namespace fake_cuda {

using gridspan::devices::PackedArray;

namespace {

constexpr unsigned char pattern = 0xa5;
constexpr std::size_t page = 4096;

Address address_of(const char* pointer) { return reinterpret_cast<Address>(pointer); }

char* packed_row(const PackedArray& array, std::size_t index) {
  return arena().inside(address_of(array.memory)) + index * array.pitch;
}

Address computed(const PackedArray& array, std::size_t row, std::size_t byte) {
  return address_of(array.origin) + (array.first_row + row) * array.row_bytes + array.first_byte +
         byte;
}

/// The clone finds each row of the box where it is.
bool agrees(const PackedArray& array, const PackedPlace& place) {
  for (std::size_t i = 0; i < array.rows; ++i) {
    for (const std::size_t byte : {std::size_t{0}, array.width - 1}) {
      const Address is_at = address_of(array.memory) + i * array.pitch + byte;
      if (moved(place, computed(array, i, byte)) != is_at) return false;
    }
  }
  return true;
}

bool is_pattern(const char* begin, const char* end) {
  return std::all_of(begin, end,
                     [](char byte) { return static_cast<unsigned char>(byte) == pattern; });
}

bool fails(const char* why) {
  std::fprintf(stderr, "fake_cuda: packed boxes: %s\n", why);
  return false;
}

}  // namespace

std::size_t pointers_before(const gridspan::abi::Kernel& kernel, std::uint32_t parameter) {
  return static_cast<std::size_t>(
      std::count_if(kernel.parameters, kernel.parameters + parameter,
                    [](const auto& one) { return one.is_pointer != 0; }));
}

UnpackedBoxes::~UnpackedBoxes() {
  for (const Unpacked& one : unpacked_) {
    if (one.bytes != 0) munmap(one.pages, one.bytes);
  }
}

bool UnpackedBoxes::add(const PackedArray& array) {
  for (const Unpacked& known : unpacked_) {
    if (known.array.memory != array.memory) continue;
    Unpacked same = known;
    same.array.parameter = array.parameter;
    same.bytes = 0;
    unpacked_.push_back(same);
    return true;
  }
  const std::size_t before = computed(array, 0, 0) - array.first_byte;
  const std::size_t bytes = (array.rows * array.row_bytes + 2 * page) / page * page;
  void* const pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (pages == MAP_FAILED) return fails("no room");
  auto* const first = static_cast<char*>(pages);
  unpacked_.push_back({array, first, bytes, first + before % page});
  std::memset(pages, pattern, bytes);
  for (std::size_t i = 0; i < array.rows; ++i)
    std::memcpy(row(unpacked_.back(), i) + array.first_byte, packed_row(array, i), array.width);
  return true;
}

bool UnpackedBoxes::unpack(const gridspan::abi::Kernel& kernel, std::span<const PackedArray> arrays,
                           std::span<const PackedPlace> places, Gpu gpu) {
  for (const PackedArray& array : arrays) {
    const std::size_t index = pointers_before(kernel, array.parameter);
    const std::size_t bytes = (array.rows - 1) * array.pitch + array.width;
    if (!arena().is_allowed(address_of(array.memory), bytes, gpu)) return fails("not allowed");
    if (array.pitch < array.width || array.first_byte + array.width > array.row_bytes)
      return fails("rows overlap");
    if (!agrees(array, places[index])) return fails("the clone would find another place");
    if (!add(array)) return false;
  }
  return true;
}

void UnpackedBoxes::move(std::uint32_t parameter, void* pointer) const {
  for (const Unpacked& one : unpacked_) {
    if (one.array.parameter != parameter) continue;
    Address address = 0;
    std::memcpy(&address, pointer, sizeof address);
    address += address_of(one.rows) - (computed(one.array, 0, 0) - one.array.first_byte);
    std::memcpy(pointer, &address, sizeof address);
  }
}

bool UnpackedBoxes::pack() const {
  for (const Unpacked& one : unpacked_) {
    if (one.bytes == 0) continue;
    const char* end = one.pages;  // of what was looked at
    for (std::size_t i = 0; i < one.array.rows; ++i) {
      const char* const begin = row(one, i) + one.array.first_byte;
      if (!is_pattern(end, begin)) return fails("a kernel wrote beside its box");
      std::memcpy(packed_row(one.array, i), begin, one.array.width);
      end = begin + one.array.width;
    }
    if (!is_pattern(end, one.pages + one.bytes)) return fails("a kernel wrote behind its box");
  }
  return true;
}

}  // namespace fake_cuda
