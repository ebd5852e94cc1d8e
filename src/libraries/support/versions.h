// Parts of a library's version, as cublasGetProperty and its like give them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <library_types.h>

namespace gridspan::libraries {

/// False if there is no such part, or nowhere to put it.
inline bool give_version_part(libraryPropertyType part, int major, int minor, int patch,
                              int* value) {
  if (!value) return false;
  switch (part) {
    case MAJOR_VERSION:
      *value = major;
      return true;
    case MINOR_VERSION:
      *value = minor;
      return true;
    case PATCH_LEVEL:
      *value = patch;
      return true;
  }
  return false;
}

}  // namespace gridspan::libraries
