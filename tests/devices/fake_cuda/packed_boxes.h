// Arrays of which a launch has packed boxes, laid out as kernels compute addresses: the CPU's code
// knows no boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/cuda/packed_places.h"
#include "state.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace fake_cuda {

std::size_t pointers_before(const gridspan::abi::Kernel& kernel, std::uint32_t parameter);

class UnpackedBoxes {
 public:
  UnpackedBoxes() = default;
  UnpackedBoxes(const UnpackedBoxes&) = delete;
  UnpackedBoxes& operator=(const UnpackedBoxes&) = delete;
  ~UnpackedBoxes();

  /// Fills what is between the boxes with a pattern. False if `gpu` may not use the boxes, or the
  /// clone of the kernel would find an address elsewhere: `places` are of the kernel's pointers.
  bool unpack(const gridspan::abi::Kernel& kernel, std::span<const gridspan::devices::PackedArray>,
              std::span<const PackedPlace> places, Gpu gpu);
  /// Where the parameter's pointer leads now.
  void move(std::uint32_t parameter, void* pointer) const;
  /// Puts the boxes back. False if the kernel wrote anywhere else.
  bool pack() const;

 private:
  struct Unpacked {
    gridspan::devices::PackedArray array;
    char* pages;
    std::size_t bytes;  // 0: the pages are of an earlier one
    char* rows;         // of the box; in `pages`, with the alignment that they would have
  };
  bool add(const gridspan::devices::PackedArray& array);
  static char* row(const Unpacked& one, std::size_t index) {
    return one.rows + index * one.array.row_bytes;
  }

  std::vector<Unpacked> unpacked_;  // parameters may share a box
};

}  // namespace fake_cuda
