// Accesses that interpret mode refused during one launch: told when it ends, in the grid's order.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "devices/cpu/access_reports.h"

#include <algorithm>
#include <cstdio>

namespace gridspan::devices::cpu {

bool AccessReports::add(const std::string& place, Order order, Fault fault,
                        std::function<std::string()> tell) {
  const std::lock_guard lock(mutex_);
  if (fault != Fault::none) {
    any_.store(true, std::memory_order_relaxed);
    ++refused_;
  }
  const bool goes_on = refused_ < most_refused;
  const auto same = std::ranges::find_if(reports_, [&](const Report& report) {
    return report.place == place && (report.fault == Fault::none) == (fault == Fault::none);
  });
  if (same == reports_.end()) {
    reports_.push_back({place, order, fault, std::move(tell), 1});
    return goes_on;
  }
  ++same->count;
  if (order >= same->order) return goes_on;
  same->order = order;
  same->fault = fault;
  same->tell = std::move(tell);
  return goes_on;
}

std::string AccessReports::more_text(const Report& report) {
  const std::uint64_t more = report.count - 1;
  if (more == 0) return {};
  const bool has_place = report.place.find(':') != std::string::npos;
  std::string text = has_place ? report.place + ": note: " : "note: ";
  text += std::to_string(more) + " more ";
  if (report.fault == Fault::none) return text + (more == 1 ? "time\n" : "times\n");
  return text + (more == 1 ? "thread does" : "threads do") + " the same\n";
}

Fault AccessReports::finish() {
  const std::lock_guard lock(mutex_);
  Fault first = Fault::none;
  std::ranges::sort(reports_, {}, &Report::order);
  for (const Report& report : reports_) {
    if (first == Fault::none) first = report.fault;
    std::fputs((report.tell() + more_text(report)).c_str(), stderr);
  }
  if (refused_ >= most_refused)
    std::fprintf(stderr, "note: the launch was ended there, before all of its threads had run\n");
  refused_ = 0;
  reports_.clear();
  any_.store(false, std::memory_order_relaxed);
  return first;
}

}  // namespace gridspan::devices::cpu
