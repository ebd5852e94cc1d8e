// printf in kernels.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// FEATURE: Device library | printf: every conversion, flags, width and precision (also by *), %s, %c, %p, %%, 64-bit arguments, return value
// FEATURE: Device library | printf output appears by the next synchronisation, lines of a thread in order
#include "check.h"

#include <algorithm>

__device__ const char* words[3] = {"zero", "one", "two"};

__global__ void conversions(const char* unused_host_string) {
  printf("plain text without arguments\n");
  printf("%d %i %u %x %X %o|%5d|%-5d|%05d|%+d|% d\n", -5, 6, 7u, 255, 255, 8, 42, 42, 42, 42, 42);
  printf("%c%c%c %s [%8s] [%-8s] [%.2s]\n", 'a', 66, 'c', "word", "right", "left", "cut");
  printf("%f %.2f %10.3f %-10.1f| %e %E %g %G %a\n", 1.5, 2.0 / 3, 3.14159, 2.5, 12345.678, 0.00012,
         1e20, 1e-5, 1.0);
  const float single = 0.1f;
  printf("%.9g %f\n", single, single * 10);
  printf("%ld %lu %lld %llu %llx %lx\n", -1234567890123l, 1234567890123ul, -9000000000ll,
         18000000000000000000ull, 0xfedcba9876543210ull, 0xabcdef0123l);
  printf("%hd %hhd %hu %zu %#x %#o 100%%\n", static_cast<short>(-3), static_cast<char>(-4),
         static_cast<unsigned short>(65535), sizeof(double), 255, 8);
  printf("%*d|%-*d|%.*f|%*.*f\n", 6, 42, 6, 42, 3, 1.23456, 9, 2, 9.8765);
  printf("%d %f %d %f %c %lld %d\n", 1, 2.0, 3, 4.0, '5', 6ll, 7);  // mixed sizes
  const char* null_string = nullptr;
  const int some = printf("%s,%s,%s %d\n", words[0], words[1], words[2], null_string == nullptr);
  printf("%d\n", some);
  printf("%f %f %f\n", 1.0 / 0.0, -1.0 / 0.0, 0.0 * (1.0 / 0.0) == 0.0 ? 1.0 : 2.0);
  printf("\ttab \"quotes\" \\ backslash\n");
  const bool flag = true;
  const signed char small = -7;
  const unsigned char byte = 200;
  printf("%d %d %d\n", flag, small, byte);
}

__global__ void threads(int limit) {
  const int i = check::global_index();
  if (i >= limit) return;
  printf("thread %d of block (%u,%u,%u): %.3f\n", i, blockIdx.x, blockIdx.y, blockIdx.z, i * 0.125);
  __syncthreads();
  if (i % 32 == 0) printf("second %d\n", i);
}

// stdout of `body`, which must have been shown by the time it returns.
template <class Body>
std::string captured(Body body) {
  std::fflush(stdout);
  char path[] = "/tmp/gridspan-printf-XXXXXX";
  const int file = mkstemp(path), keep = dup(1);
  dup2(file, 1);
  body();
  std::fflush(stdout);
  dup2(keep, 1);
  ::close(keep);
  std::string text(1 << 20, '\0');
  const ssize_t n = pread(file, &text[0], text.size(), 0);
  ::close(file);
  unlink(path);
  text.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
  return text;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

template <class... Arguments>
std::string format(const char* pattern, Arguments... arguments) {
  char line[256];
  std::snprintf(line, sizeof line, pattern, arguments...);
  return line;
}

void compare(const char* what, const std::vector<std::string>& got,
             const std::vector<std::string>& want) {
  CHECK_EQ(got.size(), want.size());
  for (std::size_t i = 0; i < got.size() && i < want.size(); ++i)
    if (!CHECK(got[i] == want[i]))
      std::fprintf(stderr, "  %s line %zu\n  got:  %s\n  want: %s\n", what, i, got[i].c_str(),
                   want[i].c_str());
}

int main() {
  const auto got = lines_of(captured([] {
    conversions<<<1, 1>>>(nullptr);
    KERNEL_OK();
  }));
  const std::vector<std::string> want = {
      "plain text without arguments",
      format("%d %i %u %x %X %o|%5d|%-5d|%05d|%+d|% d", -5, 6, 7u, 255, 255, 8, 42, 42, 42, 42, 42),
      "aBc word [   right] [left    ] [cu]",
      format("%f %.2f %10.3f %-10.1f| %e %E %g %G %a", 1.5, 2.0 / 3, 3.14159, 2.5, 12345.678,
             0.00012, 1e20, 1e-5, 1.0),
      format("%.9g %f", 0.1f, 0.1f * 10),
      format("%ld %lu %lld %llu %llx %lx", -1234567890123l, 1234567890123ul, -9000000000ll,
             18000000000000000000ull, 0xfedcba9876543210ull, 0xabcdef0123l),
      "-3 -4 65535 8 0xff 010 100%",
      format("%*d|%-*d|%.*f|%*.*f", 6, 42, 6, 42, 3, 1.23456, 9, 2, 9.8765),
      "1 2.000000 3 4.000000 5 6 7",
      "zero,one,two 1",
      "4",  // CUDA returns the number of arguments, not of characters
      "inf -inf 2.000000",
      "\ttab \"quotes\" \\ backslash",
      "1 -7 200",
  };
  compare("conversions", got, want);
  for (dim3 block : {dim3(1), dim3(33), dim3(7, 5), dim3(128)}) {
    const int n = check::volume(block), limit = 3 * n - 1 > 0 ? 3 * n - 1 : 1;
    auto lines = lines_of(captured([&] {
      threads<<<dim3(1, 3), block>>>(limit);
      KERNEL_OK();
    }));
    std::vector<std::string> expected;
    for (int i = 0; i < limit; ++i) {
      expected.push_back(format("thread %d of block (0,%d,0): %.3f", i, i / n, i * 0.125));
      if (i % 32 == 0) expected.push_back(format("second %d", i));
      const auto first = std::find(lines.begin(), lines.end(), expected.back());
      CHECK(first != lines.end());
    }
    std::sort(lines.begin(), lines.end());  // threads may print in any order
    std::sort(expected.begin(), expected.end());
    compare("threads", lines, expected);
  }
  return check::finish();
}
