// What values, conditions, blocks and pointers of one kernel mean, in terms of its symbols.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Integers are mathematical integers: the signed reading of the bits. Where the code could wrap
// around or reads the bits as unsigned, a *requirement* is noted ("this value lies in this range")
// and the result relies on it; requirements become the model's assumptions.
//
// Everything is evaluated on demand and kept. Loops: the value of a header phi that grows by a
// fixed step is start + step * counter; what a loop's iteration knows is `iterations`.
#pragma once

#include "analysis/symbols.h"
#include "model/limits.h"

#include "llvm/Analysis/PostDominators.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

namespace gridspan::analysis {

/// Requirements something relies on, by index.
using Uses = std::set<unsigned>;

struct Number {
  model::OrNull<isl::pw_aff> value;
  Uses uses;
};

struct Condition {
  model::OrNull<isl::set> holds;
  Uses uses;
};

/// `value` lies in [minimum, maximum] whenever the block `at` runs; or, without a value, the launch
/// fulfils `condition`.
struct Requirement {
  const llvm::Value* value;
  const llvm::BasicBlock* at;
  isl::val minimum, maximum;
  model::SourcePoint where;
  model::OrNull<isl::set> condition;  // over parameters
};

/// What a pointer points into.
struct Base {
  enum class Kind {
    argument,  // pointer argument, or pointer field of a struct argument
    variable,  // __device__, __constant__ or __shared__ variable
    by_value,  // the bytes of a struct argument itself
    local,     // a stack slot
    loaded,    // a pointer that came from memory
    unknown,
    phi,  // while a recurrence is being recognised
  };
  Kind kind = Kind::unknown;
  unsigned argument = 0, offset = 0;
  const llvm::Value* value = nullptr;
  auto operator<=>(const Base&) const = default;
};

/// One possibility: under the domain of `offset` the pointer is base + offset bytes.
struct Target {
  Base base;
  Number offset;
};

class Evaluator {
 public:
  Evaluator(llvm::Function& function, Symbols& symbols);

  Number number(const llvm::Value* value);
  /// When the i1 `value` is true.
  Condition condition(const llvm::Value* value);
  std::vector<Target> targets(const llvm::Value* pointer);
  /// When `block` runs, for one thread and one iteration of each loop around it.
  Condition domain(const llvm::BasicBlock* block);
  /// The same from what is known already, at no cost: `block` may run then, and not otherwise.
  Condition rough_domain(const llvm::BasicBlock* block);
  /// Forgets what was being recognised when a limit was reached.
  void recover();

  const llvm::Loop* loop_of(const llvm::BasicBlock* block) const {
    return loops_.getLoopFor(block);
  }
  const std::vector<Requirement>& requirements() const { return requirements_; }
  /// The value without reliance on its own requirements: for proving these.
  bool is_reducible() const;
  /// Is this value the same for every block and thread of the launch?
  bool is_launch_invariant(const llvm::Value* value);

 private:
  // values.cpp
  Number evaluate(const llvm::Value* value);
  Number load(const llvm::LoadInst& load);
  Number choose(const llvm::SelectInst& select);
  Number merge(const llvm::PHINode& phi);
  Number data(const llvm::Value& value, const std::string& text);
  Number data_between(const llvm::Value& value, const std::string& text, const isl::val& minimum,
                      const isl::val& maximum);
  bool depends_on_data(const Number& number) const;
  // arithmetic.cpp
  Number binary(const llvm::BinaryOperator& operation);
  Number product(const llvm::BinaryOperator& operation);
  Number shift(const llvm::BinaryOperator& operation);
  Number shift_by_variable(const llvm::BinaryOperator& operation);
  Number bitwise(const llvm::BinaryOperator& operation);
  Number combine_bits(const llvm::BinaryOperator& operation);
  // divisions.cpp
  Number division(const llvm::BinaryOperator& operation);
  Number divide_by_number(const llvm::BinaryOperator& operation, const isl::val& by);
  Number divide_by_variable(const llvm::BinaryOperator& operation);
  Number divide_data(const llvm::BinaryOperator& operation, const Number& a, const Number& b);
  const std::vector<Monomial>& divisors();
  // conversions.cpp
  Number cast(const llvm::CastInst& cast);
  // calls.cpp
  Number call(const llvm::CallInst& call);
  // warps.cpp
  isl::pw_aff lane();
  bool is_fixed(const Number& number) const;
  Number whole_warps(Number count, const llvm::Instruction& user);
  // ranges.cpp
  Number wrapped(Number number, const llvm::Instruction& operation, bool cannot_wrap);
  void require_condition(Uses& uses, const isl::set& condition, const model::SourcePoint& where);
  Number non_negative(const llvm::Value* value, const llvm::Instruction& user);
  Number unsigned_data(const llvm::Value* value, const Number& as_signed);
  std::optional<Number> surely_non_negative(const llvm::Value* value,
                                            const llvm::Instruction& user);
  void require(Number& number, const llvm::Value* value, const llvm::BasicBlock* at,
               const isl::val& minimum, const isl::val& maximum, const model::SourcePoint& where);
  bool is_non_negative(const Number& number) const;
  // recurrences.cpp
  Number recurrence(const llvm::PHINode& phi);
  std::vector<Target> pointer_recurrence(const llvm::PHINode& phi);
  std::optional<Number> previous_value(const llvm::Loop* loop, const std::string& self,
                                       const Number& start, const Number& next);
  // carried.cpp
  struct Turn {
    Number start, next;  // in terms of the phi's symbol
    Condition stay;
  };
  Number carried(const llvm::PHINode& phi, const std::string& self, const Turn& turn);
  isl::set carried_values(const llvm::Loop* loop, const std::string& self, const Turn& turn,
                          const Condition& begin) const;
  Condition entered(const llvm::Loop* loop);
  bool never(const isl::set& happens) const { return symbols_.never(happens); }
  bool has_ends(const isl::set& values, const std::string& name) const;
  // conditions.cpp
  Condition evaluate_condition(const llvm::Value* value);
  Condition compare(const llvm::ICmpInst& compare);
  Condition compare_pointers(const llvm::ICmpInst& compare);
  Condition compare_numbers(const llvm::ICmpInst& compare, const Number& a, const Number& b);
  Condition merge_condition(const llvm::PHINode& phi);
  Condition unknown_condition(const llvm::Value& value, const std::string& text);
  Condition unknown_condition(const std::string& text, const model::SourcePoint& where,
                              const llvm::Loop* scope);
  Condition within_limits(const llvm::Value& value, const std::function<Condition()>& evaluate);
  // flags.cpp
  bool is_flag(const llvm::Value* value);
  bool joins_flags(const llvm::Instruction& instruction);
  Condition lowest_bit(const llvm::Value* value);
  Condition evaluate_lowest_bit(const llvm::Value* value);
  static Condition join(unsigned opcode, const Condition& a, const Condition& b);
  static Condition choose(const Condition& when, const Condition& a, const Condition& b);
  Number where(const Condition& when, const Number& value) const;
  std::optional<Number> masked(const llvm::BinaryOperator& operation);
  const llvm::Value* flag_of_mask(const llvm::BinaryOperator& operation, const llvm::Value* side);
  std::optional<Condition> compare_flag(const llvm::ICmpInst& comparison);
  // domains.cpp
  Condition find_domain(const llvm::BasicBlock* block);
  Condition reach(const llvm::BasicBlock* block, const llvm::BasicBlock* from);
  Condition find_reach(const llvm::BasicBlock* block, const llvm::BasicBlock* from);
  Condition edge(const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  Condition through(const llvm::BasicBlock* from, const llvm::BasicBlock* to,
                    const llvm::BasicBlock* start);
  isl::set in_some_iteration(const isl::set& inside, const llvm::Loop* loop);
  Condition iterations(const llvm::Loop* loop);
  Condition count_iterations(const llvm::Loop* loop);
  const llvm::BasicBlock* before_merge(const llvm::BasicBlock* block) const;
  Condition stays(const llvm::Loop* loop);
  /// Prepares Symbols::at_exit for leaving `loop` by the edge `from` -> `to`: what that relies on.
  Uses leave(const llvm::Loop* loop, const llvm::BasicBlock* from, const llvm::BasicBlock* to);
  // pointers.cpp
  std::vector<Target> evaluate_targets(const llvm::Value* pointer);
  std::vector<Target> add_offset(const llvm::GEPOperator& gep);
  std::vector<Target> loaded_pointer(const llvm::LoadInst& load);
  std::vector<Target> merge_targets(const llvm::PHINode& phi);
  bool is_read_only(const llvm::Argument& argument);

  struct Layer {
    std::map<const llvm::Value*, Number> numbers;
    std::map<const llvm::Value*, Number> unsigned_numbers;  // data read as unsigned
    std::map<const llvm::Value*, Condition> conditions;  // of integers: when the lowest bit is set
    std::map<const llvm::Value*, std::vector<Target>> targets;
    std::map<std::pair<const llvm::BasicBlock*, const llvm::BasicBlock*>, Condition> reach;
    std::map<const llvm::Loop*, Condition> iterations;
    std::map<const llvm::BasicBlock*, Condition> domains;
  };
  /// Evaluation in terms of a phi that is not known yet. What was found is forgotten at its end,
  /// also when a limit of isl was reached.
  class Trial {
   public:
    explicit Trial(Evaluator& evaluator, const std::string& self = {});
    ~Trial();
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;

   private:
    Evaluator& evaluator_;
    std::string self_;
  };

  template <class Map>
  const typename Map::mapped_type* find(Map Layer::* map, const typename Map::key_type& key) const {
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer)
      if (auto found = ((*layer).*map).find(key); found != ((*layer).*map).end())
        return &found->second;
    return nullptr;
  }

  llvm::Function& function_;
  Symbols& symbols_;
  model::Steps steps_;  // a value, a condition, a way from block to block
  llvm::DominatorTree dominators_;
  llvm::PostDominatorTree post_dominators_;
  llvm::LoopInfo loops_;
  std::vector<Layer> layers_;      // the last is for values that depend on an unresolved phi
  std::set<std::string> pending_;  // symbols of phis that are being recognised
  std::set<std::string> carried_;  // symbols of phis that have bounds at each launch
  std::map<const llvm::Argument*, bool> read_only_;
  std::map<const llvm::Value*, bool> flags_;
  std::vector<Requirement> requirements_;
  std::optional<std::vector<Monomial>> divisors_;  // by which the kernel divides
  std::map<std::pair<const llvm::Loop*, const llvm::BasicBlock*>, Uses> exits_;
};

/// Where the user wrote it (innermost place of inlined code).
model::SourcePoint source_point(const llvm::DebugLoc& location);
model::SourcePoint source_point(const llvm::Instruction& instruction);

inline constexpr char too_complex_condition[] =
    "a condition too complex for the limits of the analysis";

const llvm::Value* part_of_struct(const llvm::Value* value);

/// Union of what two results rely on.
Uses together(const Uses& a, const Uses& b);

/// What both say, kept small: coalesced.
isl::set either(const isl::set& a, const isl::set& b);

}  // namespace gridspan::analysis
