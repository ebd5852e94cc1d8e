// Objects of the program that live as long as graphs use them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/api/call.h"
#include "runtime/api/graph/handles.h"
#include "runtime/api/graph/user_objects.h"

#include <climits>
#include <utility>

namespace gridspan::runtime::graph {

UserObject* UserObjectTable::create(void* data, cudaHostFn_t destroy, unsigned references) {
  auto object = std::make_unique<UserObject>();
  object->owned = std::make_shared<OwnedByProgram>(data, destroy);
  object->references = references;
  const std::scoped_lock lock(mutex_);
  UserObject* const handle = object.get();
  live_.emplace(handle, std::move(object));
  return handle;
}

bool UserObjectTable::retain(UserObject* handle, unsigned count) {
  const std::scoped_lock lock(mutex_);
  const auto found = live_.find(handle);
  if (found == live_.end() || count > INT_MAX - found->second->references) return false;
  found->second->references += count;
  return true;
}

bool UserObjectTable::release(UserObject* handle, unsigned count) {
  std::unique_ptr<UserObject> gone;  // may call the program: not while we hold the lock
  const std::scoped_lock lock(mutex_);
  const auto found = live_.find(handle);
  if (found == live_.end() || count > found->second->references) return false;
  found->second->references -= count;
  if (found->second->references == 0) {
    gone = std::move(found->second);
    live_.erase(found);
  }
  return true;
}

std::shared_ptr<OwnedByProgram> UserObjectTable::find(UserObject* handle) const {
  const std::scoped_lock lock(mutex_);
  const auto found = live_.find(handle);
  return found == live_.end() ? nullptr : found->second->owned;
}

}  // namespace gridspan::runtime::graph

using namespace gridspan::runtime;
using namespace gridspan::runtime::graph;

namespace {

Status check_count(unsigned count) {
  if (count > 0 && count <= INT_MAX) return cudaSuccess;
  return refuse(cudaErrorInvalidValue, "%u references", count);
}

Status refuse_object(cudaUserObject_t object, unsigned count) {
  return refuse(cudaErrorInvalidValue, "%p is not a user object with %u references",
                static_cast<void*>(object), count);
}

}  // namespace

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* data, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  GRIDSPAN_CALL(object, data, destroy, references, flags) {
    if (!object || !destroy) return refuse(cudaErrorInvalidValue, "an argument is null");
    GRIDSPAN_TRY(check_count(references));
    if (flags != cudaUserObjectNoDestructorSync) {
      return refuse(cudaErrorInvalidValue, "flags must be cudaUserObjectNoDestructorSync");
    }
    *object = state.graphs.user_objects.create(data, destroy, references);
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  GRIDSPAN_CALL(object, count) {
    GRIDSPAN_TRY(check_count(count));
    if (state.graphs.user_objects.retain(object, count)) return cudaSuccess;
    return refuse_object(object, count);
  });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  GRIDSPAN_CALL(object, count) {
    GRIDSPAN_TRY(check_count(count));
    if (state.graphs.user_objects.release(object, count)) return cudaSuccess;
    return refuse_object(object, count);
  });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  GRIDSPAN_CALL(handle, object, count, flags) {
    GRIDSPAN_TRY(check_count(count));
    if (flags & ~unsigned{cudaGraphUserObjectMove}) {
      return refuse(cudaErrorInvalidValue, "flags %#x", flags);
    }
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    auto owned = state.graphs.user_objects.find(object);
    if (!owned) return refuse_object(object, count);
    // Moved references are no longer the program's.
    if (flags == cudaGraphUserObjectMove && !state.graphs.user_objects.release(object, count)) {
      return refuse_object(object, count);
    }
    HeldObject& held = graph->held_objects[object];
    held.owned = std::move(owned);
    held.references += count;
    return cudaSuccess;
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t handle, cudaUserObject_t object,
                                       unsigned int count) {
  GRIDSPAN_CALL(handle, object, count) {
    GRIDSPAN_TRY(check_count(count));
    std::shared_ptr<Graph> graph;
    GRIDSPAN_TRY(find_graph(state, handle, graph));
    const auto found = graph->held_objects.find(object);
    if (found == graph->held_objects.end() || found->second.references < count) {
      return refuse(cudaErrorInvalidValue, "the graph does not hold %u references", count);
    }
    found->second.references -= count;
    if (found->second.references == 0) graph->held_objects.erase(found);
    return cudaSuccess;
  });
}
