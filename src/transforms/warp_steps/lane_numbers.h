// What each lane of one warp computes: numbers, as far as they follow from its place in the block.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//     t = threadIdx.y * 16 + threadIdx.x      a number for each lane
//     s + 4 * (t + offset)                    numbers, and the symbols `s` and 4 * `offset`
//     in[t]                                   unknown
//
// A symbol is a value that is the same for all lanes, but unknown: a parameter, blockIdx.x, the
// address of an array, the count of a loop's rounds. For lanes that go through the code in step, of
// a kernel whose block has a known shape and whose functions are inlined. What wraps around is not
// thought of, where there are symbols.
#pragma once

#include "transforms/warp_steps/lane_number.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/IR/Instructions.h"

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace gridspan::transforms {

class LaneNumbers {
 public:
  /// Of the warp of a block of `shape` whose first thread is `first_thread`.
  LaneNumbers(llvm::Function& kernel, const llvm::LoopInfo& loops,
              const std::array<std::uint32_t, 3>& shape, std::uint32_t first_thread);

  const LaneNumber& of(const llvm::Value* value);
  /// Lanes that may come to the block. Those are left out of which it is known that they don't.
  std::uint32_t lanes_in(const llvm::BasicBlock* block) const { return lanes_.lookup(block); }
  /// By how much a phi of a loop grows from round to round.
  std::optional<std::int64_t> step_of(const llvm::Value* phi) const;

 private:
  LaneNumber compute(const llvm::Value* value);
  LaneNumber compute(const llvm::Instruction& instruction);
  LaneNumber compute_binary(const llvm::BinaryOperator& instruction);
  LaneNumber compute_comparison(const llvm::ICmpInst& comparison);
  LaneNumber compute_cast(const llvm::CastInst& cast);
  LaneNumber compute_call(const llvm::CallInst& call);
  LaneNumber compute_address(const llvm::GetElementPtrInst& address);
  LaneNumber compute_choice(const llvm::SelectInst& choice);
  LaneNumber compute_phi(const llvm::PHINode& phi);
  LaneNumber compute_loop_phi(const llvm::PHINode& phi, const llvm::Loop& loop);
  LaneNumber if_uniform(const llvm::Instruction& instruction);
  LaneNumber register_number(std::uint32_t which) const;
  std::uint32_t lanes_on_edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  void forget_since(std::size_t mark);

  const llvm::LoopInfo& loops_;
  const llvm::DataLayout& layout_;
  std::array<std::uint32_t, 3> shape_;
  std::uint32_t first_thread_;
  unsigned depth_ = 0;
  llvm::DenseMap<const llvm::Value*, std::unique_ptr<LaneNumber>> known_;
  std::vector<const llvm::Value*> order_;  // in which they became known
  llvm::DenseMap<const llvm::BasicBlock*, std::uint32_t> lanes_;
  llvm::DenseMap<const llvm::Value*, std::int64_t> steps_;
};

}  // namespace gridspan::transforms
