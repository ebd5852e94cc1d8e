// Each thread's stack of contexts.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/driver/contexts.h"

#include "runtime/api/runtime_state.h"

#include <algorithm>
#include <vector>

namespace gridspan::runtime::driver {

namespace {

constinit std::atomic<bool> initialised{false};

/// Never destroyed: destructors of the program may still call us.
HandleTable<CUctx_st>& contexts() {
  static auto& table = *new HandleTable<CUctx_st>;
  return table;
}

std::vector<CUcontext>& stack() {
  thread_local std::vector<CUcontext> current;
  return current;
}

}  // namespace

void set_initialised() { initialised = true; }
bool is_initialised() { return initialised || runtime_if_started(); }

CUcontext primary_context() {
  static CUctx_st& primary = *new CUctx_st{.flags = 0, .is_primary = true};
  return &primary;
}

CUcontext create_context(unsigned flags) {
  auto context = std::make_shared<CUctx_st>();
  context->flags = flags;
  return contexts().add(std::move(context));
}

bool destroy_context(CUcontext context) {
  if (!contexts().remove(context)) return false;
  std::erase(stack(), context);
  return true;
}

bool is_live(CUcontext context) {
  return context == primary_context() || contexts().find(context) != nullptr;
}

CUcontext current_context() {
  if (!stack().empty()) return stack().back();
  return runtime_if_started() ? primary_context() : nullptr;
}

void push_context(CUcontext context) { stack().push_back(context); }

CUcontext pop_context() {
  if (stack().empty()) return nullptr;
  const CUcontext top = stack().back();
  stack().pop_back();
  return top;
}

}  // namespace gridspan::runtime::driver
