// Single texels: where they lie and what they become.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "abi/texture.h"
#include "device_library.h"

namespace gridspan::device_library {

using abi::TexelKind;
using abi::TextureDescriptor;
using Word = std::uint32_t;
using Handle = std::uint64_t;

/// A texel's place along each axis; negative: the border.
struct Place {
  int x, y, z;
};

HELPER const TextureDescriptor& descriptor_of(Handle handle) {
  return *reinterpret_cast<const TextureDescriptor*>(handle);
}

HELPER void clear(Word* words) {
  for (int i = 0; i < 4; ++i) words[i] = 0;
}

HELPER int clamped(int i, int n) { return i < 0 ? 0 : i < n ? i : n - 1; }

HELPER float half_to_float(std::uint16_t bits) {
  const Word sign = Word{bits & 0x8000U} << 16, rest = Word{bits & 0x7fffU} << 13;
  if (rest >= 0x7c00U << 13) return bits_as<float>(sign | 0x7f800000U | rest);
  return bits_as<float>(bits_as<Word>(bits_as<float>(rest) * 0x1p112F) | sign);
}

/// Channel `c` of the texel at `from` as 32 bits.
HELPER Word integer_channel(const TextureDescriptor& texture, const char* from, unsigned c) {
  const bool is_signed = texture.kind == TexelKind::signed_integer;
  if (texture.channel_bytes == 4) return reinterpret_cast<const Word*>(from)[c];
  if (texture.channel_bytes == 2) {
    const std::uint16_t bits = reinterpret_cast<const std::uint16_t*>(from)[c];
    return is_signed ? static_cast<Word>(static_cast<std::int16_t>(bits)) : bits;
  }
  const std::uint8_t bits = reinterpret_cast<const std::uint8_t*>(from)[c];
  return is_signed ? static_cast<Word>(static_cast<std::int8_t>(bits)) : bits;
}

/// The same as a float: its value if it is one, else from 0 or -1 to 1.
HELPER float float_channel(const TextureDescriptor& texture, const char* from, unsigned c) {
  if (texture.kind == TexelKind::floating) {
    if (texture.channel_bytes == 4) return reinterpret_cast<const float*>(from)[c];
    return half_to_float(reinterpret_cast<const std::uint16_t*>(from)[c]);
  }
  const Word word = integer_channel(texture, from, c);
  const int bits = texture.channel_bytes * 8;
  if (texture.kind == TexelKind::unsigned_integer)
    return static_cast<float>(word) / static_cast<float>((1U << bits) - 1);
  const float value =
      static_cast<float>(static_cast<int>(word)) / static_cast<float>((1U << (bits - 1)) - 1);
  return value < -1 ? -1 : value;  // of the two lowest numbers, both mean -1
}

HELPER bool gives_floats(const TextureDescriptor& texture) {
  return texture.kind == TexelKind::floating || texture.reads_normalized_float;
}

HELPER const char* address(const TextureDescriptor& texture, const Place& at) {
  const std::uint64_t texel = std::uint64_t{texture.channels} * texture.channel_bytes;
  return texture.data + static_cast<std::uint64_t>(at.z) * texture.slice +
         static_cast<std::uint64_t>(at.y) * texture.pitch +
         static_cast<std::uint64_t>(at.x) * texel;
}

HELPER bool is_border(const Place& at) { return (at.x | at.y | at.z) < 0; }

HELPER float float_at(const TextureDescriptor& texture, const Place& at, unsigned c) {
  return is_border(at) ? texture.border[c] : float_channel(texture, address(texture, at), c);
}

HELPER Word border_channel(const TextureDescriptor& texture, unsigned c) {
  return gives_floats(texture) ? bits_as<Word>(texture.border[c])
                               : static_cast<Word>(static_cast<int>(texture.border[c]));
}

/// Writes what `channel` says of each of the texel's channels. Without subscripts known only at run
/// time, the words become registers where the caller inlines this, and those nobody wants go.
template <typename Channel>
HELPER void each_channel(const TextureDescriptor& texture, Word* words, Channel channel) {
  words[0] = channel(0);
  if (texture.channels < 2) return;
  words[1] = channel(1);
  if (texture.channels < 4) return;
  words[2] = channel(2);
  words[3] = channel(3);
}

HELPER void texel(const TextureDescriptor& texture, const Place& at, Word* words) {
  clear(words);
  if (is_border(at)) {
    each_channel(texture, words, [&](unsigned c) { return border_channel(texture, c); });
    return;
  }
  const char* const from = address(texture, at);
  if (texture.channel_bytes == 4) {  // floats and integers alike: as they are
    each_channel(texture, words,
                 [&](unsigned c) { return reinterpret_cast<const Word*>(from)[c]; });
    return;
  }
  const bool floats = gives_floats(texture);
  each_channel(texture, words, [&](unsigned c) {
    return floats ? bits_as<Word>(float_channel(texture, from, c))
                  : integer_channel(texture, from, c);
  });
}

}  // namespace gridspan::device_library
