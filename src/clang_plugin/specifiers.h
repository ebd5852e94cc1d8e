// Execution specifiers as nvcc understands them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For nvcc a function has the specifiers that are written on *any* of its declarations; an explicit
// specialisation also those of its template. For clang they are part of a function's signature, and
// two declarations that differ in them are two functions, or an error. So each declaration is
// looked at before clang compares it with its predecessors, and gets what those have; and they what
// it has.
//
// That may come too late for a predecessor: clang has compiled it, or calls of it, without. Such
// functions are listed in a file, and gridcc starts clang again, which then knows from the start.
//
// Where specifiers hang on __CUDA_ARCH__, the host pass sees kernels that call host functions. It
// makes no code for them, so their calls are for the device pass to judge, and the other way round.
// Clang checks both in both passes. What it refuses on behalf of the other pass it will take when
// it is started again: then the called function is, in this pass, for both sides.
#pragma once

#include "clang_plugin/borrowed_functions.h"
#include "clang_plugin/other_side_calls.h"
#include "clang_plugin/own_headers.h"
#include "clang_plugin/target.h"

#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::clang_plugin {

/// Those of the functions of one source.
class Specifiers {
 public:
  Specifiers(OwnHeaders& own, OtherSideCalls& calls, BorrowedFunctions& borrowed)
      : own_(own), calls_(calls), borrowed_(borrowed) {}

  /// Reads what an earlier run of clang over the same source left in `late_file`; this run will
  /// leave there what both found. Lines of some of the letters H, D and I, for inline, and
  /// file:offset:name; without a name those of the other side. Lines of calls_ and borrowed_.
  void use_file(const std::string& late_file);
  void write_late() const;

  /// Functions of what our first header includes are not shown to us. A precompiled header holds
  /// what becomes of them here.
  void see_first_headers(clang::Sema& sema);
  void have_seen_headers() { has_seen_headers_ = true; }

  /// Of a declaration clang knows type, scope and attributes, and has compared it with nothing yet.
  void declared(clang::Sema& sema, clang::FunctionDecl& function);

  /// Clang refuses a call of the function at `place` because of the two sides.
  void refused_candidate(const clang::Sema& sema, clang::SourceLocation place,
                         clang::CUDAFunctionTarget called, clang::CUDAFunctionTarget caller);

  /// Clang refuses a call of a host function at `place`, in device code.
  void refused_call(clang::Sema& sema, clang::SourceLocation place);

  /// Clang knows no unary operator for a class, for which another side may have one.
  void refused_operand(clang::Sema& sema, clang::QualType type);

  /// The declaration is complete: the template of a specialisation gets back what it lent.
  void give_back();

 private:
  void see_functions(clang::DeclContext& scope, bool is_device_pass);
  void unite_declarations(clang::Sema& sema, clang::FunctionDecl& function);
  void unite_with_predecessors(clang::Sema& sema, clang::FunctionDecl& function);
  void unite(clang::Sema& sema, clang::FunctionDecl& function, clang::FunctionDecl& earlier);
  void unite_with_template(clang::Sema& sema, clang::FunctionDecl& function);
  void befriend(clang::FunctionDecl& function);
  void note_if_late(const clang::FunctionDecl& earlier, Target target);
  void note_late_inline(const clang::FunctionDecl& function, const clang::FunctionDecl& earlier);

  OwnHeaders& own_;
  OtherSideCalls& calls_;
  BorrowedFunctions& borrowed_;
  const clang::SourceManager* sources_ = nullptr;
  std::string late_file_;
  struct Late {
    Target target;
    bool is_inline = false;
  };
  std::map<std::string, Late> late_;
  std::vector<clang::FunctionDecl*> for_other_files_;  // of both sides, with a body
  std::set<std::string> other_side_;  // functions that this pass takes to be for both
  bool has_new_late_ = false;
  bool has_seen_headers_ = false;
  /// With the attributes they had.
  std::vector<std::pair<clang::FunctionDecl*, clang::AttrVec>> lent_;
  /// Friends of class templates that are only declared there: clang compares them when the class
  /// template is instantiated.
  std::vector<clang::FunctionDecl*> friends_;
};

}  // namespace gridspan::clang_plugin
