// Blocks, and the ways between them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/in_front.h"

#include "transforms/vectorise/masks.h"

namespace gridspan::transforms {

using namespace llvm;

/// Stack variables became values that no vector has from the one before.
static Value* from_nowhere(const PHINode& phi) { return UndefValue::get(phi.getType()); }

InFront::InFront(const ThreadBody& body, const NarrowVectors& narrow, const Twine& name)
    : body_(body), narrow_(narrow), before_(body.preheader) {
  begin = block(name);
  latch = block("next_" + name);
  broken_ = block(name + ".broken");
  others_ = block("not_" + name);
  before_->getTerminator()->moveBefore(*others_, others_->end());
  for (BasicBlock* next : successors(others_)) next->replacePhiUsesWith(before_, others_);
}

void InFront::enter(function_ref<Value*(IRBuilder<>&)> is_row) {
  IRBuilder<> builder(before_);
  Value* condition = is_row(builder);
  builder.CreateCondBr(condition, begin, others_, likely(begin->getContext()));
}

std::vector<AllocaInst*> InFront::write(const LoopInfo& loops, const Shapes& shapes, unsigned lanes,
                                        Value* index, bool reads_all_lines) {
  IRBuilder<> builder(broken_);
  builder.CreateBr(narrow_.header);
  for (PHINode& phi : narrow_.header->phis())
    phi.addIncoming(&phi == narrow_.index ? index : from_nowhere(phi), broken_);
  for (PHINode& phi : body_.exit->phis()) phi.addIncoming(from_nowhere(phi), latch);
  Widener code(body_, loops, shapes,
               {lanes, index, latch, broken_, &body_.function->getEntryBlock(), reads_all_lines});
  BasicBlock* first = code.write();
  builder.SetInsertPoint(begin);
  builder.CreateBr(first);
  return code.variables();
}

BasicBlock* InFront::block(const Twine& name) {
  return BasicBlock::Create(body_.function->getContext(), name, body_.function, narrow_.header);
}

}  // namespace gridspan::transforms
