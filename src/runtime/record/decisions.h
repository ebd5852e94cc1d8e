// What plans of a recording went by that another process may find otherwise: measured times.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "devices/measure/measured.h"
#include "runtime/plan/part_times.h"
#include "runtime/record/log_records.h"
#include "support/result.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace gridspan::runtime::record {

MeasuredNote measured_note(const devices::Measured& measured);

struct Decisions {
  devices::Measured measured;
  std::map<std::uint64_t, Shares> shares;  // by the launch from which on they count
  /// By command: changes that it began with, from all devices to the home device alone and back.
  /// There the program begins; empty: all devices take part always.
  std::map<std::uint64_t, std::vector<bool>> places;
};

/// Those of the recording; none if it was made on other devices than these (Header::devices).
support::Result<Decisions> decisions_of(const std::string& file,
                                        const std::vector<std::string>& devices);

}  // namespace gridspan::runtime::record
