// Neighbouring rows are one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/copy_rows.h"

namespace gridspan::runtime {

std::vector<Row> rows_of(const Pitched& to, const Pitched& from, const Extent& extent) {
  std::vector<Row> rows;
  for (std::size_t slice = 0; slice < extent.depth; ++slice) {
    for (std::size_t row = 0; row < extent.height; ++row) {
      const Row next{slice * to.slice_pitch + row * to.pitch,
                     slice * from.slice_pitch + row * from.pitch, extent.width};
      const bool joins = !rows.empty() && rows.back().to + rows.back().bytes == next.to &&
                         rows.back().from + rows.back().bytes == next.from;
      if (joins)
        rows.back().bytes += next.bytes;
      else
        rows.push_back(next);
    }
  }
  return rows;
}

}  // namespace gridspan::runtime
