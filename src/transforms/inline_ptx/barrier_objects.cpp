// mbarrier, and the bulk copies that announce themselves to one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device library does the work (src/device_library/barrier_objects.cpp).
#include "transforms/inline_ptx/lowering.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

/// The barrier in an operand, as generic pointer.
static Value* barrier_at(Lowering& l, const Operand& operand, StringRef space) {
  Value* place = address(l, operand, space);
  if (l.failed()) return place;
  return l.builder.CreateAddrSpaceCast(place, l.builder.getPtrTy());
}

/// A call of a library function that reads or writes the barrier.
static Value* call(Lowering& l, StringRef name, Type* result, ArrayRef<Value*> arguments) {
  SmallVector<Type*> types;
  for (Value* argument : arguments) types.push_back(argument->getType());
  FunctionCallee callee = l.module().getOrInsertFunction(("__gridspan_mbarrier_" + name).str(),
                                                         FunctionType::get(result, types, false));
  return l.builder.CreateCall(callee, arguments);
}

/// mbarrier.arrive{.expect_tx}, mbarrier.arrive_drop{.expect_tx}: state, [barrier]{, count or
/// bytes}
static void arrive(Lowering& l, bool drops, StringRef space) {
  IRBuilder<>& b = l.builder;
  const bool expects = l.take("expect_tx");
  l.take("noComplete");
  Value* place = barrier_at(l, l.operand(1), space);
  Value* number = l.operand_count() > 2 ? l.integer(l.operand(2), 32) : b.getInt32(1);
  if (l.failed()) return;
  Value* count = expects ? b.getInt32(1) : number;
  Value* state =
      call(l, "arrive", b.getInt64Ty(),
           {place, count, drops ? count : b.getInt32(0), expects ? number : b.getInt32(0)});
  l.set(l.operand(0), state);
}

/// mbarrier.try_wait p, [barrier], state; .parity: the phase's parity instead of the state
static void wait(Lowering& l, StringRef space) {
  IRBuilder<>& b = l.builder;
  const bool by_parity = l.take("parity");
  Value* place = barrier_at(l, l.operand(1), space);
  if (l.failed()) return;
  Value* over = by_parity
                    ? call(l, "test_parity", b.getInt32Ty(), {place, l.integer(l.operand(2), 32)})
                    : call(l, "test", b.getInt32Ty(), {place, l.integer(l.operand(2), 64)});
  l.set(l.operand(0), b.CreateIsNotNull(over));
}

static void transaction(Lowering& l, bool completes, StringRef space) {
  Value* place = barrier_at(l, l.operand(0), space);
  Value* bytes = l.integer(l.operand(1), 32);
  if (l.failed()) return;
  call(l, "transaction", l.builder.getVoidTy(),
       {place, completes ? l.builder.CreateNeg(bytes) : bytes});
}

static void barrier_object(Lowering& l) {
  const std::string verb = l.take_any().value_or("");
  for (const char* word : {"relaxed", "acquire", "release", "cta", "cluster"}) l.take(word);
  const std::string space = take_space(l);
  if (!l.take("b64")) l.fail();
  Type* none = l.builder.getVoidTy();
  if (verb == "init")
    call(l, "init", none, {barrier_at(l, l.operand(0), space), l.integer(l.operand(1), 32)});
  else if (verb == "inval")
    return;
  else if (verb == "arrive" || verb == "arrive_drop")
    arrive(l, verb == "arrive_drop", space);
  else if (verb == "test_wait" || verb == "try_wait")
    wait(l, space);
  else if (verb == "expect_tx" || verb == "complete_tx")
    transaction(l, verb == "complete_tx", space);
  else if (verb == "pending_count")
    l.set(l.operand(0), l.library("__gridspan_mbarrier_pending", l.builder.getInt32Ty(),
                                  {l.integer(l.operand(1), 64)}));
  else
    l.fail();
}

void arrive_for_copies(Lowering& l) {
  const bool counted = l.take("noinc");  // otherwise the arrival was not expected: nothing changes
  if (!l.take("arrive")) l.fail();
  const std::string space = take_space(l);
  if (!l.take("b64")) l.fail();
  Value* place = barrier_at(l, l.operand(0), space);
  if (l.failed() || !counted) return;
  IRBuilder<>& b = l.builder;
  call(l, "arrive", b.getInt64Ty(), {place, b.getInt32(1), b.getInt32(0), b.getInt32(0)});
}

void copy_in_bulk(Lowering& l) {
  if (l.take("commit_group")) return;
  if (l.take("wait_group")) {
    l.take("read");
    return;
  }
  l.take("L2::cache_hint");
  const bool announces = l.take("mbarrier::complete_tx::bytes");
  const bool to_shared = announces;
  if (!announces && !l.take("bulk_group"))

    l.fail("of bulk copies only those between global and shared memory are");
  if (!l.take("shared::cluster") && !l.take("shared::cta")) l.fail();
  if (!l.take("global")) l.fail();
  IRBuilder<>& b = l.builder;
  Value* to = address(l, l.operand(0), to_shared ? "shared" : "global");
  Value* from = address(l, l.operand(1), to_shared ? "global" : "shared");
  Value* bytes = l.integer(l.operand(2), 32);
  if (l.failed()) return;
  b.CreateMemCpy(to, Align(16), from, Align(16), b.CreateZExt(bytes, b.getInt64Ty()));
  if (!announces) return;
  Value* place = barrier_at(l, l.operand(3), "shared");
  if (l.failed()) return;
  call(l, "transaction", b.getVoidTy(), {place, b.CreateNeg(bytes)});
}

void add_barrier_objects(Handlers& handlers) { handlers["mbarrier"] = barrier_object; }

}  // namespace gridspan::transforms::ptx
