// Whether, and a vector without a loop around it.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/short_rows.h"

#include "transforms/known_shape.h"

namespace gridspan::transforms {

using namespace llvm;

bool may_be_short(const ThreadBody& body) {
  constexpr unsigned most_instructions = 12;
  if (!is_launched_shape(known_shape(*body.function)) || !body.loop->getSubLoops().empty() ||
      isa<Constant>(body.count))
    return false;
  unsigned size = 0;
  for (const BasicBlock* block : body.order)
    for (const Instruction& instruction : *block) {
      if (isa<CallInst>(instruction) || instruction.isAtomic()) return false;
      const bool is_free = isa<PHINode, CastInst, GetElementPtrInst>(instruction);
      if (!is_free && !instruction.isTerminator()) ++size;
    }
  return size <= most_instructions;
}

std::vector<AllocaInst*> write_short_vector(const ThreadBody& body, const LoopInfo& loops,
                                            const Shapes& shapes, const NarrowVectors& narrow,
                                            unsigned lanes) {
  InFront front(body, narrow, "short");
  Type* type = body.index->getType();
  front.enter([&](IRBuilder<>& builder) {
    return builder.CreateICmpEQ(body.count, ConstantInt::get(type, lanes));
  });
  IRBuilder<>(front.latch).CreateBr(body.exit);
  return front.write(loops, shapes, lanes, ConstantInt::get(type, 0));
}

}  // namespace gridspan::transforms
