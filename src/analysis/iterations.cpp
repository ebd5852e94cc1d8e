// Symbols of other iterations: the one before, the one that leaves, some one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/symbols.h"

#include <algorithm>

namespace gridspan::analysis {

/// Names made where a limit is reached are forgotten: their definitions may be missing, without
/// which they stand for more than they should.
template <class Work>
static void all_or_none(std::map<std::string, std::string>& names, const Work& work) {
  const std::map<std::string, std::string> before = names;
  try {
    work();
  } catch (...) {
    names = before;
    throw;
  }
}

isl::set rename_parameter(isl::set set, const std::string& from, const std::string& to) {
  int position = isl_set_find_dim_by_name(set.get(), isl_dim_param, from.c_str());
  if (position < 0) return set;
  isl_ctx* context = isl_set_get_ctx(set.get());
  return isl::manage(isl_set_set_dim_id(set.release(), isl_dim_param,
                                        static_cast<unsigned>(position),
                                        isl_id_alloc(context, to.c_str(), nullptr)));
}

/// Is its value known from those of the loops' counters, together with the definitions? Products
/// with a counter are only bounded by it.
bool Symbols::follows_from_counters(const Symbol& symbol) {
  return symbol.kind == Symbol::Kind::defined ||
         (symbol.kind == Symbol::Kind::dimension && symbol.monomial.size() == 1);
}

/// The symbol's name in the iteration that leaves. A counter becomes a counter of its own, so that
/// products with it stay dimensions.
std::string Symbols::exit_name(const std::string& name, const llvm::Loop* loop,
                               std::map<std::string, std::string>& names) {
  if (auto known = names.find(name); known != names.end()) return known->second;
  const Symbol symbol = symbols_.at(name);
  std::string result;
  if (symbol.kind == Symbol::Kind::dimension && symbol.monomial.size() > 1) {
    Monomial atoms;
    for (const std::string& atom : symbol.monomial)
      atoms.push_back(varies_in(atom, loop) ? exit_name(atom, loop, names) : atom);
    result = product(atoms);
  } else if (symbol.kind == Symbol::Kind::dimension) {
    model::Dimension dimension;
    dimension.name = result = fresh(name + "_last");
    dimension.kind = model::Dimension::Kind::loop;
    kernel_.dimensions.push_back(dimension);
    add({result, Symbol::Kind::dimension, {}, loop->getParentLoop(), {}, {}, symbol.where});
  } else {
    result = add({fresh(name + "_last"),
                  symbol.kind,
                  {},
                  loop->getParentLoop(),
                  {},
                  symbol.text,
                  symbol.where})
                 .name;
  }
  names[name] = result;
  if (!symbol.definition.is_null() && symbols_.at(result).definition.is_null()) {
    isl::set definition = symbol.definition;
    for (const std::string& part : model::involved_parameters(definition))
      if (varies_in(part, loop))
        definition = analysis::rename_parameter(definition, part, exit_name(part, loop, names));
    symbols_.at(result).definition = definition;
  }
  return result;
}

void Symbols::define_exit(const llvm::Loop* loop, const void* key, const isl::set& exit) {
  std::map<std::string, std::string>& names = exits_[{loop, key}];
  all_or_none(names, [&] {
    std::string last = exit_name(counter_of(loop), loop, names);
    // Whoever speaks of the last iteration's counter gets to know which that is.
    isl::set when = at_exit(with_definitions(exit), loop, key);
    if (!loop->getExitingBlock()) {
      // Whoever leaves another way has no such iteration: nothing is said of it then, lest a set
      // that is about both ways loses that one.
      std::vector<std::string> own;
      for (const auto& [name, own_name] : names) own.push_back(own_name);
      when = when.unite(model::project_out_parameters(when, own).complement());
    }
    symbols_.at(last).definition = when;
  });
}

isl::set Symbols::at_exit(isl::set set, const llvm::Loop* loop, const void* key) {
  std::map<std::string, std::string>& names = exits_.at({loop, key});
  all_or_none(names, [&] {
    for (const std::string& name : model::involved_parameters(set))
      if (varies_in(name, loop))
        set = analysis::rename_parameter(set, name, exit_name(name, loop, names));
  });
  return set;
}

isl::pw_aff Symbols::at_exit(isl::pw_aff value, const llvm::Loop* loop, const void* key) {
  std::map<std::string, std::string>& names = exits_.at({loop, key});
  all_or_none(names, [&] {
    for (const std::string& name : model::involved_parameters(value)) {
      if (!varies_in(name, loop)) continue;
      int position = isl_pw_aff_find_dim_by_name(value.get(), isl_dim_param, name.c_str());
      isl_id* id = isl_id_alloc(context_.get(), exit_name(name, loop, names).c_str(), nullptr);
      value = isl::manage(isl_pw_aff_set_dim_id(value.release(), isl_dim_param,
                                                static_cast<unsigned>(position), id));
    }
  });
  return value;
}

isl::set Symbols::in_previous_iteration(const isl::set& set, const llvm::Loop* loop) {
  isl::set before = with_definitions(set);
  const std::string counter = counter_of(loop);
  std::vector<std::string> gone;
  for (const std::string& name : model::involved_parameters(before)) {
    if (!varies_in(name, loop)) continue;
    const Symbol symbol = symbols_.at(name);
    const bool of_counter = symbol.kind == Symbol::Kind::dimension &&
                            std::ranges::find(symbol.monomial, counter) != symbol.monomial.end();
    if (!of_counter && !follows_from_counters(symbol)) {
      // Data of the iteration before still belong to the loop.
      const std::string earlier =
          add({fresh(name + "_of"), Symbol::Kind::data, {}, loop, {}, symbol.text, symbol.where})
              .name;
      before = rename_parameter(before, name, earlier);
      continue;
    }
    const std::string earlier = fresh(name + "_before");
    before = rename_parameter(before, name, earlier);
    gone.push_back(earlier);
    if (!of_counter) continue;
    Monomial step = symbol.monomial;
    step.erase(std::ranges::find(step, counter));
    isl::pw_aff difference = step.empty() ? constant(1) : value(product(step));
    before = before.intersect(value(earlier).eq_set(value(name).sub(difference)));
  }
  return model::project_out_parameters(before, gone);
}

Symbols::SomeIteration Symbols::of_some_iteration(const isl::set& set,
                                                  const llvm::Loop* loop) const {
  const isl::set all = with_definitions(set);
  SomeIteration result;
  std::vector<std::string> gone;
  for (const std::string& name : model::involved_parameters(all)) {
    if (!varies_in(name, loop)) continue;
    gone.push_back(name);
    const Symbol& symbol = symbols_.at(name);
    if (!result.depends_on && !follows_from_counters(symbol)) result.depends_on = &symbol;
  }
  result.may_hold = tidy(model::project_out_parameters(all, gone));
  return result;
}

}  // namespace gridspan::analysis
