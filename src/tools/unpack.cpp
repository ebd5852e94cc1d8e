// zstd.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/unpack.h"

#include <zstd.h>

namespace gridspan::tools {

support::Result<std::string> unpack(std::string_view frame) {
  constexpr unsigned long long most = 1ull << 32;  // sizes in damaged frames
  const unsigned long long size = ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size >= most) return support::fail("a part of the container is damaged");  // errors, too
  std::string content(size, '\0');
  const std::size_t got = ZSTD_decompress(content.data(), size, frame.data(), frame.size());
  if (ZSTD_isError(got) != 0 || got != size)
    return support::fail("a part of the container is damaged");
  return content;
}

}  // namespace gridspan::tools
