// What device code can ask about itself: its thread, block, launch, shared memory and symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Until a kernel is cut into regions such questions stay calls of *markers*: functions without body
// or memory effects, which LLVM may hoist, merge and drop freely.
//
//     ptr @gridspan.shared(i64 offset, i64 size)   static shared memory
//     ptr @gridspan.dynamic_shared(i64 alignment)  extern __shared__
//     ptr @gridspan.symbol(i32 index)      __device__ / __constant__ variable
//     ptr @gridspan.block()                BlockContext of the running block
//     ptr @gridspan.thread()               ThreadContext of the running thread
//     i32 @gridspan.linear_thread()        linear thread index
//
// and llvm.nvvm.read.ptx.sreg.* for the rest. `lower_context` replaces them by values the function
// has at hand.
#pragma once

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/Module.h"

#include <array>

namespace gridspan::transforms {

enum class Marker { shared, dynamic_shared, symbol, block, thread, linear_thread };

llvm::FunctionCallee marker(llvm::Module& module, Marker which);
bool is_marker(const llvm::Value* value, Marker which);

/// What threads ask for their place in the launch, and its shape.
struct SpecialRegister {
  enum Group { none, thread_index, block_index, block_size, grid_size } group = none;
  unsigned axis = 0;
};
SpecialRegister special_register(const llvm::Value* value);

/// A call whose value depends on nothing but which thread asks: markers and special registers that
/// do not change while a thread runs. Safe to repeat anywhere instead of keeping its value.
bool is_repeatable_context_call(const llvm::Instruction& instruction);

/// Everything markers and special registers stand for, as values of one function.
struct ContextValues {
  llvm::Value* thread = nullptr;  // null in regions until some call needs it
  llvm::Value* block = nullptr;
  llvm::Value* launch = nullptr;
  llvm::Value* linear = nullptr;
  std::array<llvm::Value*, 3> thread_index{};
  std::array<llvm::Value*, 3> block_index{};
  std::array<llvm::Value*, 3> block_size{};
  std::array<llvm::Value*, 3> grid_size{};
  llvm::Value* shared = nullptr;
  llvm::Value* dynamic_shared = nullptr;
  llvm::Value* symbols = nullptr;
  llvm::Value* arguments = nullptr;
};

/// Loads everything but the thread's own part from `block` (BlockContext*).
ContextValues load_block_values(llvm::IRBuilder<>& builder, llvm::Value* block);

/// The same plus the thread's part, from `thread` (ThreadContext*).
ContextValues load_thread_values(llvm::IRBuilder<>& builder, llvm::Value* thread);

/// Replaces every marker and special register in `function` by `values`.
void lower_context(llvm::Function& function, const ContextValues& values);

/// Loads the value (or, for by-value structs, the address) of kernel parameter `index`.
llvm::Value* load_argument(llvm::IRBuilder<>& builder, llvm::Value* arguments,
                           const llvm::Argument& parameter);

/// Loads the field at byte `offset` of a context struct; the field does not change while code runs.
llvm::Value* load_field(llvm::IRBuilder<>& builder, llvm::Type* type, llvm::Value* base,
                        std::uint64_t offset, const llvm::Twine& name);

/// The struct's field `offset` bytes in, as address.
llvm::Value* field_address(llvm::IRBuilder<>& builder, llvm::Value* base, std::uint64_t offset);

}  // namespace gridspan::transforms
