// Linking by the driver API: modules and relocatable objects of ours become one module.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One whole module is its own link. Everything else is gridcc's work, as device code of several
// files is at the link of a program: it is started, as for run-time compilation.
#pragma once

#include "runtime/driver/call.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

/// What a CUlinkState points to.
struct CUlinkState_st {
  struct Input {
    std::string bytes;
    std::string name;  // for messages
  };
  /// Where the program wants to read what went wrong.
  struct Log {
    char* buffer = nullptr;
    std::size_t size = 0;
    std::size_t* used = nullptr;  // the option's value, which becomes the size of what was written
  };

  std::vector<Input> inputs{};
  Log errors{}, information{};
  std::string image{};  // of cuLinkComplete
};

namespace gridspan::runtime::driver {

/// What an image is, by its first bytes.
enum class ImageKind : unsigned char {
  module,   // a library of ours
  object,   // relocatable: an object of ours
  archive,  // of objects
  text,     // one of these as text
  ptx,
  gpu_code,
  unknown,
};
ImageKind kind_of(std::string_view start);
/// For messages: "PTX".
const char* describe(ImageKind kind);

/// Notes where the logs go, if the options say so. Others are about GPU code.
void read_options(CUlinkState_st& link, unsigned count, const CUjit_option* options, void** values);
void write_log(const CUlinkState_st::Log& log, const std::string& text);

/// Takes up an image; text becomes what it holds. On failure `why` is one line.
CUresult add_input(CUlinkState_st& link, std::string bytes, const char* name, std::string& why);
/// Makes the image.
CUresult complete(CUlinkState_st& link, std::string& why);

}  // namespace gridspan::runtime::driver
