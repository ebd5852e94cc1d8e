// Each access of an array is moved into its box.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/ptx/packed_kernels.h"

#include "codegen/ptx/kernel_clones.h"
#include "codegen/ptx/part_kernels.h"

#include "llvm/ADT/SetVector.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsNVPTX.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace gridspan::codegen::ptx {

using namespace llvm;

namespace {

/// Bytes of parameters that every GPU has room for.
constexpr std::uint64_t most_parameter_bytes = 4096;

/// A load, store or atomic update through a pointer.
struct Access {
  Use* pointer;
  Type* type;
  MaybeAlign alignment;
};

std::optional<Access> access_through(Use& use) {
  auto* user = cast<Instruction>(use.getUser());
  if (auto* load = dyn_cast<LoadInst>(user)) return Access{&use, load->getType(), load->getAlign()};
  if (auto* store = dyn_cast<StoreInst>(user)) {
    if (use.getOperandNo() != StoreInst::getPointerOperandIndex()) return std::nullopt;
    return Access{&use, store->getValueOperand()->getType(), store->getAlign()};
  }
  if (auto* update = dyn_cast<AtomicRMWInst>(user)) {
    if (use.getOperandNo() != AtomicRMWInst::getPointerOperandIndex()) return std::nullopt;
    return Access{&use, update->getType(), update->getAlign()};
  }
  if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(user)) {
    if (use.getOperandNo() != AtomicCmpXchgInst::getPointerOperandIndex()) return std::nullopt;
    return Access{&use, exchange->getNewValOperand()->getType(), exchange->getAlign()};
  }
  auto* call = dyn_cast<IntrinsicInst>(user);
  if (!call) return std::nullopt;
  switch (call->getIntrinsicID()) {
    case Intrinsic::nvvm_ldg_global_f:
    case Intrinsic::nvvm_ldg_global_i:
    case Intrinsic::nvvm_ldg_global_p:
      return Access{&use, call->getType(),
                    cast<ConstantInt>(call->getArgOperand(1))->getMaybeAlignValue()};
    default:
      return std::nullopt;
  }
}

bool makes_pointers(const User& user) {
  return isa<GEPOperator, PHINode, SelectInst, AddrSpaceCastInst>(user) &&
         user.getType()->isPointerTy();
}

/// The value of the pointer does not matter, or is that of the program's address.
bool only_looks(const User& user) {
  if (isa<ICmpInst>(user)) return true;
  const auto* call = dyn_cast<IntrinsicInst>(&user);
  return call && call->getIntrinsicID() == Intrinsic::assume;
}

/// Everything that is done with the pointers made from an argument.
class Uses {
 public:
  explicit Uses(Argument& argument) { pointers_.insert(&argument); }

  /// Why they can't be told; nothing if all is well.
  std::optional<std::string> follow(unsigned element_bytes) {
    for (unsigned i = 0; i < pointers_.size(); ++i)
      for (Use& use : pointers_[i]->uses()) {
        User& user = *use.getUser();
        if (makes_pointers(user)) {
          pointers_.insert(&user);
        } else if (const auto access = access_through(use)) {
          if (!is_in_element(*access, element_bytes))
            return "it is accessed in other units than its elements";
          accesses_.push_back(*access);
        } else if (!only_looks(user)) {
          return "its address is used as a value";
        }
      }
    for (Value* pointer : pointers_)
      if (!comes_from_here_alone(*pointer)) return "a pointer may also be another array's";
    return std::nullopt;
  }

  const std::vector<Access>& accesses() const { return accesses_; }

 private:
  bool comes_from_here_alone(Value& pointer) const {
    const auto is_ours = [this](const Use& use) {
      return pointers_.contains(use.get()) || isa<UndefValue>(use.get());
    };
    if (auto* phi = dyn_cast<PHINode>(&pointer)) return all_of(phi->incoming_values(), is_ours);
    if (auto* select = dyn_cast<SelectInst>(&pointer))
      return is_ours(select->getOperandUse(1)) && is_ours(select->getOperandUse(2));
    return true;
  }

  /// Such an access never spans two rows.
  static bool is_in_element(const Access& access, unsigned element_bytes) {
    const auto* instruction = cast<Instruction>(access.pointer->getUser());
    const TypeSize size = instruction->getDataLayout().getTypeStoreSize(access.type);
    return !size.isScalable() && isPowerOf2_64(size) && element_bytes % size == 0 &&
           access.alignment.valueOrOne().value() >= size;
  }

  SetVector<Value*> pointers_;
  std::vector<Access> accesses_;
};

StructType* place_type(LLVMContext& context) {
  Type* word = Type::getInt64Ty(context);
  return StructType::get(context, {word, word, word, word, word});
}

/// One for each argument that is a pointer.
StructType* places_type(Function& kernel, unsigned count) {
  Type* records = ArrayType::get(place_type(kernel.getContext()), count);
  return StructType::get(kernel.getContext(), ArrayRef<Type*>(records));
}

bool is_pointer(const Argument& argument) {
  return argument.getType()->isPointerTy() && !argument.hasByValAttr();
}

unsigned pointers_before(Function& kernel, unsigned argument) {
  return static_cast<unsigned>(
      count_if(make_range(kernel.arg_begin(), kernel.arg_begin() + argument), is_pointer));
}

std::uint64_t bytes_with_gaps(Function& kernel) {
  constexpr std::uint64_t largest_gap = 16;
  const DataLayout& layout = kernel.getParent()->getDataLayout();
  std::uint64_t bytes = 0;
  for (const Argument& argument : kernel.args()) {
    Type* type = argument.hasByValAttr() ? argument.getParamByValType() : argument.getType();
    bytes += layout.getTypeAllocSize(type) + largest_gap;
  }
  return bytes;
}

/// Moves accesses into the box of one array.
class AddressMover {
 public:
  /// `index`: of the record.
  AddressMover(Function& clone, unsigned index) : builder_(clone.getContext()) {
    builder_.SetInsertPoint(&*clone.getEntryBlock().getFirstInsertionPt());
    Argument& places = *clone.getArg(clone.arg_size() - 1);
    const auto field = [&](unsigned number) {
      return read_field(builder_, places, places.getParamByValType(), {0, index, number},
                        builder_.getInt64Ty());
    };
    origin_ = field(0);
    magic_ = field(1);
    shift_ = field(2);
    stretch_ = field(3);
    move_ = field(4);
  }

  void move(const Access& access) {
    Value*& moved = moved_[access.pointer->get()];
    if (!moved) moved = moved_pointer(*access.pointer->get());
    access.pointer->set(moved);
  }

 private:
  Value* moved_pointer(Value& pointer) {
    set_behind(pointer);
    Value* address = builder_.CreatePtrToInt(&pointer, builder_.getInt64Ty());
    Value* offset = builder_.CreateSub(address, origin_, "offset");
    Value* row = builder_.CreateLShr(high_product(offset, magic_), shift_, "row");
    Value* distance = builder_.CreateAdd(move_, builder_.CreateMul(row, stretch_));
    return builder_.CreateGEP(builder_.getInt8Ty(), &pointer, distance, "packed");
  }

  Value* high_product(Value* a, Value* b) {
    Type* wide = builder_.getInt128Ty();
    Value* product =
        builder_.CreateNUWMul(builder_.CreateZExt(a, wide), builder_.CreateZExt(b, wide));
    return builder_.CreateTrunc(builder_.CreateLShr(product, 64), builder_.getInt64Ty());
  }

  /// Behind the fields where the pointer is an argument.
  void set_behind(Value& pointer) {
    auto* instruction = dyn_cast<Instruction>(&pointer);
    if (!instruction) instruction = cast<Instruction>(move_);
    if (isa<PHINode>(instruction))
      builder_.SetInsertPoint(&*instruction->getParent()->getFirstInsertionPt());
    else
      builder_.SetInsertPoint(&*std::next(instruction->getIterator()));
  }

  IRBuilder<> builder_;
  Value *origin_, *magic_, *shift_, *stretch_, *move_;
  DenseMap<Value*, Value*> moved_;
};

}  // namespace

std::optional<std::string> add_packed_kernel(Function& kernel, ArrayRef<PackableArray> arrays) {
  Function* part = kernel.getParent()->getFunction((kernel.getName() + part_suffix).str());
  if (!part) return "it has no code for parts of its grid";
  const auto is_own_argument = [&](const PackableArray& array) {
    return array.argument < kernel.arg_size() && is_pointer(*kernel.getArg(array.argument));
  };
  if (none_of(arrays, is_own_argument)) return "its arrays are no arguments of their own";
  for (const PackableArray& array : make_filter_range(arrays, is_own_argument)) {
    if (const auto reason = Uses(*part->getArg(array.argument)).follow(array.element_bytes))
      return array.name + ": " + *reason;
  }
  const auto count = static_cast<unsigned>(count_if(kernel.args(), is_pointer));
  StructType* type = places_type(kernel, count);
  const std::uint64_t bytes = kernel.getParent()->getDataLayout().getTypeAllocSize(type);
  if (bytes_with_gaps(*part) + bytes > most_parameter_bytes) return "too many parameters";
  Function& clone =
      clone_with_parameter(*part, kernel.getName() + packed_suffix, type, Align(8), "places");
  for (const PackableArray& array : make_filter_range(arrays, is_own_argument)) {
    Uses uses(*clone.getArg(array.argument));
    if (uses.follow(array.element_bytes)) llvm_unreachable("a clone differs from its kernel");
    AddressMover mover(clone, pointers_before(kernel, array.argument));
    for (const Access& access : uses.accesses()) mover.move(access);
  }
  return std::nullopt;
}

}  // namespace gridspan::codegen::ptx
