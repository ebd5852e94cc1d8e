// prmt: bytes of two words, chosen by a selector or by a mode's table.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "device_library.h"

namespace {

HELPER unsigned byte_of(unsigned a, unsigned b, unsigned index) {
  const unsigned word = index & 4 ? b : a;
  return word >> 8 * (index & 3) & 0xff;
}

HELPER unsigned four(unsigned a, unsigned b, unsigned i3, unsigned i2, unsigned i1, unsigned i0) {
  return byte_of(a, b, i3) << 24 | byte_of(a, b, i2) << 16 | byte_of(a, b, i1) << 8 |
         byte_of(a, b, i0);
}

}  // namespace

/// Bit 3 of a selector asks for the byte's sign, eight times.
DEVICE_FUNCTION unsigned __gridspan_ptx_prmt(unsigned a, unsigned b, unsigned selector) {
  unsigned result = 0;
  for (unsigned i = 0; i < 4; ++i) {
    const unsigned choice = selector >> 4 * i & 0xf;
    const unsigned byte = byte_of(a, b, choice & 7);
    const unsigned sign = byte & 0x80 ? 0xff : 0;
    result |= (choice & 8 ? sign : byte) << 8 * i;
  }
  return result;
}

DEVICE_FUNCTION unsigned __gridspan_ptx_prmt_f4e(unsigned a, unsigned b, unsigned c) {
  const unsigned n = c & 3;
  return four(a, b, n + 3, n + 2, n + 1, n);
}

DEVICE_FUNCTION unsigned __gridspan_ptx_prmt_b4e(unsigned a, unsigned b, unsigned c) {
  const unsigned n = c & 3;
  return four(a, b, (n + 5) & 7, (n + 6) & 7, (n + 7) & 7, n);
}

DEVICE_FUNCTION unsigned __gridspan_ptx_prmt_rc8(unsigned a, unsigned b, unsigned c) {
  const unsigned n = c & 3;
  return four(a, b, n, n, n, n);
}

DEVICE_FUNCTION unsigned __gridspan_ptx_prmt_ecl(unsigned a, unsigned b, unsigned c) {
  const unsigned n = c & 3;
  return four(a, b, 3, n > 2 ? n : 2, n > 1 ? n : 1, n);
}

DEVICE_FUNCTION unsigned __gridspan_ptx_prmt_ecr(unsigned a, unsigned b, unsigned c) {
  const unsigned n = c & 3;
  return four(a, b, n, n < 2 ? n : 2, n < 1 ? n : 1, 0);
}

DEVICE_FUNCTION unsigned __gridspan_ptx_prmt_rc16(unsigned a, unsigned b, unsigned c) {
  const unsigned n = c & 1 ? 2 : 0;
  return four(a, b, n + 1, n, n + 1, n);
}
