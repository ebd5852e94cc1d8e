// The counts as text.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/traffic.h"

namespace gridspan::runtime {

std::string Traffic::text() const {
  std::string lines;
  const auto line = [&lines](const std::string& name, std::uint64_t value) {
    lines += name + " " + std::to_string(value) + "\n";
  };
  const auto copies = [&](const std::string& name, const CopyCount& count) {
    line(name + "_copies", count.copies.get());
    line(name + "_bytes", count.bytes.get());
  };
  copies("host_to_device", from_host);
  copies("device_to_host", to_host);
  copies("beside_kernels", beside);
  copies("device_to_device", between);
  copies("within_device", within);
  copies("merged", merged);
  copies("combined", combined);
  line("evictions", evicted.copies.get());
  line("evicted_bytes", evicted.bytes.get());
  line("written_back_bytes", written_back.bytes.get());
  line("packed_boxes", packed.copies.get());
  line("packed_bytes", packed.bytes.get());
  line("parts", parts.get());
  line("parts_begun_early", early.get());
  line("launches_changed_over", changed_over.get());
  line("launches_in_rounds", in_rounds.get());
  for (std::size_t rung = 0; rung < rung_count; ++rung) {
    line(std::string("launches_") + rung_name(static_cast<Rung>(rung)), launches[rung].get());
  }
  for (std::size_t cause = 0; cause < cause_count; ++cause)
    copies(std::string("cause_") + cause_name(static_cast<Cause>(cause)), causes[cause]);
  return lines;
}

}  // namespace gridspan::runtime
