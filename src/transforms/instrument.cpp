// Recording builds: every access to memory announces itself before it happens.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/instrument.h"

#include "abi/recording.h"
#include "transforms/context.h"
#include "transforms/kernels.h"
#include "transforms/services.h"
#include "transforms/source_points.h"

#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/ValueHandle.h"
#include "llvm/Transforms/Utils/Cloning.h"

namespace gridspan::transforms {

using namespace llvm;
using abi::RecordedKind;
using abi::ReductionOp;

namespace {

/// One instruction touching memory at one pointer.
struct RecordedAccess {
  Instruction* instruction;
  Value* pointer;
  Value* size;  // bytes, any integer type
  RecordedKind kind;
  ReductionOp op = ReductionOp::none;
  bool optional = false;
};

/// Stack, shared memory, parameters and constant tables: no other block writes there.
bool stays_in_block(const Value* pointer) {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  return all_of(objects, [](const Value* object) {
    if (const auto* argument = dyn_cast<Argument>(object)) return argument->hasByValAttr();
    return isa<AllocaInst, GlobalVariable>(object) || is_marker(object, Marker::shared) ||
           is_marker(object, Marker::dynamic_shared);
  });
}

ReductionOp reduction_op(const AtomicRMWInst& update) {
  const Type* type = update.getType();
  const bool known = type->isFloatTy() || type->isDoubleTy();
  switch (update.getOperation()) {
    case AtomicRMWInst::Add:
    case AtomicRMWInst::Sub:
      return ReductionOp::add;
    case AtomicRMWInst::FAdd:
    case AtomicRMWInst::FSub:
      return known ? ReductionOp::float_add : ReductionOp::none;
    case AtomicRMWInst::Min:
      return ReductionOp::min;
    case AtomicRMWInst::UMin:
      return ReductionOp::unsigned_min;
    case AtomicRMWInst::FMin:
      return known ? ReductionOp::float_min : ReductionOp::none;
    case AtomicRMWInst::Max:
      return ReductionOp::max;
    case AtomicRMWInst::UMax:
      return ReductionOp::unsigned_max;
    case AtomicRMWInst::FMax:
      return known ? ReductionOp::float_max : ReductionOp::none;
    case AtomicRMWInst::And:
      return ReductionOp::bit_and;
    case AtomicRMWInst::Or:
      return ReductionOp::bit_or;
    case AtomicRMWInst::Xor:
      return ReductionOp::bit_xor;
    case AtomicRMWInst::UIncWrap:
      return ReductionOp::increment;
    case AtomicRMWInst::UDecWrap:
      return ReductionOp::decrement;
    default:
      return ReductionOp::none;
  }
}

/// Bytes that a function of the device library writes through each of its pointers; 0: none.
unsigned bytes_written_by(StringRef function) {
  if (!function.consume_front("__nv_")) return 0;
  return StringSwitch<unsigned>(function)
      .Cases("sincos", "sincospi", "modf", 8)
      .Cases("sincosf", "sincospif", "fast_sincosf", "modff", 4)
      .Cases("frexp", "frexpf", "remquo", "remquof", 4)
      .Default(0);
}

/// Collects the accesses of a module.
class RecordedAccesses {
 public:
  explicit RecordedAccesses(Module& module) : layout_(module.getDataLayout()) {
    for (Function& function : module)
      for (Instruction& instruction : instructions(function)) visit(instruction);
  }
  std::vector<RecordedAccess> found;

 private:
  void visit(Instruction& instruction) {
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      add(instruction, load->getPointerOperand(), load->getType(),
          load->isAtomic() ? RecordedKind::atomic_read : RecordedKind::read);
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      add(instruction, store->getPointerOperand(), store->getValueOperand()->getType(),
          store->isAtomic() ? RecordedKind::atomic_write : RecordedKind::write);
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      add(instruction, update->getPointerOperand(), update->getType(), RecordedKind::atomic,
          reduction_op(*update));
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      add(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
          RecordedKind::atomic);
    } else if (auto* call = dyn_cast<CallBase>(&instruction)) {
      visit_call(*call);
    }
  }

  void visit_call(CallBase& call) {
    if (auto* copy = dyn_cast<MemTransferInst>(&call)) {
      add(call, copy->getRawSource(), copy->getLength(), RecordedKind::read);
      add(call, copy->getRawDest(), copy->getLength(), RecordedKind::write);
    } else if (auto* set = dyn_cast<MemSetInst>(&call)) {
      add(call, set->getRawDest(), set->getLength(), RecordedKind::write);
    } else if (const Function* callee = call.getCalledFunction()) {
      const unsigned bytes = bytes_written_by(callee->getName());
      if (bytes == 0) return;
      Value* size = ConstantInt::get(Type::getInt64Ty(call.getContext()), bytes);
      for (Value* argument : call.args())
        if (argument->getType()->isPointerTy()) add(call, argument, size, RecordedKind::write);
    }
  }

  void add(Instruction& instruction, Value* pointer, Type* type, RecordedKind kind,
           ReductionOp op = ReductionOp::none) {
    Value* size = ConstantInt::get(Type::getInt64Ty(instruction.getContext()),
                                   layout_.getTypeStoreSize(type));
    add(instruction, pointer, size, kind, op);
  }
  void add(Instruction& instruction, Value* pointer, Value* size, RecordedKind kind,
           ReductionOp op = ReductionOp::none) {
    if (!stays_in_block(pointer)) found.push_back({&instruction, pointer, size, kind, op});
  }

  const DataLayout& layout_;
};

bool may_be_left_out(const Instruction& access) {
  return isa<LoadInst, StoreInst>(access) && !access.isAtomic() && !access.isVolatile();
}

/// Tells from a cleaned-up copy of the module what counts: which accesses are left, and which
/// atomics have a result that somebody uses.
void judge(std::vector<RecordedAccess>& accesses, const Module& module,
           function_ref<void(Module&)> clean_up) {
  ValueToValueMapTy map;
  const std::unique_ptr<Module> copy = CloneModule(module, map);
  std::vector<WeakVH> survivors;  // null once the instruction is gone
  for (const RecordedAccess& access : accesses) survivors.emplace_back(map[access.instruction]);
  map.clear();
  clean_up(*copy);
  for (std::size_t i = 0; i < accesses.size(); ++i) {
    RecordedAccess& access = accesses[i];
    const Value* survivor = survivors[i];
    access.optional = !survivor && may_be_left_out(*access.instruction);
    const bool unused = !survivor || survivor->use_empty();
    if (unused && access.op != ReductionOp::none) access.kind = RecordedKind::update;
  }
  survivors.clear();  // before the module they watch
}

GlobalVariable* make_site(Module& module, const RecordedAccess& access, unsigned index) {
  static_assert(sizeof(abi::AccessSite) == 32);
  LLVMContext& context = module.getContext();
  Type* i32 = Type::getInt32Ty(context);
  auto number = [&](auto value) { return ConstantInt::get(i32, static_cast<unsigned>(value)); };
  Constant* where = source_point_value(module, source_line(*access.instruction));
  Constant* site = ConstantStruct::getAnon(
      context, {where, number(access.kind), number(access.op),
                number(access.optional ? abi::recorded_optional : 0u), number(index)});
  return new GlobalVariable(module, site->getType(), true, GlobalValue::PrivateLinkage, site,
                            "gridspan.site");
}

/// The bits of what a store stores, as an integer of 128 bits; null if it is no plain value of up
/// to 16 bytes.
Value* stored_bits(IRBuilder<>& builder, const RecordedAccess& access, const DataLayout& layout) {
  auto* store = dyn_cast<StoreInst>(access.instruction);
  if (!store) return nullptr;
  Value* value = store->getValueOperand();
  Type* type = value->getType();
  if (type->isPointerTy()) {
    value = builder.CreatePtrToInt(value, builder.getInt64Ty());
  } else if (!type->isIntegerTy()) {
    const unsigned bits = type->getPrimitiveSizeInBits().getFixedValue();  // 0: none
    if (bits == 0 || bits != layout.getTypeStoreSizeInBits(type)) return nullptr;
    value = builder.CreateBitCast(value, builder.getIntNTy(bits));
  }
  if (value->getType()->getIntegerBitWidth() > 128) return nullptr;
  return builder.CreateZExt(value, builder.getInt128Ty());
}

void announce(const RecordedAccess& access, GlobalVariable* site) {
  IRBuilder<> builder(access.instruction);
  Module& module = *access.instruction->getModule();
  Value* block = builder.CreateCall(marker(module, Marker::block));
  Value* size = builder.CreateZExt(access.size, builder.getInt64Ty());
  if (Value* bits = stored_bits(builder, access, module.getDataLayout())) {
    Value* low = builder.CreateTrunc(bits, builder.getInt64Ty());
    Value* high = builder.CreateTrunc(builder.CreateLShr(bits, 64), builder.getInt64Ty());
    call_service(builder, "gridspan_record_store", builder.getVoidTy(),
                 {block, site, access.pointer, size, low, high});
    return;
  }
  call_service(builder, "gridspan_record_access", builder.getVoidTy(),
               {block, site, access.pointer, size});
}

bool is_recursive(Function& function) {
  return any_of(function.users(), [&](User* user) {
    auto* call = dyn_cast<CallBase>(user);
    return call && reachable_functions(function).contains(call->getFunction());
  });
}

}  // namespace

void inline_everything(Module& module) {
  for (Function& function : module) {
    if (!function.hasLocalLinkage() || is_recursive(function)) continue;  // kernels are not local
    function.removeFnAttr(Attribute::NoInline);
    function.removeFnAttr(Attribute::OptimizeNone);
    function.addFnAttr(Attribute::AlwaysInline);
    for (User* user : function.users())
      if (auto* call = dyn_cast<CallBase>(user)) call->removeFnAttr(Attribute::NoInline);
  }
}

unsigned record_accesses(Module& module, function_ref<void(Module&)> clean_up) {
  std::vector<RecordedAccess> accesses = RecordedAccesses(module).found;
  judge(accesses, module, clean_up);
  unsigned index = 0;
  for (const RecordedAccess& access : accesses)
    announce(access, make_site(module, access, index++));
  return index;
}

}  // namespace gridspan::transforms
