// What must fit in the numbers that footprints compute with (launch_values.h).
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/isl.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace gridspan::codegen {

struct FitNeeds {
  std::set<std::string> names;  // parameters and part parameters
  std::vector<std::pair<std::string, isl::pw_aff>>
      products;  // parameter times value over parameters

  void add(const FitNeeds& others) {
    names.insert(others.names.begin(), others.names.end());
    products.insert(products.end(), others.products.begin(), others.products.end());
  }
};

}  // namespace gridspan::codegen
