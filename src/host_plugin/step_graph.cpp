// Follows the ways from a step to the next ones, and values back along them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/step_graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/IR/CFG.h"

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

/// A block as reached from the step: with the outermost loop whose turn has ended, as an index of
/// the loops around the step; as many as there are if none has.
struct State {
  const BasicBlock* block;
  std::size_t ended;
  friend auto operator<=>(const State&, const State&) = default;
};

}  // namespace

const Value& plain(const Value& value) {
  const Value* at = &value;
  for (unsigned steps = 0; steps < 32; ++steps) {
    const Value* inner = nullptr;
    if (auto* phi = dyn_cast<PHINode>(at))
      inner = phi->hasConstantValue();
    else if (auto* freeze = dyn_cast<FreezeInst>(at))
      inner = freeze->getOperand(0);
    if (!inner) break;
    at = inner;
  }
  return *at;
}

const Instruction* StepGraph::next_step(const Instruction* from) const {
  for (; from; from = from->getNextNode())
    if (steps_.contains(from)) return from;
  return nullptr;
}

std::vector<Stretch> StepGraph::after(const Instruction& step) const {
  SmallVector<const Loop*> around;  // outermost first
  for (const Loop* loop = loops_.getLoopFor(step.getParent()); loop; loop = loop->getParentLoop())
    around.insert(around.begin(), loop);
  const std::size_t none = around.size();

  if (const Instruction* next = next_step(step.getNextNode())) {
    Stretch only;
    only.first = &step;
    only.second = next;
    only.always = true;
    only.nodes_ = {{step.getParent(), {}}};
    return {only};
  }
  std::vector<State> found;                    // in the order in which they are reached
  std::map<State, std::vector<State>> before;  // without an entry for the step's own block's end
  std::map<State, bool> from_step;
  std::set<std::size_t> leaves;  // the function, or for a turn that is not said here
  const auto follow = [&](const BasicBlock& block, std::size_t ended, const State* state) {
    for (const BasicBlock* next : successors(&block)) {
      std::size_t now = ended;
      for (std::size_t i = 0; i < none; ++i)
        if (around[i]->getHeader() == next && around[i]->contains(&block)) now = std::min(now, i);
      if (now != ended) leaves.insert(ended);
      const State there{next, now};
      if (!before.contains(there)) found.push_back(there);
      auto& ways = before[there];
      if (state)
        ways.push_back(*state);
      else
        from_step[there] = true;
    }
    if (isa<ReturnInst>(block.getTerminator())) leaves.insert(ended);
  };
  follow(*step.getParent(), none, nullptr);
  std::vector<State> hits;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const State state = found[i];
    if (next_step(&state.block->front()))
      hits.push_back(state);
    else
      follow(*state.block, state.ended, &state);
  }

  // Where steps are many and all are optional, each may follow each. The nearest are told.
  constexpr std::size_t most_followers = 8;
  std::vector<Stretch> stretches;
  for (const State& hit : ArrayRef(hits).take_front(most_followers)) {
    Stretch one;
    one.first = &step;
    one.second = next_step(&hit.block->front());
    // Ways out of a loop may pass its beginning once more.
    one.turn =
        hit.ended < none && around[hit.ended]->contains(hit.block) ? around[hit.ended] : nullptr;
    const auto others = count_if(hits, [&](const State& other) {
      return other.ended == hit.ended && (!one.turn || one.turn->contains(other.block));
    });
    one.always = others == 1 && (one.turn || !leaves.contains(none));
    std::set<State> seen{hit};
    std::vector<State> open{hit};
    while (!open.empty()) {
      const State state = open.back();
      open.pop_back();
      for (const State& earlier : before[state])
        if (seen.insert(earlier).second) open.push_back(earlier);
    }
    seen.erase(hit);
    std::vector<State> ways;  // in the order in which they are reached
    copy_if(found, std::back_inserter(ways),
            [&](const State& state) { return seen.contains(state); });
    ways.push_back(hit);
    std::map<State, unsigned> numbers;
    for (const State& state : ways) numbers[state] = static_cast<unsigned>(numbers.size() + 1);
    one.nodes_.push_back({step.getParent(), {}});
    for (const State& state : ways) {
      auto& node = one.nodes_.emplace_back();
      node.block = state.block;
      if (from_step.contains(state)) node.before.push_back(0);
      for (const State& earlier : before[state]) node.before.push_back(numbers[earlier]);
    }
    stretches.push_back(std::move(one));
  }
  return stretches;
}

void Stretch::add_calls(unsigned node, std::vector<const CallBase*>& found) const {
  const Instruction* from = node == 0 ? first->getNextNode() : &nodes_[node].block->front();
  const Instruction* end = is_last(node) ? second : nullptr;
  for (; from && from != end; from = from->getNextNode())
    if (auto* call = dyn_cast<CallBase>(from)) found.push_back(call);
}

std::vector<const CallBase*> Stretch::calls() const {
  std::vector<const CallBase*> found;
  for (unsigned node = 0; node < nodes_.size(); ++node) add_calls(node, found);
  return found;
}

/// Backwards, through nodes without such calls only.
bool Stretch::has_way_without(function_ref<bool(const CallBase&)> obstacle) const {
  BitVector seen(static_cast<unsigned>(nodes_.size()));
  SmallVector<unsigned> open{static_cast<unsigned>(nodes_.size() - 1)};
  while (!open.empty()) {
    const unsigned node = open.pop_back_val();
    if (seen.test(node)) continue;
    seen.set(node);
    std::vector<const CallBase*> inside;
    add_calls(node, inside);
    if (any_of(inside, [&](const CallBase* call) { return obstacle(*call); })) continue;
    if (node == 0) return true;
    append_range(open, nodes_[node].before);
  }
  return false;
}

/// All that may have run before it has, itself included.
BitVector Stretch::ways_to(unsigned node) const {
  BitVector found(static_cast<unsigned>(nodes_.size()), is_last(node));
  if (is_last(node)) return found;
  SmallVector<unsigned> open{node};
  found.set(node);
  while (!open.empty())
    for (const unsigned earlier : nodes_[open.pop_back_val()].before) {
      if (found.test(earlier)) continue;
      found.set(earlier);
      open.push_back(earlier);
    }
  return found;
}

bool Stretch::runs(const Instruction& instruction, const BitVector& nodes) const {
  return any_of(nodes.set_bits(), [&](unsigned node) {
    return nodes_[node].block == instruction.getParent() &&
           (node != 0 || first->comesBefore(&instruction)) &&
           (!is_last(node) || instruction.comesBefore(second));
  });
}

bool Stretch::is_equal(const Value& left, const Value& right) const {
  return is_equal(left, right, static_cast<unsigned>(nodes_.size() - 1), 0);
}

/// `right` as it is at the end of `node`. What has not run since the first step is as it was then.
/// What has is followed to what it is made of.
bool Stretch::is_equal(const Value& left, const Value& right, unsigned node, unsigned depth) const {
  constexpr unsigned deepest = 8;
  if (depth > deepest) return false;
  auto* computed = dyn_cast<Instruction>(&right);
  if (!computed) return &plain(left) == &right;
  const BitVector ways = ways_to(node);
  if (!runs(*computed, ways)) return &plain(left) == &plain(right);
  if (auto* phi = dyn_cast<PHINode>(computed))
    return all_of(ways.set_bits(), [&](unsigned way) {
      return nodes_[way].block != phi->getParent() || way == 0 ||
             all_of(nodes_[way].before, [&](unsigned from) {
               const Value& incoming = *phi->getIncomingValueForBlock(nodes_[from].block);
               return is_equal(left, incoming, from, depth + 1);
             });
    });
  if (isa<FreezeInst>(computed)) return is_equal(left, *computed->getOperand(0), node, depth + 1);
  auto* other = dyn_cast<Instruction>(&plain(left));
  const bool is_pure =
      isa<BinaryOperator, CastInst, GetElementPtrInst, CmpInst, SelectInst>(computed);
  if (!is_pure || !other || !other->isSameOperationAs(computed)) return false;
  for (unsigned i = 0; i < computed->getNumOperands(); ++i)
    if (!is_equal(*other->getOperand(i), *computed->getOperand(i), node, depth + 1)) return false;
  return true;
}

}  // namespace gridspan::host_plugin
