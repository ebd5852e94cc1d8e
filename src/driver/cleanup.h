// Nothing is left behind: temporary files and half-written results go, however gridcc ends.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Normal ends run destructors. On SIGINT, SIGTERM, SIGHUP the children are told first and waited
// for, then everything registered here is removed with calls that are safe in a signal handler, and
// the signal is raised again so that make and the shell see why we ended. Crashes of gridcc itself
// remove the files too.
#pragma once

#include "support/result.h"

#include <string>

namespace gridspan::driver {

/// Installs the signal handlers; signals that were ignored stay so. Once, before anything is
/// registered. `program` is argv[0].
void install_cleanup(const char* program);

/// While one lives, ending signals wait: between making something and registering it, a signal
/// would leave it behind. For moments only.
class SignalsHeld {
 public:
  SignalsHeld();
  SignalsHeld(const SignalsHeld&) = delete;
  SignalsHeld& operator=(const SignalsHeld&) = delete;
  ~SignalsHeld();
};

/// A private directory for intermediate files, removed with all its files at the end of its life.
class Workspace {
 public:
  /// Creates a fresh directory under $TMPDIR or /tmp.
  static support::Result<Workspace> create();
  /// Uses a directory of the user's, which stays with all that is in it (-keep).
  static support::Result<Workspace> keep_in(const std::string& directory);
  Workspace(Workspace&& other) noexcept;
  Workspace& operator=(Workspace&&) = delete;
  ~Workspace();

  const std::string& path() const { return path_; }

 private:
  Workspace(std::string path, bool keep);
  std::string path_;
  bool keep_;
};

/// A result being written. Removed unless `keep()` is called; only if it is an ordinary file, never
/// /dev/null.
class PendingOutput {
 public:
  explicit PendingOutput(std::string path);
  PendingOutput(const PendingOutput&) = delete;
  PendingOutput& operator=(const PendingOutput&) = delete;
  ~PendingOutput();
  void keep();

 private:
  std::string path_;
  bool kept_ = false;
};

/// Children to end before cleaning up; no more than so many at a time.
inline constexpr unsigned most_children = 64;
void register_child(int pid);
void forget_child(int pid);
/// In a copy of the process: its children and files are not the copy's to end and to remove.
void leave_cleanup_to_parent();

}  // namespace gridspan::driver
