// One inline PTX statement on its way to LLVM IR: its registers, its place, what went wrong.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/inline_ptx/syntax.h"
#include "transforms/inline_ptx/types.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/IR/IRBuilder.h"

#include <map>

namespace gridspan::transforms::ptx {

/// What all statements of a function share.
struct FunctionState {
  llvm::Function& function;
  bool is_kernel = false;
  llvm::AllocaInst* carry = nullptr;  // CC.CF, made when first used
  llvm::AllocaInst* matrix = nullptr;

  llvm::AllocaInst* variable(llvm::Type* type, const llvm::Twine& name);
  llvm::AllocaInst* carry_flag();
  /// What the thread brings to a warp call: an abi::WarpCall and words.
  llvm::AllocaInst* matrix_data();
};

/// Instructions read their modifiers and operands here and build code at `builder`. Whatever does
/// not fit marks the statement as not supported; values are poison from then on.
class Lowering {
 public:
  Lowering(FunctionState& state, llvm::Instruction& before)
      : builder(&before), state_(state), scopes_(1) {}

  llvm::IRBuilder<> builder;

  // The instruction at hand.
  void begin(const Instruction& instruction);
  const std::string& name() const { return name_; }  // "add"
  bool take(llvm::StringRef modifier);               // removes it if it is there
  std::optional<DataType> take_type();               // the first modifier that is a type
  DataType type();                                   // the same; a type must be there
  std::optional<std::string> take_any();             // the next modifier
  bool has_more_modifiers() const { return !modifiers_.empty(); }
  std::size_t operand_count() const { return instruction_->operands.size(); }
  const Operand& operand(std::size_t index);

  // Values of operands.
  llvm::Value* integer(const Operand& operand, unsigned bits, bool is_signed = false);
  llvm::Value* value(const Operand& operand, const DataType& type);
  llvm::Value* predicate(const Operand& operand);
  /// A register's pointer or integer as it is; immediates have 64 bits.
  llvm::Value* raw(const Operand& operand);
  /// Where a destination is wider than the value, the sign or zeros fill it.
  void set(const Operand& operand, llvm::Value* value, bool is_signed = false);
  unsigned width(const Operand& operand);  // of a register

  // Registers.
  void open_scope() { scopes_.emplace_back(); }
  void close_scope();
  void declare(const std::string& name, llvm::Type* type);

  FunctionState& state() { return state_; }
  llvm::Module& module() { return *state_.function.getParent(); }
  /// A call of the device library's function, which touches no memory.
  llvm::Value* library(llvm::StringRef name, llvm::Type* result, llvm::ArrayRef<llvm::Value*> args);
  llvm::Value* intrinsic(llvm::Intrinsic::ID id, llvm::ArrayRef<llvm::Value*> arguments = {},
                         llvm::ArrayRef<llvm::Type*> overloads = {});

  llvm::Value* fail(const std::string& reason = "");  // poison
  bool failed() const { return failed_; }
  const std::string& problem() const { return problem_; }

 private:
  llvm::AllocaInst* find(const std::string& name) const;
  llvm::Value* read(const Operand& operand);

  FunctionState& state_;
  std::vector<std::map<std::string, llvm::AllocaInst*>> scopes_;
  const Instruction* instruction_ = nullptr;
  std::string name_;
  std::vector<std::string> modifiers_;
  bool failed_ = false;
  std::string problem_;
};

/// What lowers the instructions of one name.
using Handler = void (*)(Lowering&);
using Handlers = llvm::StringMap<Handler>;

// Each adds what its file knows.
void add_integer_arithmetic(Handlers& handlers);
void add_video(Handlers& handlers);
void add_bit_operations(Handlers& handlers);
void add_real_arithmetic(Handlers& handlers);
void add_comparisons(Handlers& handlers);
void add_conversions(Handlers& handlers);
void add_memory_access(Handlers& handlers);
void add_atomics(Handlers& handlers);
void add_synchronisation(Handlers& handlers);
void add_moves(Handlers& handlers);
void add_matrices(Handlers& handlers);
void add_barrier_objects(Handlers& handlers);

/// Value of a special register ("%tid.x"); null if there is none of that name.
llvm::Value* special_register(Lowering& lowering, llvm::StringRef name);

// Shared between files of instructions.
llvm::Value* carry_in(Lowering& lowering, unsigned bits);
/// The address in an operand [r+offset] of the state space that `space` names ("" is generic).
llvm::Value* address(Lowering& lowering, const Operand& operand, llvm::StringRef space);
/// The instruction's state space among its modifiers; "" if it has none.
std::string take_space(Lowering& lowering);
void full_fence(Lowering& lowering);
/// cp.async.bulk
void copy_in_bulk(Lowering& lowering);
/// cp.async.mbarrier.arrive: this thread's copies so far are done, as they always are.
void arrive_for_copies(Lowering& lowering);

}  // namespace gridspan::transforms::ptx
