// What a texture or surface handle points to.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library (src/device_library/texture.cpp) reads it, the run time writes it, once,
// before the first launch that may use it. Everything a fetch would have to decide by more than one
// field is decided when it is made.
#pragma once

#include <cstdint>

namespace gridspan::abi {

enum class TexelKind : std::uint8_t { signed_integer, unsigned_integer, floating };

/// How a subscript outside its extent is answered. Wrap and mirror go with normalised coordinates.
enum class TextureAddressing : std::uint8_t { wrap, clamp, mirror, border };

struct TextureDescriptor {
  char* data;           // texel (0, 0, 0)
  std::uint64_t pitch;  // bytes from row to row
  std::uint64_t slice;  // bytes from slice, layer or face to the next
  std::uint32_t width;  // texels; all three at least 1
  std::uint32_t height;
  std::uint32_t depth;  // slices; layers; faces of all layers
  TexelKind kind;
  std::uint8_t channels;                 // 1, 2 or 4
  std::uint8_t channel_bytes;            // 1, 2 or 4
  TextureAddressing addressing[3];       // x, y, z
  std::uint8_t is_linear;                // filtered; texels are then read as floats
  std::uint8_t has_normalized_position;  // coordinates run from 0 to 1
  std::uint8_t reads_normalized_float;   // integers become floats from 0 or -1 to 1
  std::uint8_t
      level_count;  // of a mipmap: as many descriptors lie here one after the other; else 0
  std::uint8_t mixes_levels;  // a fetch between two levels is a mean of both
  std::uint8_t reserved[5];
  float border[4];
  float level_bias;  // of a mipmap: added to the level asked for,
  float min_level;   // which is held between these two
  float max_level;
};

}  // namespace gridspan::abi
