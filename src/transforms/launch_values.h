// Which values of the code for a block are the same for all blocks of a launch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "transforms/lower_globals.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/IR/Instructions.h"

#include <cstdint>
#include <optional>

namespace gridspan::transforms {

/// What a block function may be asked about: it, and all functions of ours that it calls, from one
/// place each, and hands its BlockContext.
class LaunchValues {
 public:
  /// `block_function`: void(BlockContext*, i32, i32). `parameters`: bytes of each of the kernel's.
  LaunchValues(llvm::Function& block_function, llvm::ArrayRef<std::uint32_t> parameters,
               llvm::ArrayRef<DeviceSymbol> symbols);

  /// The block function comes first.
  llvm::ArrayRef<llvm::Function*> functions() const { return functions_.getArrayRef(); }

  /// Computed from arguments, the launch's shape, __constant__ memory and constants alone; neither
  /// computing it earlier nor without need does any harm, but for a division by zero.
  bool is_launch_value(const llvm::Value* value);

  /// A launch value that depends on arguments or __constant__ memory, not on the shape alone.
  bool depends_on_arguments(const llvm::Value* value);

  /// The LaunchContext's address?
  bool is_launch(const llvm::Value* value);

  /// What a parameter of one of the functions stands for; the constant that arithmetic comes to
  /// once that is known (loops over threads begin at parameters); any other value: that value.
  const llvm::Value* origin(const llvm::Value* value);

 private:
  /// Bytes that do not change during a launch.
  struct Place {
    enum Memory { block, launch, arguments, argument, symbols, symbol, constant } memory;
    std::uint64_t index, offset, size;
  };
  void add(llvm::Function& function);
  std::optional<Place> place_at(const llvm::Value* address);
  std::optional<Place> place_behind(const Place& pointer) const;
  bool is_readable(const Place& place, std::uint64_t bytes) const;
  bool find(const llvm::Value* value);
  const llvm::Value* folded(const llvm::Instruction& instruction);

  llvm::SmallSetVector<llvm::Function*, 8> functions_;
  llvm::DenseMap<const llvm::Argument*, const llvm::Value*> actual_;
  llvm::DenseMap<const llvm::Value*, const llvm::Value*> folded_;
  llvm::DenseMap<const llvm::Value*, bool> known_;
  llvm::ArrayRef<std::uint32_t> parameters_;
  llvm::ArrayRef<DeviceSymbol> symbols_;
};

/// An integer division, which somebody may have good reason not to do.
bool is_division(const llvm::Instruction& instruction);

}  // namespace gridspan::transforms
