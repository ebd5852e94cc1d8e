// Precompiled headers on disk, for later runs of gridcc.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     ~/.cache/gridspan/headers/<key>.pch     clang's file
//                               <key>.facts   what it was made of, and a seal of both
//                               <key>.seen    empty: asked for once; else somebody has made it
//                               source.cu     the source of all: nothing but our headers
//
// Files appear under their names as a whole. An entry whose files have changed since, or whose seal
// is broken, counts as missing. Any number of processes may use the cache at once; whatever goes
// wrong, there is no entry, and that is all.
#pragma once

#include "support/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace gridspan::driver {

struct HeaderEntry {
  std::string pch;                           // path
  std::vector<std::string> files;            // that it was made of, as clang's rule lists them
  std::set<std::string> includes;            // what these files include, as they spell it
  std::set<std::string, std::less<>> names;  // identifiers in them
};

/// What making an entry leaves, as files.
struct NewHeaders {
  std::string pch;    // clang's file
  std::string rule;   // its list of files, for make
  std::string facts;  // of our plug-in (clang_plugin/header_facts.h)
};

class HeaderCache {
 public:
  /// `root`: need not be there; empty: no entries. Those that there are take at most `limit` bytes.
  explicit HeaderCache(std::string root, std::uint64_t limit = default_limit)
      : root_(std::move(root)), limit_(limit) {}
  static constexpr std::uint64_t default_limit = 128u << 20;

  std::string source() const { return root_ + "/source.cu"; }

  /// An entry that is as it was made. It counts as used.
  std::optional<HeaderEntry> find(const std::string& key) const;

  /// Lets `make` make the entry, unless this is the first time that it is asked for, somebody else
  /// is making it, or that has failed before. A program of one file pays nothing.
  void make(const std::string& key, const std::function<std::optional<NewHeaders>()>& make) const;

  /// The entry was of no use: it is not made again for a day.
  void drop(const std::string& key) const;

 private:
  std::string path(const std::string& key, const char* suffix) const {
    return root_ + "/" + key + suffix;
  }
  bool prepare() const;
  void store(const std::string& key, const NewHeaders& made, std::int64_t begin) const;
  void make_room() const;

  std::string root_;
  std::uint64_t limit_;
};

}  // namespace gridspan::driver
