// Calls of the other side's functions that nvcc compiles.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel may reach a function of both sides that calls a host function: nvcc warns. The host may
// call a template of both sides that calls a device function: nvcc says nothing. Whoever makes such
// a call has made a mistake, but programs are full of calls that nobody makes. Clang refuses them.
//
// If it refuses nothing else, gridcc starts it again. The errors are switched off then, and what
// is called has a name that tells (abi/other_side.h): the device compiler and the host's plug-in
// put the end of the launch, or of the program, in the place of the call.
//
// A call whose type only is asked for (`decltype(f(1))`) is made by nobody either. There the called
// function is taken to be for both sides when clang is started again: had anybody called it, that
// would have been another error.
#pragma once

#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"

#include <iosfwd>
#include <set>
#include <string>

namespace gridspan::clang_plugin {

class OtherSideCalls {
 public:
  /// A line of the file in which a run of clang leaves what the next must know; false if it is
  /// somebody else's.
  bool read(llvm::StringRef line);
  void write(std::ostream& file) const;
  /// Does the file say what this run did not know?
  bool has_news() const;

  /// Switches the errors off, if an earlier run has found nothing else.
  void begin(clang::DiagnosticsEngine& engine) const;

  /// Each error, and then the notes that belong to it.
  void heard_error(clang::Sema& sema, const clang::Diagnostic& error);
  void heard_candidate(const clang::Sema& sema, const clang::Diagnostic& note);

  /// Is it to be for both sides?
  bool is_asked_about(const clang::FunctionDecl& function) const;

  /// Warns of each call, as nvcc does, at the source's end.
  void warn(clang::Sema& sema) const;

  /// Gives a function that is called its name, before clang sees a call.
  void name(clang::FunctionDecl& function) const;
  /// The same of what is in a declaration of the first headers, before debug information names it.
  void name_in(clang::Decl& declaration) const;

 private:
  bool may_be(clang::Sema& sema, const clang::Diagnostic& error, bool is_device);
  void settle();

  std::set<std::string> places_, found_places_;  // of calls, with the name of what is called
  std::set<std::string> called_, asked_;         // of earlier runs
  std::set<std::string> found_called_, found_asked_;
  std::set<std::string> candidates_;  // of the last error
  bool is_open_ = false;              // the last error has not been excused yet
  bool has_others_ = false;           // errors of other kinds
};

}  // namespace gridspan::clang_plugin
