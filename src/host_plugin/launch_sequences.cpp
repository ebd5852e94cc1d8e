// From the ordinary copy of the host's functions to text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "host_plugin/launch_sequences.h"

#include "host_plugin/cuda_calls.h"
#include "host_plugin/kernel_stubs.h"
#include "host_plugin/ordinary_copy.h"
#include "host_plugin/step_graph.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/DebugInfoMetadata.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Operator.h"
#include "llvm/Support/raw_ostream.h"

#include <array>
#include <map>
#include <set>

namespace gridspan::host_plugin {

using namespace llvm;

namespace {

constexpr std::size_t most_steps = 256, most_between = 16;

/// A value, or 32 bits of one that holds two numbers.
struct Term {
  const Value* value = nullptr;  // null: not known
  enum Part : std::uint8_t { all, low, high } part = all;
  friend auto operator<=>(const Term&, const Term&) = default;
};

/// A value that is or has pointers made of others.
struct Derived {
  std::uint64_t number = 0;
  std::vector<const Value*> from;
  bool is_known = true;  // else it may point anywhere
};

bool is_zero(const Term& term, bool of_low) {
  auto* constant = term.part == Term::all ? dyn_cast<ConstantInt>(term.value) : nullptr;
  if (constant) return constant->isZero();
  auto* whole = dyn_cast_or_null<ConstantInt>(term.value);
  return whole && (of_low ? whole->getZExtValue() << 32 : whole->getZExtValue() >> 32) == 0;
}

/// Of a number of 64 bits: x | y << 32.
Term half(const Value& value, bool wants_low, unsigned depth = 0) {
  const Term itself{&value, wants_low ? Term::low : Term::high};
  if (depth > 8) return itself;
  const auto* zero = ConstantInt::get(Type::getInt32Ty(value.getContext()), 0);
  auto* operation = dyn_cast<Instruction>(&value);
  if (!operation) return itself;
  const Value* first = operation->getNumOperands() > 0 ? operation->getOperand(0) : nullptr;
  if (operation->getOpcode() == Instruction::Or) {
    const Term left = half(*first, wants_low, depth + 1);
    const Term right = half(*operation->getOperand(1), wants_low, depth + 1);
    if (is_zero(left, wants_low)) return right;
    return is_zero(right, wants_low) ? left : itself;
  }
  if (isa<ZExtInst>(operation) && first->getType()->isIntegerTy(32))
    return wants_low ? Term{first} : Term{zero};
  auto* number =
      operation->getNumOperands() == 2 ? dyn_cast<ConstantInt>(operation->getOperand(1)) : nullptr;
  if (!number) return itself;
  const std::uint64_t bits = number->getZExtValue();
  if (operation->getOpcode() == Instruction::Shl && bits == 32)
    return wants_low ? Term{zero} : half(*first, true, depth + 1);
  if (operation->getOpcode() == Instruction::And) {
    const auto mask = static_cast<std::uint32_t>(wants_low ? bits : bits >> 32);
    if (mask == 0) return {zero};
    if (mask == ~std::uint32_t{0}) return half(*first, wants_low, depth + 1);
  }
  return itself;
}

/// What support/launch_sequences.h calls a step. Terms are in the order of the text.
struct Step {
  const CallBase* call = nullptr;
  StringRef kind;
  std::string kernel = {};
  std::array<Term, 6> sizes;  // grid, block
  Term shared, stream;
  std::vector<SmallVector<Term, 1>> arguments;  // several terms: the members of one
};

/// Lines and columns of the calls that lead to an instruction, outermost first.
std::vector<std::pair<unsigned, unsigned>> way_to(const Instruction& instruction) {
  std::vector<std::pair<unsigned, unsigned>> way;
  for (const DILocation* at = instruction.getDebugLoc().get(); at; at = at->getInlinedAt())
    way.emplace_back(at->getLine(), at->getColumn());
  std::reverse(way.begin(), way.end());
  return way;
}

class Steps {
 public:
  Steps(const KernelStubs& stubs, const Module& source, const std::vector<MarkedLaunch>& launches)
      : stubs_(stubs), source_(source), launches_(launches) {}

  /// In the order of the source.
  std::vector<Step> of(const Function& function) const {
    std::map<std::pair<std::vector<std::pair<unsigned, unsigned>>, std::size_t>, Step> found;
    for (const Instruction& instruction : instructions(function))
      if (auto* call = dyn_cast<CallBase>(&instruction))
        if (auto step = step_of(*call)) found[{way_to(*call), found.size()}] = std::move(*step);
    std::vector<Step> steps;
    for (auto& [place, step] : found) steps.push_back(std::move(step));
    return steps;
  }

 private:
  std::optional<Step> step_of(const CallBase& call) const {
    const Function* callee = call.getCalledFunction();
    if (!callee) return std::nullopt;
    if (callee->getName() == launch_marker) return launch(call);
    return callee->isDeclaration() ? copy_or_fill(call, cuda_name(callee->getName()))
                                   : std::nullopt;
  }

  Step launch(const CallBase& call) const {
    const MarkedLaunch& marked =
        launches_[cast<ConstantInt>(call.getArgOperand(0))->getZExtValue()];
    Step step;
    step.call = &call;
    step.kind = marked.is_cooperative ? "cooperative" : "launch";
    auto* stub = dyn_cast<Function>(plain(*call.getArgOperand(1)).stripPointerCasts());
    const auto known = stub ? stubs_.find(source_.getFunction(stub->getName())) : stubs_.end();
    if (known != stubs_.end())
      step.kernel = known->second.kernel;
    else if (stub)
      step.kernel = kernel_of_stub(stub->getName());
    if (marked.size_words == 0) return step;
    const unsigned sizes = 2, shared = sizes + 2 * marked.size_words;
    for (unsigned i = 0; marked.size_words == 2 && i < 2; ++i) {
      const Value& plane = *call.getArgOperand(sizes + 2 * i);
      if (!plane.getType()->isIntegerTy(64)) continue;
      step.sizes[3 * i] = half(plane, true);
      step.sizes[3 * i + 1] = half(plane, false);
      step.sizes[3 * i + 2] = {call.getArgOperand(sizes + 2 * i + 1)};
    }
    step.shared = {call.getArgOperand(shared)};
    step.stream = {call.getArgOperand(shared + 1)};
    std::vector<SmallVector<Term, 1>> words;
    unsigned at = shared + 2;
    for (const unsigned count : marked.words) {
      auto& word = words.emplace_back();
      for (unsigned i = 0; i < count; ++i) word.push_back({call.getArgOperand(at++)});
    }
    if (!marked.has_arguments || known == stubs_.end() || !known->second.is_understood) return step;
    if (marked.by_parameter) {
      step.arguments = std::move(words);
      return step;
    }
    for (const KernelStub::Parameter& parameter : known->second.parameters) {
      auto& argument = step.arguments.emplace_back();
      for (const auto& piece : parameter.pieces)
        if (piece.argument < words.size()) argument.append(words[piece.argument]);
    }
    return step;
  }

  static std::optional<Step> copy_or_fill(const CallBase& call, StringRef name) {
    const bool is_async = name.consume_back("Async");
    struct Row {
      StringRef name;
      int kind;  // which argument says where from and to; -1: it is a fill
      std::array<int, 3> arguments;
      unsigned count;  // of arguments, without the stream
    };
    constexpr Row rows[] = {
        {"cudaMemcpy", 3, {0, 1, 2}, 4},
        {"cudaMemcpy2D", 6, {0, 2, -1}, 7},
        {"cudaMemset", -1, {0, 1, 2}, 3},
        {"cudaMemset2D", -1, {0, 2, -1}, 5},
    };
    const auto* row = find_if(rows, [&](const Row& one) { return one.name == name; });
    if (row == std::end(rows) || call.arg_size() < row->count) return std::nullopt;
    if (row->kind >= 0) {
      constexpr unsigned inside_a_device = 3;
      auto* kind = dyn_cast<ConstantInt>(call.getArgOperand(row->kind));
      if (!kind || !kind->equalsInt(inside_a_device)) return std::nullopt;
    }
    Step step;
    step.call = &call;
    step.kind = row->kind < 0 ? "fill" : "copy";
    if (!is_async)
      step.stream = {ConstantPointerNull::get(PointerType::getUnqual(call.getContext()))};
    else if (call.arg_size() > row->count)
      step.stream = {call.getArgOperand(row->count)};
    for (const int i : row->arguments) {
      auto& argument = step.arguments.emplace_back();
      if (i >= 0) argument.push_back({call.getArgOperand(i)});
    }
    return step;
  }

  const KernelStubs& stubs_;
  const Module& source_;
  const std::vector<MarkedLaunch>& launches_;
};

/// The text of one function.
class Writer {
 public:
  Writer(const Function& function, CallEffects& effects, raw_ostream& out)
      : function_(function), effects_(effects), out_(out) {
    dominators_.recalculate(const_cast<Function&>(function));
    loops_.analyze(dominators_);
  }

  void write(std::vector<Step> steps) {
    if (steps.size() > most_steps) steps.resize(most_steps);
    const DISubprogram* place = function_.getSubprogram();
    out_ << "sequence " << (place ? place->getLine() : 0) << ' ' << function_.getName() << ' '
         << (place ? file(place) : "") << '\n';
    write_loops(steps);
    for (const Step& step : steps) write_step(step);
    write_values();
    write_pairs(steps);
    out_ << "end " << steps.size() << '\n';
  }

 private:
  static std::string file(const DIScope* scope) {
    std::string name = scope->getFilename().str();
    std::replace(name.begin(), name.end(), '\n', '?');
    return name;
  }
  /// "12 app.cu", the last of a line.
  static std::string text(const DILocation* place) {
    return place ? std::to_string(place->getLine()) + " " + file(place->getScope()) : "0 ";
  }

  void write_loops(const std::vector<Step>& steps) {
    const auto add = [&](const auto& self, const Loop* loop) -> int {
      if (!loop) return -1;
      if (const auto known = loop_numbers_.find(loop); known != loop_numbers_.end())
        return known->second;
      const int outer = self(self, loop->getParentLoop());
      out_ << "loop " << outer << ' ' << text(loop->getStartLoc().get()) << '\n';
      const int number = static_cast<int>(loop_numbers_.size());
      return loop_numbers_[loop] = number;
    };
    for (const Step& step : steps) add(add, loops_.getLoopFor(step.call->getParent()));
  }

  /// On each way through its loop, or the function. Those that never return do not count.
  bool is_always(const Instruction& step) const {
    const BasicBlock* block = step.getParent();
    SmallVector<BasicBlock*> ends;
    if (const Loop* loop = loops_.getLoopFor(block)) {
      loop->getLoopLatches(ends);
    } else {
      for (const BasicBlock& end : function_)
        if (isa<ReturnInst>(end.getTerminator())) ends.push_back(const_cast<BasicBlock*>(&end));
    }
    return all_of(ends, [&](const BasicBlock* end) { return dominators_.dominates(block, end); });
  }

  void write_step(const Step& step) {
    const Loop* loop = loops_.getLoopFor(step.call->getParent());
    const DILocation* place = step.call->getDebugLoc().get();
    out_ << "step " << step.kind << ' ' << (loop ? loop_numbers_[loop] : -1)
         << (is_always(*step.call) ? " always " : " sometimes ") << text(place) << '\n';
    while (place && (place = place->getInlinedAt())) out_ << "from " << text(place) << '\n';
    if (step.kind == "launch" || step.kind == "cooperative") {
      out_ << "kernel " << (step.kernel.empty() ? "?" : step.kernel);
      for (unsigned i = 0; i < 6; ++i)
        out_ << (i == 0 ? "\ngrid" : i == 3 ? "\nblock" : "") << ' ' << number(step.sizes[i]);
      out_ << "\nshared " << number(step.shared) << '\n';
    }
    out_ << "stream " << number(step.stream);
    if (!step.arguments.empty()) out_ << "\narguments";
    for (const auto& argument : step.arguments) out_ << ' ' << number(argument);
    out_ << '\n';
  }

  static std::optional<std::uint64_t> constant(const Term& term) {
    std::uint64_t bits = 0;
    if (auto* integer = dyn_cast<ConstantInt>(term.value); integer && integer->getBitWidth() <= 64)
      bits = integer->getZExtValue();
    else if (auto* real = dyn_cast<ConstantFP>(term.value);
             real && real->getType()->getPrimitiveSizeInBits() <= 64)
      bits = real->getValueAPF().bitcastToAPInt().getZExtValue();
    else if (!isa<ConstantPointerNull>(term.value) && !isa<ConstantAggregateZero>(term.value))
      return std::nullopt;
    if (term.part == Term::low) return static_cast<std::uint32_t>(bits);
    return term.part == Term::high ? bits >> 32 : bits;
  }

  std::string number(Term term) {
    if (!term.value || isa<UndefValue>(term.value)) return "?";
    if (const auto bits = constant(term)) return "#" + std::to_string(*bits);
    term.value = &plain(*term.value);
    if (const auto bits = constant(term)) return "#" + std::to_string(*bits);
    const auto [known, is_new] = numbers_.try_emplace({term}, numbers_.size() + 1);
    if (is_new && is_memory(*term.value)) fresh_.push_back(known->second);
    if (is_new && is_derived(*term.value)) derived_.push_back({known->second, {term.value}, true});
    return "v" + std::to_string(known->second);
  }
  std::string number(ArrayRef<Term> members) {
    if (members.empty()) return "?";
    if (members.size() == 1) return number(members.front());
    std::vector<Term> key;
    for (Term member : members) {
      if (!member.value || isa<UndefValue>(member.value)) return "?";
      member.value = &plain(*member.value);
      key.push_back(member);
    }
    const auto [known, is_new] = numbers_.try_emplace(key, numbers_.size() + 1);
    if (is_new) {
      Derived& made = derived_.emplace_back();
      made.number = known->second;
      for (const Term& member : key) {
        const Type& type = *member.value->getType();
        if (type.isPointerTy()) made.from.push_back(member.value);
        // A pointer may have been copied as a number.
        if (type.isIntegerTy(64) && !isa<ConstantInt>(member.value)) made.is_known = false;
      }
    }
    return "v" + std::to_string(known->second);
  }
  /// A pointer made of others: beside another one, a choice.
  static bool is_derived(const Value& value) {
    return value.getType()->isPointerTy() &&
           isa<GEPOperator, SelectInst, PHINode, CastInst, FreezeInst>(value);
  }

  /// Adds the pointers of which `value` may be made. False: it may point anywhere.
  static bool add_origins(const Value& value, SmallSetVector<const Value*, 8>& origins,
                          SmallPtrSetImpl<const Value*>& seen) {
    const auto all = [&](const auto& values) {
      return all_of(values, [&](const Value* one) { return add_origins(*one, origins, seen); });
    };
    const Value& made = plain(value);
    if (!seen.insert(&made).second || isa<ConstantPointerNull, UndefValue>(made)) return true;
    if (auto* beside = dyn_cast<GEPOperator>(&made))
      return add_origins(*beside->getPointerOperand(), origins, seen);
    if (auto* choice = dyn_cast<SelectInst>(&made))
      return all(std::array{choice->getTrueValue(), choice->getFalseValue()});
    if (auto* merge = dyn_cast<PHINode>(&made)) return all(merge->incoming_values());
    if (isa<IntToPtrInst>(made)) return false;
    if (auto* same = dyn_cast<UnaryInstruction>(&made); same && isa<CastInst, FreezeInst>(same))
      return add_origins(*same->getOperand(0), origins, seen);
    origins.insert(&made);
    return true;
  }
  /// " v1 v2", or nothing where it may point anywhere.
  std::string origins_of(const Derived& derived) {
    SmallSetVector<const Value*, 8> origins;
    SmallPtrSet<const Value*, 8> seen;
    if (!derived.is_known) return "";
    for (const Value* from : derived.from)
      if (!add_origins(*from, origins, seen)) return "";
    std::string text;
    for (const Value* origin : origins) text += ' ' + number(Term{origin});
    return text;
  }
  /// Whether two pointers never point into the memory of the same origin at one time: those that a
  /// loop swaps, above all. `assumed`: what was asked already, so that loops may rely on it.
  static bool are_apart(const Value& one, const Value& other,
                        std::set<std::pair<const Value*, const Value*>>& assumed) {
    if (!assumed.insert({&one, &other}).second) return true;
    auto *first = dyn_cast<PHINode>(&one), *second = dyn_cast<PHINode>(&other);
    if (first && second && first->getParent() == second->getParent())
      return all_of(first->blocks(), [&](BasicBlock* from) {
        return are_apart(plain(*first->getIncomingValueForBlock(from)),
                         plain(*second->getIncomingValueForBlock(from)), assumed);
      });
    SmallSetVector<const Value*, 8> of_one, of_other;
    SmallPtrSet<const Value*, 8> seen_one, seen_other;
    return add_origins(one, of_one, seen_one) && add_origins(other, of_other, seen_other) &&
           none_of(of_one, [&](const Value* origin) { return of_other.contains(origin); });
  }
  std::string pairs_apart() const {
    std::string lines;
    for (std::size_t i = 0; i < derived_.size(); ++i)
      for (std::size_t j = 0; j < i; ++j) {
        const Derived &one = derived_[j], &other = derived_[i];
        std::set<std::pair<const Value*, const Value*>> assumed;
        if (one.from.size() == 1 && other.from.size() == 1 && isa<PHINode>(one.from.front()) &&
            are_apart(*one.from.front(), *other.from.front(), assumed))
          lines +=
              "apart v" + std::to_string(one.number) + " v" + std::to_string(other.number) + '\n';
      }
    return lines;
  }
  void write_values() {
    std::string lines;
    for (const Derived& one : derived_)
      lines += "derived v" + std::to_string(one.number) + origins_of(one) + '\n';
    lines += pairs_apart();
    for (const std::uint64_t value : fresh_) out_ << "fresh v" << value << '\n';
    out_ << lines;
  }
  static bool is_memory(const Value& value) {
    auto* call = dyn_cast<CallBase>(&value);
    return call && call->getCalledFunction() &&
           call->getCalledFunction()->getName() == memory_marker;
  }

  void write_pairs(const std::vector<Step>& steps) {
    std::map<const Instruction*, unsigned> place;
    std::vector<const Instruction*> calls;
    for (const Step& step : steps) {
      place[step.call] = static_cast<unsigned>(calls.size());
      calls.push_back(step.call);
    }
    const StepGraph graph(loops_, calls);
    for (const Step& step : steps) {
      std::vector<Stretch> stretches = graph.after(*step.call);
      const auto order = [&](const Stretch& one) {
        return std::pair(place[one.second], one.turn ? loop_numbers_[one.turn] : -1);
      };
      sort(stretches,
           [&](const Stretch& left, const Stretch& right) { return order(left) < order(right); });
      for (const Stretch& one : stretches)
        write_pair(one, place[one.first], place[one.second], step, steps[place[one.second]]);
    }
  }

  void write_pair(const Stretch& stretch, unsigned first, unsigned second, const Step& left,
                  const Step& right) {
    out_ << "pair " << first << ' ' << second << ' '
         << (stretch.turn ? loop_numbers_[stretch.turn] : -1)
         << (stretch.always ? " always" : " sometimes")
         << (stretch.has_way_without([&](const CallBase& call) { return is_obstacle(call); })
                 ? " open\n"
                 : " closed\n");
    for (unsigned i = 0; i < left.arguments.size(); ++i)
      for (unsigned j = 0; j < right.arguments.size(); ++j)
        if (are_equal(stretch, left.arguments[i], right.arguments[j]))
          out_ << "equal " << i << ' ' << j << '\n';
    const ArrayRef<Term> sizes(left.sizes), others(right.sizes);
    std::string same;
    const bool are_launches = left.sizes[0].value && right.sizes[0].value;
    if (are_launches && are_equal(stretch, sizes.take_front(3), others.take_front(3)))
      same += " grid";
    if (are_launches && are_equal(stretch, sizes.take_back(3), others.take_back(3)))
      same += " block";
    if (are_equal(stretch, left.shared, right.shared)) same += " shared";
    if (are_equal(stretch, left.stream, right.stream)) same += " stream";
    if (!same.empty()) out_ << "same" << same << '\n';
    write_between(stretch);
  }

  static bool are_equal(const Stretch& stretch, ArrayRef<Term> left, ArrayRef<Term> right) {
    if (left.empty() || left.size() != right.size()) return false;
    for (std::size_t i = 0; i < left.size(); ++i) {
      if (!left[i].value || !right[i].value || isa<UndefValue>(left[i].value)) return false;
      const auto bits = constant(left[i]), others = constant(right[i]);
      if (bits && others
              ? *bits != *others
              : left[i].part != right[i].part || !stretch.is_equal(*left[i].value, *right[i].value))
        return false;
      if (bits && others && left[i].part == Term::all && right[i].part == Term::all &&
          left[i].value->getType() != right[i].value->getType())
        return false;
    }
    return true;
  }

  void write_between(const Stretch& stretch) {
    std::set<std::string> known;
    for (const CallBase* call : stretch.calls()) {
      if (!is_obstacle(*call) || known.size() >= most_between) continue;
      const Effect effect = effects_.of(*call);
      const Function* callee = call->getCalledFunction();
      const DILocation* place = call->getDebugLoc().get();
      std::string line = "between " + to_text(effect).str() + ' ' +
                         std::to_string(place ? place->getLine() : 0) + ' ' +
                         (callee ? cuda_name(callee->getName()).str() : "?") + ' ' +
                         (place ? file(place->getScope()) : "") + '\n';
      if (known.insert(line).second) out_ << line;
    }
  }
  bool is_obstacle(const CallBase& call) {
    const Function* callee = call.getCalledFunction();
    const bool is_marker = callee && callee->getName().starts_with("gridspan.");
    return !is_marker && effects_.of(call) != Effect::none;
  }

  const Function& function_;
  CallEffects& effects_;
  raw_ostream& out_;
  DominatorTree dominators_;
  LoopInfo loops_;
  std::map<const Loop*, int> loop_numbers_;
  std::map<std::vector<Term>, std::uint64_t> numbers_;
  std::vector<std::uint64_t> fresh_;
  std::vector<Derived> derived_;
};

}  // namespace

std::string launch_sequences(const Module& module) {
  const OrdinaryCopy copy = copy_ordinary(module);
  if (copy.functions.empty()) return {};
  const KernelStubs stubs = find_kernel_stubs(module);
  const Steps steps(stubs, module, copy.launches);
  CallEffects effects(module);
  std::string text;
  raw_string_ostream out(text);
  for (const Function* function : copy.functions)
    if (std::vector<Step> found = steps.of(*function);
        any_of(found, [](const Step& step) { return step.kind != "copy" && step.kind != "fill"; }))
      Writer(*function, effects, out).write(std::move(found));
  return text.empty() ? text : "gridspan-sequences 1\n" + text;
}

}  // namespace gridspan::host_plugin
