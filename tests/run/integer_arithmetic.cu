// Integer arithmetic where CPUs and GPUs differ or traps lurk.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Arithmetic | integer division and remainder of all widths; division by zero and INT_MIN / -1 do not stop the program
// FEATURE: Arithmetic | shifts by the width or more: PTX clamps them
// FEATURE: Arithmetic | wrap-around, sign extension and truncation of 8, 16, 32 and 64 bit integers; __int128
#include "check.h"

template <class T>
__global__ void divide(const T* a, const T* b, T* quotient, T* remainder) {
  const int i = check::global_index();
  quotient[i] = a[i] / b[i];
  remainder[i] = a[i] % b[i];
}

template <class T>
void test_division(const char* type, bool traps) {
  const int n = 2 * 257;
  check::Random random(sizeof(T));
  std::vector<T> a(n), b(n), quotient(n), remainder(n);
  for (int i = 0; i < n; ++i) {
    a[i] = static_cast<T>(random.bits() >> random.integer(0, 63));
    do b[i] = static_cast<T>(random.bits() >> random.integer(0, 63));
    while (b[i] == 0 || (b[i] == T(-1)));
    if (i % 3 == 0) a[i] = static_cast<T>(T(0) - a[i]);
    quotient[i] = static_cast<T>(a[i] / b[i]);
    remainder[i] = static_cast<T>(a[i] % b[i]);
  }
  std::vector<T> bad = b;
  check::Array<T> da(a), db(b), dq(n), dr(n);
  divide<T><<<2, 257>>>(da.data(), db.data(), dq.data(), dr.data());
  check::equal(std::string("quotient ") + type, dq.get(), quotient);
  check::equal(std::string("remainder ") + type, dr.get(), remainder);
  if (!traps) return;
  // Undefined results, but neither a crash nor a wrong neighbour.
  a[5] = static_cast<T>(T(1) << (sizeof(T) * 8 - 1));
  bad[5] = T(-1);
  bad[77] = bad[300] = 0;
  check::Array<T> ea(a), eb(bad), eq(n), er(n);
  divide<T><<<2, 257>>>(ea.data(), eb.data(), eq.data(), er.data());
  auto got = eq.get(), got_remainder = er.get();
  for (int i : {5, 77, 300}) {
    got[i] = quotient[i];
    got_remainder[i] = remainder[i];
  }
  check::equal(std::string("quotient beside bad ones ") + type, got, quotient);
  check::equal(std::string("remainder beside bad ones ") + type, got_remainder, remainder);
}

__global__ void shifts(const unsigned* amount, unsigned* out, unsigned long long* wide) {
  const int i = check::global_index();
  const unsigned s = amount[i], x = 0x80000001u + i;
  out[i * 3 + 0] = x << s;
  out[i * 3 + 1] = x >> s;
  out[i * 3 + 2] = static_cast<unsigned>(static_cast<int>(x) >> s);
  const unsigned long long w = 0x8000000000000001ull + i;
  wide[i * 3 + 0] = w << s;
  wide[i * 3 + 1] = w >> s;
  wide[i * 3 + 2] = static_cast<unsigned long long>(static_cast<long long>(w) >> s);
}

__global__ void widths(const int* in, long long* out) {
  const int i = check::global_index();
  const int x = in[i];
  signed char c = static_cast<signed char>(x);
  unsigned char uc = static_cast<unsigned char>(x);
  short s = static_cast<short>(x);
  unsigned short us = static_cast<unsigned short>(x);
  long long* o = out + i * 8;
  o[0] = c;
  o[1] = uc;
  o[2] = s;
  o[3] = us;
  c = static_cast<signed char>(c + 100);
  us = static_cast<unsigned short>(us * 3);
  o[4] = c + us;
  o[5] = static_cast<long long>(x) * x;
  o[6] = static_cast<unsigned>(x) * 2654435761u;
  const __int128 product = static_cast<__int128>(x) * 0x123456789abcdefll * 1000003;
  o[7] = static_cast<long long>(product >> 40);
}

int main() {
  test_division<signed char>("signed char", true);
  test_division<unsigned char>("unsigned char", true);
  test_division<short>("short", true);
  test_division<unsigned short>("unsigned short", true);
  test_division<int>("int", true);
  test_division<unsigned>("unsigned", true);
  test_division<long long>("long long", true);
  test_division<unsigned long long>("unsigned long long", true);
  {
    const unsigned amounts[] = {0, 1, 5, 31, 32, 33, 63, 64, 65, 100, 255, 0x7fffffff, 0xffffffff};
    const int n = 13 * 11;
    std::vector<unsigned> amount(n), want(n * 3);
    std::vector<unsigned long long> want_wide(n * 3);
    for (int i = 0; i < n; ++i) {
      const unsigned s = amount[i] = amounts[i % 13], x = 0x80000001u + i;
      const unsigned long long w = 0x8000000000000001ull + i;
      want[i * 3 + 0] = s > 31 ? 0 : x << s;
      want[i * 3 + 1] = s > 31 ? 0 : x >> s;
      want[i * 3 + 2] = static_cast<unsigned>(static_cast<int>(x) >> (s > 31 ? 31 : s));
      want_wide[i * 3 + 0] = s > 63 ? 0 : w << s;
      want_wide[i * 3 + 1] = s > 63 ? 0 : w >> s;
      want_wide[i * 3 + 2] =
          static_cast<unsigned long long>(static_cast<long long>(w) >> (s > 63 ? 63 : s));
    }
    check::Array<unsigned> device(amount), out(n * 3);
    check::Array<unsigned long long> wide(n * 3);
    shifts<<<11, 13>>>(device.data(), out.data(), wide.data());
    check::equal("shifts", out.get(), want);
    check::equal("wide shifts", wide.get(), want_wide);
  }
  {
    const int n = 2 * 257;
    check::Random random(79);
    auto in = random.integers<int>(n, -2147483648ll, 2147483647);
    std::vector<long long> want(n * 8);
    for (int i = 0; i < n; ++i) {
      const int x = in[i];
      long long* o = &want[i * 8];
      o[0] = static_cast<signed char>(x);
      o[1] = x & 0xff;
      o[2] = static_cast<short>(x);
      o[3] = x & 0xffff;
      o[4] = static_cast<signed char>(o[0] + 100) + (o[3] * 3 & 0xffff);
      o[5] = static_cast<long long>(x) * x;
      o[6] =
          (static_cast<unsigned long long>(static_cast<unsigned>(x)) * 2654435761ull) & 0xffffffff;
      const __int128 product = static_cast<__int128>(x) * 0x123456789abcdefll * 1000003;
      o[7] = static_cast<long long>(product >> 40);
    }
    check::Array<int> source(in);
    check::Array<long long> out(n * 8);
    widths<<<2, 257>>>(source.data(), out.data());
    check::equal("widths", out.get(), want);
  }
  return check::finish();
}
