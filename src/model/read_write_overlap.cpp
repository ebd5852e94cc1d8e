// May a block read what another one writes? A race in CUDA, unless something orders the two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/access_sets.h"
#include "model/proof.h"

namespace gridspan::model {
namespace {

const char axis_names[] = "xyz";

class OverlapSearch {
 public:
  OverlapSearch(Proof& proof, unsigned axis)
      : proof_(proof), split_(proof.kernel.axes[axis]), apart_{axis, split_.granularity} {}
  void run();

 private:
  bool overlap(const Access& read, const Access& write);
  void report(const Array& array, const Access& read, const Access& write);

  Proof& proof_;
  AxisSplit& split_;
  Apart apart_;
  std::string doubt_;
};

bool OverlapSearch::overlap(const Access& read, const Access& write) {
  doubt_.clear();
  if (read.unbounded || write.unbounded) {
    doubt_ = "which elements are touched is not known";
    return true;
  }
  bool common = true;
  if (!proof_.within(
          [&] { common = !proof_.pairs.common_elements(read, write, apart_).is_empty(); })) {
    doubt_ = "too complex to decide";
    return true;
  }
  return common;
}

void OverlapSearch::report(const Array& array, const Access& read, const Access& write) {
  split_.read_write_overlap = true;
  split_.race_where = read.where;
  split_.race = std::string("a block may read an element of ") + array.name + " at " +
                place(read.where) + " that another block apart along " + axis_names[apart_.axis] +
                " writes at " + place(write.where);
  if (!doubt_.empty()) split_.race += " (" + doubt_ + ")";
}

void OverlapSearch::run() {
  split_.read_write_overlap = false;
  split_.race.clear();
  for (const Array& array : proof_.kernel.arrays) {
    if (!is_shared_by_blocks(array)) continue;
    for (const Access& read : array.accesses) {
      if (read.kind != AccessKind::read) continue;
      for (const Access& write : array.accesses) {
        if (write.kind == AccessKind::read || !overlap(read, write)) continue;
        return report(array, read, write);
      }
    }
  }
}

}  // namespace

void prove_overlap(Proof& proof, unsigned axis) { OverlapSearch(proof, axis).run(); }

}  // namespace gridspan::model
