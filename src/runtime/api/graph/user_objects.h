// Objects of the program that live as long as graphs use them.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Program and graphs hold references. Clones, executables and launches on their way hold the object
// itself. When the last of all these goes, the program's function destroys it.
#pragma once

#include "runtime/api/cuda_api.h"
#include "runtime/api/stream_table.h"

#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace gridspan::runtime::graph {

/// Destroys what the program gave when it goes.
class OwnedByProgram {
 public:
  OwnedByProgram(void* data, cudaHostFn_t destroy) : data_(data), destroy_(destroy) {}
  OwnedByProgram(const OwnedByProgram&) = delete;
  OwnedByProgram& operator=(const OwnedByProgram&) = delete;
  ~OwnedByProgram() { destroy_(data_); }

 private:
  void* data_;
  cudaHostFn_t destroy_;
};

}  // namespace gridspan::runtime::graph

/// What a cudaUserObject_t points to: the program's references.
struct CUuserObject_st {
  std::shared_ptr<gridspan::runtime::graph::OwnedByProgram> owned;
  unsigned references = 0;
};

namespace gridspan::runtime::graph {

using UserObject = CUuserObject_st;

/// What a graph holds, and with how many references.
struct HeldObject {
  std::shared_ptr<OwnedByProgram> owned;
  unsigned references = 0;
};
using HeldObjects = std::map<const UserObject*, HeldObject>;

/// Thread safe.
class UserObjectTable {
 public:
  UserObject* create(void* data, cudaHostFn_t destroy, unsigned references);
  /// False if there is no such object, or not as many references.
  bool retain(UserObject* handle, unsigned count);
  bool release(UserObject* handle, unsigned count);
  /// Null for an object that is gone.
  std::shared_ptr<OwnedByProgram> find(UserObject* handle) const;

 private:
  mutable std::mutex mutex_;
  std::map<const UserObject*, std::unique_ptr<UserObject>> live_;
};

}  // namespace gridspan::runtime::graph
