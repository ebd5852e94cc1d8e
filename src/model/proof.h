// What the steps of `prove` share.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model/pairs.h"
#include "model/part_image.h"
#include "model/prove.h"

namespace gridspan::model {

struct Proof {
  Proof(Kernel& proved, const ProofLimits& given)
      : kernel(proved),
        limits(given),
        instances(proved),
        images(proved, instances, limits),
        pairs(proved, instances) {}
  bool within(const std::function<void()>& work) {
    return attempt(kernel.context.ctx(), limits, work);
  }

  Kernel& kernel;
  ProofLimits limits;
  Instances instances;
  PartImages images;
  Pairs pairs;
  std::vector<std::vector<SetKind>> kinds;  // of each array's accesses
  bool splits_but_for_unbounded[3] = {};    // legal at some launch if unbounded writes are left out
};

/// Arrays that blocks share: global and constant ones.
bool is_shared_by_blocks(const Array& array);

/// Whether two arrays are one in memory, seen with different shapes: their subscripts do not
/// compare.
bool same_memory(const Array& first, const Array& second);

/// The first remark that says that memory which no array describes may be written, or that blocks
/// wait for each other; that says that atomic operations need one order; that says that what one
/// block reads of another's writes is meant to be seen at once. Null: none.
const Remark* forbids_cuts(const Kernel& kernel);
const Remark* needs_one_order(const Kernel& kernel);
const Remark* makes_races_matter(const Kernel& kernel);

/// Says of all axes, and of the kernel, that they are not to be cut.
void forbid_cuts(Kernel& kernel, const Remark& why);

/// Decides to which kind of set each access belongs. Writes of one launch-invariant value are
/// ordinary writes unless blocks collide in them.
void choose_kinds(Proof& proof);

/// Fills the sets of every array that blocks share.
void find_footprints(Proof& proof);

/// Fills axes[axis].legal, granularity and reason.
void prove_injectivity(Proof& proof, unsigned axis);

/// Fills axes[axis].read_write_overlap and race; needs the granularity.
void prove_overlap(Proof& proof, unsigned axis);

/// Fills cost of every axis, and suggested_axis.
void estimate_costs(Proof& proof);

/// Fills rung and rung_reason from all of the above.
void choose_rung(Proof& proof);

/// "file.cu:12", for sentences; "an unknown place" without line.
std::string place(const SourcePoint& where);

/// "at file.cu:12" or "at file.cu:12 and at file.cu:14".
std::string places(const Access& first, const Access& second);

}  // namespace gridspan::model
