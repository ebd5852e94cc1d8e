// CUDA arrays behind their handles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An array is device memory like any other, its rows and slices one after the other without gaps:
// copies, coherence and recordings need to know nothing of arrays.
#pragma once

#include "abi/texture.h"
#include "runtime/api/cuda_api.h"
#include "runtime/api/status.h"
#include "runtime/api/stream_table.h"
#include "runtime/memory/copy.h"

#include <memory>
#include <vector>

/// What a cudaArray_t points to.
struct cudaArray {
  cudaChannelFormatDesc format;
  cudaExtent extent;  // texels, as asked for: a dimension that is missing is 0
  unsigned flags;
  gridspan::runtime::Pitched memory;
  gridspan::runtime::Extent bytes;  // of all of it: no dimension is 0
  int device = 0;
  bool is_level = false;  // of a mipmap, with which it goes
};

/// What a cudaMipmappedArray_t points to: each level half as large as the one before.
struct cudaMipmappedArray {
  std::vector<std::shared_ptr<cudaArray>> levels;
  int device = 0;
};

namespace gridspan::runtime {

struct Runtime;
using Array = cudaArray;
using ArrayTable = HandleTable<Array>;
using Mipmap = cudaMipmappedArray;
using MipmapTable = HandleTable<Mipmap>;

/// What one texel is.
struct TexelFormat {
  abi::TexelKind kind = abi::TexelKind::floating;
  std::uint8_t channels = 0;
  std::uint8_t channel_bytes = 0;

  std::size_t bytes() const { return std::size_t{channels} * channel_bytes; }
};

/// Checks a format: 1, 2 or 4 channels of 8, 16 or 32 bits each; floats of 16 or 32.
Status read_format(const cudaChannelFormatDesc& format, TexelFormat& texel);

/// Finds the array of a handle.
Status find_array(Runtime& state, cudaArray_const_t handle, std::shared_ptr<Array>& array);

/// Makes an array of `extent` texels and enters it.
Status make_array(Runtime& state, cudaArray_t* handle, const cudaChannelFormatDesc* format,
                  const cudaExtent& extent, unsigned flags);

/// Frees an array when everything that is queued is done. Null is none.
Status free_array(Runtime& state, cudaArray_t handle);

Status find_mipmap(Runtime& state, cudaMipmappedArray_const_t handle,
                   std::shared_ptr<Mipmap>& mipmap);

/// The place of `extent` (bytes, rows, slices) whose first byte is at (x, y, z); refused unless all
/// of it lies in the array.
Status part_of(const Array& array, std::size_t x, std::size_t y, std::size_t z,
               const Extent& extent, Pitched& part);

}  // namespace gridspan::runtime
