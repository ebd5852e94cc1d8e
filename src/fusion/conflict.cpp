// Conflicts between launches.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "fusion/conflict.h"

#include "model/factors.h"
#include "model/proof.h"

#include <algorithm>

namespace gridspan::fusion {

using model::Access;
using model::AccessKind;

namespace {

/// Of two arrays that launches call by other names.
bool may_overlap(const std::map<unsigned, Launch::Pointees>& one, unsigned earlier,
                 const std::map<unsigned, Launch::Pointees>& other, unsigned later) {
  const auto first = one.find(earlier), second = other.find(later);
  if (first == one.end() || second == other.end()) return false;
  if (std::ranges::count(first->second.apart, second->second.value) != 0) return false;
  if (first->second.anywhere || second->second.anywhere) return true;
  return std::ranges::any_of(first->second.memory, [&](std::uint64_t value) {
    return std::ranges::count(second->second.memory, value) != 0;
  });
}

/// Of an axis, to find out whether a block needs most of them.
constexpr long few_blocks = 7;

bool writes(const Access& access) { return access.kind != AccessKind::read; }

bool is_of_floats(model::ReductionOp op) {
  using Op = model::ReductionOp;
  return op == Op::float_add || op == Op::float_min || op == Op::float_max;
}

/// Updates whose order nobody can see.
bool commute(const Access& first, const Access& second) {
  return first.kind == AccessKind::reduction && second.kind == AccessKind::reduction &&
         first.op == second.op && first.bytes == second.bytes && model::combines(first.op) &&
         !is_of_floats(first.op);
}

bool matter(const Access& first, const Access& second) {
  return (writes(first) || writes(second)) && !commute(first, second);
}

/// Blocks to look at first when two that meet are wanted: those near `block`, then the last ones.
std::vector<Block> neighbours(const Block& block, const Block& grid, const Conflicts::Axes& axes) {
  std::vector<Block> all;
  const auto add = [&](std::size_t axis, long index) {
    if (!axes[axis] || index < 0 || index >= grid[axis] || index == block[axis]) return;
    all.push_back(block);
    all.back()[axis] = index;
  };
  for (const long step : {1L, -1L, 2L})
    for (std::size_t axis = 0; axis < 3; ++axis) add(axis, block[axis] + step);
  for (std::size_t axis = 0; axis < 3; ++axis) add(axis, grid[axis] - 1);
  return all;
}

std::vector<long> some_element(const isl::set& set) {
  isl_point* point = isl_set_sample_point(set.copy());
  std::vector<long> element;
  const auto rank = static_cast<unsigned>(isl_set_dim(set.get(), isl_dim_set));
  for (unsigned i = 0; i < rank; ++i) {
    const isl::val value =
        isl::manage(isl_point_get_coordinate_val(point, isl_dim_set, static_cast<int>(i)));
    element.push_back(value.num_si());
  }
  isl_point_free(point);
  return element;
}

}  // namespace

Conflicts::Conflicts(const Joined& joined, model::Instances& instances,
                     const Footprints& footprints, model::ProofLimits& limits)
    : joined_(joined),
      instances_(instances),
      footprints_(footprints),
      limits_(limits),
      pairs_(joined.kernel, instances) {}

Conflicts::Axes Conflicts::axes_of(unsigned earlier, unsigned later, model::Dimension::Kind kind) {
  Axes axes{};
  for (std::size_t array = 0; array < joined_.kernel.arrays.size(); ++array) {
    const auto& accesses = joined_.kernel.arrays[array].accesses;
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const unsigned launch = joined_.launch_of[array][i];
      if (accesses[i].unbounded || (launch != earlier && launch != later)) continue;
      for (const std::string& name : instances_.of(accesses[i]).involved) {
        const model::Dimension* root = model::root_of(joined_.kernel, name);
        if (root->kind == kind) axes[root->axis] = true;
      }
    }
  }
  return axes;
}

Conflicts::Axes Conflicts::axes_of(unsigned earlier, unsigned later) {
  return axes_of(earlier, later, model::Dimension::Kind::block);
}

Conflicts::Axes Conflicts::thread_axes_of(unsigned earlier, unsigned later) {
  return axes_of(earlier, later, model::Dimension::Kind::thread);
}

isl::set Conflicts::apart(const Access& first, const Access& second, const Axes& axes) {
  isl::set launches = isl::set::empty(joined_.kernel.context.space());
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (axes[axis]) launches = launches.unite(pairs_.common_elements(first, second, {axis, 1}));
  }
  return launches.intersect(joined_.kernel.context).coalesce();
}

std::optional<Meeting> Conflicts::meeting(const Two& two, const Axes& axes) const {
  const Block grid = footprints_.grid();
  Block middle{};
  for (std::size_t axis = 0; axis < 3; ++axis) middle[axis] = axes[axis] && grid[axis] > 1;
  for (const Block& one : {middle, Block{}}) {
    const auto here = footprints_.of_block(two.array, two.first, one);
    if (!here) continue;
    for (const Block& other : neighbours(one, grid, axes)) {
      const auto there = footprints_.of_block(two.array, two.second, other);
      if (!there) continue;
      const isl::set common = here->intersect(*there);
      if (!common.is_empty()) return Meeting{one, other, some_element(common)};
    }
  }
  return std::nullopt;
}

/// Its obstacle, if one of the two is unbounded.
Conflict Conflicts::conflict_of(const Two& two) const {
  const auto& accesses = joined_.kernel.arrays[two.array].accesses;
  const std::string& name = joined_.names[two.array].at(joined_.launch_of[two.array][two.second]);
  Conflict conflict{name, &accesses[two.first], &accesses[two.second], joined_.kernel.context, {},
                    {}};
  const Access& culprit = conflict.first->unbounded ? *conflict.first : *conflict.second;
  if (!culprit.unbounded) return conflict;
  conflict.obstacle =
      "any element of " + name + " may be " + (writes(culprit) ? "written" : "read");
  if (!culprit.reason.empty()) conflict.obstacle += " (" + culprit.reason + ")";
  return conflict;
}

/// Numbers first: two blocks that meet at a usual launch save the question to isl.
std::optional<Conflict> Conflicts::of(const Two& two, const Axes& axes) {
  const isl::ctx context = joined_.kernel.context.ctx();
  Conflict conflict = conflict_of(two);
  if (!conflict.obstacle.empty()) return conflict;
  model::attempt(context, limits_, [&] { conflict.meeting = meeting(two, axes); });
  if (conflict.meeting) return conflict;
  const bool is_known = model::attempt(context, limits_, [&] {
    conflict.launches = apart(*conflict.first, *conflict.second, axes);
  });
  if (!is_known)
    conflict.obstacle =
        "which elements of " + conflict.array + " both touch is too complex to decide";
  if (is_known && conflict.launches.is_empty()) return std::nullopt;
  return conflict;
}

/// Whether a block in the middle meets most blocks before it along each axis that matters.
bool Conflicts::with_most(const Two& two, const Axes& axes) const {
  const Block grid = footprints_.grid();
  Block middle{};
  for (std::size_t axis = 0; axis < 3; ++axis) middle[axis] = axes[axis] ? grid[axis] / 2 : 0;
  const auto there = footprints_.of_block(two.array, two.second, middle);
  if (!there) return false;
  bool is_asked = false;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!axes[axis] || grid[axis] < few_blocks) continue;
    is_asked = true;
    long met = 0;
    for (long i = 0; i < few_blocks; ++i) {
      Block other = middle;
      other[axis] = i * (grid[axis] - 1) / (few_blocks - 1);
      const auto here = footprints_.of_block(two.array, two.first, other);
      met += here && !here->intersect(*there).is_empty();
    }
    if (2 * met <= few_blocks) return false;
  }
  return is_asked;
}

std::optional<Conflict> Conflicts::with_most(unsigned earlier, unsigned later) {
  const Axes axes = axes_of(earlier, later);
  for (const Two& two : pairs_of(earlier, later)) {
    Conflict conflict = conflict_of(two);
    bool most = !conflict.obstacle.empty();
    if (!most)
      model::attempt(joined_.kernel.context.ctx(), limits_, [&] { most = with_most(two, axes); });
    if (most) return conflict;
  }
  return std::nullopt;
}

/// Memory that the two see with other shapes: subscripts do not compare.
void Conflicts::look_at_shapes(unsigned earlier, unsigned later,
                               std::vector<Conflict>& found) const {
  const auto& arrays = joined_.kernel.arrays;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    for (std::size_t b = 0; b < arrays.size(); ++b) {
      if (a == b || !model::same_memory(arrays[a], arrays[b])) continue;
      for (std::size_t i = 0; i < arrays[a].accesses.size(); ++i) {
        if (joined_.launch_of[a][i] != earlier) continue;
        for (std::size_t j = 0; j < arrays[b].accesses.size(); ++j) {
          if (joined_.launch_of[b][j] != later) continue;
          const Access &first = arrays[a].accesses[i], &second = arrays[b].accesses[j];
          if (!matter(first, second)) continue;
          const std::string& name = joined_.names[b].at(later);
          found.push_back({name,
                           &first,
                           &second,
                           joined_.kernel.context,
                           "they see " + name + " with different shapes",
                           {}});
          return;
        }
      }
    }
  }
}

/// Any access of the launch to the array, one that writes if asked for; null: none.
const Access* Conflicts::access_of(std::size_t array, unsigned launch, bool wants_write) const {
  const auto& accesses = joined_.kernel.arrays[array].accesses;
  for (std::size_t i = 0; i < accesses.size(); ++i)
    if (joined_.launch_of[array][i] == launch && (!wants_write || writes(accesses[i])))
      return &accesses[i];
  return nullptr;
}

/// Two arrays that go by other names, and may be beside each other or the same.
void Conflicts::look_at_overlaps(unsigned earlier, unsigned later,
                                 std::vector<Conflict>& found) const {
  const auto& arrays = joined_.kernel.arrays;
  for (std::size_t a = 0; a < arrays.size(); ++a) {
    for (std::size_t b = 0; b < arrays.size(); ++b) {
      if (a == b || model::same_memory(arrays[a], arrays[b])) continue;
      if (!may_overlap(joined_.pointees[a], earlier, joined_.pointees[b], later)) continue;
      const Access *first = access_of(a, earlier, true), *second = access_of(b, later, false);
      if (first == nullptr || second == nullptr) {
        first = access_of(a, earlier, false);
        second = access_of(b, later, true);
      }
      if (first == nullptr || second == nullptr) continue;
      const std::string& name = joined_.names[b].at(later);
      found.push_back({name,
                       first,
                       second,
                       joined_.kernel.context,
                       joined_.names[a].at(earlier) + " and then " + name + " may overlap",
                       {}});
      return;
    }
  }
}

std::vector<Conflicts::Two> Conflicts::pairs_of(unsigned earlier, unsigned later) const {
  std::vector<Two> pairs;
  for (std::size_t array = 0; array < joined_.kernel.arrays.size(); ++array) {
    const auto& accesses = joined_.kernel.arrays[array].accesses;
    const auto& launch_of = joined_.launch_of[array];
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      if (launch_of[i] != earlier) continue;
      for (std::size_t j = 0; j < accesses.size(); ++j)
        if (launch_of[j] == later && matter(accesses[i], accesses[j]))
          pairs.push_back({array, i, j});
    }
  }
  return pairs;
}

std::vector<Conflict> Conflicts::between(unsigned earlier, unsigned later) {
  std::vector<Conflict> found;
  look_at_shapes(earlier, later, found);
  const Axes axes = axes_of(earlier, later);
  for (const Two& two : pairs_of(earlier, later)) {
    if (!found.empty() && footprints_.spares_examples()) return found;
    if (std::optional<Conflict> conflict = of(two, axes)) found.push_back(*conflict);
  }
  look_at_overlaps(earlier, later, found);
  return found;
}

bool Conflicts::threads_meet(const Access& first, const Access& second, const Axes& axes) {
  bool meet = true;
  if (first.unbounded || second.unbounded) return meet;
  model::attempt(joined_.kernel.context.ctx(), limits_, [&] {
    isl::set launches = isl::set::empty(joined_.kernel.context.space());
    for (unsigned axis = 0; axis < 3; ++axis)
      if (axes[axis])
        launches = launches.unite(pairs_.common_elements(first, second, {axis, 1, true}));
    meet = !launches.is_empty();
  });
  return meet;
}

bool Conflicts::threads_meet(unsigned earlier, unsigned later) {
  std::vector<Conflict> shapes;
  look_at_shapes(earlier, later, shapes);
  if (!shapes.empty()) return true;
  const Axes axes = thread_axes_of(earlier, later);
  return std::ranges::any_of(pairs_of(earlier, later), [&](const Two& two) {
    const auto& accesses = joined_.kernel.arrays[two.array].accesses;
    return threads_meet(accesses[two.first], accesses[two.second], axes);
  });
}

}  // namespace gridspan::fusion
