// Boxes.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/boxes.h"

#include <algorithm>

namespace gridspan::model {
namespace {

long end_of(const isl::val& value, long otherwise) {
  if (!value.is_int() || value.abs().gt(isl::val(value.ctx(), endless))) return otherwise;
  return value.num_si();
}

template <class Number>
bool contains(const BoxOf<Number>& large, const BoxOf<Number>& small) {
  for (std::size_t i = 0; i < large.size(); ++i)
    if (small[i].first < large[i].first || large[i].end < small[i].end) return false;
  return true;
}

// Boxes that differ along one dimension, where they meet, are one.
template <class Number>
std::optional<BoxOf<Number>> as_one(const BoxOf<Number>& a, const BoxOf<Number>& b) {
  std::optional<std::size_t> different;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a[i] == b[i]) continue;
    if (different) return std::nullopt;
    different = i;
  }
  if (!different) return a;
  const RangeOf<Number>&x = a[*different], &y = b[*different];
  if (x.end < y.first || y.end < x.first) return std::nullopt;
  BoxOf<Number> both = a;
  both[*different] = {std::min(x.first, y.first), std::max(x.end, y.end)};
  return both;
}

template <class Number>
void leave_out_contained(std::vector<BoxOf<Number>>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    std::size_t at = 0;
    std::erase_if(boxes, [&, large = boxes[i]](const BoxOf<Number>& box) {
      const std::size_t here = at++;
      return here > i && contains(large, box);
    });
  }
}

template <class Number>
void unite_neighbours(std::vector<BoxOf<Number>>& boxes) {
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    for (std::size_t j = 0; j < boxes.size(); ++j) {
      if (i == j) continue;
      std::optional<BoxOf<Number>> both = as_one(boxes[i], boxes[j]);
      if (!both) continue;
      boxes[i] = *both;
      boxes.erase(boxes.begin() + static_cast<std::ptrdiff_t>(j));
      return unite_neighbours(boxes);
    }
  }
}

// `box` without `other`, slab by slab.
template <class Number>
void subtract(BoxOf<Number> box, const BoxOf<Number>& other, std::vector<BoxOf<Number>>& rest) {
  if (is_empty(meet(box, other))) {
    rest.push_back(box);
    return;
  }
  for (std::size_t i = 0; i < box.size(); ++i) {
    BoxOf<Number> below = box, above = box;
    below[i].end = std::max(box[i].first, other[i].first);
    above[i].first = std::min(box[i].end, other[i].end);
    if (!below[i].is_empty()) rest.push_back(below);
    if (!above[i].is_empty()) rest.push_back(above);
    box[i] = {below[i].end, above[i].first};
  }
}

}  // namespace

std::optional<Box> box_around(const isl::set& set) {
  if (set.is_empty()) return std::nullopt;
  Box box;
  const int rank = isl_set_dim(set.get(), isl_dim_set);
  for (int i = 0; i < rank; ++i) {
    const isl::val first = isl::manage(isl_set_dim_min_val(set.copy(), i));
    const isl::val last = isl::manage(isl_set_dim_max_val(set.copy(), i));
    box.push_back({end_of(first, -endless), end_of(last, endless) + 1});
  }
  return box;
}

bool is_filled(const Box& box, const isl::set& set) {
  isl_set* filled = isl_set_universe(set.space().release());
  for (std::size_t i = 0; i < box.size(); ++i) {
    const auto at = static_cast<unsigned>(i);
    isl_ctx* context = set.ctx().get();
    filled = isl_set_lower_bound_val(filled, isl_dim_set, at,
                                     isl_val_int_from_si(context, box[i].first));
    filled = isl_set_upper_bound_val(filled, isl_dim_set, at,
                                     isl_val_int_from_si(context, box[i].end - 1));
  }
  return isl::manage(filled).is_subset(set);
}

bool is_covered(const Box& box, const std::vector<Box>& others) {
  std::vector<Box> rest = {box};
  for (const Box& other : others) {
    std::vector<Box> left;
    for (const Box& part : rest) subtract(part, other, left);
    rest = std::move(left);
  }
  return rest.empty();
}

template <class Number>
std::vector<BoxOf<Number>> apart(const std::vector<BoxOf<Number>>& boxes) {
  std::vector<BoxOf<Number>> open = boxes, result;
  std::ranges::reverse(open);
  leave_out_contained(open);
  std::ranges::reverse(open);
  leave_out_contained(open);
  unite_neighbours(open);
  for (const BoxOf<Number>& box : open) {
    std::vector<BoxOf<Number>> rest = {box};
    for (const BoxOf<Number>& earlier : result) {
      std::vector<BoxOf<Number>> left;
      for (const BoxOf<Number>& part : rest) subtract(part, earlier, left);
      rest = std::move(left);
    }
    result.insert(result.end(), rest.begin(), rest.end());
  }
  unite_neighbours(result);
  return result;
}

template std::vector<Box> apart(const std::vector<Box>& boxes);
template std::vector<BoxOf<Samples>> apart(const std::vector<BoxOf<Samples>>& boxes);

}  // namespace gridspan::model
