// Events: places in the order of commands, with the time they were passed.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/shared_events.h"
#include "runtime/api/submit.h"

namespace gridspan::runtime {

namespace {

/// Place of the event's last record; 0, which is always done, if there is none.
Queue::Sequence last_record(const Event& event) {
  return event.record->sequence.load(std::memory_order_acquire);
}

/// A place in the records of a shared event.
struct SharedPlace {
  std::shared_ptr<SharedEvent> event;
  std::uint64_t number;
};
void pass_record(void* data, bool) {
  const std::unique_ptr<SharedPlace> place(static_cast<SharedPlace*>(data));
  place->event->end_record(place->number);
}
void await_record(void* data, bool) {
  const std::unique_ptr<SharedPlace> place(static_cast<SharedPlace*>(data));
  place->event->wait(place->number);
}

}  // namespace

void submit_shared_record(Runtime& state, Stream& stream, Event& event) {
  auto place = std::make_unique<SharedPlace>(event.shared, event.shared->begin_record());
  submit<HostCommand>(state, stream, HostCommand{pass_record, place.release(), true});
}

void submit_wait(Runtime& state, Stream& stream, const Event& event) {
  if (!event.shared) return void(submit<WaitCommand>(state, stream, last_record(event)));
  auto place = std::make_unique<SharedPlace>(event.shared, event.shared->last());
  submit<HostCommand>(state, stream, HostCommand{await_record, place.release(), true});
}

}  // namespace gridspan::runtime

using namespace gridspan::runtime;

namespace {

Status find_event(Runtime& state, cudaEvent_t handle, std::shared_ptr<Event>& event) {
  event = state.events.find(handle);
  if (event) return cudaSuccess;
  return refuse(cudaErrorInvalidResourceHandle, "%p is not an event, or was destroyed",
                static_cast<void*>(handle));
}

Status create(Runtime& state, cudaEvent_t* event, unsigned flags) {
  if (!event) return refuse(cudaErrorInvalidValue, "the result pointer is null");
  constexpr unsigned known = cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess;
  if (flags & ~known) return refuse(cudaErrorInvalidValue, "unknown flags %#x", flags & ~known);
  auto object = std::make_shared<Event>();
  if (flags & cudaEventInterprocess) {
    if (!(flags & cudaEventDisableTiming)) {
      return refuse(cudaErrorInvalidValue, "events between processes have no timing");
    }
    object->shared = SharedEvent::make();
    if (!object->shared) return refuse(cudaErrorMemoryAllocation, "no memory for a shared event");
  }
  object->device = current_device();
  object->flags = flags;
  *event = state.events.add(std::move(object));
  return cudaSuccess;
}

Status record_event(Runtime& state, cudaEvent_t event_handle, cudaStream_t stream_handle,
                    unsigned flags) {
  if (flags != cudaEventRecordDefault && flags != cudaEventRecordExternal) {
    return refuse(cudaErrorInvalidValue, "flags %#x are not supported", flags);
  }
  std::shared_ptr<Event> event;
  GRIDSPAN_TRY(find_event(state, event_handle, event));
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream_for_work(state, stream_handle, stream));
  if (event->device != stream->device) {
    return refuse(cudaErrorInvalidResourceHandle, "an event of device %d in a stream of device %d",
                  event->device, stream->device);
  }
  if (flags == cudaEventRecordExternal && state.graphs.captures.has(*stream)) {
    return state.graphs.captures.add(*stream, graph::RecordTask{event});
  }
  bool captured = false;
  GRIDSPAN_TRY(state.graphs.captures.record(*stream, *event, captured));
  if (!captured) submit_record(state, *stream, *event);
  return cudaSuccess;
}

/// Whether that is done. What was reached once stays reached, however much follows.
Status query_last_record(Runtime& state, const Event& event) {
  const auto is_reached = [&] { return event.record->reached.load() >= last_record(event); };
  if (is_reached()) return sticky_error(state);
  const Status status = query(state, last_record(event));
  const bool is_late = status.code == cudaErrorNotReady && is_reached();
  return is_late ? Status(sticky_error(state)) : status;
}

Status wait_for_event(Runtime& state, cudaStream_t handle, cudaEvent_t event_handle,
                      unsigned flags) {
  if (flags != cudaEventWaitDefault && flags != cudaEventWaitExternal) {
    return refuse(cudaErrorInvalidValue, "flags %#x are not supported", flags);
  }
  std::shared_ptr<Stream> stream;
  GRIDSPAN_TRY(find_stream_for_work(state, handle, stream));
  std::shared_ptr<Event> event;
  GRIDSPAN_TRY(find_event(state, event_handle, event));
  if (flags == cudaEventWaitExternal && state.graphs.captures.has(*stream)) {
    return state.graphs.captures.add(*stream, graph::WaitTask{event});
  }
  bool captured = false;
  GRIDSPAN_TRY(state.graphs.captures.wait(*stream, *event, captured));
  if (captured) return cudaSuccess;
  submit_wait(state, *stream, *event);
  return cudaSuccess;
}

/// Both ends of a measurement must be recorded, timed and over.
Status check_timed(Runtime& state, const Event& event, const char* role) {
  if (event.flags & cudaEventDisableTiming) {
    return refuse(cudaErrorInvalidResourceHandle, "the %s event was created without timing", role);
  }
  if (last_record(event) == 0) {
    return refuse(cudaErrorInvalidResourceHandle, "the %s event was never recorded", role);
  }
  return query_last_record(state, event);
}

}  // namespace

cudaError_t cudaEventCreate(cudaEvent_t* event) {
  GRIDSPAN_CALL(event) { return create(state, event, cudaEventDefault); });
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t* event, unsigned int flags) {
  GRIDSPAN_CALL(event, flags) { return create(state, event, flags); });
}

cudaError_t cudaEventDestroy(cudaEvent_t event) {
  GRIDSPAN_CALL(event) {
    if (state.events.remove(event)) return cudaSuccess;
    return refuse(cudaErrorInvalidResourceHandle, "%p is not an event, or was destroyed",
                  static_cast<void*>(event));
  });
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream) {
  GRIDSPAN_CALL(event, stream) {
    return record_event(state, event, stream, cudaEventRecordDefault);
  });
}

cudaError_t cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream, unsigned int flags) {
  GRIDSPAN_CALL(event, stream, flags) { return record_event(state, event, stream, flags); });
}

cudaError_t cudaEventQuery(cudaEvent_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Event> event;
    GRIDSPAN_TRY(find_event(state, handle, event));
    GRIDSPAN_TRY(state.graphs.captures.check_recorded(*event));
    const SharedEvent* const shared = event->shared.get();
    if (!shared) return query_last_record(state, *event);
    // The queue counts a record as done only after other processes may have seen that it is.
    if (!shared->has_passed(shared->last())) return cudaErrorNotReady;
    return sticky_error(state);
  });
}

cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  GRIDSPAN_CALL(handle) {
    std::shared_ptr<Event> event;
    GRIDSPAN_TRY(find_event(state, handle, event));
    GRIDSPAN_TRY(state.graphs.captures.check_recorded(*event));
    Status status = query_last_record(state, *event);
    if (status.code == cudaErrorNotReady) status = wait_for(state, last_record(*event));
    GRIDSPAN_TRY(status);
    if (event->shared) event->shared->wait(event->shared->last());
    return cudaSuccess;
  });
}

cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  GRIDSPAN_CALL(milliseconds, start, end) {
    if (!milliseconds) return refuse(cudaErrorInvalidValue, "the result pointer is null");
    std::shared_ptr<Event> first, last;
    GRIDSPAN_TRY(find_event(state, start, first));
    GRIDSPAN_TRY(find_event(state, end, last));
    if (first->device != last->device) {
      return refuse(cudaErrorInvalidResourceHandle, "events of devices %d and %d", first->device,
                    last->device);
    }
    GRIDSPAN_TRY(check_timed(state, *first, "first"));
    GRIDSPAN_TRY(check_timed(state, *last, "second"));
    const auto nanoseconds = last->record->nanoseconds.load() - first->record->nanoseconds.load();
    *milliseconds = static_cast<float>(static_cast<double>(nanoseconds) * 1e-6);
    return cudaSuccess;
  });
}

cudaError_t cudaStreamWaitEvent(cudaStream_t handle, cudaEvent_t event_handle, unsigned int flags) {
  GRIDSPAN_CALL(handle, event_handle, flags) {
    return wait_for_event(state, handle, event_handle, flags);
  });
}
