// Looks for parameters in footprints, extents, assumptions and axes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/read_movers.h"

#include "model/mentions.h"

#include <algorithm>

namespace gridspan::model {

namespace {

using Names = std::set<std::string>;

Names sources_of_footprint(const Kernel& kernel, const AccessSet& set) {
  Names names;
  for (const FootprintPiece& piece : set.pieces) {
    if (!piece.image.is_null()) names.merge(sources_of(kernel, piece.image));
    for (const NativeLoop& loop : piece.loops) {
      if (!loop.last.is_null()) names.merge(sources_of(kernel, loop.last));
      for (const Dimension& product : loop.products)
        names.merge(sources_of(kernel, product.factor));
    }
  }
  return names;
}

Names sources_of_assumption(const Kernel& kernel, const Assumption& assumption) {
  Names names;
  if (!assumption.condition.is_null()) names.merge(sources_of(kernel, assumption.condition));
  if (!assumption.domain.is_null()) names.merge(sources_of(kernel, assumption.domain));
  if (!assumption.value.is_null()) names.merge(sources_of(kernel, assumption.value));
  return names;
}

bool is_only_read(const Array& array) {
  return array.argument >= 0 && std::ranges::all_of(array.sets, [](const AccessSet& set) {
           return set.kind == SetKind::read;
         });
}

/// What fixes anything but a read.
Names fixed(const Kernel& kernel) {
  Names names;
  for (const Array& array : kernel.arrays) {
    for (const isl::pw_aff& extent : array.extents) names.merge(sources_of(kernel, extent));
    if (is_only_read(array)) continue;
    for (const AccessSet& set : array.sets) names.merge(sources_of_footprint(kernel, set));
  }
  for (const Assumption& assumption : kernel.assumptions)
    names.merge(sources_of_assumption(kernel, assumption));
  for (const AxisSplit& axis : kernel.axes)
    if (!axis.legal.is_null()) names.merge(sources_of(kernel, axis.legal));
  return names;
}

}  // namespace

Names read_movers(const Kernel& kernel) {
  Names movers;
  const Names others = fixed(kernel);
  for (const Parameter& parameter : kernel.parameters)
    if (parameter.kind == Parameter::Kind::argument && !others.contains(parameter.name))
      movers.insert(parameter.name);
  return movers;
}

bool is_moved_by(const Names& movers, const Kernel& kernel, const AccessSet& set) {
  return std::ranges::any_of(sources_of_footprint(kernel, set),
                             [&](const std::string& name) { return movers.contains(name); });
}

}  // namespace gridspan::model
