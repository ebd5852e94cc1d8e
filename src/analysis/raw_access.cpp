// Finding loads, stores, atomics and calls, and saying what they touch.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/raw_access.h"

#include "abi/sync.h"
#include "analysis/pointer_values.h"

#include "analysis/careful_evaluator.h"
#include "analysis/spinning.h"
#include "analysis/whole_access.h"
#include "support/readable_name.h"

#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::analysis {

using namespace llvm;
using model::AccessKind;
using model::Obstacle;
using model::ReductionOp;

namespace {

std::string type_name(const Type* type) {
  if (auto* vector = dyn_cast<VectorType>(type)) return type_name(vector->getElementType());
  if (type->isFloatTy()) return "float";
  if (type->isDoubleTy()) return "double";
  if (type->isHalfTy()) return "half";
  if (type->isPointerTy()) return "pointer";
  if (type->isIntegerTy(8)) return "char";
  if (type->isIntegerTy(16)) return "short";
  if (type->isIntegerTy(32)) return "int";
  if (type->isIntegerTy(64)) return "long";
  return "bytes";
}

ReductionOp reduction_of(const AtomicRMWInst& update) {
  const Type* type = update.getType();
  const bool known = type->isFloatTy() || type->isDoubleTy();  // as numbers; not half, no vectors
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

class Finder {
 public:
  Finder(Function& function, Evaluator& evaluator, Budget& budget, model::Kernel& kernel)
      : function_(function),
        evaluator_(evaluator, budget),
        kernel_(kernel),
        layout_(function.getParent()->getDataLayout()) {}

  std::vector<RawAccess> run() {
    const DominatorTree reachable(function_);
    loops_.analyze(reachable);
    for (Instruction& instruction : instructions(function_))
      if (reachable.isReachableFromEntry(instruction.getParent())) look_at(instruction);
    return std::move(found_);
  }

 private:
  void look_at(Instruction& instruction) {
    if (shows_address(instruction))
      remark(Obstacle::pointer_value, instruction, "uses the address of an array as a value");
    if (auto* load = dyn_cast<LoadInst>(&instruction)) {
      add(instruction, load->getPointerOperand(), load->getType(), AccessKind::read,
          is_really_volatile(*load) || (is_whole_access(*load) && may_spin(*load, loops_)) ||
              may_be_waited_for(*load));
    } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
      std::size_t before = found_.size();
      const Value* value = store->getValueOperand();
      add(instruction, store->getPointerOperand(), value->getType(), AccessKind::write,
          is_really_volatile(*store), evaluator_.is_launch_invariant(value));
      for (std::size_t i = before; i < found_.size(); ++i)
        if (found_[i].same_value) found_[i].stored_value = name_of(value);
    } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
      atomic(instruction, update->getPointerOperand(), update->getValOperand()->getType(),
             reduction_of(*update));
    } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
      atomic(instruction, exchange->getPointerOperand(), exchange->getNewValOperand()->getType(),
             ReductionOp::none);
    } else if (isa<FenceInst>(instruction)) {
      remark(Obstacle::fence, instruction, "memory fence");
    } else if (auto* call = dyn_cast<CallInst>(&instruction)) {
      look_at_call(*call);
    }
  }

  /// In a loop, until another block has stored something else.
  bool may_be_waited_for(const LoadInst& load) const {
    return load.isAtomic() && loops_.getLoopFor(load.getParent());
  }

  /// A text that is equal for equal values only.
  std::string name_of(const Value* value) const {
    std::string text;
    raw_string_ostream stream(text);
    if (auto* argument = dyn_cast<Argument>(value))
      stream << "argument " << argument->getArgNo();
    else if (isa<ConstantData>(value))
      value->printAsOperand(stream, /*PrintType=*/true);
    return text;
  }

  void look_at_call(CallInst& call) {
    if (auto* memory = dyn_cast<MemIntrinsic>(&call)) return block_of_memory(*memory);
    if (call.isInlineAsm()) return assembly(call);
    Function* callee = call.getCalledFunction();
    if (!callee) return remark(Obstacle::call, call, "call through a pointer");
    switch (callee->getIntrinsicID()) {
      case Intrinsic::not_intrinsic:
        return named_call(call, *callee);
      case Intrinsic::nvvm_barrier0:
      case Intrinsic::nvvm_barrier0_and:
      case Intrinsic::nvvm_barrier0_or:
      case Intrinsic::nvvm_barrier0_popc:
      case Intrinsic::nvvm_barrier_sync:
      case Intrinsic::nvvm_barrier_n:
        ++kernel_.barriers;
        return;
      case Intrinsic::nvvm_membar_cta:
        return;
      case Intrinsic::nvvm_membar_gl:
      case Intrinsic::nvvm_membar_sys:
        return remark(Obstacle::fence, call, "memory fence across thread blocks");
      case Intrinsic::nvvm_read_ptx_sreg_clock:
      case Intrinsic::nvvm_read_ptx_sreg_clock64:
      case Intrinsic::nvvm_read_ptx_sreg_globaltimer:
        return remark(Obstacle::clock, call, "reads the clock");
      case Intrinsic::trap:
        return remark(Obstacle::trap, call, "may trap");
      case Intrinsic::nvvm_atomic_load_inc_32:
        return atomic(call, call.getArgOperand(0), call.getType(), ReductionOp::increment);
      case Intrinsic::nvvm_atomic_load_dec_32:
        return atomic(call, call.getArgOperand(0), call.getType(), ReductionOp::decrement);
      case Intrinsic::nvvm_ldg_global_i:
      case Intrinsic::nvvm_ldg_global_f:
      case Intrinsic::nvvm_ldg_global_p:
      case Intrinsic::nvvm_ldu_global_i:
      case Intrinsic::nvvm_ldu_global_f:
      case Intrinsic::nvvm_ldu_global_p:
        return add(call, call.getArgOperand(0), call.getType(), AccessKind::read, false);
      default:
        break;
    }
    if (!call.doesNotAccessMemory() && !call.onlyAccessesInaccessibleMemory())
      touch_through_arguments(call);
  }

  void named_call(CallInst& call, Function& callee) {
    StringRef name = callee.getName();
    if (name == abi::grid_barrier_function) {
      ++kernel_.barriers;
      return remark(Obstacle::grid_barrier, call, "waits for all blocks of the grid");
    }
    if (name == abi::numbered_barrier_function || name == abi::phase_wait_function) {
      ++kernel_.barriers;
      return;
    }
    if (name == abi::wait_for_children_function || name.starts_with("gridspan_device_") ||
        (name.starts_with("cuda") && name.ends_with("Async"))) {
      kernel_.barriers += name == abi::wait_for_children_function ? 1 : 0;
      return remark(Obstacle::call, call, "launches kernels, or waits for them");
    }
    if (name == "vprintf") return remark(Obstacle::printf, call, "prints");
    if (name == "malloc" || name == "free" || name == "cudaMalloc" || name == "cudaFree")
      return remark(Obstacle::device_malloc, call, "allocates memory on the device");
    if (name == "__trap") return remark(Obstacle::trap, call, "may trap");
    if (name == "__assertfail") return remark(Obstacle::trap, call, "may fail an assertion");
    if (name.starts_with("__gridspan_texture_"))
      return remark(Obstacle::unknown_pointer, call, "fetches from a texture");
    if (name == "__gridspan_surface_address")
      return remark(Obstacle::unknown_pointer, call, "reads or writes a surface");
    if (!callee.isDeclaration()) {
      const char* why = call.isNoInline() ? "too large to look into" : "recursive";
      return remark(Obstacle::call, call,
                    "calls '" + support::readable_name(name) + "', which is " + why);
    }
    if (!call.doesNotAccessMemory()) touch_through_arguments(call);
  }

  /// Library functions that write results through pointers (sincos, frexp, ...), rarely to arrays.
  void touch_through_arguments(CallInst& call) {
    for (Value* operand : call.args())
      if (operand->getType()->isPointerTy()) {
        std::size_t before = found_.size();
        for (AccessKind kind : {AccessKind::read, AccessKind::write})
          add(call, operand, Type::getInt64Ty(call.getContext()), kind, false);
        for (std::size_t i = before; i < found_.size(); ++i) {
          found_[i].unbounded = true;
          found_[i].reason = "passed to a function that is not followed";
        }
      }
  }

  /// Inline PTX is lowered before; what is left are fences for the compiler.
  void assembly(CallInst& call) {
    bool touches = !call.doesNotAccessMemory();
    for (Value* operand : call.args())
      if (operand->getType()->isPointerTy() && touches) return touch_through_arguments(call);
    if (touches) remark(Obstacle::assembly, call, "inline assembly");
  }

  void block_of_memory(MemIntrinsic& memory) {
    auto* length = dyn_cast<ConstantInt>(memory.getLength());
    unsigned bytes = length ? static_cast<unsigned>(length->getZExtValue()) : 1;
    if (bytes == 0) return;
    auto touch = [&](Value* pointer, AccessKind kind, bool same) {
      std::size_t before = found_.size();
      add(memory, pointer, ArrayType::get(Type::getInt8Ty(memory.getContext()), bytes), kind,
          memory.isVolatile(), same);
      for (std::size_t i = before; !length && i < found_.size(); ++i) {
        found_[i].unbounded = true;
        found_[i].reason = "a copy or fill of variable length";
      }
    };
    auto* fill = dyn_cast<MemSetInst>(&memory);
    touch(memory.getRawDest(), AccessKind::write,
          fill && evaluator_.is_launch_invariant(fill->getValue()));
    if (auto* copy = dyn_cast<MemTransferInst>(&memory))
      touch(copy->getRawSource(), AccessKind::read, false);
  }

  void atomic(Instruction& instruction, Value* pointer, Type* type, ReductionOp op) {
    bool commutes = op != ReductionOp::none && instruction.use_empty();
    std::size_t before = found_.size();
    add(instruction, pointer, type, commutes ? AccessKind::reduction : AccessKind::atomic, false);
    for (std::size_t i = before; i < found_.size(); ++i)
      found_[i].op = commutes ? op : ReductionOp::none;
    if (found_.size() > before && !commutes && !found_.back().is_shared)
      remark(
          Obstacle::atomic_result, instruction,
          op == ReductionOp::none ? "atomic exchange" : "uses the result of an atomic operation");
  }

  static bool is_shared(const Value* object) {
    auto* variable = dyn_cast_or_null<GlobalVariable>(object);
    return variable && variable->getAddressSpace() == 3;
  }

  /// The size of a variable that programs stay within and no kernel writes for another block; 0 if
  /// its declaration does not say (extern __shared__).
  long declared_bytes(const Base& base) const {
    constexpr unsigned constant = 4;
    auto* variable = dyn_cast_or_null<GlobalVariable>(base.value);
    if (!variable || (!is_shared(variable) && variable->getAddressSpace() != constant)) return 0;
    return static_cast<long>(layout_.getTypeAllocSize(variable->getValueType()).getFixedValue());
  }

  void add(Instruction& instruction, Value* pointer, Type* type, AccessKind kind, bool is_volatile,
           bool same_value = false) {
    for (const CarefulEvaluator::Pointer& to : evaluator_.targets(pointer)) {
      const Target& target = to.target;
      switch (target.base.kind) {
        case Base::Kind::local:
        case Base::Kind::by_value:
          continue;
        case Base::Kind::loaded:
          remark(Obstacle::loaded_pointer, instruction,
                 "goes through a pointer loaded from memory");
          continue;
        case Base::Kind::unknown:
        case Base::Kind::phi:
          remark(Obstacle::unknown_pointer, instruction,
                 "goes through a pointer that is not followed");
          continue;
        case Base::Kind::variable:
          if (auto* variable = cast<GlobalVariable>(target.base.value);
              variable->isConstant() && variable->hasLocalLinkage() && kind == AccessKind::read)
            continue;  // a table the compiler made: part of the code
          break;
        case Base::Kind::argument:
          break;
      }
      Condition when = evaluator_.domain(instruction.getParent());
      RawAccess access;
      access.base = target.base;
      access.offset = target.offset.value;
      access.domain = when.holds;
      access.uses = together(when.uses, target.offset.uses);
      access.kind = kind;
      access.bytes = static_cast<unsigned>(layout_.getTypeStoreSize(type).getFixedValue());
      access.same_value = same_value;
      access.is_volatile = is_volatile;
      access.is_shared = is_shared(target.base.value);
      access.array_bytes = declared_bytes(target.base);
      access.unbounded = !to.reason.empty();
      access.reason = to.reason;
      access.type = type_name(type);
      access.where = source_point(instruction);
      if (is_volatile && !access.is_shared)
        remark(Obstacle::volatile_access, instruction,
               instruction.isAtomic() ? "atomic load in a loop" : "volatile access");
      found_.push_back(std::move(access));
    }
  }

  void remark(Obstacle obstacle, const Instruction& instruction, const std::string& text) {
    model::Remark remark{obstacle, source_point(instruction), text};
    for (const model::Remark& known : kernel_.remarks)
      if (known.obstacle == obstacle && known.where == remark.where) return;
    kernel_.remarks.push_back(std::move(remark));
  }

  Function& function_;
  CarefulEvaluator evaluator_;
  model::Kernel& kernel_;
  LoopInfo loops_;
  const DataLayout& layout_;
  std::vector<RawAccess> found_;
};

}  // namespace

std::vector<RawAccess> find_accesses(Function& function, Evaluator& evaluator, Budget& budget,
                                     model::Kernel& kernel) {
  return Finder(function, evaluator, budget, kernel).run();
}

}  // namespace gridspan::analysis
