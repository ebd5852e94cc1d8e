// Gathers of lanes that are beside each other after all, more often than not.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/masks.h"
#include "transforms/vectorise/widener.h"

#include "llvm/IR/IntrinsicInst.h"

namespace gridspan::transforms {

using namespace llvm;

bool is_clamped(const Shapes& shapes, const Value* value, unsigned depth) {
  constexpr unsigned deepest = 6;
  auto* instruction = dyn_cast<Instruction>(value);
  if (!instruction || depth > deepest || !shapes.of(value).is_varying()) return false;
  auto is_counter = [&](const Value* operand) {
    return operand->getType()->isIntegerTy() && shapes.of(operand).kind == Shape::strided &&
           shapes.of(operand).stride == 1;
  };
  bool chooses = isa<SelectInst, MinMaxIntrinsic>(instruction);
  if (chooses && any_of(instruction->operand_values(), is_counter)) return true;
  bool is_sum =
      instruction->getOpcode() == Instruction::Add || instruction->getOpcode() == Instruction::Sub;
  return (chooses || is_sum || isa<SExtInst, ZExtInst, GetElementPtrInst>(instruction)) &&
         any_of(instruction->operand_values(),
                [&](const Value* operand) { return is_clamped(shapes, operand, depth + 1); });
}

/// A test that all lanes access neighbours, if it is likely: subscripts are clamped, or strided
/// numbers of which it is not known whether they wrap.
std::optional<Widener::Neighbours> Widener::test_neighbours(Value* pointer, Type* type) {
  auto* address = dyn_cast<GetElementPtrInst>(pointer);
  const DataLayout& layout = body_.function->getDataLayout();
  if (!address || address->getNumIndices() == 0 || address->getParent() != writing_ ||
      !all_of(drop_end(address->operands()),
              [&](const Use& operand) { return shapes_.of(operand).is_uniform(); }) ||
      layout.getTypeAllocSize(address->getResultElementType()) != layout.getTypeAllocSize(type) ||
      layout.getTypeSizeInBits(type) != layout.getTypeAllocSizeInBits(type))
    return std::nullopt;
  Value* number = address->getOperand(address->getNumIndices());
  auto* cast = dyn_cast<CastInst>(number);
  if (cast && (!isa<SExtInst, ZExtInst>(cast) || cast->getParent() != writing_))
    return std::nullopt;
  if (cast) number = cast->getOperand(0);
  Shape shape = shapes_.of(number);
  bool may_wrap = cast && shape.kind == Shape::strided && shape.stride == 1;
  if (!may_wrap && !is_clamped(shapes_, number)) return std::nullopt;

  Value *first, *holds = builder_.getTrue();
  if (may_wrap) {
    first = scalar(number);
  } else {
    Value* numbers = vector(number);
    // If the first lane is not here, its number may be anything, and the test says so.
    first = builder_.CreateFreeze(builder_.CreateExtractElement(numbers, std::uint64_t{0}));
    Value* same = builder_.CreateICmpEQ(numbers, spread(first, 1));
    Value* others = lanes_where_not(builder_, mask_or_all(), same);
    holds = builder_.CreateNot(any_lane(builder_, others, loop_.lanes));
  }
  if (cast) {
    holds = builder_.CreateAnd(holds,
                               builder_.CreateFreeze(does_not_wrap(first, 1, isa<SExtInst>(cast))));
    first = builder_.CreateCast(cast->getOpcode(), first, cast->getType());
  }
  SmallVector<Value*> indices;
  for (Value* index : drop_end(address->indices())) indices.push_back(scalar(index));
  indices.push_back(first);
  Value* place = builder_.CreateGEP(address->getSourceElementType(),
                                    scalar(address->getPointerOperand()), indices);
  return Neighbours{holds, place};
}

void Widener::write_either(Value* holds, function_ref<void()> likely_way,
                           function_ref<void()> other_way) {
  auto block = [&](const char* name) {
    return BasicBlock::Create(context_, name, body_.function, body_.header);
  };
  BasicBlock *first = block("beside"), *second = block("scattered"), *then = block("either");
  builder_.CreateCondBr(holds, first, second, likely(context_));
  builder_.SetInsertPoint(first);
  likely_way();
  builder_.CreateBr(then);
  builder_.SetInsertPoint(second);
  other_way();
  builder_.CreateBr(then);
  builder_.SetInsertPoint(then);
}

/// Null: there is no reason to think that the lanes load neighbours.
Value* Widener::write_likely_neighbours(LoadInst& load) {
  auto beside = test_neighbours(load.getPointerOperand(), load.getType());
  if (!beside) return nullptr;
  Type* type = widened(load.getType());
  const DataLayout& layout = load.getModule()->getDataLayout();
  Align align = commonAlignment(load.getAlign(), layout.getTypeAllocSize(load.getType()));
  Value* all = vector(load.getPointerOperand());
  Instruction *neighbours, *gathered;
  write_either(
      beside->holds,
      [&] {
        if (is_linear())
          neighbours = builder_.CreateMaskedLoad(type, beside->place, align, mask_);
        else
          neighbours = builder_.CreateAlignedLoad(type, beside->place, align);
      },
      [&] { gathered = builder_.CreateMaskedGather(type, all, load.getAlign(), mask_or_all()); });
  PHINode* result = builder_.CreatePHI(type, 2, load.getName());
  for (Instruction* made : {neighbours, gathered}) {
    copy_alias_facts(load, *made);
    result->addIncoming(made, made->getParent());
  }
  return result;
}

bool Widener::write_likely_neighbours(StoreInst& store) {
  Type* type = store.getValueOperand()->getType();
  auto beside = test_neighbours(store.getPointerOperand(), type);
  if (!beside) return false;
  const DataLayout& layout = store.getModule()->getDataLayout();
  Align align = commonAlignment(store.getAlign(), layout.getTypeAllocSize(type));
  Value *value = vector(store.getValueOperand()), *all = vector(store.getPointerOperand());
  write_either(
      beside->holds,
      [&] {
        Instruction* made = is_linear()
                                ? builder_.CreateMaskedStore(value, beside->place, align, mask_)
                                : static_cast<Instruction*>(
                                      builder_.CreateAlignedStore(value, beside->place, align));
        copy_alias_facts(store, *made);
      },
      [&] {
        copy_alias_facts(
            store, *builder_.CreateMaskedScatter(value, all, store.getAlign(), mask_or_all()));
      });
  return true;
}

}  // namespace gridspan::transforms
