// Stream capture: what is put into a stream becomes nodes of a graph instead.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A capture begins in its origin stream. Another stream joins when it waits for an event that was
// recorded in the capture. Each stream knows the nodes that its next one comes after. When the
// origin ends the capture, every other stream's nodes must lie before one of the origin's.
//
// Streams and events only hold the number of a capture, which is never used again: nobody has to
// tell them that it is over.
#pragma once

#include "runtime/api/graph/graph.h"

#include <atomic>
#include <map>
#include <mutex>
#include <thread>
#include <unordered_map>

namespace gridspan::runtime::graph {

/// What the program may know of a capture.
struct CaptureInfo {
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long id = 0;
  Graph* graph = nullptr;
  const Nodes* latest = nullptr;  // of the stream
};

/// Thread safe.
class CaptureTable {
 public:
  explicit CaptureTable(NodeTable& nodes) : nodes_(nodes) {}

  Status begin(Stream& origin, bool is_legacy, cudaStreamCaptureMode mode);
  /// Into a graph that is there, after nodes of it.
  Status begin(Stream& origin, bool is_legacy, cudaStreamCaptureMode mode,
               std::shared_ptr<Graph> graph, Nodes latest);
  /// Hands the graph over; null if the capture became invalid.
  Status end(Stream& origin, std::shared_ptr<Graph>& graph);

  /// Whether `stream` is capturing, be it into an invalid capture.
  bool has(const Stream& stream) { return stream.capture.load() != 0 && is_active(stream); }
  CaptureInfo info(const Stream& stream);
  /// The graph of an active capture, or null.
  std::shared_ptr<Graph> find_graph(const Graph* handle);
  /// Makes the stream's next node come after `nodes`, too, or after them alone.
  Status set_latest(const Stream& stream, const Nodes& nodes, bool alone);

  /// Adds a node after the stream's latest, which has() said is capturing.
  Status add(Stream& stream, Task task);
  /// Notes the stream's latest nodes as what `event` stands for; in a stream that is not capturing,
  /// that it stands for none.
  Status record(Stream& stream, Event& event, bool& captured);
  /// Makes the stream wait for `event`, and join its capture. `captured` is false if neither is
  /// part of one.
  Status wait(Stream& stream, Event& event, bool& captured);
  /// The stream is destroyed: a capture that it began becomes invalid. One that it joined goes on,
  /// and what it did there must still be waited for.
  void leave(Stream& stream);
  void clear();

  // Calls that are not allowed make the captures that forbid them invalid.
  Status check_legacy(bool is_legacy);
  Status check_idle(const Stream& stream);
  Status check_recorded(const Event& event);
  Status check_none();

 private:
  struct Capture {
    std::shared_ptr<Graph> graph;
    const Stream* origin;
    cudaStreamCaptureMode mode;
    std::thread::id thread;
    bool is_valid = true;
    std::unordered_map<const Stream*, Nodes> latest;
    Nodes left;  // the latest of streams that were destroyed
    std::unordered_map<const Event*, Nodes> events;
    std::size_t blocking = 0;  // streams that the legacy stream would wait for
  };
  using Captures = std::map<unsigned long long, Capture>;

  // These expect the lock.
  Capture* find(unsigned long long id);
  void join(Stream& stream, unsigned long long id, Capture& capture);
  void invalidate_all();

  bool is_active(const Stream& stream);

  NodeTable& nodes_;
  std::mutex mutex_;
  Captures captures_;
  unsigned long long last_id_ = 0;
  std::atomic<std::size_t> active_{0};
  std::atomic<std::size_t> blocking_{0};  // capturing streams that the legacy stream would wait for
};

/// Captures `task` if the stream is capturing, else puts it into the stream.
Status do_or_capture(Runtime& state, Stream& stream, Task task);

}  // namespace gridspan::runtime::graph
