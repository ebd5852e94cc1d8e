// Of a clang pass, what the headers that it begins with depend on.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "driver/installation.h"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gridspan::driver {

/// -D or -U.
struct MacroWord {
  std::string name;
  std::string word;  // -DNAME=VALUE, -UNAME
};

struct HeaderWords {
  std::vector<std::string> language;  // what matters whatever the headers are, in order
  std::vector<MacroWord> macros;      // in order
  std::vector<std::string> folders;   // where the pass looks for headers
};

/// Takes the words of a pass apart; nothing if one of them is not known to leave a precompiled
/// header usable. `overlays`: files after -ivfsoverlay that do not change headers.
std::optional<HeaderWords> header_words(const std::vector<std::string>& pass,
                                        const Installation& installation,
                                        const std::set<std::string>& overlays);

/// Those macros, in order, that belong to the precompiled header if its headers have `names`:
/// these, and names that begin with `__`.
std::vector<MacroWord> macros_that_matter(const HeaderWords& words,
                                          const std::set<std::string, std::less<>>& names);

}  // namespace gridspan::driver
