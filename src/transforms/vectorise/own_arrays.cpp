// Finding the arrays, and rewriting their accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/vectorise/own_arrays.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Operator.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Of all arrays of one thread: with more, the lanes' copies leave the caches, and they are on the
/// stack of whoever runs the block, be it a thread of the program's.
constexpr std::uint64_t most_bytes = 8192;
/// Vectors gather and scatter nothing smaller.
constexpr std::uint64_t least_element = 4;
constexpr std::uint64_t unrolled_elements = 8;

class ArrayRewriter {
 public:
  explicit ArrayRewriter(AllocaInst& array) : array_(array), layout_(array.getDataLayout()) {}

  bool is_simple();
  bool is_made_of_elements() const;
  std::uint64_t stored_bytes() const { return element_count() * stored_size(); }
  OwnArray rewrite();

 private:
  bool add_use(Instruction& user, Value& pointer);
  bool add_element(Type& type);
  bool add_block(MemIntrinsic& block, const Value& pointer);
  bool has_whole_steps(const GetElementPtrInst& address) const;
  Value* element_of(Value* pointer);
  Value* place(Value* element, IRBuilder<>& builder);
  Value* read_element(Value* element, IRBuilder<>& builder);
  Value* read(Value* element, Type* type, IRBuilder<>& builder);
  void write(Value* element, Value* value, IRBuilder<>& builder);
  void rewrite(MemIntrinsic& block);
  std::uint64_t bytes_at_once(const MemIntrinsic& block) const;
  void write_part(MemIntrinsic& block, Value* number, IRBuilder<>& builder);
  bool is_here(const Value* pointer) const { return is_contained(pointers_, pointer); }
  IntegerType* element_type() const {
    return IntegerType::get(array_.getContext(), static_cast<unsigned>(size_) * 8);
  }
  IntegerType* stored_type() const {
    return IntegerType::get(array_.getContext(), static_cast<unsigned>(stored_size()) * 8);
  }
  std::uint64_t stored_size() const { return std::max(size_, least_element); }
  std::uint64_t element_count() const {
    return array_.getAllocationSize(layout_)->getFixedValue() / size_;
  }

  AllocaInst& array_;
  const DataLayout& layout_;
  AllocaInst* made_ = nullptr;
  std::uint64_t size_ = 0;  // bytes of an element, the smallest access; 0: not known yet
  bool has_several_sizes_ = false, has_pointers_ = false;  // of accesses
  SmallVector<Value*> pointers_;  // the array's address and what is computed from it, in order
  SmallVector<Instruction*> accesses_, markers_;
  SmallVector<MemIntrinsic*> blocks_;
  DenseMap<const Value*, Value*> elements_;
};

bool ArrayRewriter::is_simple() {
  if (!array_.isStaticAlloca()) return false;
  if (!array_.getAllocationSize(layout_)) return false;
  pointers_.push_back(&array_);
  for (unsigned i = 0; i < pointers_.size(); ++i)
    for (User* user : pointers_[i]->users())
      if (!add_use(*cast<Instruction>(user), *pointers_[i])) return false;
  if (has_several_sizes_ && has_pointers_) return false;
  if (size_ != 0) return is_made_of_elements();
  // What is copied in and out, and not looked at: a part of a structure that is handed on.
  constexpr std::uint64_t sizes[] = {8, 4};
  return !blocks_.empty() && any_of(sizes, [&](std::uint64_t size) {
    size_ = size;
    return is_made_of_elements();
  });
}

bool ArrayRewriter::is_made_of_elements() const {
  auto is_whole = [&](const MemIntrinsic* block) {
    return cast<ConstantInt>(block->getLength())->getZExtValue() % size_ == 0;
  };
  auto has_steps = [&](const Value* pointer) {
    auto* address = dyn_cast<GetElementPtrInst>(pointer);
    return !address || has_whole_steps(*address);
  };
  return array_.getAllocationSize(layout_)->getFixedValue() % size_ == 0 &&
         all_of(blocks_, is_whole) && all_of(pointers_, has_steps);
}

bool ArrayRewriter::add_use(Instruction& user, Value& pointer) {
  if (auto* address = dyn_cast<GetElementPtrInst>(&user)) {
    pointers_.push_back(address);
    return !address->getType()->isVectorTy();
  }
  if (user.isLifetimeStartOrEnd()) {
    markers_.push_back(&user);
    return true;
  }
  if (auto* block = dyn_cast<MemIntrinsic>(&user)) return add_block(*block, pointer);
  accesses_.push_back(&user);
  if (auto* load = dyn_cast<LoadInst>(&user))
    return load->isSimple() && add_element(*load->getType());
  auto* store = dyn_cast<StoreInst>(&user);
  return store && store->isSimple() && store->getValueOperand() != &pointer &&
         add_element(*store->getValueOperand()->getType());
}

bool ArrayRewriter::add_element(Type& type) {
  if (!type.isIntegerTy() && !type.isFloatingPointTy() && !type.isPointerTy()) return false;
  const std::uint64_t bits = layout_.getTypeSizeInBits(&type).getFixedValue();
  if (!is_contained({8u, 16u, 32u, 64u}, bits)) return false;
  if (size_ != 0 && size_ * 8 != bits) has_several_sizes_ = true;
  size_ = size_ == 0 ? bits / 8 : std::min(size_, bits / 8);
  has_pointers_ |= type.isPointerTy();
  return true;
}

bool ArrayRewriter::add_block(MemIntrinsic& block, const Value& pointer) {
  auto* length = dyn_cast<ConstantInt>(block.getLength());
  if (!length || block.isVolatile() || (block.getDest() != &pointer && is_here(block.getDest())))
    return false;
  if (auto* fill = dyn_cast<MemSetInst>(&block); fill && !isa<ConstantInt>(fill->getValue()))
    return false;
  if (auto* copy = dyn_cast<MemTransferInst>(&block))
    if (isa<AllocaInst>(getUnderlyingObject(copy->getDest(), 0)) &&
        isa<AllocaInst>(getUnderlyingObject(copy->getSource(), 0)))
      return false;
  blocks_.push_back(&block);
  return true;
}

bool ArrayRewriter::has_whole_steps(const GetElementPtrInst& address) const {
  MapVector<Value*, APInt> steps;
  APInt offset(64, 0);
  if (!cast<GEPOperator>(address).collectOffset(layout_, 64, steps, offset)) return false;
  return offset.getSExtValue() % static_cast<std::int64_t>(size_) == 0 &&
         all_of(steps, [&](const auto& step) {
           const unsigned zeros = computeKnownBits(step.first, layout_).countMinTrailingZeros() +
                                  step.second.countTrailingZeros();
           return zeros >= Log2_64(size_);
         });
}

/// The number (i64) of the element that `pointer` points to.
Value* ArrayRewriter::element_of(Value* pointer) {
  if (pointer == &array_) return ConstantInt::get(Type::getInt64Ty(array_.getContext()), 0);
  if (Value* known = elements_.lookup(pointer)) return known;
  auto* address = cast<GetElementPtrInst>(pointer);
  Value* from = element_of(address->getPointerOperand());
  MapVector<Value*, APInt> steps;
  APInt offset(64, 0);
  cast<GEPOperator>(address)->collectOffset(layout_, 64, steps, offset);
  IRBuilder<> builder(address);
  const auto size = static_cast<std::int64_t>(size_);
  for (auto& [index, bytes] : steps) {
    Value* number = builder.CreateSExtOrTrunc(index, builder.getInt64Ty());
    const std::int64_t step = bytes.getSExtValue();
    const bool is_whole = step % size == 0;
    if (step != size)
      number = builder.CreateMul(
          number, ConstantInt::getSigned(builder.getInt64Ty(), is_whole ? step / size : step));
    if (!is_whole) number = builder.CreateAShr(number, Log2_64(size_), "", /*isExact=*/true);
    from = builder.CreateAdd(from, number);
  }
  if (!offset.isZero())
    from = builder.CreateAdd(
        from, ConstantInt::getSigned(builder.getInt64Ty(), offset.getSExtValue() / size));
  return elements_[pointer] = from;
}

Value* ArrayRewriter::place(Value* element, IRBuilder<>& builder) {
  return builder.Insert(
      GetElementPtrInst::Create(stored_type(), made_, {element}, array_.getName() + ".place"));
}

Value* ArrayRewriter::read_element(Value* element, IRBuilder<>& builder) {
  Value* stored = builder.CreateLoad(stored_type(), place(element, builder));
  return size_ == stored_size() ? stored : builder.CreateTrunc(stored, element_type());
}

/// A wide number is put together from its elements, the lowest first.
Value* ArrayRewriter::read(Value* element, Type* type, IRBuilder<>& builder) {
  const std::uint64_t bytes = layout_.getTypeStoreSize(type).getFixedValue();
  if (bytes == size_ && size_ == stored_size())
    return builder.CreateLoad(type, place(element, builder));
  if (bytes == size_) return builder.CreateBitCast(read_element(element, builder), type);
  auto* whole = builder.getIntNTy(static_cast<unsigned>(bytes) * 8);
  Value* number = ConstantInt::get(whole, 0);
  for (std::uint64_t i = 0; i < bytes / size_; ++i) {
    Value* at = builder.CreateAdd(element, builder.getInt64(i));
    Value* part = builder.CreateZExt(read_element(at, builder), whole);
    number = builder.CreateOr(number, builder.CreateShl(part, i * size_ * 8));
  }
  return builder.CreateBitCast(number, type);
}

void ArrayRewriter::write(Value* element, Value* value, IRBuilder<>& builder) {
  const std::uint64_t bytes = layout_.getTypeStoreSize(value->getType()).getFixedValue();
  if (bytes == size_ && size_ == stored_size()) {
    builder.CreateStore(value, place(element, builder));
    return;
  }
  auto* whole = builder.getIntNTy(static_cast<unsigned>(bytes) * 8);
  value = builder.CreateBitCast(value, whole);
  for (std::uint64_t i = 0; i < bytes / size_; ++i) {
    Value* at = i == 0 ? element : builder.CreateAdd(element, builder.getInt64(i));
    Value* part = builder.CreateTrunc(builder.CreateLShr(value, i * size_ * 8), element_type());
    builder.CreateStore(builder.CreateZExt(part, stored_type()), place(at, builder));
  }
}

/// Elements that are too small to be gathered are copied several in one.
std::uint64_t ArrayRewriter::bytes_at_once(const MemIntrinsic& block) const {
  const std::uint64_t length = cast<ConstantInt>(block.getLength())->getZExtValue();
  return isa<MemTransferInst>(block) && length % stored_size() == 0 ? stored_size() : size_;
}

void ArrayRewriter::write_part(MemIntrinsic& block, Value* number, IRBuilder<>& builder) {
  const std::uint64_t bytes = bytes_at_once(block);
  auto element = [&](Value* pointer) {
    Value* from_there = builder.CreateMul(number, builder.getInt64(bytes / size_));
    return builder.CreateAdd(element_of(pointer), from_there);
  };
  if (auto* fill = dyn_cast<MemSetInst>(&block)) {
    const APInt byte = cast<ConstantInt>(fill->getValue())->getValue();
    const APInt all = APInt::getSplat(static_cast<unsigned>(size_) * 8, byte);
    return write(element(fill->getDest()), builder.getInt(all), builder);
  }
  auto* copy = cast<MemTransferInst>(&block);
  auto* type = builder.getIntNTy(static_cast<unsigned>(bytes) * 8);
  if (is_here(copy->getDest())) {
    Value* from = builder.CreateGEP(type, copy->getSource(), number);
    const Align align = commonAlignment(copy->getSourceAlign().valueOrOne(), bytes);
    write(element(copy->getDest()), builder.CreateAlignedLoad(type, from, align), builder);
  } else {
    Value* to = builder.CreateGEP(type, copy->getDest(), number);
    const Align align = commonAlignment(copy->getDestAlign().valueOrOne(), bytes);
    builder.CreateAlignedStore(read(element(copy->getSource()), type, builder), to, align);
  }
}

void ArrayRewriter::rewrite(MemIntrinsic& block) {
  const std::uint64_t count =
      cast<ConstantInt>(block.getLength())->getZExtValue() / bytes_at_once(block);
  IRBuilder<> builder(&block);
  if (count <= unrolled_elements) {
    for (std::uint64_t i = 0; i < count; ++i) write_part(block, builder.getInt64(i), builder);
  } else {
    auto [body, number] = SplitBlockAndInsertSimpleForLoop(builder.getInt64(count), &block);
    builder.SetInsertPoint(body);
    write_part(block, number, builder);
  }
  block.eraseFromParent();
}

OwnArray ArrayRewriter::rewrite() {
  IRBuilder<> builder(&array_);
  made_ = builder.CreateAlloca(ArrayType::get(stored_type(), element_count()), nullptr,
                               array_.getName());
  made_->setAlignment(Align(64));
  for (Value* pointer : pointers_) element_of(pointer);
  for (Instruction* access : accesses_) {
    builder.SetInsertPoint(access);
    Value* element = element_of(getLoadStorePointerOperand(access));
    if (auto* load = dyn_cast<LoadInst>(access))
      load->replaceAllUsesWith(read(element, load->getType(), builder));
    else
      write(element, cast<StoreInst>(access)->getValueOperand(), builder);
    access->eraseFromParent();
  }
  for (MemIntrinsic* block : blocks_) rewrite(*block);
  for (Instruction* marker : markers_) marker->eraseFromParent();
  for (Value* pointer : reverse(pointers_)) cast<Instruction>(pointer)->eraseFromParent();
  return {made_, static_cast<std::int64_t>(stored_size())};
}

}  // namespace

std::vector<OwnArray> simplify_own_arrays(Function& region) {
  std::vector<ArrayRewriter> found;
  std::uint64_t bytes = 0;
  for (BasicBlock& block : region)
    for (Instruction& instruction : block)
      if (auto* array = dyn_cast<AllocaInst>(&instruction)) {
        found.emplace_back(*array);
        if (!found.back().is_simple()) return {};
        bytes += found.back().stored_bytes();
        if (bytes > most_bytes) return {};
      }
  std::vector<OwnArray> arrays;
  for (ArrayRewriter& array : found) arrays.push_back(array.rewrite());
  return arrays;
}

void spread_over_lanes(std::vector<OwnArray>& arrays, unsigned lanes) {
  for (OwnArray& array : arrays) {
    auto* type = cast<ArrayType>(array.memory->getAllocatedType());
    IRBuilder<> builder(array.memory);
    AllocaInst* room = builder.CreateAlloca(
        ArrayType::get(type->getElementType(), type->getNumElements() * lanes));
    room->setAlignment(Align(64));
    room->takeName(array.memory);
    for (User* user : make_early_inc_range(array.memory->users())) {
      auto* place = cast<GetElementPtrInst>(user);
      builder.SetInsertPoint(place);
      place->setOperand(1, builder.CreateMul(place->getOperand(1), builder.getInt64(lanes)));
      place->setOperand(0, room);
    }
    array.memory->eraseFromParent();
    array.memory = room;
  }
}

}  // namespace gridspan::transforms
