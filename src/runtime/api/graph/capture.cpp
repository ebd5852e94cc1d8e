// Keeps captures, and says what is not allowed during one.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/graph/capture.h"

#include "runtime/api/runtime_state.h"

#include <algorithm>

namespace gridspan::runtime::graph {

namespace {

Status refuse_invalid() {
  return refuse(cudaErrorStreamCaptureInvalidated,
                "an earlier call was not allowed during the stream's capture");
}

/// Whether each of `nodes` is in `from` or before one of those.
bool are_before(const Nodes& nodes, const Nodes& from) {
  std::unordered_map<const Node*, bool> seen;
  Nodes open = from;
  while (!open.empty()) {
    Node* node = open.back();
    open.pop_back();
    if (std::exchange(seen[node], true)) continue;
    open.insert(open.end(), node->predecessors.begin(), node->predecessors.end());
  }
  return std::all_of(nodes.begin(), nodes.end(), [&](Node* node) { return seen[node]; });
}

void append_once(Nodes& nodes, const Nodes& more) {
  for (Node* node : more) {
    if (std::find(nodes.begin(), nodes.end(), node) == nodes.end()) nodes.push_back(node);
  }
}

}  // namespace

CaptureTable::Capture* CaptureTable::find(unsigned long long id) {
  const auto found = captures_.find(id);
  return found == captures_.end() ? nullptr : &found->second;
}

void CaptureTable::join(Stream& stream, unsigned long long id, Capture& capture) {
  stream.capture = id;
  capture.latest[&stream];
  if (!stream.is_blocking()) return;
  ++capture.blocking;
  ++blocking_;
}

void CaptureTable::invalidate_all() {
  for (auto& [id, capture] : captures_) capture.is_valid = false;
}

bool CaptureTable::is_active(const Stream& stream) {
  const std::scoped_lock lock(mutex_);
  return find(stream.capture) != nullptr;
}

Status CaptureTable::begin(Stream& origin, bool is_legacy, cudaStreamCaptureMode mode) {
  return begin(origin, is_legacy, mode, std::make_shared<Graph>(nodes_), {});
}

Status CaptureTable::begin(Stream& origin, bool is_legacy, cudaStreamCaptureMode mode,
                           std::shared_ptr<Graph> graph, Nodes latest) {
  if (mode < cudaStreamCaptureModeGlobal || mode > cudaStreamCaptureModeRelaxed) {
    return refuse(cudaErrorInvalidValue, "%d is not a capture mode", static_cast<int>(mode));
  }
  if (is_legacy) {
    return refuse(cudaErrorStreamCaptureUnsupported, "the legacy default stream cannot capture");
  }
  const std::scoped_lock lock(mutex_);
  if (find(origin.capture)) {
    return refuse(cudaErrorIllegalState, "the stream is capturing already");
  }
  const auto id = ++last_id_;
  Capture& capture = captures_[id];
  capture.graph = std::move(graph);
  capture.origin = &origin;
  capture.mode = mode;
  capture.thread = std::this_thread::get_id();
  join(origin, id, capture);
  capture.latest[&origin] = std::move(latest);
  ++active_;
  return cudaSuccess;
}

Status CaptureTable::end(Stream& origin, std::shared_ptr<Graph>& graph) {
  const std::scoped_lock lock(mutex_);
  Capture* capture = find(origin.capture);
  if (!capture) return refuse(cudaErrorIllegalState, "the stream is not capturing");
  if (capture->origin != &origin) {
    return refuse(cudaErrorStreamCaptureUnmatched, "the capture began in another stream");
  }
  if (capture->mode != cudaStreamCaptureModeRelaxed &&
      capture->thread != std::this_thread::get_id()) {
    return refuse(cudaErrorStreamCaptureWrongThread, "the capture began in another thread");
  }
  const Nodes& last = capture->latest[&origin];
  const bool is_joined =
      std::all_of(capture->latest.begin(), capture->latest.end(),
                  [&](const auto& other) { return are_before(other.second, last); }) &&
      are_before(capture->left, last);
  const bool is_valid = capture->is_valid;
  if (is_valid && is_joined) graph = capture->graph;
  blocking_ -= capture->blocking;
  --active_;
  captures_.erase(origin.capture);
  if (!is_valid) return refuse_invalid();
  if (is_joined) return cudaSuccess;
  return refuse(cudaErrorStreamCaptureUnjoined,
                "a stream that joined the capture was not waited for by its first stream");
}

CaptureInfo CaptureTable::info(const Stream& stream) {
  const std::scoped_lock lock(mutex_);
  const auto id = stream.capture.load();
  Capture* capture = find(id);
  if (!capture) return {};
  if (!capture->is_valid) return {cudaStreamCaptureStatusInvalidated, id};
  return {cudaStreamCaptureStatusActive, id, capture->graph.get(), &capture->latest[&stream]};
}

std::shared_ptr<Graph> CaptureTable::find_graph(const Graph* handle) {
  if (active_ == 0) return nullptr;
  const std::scoped_lock lock(mutex_);
  for (const auto& [id, capture] : captures_) {
    if (capture.graph.get() == handle) return capture.graph;
  }
  return nullptr;
}

Status CaptureTable::set_latest(const Stream& stream, const Nodes& nodes, bool alone) {
  const std::scoped_lock lock(mutex_);
  Capture* capture = find(stream.capture);
  if (!capture) return refuse(cudaErrorIllegalState, "the stream is not capturing");
  if (!capture->is_valid) return refuse_invalid();
  Nodes& latest = capture->latest[&stream];
  if (alone) latest.clear();
  append_once(latest, nodes);
  return cudaSuccess;
}

Status CaptureTable::add(Stream& stream, Task task) {
  const std::scoped_lock lock(mutex_);
  Capture* capture = find(stream.capture);
  if (!capture || !capture->is_valid) return refuse_invalid();
  Nodes& latest = capture->latest[&stream];
  latest = {capture->graph->add(std::move(task), latest)};
  return cudaSuccess;
}

Status CaptureTable::record(Stream& stream, Event& event, bool& captured) {
  captured = false;
  if (active_ == 0 && event.capture == 0) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  if (Capture* before = find(event.capture)) before->events.erase(&event);
  event.capture = 0;
  Capture* capture = find(stream.capture);
  if (!capture) return cudaSuccess;
  if (!capture->is_valid) return refuse_invalid();
  captured = true;
  event.capture = stream.capture.load();
  capture->events[&event] = capture->latest[&stream];
  return cudaSuccess;
}

Status CaptureTable::wait(Stream& stream, Event& event, bool& captured) {
  captured = false;
  if (active_ == 0) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  Capture* of_event = find(event.capture);
  Capture* of_stream = find(stream.capture);
  if (!of_event && !of_stream) return cudaSuccess;
  if (of_stream && !of_event) {
    of_stream->is_valid = false;
    return refuse(cudaErrorStreamCaptureIsolation,
                  "a capturing stream waits for an event that was not recorded in its capture");
  }
  if (of_stream && of_stream != of_event) {
    of_stream->is_valid = of_event->is_valid = false;
    return refuse(cudaErrorStreamCaptureMerge, "the stream and the event are in two captures");
  }
  if (!of_event->is_valid) return refuse_invalid();
  if (!of_stream) join(stream, event.capture, *of_event);
  append_once(of_event->latest[&stream], of_event->events[&event]);
  captured = true;
  return cudaSuccess;
}

void CaptureTable::leave(Stream& stream) {
  if (stream.capture == 0) return;
  const std::scoped_lock lock(mutex_);
  Capture* capture = find(stream.capture);
  if (!capture) return;
  if (capture->origin == &stream) {
    capture->is_valid = false;
    return;
  }
  append_once(capture->left, capture->latest[&stream]);
  capture->latest.erase(&stream);
  if (!stream.is_blocking()) return;
  --capture->blocking;
  --blocking_;
}

void CaptureTable::clear() {
  const std::scoped_lock lock(mutex_);
  captures_.clear();
  active_ = blocking_ = 0;
}

Status CaptureTable::check_legacy(bool is_legacy) {
  if (!is_legacy || blocking_ == 0) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  for (auto& [id, capture] : captures_) capture.is_valid &= capture.blocking == 0;
  return refuse(cudaErrorStreamCaptureImplicit,
                "the legacy default stream waits for a stream that is capturing");
}

Status CaptureTable::check_idle(const Stream& stream) {
  if (!has(stream)) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  if (Capture* capture = find(stream.capture)) capture->is_valid = false;
  return refuse(cudaErrorStreamCaptureUnsupported,
                "this call is not allowed while the stream is capturing");
}

Status CaptureTable::check_recorded(const Event& event) {
  if (event.capture == 0) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  Capture* capture = find(event.capture);
  if (!capture) return cudaSuccess;
  capture->is_valid = false;
  return refuse(cudaErrorCapturedEvent, "the event was recorded in a stream that is capturing");
}

Status CaptureTable::check_none() {
  if (active_ == 0) return cudaSuccess;
  const std::scoped_lock lock(mutex_);
  invalidate_all();
  return refuse(cudaErrorStreamCaptureUnsupported,
                "this call is not allowed while a stream is capturing");
}

Status do_or_capture(Runtime& state, Stream& stream, Task task) {
  CaptureTable& captures = state.graphs.captures;
  if (captures.has(stream)) return captures.add(stream, std::move(task));
  return submit_task(state, stream, task);
}

}  // namespace gridspan::runtime::graph
