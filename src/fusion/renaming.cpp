// Names in isl's objects: those of parameters, and of a relation's input dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/renaming.h"

#include <sstream>
#include <vector>

namespace gridspan::fusion {
namespace {

/// Calls `set_name(type, position, name)` for each dimension that gets a name. Twice, since a new
/// name may be the old one of another dimension.
template <class NameOf, class SetName>
void give_names(unsigned count, const NewNames& names, NameOf name_of, SetName set_name) {
  std::vector<std::pair<unsigned, std::string>> wanted;
  for (unsigned i = 0; i < count; ++i) {
    const char* name = name_of(i);
    const auto found = name == nullptr ? names.end() : names.find(name);
    if (found == names.end() || found->second == found->first) continue;
    wanted.emplace_back(i, found->second);
    set_name(i, found->first + "''");
  }
  for (const auto& [position, name] : wanted) set_name(position, name);
}

}  // namespace

const std::string& renamed(const std::string& name, const NewNames& names) {
  const auto found = names.find(name);
  return found == names.end() ? name : found->second;
}

isl::set renamed(const isl::set& set, const NewNames& names) {
  isl_set* result = set.copy();
  give_names(
      static_cast<unsigned>(isl_set_dim(result, isl_dim_param)), names,
      [&](unsigned i) { return isl_set_get_dim_name(result, isl_dim_param, i); },
      [&](unsigned i, const std::string& name) {
        result = isl_set_set_dim_name(result, isl_dim_param, i, name.c_str());
      });
  return isl::manage(result);
}

isl::map renamed(const isl::map& relation, const NewNames& names) {
  isl_map* result = relation.copy();
  for (const isl_dim_type type : {isl_dim_param, isl_dim_in}) {
    give_names(
        static_cast<unsigned>(isl_map_dim(result, type)), names,
        [&](unsigned i) { return isl_map_get_dim_name(result, type, i); },
        [&](unsigned i, const std::string& name) {
          result = isl_map_set_dim_name(result, type, i, name.c_str());
        });
  }
  return isl::manage(result);
}

isl::pw_aff renamed(const isl::pw_aff& value, const NewNames& names) {
  isl_pw_aff* result = value.copy();
  give_names(
      static_cast<unsigned>(isl_pw_aff_dim(result, isl_dim_param)), names,
      [&](unsigned i) { return isl_pw_aff_get_dim_name(result, isl_dim_param, i); },
      [&](unsigned i, const std::string& name) {
        result = isl_pw_aff_set_dim_id(result, isl_dim_param, i,
                                       isl_id_alloc(value.ctx().get(), name.c_str(), nullptr));
      });
  return isl::manage(result);
}

model::Parameter renamed(model::Parameter parameter, isl::ctx context, const NewNames& names) {
  parameter.name = renamed(parameter.name, names);
  for (std::string& factor : parameter.factors) factor = renamed(factor, names);
  if (parameter.expression.empty()) return parameter;
  std::ostringstream text;
  text << renamed(isl::pw_aff(context, parameter.expression), names);
  parameter.expression = text.str();
  return parameter;
}

model::Dimension renamed(model::Dimension dimension, const NewNames& names) {
  dimension.name = renamed(dimension.name, names);
  dimension.factor = renamed(dimension.factor, names);
  dimension.base = renamed(dimension.base, names);
  return dimension;
}

}  // namespace gridspan::fusion
