// isl expressions, conditions and loops as LLVM IR over 64-bit integers.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// isl computes with integers of any size, the code with 64 bits. Each number therefore carries a
// bound of its magnitude: names come with one (launch_values.h), every operation passes it on, and
// a result that might not fit in 64 bits is refused while compiling. So the code never wraps.
#pragma once

#include "model/isl.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Intrinsics.h"

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

namespace gridspan::codegen {

/// An i64 and what its magnitude is at most.
struct Number {
  llvm::Value* value = nullptr;
  double bound = 0;
};

/// No code can be made for an isl value: numbers too large, an unknown name. The caller answers as
/// it does when a limit of operations is reached.
struct Unwritable : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// An isl object from a raw call; throws what went wrong if there is none.
template <typename Raw>
auto checked(isl::ctx context, Raw* object) {
  if (object == nullptr) isl::exception::throw_last_error(context);
  return isl::manage(object);
}

/// An isl error that is no limit reached: a mistake of ours, told on stderr. What was to be made is
/// left out, as if a limit had been reached.
void tell_isl_error(const isl::exception& error, llvm::StringRef what, llvm::StringRef kernel);

/// `value` with its bound; throws if that may not fit in 64 bits.
Number fitting(llvm::Value* value, double bound);

class IslCode {
 public:
  using Names = std::function<Number(const std::string&)>;

  /// Writes where `builder` stands; `names` gives the values of parameters. `facts`, a set over
  /// parameters, must hold whenever the code runs.
  IslCode(llvm::IRBuilder<>& builder, Names names, const isl::set& facts);

  /// Values outside the domain are arbitrary.
  Number number(const isl::pw_aff& value);
  /// Of at least one value.
  Number greatest(const std::vector<isl::pw_aff>& values);
  Number least(const std::vector<isl::pw_aff>& values);
  /// i1: are the parameters in `set`?
  llvm::Value* condition(const isl::set& set);
  /// Visits the points of `domain` in lexicographic order; its parameters are names, too.
  void for_each_point(const isl::set& domain,
                      const std::function<void(const std::vector<Number>&)>& visit);

  /// Calls `body` where `condition` holds and goes on behind it.
  void when(llvm::Value* condition, const std::function<void()>& body);
  /// for (i = first; i <= last; i += step) body(i). step >= 1.
  void loop(llvm::Value* first, llvm::Value* last, llvm::Value* step,
            const std::function<void(llvm::Value*)>& body);

  llvm::IRBuilder<>& builder() { return builder_; }

 private:
  Number number(const isl::ast_expr& expression);
  Number constant(const isl::ast_expr& expression);
  Number operation(const isl::ast_expr& expression);
  Number quotient(const isl::ast_expr& expression);
  Number extreme(const isl::ast_expr& expression, llvm::Intrinsic::ID better);
  Number extreme(const std::vector<isl::pw_aff>& values, llvm::Intrinsic::ID better);
  Number better(llvm::Intrinsic::ID better, Number a, Number b);
  Number choice(const isl::ast_expr& expression);
  llvm::Value* condition(const isl::ast_expr& expression);
  llvm::Value* comparison(const isl::ast_expr& expression, llvm::CmpInst::Predicate predicate);

  using Visit = std::function<void(const std::vector<Number>&)>;
  void statement(isl_ast_node* node, const Visit& visit);
  void for_statement(isl_ast_node* node, const Visit& visit);
  void if_statement(isl_ast_node* node, const Visit& visit);
  void user_statement(isl_ast_node* node, const Visit& visit);
  Number upper_end(const isl::ast_expr& condition, const std::string& iterator);

  llvm::IRBuilder<>& builder_;
  Names names_;
  isl::set facts_;
  isl::ast_build build_;
  std::map<std::string, Number> iterators_;
};

/// Greatest integer <= dividend / divisor; divisor >= 1.
llvm::Value* floor_division(llvm::IRBuilder<>& builder, llvm::Value* dividend,
                            llvm::Value* divisor);
/// Least integer >= dividend / divisor; divisor >= 1.
llvm::Value* ceiling_division(llvm::IRBuilder<>& builder, llvm::Value* dividend,
                              llvm::Value* divisor);

}  // namespace gridspan::codegen
