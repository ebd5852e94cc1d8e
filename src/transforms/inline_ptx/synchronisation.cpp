// Barriers, fences and what the lanes of a warp do together.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/inline_ptx/lowering.h"
#include "transforms/sync_points.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/IntrinsicsNVPTX.h"

namespace gridspan::transforms::ptx {

using namespace llvm;

static void fence(Lowering& l) {
  const bool in_block = l.take("cta");
  while (l.has_more_modifiers()) l.take_any();  // .sc, .gl, .sys, .proxy.async …
  if (in_block)
    l.intrinsic(Intrinsic::nvvm_membar_cta);
  else
    full_fence(l);
}

/// bar.red.popc.u32 d, 0, p: barrier 0 of the whole block, with a predicate of each thread.
static void barrier_reduction(Lowering& l) {
  auto* which = dyn_cast<ConstantInt>(l.integer(l.operand(1), 32));
  if (!which || !which->isZero() || l.operand_count() > 3) {
    l.fail("only reductions at barrier 0 of the whole block are");
    return;
  }
  const Intrinsic::ID id = l.take("popc")  ? Intrinsic::nvvm_barrier0_popc
                           : l.take("and") ? Intrinsic::nvvm_barrier0_and
                                           : Intrinsic::nvvm_barrier0_or;
  if (id == Intrinsic::nvvm_barrier0_or && !l.take("or")) l.fail();
  l.type();
  Value* flag = l.builder.CreateZExt(l.predicate(l.operand(2)), l.builder.getInt32Ty());
  Value* result = l.intrinsic(id, {flag});
  if (id != Intrinsic::nvvm_barrier0_popc) result = l.builder.CreateIsNotNull(result);
  l.set(l.operand(0), result);
}

/// bar.sync id{, count}, bar.arrive id, count
static void block_barrier(Lowering& l) {
  if (l.take("warp")) {
    if (!l.take("sync")) l.fail();
    l.intrinsic(Intrinsic::nvvm_bar_warp_sync, {l.integer(l.operand(0), 32)});
    return;
  }
  l.take("cta");
  l.take("aligned");
  if (l.take("red")) return barrier_reduction(l);
  const bool arrives = l.take("arrive");
  if (!arrives && !l.take("sync")) {
    l.fail("only bar.sync, bar.arrive, bar.red and bar.warp.sync are");
    return;
  }
  Value* id = l.integer(l.operand(0), 32);
  if (l.operand_count() == 1) {
    if (arrives) l.fail("bar.arrive needs a number of threads");
    auto* constant = dyn_cast<ConstantInt>(id);
    if (constant && constant->isZero()) return void(l.intrinsic(Intrinsic::nvvm_barrier0));
  }
  Value* count = l.operand_count() > 1 ? l.integer(l.operand(1), 32) : l.builder.getInt32(0);
  numbered_barrier(l.builder, id, count, arrives);
}

/// Without .sync (PTX before Volta): the lanes that are there together.
static Value* lanes(Lowering& l, bool is_sync, std::size_t operand) {
  return is_sync ? l.integer(l.operand(operand), 32) : l.intrinsic(Intrinsic::nvvm_activemask);
}

/// shfl.sync.up.b32 d|p, a, b, c, mask
static void shuffle(Lowering& l) {
  const bool is_sync = l.take("sync");
  const std::string mode = l.take_any().value_or("");
  const Intrinsic::ID id = StringSwitch<Intrinsic::ID>(mode)
                               .Case("up", Intrinsic::nvvm_shfl_sync_up_i32p)
                               .Case("down", Intrinsic::nvvm_shfl_sync_down_i32p)
                               .Case("bfly", Intrinsic::nvvm_shfl_sync_bfly_i32p)
                               .Case("idx", Intrinsic::nvvm_shfl_sync_idx_i32p)
                               .Default(Intrinsic::not_intrinsic);
  if (l.type().bits != 32 || id == Intrinsic::not_intrinsic) {
    l.fail();
    return;
  }
  Value* mask = lanes(l, is_sync, 4);
  Value* result = l.intrinsic(id, {mask, l.integer(l.operand(1), 32), l.integer(l.operand(2), 32),
                                   l.integer(l.operand(3), 32)});
  const Operand& target = l.operand(0);
  const bool wants_flag = target.kind == Operand::Kind::pair;
  l.set(wants_flag ? target.parts[0] : target, l.builder.CreateExtractValue(result, 0));
  if (wants_flag) l.set(target.parts[1], l.builder.CreateExtractValue(result, 1));
}

static void vote(Lowering& l) {
  const bool is_sync = l.take("sync");
  const std::string mode = l.take_any().value_or("");
  const Intrinsic::ID id = StringSwitch<Intrinsic::ID>(mode)
                               .Case("all", Intrinsic::nvvm_vote_all_sync)
                               .Case("any", Intrinsic::nvvm_vote_any_sync)
                               .Case("uni", Intrinsic::nvvm_vote_uni_sync)
                               .Case("ballot", Intrinsic::nvvm_vote_ballot_sync)
                               .Default(Intrinsic::not_intrinsic);
  l.type();
  if (id == Intrinsic::not_intrinsic) {
    l.fail();
    return;
  }
  Value* flag = l.predicate(l.operand(1));
  l.set(l.operand(0), l.intrinsic(id, {lanes(l, is_sync, 2), flag}));
}

static void match(Lowering& l) {
  const bool all = l.take("all");
  if (!all && !l.take("any")) l.fail();
  if (!l.take("sync")) l.fail();
  const DataType type = l.type();
  Value* mask = l.integer(l.operand(2), 32);
  Value* value = l.value(l.operand(1), type);
  const bool is_wide = type.bits == 64;
  if (!all) {
    l.set(l.operand(0), l.intrinsic(is_wide ? Intrinsic::nvvm_match_any_sync_i64
                                            : Intrinsic::nvvm_match_any_sync_i32,
                                    {mask, value}));
    return;
  }
  Value* pair = l.intrinsic(
      is_wide ? Intrinsic::nvvm_match_all_sync_i64p : Intrinsic::nvvm_match_all_sync_i32p,
      {mask, value});
  const Operand& target = l.operand(0);
  const bool wants_flag = target.kind == Operand::Kind::pair;
  l.set(wants_flag ? target.parts[0] : target, l.builder.CreateExtractValue(pair, 0));
  if (wants_flag) l.set(target.parts[1], l.builder.CreateExtractValue(pair, 1));
}

static void reduce(Lowering& l) {
  if (!l.take("sync")) l.fail();
  const std::string word = l.take_any().value_or("");
  const DataType type = l.type();
  const bool is_signed = type.is_signed();
  const Intrinsic::ID id =
      StringSwitch<Intrinsic::ID>(word)
          .Case("add", Intrinsic::nvvm_redux_sync_add)
          .Case("min", is_signed ? Intrinsic::nvvm_redux_sync_min : Intrinsic::nvvm_redux_sync_umin)
          .Case("max", is_signed ? Intrinsic::nvvm_redux_sync_max : Intrinsic::nvvm_redux_sync_umax)
          .Case("and", Intrinsic::nvvm_redux_sync_and)
          .Case("or", Intrinsic::nvvm_redux_sync_or)
          .Case("xor", Intrinsic::nvvm_redux_sync_xor)
          .Default(Intrinsic::not_intrinsic);
  if (id == Intrinsic::not_intrinsic || type.bits != 32 || !type.is_integer()) {
    l.fail();
    return;
  }
  l.set(l.operand(0), l.intrinsic(id, {l.integer(l.operand(1), 32), l.integer(l.operand(2), 32)}));
}

/// elect.sync d|p, mask: the lowest lane of the mask is chosen.
static void elect(Lowering& l) {
  if (!l.take("sync")) l.fail();
  IRBuilder<>& b = l.builder;
  const Operand& target = l.operand(0);
  if (target.kind != Operand::Kind::pair) {
    l.fail();
    return;
  }
  Value* mask = l.integer(l.operand(1), 32);
  l.intrinsic(Intrinsic::nvvm_bar_warp_sync, {mask});
  Value* leader = b.CreateBinaryIntrinsic(Intrinsic::cttz, mask, b.getFalse());
  l.set(target.parts[0], leader);
  l.set(target.parts[1], b.CreateICmpEQ(leader, l.intrinsic(Intrinsic::nvvm_read_ptx_sreg_laneid)));
}

void add_synchronisation(Handlers& handlers) {
  for (const char* name : {"membar", "fence"}) handlers[name] = fence;
  for (const char* name : {"bar", "barrier"}) handlers[name] = block_barrier;
  handlers["shfl"] = shuffle;
  handlers["vote"] = vote;
  handlers["match"] = match;
  handlers["redux"] = reduce;
  handlers["elect"] = elect;
  handlers["activemask"] = [](Lowering& l) {
    l.type();
    l.set(l.operand(0), l.intrinsic(Intrinsic::nvvm_activemask));
  };
}

}  // namespace gridspan::transforms::ptx
