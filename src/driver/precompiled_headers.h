// Our headers, precompiled: what each CUDA source begins with is parsed once, not once a source.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Parsing cuda_runtime.h is most of the work on a small source. Clang can read what it has made of
// a header from a file, if language and machine are the same. That is not enough: a macro may
// change the header, an include folder may hide a file of it. So an entry of the cache
// (header_cache.h) is for words of a pass, and lists the names that matter.
//
//     pass: -std=c++17 -DTILE=16 -DNDEBUG -Imine k.cu
//       key of {-std=c++17}                 → entry; its headers have the name NDEBUG, not TILE
//       key of {-std=c++17, -DNDEBUG}       → entry; nothing else matters, mine/ hides none of them
//
// Objects, messages and dependency files are the same with and without. A source that clang refuses
// is compiled again without, for the same words about it.
#pragma once

#include "driver/header_cache.h"
#include "driver/plan.h"

#include <optional>
#include <string>
#include <vector>

namespace gridspan::driver {

/// GRIDSPAN_HEADER_CACHE; on unless it says `off`. User error: another value.
support::Result<bool> wants_precompiled_headers();

class PrecompiledHeaders {
 public:
  PrecompiledHeaders(const Plan& plan, bool is_verbose, HeaderCache cache)
      : plan_(plan), is_verbose_(is_verbose), cache_(std::move(cache)) {}

  /// The unit with passes that read precompiled headers; nothing if none of them does. Makes
  /// entries if it is time for that.
  std::optional<CudaUnit> apply(const CudaUnit& unit);

  /// Makes the dependency files of these passes what they are without. False: it cannot.
  bool mend_dependencies() const;

  /// Clang refused these passes, and takes the unit without.
  void drop() const;

 private:
  struct Use {
    std::string key;
    HeaderEntry entry;
    std::string rule;  // the dependency file that this pass writes; empty: none
  };
  std::optional<Use> find(const Command& pass, const std::set<std::string>& overlays,
                          const std::string& stem) const;
  std::string key_of(const Command& pass, const std::vector<std::string>& words) const;
  std::optional<NewHeaders> make(const Command& pass, const std::vector<std::string>& words,
                                 const std::string& stem) const;
  bool hides_a_header(const std::vector<std::string>& folders, const HeaderEntry& entry) const;

  const Plan& plan_;
  bool is_verbose_;
  HeaderCache cache_;
  std::vector<Use> uses_;  // of the last unit
};

}  // namespace gridspan::driver
