// Who uses which of the host's memory: copies of it have edges, too.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "runtime/memory/copy.h"
#include "runtime/plan/access_log.h"

#include <vector>

namespace gridspan::runtime {

class HostLog {
 public:
  /// What work of the queue must wait for before it touches the memory.
  void collect(const Pitched& memory, const Extent& extent, Touch touch, const WorkQueue& queue,
               std::vector<Edge>& edges) const {
    log_.collect(span_box(memory, extent), touch, &queue, edges);
  }
  void add(const Pitched& memory, const Extent& extent, Touch touch, const WorkQueue& queue,
           Ticket ticket) {
    log_.add(span_box(memory, extent), touch, queue, ticket);
  }

 private:
  static regions::Box span_box(const Pitched& memory, const Extent& extent) {
    const auto begin = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(memory.base));
    return regions::byte_range(begin,
                               begin + static_cast<std::int64_t>(span_of(memory, extent).bytes));
  }

  AccessLog log_;  // by address
};

}  // namespace gridspan::runtime
