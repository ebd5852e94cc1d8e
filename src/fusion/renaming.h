// A kernel's model with other names for its parameters and dimensions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/kernel.h"

#include <map>
#include <string>

namespace gridspan::fusion {

/// Old name -> new name; names that are not in it stay.
using NewNames = std::map<std::string, std::string>;

const std::string& renamed(const std::string& name, const NewNames& names);
isl::set renamed(const isl::set& set, const NewNames& names);
isl::map renamed(const isl::map& relation, const NewNames& names);
isl::pw_aff renamed(const isl::pw_aff& value, const NewNames& names);
model::Parameter renamed(model::Parameter parameter, isl::ctx context, const NewNames& names);
model::Dimension renamed(model::Dimension dimension, const NewNames& names);

}  // namespace gridspan::fusion
