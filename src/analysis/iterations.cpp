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

/// Renames what varies in `loop`; definitions of renamed symbols come along.
isl::set Symbols::renamed(isl::set set, const llvm::Loop* loop,
                          std::map<std::string, std::string>& names, bool keep_counter) {
  set = with_definitions(set);
  std::string counter = counter_of(loop);
  for (const std::string& name : model::involved_parameters(set)) {
    if (!varies_in(name, loop)) continue;
    const Symbol& symbol = symbols_.at(name);
    bool of_counter = std::ranges::find(symbol.monomial, counter) != symbol.monomial.end();
    if (keep_counter && of_counter && symbol.kind == Symbol::Kind::dimension) {
      names[name] = fresh(name + "_before");
    } else {
      // A value of another iteration. That there is such a counter is all that is said of it, which
      // is exact; products with a counter are only bounded by it.
      bool exact = symbol.kind == Symbol::Kind::defined ||
                   (symbol.kind == Symbol::Kind::dimension && symbol.monomial.size() == 1);
      names[name] = add({fresh(name + "_of"),
                         exact ? Symbol::Kind::defined : Symbol::Kind::data,
                         {},
                         loop->getParentLoop(),
                         {},
                         symbol.text,
                         symbol.where})
                        .name;
    }
    set = rename_parameter(set, name, names[name]);
  }
  return set;
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
  std::map<std::string, std::string> names;
  isl::set before = renamed(set, loop, names, true);
  std::string counter = counter_of(loop);
  for (const auto& [now, earlier] : names) {
    const Symbol& symbol = symbols_.at(now);
    bool of_counter = symbol.kind == Symbol::Kind::dimension &&
                      std::ranges::find(symbol.monomial, counter) != symbol.monomial.end();
    if (!of_counter) {
      // Data of the iteration before still belong to the loop.
      symbols_.at(earlier).scope = loop;
      continue;
    }
    Monomial step = symbol.monomial;
    step.erase(std::ranges::find(step, counter));
    isl::pw_aff difference = step.empty() ? constant(1) : value(product(step));
    before = before.intersect(value(earlier).eq_set(value(now).sub(difference)));
    before = before.project_out_param(earlier);
  }
  return before;
}

isl::set Symbols::of_some_iteration(const isl::set& set, const llvm::Loop* loop) {
  std::map<std::string, std::string> names;
  return renamed(set, loop, names, false);
}

}  // namespace gridspan::analysis
