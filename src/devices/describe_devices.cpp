// Each kind describes all of its terms; then they are put in order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/describe_devices.h"

#include <algorithm>
#include <iterator>
#include <string>
#include <utility>

namespace gridspan::devices {

using support::DeviceTerm;

support::Result<std::vector<DescribedDevice>> describe_devices(std::span<const DeviceTerm> terms,
                                                               unsigned threads) {
  DescribedTerms in_order(terms.size());
  for (const Kind& kind : kinds()) {
    const auto is_its = [&](const DeviceTerm& term) { return word_of(term).kind == kind.name; };
    std::vector<DeviceTerm> own;
    std::ranges::copy_if(terms, std::back_inserter(own), is_its);
    if (own.empty()) continue;
    auto described = kind.describe(own, threads);
    if (!described) return support::fail(described.error());
    auto next = described->begin();
    for (std::size_t i = 0; i < terms.size(); ++i)
      if (is_its(terms[i])) in_order[i] = std::move(*next++);
  }
  std::vector<DescribedDevice> all;
  for (auto& devices : in_order) std::ranges::move(devices, std::back_inserter(all));
  if (all.size() > max_devices) {
    return support::fail("GRIDSPAN_DEVICES: " + std::to_string(all.size()) +
                         " devices are too many; at most " + std::to_string(max_devices));
  }
  return all;
}

}  // namespace gridspan::devices
