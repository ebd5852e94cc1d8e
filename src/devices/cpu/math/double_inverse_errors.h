// erfinv, erfcinv and normcdfinv of double.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// As float_inverse_errors.h, after M. Giles; beyond w = 16, erfinv(x) over w's root is a polynomial
// in the root's inverse. Coefficients: those of the GPU's library
// (device_library/gpu/double_inverse_errors.cpp), off by less than 2^-53. 3 ulp.
#pragma once

#include "devices/cpu/math/double_logarithms.h"

namespace gridspan::devices::cpu::math {

/// |erfinv(x)|, where product = (1 - x) (1 + x) and magnitude = |x|.
DOUBLES F inverse_error(F magnitude, F product) {
  constexpr double central[] = {
      0x1.e9b8ae7230c25p-69,  -0x1.5087a244b0f6cp-70, -0x1.9d290dd3bcb70p-62,
      0x1.536d397f9b9b1p-60,  0x1.1f4ba5de5dc3fp-56,  -0x1.2c266176e7096p-53,
      -0x1.73898c37dc54ap-55, 0x1.db523eb040288p-48,  -0x1.686642b67610ap-45,
      -0x1.6d9ec5e3ec6afp-44, 0x1.723527b7cff86p-39,  -0x1.c89564c5d1004p-37,
      -0x1.dc3ee8b6c53ccp-35, 0x1.20f4e6bf074cfp-30,  -0x1.1a9eb1bc8f0f0p-28,
      -0x1.f36ce4ae847fdp-26, 0x1.c6b4f890935ddp-22,  -0x1.6e8a53f106129p-20,
      -0x1.d1d1f7ca4030fp-17, 0x1.879c2a20da432p-13,  -0x1.84576948353e1p-11,
      -0x1.8b6c33114eeaep-8,  0x1.ebd80d9b13df9p-3,   0x1.a755e7c99ae86p+0};
  constexpr double outer[] = {
      -0x1.03765b5ec5c93p-26, 0x1.7f235c757454ep-31,  0x1.1969ef2a93940p-23,
      -0x1.235ac6aaf025ep-22, -0x1.cfedcff902170p-26, 0x1.924ec74d8058bp-20,
      -0x1.0b8068913d37bp-18, 0x1.88af4a1d56a98p-19,  0x1.a242f876789c6p-17,
      -0x1.8cf0bea0971c6p-15, 0x1.1e6ab36be6c27p-14,  0x1.932d7684a6a52p-16,
      -0x1.7448bc8217f18p-12, 0x1.f3cc552091e2bp-11,  -0x1.ba9240d9b7431p-10,
      0x1.468eeca71fc73p-9,   -0x1.ebadabb9fd945p-9,  0x1.5ffcfe5b71831p-8,
      0x1.0158a6d641d54p+0,   0x1.8abcc380d5a48p+1};
  constexpr double tail[] = {-0x1.7047f4d647ae9p+26, -0x1.2048ecfb4a73dp+25, 0x1.da5f81d21bf31p+20,
                             0x1.4d44cef52315dp+19,  0x1.f799580bbf2c3p+16,  -0x1.47246821e58a1p+14,
                             0x1.abfb5dff0ad6ep+10,  -0x1.14d357e78beeap+10, 0x1.cd86078bd4739p+7,
                             -0x1.1771f6f2f2188p+6,  0x1.4739a8ca81fd5p+4,   -0x1.95c353d18e0c9p+2,
                             0x1.2b33310791dffp+1,   -0x1.596c5fbda07e6p+0,  0x1.a538c4ae5e2bfp-1,
                             -0x1.80c6cbb7bb2cfp-5,  -0x1.9b3b7c2f2f794p-3,  0x1.f1eb20b89ca00p-1};
  constexpr double far[] = {
      0x1.dbf01b20043eep+52, -0x1.e837ebb6c9e83p+44, -0x1.6b7ca440133d8p+44, -0x1.6bc56a7801d0dp+40,
      0x1.35216713ec98ep+37, -0x1.b674bba1378a9p+32, 0x1.78e66e02a8ea4p+29,  -0x1.5c86aa73e19cap+26,
      0x1.1eb0609e4f08fp+23, -0x1.e8bdc640cca3ep+19, 0x1.b4f1aee0f911cp+16,  -0x1.99ef8d468a444p+13,
      0x1.9a28cba0c893bp+10, -0x1.bff7be514cbd3p+7,  0x1.14af87672d91ap+5,   -0x1.b4a2205802182p+2,
      0x1.0d94881a2b59bp+1,  -0x1.e2bd0f06d5f11p-2,  -0x1.35ba1a48012b8p-3,  0x1.fc32ac3aaa298p-1};
  const F w = -log(product);
  F result = magnitude * polynomial(central, F(w - 3.125));
  const MaskOf<F> is_near = w < 6.25;
  if (!any(~is_near)) return result;
  const F root = sqrt(w), inverse_root = 1 / root;
  result = select(is_near, result, magnitude * polynomial(outer, F(root - 3.25)));
  if (!any(w >= 16)) return result;
  result = select(w < 16, result, root * polynomial(tail, F(inverse_root - 0.1875)));
  return select(w <= 81, result, root * polynomial(far, F(inverse_root - 0.078125)));
}

DOUBLES F erfinv(F x) {
  const F a = abs(x);
  const F end = select(a == 1, F(__builtin_inf()), F(__builtin_nan("")));
  return with_sign(select(a < 1, inverse_error(a, fma(-x, x, 1)), end), x);
}
DOUBLES F erfcinv(F y) {
  const F last = select(y == 2, F(-__builtin_inf()), F(__builtin_nan("")));
  const F end = select(y == 0, F(__builtin_inf()), last);
  const F x = 1 - y;
  const F result = with_sign(inverse_error(abs(x), F(y * (2 - y))), x);
  return select((y > 0) & (y < 2), result, end);
}
// -sqrt(2) erfcinv(2 p)
DOUBLES F normcdfinv(F p) {
  constexpr double root_two = 0x1.6a09e667f3bcdp+0, root_two_low = -0x1.bdd3413b26456p-54;
  const F x = -erfcinv(F(2 * p));
  return select(abs(x) < __builtin_inf(), fma(x, root_two, x * root_two_low), x);
}

}  // namespace gridspan::devices::cpu::math
