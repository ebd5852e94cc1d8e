// Functions of the other side that nvcc lets a side have the names of, but no code.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     void (*p)(int) = device_function;          the host may pass it about, and compare it
//     template <class F> int call(F f) { return f(); }        an instance for a device functor
//     struct C { HostMade a; DeviceMade b; };    has a constructor for both sides that nobody wrote
//     device_made = 5;                           in a host function: a conversion nobody wrote
//
// nvcc gives its host compiler a function that ends the program in place of each device function,
// and in device code leaves out the constructors and destructors of the host that members nobody
// wrote would call. Clang refuses all this where it hears of it. gridcc starts it again; then such
// a function is for both sides, without a body, and marked (abi/other_side.h): the host's plug-in
// and the device compiler give it one. At the source's end each call is looked at again: what nvcc
// refuses, too, is an error then. So it is with host functions that device functions call which
// nobody uses: nvcc does not look at those.
//
// Initialisers at namespace scope clang does not look at. So in the host pass all device functions
// are marked from the start.
#pragma once

#include "clang/AST/DeclCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Sema/Sema.h"

#include <iosfwd>
#include <set>
#include <string>

namespace gridspan::clang_plugin {

class BorrowedFunctions {
 public:
  /// A line of the file in which a run of clang leaves what the next must know; false if it is
  /// somebody else's.
  bool read(llvm::StringRef line);
  void write(std::ostream& file) const;
  bool has_news() const { return has_news_; }
  /// May this run have borrowed anything?
  bool any() const { return !known_.empty(); }

  /// Of each error, and the notes that belong to it.
  void heard_error(clang::Sema& sema, const clang::Diagnostic& error);
  void heard_candidate(clang::Sema& sema, const clang::Diagnostic& note);
  /// That no constructor makes a class of something; also of an error. Both passes say so.
  void heard_conversion(const clang::Diagnostic& said);

  /// A declaration that has its specifiers, and a predecessor of it.
  void declared(clang::FunctionDecl& function, bool is_device_pass);
  void redeclared(clang::FunctionDecl& function, const clang::FunctionDecl& earlier,
                  bool is_device_pass);
  /// A declaration without specifiers was taken for both sides, and a later one says that the
  /// function is the device's: the next run must know that from the first declaration on.
  bool was_taken_wrongly(const clang::FunctionDecl& function,
                         const clang::FunctionDecl& earlier) const;

  /// Is it compiled only if something uses it? Nvcc lets such a device function call the host's.
  static bool may_be_unused(const clang::FunctionDecl& function);

  /// Its body is to be read over.
  static bool is_borrowed(const clang::Decl& declaration);

 private:
  bool is_wanted(const clang::FunctionDecl& function) const;
  void learn(const std::string& key);
  void learn_parts(clang::CXXRecordDecl& record, std::set<const clang::CXXRecordDecl*>& seen);
  void learn_argument(const clang::Diagnostic& error, unsigned index,
                      std::set<const clang::CXXRecordDecl*>& seen);

  std::set<std::string> known_, found_;                      // function_keys.h, or a place
  std::set<const clang::FunctionDecl*> without_specifiers_;  // and wanted
  bool has_news_ = false;
};

}  // namespace gridspan::clang_plugin
