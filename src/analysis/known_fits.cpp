// Looking for equals; kernels have few offsets.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "analysis/known_fits.h"

#include <algorithm>

namespace gridspan::analysis {
namespace {

bool same(const isl::set& a, const isl::set& b) {
  return isl_set_plain_is_equal(a.get(), b.get()) == isl_bool_true;
}

/// Of one kind, too: what does not fit counts more for writes.
bool same(const Offset& a, const Offset& b) {
  constexpr auto read = model::AccessKind::read;
  return a.access->bytes == b.access->bytes &&
         (a.access->kind == read) == (b.access->kind == read) &&
         isl_aff_plain_is_equal(a.value.get(), b.value.get()) == isl_bool_true &&
         same(a.asked, b.asked);
}

}  // namespace

void add_new(const std::vector<isl::set>& more, std::vector<isl::set>& conditions) {
  for (const isl::set& condition : more)
    if (std::ranges::none_of(conditions, [&](auto& known) { return same(known, condition); }))
      conditions.push_back(condition);
}

const Fit* KnownFits::find(const Offset& offset, long element_bytes, const Strides& strides) const {
  for (const KnownFit& known : fits_)
    if (known.element_bytes == element_bytes && known.strides == strides &&
        same(known.offset, offset))
      return &known.fit;
  return nullptr;
}

const Fit& KnownFits::add(const Offset& offset, long element_bytes, const Strides& strides,
                          Fit fit) {
  fits_.push_back({offset, element_bytes, strides, std::move(fit)});
  return fits_.back().fit;
}

const isl::set* KnownFits::domain(const isl::set& domain,
                                  const std::vector<std::string>& names) const {
  for (const KnownDomain& known : domains_)
    if (known.names == names && same(known.domain, domain)) return &known.with_facts;
  return nullptr;
}

void KnownFits::add_domain(const isl::set& domain, const std::vector<std::string>& names,
                           const isl::set& with_facts) {
  domains_.push_back({domain, names, with_facts});
}

}  // namespace gridspan::analysis
