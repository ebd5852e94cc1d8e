// Unfinished accesses and the edges they give.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/plan/access_log.h"

#include <algorithm>

namespace gridspan::runtime {

void add_edge(std::vector<Edge>& edges, const Edge& edge) {
  for (Edge& known : edges) {
    if (known.queue != edge.queue) continue;
    known.ticket = std::max(known.ticket, edge.ticket);
    return;
  }
  edges.push_back(edge);
}

void AccessLog::collect(const regions::Box& box, Touch touch, const WorkQueue* queue,
                        std::vector<Edge>& edges) const {
  for (const Entry& entry : entries_) {
    if (entry.queue == queue) continue;
    if (entry.touch == Touch::read && touch == Touch::read) continue;
    if (!entry.box.meets(box) || entry.queue->is_known_finished(entry.ticket)) continue;
    add_edge(edges, {entry.queue, entry.ticket});
  }
}

void AccessLog::add(const regions::Box& box, Touch touch, const WorkQueue& queue, Ticket ticket) {
  // Programs repeat themselves: a queue works in order, so that its later access stands for both.
  for (Entry& entry : entries_) {
    if (entry.queue != &queue || entry.touch != touch || entry.box != box) continue;
    entry.ticket = ticket;
    return;
  }
  if (entries_.size() >= sweep_at_) {
    std::erase_if(entries_,
                  [](const Entry& entry) { return entry.queue->is_finished(entry.ticket); });
    sweep_at_ = std::max<std::size_t>(16, 2 * entries_.size());
  }
  entries_.push_back({box, &queue, ticket, touch});
}

void AccessLog::widen(const regions::Box& whole) {
  for (Entry& entry : entries_) entry.box = whole;
}

}  // namespace gridspan::runtime
