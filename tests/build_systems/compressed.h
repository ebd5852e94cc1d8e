// What a device computed goes through the system's zlib, found by its name with libdl's help.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <dlfcn.h>
#include <zlib.h>

#include <cstdio>
#include <vector>

/// Of `data`, how many bytes come back from zlib as `expected` has them.
inline int count_right(const std::vector<unsigned char>& data,
                       const std::vector<unsigned char>& expected) {
  const auto compress_it = reinterpret_cast<decltype(&compress)>(dlsym(RTLD_DEFAULT, "compress"));
  if (!compress_it) return -1;
  uLongf size = compressBound(data.size());
  std::vector<unsigned char> packed(size), back(data.size(), 0xee);
  if (compress_it(packed.data(), &size, data.data(), data.size()) != Z_OK) return -1;
  uLongf length = back.size();
  if (uncompress(back.data(), &length, packed.data(), size) != Z_OK) return -1;
  int right = 0;
  for (std::size_t i = 0; i < expected.size(); ++i) right += back[i] == expected[i];
  return right;
}
