// What a texture fetch gives: four 32-bit words become a value of the type the program asks for.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../vector_types.h"
#include "device_macros.h"
#include "texture_types.h"

namespace gridspan_texture {

/// Four words, one a channel: the bits of a float, or an integer widened to 32 bits.
struct words {
  unsigned int at[4];
};

/// texel<T>: how words become a T; `wide` is what four such channels are, `filtered` what T is
/// when read as normalised floats.
template <class T>
struct texel;

#define GRIDSPAN_MEMBER __inline__ __attribute__((always_inline, __nodebug__)) __device__
template <class T>
struct channel {
  static GRIDSPAN_MEMBER T from(unsigned int word) { return static_cast<T>(word); }
};
template <>
struct channel<float> {
  static GRIDSPAN_MEMBER float from(unsigned int word) { return __builtin_bit_cast(float, word); }
};

#define GRIDSPAN_TEXEL(type, scalar, four, floats, ...)    \
  template <>                                              \
  struct texel<type> {                                     \
    typedef four wide;                                     \
    typedef floats filtered;                               \
    static GRIDSPAN_MEMBER type from(const words& given) { \
      typedef channel<scalar> c;                           \
      return __VA_ARGS__;                                  \
    }                                                      \
  };
#define GRIDSPAN_WORD(i) c::from(given.at[i])
#define GRIDSPAN_TEXELS(scalar, name)                                                    \
  GRIDSPAN_TEXEL(scalar, scalar, name##4, float, GRIDSPAN_WORD(0))                       \
  GRIDSPAN_TEXEL(name##1, scalar, name##4, float1, {GRIDSPAN_WORD(0)})                   \
  GRIDSPAN_TEXEL(name##2, scalar, name##4, float2, {GRIDSPAN_WORD(0), GRIDSPAN_WORD(1)}) \
  GRIDSPAN_TEXEL(name##4, scalar, name##4, float4,                                       \
                 {GRIDSPAN_WORD(0), GRIDSPAN_WORD(1), GRIDSPAN_WORD(2), GRIDSPAN_WORD(3)})

GRIDSPAN_TEXEL(char, char, char4, float, GRIDSPAN_WORD(0))
GRIDSPAN_TEXELS(signed char, char)
GRIDSPAN_TEXELS(unsigned char, uchar)
GRIDSPAN_TEXELS(short, short)
GRIDSPAN_TEXELS(unsigned short, ushort)
GRIDSPAN_TEXELS(int, int)
GRIDSPAN_TEXELS(unsigned int, uint)
GRIDSPAN_TEXELS(float, float)

#undef GRIDSPAN_TEXELS
#undef GRIDSPAN_WORD
#undef GRIDSPAN_TEXEL
#undef GRIDSPAN_MEMBER

/// What a fetch from texture<T, Type, Mode> gives.
template <class T, cudaTextureReadMode Mode>
struct fetched {
  typedef T type;
};
template <class T>
struct fetched<T, cudaReadModeNormalizedFloat> {
  typedef typename texel<T>::filtered type;
};

}  // namespace gridspan_texture
