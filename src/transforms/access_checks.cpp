// Comparisons and calls before accesses.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/access_checks.h"

#include "abi/launch.h"
#include "abi/services.h"
#include "analysis/relaxed_access.h"
#include "analysis/whole_access.h"
#include "transforms/context.h"
#include "transforms/services.h"
#include "transforms/source_points.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"

#include <array>
#include <cstddef>
#include <map>
#include <string>
#include <tuple>

namespace gridspan::transforms {

using namespace llvm;

static_assert(sizeof(abi::GoodPlaces) == 16 && sizeof(abi::CheckedAccess) == 32);

bool lets_others_run(const Instruction& access) {
  if (isa<FenceInst>(access) || isa<CallBase>(access)) return false;
  return access.isVolatile() || access.isAtomic() || analysis::is_whole_access(access);
}

namespace {

/// Bytes that an instruction reads or writes.
struct CheckedAccess {
  Instruction* instruction;
  Value* pointer;
  Value* size;  // i64
  bool is_store;
  Align align;
};

/// A load that only feeds a store copies bytes, padding included: no use of uninitialised memory.
bool only_copies(const Instruction& access) {
  if (isa<MemTransferInst>(access)) return true;
  return isa<LoadInst>(access) && access.hasOneUse() && isa<StoreInst>(*access.user_begin());
}

bool releases(const Instruction& access) {
  if (analysis::is_relaxed(access)) return false;
  AtomicOrdering order = AtomicOrdering::NotAtomic;
  if (auto* store = dyn_cast<StoreInst>(&access)) order = store->getOrdering();
  if (auto* update = dyn_cast<AtomicRMWInst>(&access)) order = update->getOrdering();
  if (auto* swap = dyn_cast<AtomicCmpXchgInst>(&access)) order = swap->getSuccessOrdering();
  return isReleaseOrStronger(order);
}

std::uint32_t kind_of(const CheckedAccess& access) {
  const Instruction& instruction = *access.instruction;
  const bool is_update = isa<AtomicRMWInst, AtomicCmpXchgInst>(instruction);
  return (access.is_store ? abi::access_stores : 0) |
         (lets_others_run(instruction) ? abi::access_synchronises : 0) |
         (only_copies(instruction) ? abi::access_copies : 0) |
         (is_update ? abi::access_updates : 0) |
         (releases(instruction) ? abi::access_releases : 0) |
         abi::access_alignment(Log2(access.align));
}

/// abi::CheckedAccess. Those of one line and column that do the same are one.
struct Site {
  Constant* constant = nullptr;
  std::uint32_t slot = abi::no_slot;
};
using SiteKey = std::tuple<std::string, unsigned, unsigned, std::uint64_t, std::uint32_t, bool>;

/// Announces the accesses of one function.
class Announcer {
 public:
  Announcer(Function& function, const KernelPointers& pointers)
      : function_(function),
        pointers_(pointers),
        layout_(function.getParent()->getDataLayout()),
        i64_(Type::getInt64Ty(function.getContext())) {}

  void run();

 private:
  void add_accesses(Instruction& instruction);
  void add(Instruction& instruction, Value* pointer, Value* size, bool is_store, Align align) {
    accesses_.push_back({&instruction, pointer, size, is_store, align});
  }
  ConstantInt* size_of(Type* type) {
    return ConstantInt::get(cast<IntegerType>(i64_), layout_.getTypeStoreSize(type));
  }
  void announce(const CheckedAccess& access);
  void check_inside(const CheckedAccess& access, const KnownVariable& variable, Constant* site);
  void check_place(const CheckedAccess& access, const Site& site);
  void announce_any_size(const CheckedAccess& access, const std::optional<KnownVariable>& variable);
  bool may_be_shared(const Value* pointer) const;
  bool is_shared(const Value* pointer) const;
  const Site& site_of(const CheckedAccess& access, bool is_inside);
  std::uint32_t next_slot(std::uint64_t size);
  Value* thread(IRBuilder<>& builder) {
    return builder.CreateCall(marker(*function_.getParent(), Marker::thread));
  }
  Value* good_places();
  Value* offset_from(IRBuilder<>& builder, const CheckedAccess& access, Value* base);
  Instruction* where_bad(const CheckedAccess& access, Value* is_bad, IRBuilder<>& builder);

  Function& function_;
  const KernelPointers& pointers_;
  const DataLayout& layout_;
  Type* i64_;
  SmallVector<CheckedAccess> accesses_;
  Value* good_places_ = nullptr;
  std::map<SiteKey, Site> sites_;
  std::array<std::uint32_t, abi::slot_sizes> slots_{};  // in use
};

void Announcer::add_accesses(Instruction& instruction) {
  if (auto* load = dyn_cast<LoadInst>(&instruction)) {
    // Context fields are not memory of the program.
    if (!load->hasMetadata(LLVMContext::MD_invariant_load))
      add(*load, load->getPointerOperand(), size_of(load->getType()), false, load->getAlign());
  } else if (auto* store = dyn_cast<StoreInst>(&instruction)) {
    add(*store, store->getPointerOperand(), size_of(store->getValueOperand()->getType()), true,
        store->getAlign());
  } else if (auto* update = dyn_cast<AtomicRMWInst>(&instruction)) {
    add(*update, update->getPointerOperand(), size_of(update->getType()), false,
        update->getAlign());
  } else if (auto* exchange = dyn_cast<AtomicCmpXchgInst>(&instruction)) {
    add(*exchange, exchange->getPointerOperand(), size_of(exchange->getNewValOperand()->getType()),
        false, exchange->getAlign());
  } else if (auto* copy = dyn_cast<MemTransferInst>(&instruction)) {
    Value* size = IRBuilder<>(copy).CreateZExt(copy->getLength(), i64_);
    add(*copy, copy->getRawSource(), size, false, copy->getSourceAlign().valueOrOne());
    add(*copy, copy->getRawDest(), size, true, copy->getDestAlign().valueOrOne());
  } else if (auto* set = dyn_cast<MemSetInst>(&instruction)) {
    Value* size = IRBuilder<>(set).CreateZExt(set->getLength(), i64_);
    add(*set, set->getRawDest(), size, true, set->getDestAlign().valueOrOne());
  } else if (auto* fence = dyn_cast<FenceInst>(&instruction);
             fence && fence->getSyncScopeID() == SyncScope::System) {
    IRBuilder<> builder(fence);
    call_service(builder, "gridspan_check_fence", builder.getVoidTy(), {thread(builder)});
  }
}

/// Stack variables are made once only in the block that a function begins with.
void keep_stack_variables(BasicBlock& entry) {
  for (Instruction& instruction : make_early_inc_range(entry))
    if (auto* variable = dyn_cast<AllocaInst>(&instruction); variable && variable->isStaticAlloca())
      variable->moveBefore(entry, entry.getFirstInsertionPt());
}

void Announcer::run() {
  for (Instruction& instruction : make_early_inc_range(instructions(function_)))
    add_accesses(instruction);
  if (accesses_.empty()) return;
  keep_stack_variables(function_.getEntryBlock());
  for (const CheckedAccess& access : accesses_) announce(access);
}

/// Kernel arguments and symbols are global memory, allocas are private: neither can be shared.
bool Announcer::may_be_shared(const Value* pointer) const {
  SmallVector<const Value*> objects;
  getUnderlyingObjects(pointer, objects);
  return any_of(objects, [&](const Value* object) {
    return !isa<AllocaInst, GlobalVariable>(object) && !is_marker(object, Marker::symbol) &&
           !pointers_.arguments.contains(object);
  });
}

bool Announcer::is_shared(const Value* pointer) const {
  const Value* object = getUnderlyingObject(pointer);
  return is_marker(object, Marker::shared) || is_marker(object, Marker::dynamic_shared);
}

void Announcer::announce(const CheckedAccess& access) {
  const std::optional<KnownVariable> variable = known_variable(access.pointer, pointers_.structs);
  const bool is_inside =
      variable && is_always_inside(*variable, access.pointer, access.size, layout_);
  if (is_inside && !variable->may_change) return;
  if (!isa<ConstantInt>(access.size)) return announce_any_size(access, variable);
  const Site site = site_of(access, variable.has_value());
  if (variable && !is_inside) check_inside(access, *variable, site.constant);
  if (!variable || variable->may_change) check_place(access, site);
}

/// Where it begins in memory at `base`; huge if it is misaligned.
Value* Announcer::offset_from(IRBuilder<>& builder, const CheckedAccess& access, Value* base) {
  Value* address = builder.CreatePtrToInt(access.pointer, i64_);
  Value* offset = builder.CreateSub(address, base);
  if (access.align == 1) return offset;
  return builder.CreateOr(offset, builder.CreateShl(address, 64 - Log2(access.align)));
}

/// The end of code that is run before the access if `is_bad`; it lies behind the function's other.
Instruction* Announcer::where_bad(const CheckedAccess& access, Value* is_bad,
                                  IRBuilder<>& builder) {
  BasicBlock* head = access.instruction->getParent();
  BasicBlock* tail = head->splitBasicBlock(access.instruction, head->getName());
  BasicBlock* bad = BasicBlock::Create(function_.getContext(), "check", &function_);
  head->getTerminator()->eraseFromParent();
  builder.SetInsertPoint(head);
  builder.CreateCondBr(is_bad, bad, tail);
  BranchInst* back = BranchInst::Create(tail, bad);
  back->setDebugLoc(access.instruction->getDebugLoc());
  return back;
}

void Announcer::check_inside(const CheckedAccess& access, const KnownVariable& variable,
                             Constant* site) {
  const std::uint64_t size = cast<ConstantInt>(access.size)->getZExtValue();
  IRBuilder<> builder(access.instruction);
  const auto call = [&](IRBuilder<>& at) {
    const std::uint64_t bytes = variable.is_symbol ? 0 : variable.bytes;
    call_service(at, "gridspan_check_inside", at.getVoidTy(),
                 {thread(at), access.pointer, site, variable.base, at.getInt64(bytes)});
  };
  if (variable.bytes < size) return call(builder);
  Value* offset = offset_from(builder, access, builder.CreatePtrToInt(variable.base, i64_));
  Value* is_bad = builder.CreateICmpUGT(offset, builder.getInt64(variable.bytes - size));
  IRBuilder<> there(where_bad(access, is_bad, builder));
  call(there);
}

/// Of memory that others touch, too: shared memory always goes to the run time.
void Announcer::check_place(const CheckedAccess& access, const Site& site) {
  IRBuilder<> builder(access.instruction);
  const auto call = [&](IRBuilder<>& at) {
    call_service(at, "gridspan_check_access", at.getVoidTy(),
                 {thread(at), access.pointer, site.constant});
  };
  if (is_shared(access.pointer) || site.slot == abi::no_slot) return call(builder);
  const auto field = [&](std::uint64_t offset) {
    const std::uint64_t begin = site.slot * sizeof(abi::GoodPlaces);
    return builder.CreateLoad(i64_, field_address(builder, good_places(), begin + offset), "good");
  };
  Value* offset = site.slot == abi::inside_slot
                      ? builder.getInt64(0)
                      : offset_from(builder, access, field(offsetof(abi::GoodPlaces, base)));
  Value* is_bad = builder.CreateICmpUGE(offset, field(offsetof(abi::GoodPlaces, count)));
  IRBuilder<> there(where_bad(access, is_bad, builder));
  call(there);
}

void Announcer::announce_any_size(const CheckedAccess& access,
                                  const std::optional<KnownVariable>& variable) {
  IRBuilder<> builder(access.instruction);
  Constant* where = source_point_address(*function_.getParent(), source_line(*access.instruction));
  SmallVector<Value*> arguments = {thread(builder), access.pointer, access.size,
                                   builder.getInt32(kind_of(access)), where};
  if (!variable || variable->may_change)
    call_service(builder, "gridspan_check_shared", builder.getVoidTy(), arguments);
  if (!variable) return;
  const std::uint64_t bytes = variable->is_symbol ? 0 : variable->bytes;
  arguments.append({variable->base, builder.getInt64(bytes)});
  call_service(builder, "gridspan_check_variable", builder.getVoidTy(), arguments);
}

std::uint32_t Announcer::next_slot(std::uint64_t size) {
  const unsigned log = Log2_64_Ceil(std::max<std::uint64_t>(size, 1));
  if (log >= abi::slot_sizes) return abi::no_slot;
  return log * abi::slots_of_a_size + slots_[log]++ % abi::slots_of_a_size;
}

const Site& Announcer::site_of(const CheckedAccess& access, bool is_inside) {
  Module& module = *function_.getParent();
  const SourceLine where = source_line(*access.instruction);
  const std::uint64_t size = cast<ConstantInt>(access.size)->getZExtValue();
  const std::uint32_t kind = kind_of(access);
  Site& site = sites_[{where.file, where.line, where.column, size, kind, is_inside}];
  if (site.constant && where.line != 0) return site;
  site.slot = is_inside ? abi::inside_slot : next_slot(size);
  Type* i32 = Type::getInt32Ty(module.getContext());
  const auto number = [&](std::uint64_t value) { return ConstantInt::get(i32, value); };
  Constant* value = ConstantStruct::getAnon(
      {source_point_value(module, where), number(size), number(kind), number(site.slot)});
  site.constant = new GlobalVariable(module, value->getType(), true, GlobalValue::PrivateLinkage,
                                     value, "gridspan.site");
  return site;
}

Value* Announcer::good_places() {
  if (good_places_) return good_places_;
  BasicBlock& entry = function_.getEntryBlock();
  IRBuilder<> builder(&*entry.getFirstNonPHIOrDbgOrAlloca());
  Value* block = load_field(builder, builder.getPtrTy(), thread(builder),
                            offsetof(abi::ThreadContext, block), "block");
  good_places_ = load_field(builder, builder.getPtrTy(), block,
                            offsetof(abi::BlockContext, good_places), "good_places");
  return good_places_;
}

}  // namespace

void announce_accesses(Function& function, const KernelPointers& pointers) {
  Announcer(function, pointers).run();
}

}  // namespace gridspan::transforms
