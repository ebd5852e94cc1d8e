// Places in the host program: who called us, in the program's own words.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace gridspan::runtime::check {

/// How a call got to us: the nearest callers, as addresses behind their calls. Cheap to copy.
struct HostCall {
  static constexpr std::size_t most_frames = 6;
  const char* function = nullptr;              // of ours: "cudaMalloc"; null: not known
  std::array<void*, most_frames> frames = {};  // of the program, innermost first; null: no more
};

/// Of the calling thread, without frames of this library.
HostCall current_host_call();

/// A frame as a person knows it.
struct HostPlace {
  std::string function;  // empty: not known
  std::string place;     // "file:line" with debug information, else "file+0x123"
  bool has_line = false;
};

/// By what gridcc finds out (it starts once for all of them), or else as the loader knows them.
std::vector<HostPlace> resolve(const HostCall& call);

/// `file:line: note: WHAT by cudaMalloc, called in f(), called in main (file:line)` and a line
/// break; empty if nothing is known of the call.
std::string note_of(const std::string& what, const HostCall& call);

}  // namespace gridspan::runtime::check
