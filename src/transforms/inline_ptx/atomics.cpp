// atom and red.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/relaxed_access.h"
#include "transforms/inline_ptx/lowering.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

static std::optional<AtomicRMWInst::BinOp> operation(StringRef word, const DataType& type) {
  using Op = AtomicRMWInst::BinOp;
  const bool is_signed = type.is_signed();
  if (type.is_real() && word != "exch")
    return word == "add" ? std::optional(Op::FAdd) : std::nullopt;
  return StringSwitch<std::optional<Op>>(word)
      .Case("add", Op::Add)
      .Case("and", Op::And)
      .Case("or", Op::Or)
      .Case("xor", Op::Xor)
      .Case("exch", Op::Xchg)
      .Case("min", is_signed ? Op::Min : Op::UMin)
      .Case("max", is_signed ? Op::Max : Op::UMax)
      .Default(std::nullopt);
}

static Value* compare_and_swap(Lowering& l, Value* place, Value* expected, Value* wanted) {
  const auto order = AtomicOrdering::SequentiallyConsistent;
  auto* pair = l.builder.CreateAtomicCmpXchg(place, expected, wanted, MaybeAlign(), order, order);
  analysis::mark_relaxed(*pair);
  return l.builder.CreateExtractValue(pair, 0);
}

/// inc and dec wrap at their operand.
static Value* count(Lowering& l, StringRef word, Value* place, Value* bound) {
  const Intrinsic::ID id =
      word == "inc" ? Intrinsic::nvvm_atomic_load_inc_32 : Intrinsic::nvvm_atomic_load_dec_32;
  return l.intrinsic(id, {place, bound}, {place->getType()});
}

/// .f16, .f16x2 and the bfloats: the library adds, between a read and a compare-and-swap.
static void add_small(Lowering& l, const DataType& type, Value* place, std::size_t first,
                      bool orders) {
  std::string name = "__gridspan_ptx_atomic_add_";
  name += type.kind == DataType::Kind::half ? "f16" : "bf16";
  if (type.lanes == 2) name += "x2";
  IRBuilder<>& b = l.builder;
  Value* operand = l.integer(l.operand(first + 1), type.width());
  Value* generic = b.CreateAddrSpaceCast(place, b.getPtrTy());
  FunctionCallee callee = l.module().getOrInsertFunction(
      name, FunctionType::get(operand->getType(), {generic->getType(), operand->getType()}, false));
  Value* old = b.CreateCall(callee, {generic, operand});
  if (orders) full_fence(l);
  if (first == 1) l.set(l.operand(0), old);
}

static void update(Lowering& l) {
  const std::size_t first = l.name() == "atom" ? 1 : 0;  // red has no destination
  bool orders = false;
  for (const char* name : {"acquire", "release", "acq_rel"}) orders |= l.take(name);
  for (const char* name : {"relaxed", "cta", "cluster", "gpu", "sys", "noftz", "L2::cache_hint"})
    l.take(name);
  const std::string space = take_space(l);
  const std::string word = l.take_any().value_or("");
  const DataType type = l.type();
  Value* place = address(l, l.operand(first), space);
  if (type.is_small() && word == "add" && !l.failed()) {
    if (orders) full_fence(l);
    return add_small(l, type, place, first, orders);
  }
  if (type.lanes != 1 || type.is_small() || type.bits < 16) l.fail();
  Value* operand = l.value(l.operand(first + 1), type);
  if (l.failed()) return;
  if (orders) full_fence(l);
  Value* old = nullptr;
  if (word == "cas") {
    old = compare_and_swap(l, place, operand, l.value(l.operand(first + 2), type));
  } else if ((word == "inc" || word == "dec") && type.bits == 32) {
    old = count(l, word, place, operand);
  } else if (auto found = operation(word, type); found && type.bits >= 32) {
    auto* update = l.builder.CreateAtomicRMW(*found, place, operand, MaybeAlign(),
                                             AtomicOrdering::SequentiallyConsistent);
    analysis::mark_relaxed(*update);
    old = update;
  } else {
    l.fail();
    return;
  }
  if (orders) full_fence(l);
  if (first == 1) l.set(l.operand(0), old, type.is_signed());
}

void add_atomics(Handlers& handlers) {
  for (const char* name : {"atom", "red"}) handlers[name] = update;
}

}  // namespace gridspan::transforms::ptx
