// mov, nanosleep, trap, and what has no effect here.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lowering.h"

#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

/// mov.b64 d, {low, high}
static void pack(Lowering& l, const DataType& type) {
  const auto& parts = l.operand(1).parts;
  const unsigned bits = type.width() / static_cast<unsigned>(parts.size());
  IRBuilder<>& b = l.builder;
  Type* word = b.getIntNTy(type.width());
  Value* all = ConstantInt::get(word, 0);
  for (unsigned i = 0; i < parts.size(); ++i)
    all = b.CreateOr(all, b.CreateShl(b.CreateZExt(l.integer(parts[i], bits), word), i * bits));
  l.set(l.operand(0), all);
}

/// mov.b64 {low, high}, a
static void unpack(Lowering& l, const DataType& type) {
  const auto& parts = l.operand(0).parts;
  const unsigned bits = type.width() / static_cast<unsigned>(parts.size());
  IRBuilder<>& b = l.builder;
  Value* word = l.integer(l.operand(1), type.width());
  for (unsigned i = 0; i < parts.size(); ++i)
    l.set(parts[i], b.CreateTrunc(b.CreateLShr(word, i * bits), b.getIntNTy(bits)));
}

static void move(Lowering& l) {
  const DataType type = l.type();
  const Operand& from = l.operand(1);
  if (from.kind == Operand::Kind::vector) return pack(l, type);
  if (l.operand(0).kind == Operand::Kind::vector) return unpack(l, type);
  if (type.kind == DataType::Kind::predicate) return l.set(l.operand(0), l.predicate(from));
  if (type.bits == 64 && from.kind == Operand::Kind::name) {  // pointers stay pointers
    Value* value = l.raw(from);
    if (value->getType()->isPointerTy()) return l.set(l.operand(0), value);
  }
  l.set(l.operand(0), l.value(from, type));
}

static void nothing(Lowering& l) {
  while (l.has_more_modifiers()) l.take_any();
}

static void sleep(Lowering& l) {
  l.type();
  l.intrinsic(Intrinsic::nvvm_nanosleep, {l.integer(l.operand(0), 32)});
}

void add_moves(Handlers& handlers) {
  handlers["mov"] = move;
  handlers["nanosleep"] = sleep;
  handlers["trap"] = [](Lowering& l) { l.intrinsic(Intrinsic::trap); };
  handlers["brkpt"] = [](Lowering& l) { l.intrinsic(Intrinsic::debugtrap); };
  for (const char* name : {"pmevent", "griddepcontrol", "setmaxnreg"}) handlers[name] = nothing;
}

}  // namespace gridspan::transforms::ptx
