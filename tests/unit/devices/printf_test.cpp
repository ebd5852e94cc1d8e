// Device printf against the host's snprintf.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/device_printf.h"

#include "abi/services.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <random>
#include <string>
#include <vector>

namespace gridspan::test {
namespace {

/// Arguments as clang packs them: naturally aligned.
class Packed {
 public:
  template <class T>
  Packed& add(T value) {
    bytes_.resize((bytes_.size() + sizeof(T) - 1) / sizeof(T) * sizeof(T), 0xee);
    const std::size_t at = bytes_.size();
    bytes_.resize(at + sizeof(T));
    std::memcpy(bytes_.data() + at, &value, sizeof value);
    return *this;
  }
  const void* data() const { return bytes_.data(); }

 private:
  std::vector<unsigned char> bytes_;
};

template <class... Values>
std::string host(const std::string& format, Values... values) {
  char text[4096];
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wformat-nonliteral"
#pragma clang diagnostic ignored "-Wformat-security"
  std::snprintf(text, sizeof text, format.c_str(), values...);
#pragma clang diagnostic pop
  return text;
}

std::string device(const std::string& format, const Packed& packed, int count) {
  std::string text;
  EXPECT_EQ(devices::cpu::format_packed(text, format.c_str(), packed.data()), count) << format;
  return text;
}

/// `%` with random flags, width and precision; `*` are appended to `stars`.
std::string random_prefix(std::mt19937_64& random, std::vector<int>& stars) {
  std::string prefix = "%";
  for (const char flag : {'-', '+', ' ', '#', '0'}) {
    if (random() % 4 == 0) prefix += flag;
  }
  const auto number = [&](bool may_be_negative) {
    if (random() % 3 == 0) {
      stars.push_back(static_cast<int>(random() % 30) - (may_be_negative ? 10 : 0));
      return std::string("*");
    }
    return std::to_string(1 + random() % 25);
  };
  if (random() % 2 == 0) prefix += number(true);
  if (random() % 2 == 0) prefix += "." + (random() % 5 == 0 ? "" : number(true));
  return prefix;
}

/// Formats one value both ways.
template <class T>
void compare(const std::string& format, const std::vector<int>& stars, T value) {
  Packed packed;
  packed.add('x' + 0);
  for (const int star : stars) packed.add(star);
  packed.add(value);
  const int count = static_cast<int>(stars.size()) + 2;
  const std::string text = "<%c" + format + ">%%\n";
  const std::string got = device(text, packed, count);
  if (stars.empty()) {
    ASSERT_EQ(got, host(text, 'x', value)) << format;
  } else if (stars.size() == 1) {
    ASSERT_EQ(got, host(text, 'x', stars[0], value)) << format;
  } else {
    ASSERT_EQ(got, host(text, 'x', stars[0], stars[1], value)) << format;
  }
}

TEST(DevicePrintf, RandomFormatsAgreeWithTheHost) {
  std::mt19937_64 random(1);
  const double doubles[] = {0.0, -0.0, 1.5, -123456.789, 1e300, -4e-310, 1.0 / 0.0, 0.0 / 0.0};
  for (int round = 0; round < 40000; ++round) {
    std::vector<int> stars;
    const std::string prefix = random_prefix(random, stars);
    const std::uint64_t bits = random() >> random() % 64;
    switch (random() % 5) {
      case 0: {
        const char* length[] = {"", "h", "hh"};
        const char letter[] = {'d', 'i', 'u', 'o', 'x', 'X'};
        compare(prefix + length[random() % 3] + letter[random() % 6], stars,
                static_cast<int>(bits));
        break;
      }
      case 1: {
        const char* length[] = {"l", "ll", "j", "z", "t"};
        const char letter[] = {'d', 'i', 'u', 'o', 'x', 'X'};
        compare(prefix + length[random() % 5] + letter[random() % 6], stars,
                static_cast<long long>(bits));
        break;
      }
      case 2: {
        const char letter[] = {'f', 'F', 'e', 'E', 'g', 'G', 'a', 'A'};
        double value = doubles[random() % 8];
        if (random() % 2 == 0) value = static_cast<double>(bits) / 1024;
        compare(prefix + letter[random() % 8], stars, value);
        break;
      }
      case 3:
        compare(prefix + "s", stars, bits % 2 ? "some text" : "");
        break;
      default:
        compare(prefix + "p", stars, reinterpret_cast<const void*>(bits));
        break;
    }
    if (HasFatalFailure()) return;
  }
}

TEST(DevicePrintf, ManyArgumentsKeepTheirAlignment) {
  const Packed packed =
      Packed().add(1).add(2.5).add('c' + 0).add(4ll).add(5).add(6).add("seven").add(8u);
  EXPECT_EQ(device("%d %g %c %lld %i %d %s %u", packed, 8), "1 2.5 c 4 5 6 seven 8");
}

TEST(DevicePrintf, OddFormats) {
  EXPECT_EQ(device("", Packed(), 0), "");
  EXPECT_EQ(device("100%% plain %", Packed(), 0), "100% plain %");
  EXPECT_EQ(device("%y %d", Packed().add(3), 1), "%y 3");
  EXPECT_EQ(device("%s", Packed().add(static_cast<const char*>(nullptr)), 1), "(null)");
  const std::string many(5000, 'a');
  EXPECT_EQ(device("%s%s", Packed().add(many.c_str()).add(many.c_str()), 2), many + many);
  EXPECT_EQ(device("%.3Lf", Packed().add(1.25), 1), "1.250");
  EXPECT_EQ(gridspan_device_vprintf(nullptr, nullptr), -1);
}

TEST(DevicePrintf, KeepsItsPlaceAmongTheHostsOutput) {
  testing::internal::CaptureStdout();
  std::printf("one ");
  EXPECT_EQ(gridspan_device_vprintf("%s %d ", Packed().add("two").add(3).data()), 2);
  std::printf("four\n");
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "one two 3 four\n");
}

}  // namespace
}  // namespace gridspan::test
