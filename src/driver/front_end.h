// Our plug-in of clang's front end: loading it, and doing what its notes say.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/planner.h"

#include <string>
#include <vector>

namespace gridspan::driver {

/// Where the plug-in leaves its notes of one pass.
FrontEndNotes front_end_notes(const Planner& planner, const std::string& stem);

/// What clang is told to load it. Without file names in `notes` it leaves none.
std::vector<std::string> front_end_words(const Planner& planner, const FrontEndNotes& notes);

/// What both passes have written of specifiers that came too late. They read it when they begin.
std::string read_late(const CudaUnit& unit);

/// A change of a file, as the plug-in writes it: `text` in place of `length` bytes.
struct Cure {
  std::string file;
  std::size_t offset = 0, length = 0;
  std::string text;

  auto operator<=>(const Cure&) const = default;
};

/// One a line, in JSON; lines that are none are left out.
std::vector<Cure> read_cures(std::string_view lines);

/// `text` with the cures, all of one file; of two that overlap the first.
std::string cured(const std::string& text, std::vector<Cure> cures);

/// Takes the cures of both passes over into what clang sees. False if there are none.
bool apply_cures(CudaUnit& unit);

}  // namespace gridspan::driver
