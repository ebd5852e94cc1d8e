// Do blocks apart along an axis write different elements?
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every pair of accesses that change an array is looked at, an access with itself too. What is
// found is the set of launches at which two blocks collide; the launches left are `legal`.
#include "model/access_sets.h"
#include "model/candidates.h"
#include "model/mentions.h"
#include "model/proof.h"

#include <algorithm>
#include <optional>

namespace gridspan::model {
namespace {

// Why two accesses may collide.
struct Collision {
  const Array* array = nullptr;
  const Access *first = nullptr, *second = nullptr;
  isl::set launches;     // at which they do
  std::string obstacle;  // why this is not known better; empty if isl found it
  bool unbounded = false;
};

bool is_unbounded(const Access& first, const Access& second) {
  return first.unbounded || second.unbounded;
}

// Changes that may meet in one element: their order does not matter, or it makes no difference.
bool may_meet(const Access& first, SetKind first_kind, const Access& second, SetKind second_kind) {
  if (first_kind == SetKind::reduction && second_kind == SetKind::reduction) {
    return first.op == second.op && first.bytes == second.bytes && combines(first.op);
  }
  if (first_kind != SetKind::write_same || second_kind != SetKind::write_same) return false;
  if (is_unbounded(first, second)) return false;
  return &first == &second ||
         (!first.stored_value.empty() && first.stored_value == second.stored_value);
}

class Collisions {
 public:
  Collisions(Proof& proof, const Apart& apart) : proof_(proof), apart_(apart) {}
  void find();
  const std::vector<Collision>& found() const { return found_; }

 private:
  void look_at_shapes(std::size_t a, std::size_t b);
  void look_at(const Array& array, const std::vector<SetKind>& kinds, unsigned first,
               unsigned second);

  Proof& proof_;
  Apart apart_;
  std::vector<Collision> found_;
};

void Collisions::look_at_shapes(std::size_t a, std::size_t b) {
  const Array &first = proof_.kernel.arrays[a], &second = proof_.kernel.arrays[b];
  if (!is_shared_by_blocks(first) || !is_shared_by_blocks(second)) return;
  if (!same_memory(first, second)) return;
  for (const Access& one : first.accesses) {
    for (const Access& other : second.accesses) {
      if (one.kind == AccessKind::read || other.kind == AccessKind::read) continue;
      found_.push_back({&first, &one, &other, proof_.kernel.context,
                        first.name + " is written through two different shapes", false});
      return;
    }
  }
}

void Collisions::find() {
  for (std::size_t a = 0; a < proof_.kernel.arrays.size(); ++a) {
    for (std::size_t b = a + 1; b < proof_.kernel.arrays.size(); ++b) look_at_shapes(a, b);
  }
  for (std::size_t a = 0; a < proof_.kernel.arrays.size(); ++a) {
    const Array& array = proof_.kernel.arrays[a];
    if (!is_shared_by_blocks(array)) continue;
    for (unsigned i = 0; i < array.accesses.size(); ++i) {
      for (unsigned j = i; j < array.accesses.size(); ++j) look_at(array, proof_.kinds[a], i, j);
    }
  }
}

void Collisions::look_at(const Array& array, const std::vector<SetKind>& kinds, unsigned i,
                         unsigned j) {
  const Access &first = array.accesses[i], &second = array.accesses[j];
  if (!is_write(kinds[i]) || !is_write(kinds[j])) return;
  if (may_meet(first, kinds[i], second, kinds[j])) return;
  Collision collision{&array, &first, &second, proof_.kernel.context, {}, false};
  if (kinds[i] == SetKind::atomic || kinds[j] == SetKind::atomic) {
    collision.obstacle = "the order of atomic operations on " + array.name + " matters";
  } else if (is_unbounded(first, second)) {
    collision.unbounded = true;
    const Access& culprit = first.unbounded ? first : second;
    collision.obstacle = "any element of " + array.name + " may be written";
    if (!culprit.reason.empty()) collision.obstacle += " (" + culprit.reason + ")";
  } else if (!proof_.within([&] {
               collision.launches = proof_.pairs.common_elements(first, second, apart_);
             })) {
    collision.obstacle =
        "whether blocks write different elements of " + array.name + " is too complex to decide";
  }
  if (collision.obstacle.empty() && collision.launches.is_empty()) return;
  found_.push_back(std::move(collision));
}

std::string explain(const Collision& collision, const Apart& apart) {
  std::string text = collision.obstacle;
  if (text.empty()) {
    text = std::string("blocks apart along ") + axis_letters[apart.axis] +
           " write the same element of " + collision.array->name;
  }
  return text + " " + places(*collision.first, *collision.second);
}

// Launches with at least two blocks at which no two collide; empty if there are none that matter.
isl::set legal_launches(Proof& proof, const std::vector<Collision>& collisions, unsigned axis) {
  isl::set never = isl::set::empty(proof.kernel.context.space());
  isl::set legal = never;
  const bool done = proof.within([&] {
    std::vector<std::string> names;
    for (const Collision& collision : collisions) {
      std::ranges::copy(involved_parameters(collision.launches), std::back_inserter(names));
    }
    const isl::set launches = launches_with_two_blocks(proof.kernel, axis, names);
    isl::set left = launches, writing = never;
    for (const Collision& collision : collisions) {
      if (!collision.obstacle.empty()) return;
      left = left.subtract(collision.launches).coalesce();
      writing = writing.unite(proof.pairs.happens(*collision.first))
                    .unite(proof.pairs.happens(*collision.second));
    }
    if (collisions.empty()) {
      legal = isl::set::universe(proof.kernel.context.space());
    } else if (!left.intersect(writing).is_empty()) {
      legal = left.gist(launches).coalesce();
    }
  });
  return done ? legal : never;
}

// The collision to tell a person about: one that alone forbids every launch, if there is one.
const Collision& worst(Proof& proof, const std::vector<Collision>& collisions, unsigned axis) {
  if (collisions.size() == 1) return collisions.front();
  for (const Collision& collision : collisions) {
    if (legal_launches(proof, {collision}, axis).is_empty()) return collision;
  }
  return collisions.front();
}

// When no bounded write depends on the axis, blocks along it do the same: every launch that writes
// anything collides, without a question to isl. That is one of the writes; null if it is not so.
std::optional<Collision> same_for_all_blocks(Proof& proof, unsigned axis) {
  std::optional<Collision> found;
  const bool done = proof.within([&] {
    for (std::size_t a = 0; a < proof.kernel.arrays.size(); ++a) {
      const Array& array = proof.kernel.arrays[a];
      if (!is_shared_by_blocks(array)) continue;
      for (unsigned i = 0; i < array.accesses.size(); ++i) {
        const Access& access = array.accesses[i];
        const SetKind kind = proof.kinds[a][i];
        if (!is_write(kind) || access.unbounded || may_meet(access, kind, access, kind)) continue;
        if (kind == SetKind::atomic || proof.pairs.depends_on(access, axis)) {
          found.reset();
          return;
        }
        if (!found) found = {&array, &access, &access, proof.kernel.context, {}, false};
      }
    }
  });
  return done ? found : std::nullopt;
}

}  // namespace

void prove_injectivity(Proof& proof, unsigned axis) {
  AxisSplit& split = proof.kernel.axes[axis];
  if (const std::optional<Collision> collision = same_for_all_blocks(proof, axis)) {
    proof.splits_but_for_unbounded[axis] = false;
    split.granularity = 1;
    split.legal = isl::set::empty(proof.kernel.context.space());
    split.reason = explain(*collision, {axis, 1});
    split.reason_where = collision->first->where;
    return;
  }
  const auto decide = [&](unsigned granularity) {
    const Apart apart{axis, granularity};
    Collisions collisions(proof, apart);
    collisions.find();
    std::vector<Collision> bounded = collisions.found();
    std::erase_if(bounded, [](const Collision& collision) { return collision.unbounded; });
    const isl::set legal = legal_launches(proof, bounded, axis);
    const bool splits = !legal.is_empty();
    if (granularity > 1 && (!splits || !bounded.empty())) return;
    proof.splits_but_for_unbounded[axis] = splits;
    split.granularity = granularity;
    split.legal = bounded.size() == collisions.found().size()
                      ? legal
                      : legal_launches(proof, collisions.found(), axis);
    split.reason.clear();
    split.reason_where = {};
    if (collisions.found().empty()) return;
    const Collision& shown = worst(proof, collisions.found(), axis);
    split.reason = explain(shown, apart);
    split.reason_where = shown.first->where;
  };
  decide(1);
  if (proof.splits_but_for_unbounded[axis]) return;
  std::vector<unsigned> candidates;
  proof.within([&] { candidates = granularity_candidates(proof.kernel, proof.instances, axis); });
  for (unsigned granularity : candidates) {
    if (proof.splits_but_for_unbounded[axis]) return;
    decide(granularity);
  }
}

}  // namespace gridspan::model
