// The rung of the ladder on which launches of a kernel start.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/access_sets.h"
#include "model/mentions.h"
#include "model/proof.h"

#include <algorithm>

namespace gridspan::model {
namespace {

std::string told(const Remark& remark) {
  return remark.where.line == 0 ? remark.text : remark.text + " at " + place(remark.where);
}

struct Choice {
  Rung rung = Rung::exact;
  std::string reason;
  // The lower rung wins; of equal ones, the first reason.
  void lower(Rung to, const std::string& why) {
    if (to <= rung) return;
    rung = to;
    reason = why;
  }
};

std::string described(const Array& array, const AccessSet& set, const std::string& text) {
  const Access& access = array.accesses[set.accesses.front()];
  std::string result = text + " " + array.name + " at " + place(access.where);
  for (unsigned index : set.accesses) {
    const std::string& reason = array.accesses[index].reason;
    if (!reason.empty()) return result + ": " + reason;
  }
  return result;
}

bool is_read(const Array& array) {
  return std::ranges::any_of(array.accesses,
                             [](const Access& access) { return access.kind != AccessKind::write; });
}

void look_at_set(const Array& array, const AccessSet& set, Choice& choice) {
  const bool plain = set.kind == SetKind::may_write || set.kind == SetKind::write_same;
  if (set.kind == SetKind::atomic) {
    choice.lower(Rung::one_device,
                 described(array, set, "atomic operations whose order matters on"));
  } else if (set.kind == SetKind::reduction) {
    // Private copies are no help to who reads the sum so far.
    const bool alone = std::ranges::all_of(
        array.accesses, [](const Access& access) { return access.kind == AccessKind::reduction; });
    if (!alone)
      choice.lower(Rung::one_device, described(array, set, "atomic updates, and others, of"));
    else if (combines(set.op))
      choice.lower(Rung::reduction, described(array, set, "atomic updates of"));
    else if (!set.exact_part)
      choice.lower(Rung::may_write, described(array, set, "not surely counted:"));
  } else if (plain && set.unbounded && is_read(array)) {
    choice.lower(Rung::one_device, described(array, set, "scattered writes, and reads too, of"));
  } else if (plain && set.unbounded) {
    choice.lower(Rung::scattered, described(array, set, "scattered writes of"));
  } else if (set.kind == SetKind::must_write && !set.exact_part) {
    choice.lower(Rung::may_write,
                 described(array, set, "not every element between blocks is written:"));
  } else if (plain) {
    choice.lower(Rung::may_write, described(array, set, "not surely written:"));
  }
}

// Some axis may be cut; with `scattered`, if writes without bounds are left out.
bool some_axis_splits(const Proof& proof, bool scattered, std::string& why_not) {
  const Kernel& kernel = proof.kernel;
  const Remark* ordering = makes_races_matter(kernel);
  for (unsigned axis = 0; axis < 3; ++axis) {
    const AxisSplit& split = kernel.axes[axis];
    const bool legal = scattered ? proof.splits_but_for_unbounded[axis] : !split.legal.is_empty();
    if (!legal) {
      if (why_not.empty()) why_not = split.reason;
    } else if (ordering != nullptr && split.read_write_overlap) {
      why_not = std::string("along ") + axis_letters[axis] + " " + split.race +
                ", and the kernel has " + told(*ordering);
    } else {
      return true;
    }
  }
  return false;
}

}  // namespace

void choose_rung(Proof& proof) {
  Kernel& kernel = proof.kernel;
  Choice choice;
  for (const Array& array : kernel.arrays) {
    for (const AccessSet& set : array.sets) look_at_set(array, set, choice);
  }
  if (const Remark* remark = needs_one_order(kernel)) {
    choice.lower(Rung::one_device, told(*remark));
  }
  std::string why_not;
  if (choice.rung != Rung::one_device &&
      !some_axis_splits(proof, choice.rung == Rung::scattered, why_not)) {
    choice.lower(Rung::one_device, why_not);
  }
  kernel.rung = choice.rung;
  kernel.rung_reason = choice.reason;
}

std::string rung_text(Rung rung) {
  switch (rung) {
    case Rung::exact:
      return "can be split; each part's writes are known exactly";
    case Rung::may_write:
      return "can be split; some writes may not happen, so old contents are fetched first";
    case Rung::reduction:
      return "can be split; atomic updates go to private copies that are combined afterwards";
    case Rung::scattered:
      return "can be split; writes that may go anywhere are tracked and merged afterwards";
    case Rung::one_device:
      return "runs on one device";
  }
  return "";
}

}  // namespace gridspan::model
