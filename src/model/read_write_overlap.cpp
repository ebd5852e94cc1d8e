// May a block read what another one writes? A race in CUDA, unless something orders the two.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model/access_sets.h"
#include "model/mentions.h"
#include "model/proof.h"

namespace gridspan::model {
namespace {

class OverlapSearch {
 public:
  OverlapSearch(Proof& proof, unsigned axis)
      : proof_(proof), split_(proof.kernel.axes[axis]), apart_{axis, split_.granularity} {}
  void run();

 private:
  bool overlap(const Access& read, const Access& write);
  bool look_at(const Array& read_array, const Array& written);
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
                place(read.where) + " that another block apart along " + axis_letters[apart_.axis] +
                " writes at " + place(write.where);
  if (!doubt_.empty()) split_.race += " (" + doubt_ + ")";
}

bool OverlapSearch::look_at(const Array& read_array, const Array& written) {
  const bool one_shape = &read_array == &written;
  if (!is_shared_by_blocks(read_array) || !is_shared_by_blocks(written)) return false;
  if (!one_shape && !same_memory(read_array, written)) return false;
  for (const Access& read : read_array.accesses) {
    if (read.kind != AccessKind::read) continue;
    for (const Access& write : written.accesses) {
      if (write.kind == AccessKind::read) continue;
      if (one_shape && !overlap(read, write)) continue;
      if (!one_shape) doubt_ = "the two see it with different shapes";
      report(read_array, read, write);
      return true;
    }
  }
  return false;
}

void OverlapSearch::run() {
  split_.read_write_overlap = false;
  split_.race.clear();
  split_.race_where = {};
  for (const Array& read : proof_.kernel.arrays) {
    for (const Array& written : proof_.kernel.arrays) {
      if (look_at(read, written)) return;
    }
  }
}

}  // namespace

void prove_overlap(Proof& proof, unsigned axis) { OverlapSearch(proof, axis).run(); }

}  // namespace gridspan::model
