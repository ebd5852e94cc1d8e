// ld, st, prefetch, cp.async, cvta, isspacep.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A vector is loaded and stored element by element, so that the kernel model sees each; one that
// other threads may watch in one piece, for they must never see half of it.
#include "analysis/whole_access.h"
#include "transforms/inline_ptx/lowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

static constexpr unsigned shared_space = 3;

std::string take_space(Lowering& l) {
  for (const char* name : {"global", "shared", "local", "const", "param"})
    for (const char* suffix : {"", "::cta", "::cluster", "::entry", "::func"})
      if (l.take(std::string(name) + suffix)) {
        if (StringRef(name) == "param") l.fail("parameters are not reached from inline PTX");
        return name;
      }
  return "";
}

Value* address(Lowering& l, const Operand& operand, StringRef space) {
  if (operand.kind != Operand::Kind::address)
    return l.fail("an operand is not an address in brackets");
  IRBuilder<>& b = l.builder;
  Value* base = l.raw(operand.parts[0]);
  if (space == "shared") {
    if (base->getType()->isPointerTy()) base = b.CreatePtrToInt(base, b.getInt64Ty());
    if (!base->getType()->isIntegerTy()) return l.fail("an address is not an integer");
    base = b.CreateIntToPtr(base, PointerType::get(b.getContext(), shared_space));
  } else if (!base->getType()->isPointerTy()) {
    if (!base->getType()->isIntegerTy(64)) return l.fail("an address has not 64 bits");
    base = b.CreateIntToPtr(base, b.getPtrTy());
  }
  return operand.offset == 0 ? base : b.CreatePtrAdd(base, b.getInt64(operand.offset));
}

void full_fence(Lowering& l) { l.intrinsic(Intrinsic::nvvm_membar_gl); }

namespace {

/// What the modifiers of ld and st say besides type and vector.
struct Access {
  std::string space;
  bool is_volatile = false;  // may be watched by other threads
  bool orders = false;       // .acquire or .release
  bool is_whole = false;     // .cg: may carry a flag beside a value
};

Access take_access(Lowering& l) {
  Access access;
  for (const char* name : {"weak",
                           "nc",
                           "ca",
                           "cg",
                           "cs",
                           "lu",
                           "cv",
                           "wb",
                           "wt",
                           "cta",
                           "cluster",
                           "gpu",
                           "sys",
                           "unified",
                           "L1::evict_normal",
                           "L1::evict_unchanged",
                           "L1::evict_first",
                           "L1::evict_last",
                           "L1::no_allocate",
                           "L2::evict_normal",
                           "L2::evict_first",
                           "L2::evict_last",
                           "L2::cache_hint",
                           "L2::64B",
                           "L2::128B",
                           "L2::256B"})
    if (l.take(name)) {
      access.is_volatile |= StringRef(name) == "cv";
      access.is_whole |= StringRef(name) == "cg";
    }
  for (const char* name : {"volatile", "relaxed", "mmio"})
    if (l.take(name)) access.is_volatile = true;
  for (const char* name : {"acquire", "release"})
    if (l.take(name)) access.is_volatile = access.orders = true;
  access.space = take_space(l);
  return access;
}

unsigned take_lanes(Lowering& l) {
  if (l.take("v2")) return 2;
  if (l.take("v4")) return 4;
  return l.take("v8") ? 8 : 1;
}

/// Element `lane` of a vector operand, or the operand itself.
const Operand& element(Lowering& l, const Operand& operand, unsigned lane, unsigned lanes) {
  if (lanes == 1) return operand;
  if (operand.kind == Operand::Kind::vector && operand.parts.size() == lanes)
    return operand.parts[lane];
  l.fail("a vector has not as many elements as the instruction says");
  return operand;
}

Value* place(Lowering& l, Value* base, unsigned lane, const DataType& type) {
  return lane == 0 ? base : l.builder.CreatePtrAdd(base, l.builder.getInt64(lane * type.bits / 8));
}

/// The vector that goes over in one piece: a GPU makes one access of up to 16 aligned bytes, and a
/// flag beside its value relies on it. So do processors with vectors of 16 bytes.
FixedVectorType* whole_vector(Lowering& l, const Access& access, unsigned lanes,
                              const DataType& type) {
  constexpr unsigned bits_at_once = 128;
  if ((!access.is_volatile && !access.is_whole) || lanes == 1 ||
      lanes * type.width() > bits_at_once)
    return nullptr;
  return FixedVectorType::get(type.type(l.builder.getContext()), lanes);
}

/// Marked, if only its cache modifier says that others may watch it.
template <class Instruction>
Instruction* marked(Lowering& l, const Access& access, Instruction* instruction) {
  if (access.is_whole && !access.is_volatile)
    instruction->setMetadata(analysis::whole_access_mark, MDNode::get(l.builder.getContext(), {}));
  return instruction;
}

/// One volatile access.
template <class Instruction>
Instruction* in_one_piece(Lowering& l, const Access& access, Instruction* whole) {
  whole->setVolatile(true);
  return marked(l, access, whole);
}

}  // namespace

static void load(Lowering& l) {
  const unsigned lanes = take_lanes(l);
  const Access access = take_access(l);
  const DataType type = l.type();
  Value* base = address(l, l.operand(1), access.space);
  if (l.failed()) return;
  Type* element_type = type.type(l.builder.getContext());
  Value* whole = nullptr;
  if (Type* vector = whole_vector(l, access, lanes, type))
    whole = in_one_piece(
        l, access, l.builder.CreateAlignedLoad(vector, base, Align(lanes * type.width() / 8)));
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value* loaded =
        whole ? l.builder.CreateExtractElement(whole, lane)
              : marked(l, access,
                       l.builder.CreateAlignedLoad(element_type, place(l, base, lane, type),
                                                   Align(type.width() / 8), access.is_volatile));
    l.set(element(l, l.operand(0), lane, lanes), loaded, type.is_signed());
  }
  if (access.orders) full_fence(l);
}

static void store(Lowering& l) {
  const unsigned lanes = take_lanes(l);
  const Access access = take_access(l);
  const DataType type = l.type();
  Value* base = address(l, l.operand(0), access.space);
  if (l.failed()) return;
  if (access.orders) full_fence(l);
  Type* vector = whole_vector(l, access, lanes, type);
  Value* whole = vector ? PoisonValue::get(vector) : nullptr;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Value* value = l.value(element(l, l.operand(1), lane, lanes), type);
    if (whole)
      whole = l.builder.CreateInsertElement(whole, value, lane);
    else
      marked(l, access,
             l.builder.CreateAlignedStore(value, place(l, base, lane, type),
                                          Align(type.width() / 8), access.is_volatile));
  }
  if (whole)
    in_one_piece(l, access,
                 l.builder.CreateAlignedStore(whole, base, Align(lanes * type.width() / 8)));
}

/// A wish only.
static void ignore(Lowering& l) {
  while (l.has_more_modifiers()) l.take_any();
}

/// cp.async.ca.shared.global [to], [from], size{, bytes to read}: the copy is done at once; what is
/// not read becomes zero. Committing and waiting are then nothing.
static void copy_async(Lowering& l) {
  if (!l.take("async")) l.fail();
  if (l.take("bulk")) return copy_in_bulk(l);
  if (l.take("mbarrier")) return arrive_for_copies(l);
  if (l.take("commit_group") || l.take("wait_group") || l.take("wait_all")) return;
  if (!l.take("ca")) l.take("cg");
  const bool to_shared = l.take("shared") || l.take("shared::cta");
  if (!to_shared || !l.take("global")) l.fail();
  for (const char* hint : {"L2::64B", "L2::128B", "L2::256B"}) l.take(hint);
  const std::size_t operands = l.operand_count() - (l.take("L2::cache_hint") ? 1 : 0);
  IRBuilder<>& b = l.builder;
  Value* to = address(l, l.operand(0), "shared");
  Value* from = address(l, l.operand(1), "global");
  const Operand& size = l.operand(2);
  if (size.kind != Operand::Kind::integer ||
      (size.integer != 4 && size.integer != 8 && size.integer != 16))
    l.fail("cp.async copies 4, 8 or 16 bytes");
  if (l.failed()) return;
  const auto bytes = static_cast<unsigned>(size.integer);
  if (operands < 4) {
    b.CreateMemCpy(to, Align(bytes), from, Align(bytes), bytes);
    return;
  }
  b.CreateMemSet(to, b.getInt8(0), bytes, Align(bytes));
  Value* read =
      b.CreateBinaryIntrinsic(Intrinsic::umin, l.integer(l.operand(3), 32), b.getInt32(bytes));
  b.CreateMemCpy(to, Align(bytes), from, Align(bytes), b.CreateZExt(read, b.getInt64Ty()));
}

/// Only shared addresses differ from generic ones (shared_addresses).
static void convert_address(Lowering& l) {
  const bool leaves_generic = l.take("to");
  const std::string space = take_space(l);
  l.type();
  IRBuilder<>& b = l.builder;
  Value* from = l.raw(l.operand(1));
  if (space != "shared") return l.set(l.operand(0), from);
  Type* shared = PointerType::get(b.getContext(), shared_space);
  if (leaves_generic) {
    if (!from->getType()->isPointerTy()) from = b.CreateIntToPtr(from, b.getPtrTy());
    Value* inside = b.CreateAddrSpaceCast(from, shared);
    return l.set(l.operand(0), b.CreatePtrToInt(inside, b.getInt64Ty()));
  }
  if (from->getType()->isPointerTy()) from = b.CreatePtrToInt(from, b.getInt64Ty());
  l.set(l.operand(0), b.CreateAddrSpaceCast(b.CreateIntToPtr(from, shared), b.getPtrTy()));
}

static void is_in_space(Lowering& l) {
  const std::string space = take_space(l);
  Intrinsic::ID id = Intrinsic::nvvm_isspacep_global;
  if (space == "shared") id = Intrinsic::nvvm_isspacep_shared;
  if (space == "local") id = Intrinsic::nvvm_isspacep_local;
  if (space == "const") id = Intrinsic::nvvm_isspacep_const;
  Value* pointer = l.raw(l.operand(1));
  if (!pointer->getType()->isPointerTy())
    pointer = l.builder.CreateIntToPtr(pointer, l.builder.getPtrTy());
  l.set(l.operand(0), l.intrinsic(id, {pointer}));
}

/// A cache policy is a number that copies and loads carry along and nobody looks at.
static void make_policy(Lowering& l) {
  ignore(l);
  l.set(l.operand(0), l.builder.getInt64(0));
}

void add_memory_access(Handlers& handlers) {
  handlers["createpolicy"] = make_policy;
  for (const char* name : {"ld", "ldu"}) handlers[name] = load;
  handlers["st"] = store;
  for (const char* name : {"prefetch", "prefetchu", "discard", "applypriority"})
    handlers[name] = ignore;
  handlers["cp"] = copy_async;
  handlers["cvta"] = convert_address;
  handlers["isspacep"] = is_in_space;
}

}  // namespace gridspan::transforms::ptx
