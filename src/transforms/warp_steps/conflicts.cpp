// Walks back from each access to those that others may have made meanwhile.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "transforms/warp_steps/conflicts.h"

#include "analysis/spinning.h"
#include "transforms/sync_points.h"
#include "transforms/waiting_loops.h"
#include "transforms/warp_steps/lane_numbers.h"
#include "transforms/warp_steps/lanes_apart.h"

#include "llvm/ADT/PostOrderIterator.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IntrinsicInst.h"

#include <set>

namespace gridspan::transforms {

using namespace llvm;

namespace {

/// Of accesses that are compared: more would take too long.
constexpr unsigned most_pairs = 200'000;

/// What matters of the unfolded kernel's code, in its order.
struct Event {
  enum class Kind { access, sync, mark } kind = Kind::access;
  unsigned place = 0;   // of the mark, or of the mark in front of the access
  bool inside = false;  // the second half of a copy
  MemoryAccess access;
  const Instruction* instruction = nullptr;  // of the access
  BasicBlock* block = nullptr;
};

/// Nobody knows what it does.
bool is_unknown_call(const Instruction& instruction) {
  auto* call = dyn_cast<CallBase>(&instruction);
  if (!call || isa<IntrinsicInst>(call)) return false;
  const Function* callee = call->getCalledFunction();
  return !callee || !callee->isDeclaration();
}

/// Lanes meet there anyway, or it is such a call.
bool is_sync(Instruction& instruction) {
  if (as_sync_point(instruction) || is_unknown_call(instruction)) return true;
  auto* call = dyn_cast<CallBase>(&instruction);
  return call && !isa<IntrinsicInst>(call) &&
         call->getCalledFunction()->getName().contains("gridspan_");
}

bool is_volatile_load(const Event& event) {
  return isa_and_nonnull<LoadInst>(event.instruction) && event.instruction->isVolatile();
}

/// `old = *p; do { seen = old; old = atomicCAS(p, seen, f(seen)); } while (old != seen);`
/// It is no matter what was read: if somebody else came first, this is done again.
bool is_tried_again(const Event& read, const Event& update) {
  auto* exchange = dyn_cast<AtomicCmpXchgInst>(update.instruction);
  if (!exchange || read.access.writes) return false;
  SmallSetVector<const Value*, 8> expected;
  expected.insert(exchange->getCompareOperand());
  for (unsigned i = 0; i < expected.size(); ++i) {
    if (expected[i] == read.instruction) return true;
    if (auto* made = dyn_cast<Instruction>(expected[i]); made && isa<CastInst, PHINode>(made))
      expected.insert(made->value_op_begin(), made->value_op_end());
  }
  return false;
}

class Search {
 public:
  Search(Function& kernel, const std::array<std::uint32_t, 3>& shape, bool volatile_is_ordered)
      : dominators_(kernel), loops_(dominators_), volatile_is_ordered_(volatile_is_ordered) {
    const std::uint32_t threads = shape[0] * shape[1] * shape[2];
    const std::uint32_t last = (threads - 1) / lane_count * lane_count;
    SmallSetVector<std::uint32_t, 3> firsts;
    for (std::uint32_t first : {0u, std::min(lane_count, last), last}) firsts.insert(first);
    for (std::uint32_t first : firsts)
      warps_.push_back(std::make_unique<LaneNumbers>(kernel, loops_, shape, first));
    ReversePostOrderTraversal<Function*> order(&kernel);
    for (BasicBlock* block : order) read(*block);
  }

  Conflicts run() {
    for (BasicBlock* block : order_)
      for (unsigned i = 0; i < events_[block].size(); ++i) settle(*block, i);
    if (!volatile_is_ordered_) look_at_volatile_loads();
    return std::move(result_);
  }

 private:
  using Step = std::pair<unsigned, bool>;
  /// Says true to end the walk.
  using Visitor = function_ref<bool(const Event&)>;
  using EdgeFilter = function_ref<bool(const BasicBlock* from, const BasicBlock* to)>;
  using Blocks = SmallPtrSet<const BasicBlock*, 32>;

  void read(BasicBlock& block);
  void settle(BasicBlock& block, unsigned index);
  void look_at_volatile_loads();
  /// Says true to end it. `between`: what was first was so in an earlier round of that loop.
  using PairVisitor = function_ref<bool(const Event& first, const Loop* between)>;
  void visit_before(BasicBlock& block, unsigned index, const BasicBlock* step_at_end,
                    PairVisitor visit);
  /// Whether it matters which of two accesses is first.
  enum class Order : std::uint8_t { free, unknown, matters };
  struct First {
    const Event* event = nullptr;  // null: there is none
    Order order = Order::free;
  };
  First first_conflict(BasicBlock& block, unsigned index, const BasicBlock* step_at_end);
  const BasicBlock* common_place(BasicBlock& block, unsigned index);
  bool parts_lanes(const BasicBlock& block);
  bool is_passed_by_all(const BasicBlock& step, const BasicBlock& to);
  std::optional<unsigned> place_at_end(const BasicBlock& block);
  Blocks walk(BasicBlock& block, unsigned below, EdgeFilter is_way, Visitor visit);
  Order order_of(const Event& first, const Event& second, const Loop* between);
  bool are_apart(const Event& first, const Event& second, const Loop* between);
  bool meet(LaneNumbers& numbers, const Event& first, const Event& second, const Loop* between);
  /// By its lanes, or by a counter.
  enum class Sharing : std::uint8_t { none, count, lanes };
  bool have_company(const Event& first, const Event& second);
  bool exchange(const MemoryAccess& first, const MemoryAccess& second);
  bool tells_lanes_apart(const SyncPoint& point);
  Sharing shared_by(const Value* address);
  bool follows_table(const Value* address);
  static LaneNumber a_round_later(const LaneNumbers& numbers, const LaneNumber& number,
                                  const Loop& loop);

  DominatorTree dominators_;
  LoopInfo loops_;
  bool volatile_is_ordered_;
  std::vector<std::unique_ptr<LaneNumbers>> warps_;
  std::vector<BasicBlock*> order_;
  DenseMap<const BasicBlock*, std::vector<Event>> events_;
  DenseMap<const Value*, Sharing> shared_by_;  // of addresses
  unsigned pairs_ = 0;
  std::set<Step> steps_;
  Conflicts result_;
};

void Search::read(BasicBlock& block) {
  order_.push_back(&block);
  std::vector<Event>& events = events_[&block];
  auto add = [&](Event::Kind kind, unsigned place) -> Event& {
    events.emplace_back();
    events.back().kind = kind;
    events.back().place = place;
    events.back().block = &block;
    return events.back();
  };
  std::optional<unsigned> place;
  for (Instruction& instruction : block) {
    if (const auto marked = Places::marked_by(instruction)) {
      place = marked;
      add(Event::Kind::mark, *place);
    } else if (is_sync(instruction)) {
      add(Event::Kind::sync, 0);
    } else if (place) {
      const auto accesses = visible_accesses(instruction);
      const auto* load = dyn_cast<LoadInst>(&instruction);
      if (load && load->isVolatile() && analysis::may_spin(*load, loops_)) continue;
      for (const MemoryAccess& access : accesses) {
        Event& event = add(Event::Kind::access, *place);
        event.access = access;
        event.instruction = &instruction;
        event.inside = access.writes && accesses.size() == 2;
      }
    }
  }
}

/// All lanes that come to `to`, of those that come near, pass `step`: the others would not wait.
bool Search::is_passed_by_all(const BasicBlock& step, const BasicBlock& to) {
  const BasicBlock* common = dominators_.findNearestCommonDominator(const_cast<BasicBlock*>(&step),
                                                                    const_cast<BasicBlock*>(&to));
  if (common == &step) return true;
  for (auto* node = dominators_.getNode(&step)->getIDom(); node; node = node->getIDom()) {
    if (parts_lanes(*node->getBlock())) return false;
    if (node->getBlock() == common) return true;
  }
  return false;
}

/// Visits the accesses on all ways back from what is `below` events deep in `block`, as far as the
/// next sync points. Returns the blocks to whose beginnings it comes.
Search::Blocks Search::walk(BasicBlock& block, unsigned below, EdgeFilter is_way, Visitor visit) {
  Blocks begun, seen;
  SmallVector<std::pair<BasicBlock*, unsigned>> open = {{&block, below}};
  while (!open.empty()) {
    const auto [at, end] = open.pop_back_val();
    const std::vector<Event>& events = events_[at];
    bool is_open = true;
    for (unsigned i = end; is_open && i-- > 0;) {
      const Event& event = events[i];
      const bool is_access = event.kind == Event::Kind::access;
      if (is_access && visit(event)) return begun;
      const bool may_step = !is_access || event.inside;
      is_open = event.kind != Event::Kind::sync &&
                !(may_step && steps_.contains({event.place, event.inside}) &&
                  is_passed_by_all(*at, block));
    }
    if (!is_open) continue;
    begun.insert(at);
    for (BasicBlock* from : predecessors(at))
      if (is_way(from, at) && seen.insert(from).second)
        open.push_back({from, static_cast<unsigned>(events_[from].size())});
  }
  return begun;
}

/// Accesses with no step or sync point between them and that event, if lanes met at the end of
/// `step_at_end`.
void Search::visit_before(BasicBlock& block, unsigned index, const BasicBlock* step_at_end,
                          PairVisitor visit) {
  const Loop* inner = loops_.getLoopFor(&block);
  bool is_over = false;
  auto is_back = [&](const BasicBlock* from, const BasicBlock* to) {
    for (const Loop* loop = inner; loop; loop = loop->getParentLoop())
      if (loop->getHeader() == to && loop->contains(from)) return true;
    return false;
  };
  const Blocks begun = walk(
      block, index,
      [&](const BasicBlock* from, const BasicBlock* to) {
        return from != step_at_end && !is_back(from, to);
      },
      [&](const Event& first) { return is_over = visit(first, nullptr); });
  // In the round before, of each loop to whose head the way back comes.
  for (const Loop* loop = inner; loop && !is_over; loop = loop->getParentLoop()) {
    BasicBlock* latch = loop->getLoopLatch();
    if (!latch || latch == step_at_end || !begun.contains(loop->getHeader())) continue;
    walk(
        *latch, static_cast<unsigned>(events_[latch].size()),
        [&](const BasicBlock* from, const BasicBlock* to) {
          return from != step_at_end && to != loop->getHeader() && loop->contains(from);
        },
        [&](const Event& first) { return is_over = visit(first, loop); });
  }
}

/// One that certainly matters, if there is one.
Search::First Search::first_conflict(BasicBlock& block, unsigned index,
                                     const BasicBlock* step_at_end) {
  const Event& event = events_[&block][index];
  First found;
  visit_before(block, index, step_at_end, [&](const Event& first, const Loop* between) {
    if (const Order order = order_of(first, event, between); order > found.order)
      found = {&first, order};
    return found.order == Order::matters;
  });
  return found;
}

/// Between steps, what one lane reads must not be what another writes.
void Search::look_at_volatile_loads() {
  bool is_known = pairs_ <= most_pairs;
  for (const BasicBlock* block : order_) {
    is_known &= none_of(*block, is_unknown_call);
    for (const Event& event : events_[block])
      if (is_volatile_load(event)) result_.settled.insert(event.place);
  }
  if (result_.settled.empty()) return;
  const auto look_at = [&](const Event& load, const Event& first, const Event& second,
                           const Loop* between) {
    if (is_volatile_load(load) && !result_.unsettled.contains(load.place) &&
        !(++pairs_ <= most_pairs && are_apart(first, second, between)))
      result_.unsettled.insert(load.place);
  };
  for (BasicBlock* block : order_)
    for (unsigned i = 0; i < events_[block].size(); ++i) {
      const Event& event = events_[block][i];
      if (event.kind != Event::Kind::access) continue;
      visit_before(*block, i, nullptr, [&](const Event& first, const Loop* between) {
        if (first.access.writes) look_at(event, first, event, between);
        if (event.access.writes) look_at(first, first, event, between);
        return false;
      });
    }
  if (!is_known) result_.unsettled.merge(result_.settled);
  for (const unsigned place : result_.unsettled) result_.settled.erase(place);
}

void Search::settle(BasicBlock& block, unsigned index) {
  const Event event = events_[&block][index];
  if (event.kind != Event::Kind::access || steps_.contains({event.place, event.inside})) return;
  const auto [first, order] = first_conflict(block, index, nullptr);
  if (!first) return;
  Conflict conflict{event.place,          event.inside,        first->place,           event.place,
                    first->access.writes, event.access.writes, order == Order::matters};
  if (const BasicBlock* before = common_place(block, index)) {
    conflict.place = *place_at_end(*before);
    conflict.inside = false;
  }
  steps_.insert({conflict.place, conflict.inside});
  result_.found.push_back(conflict);
}

std::optional<unsigned> Search::place_at_end(const BasicBlock& block) {
  const std::vector<Event>& events = events_[&block];
  if (events.empty() || events.back().kind != Event::Kind::mark) return std::nullopt;
  return events.back().place;
}

/// Some lanes go one way from the block's end, others another.
bool Search::parts_lanes(const BasicBlock& block) {
  auto* branch = dyn_cast<BranchInst>(block.getTerminator());
  return branch && branch->isConditional() &&
         any_of(warps_, [&](auto& one) { return !one->of(branch->getCondition()).is_uniform(); });
}

/// Where lanes had better meet than just before the event: in front of the branches that some of
/// them come there by, if that does, too.
const BasicBlock* Search::common_place(BasicBlock& block, unsigned index) {
  const BasicBlock* found = nullptr;
  for (auto* node = dominators_.getNode(&block)->getIDom(); node; node = node->getIDom()) {
    const BasicBlock* before = node->getBlock();
    if (!parts_lanes(*before)) continue;
    if (!place_at_end(*before) || first_conflict(block, index, before).event) break;
    found = before;
  }
  return found;
}

Search::Order Search::order_of(const Event& first, const Event& second, const Loop* between) {
  const MemoryAccess &a = first.access, &b = second.access;
  if ((!a.writes && !b.writes) || (a.is_atomic && b.is_atomic)) return Order::free;
  if (volatile_is_ordered_ && first.instruction->isVolatile() && second.instruction->isVolatile())
    return Order::free;
  if (++pairs_ > most_pairs || (a.stored && a.stored == b.stored) || is_tried_again(first, second))
    return Order::free;
  const bool has_bytes = a.bytes != 0 && b.bytes != 0;
  if (has_bytes &&
      ((have_company(first, second) && exchange(a, b)) ||
       any_of(warps_, [&](auto& numbers) { return meet(*numbers, first, second, between); })))
    return Order::matters;
  const bool must_be_known =
      !volatile_is_ordered_ && (is_volatile_load(first) || is_volatile_load(second));
  return must_be_known && !are_apart(first, second, between) ? Order::unknown : Order::free;
}

/// No lane reads what another may write.
bool Search::are_apart(const Event& first, const Event& second, const Loop* between) {
  return all_of(warps_, [&](auto& numbers) {
    return are_lanes_apart(*numbers, loops_, {first.access, *first.block},
                           {second.access, *second.block}, between);
  });
}

/// The shared array that the address is in; null: nobody knows.
const GlobalVariable* array_of(const Value* address) {
  auto* array = dyn_cast<GlobalVariable>(getUnderlyingObject(address, /*MaxLookup=*/0));
  return array && is_shared_array(array) ? &named_array(*array) : nullptr;
}

/// More than one lane comes there.
bool Search::have_company(const Event& first, const Event& second) {
  return any_of(warps_, [&](auto& numbers) {
    return popcount(numbers->lanes_in(first.block) | numbers->lanes_in(second.block)) > 1;
  });
}

/// `if (found) list[count + popc(ballot(found) & lanes_below)] = i;`
/// Lanes that divide places among themselves do so for others, which read what they wrote.
bool Search::exchange(const MemoryAccess& first, const MemoryAccess& second) {
  const bool is_written_then_read = first.writes && !second.writes;
  if (first.address == second.address || first.writes == second.writes) return false;
  const Sharing by = std::max(shared_by(first.address), shared_by(second.address));
  const bool is_scattered = is_written_then_read && follows_table(first.address);
  if (by != Sharing::lanes && !is_scattered && !(by == Sharing::count && is_written_then_read))
    return false;
  const GlobalVariable* const array = array_of(first.address);
  return array && array == array_of(second.address);
}

/// `list[place[lane]] = i;`
/// The lane has a part in the address by what it loaded alone, so the place is not one of its own.
bool Search::follows_table(const Value* address) {
  bool found = false;
  SmallSetVector<const Value*, 16> values;
  values.insert(address);
  for (unsigned i = 0; i < values.size(); ++i) {
    auto* made = dyn_cast<Instruction>(values[i]);
    if (!made || warps_.front()->of(made).is_uniform()) continue;
    const bool is_loaded = isa<LoadInst>(made);
    found |= is_loaded;
    if (!is_loaded && !isa<GetElementPtrInst, BinaryOperator, CastInst>(made)) return false;
    if (!is_loaded) values.insert(made->value_op_begin(), made->value_op_end());
  }
  return found;
}

/// What the operation gives a lane follows from others, and is not the same for all.
bool Search::tells_lanes_apart(const SyncPoint& point) {
  using abi::SyncKind;
  if (point.kind == SyncKind::shuffle_index) return !warps_.front()->of(point.lane).is_uniform();
  return point.kind == SyncKind::vote_ballot || point.kind == SyncKind::match_any ||
         point.kind == SyncKind::shuffle_up || point.kind == SyncKind::shuffle_down ||
         point.kind == SyncKind::shuffle_xor;
}

/// How one lane told another what the place is computed from.
Search::Sharing Search::shared_by(const Value* address) {
  constexpr unsigned most_values = 256;
  const auto [known, is_new] = shared_by_.try_emplace(address, Sharing::none);
  if (!is_new) return known->second;
  Sharing found = Sharing::none;
  SmallSetVector<const Value*, 16> values;
  values.insert(address);
  for (unsigned i = 0; i < values.size() && i < most_values && found != Sharing::lanes; ++i) {
    auto* made = const_cast<Instruction*>(dyn_cast<Instruction>(values[i]));
    if (!made || isa<LoadInst>(made)) continue;
    if (const auto point = as_sync_point(*made)) {
      if (tells_lanes_apart(*point)) found = Sharing::lanes;
    } else if (isa<AtomicRMWInst>(made)) {
      found = Sharing::count;
    } else {
      values.insert(made->value_op_begin(), made->value_op_end());
    }
  }
  return shared_by_[address] = found;
}

/// A symbol of the loop is another in its next round, unless it grows by a known step.
LaneNumber Search::a_round_later(const LaneNumbers& numbers, const LaneNumber& number,
                                 const Loop& loop) {
  LaneNumber result = number;
  for (const auto& term : number.terms) {
    auto* symbol = dyn_cast<Instruction>(term.symbol);
    if (!symbol || !loop.contains(symbol)) continue;
    const auto step =
        symbol->getParent() == loop.getHeader() ? numbers.step_of(symbol) : std::nullopt;
    for (unsigned i = 0; i < lane_count; ++i) {
      if (step) result.number[i] += term.factor[i] * *step;
      if (!step && term.factor[i] != 0) result.known &= ~(1u << i);
    }
  }
  return result;
}

bool Search::meet(LaneNumbers& numbers, const Event& first, const Event& second,
                  const Loop* between) {
  const LaneNumber& x = numbers.of(first.access.address);
  const LaneNumber now = numbers.of(second.access.address);
  const LaneNumber y = between ? a_round_later(numbers, now, *between) : now;
  const bool anywhere = first.instruction->isVolatile() && second.instruction->isVolatile();
  const std::uint32_t xs = lanes_at_arrays(x, anywhere) & numbers.lanes_in(first.block);
  const std::uint32_t ys = lanes_at_arrays(y, anywhere) & numbers.lanes_in(second.block);
  const auto x_bytes = static_cast<std::int64_t>(first.access.bytes);
  const auto y_bytes = static_cast<std::int64_t>(second.access.bytes);
  for (unsigned i = 0; i < lane_count; ++i) {
    if ((xs >> i & 1) == 0) continue;
    for (unsigned k = 0; k < lane_count; ++k)
      if (i != k && (ys >> k & 1) != 0 && x.number[i] < y.number[k] + y_bytes &&
          y.number[k] < x.number[i] + x_bytes && have_same_symbols(x, i, y, k))
        return true;
  }
  return false;
}

}  // namespace

std::optional<Conflicts> find_conflicts(const UnfoldedKernel& unfolded,
                                        const std::array<std::uint32_t, 3>& shape,
                                        bool volatile_is_ordered) {
  if (find_waiting_loop(*unfolded.kernel)) return std::nullopt;
  return Search(*unfolded.kernel, shape, volatile_is_ordered).run();
}

}  // namespace gridspan::transforms
