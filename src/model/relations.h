// An access relation as a set of elements, its dimensions as parameters.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

namespace gridspan::model {

/// Names of a relation's input dimensions.
std::vector<std::string> input_names(const isl::map& relation);

/// The elements an instance touches, without the constraints that `dimension_facts` of the
/// relation's dimensions imply. Products whose base is one number in a piece are replaced there.
isl::set without_facts(const Kernel& kernel, const isl::map& relation);

/// `set` with parameter `name` called `other`, or fixed to an affine `value` in isl text that
/// speaks of the parameters `of`.
isl::set rename_parameter(isl::set set, const std::string& name, const std::string& other);
isl::set fix_parameter(const isl::set& set, const std::string& name, const std::string& value,
                       const std::vector<std::string>& of);

/// Whether every subscript has two ends, as functions of the parameters.
bool is_bounded(const isl::set& image);

/// The elements of `image` whose inner subscripts lie within these extents: elements have one name
/// each then.
isl::set within_rows(isl::set image, const std::vector<isl::pw_aff>& extents);

/// { : text } over the parameters `names`, which may carry primes.
isl::set condition(isl::ctx context, const std::vector<std::string>& names,
                   const std::string& text);

/// first <= product <= last for a product P*d between two of its values, whatever the sign of P.
isl::set between(const Kernel& kernel, const Dimension& product, const std::string& first,
                 const std::string& last);

}  // namespace gridspan::model
