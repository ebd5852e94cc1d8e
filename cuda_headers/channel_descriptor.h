// cudaCreateChannelDesc<T>(): the format of an array of T.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// Programs ask by this name whether the header has been included.
#define __CHANNEL_DESCRIPTOR_H__

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
template <class T>
static inline cudaChannelFormatDesc cudaCreateChannelDesc() {
  return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define GRIDSPAN_CHANNELS(type, scalar, kind, x, y, z, w)                       \
  template <>                                                                   \
  inline cudaChannelFormatDesc cudaCreateChannelDesc<type>() {                  \
    const int bits = (int)sizeof(scalar) * 8;                                   \
    return cudaCreateChannelDesc(x * bits, y * bits, z * bits, w * bits, kind); \
  }
#define GRIDSPAN_CHANNEL_VECTORS(name, scalar, kind)   \
  GRIDSPAN_CHANNELS(name##1, scalar, kind, 1, 0, 0, 0) \
  GRIDSPAN_CHANNELS(name##2, scalar, kind, 1, 1, 0, 0) \
  GRIDSPAN_CHANNELS(name##4, scalar, kind, 1, 1, 1, 1)

GRIDSPAN_CHANNELS(char, char, cudaChannelFormatKindSigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(signed char, signed char, cudaChannelFormatKindSigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(unsigned char, unsigned char, cudaChannelFormatKindUnsigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(short, short, cudaChannelFormatKindSigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(unsigned short, unsigned short, cudaChannelFormatKindUnsigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(int, int, cudaChannelFormatKindSigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(unsigned int, unsigned int, cudaChannelFormatKindUnsigned, 1, 0, 0, 0)
GRIDSPAN_CHANNELS(float, float, cudaChannelFormatKindFloat, 1, 0, 0, 0)
GRIDSPAN_CHANNEL_VECTORS(char, signed char, cudaChannelFormatKindSigned)
GRIDSPAN_CHANNEL_VECTORS(uchar, unsigned char, cudaChannelFormatKindUnsigned)
GRIDSPAN_CHANNEL_VECTORS(short, short, cudaChannelFormatKindSigned)
GRIDSPAN_CHANNEL_VECTORS(ushort, unsigned short, cudaChannelFormatKindUnsigned)
GRIDSPAN_CHANNEL_VECTORS(int, int, cudaChannelFormatKindSigned)
GRIDSPAN_CHANNEL_VECTORS(uint, unsigned int, cudaChannelFormatKindUnsigned)
GRIDSPAN_CHANNEL_VECTORS(float, float, cudaChannelFormatKindFloat)
#undef GRIDSPAN_CHANNEL_VECTORS
#undef GRIDSPAN_CHANNELS

static inline cudaChannelFormatDesc cudaCreateChannelDescHalf() {
  return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf1() {
  return cudaCreateChannelDescHalf();
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf2() {
  return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindFloat);
}
static inline cudaChannelFormatDesc cudaCreateChannelDescHalf4() {
  return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindFloat);
}
#endif
