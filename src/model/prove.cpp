// Proofs about a kernel, one after the other.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/prove.h"

#include "model/access_sets.h"
#include "model/proof.h"

#include <algorithm>

namespace gridspan::model {
namespace {

constexpr unsigned long least = 5'000;  // operations that every question gets while there are any
constexpr unsigned long share_of_the_rest = 4;

bool has_blocks_along(const Kernel& kernel, unsigned axis) {
  return std::ranges::any_of(kernel.dimensions, [&](const Dimension& dimension) {
    return dimension.kind == Dimension::Kind::block && dimension.axis == axis;
  });
}

// Whether blocks apart along `axis` meet in one of these writes.
bool meet(Proof& proof, const std::vector<const Access*>& writes, unsigned axis) {
  for (std::size_t i = 0; i < writes.size(); ++i) {
    for (std::size_t j = i; j < writes.size(); ++j) {
      if (!proof.pairs.common_elements(*writes[i], *writes[j], {axis, 1}).is_empty()) return true;
    }
  }
  return false;
}

// Whether blocks apart along `axis` meet in any write whose value is not the same everywhere.
bool other_writes_meet(Proof& proof, unsigned axis) {
  for (const Array& array : proof.kernel.arrays) {
    if (!is_shared_by_blocks(array)) continue;
    for (const Access& access : array.accesses) {
      const SetKind kind = set_kind(access);
      if (kind != SetKind::must_write && kind != SetKind::may_write) continue;
      if (access.unbounded || meet(proof, {&access}, axis)) return true;
    }
  }
  return false;
}

// Whether these writes of one value may count as ordinary writes, which blocks must not meet in:
// where the grid would be cut, they do not.
bool may_be_ordinary(Proof& proof, const std::vector<const Access*>& writes) {
  bool ordinary = false;
  const bool done = proof.within([&] {
    bool everywhere = true, any_axis = false;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!has_blocks_along(proof.kernel, axis)) continue;
      const bool apart = !meet(proof, writes, axis);
      ordinary |= apart && !other_writes_meet(proof, axis);
      everywhere &= apart;
      any_axis = true;
    }
    ordinary |= any_axis && everywhere;
  });
  return done && ordinary;
}

}  // namespace

bool attempt(isl::ctx context, ProofLimits& limits, const std::function<void()>& work) {
  if (limits.kernel == 0) return false;
  const unsigned long share = std::max(limits.kernel / share_of_the_rest, least);
  unsigned long done = 0;
  bool finished = false;
  try {
    finished = within_limit(context, std::min(limits.question, share), work, &done);
  } catch (const isl::exception&) {
    // No bounds where some are needed, above all.
  }
  limits.kernel -= std::min(limits.kernel, done);
  return finished;
}

bool is_shared_by_blocks(const Array& array) { return array.space != AddressSpace::shared; }

bool same_memory(const Array& first, const Array& second) {
  const bool named = first.argument >= 0 || !first.symbol.empty();
  return named && first.argument == second.argument && first.offset == second.offset &&
         first.symbol == second.symbol;
}

std::string place(const SourcePoint& where) {
  if (where.line == 0) return where.file.empty() ? "an unknown place" : where.file;
  return where.file + ":" + std::to_string(where.line);
}

std::string places(const Access& first, const Access& second) {
  const std::string text = "at " + place(first.where);
  return first.where == second.where ? text : text + " and at " + place(second.where);
}

void choose_kinds(Proof& proof) {
  for (const Array& array : proof.kernel.arrays) {
    std::vector<SetKind>& kinds = proof.kinds.emplace_back();
    std::vector<const Access*> same;
    for (const Access& access : array.accesses) {
      kinds.push_back(set_kind(access));
      if (kinds.back() == SetKind::write_same) same.push_back(&access);
    }
    const bool known = std::ranges::none_of(same, &Access::unbounded);
    if (same.empty() || !known || !is_shared_by_blocks(array)) continue;
    if (!may_be_ordinary(proof, same)) continue;
    for (unsigned i = 0; i < kinds.size(); ++i) {
      if (kinds[i] != SetKind::write_same) continue;
      kinds[i] = array.accesses[i].exact ? SetKind::must_write : SetKind::may_write;
    }
  }
}

// What is written matters most, and is looked at while the limits are wide.
void find_footprints(Proof& proof) {
  const auto is_written = [](const Array& array) {
    return std::ranges::any_of(
        array.accesses, [](const Access& access) { return access.kind != AccessKind::read; });
  };
  for (const Array& array : proof.kernel.arrays) {
    if (!is_shared_by_blocks(array)) continue;
    for (const Access& access : array.accesses)
      if (access.kind != AccessKind::read) proof.images.of(access);
  }
  for (const bool written : {true, false}) {
    for (std::size_t i = 0; i < proof.kernel.arrays.size(); ++i) {
      Array& array = proof.kernel.arrays[i];
      if (is_written(array) != written) continue;
      array.sets.clear();
      if (!is_shared_by_blocks(array)) continue;
      make_access_sets(proof.kernel, proof.instances, proof.images, array, proof.kinds[i],
                       proof.limits);
    }
  }
}

void prove(Kernel& kernel, const ProofLimits& limits) {
  Proof proof(kernel, limits);
  choose_kinds(proof);
  find_footprints(proof);
  const Remark* obstacle = forbids_cuts(kernel);
  for (unsigned axis = 0; axis < 3; ++axis) {
    if (obstacle == nullptr) prove_injectivity(proof, axis);
    prove_overlap(proof, axis);
  }
  if (obstacle != nullptr) return forbid_cuts(kernel, *obstacle);
  estimate_costs(proof);
  choose_rung(proof);
}

}  // namespace gridspan::model
