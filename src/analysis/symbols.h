// The symbols of one kernel's analysis: parameters, dimensions, values of data.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// While a kernel is analysed every symbol is an isl parameter, known by name. Products of symbols
// are symbols of their own, so expressions stay affine: multiplying is `multiply`, and `monomial`
// tells what a product symbol stands for.
#pragma once

#include "model/kernel.h"

#include "llvm/Analysis/LoopInfo.h"

#include <array>
#include <map>
#include <set>
#include <sstream>

namespace gridspan::analysis {

/// The atomic symbols of a product, sorted; repeated for powers.
using Monomial = std::vector<std::string>;

struct Divided {
  isl::pw_aff quotient, remainder;
  model::OrNull<isl::set> relies_on;  // of the launch: that the steps of the division are positive
};

/// An affine expression as coefficients by symbol; absent when it has integer divisions.
struct Linear {
  std::map<std::string, isl::val> terms;
  isl::val constant;
};
std::optional<Linear> linear(const isl::aff& value);

struct Symbol {
  enum class Kind {
    parameter,  // fixed for the launch
    dimension,  // of the model
    defined,    // equals an expression of other symbols: `definition`
    data,       // comes from memory or from something we do not follow
  };
  std::string name;
  Kind kind = Kind::data;
  Monomial monomial;
  const llvm::Loop* scope = nullptr;   // varies in this loop and those around it
  model::OrNull<isl::set> definition;  // null: nothing known
  std::string text;                    // data: what it is, for a person
  model::SourcePoint where;
};

class Symbols {
 public:
  Symbols(model::Kernel& kernel, isl::ctx context);

  std::string grid_dim(unsigned axis);
  std::string block_dim(unsigned axis);
  std::string block_index(unsigned axis);
  std::string thread_index(unsigned axis);
  /// The integer of `bytes` bytes at `offset` of a kernel argument.
  std::string argument(unsigned index, unsigned offset, unsigned bytes, const std::string& hint);
  std::string loop_counter(const llvm::Loop* loop, const model::SourcePoint& where);
  /// A value nothing is known of but, if given, its bounds (inclusive; the upper one may be
  /// infinite).
  std::string data(const std::string& text, const model::SourcePoint& where,
                   const llvm::Loop* scope);
  std::string bounded_data(const std::string& text, const model::SourcePoint& where,
                           const llvm::Loop* scope, const isl::val& minimum,
                           const isl::val& maximum);
  /// Says more of the data symbol that `symbol` is.
  void define(const isl::pw_aff& symbol, const isl::set& definition);
  /// A symbol that equals `value`: a parameter when it depends on parameters only.
  std::string defined(const isl::pw_aff& value);
  /// floor(value / by), and what is left.
  isl::pw_aff quotient(const isl::pw_aff& value, const isl::val& by);
  isl::pw_aff remainder(const isl::pw_aff& value, const isl::val& by);

  /// A parameter that equals `count`. Whoever speaks of it relies on the launch being such that
  /// `divisor` times the parameter are `times` times `threads`, all fixed for the launch.
  std::string whole_count(const isl::pw_aff& count, const isl::pw_aff& threads,
                          const isl::val& times, const isl::val& divisor);

  /// a * b; never fails: what is not a sum of products becomes data.
  isl::pw_aff multiply(const isl::pw_aff& a, const isl::pw_aff& b);

  /// floor(dividend / divisor) and what is left, for dividend >= 0 and divisor >= 1, which is taken
  /// for granted; absent when the divisor is not fixed for the launch. `divisors` are the products
  /// by which the kernel divides.
  std::optional<Divided> divide(const isl::pw_aff& dividend, const isl::pw_aff& divisor,
                                const std::vector<Monomial>& divisors);
  /// The same sum with n*(i / n) + i % n written as i, and i - n*(i / n) as i % n.
  isl::pw_aff recombined(const isl::pw_aff& sum);
  /// i - i % n written as n*(i / n), where `dividend` is one expression: what is divided next.
  isl::pw_aff without_remainders(isl::pw_aff dividend);
  /// The factors of a divisor, if it is a product of parameters.
  Monomial factors(const isl::pw_aff& value);

  const Symbol& operator[](const std::string& name) const { return symbols_.at(name); }
  bool is_parameter(const std::string& name) const;
  isl::pw_aff value(const std::string& name) const {
    return model::parameter_value(context_, name);
  }
  isl::pw_aff constant(long number) const { return model::constant_value(context_, number); }
  isl::ctx context() const { return context_; }
  isl::set universe() const;
  /// What holds of the dimensions among these names (see model::instance_facts).
  isl::set facts_about(const std::vector<std::string>& names) const;
  /// No thread at any launch gets there.
  bool never(const isl::set& happens) const;
  /// What holds at every launch of the parameters that occur in `set`.
  isl::set launch_facts(const isl::set& set) const;
  /// A condition that is no weaker than the complement of `broken`, if possible a single inequality
  /// that holds at ordinary launches; null when ordinary launches are broken.
  struct Avoidance {
    model::OrNull<isl::set> condition;
    bool is_natural = false;   // small and large launches alike fulfil it
    bool is_doubtful = false;  // a grid that covers the sizes exactly does not
  };
  /// Is there an ordinary launch at which `broken` has no point? Quick; if not, nothing is avoided.
  bool may_avoid(const isl::set& broken) const;
  /// No condition is chosen that rules out `happens`, what the access or value is needed for.
  /// `only_naturally`: no other condition will do.
  Avoidance avoiding(const isl::set& broken, const isl::set& happens,
                     bool only_naturally = false) const;
  /// Bounds of arguments by numbers, that are no weaker than the complement of `broken`.
  Avoidance avoiding_large_sizes(const isl::set& broken, const isl::set& happens) const;
  /// The complement of `broken`, though no sample fulfils it: programs choose offsets and the like
  /// in ways samples do not show. Null if it is empty.
  Avoidance avoiding_somehow(const isl::set& broken) const;
  /// `set` without everything but parameters: for which launches it has a point.
  isl::set over_parameters(isl::set set) const;

  /// The symbol that stands for this product, made if need be.
  std::string product(Monomial atoms);

  /// The product dimension of this name, if it is one; the next symbol made may move it.
  const model::Dimension* product_dimension(const std::string& name) const;
  /// Is this dimension the counter of a loop?
  bool is_counter(const std::string& name) const;

  /// Counter of a loop that has one, else empty.
  std::string counter_of(const llvm::Loop* loop) const;

  /// Does this symbol change its value while `loop` runs?
  bool varies_in(const std::string& name, const llvm::Loop* loop) const;
  bool varies_in(const isl::pw_aff& value, const llvm::Loop* loop) const;

  /// `set` and the definitions of all symbols it or `names` involves, and of those these involve,
  /// ...
  isl::set with_definitions(isl::set set, const std::vector<std::string>& names = {}) const;

  /// The iteration in which a loop is left to go to `key` has names of its own for what varies in
  /// the loop. `exit` says, of the loop's own symbols, when it is left that way; it is needed the
  /// first time only.
  void define_exit(const llvm::Loop* loop, const void* key, const isl::set& exit);
  isl::set at_exit(isl::set set, const llvm::Loop* loop, const void* key);
  isl::pw_aff at_exit(isl::pw_aff value, const llvm::Loop* loop, const void* key);

  /// A copy of `set` that speaks of the previous iteration of `loop`: its counter is one less, its
  /// data are others.
  isl::set in_previous_iteration(const isl::set& set, const llvm::Loop* loop);

  /// When `set` holds in some iteration of `loop`. No symbol is left that stands for that
  /// iteration: "not in that one" is what a complement would make of it, not "in none".
  struct SomeIteration {
    model::OrNull<isl::set> may_hold;
    const Symbol* depends_on = nullptr;  // data: whether it does hold depends on them, too
  };
  SomeIteration of_some_iteration(const isl::set& set, const llvm::Loop* loop) const;

  std::vector<std::string> names_of(Symbol::Kind kind) const;

 private:
  const Symbol& add(Symbol symbol);
  std::string fresh(const std::string& hint);
  std::string expression(const isl::pw_aff& value, const std::string& text,
                         const std::string& hint);
  std::string add_parameter(model::Parameter parameter);
  isl::pw_aff multiply_pieces(const isl::aff& a, const isl::aff& b);
  std::string indexed(const char* base, unsigned axis, model::Parameter::Kind kind);
  std::string indexed(const char* base, unsigned axis, model::Dimension::Kind kind);
  static bool follows_from_counters(const Symbol& symbol);
  std::string exit_name(const std::string& name, const llvm::Loop* loop,
                        std::map<std::string, std::string>& names);

  // quotients.cpp
  struct Divisor {
    isl::val number;
    Monomial atoms;
  };
  struct Division {
    std::string text;  // of the dividend
    isl::pw_aff dividend;
    Divisor divisor;
    std::string quotient, remainder;
  };
  std::optional<Divisor> divisor(const isl::pw_aff& value);
  isl::pw_aff value_of(const Divisor& divisor);
  Divided divide(const isl::pw_aff& dividend, const Divisor& divisor,
                 const std::vector<Monomial>& divisors);
  std::optional<Divided> whole_multiple(const isl::pw_aff& dividend, const Divisor& divisor);
  std::string quotient(const isl::pw_aff& dividend, const isl::pw_aff& divisor);
  const Division& division(const isl::pw_aff& dividend, const Divisor& divisor);
  std::optional<std::string> known_product(const Monomial& atoms) const;
  isl::set with_quotients(isl::set set) const;
  // quotients_by_numbers.cpp
  bool is_thread_rank(const isl::pw_aff& value) const;
  std::optional<Linear> linear_with_quotients(const isl::aff& value);
  bool can_be_quotient(const isl::pw_aff& dividend) const;
  isl::set below_counts(isl::set set) const;
  bool counts_warps() const { return !whole_counts_.empty(); }
  isl::pw_aff recombined(isl::pw_aff value, const isl::aff& expression);
  std::optional<isl::pw_aff> put_together(const isl::pw_aff& sum, const Linear& terms,
                                          const Division& division);
  std::optional<isl::pw_aff> take_remainder_off(const isl::pw_aff& sum, const Linear& terms,
                                                const Division& division);
  std::optional<isl::pw_aff> recognise_remainder(const isl::pw_aff& sum, const Linear& terms,
                                                 const Division& division);

  model::Kernel& kernel_;
  isl::ctx context_;
  std::map<std::string, Symbol> symbols_;
  std::map<std::string, unsigned> numbered_;  // how many symbols of this name there are
  std::vector<Division> divisions_;
  struct WholeCount {
    std::string name;
    isl::pw_aff dividend;
    isl::val divisor;
  };
  std::map<std::string, WholeCount> whole_counts_;  // text of the expression -> parameter
  mutable std::map<std::pair<std::string, std::string>, bool> is_below_;
  std::map<Monomial, std::string> products_;
  std::map<const llvm::Loop*, std::string> counters_;
  isl::set ordinary_launch(long extent) const;
  const isl::set& tiled_launch(const std::array<long, 3>& tile) const;
  struct Extents {
    long grid[3], block[3];
  };
  isl::set launch(const Extents& extents,
                  const std::function<long(const model::Parameter&)>& argument) const;
  struct Samples {
    model::OrNull<isl::set> large, modest, any;
    std::vector<isl::set> launches;  // each alone
  };
  const Samples& sample_launches() const;

  // avoidance.cpp
  struct Avoided {
    isl::set broken, when;
    bool only_naturally;
    Avoidance how;
  };
  Avoidance naturally_avoiding(const isl::set& broken, const isl::set& when,
                               bool only_naturally) const;
  Avoidance avoiding_at_samples(const isl::set& broken) const;
  bool fails_when_tiled(const isl::set& condition) const;

  mutable std::vector<Avoided> avoided_;  // answers: accesses are often alike
  mutable Samples samples_;
  mutable std::map<std::array<long, 3>, isl::set> tiled_;
  mutable std::size_t sampled_ = 0;  // parameters the samples know
  std::optional<isl::val> largest(const model::Parameter& product) const;
  isl::set least(const model::Parameter& product) const;
  void bound_products() const;

  mutable std::size_t bounded_ = 0;  // parameters whose bounds are in the kernel's context

  // Facts by dimensions and by how many parameters there were: products bring facts with them.
  mutable std::map<std::pair<std::vector<std::string>, std::size_t>, isl::set> facts_;
  std::map<std::pair<const llvm::Loop*, const void*>, std::map<std::string, std::string>> exits_;
  std::map<std::string, std::string> defined_;  // text of the expression -> symbol
};

/// The pieces of a piecewise expression.
struct Piece {
  isl::set domain;
  isl::aff value;
};
std::vector<Piece> pieces(const isl::pw_aff& value);

/// isl's text of an object.
template <class Object>
std::string text_of(const Object& object) {
  std::ostringstream text;
  text << object;
  return text.str();
}

/// Coalesced, if there is anything to coalesce.
isl::set tidy(const isl::set& set);

/// Renames parameters of a set.
isl::set rename_parameter(isl::set set, const std::string& from, const std::string& to);

}  // namespace gridspan::analysis
